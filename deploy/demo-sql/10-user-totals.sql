-- A GROUP BY without TTL: every user_id that ever came is kept for ever.
SET 'pipeline.name' = 'user-totals';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/user-totals.json' FOR
INSERT INTO user_totals SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;

-- 2. Totals per user: kept for ever, because nothing says otherwise.
COMPILE PLAN 'file://${OUT}/agg-plan.json' FOR
INSERT INTO kv_sink
SELECT CAST(user_id AS STRING), SUM(amount) FROM orders GROUP BY user_id;

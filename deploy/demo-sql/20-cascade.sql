-- Two joins, hints on all three tables. The second join's left input, the result of the first,
-- cannot be hinted: it gets the job's default of 30 minutes.
SET 'pipeline.name' = 'cascade';
SET 'table.exec.state.ttl' = '30 min';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/cascade.json' FOR
INSERT INTO paid_by_region
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h', 'u' = '7d') */ u.region, o.amount
FROM orders o
JOIN payments p ON o.order_id = p.order_id
JOIN users u ON o.user_id = u.user_id;

-- The same query as a plain INSERT. Its plan is compiled apart, so that node ids and vertex ids of
-- the running job are others than the plan's: only the descriptions tell that they belong together.
SET 'pipeline.name' = 'cascade-plain';
COMPILE PLAN 'file://${PLAN_DIR}/cascade-plain.json' FOR
INSERT INTO paid_by_region
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h', 'u' = '7d') */ u.region, o.amount
FROM orders o
JOIN payments p ON o.order_id = p.order_id
JOIN users u ON o.user_id = u.user_id;
INSERT INTO paid_by_region
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h', 'u' = '7d') */ u.region, o.amount
FROM orders o
JOIN payments p ON o.order_id = p.order_id
JOIN users u ON o.user_id = u.user_id;
RESET 'table.exec.state.ttl';

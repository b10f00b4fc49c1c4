-- From Flink 2.1 on joins on one key can be one operator with an entry per input.
SET 'pipeline.name' = 'multi-join';
SET 'table.optimizer.multi-join.enabled' = 'true';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/multi-join.json' FOR INSERT INTO paid_by_region
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h', 'q' = '3d') */ p.pay_method, o.amount FROM orders o
JOIN payments p ON o.order_id = p.order_id
JOIN orders q ON o.order_id = q.order_id;

-- 4. A hint for each input of a regular join, by the alias that the query gives it.
SET 'table.exec.state.ttl' = '30 min';

COMPILE PLAN 'file://${OUT}/join-hint-plan.json' FOR
INSERT INTO kv_sink
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h') */ p.pay_method, o.amount
FROM orders o JOIN payments p ON o.order_id = p.order_id;

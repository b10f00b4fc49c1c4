-- 1. A filter looks at one row and forgets it.
COMPILE PLAN 'file://${OUT}/calc-plan.json' FOR
INSERT INTO kv_sink
SELECT CAST(order_id AS STRING), amount * 2 FROM orders WHERE amount > 1000;

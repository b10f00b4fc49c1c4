-- 5. Two joins have four inputs. Three of them are tables, which hints can name; the left input of
--    the second is the first join's result: it takes the job's TTL.
SET 'table.exec.state.ttl' = '30 min';

COMPILE PLAN 'file://${OUT}/cascade-plan.json' FOR
INSERT INTO kv_sink
SELECT /*+ STATE_TTL('o' = '1d', 'p' = '2h', 'u' = '7d') */ u.region, o.amount
FROM orders o
JOIN payments p ON o.order_id = p.order_id
JOIN users u ON o.user_id = u.user_id;

-- 3. The same with a TTL for the whole job. SET works on the statements after it.
SET 'table.exec.state.ttl' = '30 min';

COMPILE PLAN 'file://${OUT}/agg-ttl-plan.json' FOR
INSERT INTO kv_sink
SELECT CAST(user_id AS STRING), SUM(amount) FROM orders GROUP BY user_id;

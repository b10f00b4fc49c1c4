-- 6. A window needs no TTL: it is emitted once, when the watermark passes its end, then forgotten.
SET 'table.exec.state.ttl' = '30 min';
SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';

COMPILE PLAN 'file://${OUT}/window-plan.json' FOR
INSERT INTO win_sink
SELECT window_start, window_end, SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
GROUP BY window_start, window_end;

SELECT window_start, window_end, COUNT(*) AS orders, SUM(amount) AS amount
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
GROUP BY window_start, window_end;

-- 7. Totals per user with their state in RocksDB. The result is that of any other backend.
SET 'state.backend.type' = 'rocksdb';
SET 'pipeline.name' = 'flk-state-rocks';
SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';

SELECT user_id, COUNT(*) AS orders, SUM(amount) AS total FROM orders GROUP BY user_id;

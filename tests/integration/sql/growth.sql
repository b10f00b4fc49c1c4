-- Four jobs whose state does four things. Bounded random fields: a datagen sequence would preload its
-- whole range into the heap. The range of `id` is so wide that no id comes twice.
CREATE TABLE clicks (id BIGINT, amount BIGINT) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '500',
  'fields.id.min' = '1',
  'fields.id.max' = '4000000000000000',
  'fields.amount.min' = '1',
  'fields.amount.max' = '500'
);
CREATE TABLE visits (user_id BIGINT, amount BIGINT) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '1000',
  'fields.user_id.min' = '1',
  'fields.user_id.max' = '2000',
  'fields.amount.min' = '1',
  'fields.amount.max' = '500'
);
CREATE TABLE totals (id BIGINT, total BIGINT) WITH ('connector' = 'blackhole');

-- Unique keys, for ever: a straight line up. Two seconds, so that a restarted sidecar sees fewer
-- checkpoints in Flink's own history (10) than a verdict needs (12).
SET 'pipeline.name' = 'grows';
SET 'execution.checkpointing.interval' = '2 s';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/grows.json' FOR
INSERT INTO totals SELECT id, SUM(amount) FROM clicks GROUP BY id;

SET 'execution.checkpointing.interval' = '1 s';

-- 2,000 keys, for ever: bounded.
SET 'pipeline.name' = 'bounded';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/bounded.json' FOR
INSERT INTO totals SELECT user_id, SUM(amount) FROM visits GROUP BY user_id;

-- A regular join that keeps its left input for ever and its right one for 30 s.
SET 'pipeline.name' = 'half-bounded';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/half-bounded.json' FOR
INSERT INTO totals SELECT /*+ STATE_TTL('r' = '30s') */ l.id, r.amount
FROM clicks l JOIN clicks r ON l.id = r.id;

-- Unique keys for 30 s. On the heap, where every access to the state also cleans up a few old
-- entries: the size does not wait for a compaction.
SET 'pipeline.name' = 'settles';
SET 'state.backend.type' = 'hashmap';
SET 'table.exec.state.ttl' = '30 s';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/settles.json' FOR
INSERT INTO totals SELECT id, SUM(amount) FROM clicks GROUP BY id;

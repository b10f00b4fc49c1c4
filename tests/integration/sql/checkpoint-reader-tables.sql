CREATE TABLE clicks (id BIGINT, amount BIGINT, name STRING, at_time AS PROCTIME()) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '60',
  'fields.id.min' = '1',
  'fields.id.max' = '4000000000000000',
  'fields.amount.min' = '1',
  'fields.amount.max' = '500',
  'fields.name.length' = '60'
);
CREATE TABLE sums (id BIGINT, total BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE names (name STRING, total BIGINT) WITH ('connector' = 'blackhole');
-- Its writer keeps operator state, in one chain with what feeds it.
CREATE TABLE pairs (id BIGINT, total BIGINT)
  WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = 'file://${PLAN_DIR}/pairs');

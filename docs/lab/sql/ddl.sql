-- The lab's tables. ${CSV} is the folder of the CSV files.
CREATE TABLE orders (
  order_id BIGINT,
  user_id BIGINT,
  amount BIGINT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts
) WITH ('connector' = 'filesystem', 'path' = 'file://${CSV}/state_orders.csv', 'format' = 'csv');

CREATE TABLE payments (
  pay_id BIGINT,
  order_id BIGINT,
  pay_method STRING,  -- METHOD is a reserved word
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts
) WITH ('connector' = 'filesystem', 'path' = 'file://${CSV}/state_payments.csv', 'format' = 'csv');

CREATE TABLE users (
  user_id BIGINT,
  region STRING
) WITH ('connector' = 'filesystem', 'path' = 'file://${CSV}/state_users.csv', 'format' = 'csv');

CREATE TABLE kv_sink (k STRING, v BIGINT) WITH ('connector' = 'blackhole');

CREATE TABLE win_sink (
  window_start TIMESTAMP(3),
  window_end TIMESTAMP(3),
  v BIGINT
) WITH ('connector' = 'blackhole');

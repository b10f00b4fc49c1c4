-- The demo's tables. Bounded random fields and a few rows a second: two cores stay calm.
-- (A datagen sequence would preload its whole range into the heap.)
CREATE TABLE orders (
  order_id BIGINT,
  user_id BIGINT,
  amount DECIMAL(10, 2),
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '20',
  'fields.order_id.min' = '1',
  'fields.order_id.max' = '50000',
  'fields.user_id.min' = '1',
  'fields.user_id.max' = '20000',
  'fields.amount.min' = '1',
  'fields.amount.max' = '500',
  'fields.ts.max-past' = '1 s'
);

CREATE TABLE payments (
  pay_id BIGINT,
  order_id BIGINT,
  pay_method STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '15',
  'fields.pay_id.min' = '1',
  'fields.pay_id.max' = '1000000000',
  'fields.order_id.min' = '1',
  'fields.order_id.max' = '50000',
  'fields.pay_method.length' = '1',
  'fields.ts.max-past' = '1 s'
);

CREATE TABLE users (
  user_id BIGINT,
  region STRING
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '5',
  'fields.user_id.min' = '1',
  'fields.user_id.max' = '20000',
  'fields.region.length' = '1'
);

-- Nothing is kept of the results.
CREATE TABLE user_totals (user_id BIGINT, total DECIMAL(38, 2))
  WITH ('connector' = 'blackhole');
CREATE TABLE paid_by_region (region STRING, amount DECIMAL(10, 2))
  WITH ('connector' = 'blackhole');
CREATE TABLE first_orders (order_id BIGINT, user_id BIGINT, amount DECIMAL(10, 2))
  WITH ('connector' = 'blackhole');
CREATE TABLE top_orders (user_id BIGINT, order_id BIGINT, amount DECIMAL(10, 2), place BIGINT)
  WITH ('connector' = 'blackhole');
CREATE TABLE turnover (window_start TIMESTAMP(3), window_end TIMESTAMP(3), total DECIMAL(38, 2))
  WITH ('connector' = 'blackhole');
CREATE TABLE quick_payments (order_id BIGINT, pay_method STRING, amount DECIMAL(10, 2))
  WITH ('connector' = 'blackhole');
CREATE TABLE method_counts (pay_method STRING, payments BIGINT)
  WITH ('connector' = 'blackhole');
CREATE TABLE large_orders (order_id BIGINT, amount DECIMAL(10, 2))
  WITH ('connector' = 'blackhole');

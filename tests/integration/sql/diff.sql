-- The plans whose old state test_diff.py restores. Few rows, so that many of these jobs run at once.
CREATE TABLE diff_orders (
  order_id BIGINT, user_id BIGINT, product_id BIGINT, amount BIGINT, pt AS PROCTIME()
) WITH ('connector' = 'datagen', 'rows-per-second' = '20',
  'fields.order_id.min' = '0', 'fields.order_id.max' = '9999',
  'fields.user_id.min' = '0', 'fields.user_id.max' = '99',
  'fields.product_id.min' = '0', 'fields.product_id.max' = '99',
  'fields.amount.min' = '1', 'fields.amount.max' = '500');
CREATE TABLE diff_payments (order_id BIGINT, pay_method STRING)
WITH ('connector' = 'datagen', 'rows-per-second' = '20',
  'fields.order_id.min' = '0', 'fields.order_id.max' = '9999', 'fields.pay_method.length' = '4');
CREATE TABLE diff_totals (k BIGINT, total BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE diff_more (k BIGINT, total BIGINT, most BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE diff_paid (order_id BIGINT, amount BIGINT, pay_method STRING)
WITH ('connector' = 'blackhole');

COMPILE PLAN 'file://${PLAN_DIR}/group-by.json' FOR
INSERT INTO diff_totals SELECT user_id, SUM(amount) FROM diff_orders GROUP BY user_id;

COMPILE PLAN 'file://${PLAN_DIR}/other-key.json' FOR
INSERT INTO diff_totals SELECT product_id, SUM(amount) FROM diff_orders GROUP BY product_id;

COMPILE PLAN 'file://${PLAN_DIR}/other-aggregates.json' FOR
INSERT INTO diff_more
SELECT user_id, SUM(amount), MAX(amount) FROM diff_orders GROUP BY user_id;

COMPILE PLAN 'file://${PLAN_DIR}/join.json' FOR
INSERT INTO diff_paid SELECT o.order_id, o.amount, p.pay_method
FROM diff_orders o JOIN diff_payments p ON o.order_id = p.order_id;

COMPILE PLAN 'file://${PLAN_DIR}/deduplicate.json' FOR
INSERT INTO diff_totals SELECT order_id, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY pt) AS n FROM diff_orders)
WHERE n = 1;

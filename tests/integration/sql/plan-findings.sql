-- Compiled only, never run: ${PLAN_DIR}/<case>.json for each case of test_plan_findings.py.
CREATE TABLE texts (k STRING, v STRING) WITH ('connector' = 'blackhole');
CREATE TABLE shipments (
  order_id BIGINT, carrier STRING, sent_at TIMESTAMP_LTZ(3),
  WATERMARK FOR sent_at AS sent_at - INTERVAL '2' SECOND
) WITH ('connector' = 'datagen');
-- Its rows change, so that what aggregates them has to take rows back.
CREATE VIEW order_totals AS
SELECT user_id, order_id, SUM(amount) AS total, COUNT(*) AS parts
FROM orders GROUP BY user_id, order_id;
CREATE VIEW paid AS
SELECT o.order_id AS id, p.pay_method FROM orders o JOIN payments p ON o.order_id = p.order_id;

-- heavy-aggregate
COMPILE PLAN 'file://${PLAN_DIR}/max-of-totals.json' FOR INSERT INTO user_totals
SELECT user_id, MAX(total) FROM order_totals GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/many-of-totals.json' FOR INSERT INTO texts
SELECT CAST(COUNT(DISTINCT order_id) AS STRING), CONCAT_WS(',', LISTAGG(CAST(total AS STRING)),
  CAST(MIN(total) AS STRING), CAST(FIRST_VALUE(parts) AS STRING), CAST(SUM(total) AS STRING))
FROM order_totals GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/sums-of-totals.json' FOR INSERT INTO texts
SELECT CAST(SUM(total) AS STRING), CAST(AVG(total) AS STRING) FROM order_totals GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/max-of-counts.json' FOR INSERT INTO user_totals
SELECT user_id, MAX(parts) FROM order_totals GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/distinct-of-rows.json' FOR INSERT INTO texts
SELECT CAST(COUNT(DISTINCT order_id) AS STRING), CAST(MAX(amount) AS STRING) FROM orders
GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/max-hinted.json' FOR INSERT INTO user_totals
SELECT /*+ STATE_TTL('t' = '7d') */ user_id, MAX(total) FROM order_totals t GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/max-of-windows.json' FOR INSERT INTO user_totals
SELECT user_id, MAX(total) FROM (
  SELECT user_id, SUM(amount) AS total
  FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR))
  GROUP BY window_start, window_end, user_id) GROUP BY user_id;
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SET 'table.exec.mini-batch.size' = '100';
COMPILE PLAN 'file://${PLAN_DIR}/two-phase.json' FOR INSERT INTO texts
SELECT CAST(COUNT(DISTINCT order_id) AS STRING), CAST(MAX(total) AS STRING) FROM order_totals
GROUP BY user_id;
SET 'table.optimizer.distinct-agg.split.enabled' = 'true';
COMPILE PLAN 'file://${PLAN_DIR}/split.json' FOR INSERT INTO texts
SELECT CAST(COUNT(DISTINCT order_id) AS STRING), CAST(MAX(total) AS STRING) FROM order_totals
GROUP BY user_id;
RESET 'table.exec.mini-batch.enabled';
RESET 'table.optimizer.distinct-agg.split.enabled';

-- time-bound-possible
COMPILE PLAN 'file://${PLAN_DIR}/join.json' FOR INSERT INTO quick_payments
SELECT l.order_id, r.pay_method, l.amount FROM orders l JOIN payments r ON l.order_id = r.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/join-bound.json' FOR INSERT INTO quick_payments
SELECT l.order_id, r.pay_method, l.amount FROM orders l JOIN payments r ON l.order_id = r.order_id
AND r.ts BETWEEN l.ts - INTERVAL '1' HOUR AND l.ts + INTERVAL '1' HOUR;
COMPILE PLAN 'file://${PLAN_DIR}/join-ltz.json' FOR INSERT INTO quick_payments
SELECT l.order_id, r.carrier, l.amount FROM orders l FULL JOIN shipments r
ON l.order_id = r.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/join-untimed.json' FOR INSERT INTO paid_by_region
SELECT u.region, o.amount FROM orders o JOIN users u ON o.user_id = u.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/join-updates.json' FOR INSERT INTO paid_by_region
SELECT p.pay_method, t.total FROM order_totals t JOIN payments p ON t.order_id = p.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/group.json' FOR INSERT INTO user_totals
SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/group-bound.json' FOR INSERT INTO user_totals
SELECT user_id, SUM(amount) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, user_id;
COMPILE PLAN 'file://${PLAN_DIR}/group-untimed.json' FOR INSERT INTO texts
SELECT region, CAST(COUNT(*) AS STRING) FROM users GROUP BY region;
COMPILE PLAN 'file://${PLAN_DIR}/group-keyless.json' FOR INSERT INTO texts
SELECT 'all', CAST(SUM(amount) AS STRING) FROM orders;
COMPILE PLAN 'file://${PLAN_DIR}/group-of-join.json' FOR INSERT INTO user_totals
SELECT o.user_id, SUM(o.amount) FROM orders o JOIN users u ON o.user_id = u.user_id
GROUP BY o.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/limit.json' FOR INSERT INTO large_orders
SELECT order_id, amount FROM orders LIMIT 5;

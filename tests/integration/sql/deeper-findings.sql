-- Compiled only, never run: ${PLAN_DIR}/<case>.json for each case of test_deeper_findings.py.
-- Where a table's primary key is not what the query's rows are unique by, Flink 2.3 asks for an ON
-- CONFLICT clause that 1.20 does not know; both know this, or pass over it.
SET 'table.exec.sink.require-on-conflict' = 'false';
CREATE TABLE by_region (region STRING, user_id BIGINT, total DECIMAL(38, 2),
  PRIMARY KEY (region) NOT ENFORCED) WITH ('connector' = 'blackhole');
CREATE TABLE by_region_and_user (region STRING, user_id BIGINT, total DECIMAL(38, 2),
  PRIMARY KEY (region, user_id) NOT ENFORCED) WITH ('connector' = 'blackhole');
CREATE TABLE by_name (name STRING, total DECIMAL(38, 2), PRIMARY KEY (name) NOT ENFORCED)
  WITH ('connector' = 'blackhole');
CREATE TABLE by_user (user_id BIGINT, total DECIMAL(38, 2), PRIMARY KEY (user_id) NOT ENFORCED)
  WITH ('connector' = 'blackhole');
CREATE VIEW arrivals AS SELECT order_id, user_id, amount, PROCTIME() AS arrived FROM orders;
CREATE VIEW user_arrivals AS SELECT user_id, region, PROCTIME() AS arrived FROM users;
CREATE VIEW order_totals AS
SELECT user_id, order_id, SUM(amount) AS total FROM orders GROUP BY user_id, order_id;

-- which tables, by which keys
COMPILE PLAN 'file://${PLAN_DIR}/sources.json' FOR INSERT INTO by_region_and_user
SELECT u.region, t.user_id, SUM(t.total) FROM (
  SELECT o.user_id, o.order_id, o.amount AS total FROM orders o
  LEFT JOIN payments p ON p.order_id = o.order_id) t JOIN users u ON u.user_id = t.user_id
GROUP BY u.region, t.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/no-sources.json' FOR INSERT INTO user_totals
SELECT k, SUM(v) FROM (VALUES (CAST(1 AS BIGINT), 2.50), (CAST(2 AS BIGINT), 3.50)) AS t(k, v)
GROUP BY k;

-- ttl-mismatch along a path
COMPILE PLAN 'file://${PLAN_DIR}/path.json' FOR INSERT INTO user_totals
SELECT /*+ STATE_TTL('j' = '7d') */ user_id, SUM(amount) FROM (
  SELECT /*+ STATE_TTL('o' = '1h', 'p' = '1h') */ o.user_id, o.amount
  FROM orders o JOIN payments p ON o.order_id = p.order_id) j WHERE amount > 5 GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/path-fits.json' FOR INSERT INTO user_totals
SELECT /*+ STATE_TTL('j' = '1d') */ user_id, SUM(amount) FROM (
  SELECT /*+ STATE_TTL('o' = '1h', 'p' = '1h') */ o.user_id, o.amount
  FROM orders o JOIN payments p ON o.order_id = p.order_id) j WHERE amount > 5 GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/path-union.json' FOR INSERT INTO user_totals
SELECT /*+ STATE_TTL('j' = '7d') */ user_id, SUM(amount) FROM (
  SELECT user_id, amount FROM orders UNION ALL
  SELECT /*+ STATE_TTL('o' = '1h', 'p' = '1h') */ o.user_id, o.amount
  FROM orders o JOIN payments p ON o.order_id = p.order_id) j GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/path-three.json' FOR INSERT INTO user_totals
SELECT /*+ STATE_TTL('t' = '14d') */ user_id, SUM(total) FROM (
  SELECT /*+ STATE_TTL('j' = '20h') */ user_id, order_id, SUM(amount) AS total FROM (
    SELECT /*+ STATE_TTL('o' = '1h', 'p' = '1h') */ o.user_id, o.order_id, o.amount
    FROM orders o JOIN payments p ON o.order_id = p.order_id) j GROUP BY user_id, order_id) t
GROUP BY user_id;

-- the upsert key lost before a sink
COMPILE PLAN 'file://${PLAN_DIR}/sink-other-key.json' FOR INSERT INTO by_region
SELECT u.region, u.user_id, SUM(o.amount) FROM orders o JOIN users u ON o.user_id = u.user_id
GROUP BY u.region, u.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/sink-lost-key.json' FOR INSERT INTO by_name
SELECT CONCAT('user ', CAST(user_id AS STRING)), SUM(amount) FROM orders GROUP BY user_id;
COMPILE PLAN 'file://${PLAN_DIR}/sink-no-key.json' FOR INSERT INTO by_user
SELECT t.user_id, t.total FROM order_totals t JOIN payments p ON t.order_id = p.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/sink-fits.json' FOR INSERT INTO by_region_and_user
SELECT u.region, u.user_id, SUM(o.amount) FROM orders o JOIN users u ON o.user_id = u.user_id
GROUP BY u.region, u.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/sink-contains-key.json' FOR INSERT INTO by_region_and_user
SELECT MAX(region), user_id, CAST(COUNT(*) AS DECIMAL(38, 2)) FROM users GROUP BY user_id;
SET 'table.exec.sink.upsert-materialize' = 'FORCE';
COMPILE PLAN 'file://${PLAN_DIR}/sink-forced.json' FOR INSERT INTO by_user
SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;
RESET 'table.exec.sink.upsert-materialize';

-- deduplication on processing time
COMPILE PLAN 'file://${PLAN_DIR}/first-by-arrival.json' FOR INSERT INTO first_orders
SELECT order_id, user_id, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY arrived) AS rn FROM arrivals)
WHERE rn = 1;
COMPILE PLAN 'file://${PLAN_DIR}/untimed-by-arrival.json' FOR INSERT INTO paid_by_region
SELECT region, CAST(user_id AS DECIMAL(10, 2)) FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY arrived DESC) AS rn
  FROM user_arrivals) WHERE rn = 1;
COMPILE PLAN 'file://${PLAN_DIR}/first-by-time.json' FOR INSERT INTO first_orders
SELECT order_id, user_id, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY ts) AS rn FROM orders) WHERE rn = 1;

-- Top-N without PARTITION BY
COMPILE PLAN 'file://${PLAN_DIR}/top-of-all.json' FOR INSERT INTO top_orders
SELECT user_id, order_id, amount, rn FROM (
  SELECT *, ROW_NUMBER() OVER (ORDER BY amount DESC) AS rn FROM orders) WHERE rn <= 10;
COMPILE PLAN 'file://${PLAN_DIR}/top-of-changing.json' FOR INSERT INTO user_totals
SELECT user_id, total FROM (
  SELECT *, ROW_NUMBER() OVER (ORDER BY total) AS rn FROM order_totals) WHERE rn <= 10;
COMPILE PLAN 'file://${PLAN_DIR}/ordered-limit.json' FOR INSERT INTO large_orders
SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 3;
COMPILE PLAN 'file://${PLAN_DIR}/top-per-user.json' FOR INSERT INTO top_orders
SELECT user_id, order_id, amount, rn FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY amount DESC) AS rn FROM orders)
WHERE rn <= 10;

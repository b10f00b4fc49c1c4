-- Jobs of many operator kinds beside the demo's, each from its compiled plan ${PLAN_DIR}/<job>.json.
CREATE TABLE ranked (k BIGINT, v DECIMAL(10, 2), PRIMARY KEY (k) NOT ENFORCED)
  WITH ('connector' = 'blackhole');
CREATE VIEW latest_payments AS
SELECT order_id, pay_method, ts FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY ts DESC) AS place FROM payments
) WHERE place = 1;

-- A name and literals full of what HTML, JSON and label values escape.
SET 'pipeline.name' = 'outer "join" <b>&amp; 日本\n';
SET 'table.exec.state.ttl' = '3 h';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/outer-join.json' FOR INSERT INTO paid_by_region
SELECT p.pay_method, o.amount FROM orders o LEFT JOIN payments p ON o.order_id = p.order_id
WHERE p.pay_method <> 'a"<&''\é€日<br/>
next line' OR p.pay_method IS NULL;
RESET 'table.exec.state.ttl';

SET 'pipeline.name' = 'over';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/over.json' FOR INSERT INTO user_totals
SELECT user_id, SUM(amount) OVER (PARTITION BY user_id ORDER BY ts
  RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) FROM orders;

SET 'pipeline.name' = 'session-window';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/session-window.json' FOR INSERT INTO user_totals
SELECT user_id, SUM(amount)
FROM TABLE(SESSION(TABLE orders PARTITION BY user_id, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY user_id, window_start, window_end;

SET 'pipeline.name' = 'window-join';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/window-join.json' FOR INSERT INTO quick_payments
SELECT o.order_id, p.pay_method, o.amount
FROM (SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' SECOND))) o
JOIN (SELECT * FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '10' SECOND))) p
ON o.order_id = p.order_id AND o.window_start = p.window_start AND o.window_end = p.window_end;

SET 'pipeline.name' = 'temporal-join';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/temporal-join.json' FOR INSERT INTO paid_by_region
SELECT p.pay_method, o.amount FROM orders o
JOIN latest_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.order_id = p.order_id;

-- The result's key is not the sink's: Flink puts a SinkMaterializer before the sink.
SET 'pipeline.name' = 'upsert-materialize';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/upsert-materialize.json' FOR INSERT INTO ranked
SELECT COUNT(*), MAX(amount) FROM orders GROUP BY user_id ${ON_CONFLICT};

SET 'pipeline.name' = 'two-phase';
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SET 'table.exec.mini-batch.size' = '100';
SET 'table.optimizer.distinct-agg.split.enabled' = 'true';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/two-phase.json' FOR INSERT INTO method_counts
SELECT pay_method, COUNT(DISTINCT order_id) FROM payments GROUP BY pay_method;
RESET 'table.exec.mini-batch.enabled';
RESET 'table.optimizer.distinct-agg.split.enabled';

SET 'pipeline.name' = 'hashmap';
SET 'state.backend.type' = 'hashmap';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/hashmap.json' FOR INSERT INTO user_totals
SELECT user_id, MIN(amount) FROM orders GROUP BY user_id;
RESET 'state.backend.type';

SET 'pipeline.name' = 'sort-limit';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/sort-limit.json' FOR INSERT INTO large_orders
SELECT order_id, amount FROM (
  SELECT order_id, amount FROM orders
  UNION ALL SELECT pay_id, CAST(order_id AS DECIMAL(10, 2)) FROM payments
) ORDER BY amount DESC LIMIT 5;

SET 'pipeline.name' = 'parallel';
SET 'parallelism.default' = '2';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/parallel.json' FOR INSERT INTO user_totals
SELECT user_id, AVG(amount) FROM orders GROUP BY user_id;
RESET 'parallelism.default';

-- Operators are named by their whole description, without the plan's ids.
SET 'pipeline.name' = 'long-names';
SET 'table.exec.simplify-operator-name-enabled' = 'false';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/long-names.json' FOR INSERT INTO user_totals
SELECT user_id, SUM(amount) FROM orders WHERE amount > 1 GROUP BY user_id;
RESET 'table.exec.simplify-operator-name-enabled';

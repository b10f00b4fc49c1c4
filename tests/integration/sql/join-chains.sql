-- Joins of three and more tables, compiled to ${PLAN_DIR}/${PREFIX}<case>.json. On a Flink with the
-- multi-join once without the option and once with it: what it really merges is the answer.
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}three.json' FOR INSERT INTO texts
SELECT p.pay_method, s.carrier FROM orders o
JOIN payments p ON o.order_id = p.order_id JOIN shipments s ON o.order_id = s.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}four-mixed.json' FOR INSERT INTO texts
SELECT p.pay_method, s.carrier FROM orders o LEFT JOIN payments p ON p.order_id = o.order_id
JOIN orders q ON q.order_id = o.order_id AND q.user_id = o.user_id AND q.amount > o.amount
LEFT JOIN shipments s ON s.order_id = q.order_id WHERE o.amount > 5;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}three-then-other.json' FOR INSERT INTO texts
SELECT s.carrier, u.region FROM orders o JOIN payments p ON o.order_id = p.order_id
JOIN shipments s ON p.order_id = s.order_id JOIN users u ON o.user_id = u.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}two-keys.json' FOR INSERT INTO texts
SELECT p.pay_method, u.region FROM orders o
JOIN payments p ON o.order_id = p.order_id JOIN users u ON o.user_id = u.user_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}right.json' FOR INSERT INTO texts
SELECT p.pay_method, s.carrier FROM orders o
JOIN payments p ON o.order_id = p.order_id RIGHT JOIN shipments s ON p.order_id = s.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}full.json' FOR INSERT INTO texts
SELECT p.pay_method, s.carrier FROM orders o
FULL JOIN payments p ON o.order_id = p.order_id JOIN shipments s ON p.order_id = s.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}semi.json' FOR INSERT INTO texts
SELECT p.pay_method, CAST(o.user_id AS STRING) FROM orders o
JOIN payments p ON o.order_id = p.order_id WHERE o.order_id IN (SELECT order_id FROM shipments);
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}renamed.json' FOR INSERT INTO texts
SELECT x.pay_method, s.carrier FROM paid x JOIN shipments s ON x.id = s.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}filtered.json' FOR INSERT INTO texts
SELECT p.pay_method, s.carrier FROM orders o LEFT JOIN payments p ON o.order_id = p.order_id
LEFT JOIN shipments s ON o.order_id = s.order_id WHERE p.pay_method IS NULL;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}bushy.json' FOR INSERT INTO texts
SELECT p.pay_method, x.carrier FROM payments p JOIN (
  SELECT o.order_id, s.carrier FROM orders o JOIN shipments s ON o.order_id = s.order_id) x
ON p.order_id = x.order_id;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}equal-times.json' FOR INSERT INTO texts
SELECT p.pay_method, CAST(q.user_id AS STRING) FROM orders o
JOIN payments p ON o.order_id = p.order_id JOIN orders q ON o.order_id = q.order_id AND q.ts = o.ts;
COMPILE PLAN 'file://${PLAN_DIR}/${PREFIX}grouped.json' FOR INSERT INTO texts
SELECT CAST(x.n AS STRING), s.carrier FROM (
  SELECT o.order_id, COUNT(*) AS n FROM orders o JOIN payments p ON o.order_id = p.order_id
  GROUP BY o.order_id) x JOIN shipments s ON x.order_id = s.order_id;

-- One job of four statements: a deduplication and a Top-3 (both kept for ever), a window and an
-- interval join (both cleaned by the watermark).
SET 'pipeline.name' = 'order-board';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/order-board.json' FOR STATEMENT SET
BEGIN
INSERT INTO first_orders
SELECT order_id, user_id, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY ts ASC) AS place FROM orders
) WHERE place = 1;
INSERT INTO top_orders
SELECT user_id, order_id, amount, place FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY amount DESC) AS place FROM orders
) WHERE place <= 3;
INSERT INTO turnover
SELECT window_start, window_end, SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end;
INSERT INTO quick_payments
SELECT o.order_id, p.pay_method, o.amount
FROM orders o JOIN payments p ON o.order_id = p.order_id
  AND p.ts BETWEEN o.ts AND o.ts + INTERVAL '1' MINUTE;
END;

-- Only filters: nothing is kept but the source's own position.
SET 'pipeline.name' = 'large-orders';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/large-orders.json' FOR
INSERT INTO large_orders SELECT order_id, amount FROM orders WHERE amount > 400;

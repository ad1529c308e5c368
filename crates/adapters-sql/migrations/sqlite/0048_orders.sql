-- An order of a marketplace belongs to one purchase.
CREATE UNIQUE INDEX purchases_order ON purchases (workspace_id, marketplace, order_id) WHERE order_id IS NOT NULL;

-- What whoever trades follows: purchases that are not final, by where they were made, and items, by where they are on sale.
CREATE INDEX purchases_open ON purchases (workspace_id, marketplace, status, id) WHERE status NOT IN (8, 9, 10, 12, 14);
CREATE INDEX inventory_items_sale ON inventory_items (workspace_id, sale_marketplace, status, id)
  WHERE sale_marketplace IS NOT NULL;

-- How many items of a market name a contract has bought.
CREATE INDEX purchases_item_name ON purchases (workspace_id, contract_id, market_hash_name, status);

-- Items of a market name, and items with an account.
CREATE INDEX inventory_items_name ON inventory_items (workspace_id, market_hash_name, id);
CREATE INDEX inventory_items_account ON inventory_items (workspace_id, account_name, id);

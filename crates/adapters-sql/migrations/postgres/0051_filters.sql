-- Purchases of a name, an account, a marketplace and a time, in the order in which they were recorded.
CREATE INDEX purchases_name ON purchases (workspace_id, market_hash_name, created_at, id);
CREATE INDEX purchases_account ON purchases (workspace_id, account_name, created_at, id);
CREATE INDEX purchases_marketplace ON purchases (workspace_id, marketplace, created_at, id);
CREATE INDEX purchases_time ON purchases (workspace_id, created_at, id);
-- Items that are locked: those whose lock lasts longest first.
CREATE INDEX inventory_items_locked ON inventory_items (workspace_id, locked_until, id) WHERE locked_until IS NOT NULL;
-- What a search finds by the id of a listing.
CREATE INDEX purchases_listing ON purchases (workspace_id, listing_id);
CREATE INDEX inventory_items_sale_listing ON inventory_items (workspace_id, sale_listing_id) WHERE sale_listing_id IS NOT NULL;

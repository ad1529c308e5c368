-- The items of a contract that were sold elsewhere, by the time of their sales: none of them counts for its daily loss limit.
CREATE INDEX inventory_items_sold_elsewhere ON inventory_items (workspace_id, contract_id, sold_at) WHERE last_source = 10;

-- Items that are moved to another account of the workspace: the account that receives the item, and the trade offer that moves it.
ALTER TABLE intents ADD COLUMN to_account TEXT;
ALTER TABLE intents ADD COLUMN result_trade_offer_id BLOB CHECK (length(result_trade_offer_id) = 16);
-- An item that is transferred is not sold.
DROP INDEX intents_live_sale;
CREATE UNIQUE INDEX intents_live_sale ON intents (workspace_id, inventory_item_id)
  WHERE kind IN (2, 3, 4, 5, 7) AND status IN (1, 2, 3);

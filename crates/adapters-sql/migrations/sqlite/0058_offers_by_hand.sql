-- Trade offers that people ask for: what they want to be sent, the request that the engine has not finished, and where an offer comes from.
ALTER TABLE trade_offers ADD COLUMN origin INTEGER NOT NULL DEFAULT 1;
UPDATE trade_offers SET origin = 3 WHERE owner_id IS NULL;
-- JSON: token, items, message and intent. Read as a whole with the offer, never searched.
ALTER TABLE trade_offers ADD COLUMN wish TEXT;
ALTER TABLE trade_offers ADD COLUMN request_step INTEGER;
ALTER TABLE trade_offers ADD COLUMN requested_at INTEGER;
ALTER TABLE trade_offers ADD COLUMN begun_at INTEGER;
ALTER TABLE trade_offers ADD COLUMN request_failure TEXT;
ALTER TABLE trade_offers ADD COLUMN strangeness INTEGER;
ALTER TABLE trade_offers ADD COLUMN hold_seconds INTEGER;
CREATE INDEX trade_offers_requested ON trade_offers (workspace_id, requested_at, id) WHERE requested_at IS NOT NULL;
-- Those that may still have an effect and are for no purchase and no item.
CREATE INDEX trade_offers_unowned ON trade_offers (workspace_id, account_name, id)
  WHERE owner_id IS NULL AND status IN (1, 2, 3, 4, 5, 12, 14, 18);

-- When the offers of an account were read, and whether a person asked for a reading. Its id is the account's.
CREATE TABLE offer_readings (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  requested_at INTEGER,
  read_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Whether the engine cancels offers that give items of an account and were not sent here.
ALTER TABLE trading_accounts ADD COLUMN cancels_strange_offers INTEGER NOT NULL DEFAULT 1;

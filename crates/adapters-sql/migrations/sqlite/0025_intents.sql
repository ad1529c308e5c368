-- Intents: what is to be done, written down before it is.
CREATE TABLE intents (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  contract_id BLOB CHECK (length(contract_id) = 16),
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  approval_mode INTEGER NOT NULL,
  marketplace TEXT,
  listing_id TEXT,
  listing_asset_id TEXT,
  app_id INTEGER CHECK (app_id > 0),
  market_hash_name TEXT,
  phase TEXT,
  price_cents INTEGER CHECK (price_cents >= 0),
  platform_fee_cents INTEGER CHECK (platform_fee_cents >= 0),
  max_buy_price_cents INTEGER CHECK (max_buy_price_cents >= 0),
  inventory_item_id BLOB CHECK (length(inventory_item_id) = 16),
  trade_offer_id TEXT,
  evaluation_id BLOB CHECK (length(evaluation_id) = 16),
  filter_set_version INTEGER CHECK (filter_set_version >= 1),
  fair_value_cents INTEGER CHECK (fair_value_cents >= 0),
  expires_at INTEGER NOT NULL,
  failed_check TEXT,
  reason TEXT,
  purchase_id BLOB CHECK (length(purchase_id) = 16),
  result_listing_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (purchase_id IS NULL OR result_listing_id IS NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX intents_live_buy ON intents (workspace_id, marketplace, listing_id)
  WHERE kind = 1 AND status IN (1, 2, 3);
CREATE UNIQUE INDEX intents_live_sale ON intents (workspace_id, inventory_item_id)
  WHERE kind IN (2, 3, 4, 5) AND status IN (1, 2, 3);
CREATE INDEX intents_status ON intents (workspace_id, status, id);
CREATE INDEX intents_kind ON intents (workspace_id, kind, id);
CREATE INDEX intents_kind_status ON intents (workspace_id, kind, status, id);
CREATE INDEX intents_contract ON intents (workspace_id, contract_id, id);
CREATE INDEX intents_contract_status ON intents (workspace_id, contract_id, status, id);
CREATE INDEX intents_listed ON intents (workspace_id, inventory_item_id, id) WHERE kind = 2 AND status = 4;
CREATE INDEX intents_waiting ON intents (expires_at) WHERE status IN (1, 2);

-- Items are looked for by any asset id that they had.
CREATE INDEX asset_id_links_asset ON asset_id_links (workspace_id, asset_id, inventory_item_id, step);

-- Evaluations: never changed, and deleted when they are old.
CREATE TABLE evaluations (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  decision INTEGER NOT NULL,
  marketplace TEXT NOT NULL,
  listing_id TEXT,
  app_id INTEGER,
  market_hash_name TEXT,
  phase TEXT,
  price_cents INTEGER,
  inventory_item_id BLOB CHECK (length(inventory_item_id) = 16),
  filter_set_version INTEGER,
  -- Reasons are JSON: read as a whole with the evaluation, never searched.
  reasons TEXT NOT NULL CHECK (json_valid(reasons)),
  fair_value_cents INTEGER,
  confidence_bps INTEGER,
  asking_price_cents INTEGER,
  all_in_cost_cents INTEGER,
  expected_net_cents INTEGER,
  expected_margin_bps INTEGER,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK ((inventory_item_id IS NULL) = (market_hash_name IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluations_decision ON evaluations (workspace_id, decision, id);
CREATE INDEX evaluations_contract ON evaluations (workspace_id, contract_id, id);
CREATE INDEX evaluations_contract_decision ON evaluations (workspace_id, contract_id, decision, id);
CREATE INDEX evaluations_age ON evaluations (decision, at);
CREATE TRIGGER evaluations_are_never_updated BEFORE UPDATE ON evaluations
BEGIN SELECT raise(ABORT, 'evaluations are append-only'); END;

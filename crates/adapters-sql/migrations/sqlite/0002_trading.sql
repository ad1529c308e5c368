-- Contracts, purchases, items and the asset-id chains of items.

CREATE TABLE contracts (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  contract_type INTEGER NOT NULL CHECK (contract_type IN (1, 2)),
  -- Limits, marketplaces and price reference are JSON: read as a whole with the contract, never searched.
  terms TEXT NOT NULL CHECK (json_valid(terms)),
  status INTEGER NOT NULL,
  status_reason TEXT,
  closing_reason INTEGER,
  filter_set_id BLOB CHECK (length(filter_set_id) = 16),
  pool_id BLOB CHECK (length(pool_id) = 16),
  approval_mode INTEGER NOT NULL,
  marketplaces TEXT NOT NULL CHECK (json_valid(marketplaces)),
  price_reference TEXT CHECK (json_valid(price_reference)),
  starts_at INTEGER,
  ends_at INTEGER,
  filled_quantity INTEGER NOT NULL CHECK (filled_quantity >= 0),
  open_quantity INTEGER NOT NULL CHECK (open_quantity >= 0),
  spent_cents INTEGER NOT NULL CHECK (spent_cents >= 0),
  reserved_cents INTEGER NOT NULL CHECK (reserved_cents >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (starts_at < ends_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX contracts_status ON contracts (workspace_id, status, id);
CREATE INDEX contracts_type ON contracts (workspace_id, contract_type, id);
CREATE INDEX contracts_type_status ON contracts (workspace_id, contract_type, status, id);

CREATE TABLE purchases (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  intent_id BLOB CHECK (length(intent_id) = 16),
  market_hash_name TEXT NOT NULL,
  listing_price_cents INTEGER NOT NULL CHECK (listing_price_cents > 0),
  max_buy_price_cents INTEGER NOT NULL,
  platform_fee_cents INTEGER NOT NULL CHECK (platform_fee_cents >= 0),
  listing_id TEXT NOT NULL,
  listing_asset_id TEXT NOT NULL,
  marketplace TEXT NOT NULL,
  account_name TEXT NOT NULL,
  status INTEGER NOT NULL,
  order_id TEXT,
  executed_price_cents INTEGER CHECK (executed_price_cents >= 0),
  trade_offer_id TEXT,
  trade_id TEXT,
  held_until INTEGER,
  protected_until INTEGER,
  failure_code INTEGER,
  refunded_cents INTEGER NOT NULL CHECK (refunded_cents >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (listing_price_cents + platform_fee_cents <= max_buy_price_cents),
  CHECK ((order_id IS NULL) = (executed_price_cents IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX purchases_live_listing ON purchases (workspace_id, marketplace, listing_id)
  WHERE status NOT IN (8, 9, 10, 12, 14);
CREATE INDEX purchases_status ON purchases (workspace_id, status, id);
CREATE INDEX purchases_contract ON purchases (workspace_id, contract_id, id);
CREATE INDEX purchases_contract_status ON purchases (workspace_id, contract_id, status, id);

CREATE TABLE inventory_items (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  purchase_id BLOB NOT NULL CHECK (length(purchase_id) = 16),
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  market_hash_name TEXT NOT NULL,
  status INTEGER NOT NULL,
  missing_from INTEGER,
  buy_price_cents INTEGER NOT NULL CHECK (buy_price_cents >= 0),
  account_name TEXT NOT NULL,
  app_id INTEGER NOT NULL CHECK (app_id > 0),
  context_id INTEGER NOT NULL CHECK (context_id > 0),
  lock_kind INTEGER,
  locked_until INTEGER,
  wear TEXT,
  paint_seed INTEGER CHECK (paint_seed >= 0),
  phase TEXT,
  sale_listing_id TEXT,
  list_price_cents INTEGER CHECK (list_price_cents >= 0),
  sell_price_cents INTEGER CHECK (sell_price_cents >= 0),
  sale_fee_cents INTEGER CHECK (sale_fee_cents >= 0),
  sold_at INTEGER,
  last_step INTEGER NOT NULL CHECK (last_step >= 0),
  current_asset_id TEXT NOT NULL,
  last_source INTEGER NOT NULL,
  first_source INTEGER NOT NULL,
  chained_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((lock_kind IS NULL) = (locked_until IS NULL)),
  CHECK ((sell_price_cents IS NULL) = (sale_fee_cents IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX inventory_items_live_asset ON inventory_items (workspace_id, app_id, current_asset_id)
  WHERE status NOT IN (8, 10, 11);
CREATE INDEX inventory_items_purchase ON inventory_items (workspace_id, purchase_id);
CREATE INDEX inventory_items_status ON inventory_items (workspace_id, status, id);
CREATE INDEX inventory_items_contract ON inventory_items (workspace_id, contract_id, id);
CREATE INDEX inventory_items_contract_status ON inventory_items (workspace_id, contract_id, status, id);

CREATE TABLE asset_id_links (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  inventory_item_id BLOB NOT NULL CHECK (length(inventory_item_id) = 16),
  step INTEGER NOT NULL CHECK (step >= 0),
  id BLOB NOT NULL CHECK (length(id) = 16),
  purchase_id BLOB NOT NULL CHECK (length(purchase_id) = 16),
  asset_id TEXT NOT NULL,
  previous_asset_id TEXT,
  source INTEGER NOT NULL,
  source_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, inventory_item_id, step),
  CHECK ((step = 0) = (previous_asset_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX asset_id_links_id ON asset_id_links (workspace_id, id);
CREATE UNIQUE INDEX asset_id_links_evidence ON asset_id_links (workspace_id, inventory_item_id, source, source_id);
CREATE TRIGGER asset_id_links_are_never_updated BEFORE UPDATE ON asset_id_links
BEGIN SELECT raise(ABORT, 'asset_id_links are append-only'); END;
CREATE TRIGGER asset_id_links_are_never_deleted BEFORE DELETE ON asset_id_links
BEGIN SELECT raise(ABORT, 'asset_id_links are append-only'); END;

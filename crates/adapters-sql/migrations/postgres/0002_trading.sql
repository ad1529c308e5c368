-- Contracts, purchases, items and the asset-id chains of items.

CREATE TABLE contracts (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  contract_type smallint NOT NULL CHECK (contract_type IN (1, 2)),
  -- Limits, marketplaces and price reference are JSON: read as a whole with the contract, never searched.
  terms text COLLATE "C" NOT NULL CHECK (terms::json IS NOT NULL),
  status smallint NOT NULL,
  status_reason text COLLATE "C",
  closing_reason smallint,
  filter_set_id uuid,
  pool_id uuid,
  approval_mode smallint NOT NULL,
  marketplaces text COLLATE "C" NOT NULL CHECK (marketplaces::json IS NOT NULL),
  price_reference text COLLATE "C" CHECK (price_reference IS NULL OR price_reference::json IS NOT NULL),
  starts_at bigint,
  ends_at bigint,
  filled_quantity bigint NOT NULL CHECK (filled_quantity >= 0),
  open_quantity bigint NOT NULL CHECK (open_quantity >= 0),
  spent_cents bigint NOT NULL CHECK (spent_cents >= 0),
  reserved_cents bigint NOT NULL CHECK (reserved_cents >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (starts_at < ends_at)
) WITH (fillfactor = 80);
CREATE INDEX contracts_status ON contracts (workspace_id, status, id);
CREATE INDEX contracts_type ON contracts (workspace_id, contract_type, id);
CREATE INDEX contracts_type_status ON contracts (workspace_id, contract_type, status, id);

CREATE TABLE purchases (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  contract_id uuid NOT NULL,
  intent_id uuid,
  market_hash_name text COLLATE "C" NOT NULL,
  listing_price_cents bigint NOT NULL CHECK (listing_price_cents > 0),
  max_buy_price_cents bigint NOT NULL,
  platform_fee_cents bigint NOT NULL CHECK (platform_fee_cents >= 0),
  listing_id text COLLATE "C" NOT NULL,
  listing_asset_id text COLLATE "C" NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  account_name text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  order_id text COLLATE "C",
  executed_price_cents bigint CHECK (executed_price_cents >= 0),
  trade_offer_id text COLLATE "C",
  trade_id text COLLATE "C",
  held_until bigint,
  protected_until bigint,
  failure_code smallint,
  refunded_cents bigint NOT NULL CHECK (refunded_cents >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (listing_price_cents + platform_fee_cents <= max_buy_price_cents),
  CHECK ((order_id IS NULL) = (executed_price_cents IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX purchases_live_listing ON purchases (workspace_id, marketplace, listing_id)
  WHERE status NOT IN (8, 9, 10, 12, 14);
CREATE INDEX purchases_status ON purchases (workspace_id, status, id);
CREATE INDEX purchases_contract ON purchases (workspace_id, contract_id, id);
CREATE INDEX purchases_contract_status ON purchases (workspace_id, contract_id, status, id);

CREATE TABLE inventory_items (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  purchase_id uuid NOT NULL,
  contract_id uuid NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  missing_from smallint,
  buy_price_cents bigint NOT NULL CHECK (buy_price_cents >= 0),
  account_name text COLLATE "C" NOT NULL,
  app_id bigint NOT NULL CHECK (app_id > 0),
  context_id bigint NOT NULL CHECK (context_id > 0),
  lock_kind smallint,
  locked_until bigint,
  wear text COLLATE "C",
  paint_seed bigint CHECK (paint_seed >= 0),
  phase text COLLATE "C",
  sale_listing_id text COLLATE "C",
  list_price_cents bigint CHECK (list_price_cents >= 0),
  sell_price_cents bigint CHECK (sell_price_cents >= 0),
  sale_fee_cents bigint CHECK (sale_fee_cents >= 0),
  sold_at bigint,
  last_step bigint NOT NULL CHECK (last_step >= 0),
  current_asset_id text COLLATE "C" NOT NULL,
  -- What the last append replaced: RETURNING gives only new values, and the new link has to name its predecessor.
  replaced_asset_id text COLLATE "C",
  last_source smallint NOT NULL,
  first_source smallint NOT NULL,
  chained_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((lock_kind IS NULL) = (locked_until IS NULL)),
  CHECK ((sell_price_cents IS NULL) = (sale_fee_cents IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX inventory_items_live_asset ON inventory_items (workspace_id, app_id, current_asset_id)
  WHERE status NOT IN (8, 10, 11);
CREATE INDEX inventory_items_purchase ON inventory_items (workspace_id, purchase_id);
CREATE INDEX inventory_items_status ON inventory_items (workspace_id, status, id);
CREATE INDEX inventory_items_contract ON inventory_items (workspace_id, contract_id, id);
CREATE INDEX inventory_items_contract_status ON inventory_items (workspace_id, contract_id, status, id);

CREATE TABLE asset_id_links (
  workspace_id uuid NOT NULL,
  inventory_item_id uuid NOT NULL,
  step bigint NOT NULL CHECK (step >= 0),
  id uuid NOT NULL,
  purchase_id uuid NOT NULL,
  asset_id text COLLATE "C" NOT NULL,
  previous_asset_id text COLLATE "C",
  source smallint NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inventory_item_id, step),
  CHECK ((step = 0) = (previous_asset_id IS NULL))
);
CREATE UNIQUE INDEX asset_id_links_id ON asset_id_links (workspace_id, id);
CREATE UNIQUE INDEX asset_id_links_evidence ON asset_id_links (workspace_id, inventory_item_id, source, source_id);
CREATE TRIGGER asset_id_links_are_append_only BEFORE UPDATE OR DELETE ON asset_id_links
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER asset_id_links_are_never_truncated BEFORE TRUNCATE ON asset_id_links
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

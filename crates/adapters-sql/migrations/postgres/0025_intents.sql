-- Intents: what is to be done, written down before it is.
CREATE TABLE intents (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  contract_id uuid,
  kind smallint NOT NULL,
  status smallint NOT NULL,
  approval_mode smallint NOT NULL,
  marketplace text COLLATE "C",
  listing_id text COLLATE "C",
  listing_asset_id text COLLATE "C",
  app_id bigint CHECK (app_id > 0),
  market_hash_name text COLLATE "C",
  phase text COLLATE "C",
  price_cents bigint CHECK (price_cents >= 0),
  platform_fee_cents bigint CHECK (platform_fee_cents >= 0),
  max_buy_price_cents bigint CHECK (max_buy_price_cents >= 0),
  inventory_item_id uuid,
  trade_offer_id text COLLATE "C",
  evaluation_id uuid,
  filter_set_version bigint CHECK (filter_set_version >= 1),
  fair_value_cents bigint CHECK (fair_value_cents >= 0),
  expires_at bigint NOT NULL,
  failed_check text COLLATE "C",
  reason text COLLATE "C",
  purchase_id uuid,
  result_listing_id text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (purchase_id IS NULL OR result_listing_id IS NULL)
) WITH (fillfactor = 80);
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
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  contract_id uuid NOT NULL,
  decision smallint NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  listing_id text COLLATE "C",
  app_id bigint,
  market_hash_name text COLLATE "C",
  phase text COLLATE "C",
  price_cents bigint,
  inventory_item_id uuid,
  filter_set_version bigint,
  -- Reasons are JSON: read as a whole with the evaluation, never searched.
  reasons text COLLATE "C" NOT NULL CHECK (reasons::json IS NOT NULL),
  fair_value_cents bigint,
  confidence_bps bigint,
  asking_price_cents bigint,
  all_in_cost_cents bigint,
  expected_net_cents bigint,
  expected_margin_bps bigint,
  at bigint NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK ((inventory_item_id IS NULL) = (market_hash_name IS NOT NULL))
);
CREATE INDEX evaluations_decision ON evaluations (workspace_id, decision, id);
CREATE INDEX evaluations_contract ON evaluations (workspace_id, contract_id, id);
CREATE INDEX evaluations_contract_decision ON evaluations (workspace_id, contract_id, decision, id);
CREATE INDEX evaluations_age ON evaluations (decision, at);
CREATE TRIGGER evaluations_are_never_updated BEFORE UPDATE ON evaluations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

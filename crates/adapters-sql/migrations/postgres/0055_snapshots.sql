-- Inventories of trading accounts, as the platform showed them.
CREATE TABLE snapshots (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  status smallint NOT NULL,
  cause smallint NOT NULL,
  -- The place among the snapshots of the account; NULL before its items are recorded.
  number bigint CHECK (number >= 1),
  -- JSON: read as a whole, never searched.
  contexts text COLLATE "C" NOT NULL CHECK (contexts::json IS NOT NULL),
  compared smallint NOT NULL,
  change_count bigint NOT NULL CHECK (change_count >= 0),
  failure text COLLATE "C",
  taken_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX snapshots_number ON snapshots (workspace_id, account_id, number) WHERE number IS NOT NULL;
-- TAKING: an account has one at a time.
CREATE UNIQUE INDEX snapshots_taking ON snapshots (workspace_id, account_id) WHERE status = 1;
-- COMPLETE.
CREATE INDEX snapshots_complete ON snapshots (workspace_id, account_id, number) WHERE status = 2;
CREATE INDEX snapshots_account ON snapshots (workspace_id, account_id, id);
CREATE INDEX snapshots_status ON snapshots (workspace_id, status, id);
CREATE INDEX snapshots_account_status ON snapshots (workspace_id, account_id, status, id);

-- Items with the snapshots that show them unchanged: from one number on, and before another.
CREATE TABLE snapshot_items (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  app_id bigint NOT NULL CHECK (app_id > 0),
  asset_id text COLLATE "C" NOT NULL,
  context_id bigint NOT NULL CHECK (context_id > 0),
  market_hash_name text COLLATE "C" NOT NULL,
  wear text COLLATE "C",
  paint_seed bigint,
  phase text COLLATE "C",
  locked_until bigint,
  from_number bigint NOT NULL CHECK (from_number >= 1),
  -- The greatest number while the latest snapshot shows it.
  until_number bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (from_number <= until_number)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX snapshot_items_shown ON snapshot_items (workspace_id, account_id, app_id, asset_id)
  WHERE until_number = 9223372036854775807;
CREATE INDEX snapshot_items_account ON snapshot_items (workspace_id, account_id, id, from_number, until_number);

-- Changes between complete snapshots that follow each other.
CREATE TABLE inventory_changes (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind smallint NOT NULL,
  status smallint NOT NULL,
  app_id bigint NOT NULL CHECK (app_id > 0),
  asset_id text COLLATE "C" NOT NULL,
  context_id bigint NOT NULL CHECK (context_id > 0),
  market_hash_name text COLLATE "C" NOT NULL,
  wear text COLLATE "C",
  paint_seed bigint,
  phase text COLLATE "C",
  locked_until bigint,
  new_asset_id text COLLATE "C",
  new_context_id bigint CHECK (new_context_id > 0),
  new_locked_until bigint,
  from_snapshot_id uuid NOT NULL,
  to_snapshot_id uuid NOT NULL,
  inventory_item_id uuid,
  trade_id text COLLATE "C",
  reason text COLLATE "C",
  reported smallint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((new_asset_id IS NULL) = (new_context_id IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX inventory_changes_account ON inventory_changes (workspace_id, account_id, id);
CREATE INDEX inventory_changes_kind ON inventory_changes (workspace_id, kind, id);
CREATE INDEX inventory_changes_status ON inventory_changes (workspace_id, status, id);
CREATE INDEX inventory_changes_account_kind ON inventory_changes (workspace_id, account_id, kind, id);
CREATE INDEX inventory_changes_account_status ON inventory_changes (workspace_id, account_id, status, id);
CREATE INDEX inventory_changes_kind_status ON inventory_changes (workspace_id, kind, status, id);
CREATE INDEX inventory_changes_all ON inventory_changes (workspace_id, account_id, kind, status, id);
CREATE INDEX inventory_changes_snapshot ON inventory_changes (workspace_id, to_snapshot_id, id);
-- OPEN and APPEARED.
CREATE INDEX inventory_changes_orphans ON inventory_changes (workspace_id, created_at, id)
  WHERE status = 1 AND kind = 1 AND inventory_item_id IS NULL AND reported = 0;

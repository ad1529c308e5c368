-- Inventories of trading accounts, as the platform showed them.
CREATE TABLE snapshots (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  status INTEGER NOT NULL,
  cause INTEGER NOT NULL,
  -- The place among the snapshots of the account; NULL before its items are recorded.
  number INTEGER CHECK (number >= 1),
  -- JSON: read as a whole, never searched.
  contexts TEXT NOT NULL CHECK (json_valid(contexts)),
  compared INTEGER NOT NULL,
  change_count INTEGER NOT NULL CHECK (change_count >= 0),
  failure TEXT,
  taken_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
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
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  app_id INTEGER NOT NULL CHECK (app_id > 0),
  asset_id TEXT NOT NULL,
  context_id INTEGER NOT NULL CHECK (context_id > 0),
  market_hash_name TEXT NOT NULL,
  wear TEXT,
  paint_seed INTEGER,
  phase TEXT,
  locked_until INTEGER,
  from_number INTEGER NOT NULL CHECK (from_number >= 1),
  -- The greatest number while the latest snapshot shows it.
  until_number INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (from_number <= until_number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX snapshot_items_shown ON snapshot_items (workspace_id, account_id, app_id, asset_id)
  WHERE until_number = 9223372036854775807;
CREATE INDEX snapshot_items_account ON snapshot_items (workspace_id, account_id, id, from_number, until_number);

-- Changes between complete snapshots that follow each other.
CREATE TABLE inventory_changes (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  app_id INTEGER NOT NULL CHECK (app_id > 0),
  asset_id TEXT NOT NULL,
  context_id INTEGER NOT NULL CHECK (context_id > 0),
  market_hash_name TEXT NOT NULL,
  wear TEXT,
  paint_seed INTEGER,
  phase TEXT,
  locked_until INTEGER,
  new_asset_id TEXT,
  new_context_id INTEGER CHECK (new_context_id > 0),
  new_locked_until INTEGER,
  from_snapshot_id BLOB NOT NULL CHECK (length(from_snapshot_id) = 16),
  to_snapshot_id BLOB NOT NULL CHECK (length(to_snapshot_id) = 16),
  inventory_item_id BLOB CHECK (length(inventory_item_id) = 16),
  trade_id TEXT,
  reason TEXT,
  reported INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((new_asset_id IS NULL) = (new_context_id IS NULL))
) STRICT, WITHOUT ROWID;
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

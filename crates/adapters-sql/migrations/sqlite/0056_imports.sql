-- Imports of trading accounts. What was read of one is in workspace_secrets until it ends.
CREATE TABLE imports (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  kind INTEGER NOT NULL,
  format INTEGER NOT NULL,
  status INTEGER NOT NULL,
  name TEXT,
  row_count INTEGER NOT NULL CHECK (row_count >= 0),
  accepted INTEGER NOT NULL CHECK (accepted >= 0),
  rejected INTEGER NOT NULL CHECK (rejected >= 0),
  group_id BLOB CHECK (length(group_id) = 16),
  capabilities INTEGER NOT NULL,
  max_inventory INTEGER NOT NULL CHECK (max_inventory >= 0),
  max_open_purchases INTEGER CHECK (max_open_purchases >= 0),
  min_balance_cents INTEGER CHECK (min_balance_cents >= 0),
  created_by BLOB CHECK (length(created_by) = 16),
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (accepted + rejected = row_count)
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_status ON imports (workspace_id, status, id);
CREATE INDEX imports_open ON imports (expires_at) WHERE status IN (2, 3);

-- The rows of an import: JSON, read and written as a whole. No secret is in them.
CREATE TABLE import_rows (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  content TEXT NOT NULL CHECK (json_valid(content)),
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Whether another workspace has an account.
CREATE INDEX trading_accounts_anywhere ON trading_accounts (platform, platform_user_id) WHERE status <> 9;

-- Trading accounts. What was last seen of one outside stands there once it was seen.
CREATE TABLE trading_accounts (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  platform TEXT NOT NULL,
  platform_user_id TEXT NOT NULL,
  trade_token TEXT,
  capabilities INTEGER NOT NULL,
  max_inventory INTEGER NOT NULL CHECK (max_inventory >= 0),
  max_open_purchases INTEGER CHECK (max_open_purchases >= 0),
  min_balance_cents INTEGER CHECK (min_balance_cents >= 0),
  has_secrets INTEGER NOT NULL CHECK (has_secrets IN (0, 1)),
  status INTEGER NOT NULL,
  status_reason TEXT,
  lock_reason INTEGER,
  locked_until INTEGER,
  seen_at INTEGER,
  signed_in INTEGER CHECK (signed_in IN (0, 1)),
  authenticator_since INTEGER,
  held_until INTEGER,
  inventory_count INTEGER CHECK (inventory_count >= 0),
  api_key_ours INTEGER CHECK (api_key_ours IN (0, 1)),
  balance_cents INTEGER CHECK (balance_cents >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((lock_reason IS NULL) = (locked_until IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX trading_accounts_name ON trading_accounts (workspace_id, name) WHERE status <> 9;
CREATE UNIQUE INDEX trading_accounts_number ON trading_accounts (workspace_id, platform, platform_user_id)
  WHERE status <> 9;
CREATE INDEX trading_accounts_status ON trading_accounts (workspace_id, status, id);

-- What accounts have in hand, by their names on purchases and items.
CREATE INDEX purchases_open_account ON purchases (workspace_id, account_name) WHERE status NOT IN (7, 8, 9, 10, 12, 14);
CREATE INDEX inventory_items_live_account ON inventory_items (workspace_id, account_name) WHERE status NOT IN (8, 10, 11);

-- Groups: their accounts are hexadecimal numbers with commas between.
CREATE TABLE account_groups (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  description TEXT,
  account_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Which accounts work for which pool.
CREATE TABLE assignments (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  pool_id BLOB NOT NULL CHECK (length(pool_id) = 16),
  account_id BLOB CHECK (length(account_id) = 16),
  account_group_id BLOB CHECK (length(account_group_id) = 16),
  roles INTEGER NOT NULL,
  priority INTEGER NOT NULL CHECK (priority >= 0),
  max_open_purchases INTEGER CHECK (max_open_purchases >= 0),
  max_items INTEGER CHECK (max_items >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((account_id IS NULL) <> (account_group_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX assignments_account ON assignments (workspace_id, pool_id, account_id) WHERE account_id IS NOT NULL;
CREATE UNIQUE INDEX assignments_group ON assignments (workspace_id, pool_id, account_group_id)
  WHERE account_group_id IS NOT NULL;
CREATE INDEX assignments_pool ON assignments (workspace_id, pool_id, id);
CREATE INDEX assignments_of_account ON assignments (workspace_id, account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX assignments_of_group ON assignments (workspace_id, account_group_id) WHERE account_group_id IS NOT NULL;

-- Trading accounts. What was last seen of one outside stands there once it was seen.
CREATE TABLE trading_accounts (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  platform_user_id text COLLATE "C" NOT NULL,
  trade_token text COLLATE "C",
  capabilities smallint NOT NULL,
  max_inventory bigint NOT NULL CHECK (max_inventory >= 0),
  max_open_purchases bigint CHECK (max_open_purchases >= 0),
  min_balance_cents bigint CHECK (min_balance_cents >= 0),
  has_secrets smallint NOT NULL CHECK (has_secrets IN (0, 1)),
  status smallint NOT NULL,
  status_reason text COLLATE "C",
  lock_reason smallint,
  locked_until bigint,
  seen_at bigint,
  signed_in smallint CHECK (signed_in IN (0, 1)),
  authenticator_since bigint,
  held_until bigint,
  inventory_count bigint CHECK (inventory_count >= 0),
  api_key_ours smallint CHECK (api_key_ours IN (0, 1)),
  balance_cents bigint CHECK (balance_cents >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((lock_reason IS NULL) = (locked_until IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX trading_accounts_name ON trading_accounts (workspace_id, name) WHERE status <> 9;
CREATE UNIQUE INDEX trading_accounts_number ON trading_accounts (workspace_id, platform, platform_user_id)
  WHERE status <> 9;
CREATE INDEX trading_accounts_status ON trading_accounts (workspace_id, status, id);

-- What accounts have in hand, by their names on purchases and items.
CREATE INDEX purchases_open_account ON purchases (workspace_id, account_name) WHERE status NOT IN (7, 8, 9, 10, 12, 14);
CREATE INDEX inventory_items_live_account ON inventory_items (workspace_id, account_name) WHERE status NOT IN (8, 10, 11);

-- Groups: their accounts are hexadecimal numbers with commas between.
CREATE TABLE account_groups (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  account_ids text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);

-- Which accounts work for which pool.
CREATE TABLE assignments (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  pool_id uuid NOT NULL,
  account_id uuid,
  account_group_id uuid,
  roles smallint NOT NULL,
  priority bigint NOT NULL CHECK (priority >= 0),
  max_open_purchases bigint CHECK (max_open_purchases >= 0),
  max_items bigint CHECK (max_items >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((account_id IS NULL) <> (account_group_id IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX assignments_account ON assignments (workspace_id, pool_id, account_id) WHERE account_id IS NOT NULL;
CREATE UNIQUE INDEX assignments_group ON assignments (workspace_id, pool_id, account_group_id)
  WHERE account_group_id IS NOT NULL;
CREATE INDEX assignments_pool ON assignments (workspace_id, pool_id, id);
CREATE INDEX assignments_of_account ON assignments (workspace_id, account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX assignments_of_group ON assignments (workspace_id, account_group_id) WHERE account_group_id IS NOT NULL;

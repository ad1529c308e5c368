-- Imports of trading accounts. What was read of one is in workspace_secrets until it ends.
CREATE TABLE imports (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  kind smallint NOT NULL,
  format smallint NOT NULL,
  status smallint NOT NULL,
  name text COLLATE "C",
  row_count bigint NOT NULL CHECK (row_count >= 0),
  accepted bigint NOT NULL CHECK (accepted >= 0),
  rejected bigint NOT NULL CHECK (rejected >= 0),
  group_id uuid,
  capabilities smallint NOT NULL,
  max_inventory bigint NOT NULL CHECK (max_inventory >= 0),
  max_open_purchases bigint CHECK (max_open_purchases >= 0),
  min_balance_cents bigint CHECK (min_balance_cents >= 0),
  created_by uuid,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (accepted + rejected = row_count)
) WITH (fillfactor = 80);
CREATE INDEX imports_status ON imports (workspace_id, status, id);
CREATE INDEX imports_open ON imports (expires_at) WHERE status IN (2, 3);

-- The rows of an import: JSON, read and written as a whole. No secret is in them.
CREATE TABLE import_rows (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  content text COLLATE "C" NOT NULL CHECK (content::json IS NOT NULL),
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);

-- Whether another workspace has an account.
CREATE INDEX trading_accounts_anywhere ON trading_accounts (platform, platform_user_id) WHERE status <> 9;

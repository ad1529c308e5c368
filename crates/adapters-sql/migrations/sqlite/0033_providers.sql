-- Providers: the marketplaces, price sources and game platforms that a workspace works with.
CREATE TABLE providers (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  kind INTEGER NOT NULL,
  driver TEXT NOT NULL,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- JSON: read as a whole, never searched.
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  has_credentials INTEGER NOT NULL CHECK (has_credentials IN (0, 1)),
  status INTEGER NOT NULL,
  status_reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX providers_name ON providers (workspace_id, kind, name);
CREATE INDEX providers_kind ON providers (workspace_id, kind, id);

-- What was last seen of each, under its id: written apart, so that it disturbs nobody who relies on the provider.
CREATE TABLE provider_healths (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  seen_at INTEGER NOT NULL,
  last_success_at INTEGER,
  latency_millis INTEGER CHECK (latency_millis >= 0),
  error_rate_bps INTEGER NOT NULL CHECK (error_rate_bps BETWEEN 0 AND 10000),
  remaining INTEGER CHECK (remaining >= 0),
  breaker INTEGER NOT NULL,
  -- JSON: read as a whole, never searched.
  fees TEXT CHECK (json_valid(fees)),
  balance_cents INTEGER CHECK (balance_cents >= 0),
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

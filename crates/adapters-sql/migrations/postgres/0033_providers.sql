-- Providers: the marketplaces, price sources and game platforms that a workspace works with.
CREATE TABLE providers (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  kind smallint NOT NULL,
  driver text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  -- JSON: read as a whole, never searched.
  settings text COLLATE "C" NOT NULL CHECK (settings::json IS NOT NULL),
  has_credentials smallint NOT NULL CHECK (has_credentials IN (0, 1)),
  status smallint NOT NULL,
  status_reason text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX providers_name ON providers (workspace_id, kind, name);
CREATE INDEX providers_kind ON providers (workspace_id, kind, id);

-- What was last seen of each, under its id: written apart, so that it disturbs nobody who relies on the provider.
CREATE TABLE provider_healths (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  seen_at bigint NOT NULL,
  last_success_at bigint,
  latency_millis bigint CHECK (latency_millis >= 0),
  error_rate_bps smallint NOT NULL CHECK (error_rate_bps BETWEEN 0 AND 10000),
  remaining bigint CHECK (remaining >= 0),
  breaker smallint NOT NULL,
  -- JSON: read as a whole, never searched.
  fees text COLLATE "C" CHECK (fees IS NULL OR fees::json IS NOT NULL),
  balance_cents bigint CHECK (balance_cents >= 0),
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);

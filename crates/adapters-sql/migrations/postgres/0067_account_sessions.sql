-- Sessions of trading accounts at their platforms. Their tokens are among the secrets of the workspace.
CREATE TABLE account_sessions (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  status smallint NOT NULL,
  uses_stored_code smallint NOT NULL,
  automatic smallint NOT NULL,
  -- JSON: what suffices, in the order of the platform. Read as a whole, never searched.
  guards text COLLATE "C" NOT NULL CHECK (guards::json IS NOT NULL),
  email_domain text COLLATE "C",
  codes_given smallint NOT NULL CHECK (codes_given >= 0),
  code_given_at bigint,
  has_code smallint NOT NULL,
  access_expires_at bigint,
  refresh_expires_at bigint,
  failure smallint,
  end_requested_at bigint,
  tokens_issued_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((access_expires_at IS NULL) = (refresh_expires_at IS NULL))
) WITH (fillfactor = 80);
-- Neither FAILED nor REVOKED nor CLOSED: an account has one at a time.
CREATE UNIQUE INDEX account_sessions_live ON account_sessions (workspace_id, account_id) WHERE status < 7;
CREATE INDEX account_sessions_live_id ON account_sessions (workspace_id, id) WHERE status < 7;
CREATE INDEX account_sessions_account ON account_sessions (workspace_id, account_id, id);
CREATE INDEX account_sessions_status ON account_sessions (workspace_id, status, id);
CREATE INDEX account_sessions_account_status ON account_sessions (workspace_id, account_id, status, id);

-- Renewals of the tokens of accounts, from the time that they are scheduled.
CREATE TABLE renewals (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind smallint NOT NULL,
  status smallint NOT NULL,
  due_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  attempts bigint NOT NULL CHECK (attempts >= 0),
  requested smallint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
-- SCHEDULED, RUNNING, RETRYING and UNCERTAIN: an account has one of a kind.
CREATE UNIQUE INDEX renewals_open ON renewals (workspace_id, account_id, kind) WHERE status IN (1, 2, 4, 5);
CREATE INDEX renewals_due ON renewals (workspace_id, due_at, id) WHERE status IN (1, 2, 4, 5);
CREATE INDEX renewals_ending ON renewals (workspace_id, kind, expires_at, id) WHERE status IN (1, 2, 4, 5);
CREATE INDEX renewals_account ON renewals (workspace_id, account_id, id);
CREATE INDEX renewals_kind ON renewals (workspace_id, kind, id);
CREATE INDEX renewals_status ON renewals (workspace_id, status, id);
CREATE INDEX renewals_account_kind ON renewals (workspace_id, account_id, kind, id);
CREATE INDEX renewals_account_status ON renewals (workspace_id, account_id, status, id);
CREATE INDEX renewals_kind_status ON renewals (workspace_id, kind, status, id);
CREATE INDEX renewals_all ON renewals (workspace_id, account_id, kind, status, id);

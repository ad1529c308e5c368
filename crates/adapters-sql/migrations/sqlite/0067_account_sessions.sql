-- Sessions of trading accounts at their platforms. Their tokens are among the secrets of the workspace.
CREATE TABLE account_sessions (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  status INTEGER NOT NULL,
  uses_stored_code INTEGER NOT NULL,
  automatic INTEGER NOT NULL,
  -- JSON: what suffices, in the order of the platform. Read as a whole, never searched.
  guards TEXT NOT NULL CHECK (json_valid(guards)),
  email_domain TEXT,
  codes_given INTEGER NOT NULL CHECK (codes_given >= 0),
  code_given_at INTEGER,
  has_code INTEGER NOT NULL,
  access_expires_at INTEGER,
  refresh_expires_at INTEGER,
  failure INTEGER,
  end_requested_at INTEGER,
  tokens_issued_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((access_expires_at IS NULL) = (refresh_expires_at IS NULL))
) STRICT, WITHOUT ROWID;
-- Neither FAILED nor REVOKED nor CLOSED: an account has one at a time.
CREATE UNIQUE INDEX account_sessions_live ON account_sessions (workspace_id, account_id) WHERE status < 7;
CREATE INDEX account_sessions_live_id ON account_sessions (workspace_id, id) WHERE status < 7;
CREATE INDEX account_sessions_account ON account_sessions (workspace_id, account_id, id);
CREATE INDEX account_sessions_status ON account_sessions (workspace_id, status, id);
CREATE INDEX account_sessions_account_status ON account_sessions (workspace_id, account_id, status, id);

-- Renewals of the tokens of accounts, from the time that they are scheduled.
CREATE TABLE renewals (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  requested INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
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

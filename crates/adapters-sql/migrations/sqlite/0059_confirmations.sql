-- Confirmations of trading accounts: what waits for their mobile authenticators, and what came of it.
CREATE TABLE confirmations (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_name TEXT NOT NULL,
  platform_id TEXT NOT NULL,
  -- The platform's number, and the kind that it is here.
  platform_kind INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  kind_name TEXT,
  creator TEXT NOT NULL,
  headline TEXT,
  -- JSON: the further lines that the platform shows, and the checks. Read as a whole, never searched.
  summary TEXT NOT NULL,
  checks TEXT NOT NULL,
  shown_at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  trade_offer_id BLOB CHECK (length(trade_offer_id) = 16),
  intent_id BLOB CHECK (length(intent_id) = 16),
  attempts INTEGER NOT NULL,
  asked_at INTEGER,
  by_person INTEGER,
  begun_at INTEGER,
  recorded_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  missing_since INTEGER,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((asked_at IS NULL) = (by_person IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX confirmations_seen ON confirmations (workspace_id, account_name, platform_id);
CREATE INDEX confirmations_account ON confirmations (workspace_id, account_name, id);
CREATE INDEX confirmations_status ON confirmations (workspace_id, status, id);
CREATE INDEX confirmations_kind ON confirmations (workspace_id, kind, id);
CREATE INDEX confirmations_account_status ON confirmations (workspace_id, account_name, status, id);
CREATE INDEX confirmations_account_kind ON confirmations (workspace_id, account_name, kind, id);
CREATE INDEX confirmations_status_kind ON confirmations (workspace_id, status, kind, id);
CREATE INDEX confirmations_open ON confirmations (workspace_id, id) WHERE status IN (1, 2, 3, 5, 8, 9);
CREATE INDEX confirmations_account_open ON confirmations (workspace_id, account_name, id)
  WHERE status IN (1, 2, 3, 5, 8, 9);

-- When the confirmations of an account were read, and whether a person asked for a reading. Its id is the account's.
CREATE TABLE confirmation_lists (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  requested_at INTEGER,
  read_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

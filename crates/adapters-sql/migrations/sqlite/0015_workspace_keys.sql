-- Keys under which the secrets of workspaces are stored, themselves sealed. Those of the installation itself belong to the
-- workspace of zeros.
CREATE TABLE workspace_keys (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  number INTEGER NOT NULL CHECK (number >= 1),
  status INTEGER NOT NULL CHECK (status BETWEEN 1 AND 3),
  wrapped_by TEXT,
  wrapped BLOB,
  created_at INTEGER NOT NULL,
  retired_at INTEGER,
  destroyed_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  -- Of a destroyed key nothing is left that could open anything.
  CHECK ((status = 3) = (wrapped IS NULL)),
  CHECK ((wrapped IS NULL) = (wrapped_by IS NULL)),
  CHECK ((status = 1) = (retired_at IS NULL)),
  CHECK ((status = 3) = (destroyed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- Each number once is enough for one active key: who makes the next one retires the one before in the same commit. A unique
-- index of active keys would depend on which of the two is written first.
CREATE UNIQUE INDEX workspace_keys_number ON workspace_keys (workspace_id, number);
CREATE INDEX workspace_keys_retired ON workspace_keys (id) WHERE status = 2;

-- Secrets of workspaces, each of one field of one record.
CREATE TABLE workspace_secrets (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  of_table TEXT NOT NULL,
  of_column TEXT NOT NULL,
  of_row BLOB NOT NULL CHECK (length(of_row) = 16),
  key_number INTEGER NOT NULL CHECK (key_number >= 1),
  sealed BLOB NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX workspace_secrets_place ON workspace_secrets (workspace_id, of_table, of_column, of_row);
CREATE INDEX workspace_secrets_key ON workspace_secrets (workspace_id, key_number, id);

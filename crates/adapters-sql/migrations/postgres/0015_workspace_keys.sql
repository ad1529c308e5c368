-- Keys under which the secrets of workspaces are stored, themselves sealed. Those of the installation itself belong to the
-- workspace of zeros.
CREATE TABLE workspace_keys (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  number bigint NOT NULL CHECK (number >= 1),
  status smallint NOT NULL CHECK (status BETWEEN 1 AND 3),
  wrapped_by text COLLATE "C",
  wrapped bytea,
  created_at bigint NOT NULL,
  retired_at bigint,
  destroyed_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  -- Of a destroyed key nothing is left that could open anything.
  CHECK ((status = 3) = (wrapped IS NULL)),
  CHECK ((wrapped IS NULL) = (wrapped_by IS NULL)),
  CHECK ((status = 1) = (retired_at IS NULL)),
  CHECK ((status = 3) = (destroyed_at IS NOT NULL))
);
-- Each number once is enough for one active key: who makes the next one retires the one before in the same commit. A unique
-- index of active keys would depend on which of the two is written first.
CREATE UNIQUE INDEX workspace_keys_number ON workspace_keys (workspace_id, number);
CREATE INDEX workspace_keys_retired ON workspace_keys (id) WHERE status = 2;

-- Secrets of workspaces, each of one field of one record.
CREATE TABLE workspace_secrets (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  of_table text COLLATE "C" NOT NULL,
  of_column text COLLATE "C" NOT NULL,
  of_row uuid NOT NULL,
  key_number bigint NOT NULL CHECK (key_number >= 1),
  sealed bytea NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX workspace_secrets_place ON workspace_secrets (workspace_id, of_table, of_column, of_row);
CREATE INDEX workspace_secrets_key ON workspace_secrets (workspace_id, key_number, id);

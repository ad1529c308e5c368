-- Confirmations of trading accounts: what waits for their mobile authenticators, and what came of it.
CREATE TABLE confirmations (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_name text COLLATE "C" NOT NULL,
  platform_id text COLLATE "C" NOT NULL,
  -- The platform's number, and the kind that it is here.
  platform_kind bigint NOT NULL,
  kind smallint NOT NULL,
  kind_name text COLLATE "C",
  creator text COLLATE "C" NOT NULL,
  headline text COLLATE "C",
  -- JSON: the further lines that the platform shows, and the checks. Read as a whole, never searched.
  summary text COLLATE "C" NOT NULL,
  checks text COLLATE "C" NOT NULL,
  shown_at bigint NOT NULL,
  status smallint NOT NULL,
  trade_offer_id uuid,
  intent_id uuid,
  attempts smallint NOT NULL,
  asked_at bigint,
  by_person smallint,
  begun_at bigint,
  recorded_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  missing_since bigint,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((asked_at IS NULL) = (by_person IS NULL))
) WITH (fillfactor = 80);
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
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  requested_at bigint,
  read_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);

-- People, workspaces and keys. Ids are UUIDv7, times are microseconds since 1970, statuses are the
-- numbers of the domain's enums. Records of a workspace are keyed by (workspace_id, id).

-- Ends a commit's one statement with a SQLSTATE that says what was refused; volatile, so that it is never called early.
CREATE FUNCTION refuse(code text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = 'refused';
END $$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are append-only', TG_TABLE_NAME;
END $$;

CREATE TABLE installation (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  value bytea NOT NULL
);

CREATE TABLE users (
  id uuid NOT NULL PRIMARY KEY,
  display_name text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  email_key text COLLATE "C",
  password_hash text COLLATE "C",
  password_changed_at bigint,
  email_changed_at bigint,
  disabled boolean NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  CHECK ((email IS NULL) = (email_key IS NULL)),
  CHECK ((password_hash IS NULL) = (password_changed_at IS NULL))
);
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE email_key IS NOT NULL;

CREATE TABLE linked_identities (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  linked_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX linked_identities_subject ON linked_identities (provider, subject);

CREATE TABLE passkeys (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  credential_id bytea NOT NULL,
  credential text COLLATE "C" NOT NULL,
  backed_up boolean NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);

CREATE TABLE passkey_registrations (
  user_id uuid NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

CREATE TABLE totps (
  user_id uuid NOT NULL PRIMARY KEY,
  sealed_secret bytea NOT NULL,
  last_step bigint NOT NULL CHECK (last_step >= 0),
  enabled_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

CREATE TABLE totp_enrollments (
  user_id uuid NOT NULL PRIMARY KEY,
  id uuid NOT NULL,
  sealed_secret bytea NOT NULL,
  tries_left smallint NOT NULL CHECK (tries_left >= 0),
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL PRIMARY KEY,
  digests bytea NOT NULL CHECK (length(digests) % 32 = 0),
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

CREATE TABLE email_links (
  user_id uuid NOT NULL,
  purpose smallint NOT NULL CHECK (purpose BETWEEN 1 AND 3),
  email text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  digest bytea NOT NULL CHECK (length(digest) = 32),
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, purpose),
  CHECK ((purpose = 1) = (password_hash IS NOT NULL))
);
CREATE UNIQUE INDEX email_links_digest ON email_links (digest);

CREATE TABLE challenges (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  principal uuid NOT NULL,
  method smallint NOT NULL,
  code_digest bytea CHECK (length(code_digest) = 32),
  tries_left smallint NOT NULL CHECK (tries_left >= 0),
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
);
CREATE INDEX challenges_principal ON challenges (user_id, principal, id);

CREATE TABLE grants (
  user_id uuid NOT NULL,
  principal uuid NOT NULL,
  method smallint NOT NULL,
  granted_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, principal)
);

CREATE TABLE workspaces (
  id uuid NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

CREATE TABLE memberships (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  invitee text COLLATE "C",
  invitee_key text COLLATE "C",
  role smallint NOT NULL,
  policies smallint NOT NULL,
  status smallint NOT NULL,
  user_id uuid,
  expires_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((invitee IS NULL) = (invitee_key IS NULL)),
  CHECK ((status = 1) = (expires_at IS NOT NULL)),
  CHECK ((status IN (2, 3, 7, 8)) = (user_id IS NOT NULL))
);
CREATE UNIQUE INDEX memberships_live_member ON memberships (workspace_id, user_id) WHERE status IN (2, 3);
CREATE UNIQUE INDEX memberships_live_invitation ON memberships (workspace_id, invitee_key) WHERE status = 1;
CREATE INDEX memberships_status ON memberships (workspace_id, status, id);
CREATE INDEX memberships_user ON memberships (user_id, status) WHERE user_id IS NOT NULL;
CREATE INDEX memberships_invitee ON memberships (invitee_key, status) WHERE user_id IS NULL;

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  policies smallint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX api_keys_digest ON api_keys (digest);
-- A key without expiry sorts as expiring last, so that live and expired keys are two ranges of one index.
CREATE INDEX api_keys_expiry ON api_keys (workspace_id, coalesce(expires_at, 9223372036854775807), id)
  WHERE revoked_at IS NULL;

-- Apart from api_keys, so that noting a use neither changes a key's version nor waits for those who rely on the key.
CREATE TABLE api_key_uses (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, key_id)
);

-- How many records of a kind are in a status, per workspace (contract_id all zeros) and per contract. The count is the sum
-- over 16 slots: writers spread over them instead of waiting for one hot row.
CREATE TABLE record_counts (
  workspace_id uuid NOT NULL,
  kind smallint NOT NULL,
  contract_id uuid NOT NULL,
  status smallint NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
  n bigint NOT NULL,
  PRIMARY KEY (workspace_id, kind, contract_id, status, slot)
) WITH (fillfactor = 50);

CREATE TABLE transitions (
  workspace_id uuid NOT NULL,
  subject_kind smallint NOT NULL,
  subject_id uuid NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  id uuid NOT NULL,
  from_status text COLLATE "C",
  to_status text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  actor_kind smallint NOT NULL,
  actor_user_id uuid,
  actor_key_id uuid,
  reason text COLLATE "C",
  evidence text COLLATE "C",
  at bigint NOT NULL,
  PRIMARY KEY (workspace_id, subject_kind, subject_id, version, id),
  CHECK ((actor_kind IN (1, 2)) = (actor_user_id IS NOT NULL)),
  CHECK ((actor_kind = 2) = (actor_key_id IS NOT NULL))
);
CREATE TRIGGER transitions_are_append_only BEFORE UPDATE OR DELETE ON transitions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transitions_are_never_truncated BEFORE TRUNCATE ON transitions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

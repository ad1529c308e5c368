-- People, workspaces and keys. Ids are the 16 bytes of a UUIDv7, times are microseconds since 1970, statuses are the
-- numbers of the domain's enums. Records of a workspace are keyed by (workspace_id, id).

CREATE TABLE installation (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  display_name TEXT NOT NULL,
  email TEXT,
  email_key TEXT,
  password_hash TEXT,
  password_changed_at INTEGER,
  email_changed_at INTEGER,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  CHECK ((email IS NULL) = (email_key IS NULL)),
  CHECK ((password_hash IS NULL) = (password_changed_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE email_key IS NOT NULL;

CREATE TABLE linked_identities (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  linked_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX linked_identities_subject ON linked_identities (provider, subject);

CREATE TABLE passkeys (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  credential_id BLOB NOT NULL,
  credential TEXT NOT NULL,
  backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);

CREATE TABLE passkey_registrations (
  user_id BLOB NOT NULL PRIMARY KEY CHECK (length(user_id) = 16),
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE totps (
  user_id BLOB NOT NULL PRIMARY KEY CHECK (length(user_id) = 16),
  sealed_secret BLOB NOT NULL,
  last_step INTEGER NOT NULL CHECK (last_step >= 0),
  enabled_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE totp_enrollments (
  user_id BLOB NOT NULL PRIMARY KEY CHECK (length(user_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  sealed_secret BLOB NOT NULL,
  tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  user_id BLOB NOT NULL PRIMARY KEY CHECK (length(user_id) = 16),
  digests BLOB NOT NULL CHECK (length(digests) % 32 = 0),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE email_links (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 3),
  email TEXT NOT NULL,
  password_hash TEXT,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, purpose),
  CHECK ((purpose = 1) = (password_hash IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX email_links_digest ON email_links (digest);

CREATE TABLE challenges (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  principal BLOB NOT NULL CHECK (length(principal) = 16),
  method INTEGER NOT NULL,
  code_digest BLOB CHECK (length(code_digest) = 32),
  tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_principal ON challenges (user_id, principal, id);

CREATE TABLE grants (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  principal BLOB NOT NULL CHECK (length(principal) = 16),
  method INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, principal)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  name TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE memberships (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  invitee TEXT,
  invitee_key TEXT,
  role INTEGER NOT NULL,
  policies INTEGER NOT NULL,
  status INTEGER NOT NULL,
  user_id BLOB CHECK (length(user_id) = 16),
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((invitee IS NULL) = (invitee_key IS NULL)),
  CHECK ((status = 1) = (expires_at IS NOT NULL)),
  CHECK ((status IN (2, 3, 7, 8)) = (user_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX memberships_live_member ON memberships (workspace_id, user_id) WHERE status IN (2, 3);
CREATE UNIQUE INDEX memberships_live_invitation ON memberships (workspace_id, invitee_key) WHERE status = 1;
CREATE INDEX memberships_status ON memberships (workspace_id, status, id);
CREATE INDEX memberships_user ON memberships (user_id, status) WHERE user_id IS NOT NULL;
CREATE INDEX memberships_invitee ON memberships (invitee_key, status) WHERE user_id IS NULL;

CREATE TABLE api_keys (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  owner_id BLOB NOT NULL CHECK (length(owner_id) = 16),
  membership_id BLOB NOT NULL CHECK (length(membership_id) = 16),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  policies INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX api_keys_digest ON api_keys (digest);
-- A key without expiry sorts as expiring last, so that live and expired keys are two ranges of one index.
CREATE INDEX api_keys_expiry ON api_keys (workspace_id, coalesce(expires_at, 9223372036854775807), id)
  WHERE revoked_at IS NULL;

-- Apart from api_keys, so that noting a use neither changes a key's version nor waits for those who rely on the key.
CREATE TABLE api_key_uses (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  key_id BLOB NOT NULL CHECK (length(key_id) = 16),
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, key_id)
) STRICT, WITHOUT ROWID;

-- How many records of a kind are in a status, per workspace (contract_id all zeros) and per contract.
CREATE TABLE record_counts (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  kind INTEGER NOT NULL,
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  status INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, kind, contract_id, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE transitions (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  subject_kind INTEGER NOT NULL,
  subject_id BLOB NOT NULL CHECK (length(subject_id) = 16),
  version INTEGER NOT NULL CHECK (version >= 1),
  id BLOB NOT NULL CHECK (length(id) = 16),
  from_status TEXT,
  to_status TEXT NOT NULL,
  cause TEXT NOT NULL,
  actor_kind INTEGER NOT NULL,
  actor_user_id BLOB CHECK (length(actor_user_id) = 16),
  actor_key_id BLOB CHECK (length(actor_key_id) = 16),
  reason TEXT,
  evidence TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, subject_kind, subject_id, version, id),
  CHECK ((actor_kind IN (1, 2)) = (actor_user_id IS NOT NULL)),
  CHECK ((actor_kind = 2) = (actor_key_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER transitions_are_never_updated BEFORE UPDATE ON transitions
BEGIN SELECT raise(ABORT, 'transitions are append-only'); END;
CREATE TRIGGER transitions_are_never_deleted BEFORE DELETE ON transitions
BEGIN SELECT raise(ABORT, 'transitions are append-only'); END;

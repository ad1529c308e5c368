-- Signing in with, and linking, an identity of another platform.

-- What was proved first; before, it was always the password.
ALTER TABLE pending_sign_ins ADD COLUMN proofs INTEGER NOT NULL DEFAULT 1;

-- Links that were begun: by a user with a key or session, or to sign in, which is nobody yet.
CREATE TABLE account_links (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  provider TEXT NOT NULL,
  user_id BLOB CHECK (length(user_id) = 16),
  principal_kind INTEGER CHECK (principal_kind IN (1, 2)),
  principal BLOB CHECK (length(principal) = 16),
  sealed_state BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  CHECK ((principal IS NULL) = (principal_kind IS NULL)),
  CHECK (principal IS NULL OR user_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_links_created ON account_links (created_at);

-- Answers of other platforms that were accepted, by a digest of their nonce.
CREATE TABLE spent_answers (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 16),
  spent_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_answers_spent ON spent_answers (spent_at);

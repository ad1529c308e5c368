-- People who sign in: sessions, sign-ins that wait for a second factor, links that set a new password. Second factors are
-- proved for a session as well as for a key.

-- What each is: 1 an API key, 2 a session.
ALTER TABLE challenges ADD COLUMN principal_kind INTEGER NOT NULL DEFAULT 1 CHECK (principal_kind IN (1, 2));
ALTER TABLE grants ADD COLUMN principal_kind INTEGER NOT NULL DEFAULT 1 CHECK (principal_kind IN (1, 2));

-- Links for a fourth purpose, and found by the address they were mailed to.
CREATE TABLE email_links_new (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 4),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  password_hash TEXT,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, purpose),
  CHECK ((purpose = 1) = (password_hash IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- The key is not exact for domains outside of ASCII; links live a week at most, and are followed by their digest.
INSERT INTO email_links_new
  SELECT user_id, purpose, email, lower(email), password_hash, digest, created_at, version FROM email_links;
DROP TABLE email_links;
ALTER TABLE email_links_new RENAME TO email_links;
CREATE UNIQUE INDEX email_links_digest ON email_links (digest);
CREATE INDEX email_links_email ON email_links (email_key, purpose, created_at);

CREATE TABLE pending_sign_ins (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id, id);

CREATE TABLE sessions (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  prefix TEXT NOT NULL,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  proofs INTEGER NOT NULL,
  proved_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  client TEXT,
  user_agent TEXT,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_digest ON sessions (digest);

-- Apart from sessions for the reason that api_key_uses is apart from api_keys.
CREATE TABLE session_uses (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  session_id BLOB NOT NULL CHECK (length(session_id) = 16),
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, session_id)
) STRICT, WITHOUT ROWID;
-- What belongs to a session goes with it.
CREATE TRIGGER sessions_take_along AFTER DELETE ON sessions
BEGIN
  DELETE FROM session_uses WHERE user_id = old.user_id AND session_id = old.id;
  DELETE FROM challenges WHERE user_id = old.user_id AND principal = old.id;
  DELETE FROM grants WHERE user_id = old.user_id AND principal = old.id;
END;

-- People who sign in: sessions, sign-ins that wait for a second factor, links that set a new password. Second factors are
-- proved for a session as well as for a key.

-- What each is: 1 an API key, 2 a session.
ALTER TABLE challenges ADD COLUMN principal_kind smallint NOT NULL DEFAULT 1 CHECK (principal_kind IN (1, 2));
ALTER TABLE grants ADD COLUMN principal_kind smallint NOT NULL DEFAULT 1 CHECK (principal_kind IN (1, 2));

-- Links for a fourth purpose, and found by the address they were mailed to. The key is not exact for domains outside of
-- ASCII; links live a week at most, and are followed by their digest.
ALTER TABLE email_links DROP CONSTRAINT email_links_purpose_check;
ALTER TABLE email_links ADD CONSTRAINT email_links_purpose_check CHECK (purpose BETWEEN 1 AND 4);
ALTER TABLE email_links ADD COLUMN email_key text COLLATE "C";
UPDATE email_links SET email_key = lower(email);
ALTER TABLE email_links ALTER COLUMN email_key SET NOT NULL;
CREATE INDEX email_links_email ON email_links (email_key, purpose, created_at);

CREATE TABLE pending_sign_ins (
  id uuid NOT NULL PRIMARY KEY,
  user_id uuid NOT NULL,
  tries_left smallint NOT NULL CHECK (tries_left >= 0),
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id, id);

CREATE TABLE sessions (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  proofs smallint NOT NULL,
  proved_at bigint NOT NULL,
  created_at bigint NOT NULL,
  client text COLLATE "C",
  user_agent text COLLATE "C",
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX sessions_digest ON sessions (digest);

-- Apart from sessions for the reason that api_key_uses is apart from api_keys.
CREATE TABLE session_uses (
  user_id uuid NOT NULL,
  session_id uuid NOT NULL,
  last_seen_at bigint NOT NULL,
  PRIMARY KEY (user_id, session_id)
);
-- What belongs to a session goes with it.
CREATE FUNCTION take_along_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM session_uses WHERE user_id = OLD.user_id AND session_id = OLD.id;
  DELETE FROM challenges WHERE user_id = OLD.user_id AND principal = OLD.id;
  DELETE FROM grants WHERE user_id = OLD.user_id AND principal = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_take_along AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION take_along_of_session();

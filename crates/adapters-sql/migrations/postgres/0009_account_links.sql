-- Signing in with, and linking, an identity of another platform.

-- What was proved first; before, it was always the password.
ALTER TABLE pending_sign_ins ADD COLUMN proofs smallint NOT NULL DEFAULT 1;

-- Links that were begun: by a user with a key or session, or to sign in, which is nobody yet.
CREATE TABLE account_links (
  id uuid NOT NULL PRIMARY KEY,
  provider text COLLATE "C" NOT NULL,
  user_id uuid,
  principal_kind smallint CHECK (principal_kind IN (1, 2)),
  principal uuid,
  sealed_state bytea NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  CHECK ((principal IS NULL) = (principal_kind IS NULL)),
  CHECK (principal IS NULL OR user_id IS NOT NULL)
);
CREATE INDEX account_links_created ON account_links (created_at);

-- Answers of other platforms that were accepted, by a digest of their nonce.
CREATE TABLE spent_answers (
  digest uuid NOT NULL PRIMARY KEY,
  spent_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
CREATE INDEX spent_answers_spent ON spent_answers (spent_at);

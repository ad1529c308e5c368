-- The state of the question for a passkey, at a sign-in whose password was right and at one by passkey alone.

ALTER TABLE pending_sign_ins ADD COLUMN passkey_state text COLLATE "C";

CREATE TABLE passkey_sign_ins (
  id uuid NOT NULL PRIMARY KEY,
  state text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
CREATE INDEX passkey_sign_ins_age ON passkey_sign_ins (created_at, id);

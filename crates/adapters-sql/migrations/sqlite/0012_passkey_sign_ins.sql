-- The state of the question for a passkey, at a sign-in whose password was right and at one by passkey alone.

ALTER TABLE pending_sign_ins ADD COLUMN passkey_state TEXT;

CREATE TABLE passkey_sign_ins (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_sign_ins_age ON passkey_sign_ins (created_at, id);

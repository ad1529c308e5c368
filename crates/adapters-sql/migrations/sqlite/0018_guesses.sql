-- Wrong guesses at an account: passwords in a row, codes in a day. How many more codes may be mailed for a challenge: none for
-- those that wait, which live ten minutes at most.
CREATE TABLE guesses (
  user_id BLOB NOT NULL PRIMARY KEY CHECK (length(user_id) = 16),
  wrong_passwords INTEGER NOT NULL CHECK (wrong_passwords >= 0),
  wrong_codes INTEGER NOT NULL CHECK (wrong_codes >= 0),
  codes_since INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;
ALTER TABLE challenges ADD COLUMN mails_left INTEGER NOT NULL DEFAULT 0 CHECK (mails_left >= 0);

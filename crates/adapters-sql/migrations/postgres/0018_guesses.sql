-- Wrong guesses at an account: passwords in a row, codes in a day. How many more codes may be mailed for a challenge: none for
-- those that wait, which live ten minutes at most.
CREATE TABLE guesses (
  user_id uuid NOT NULL PRIMARY KEY,
  wrong_passwords integer NOT NULL CHECK (wrong_passwords >= 0),
  wrong_codes integer NOT NULL CHECK (wrong_codes >= 0),
  codes_since bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
ALTER TABLE challenges ADD COLUMN mails_left smallint NOT NULL DEFAULT 0 CHECK (mails_left >= 0);

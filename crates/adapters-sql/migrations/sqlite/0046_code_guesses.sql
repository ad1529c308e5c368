-- Wrong codes of callers with a credential: by key or session, by all keys of a user, and by all sessions of a user. Those of
-- sign-ins stay in guesses.
CREATE TABLE code_guesses (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  guesser BLOB NOT NULL CHECK (length(guesser) = 16),
  guesser_kind INTEGER NOT NULL CHECK (guesser_kind IN (1, 2, 3, 4)),
  wrong INTEGER NOT NULL CHECK (wrong >= 0),
  since INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, guesser)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_guesses_since ON code_guesses (since);

-- Wrong codes of callers with a credential: by key or session, by all keys of a user, and by all sessions of a user. Those of
-- sign-ins stay in guesses.
CREATE TABLE code_guesses (
  user_id uuid NOT NULL,
  guesser uuid NOT NULL,
  guesser_kind smallint NOT NULL CHECK (guesser_kind IN (1, 2, 3, 4)),
  wrong integer NOT NULL CHECK (wrong >= 0),
  since bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (user_id, guesser)
);
CREATE INDEX code_guesses_since ON code_guesses (since);

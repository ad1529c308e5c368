-- An approval waits by the server's clock as well, and until engines have looked at it. Of what was approved before, neither is known.
ALTER TABLE intents ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN looks INTEGER NOT NULL DEFAULT 0 CHECK (looks >= 0);
ALTER TABLE intents ADD COLUMN held_up_by TEXT;

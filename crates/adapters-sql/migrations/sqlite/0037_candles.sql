-- How far the prices of hours are formed: every observation up to "last" is in them, and so is every one up to "upto" whose market name
-- does not come after "done". What was observed before is in them all.
CREATE TABLE market_formed (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  last BLOB NOT NULL CHECK (length(last) = 16),
  upto BLOB NOT NULL CHECK (length(upto) = 16),
  done TEXT NOT NULL,
  PRIMARY KEY (workspace_id),
  CHECK (last <= upto)
) STRICT, WITHOUT ROWID;
INSERT INTO market_formed SELECT workspace_id, max(id), max(id), '' FROM market_observations GROUP BY workspace_id;

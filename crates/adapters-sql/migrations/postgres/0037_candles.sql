-- How far the prices of hours are formed: every observation up to "last" is in them, and so is every one up to "upto" whose market name
-- does not come after "done". What was observed before is in them all.
CREATE TABLE market_formed (
  workspace_id uuid NOT NULL,
  last uuid NOT NULL,
  upto uuid NOT NULL,
  done text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id),
  CHECK (last <= upto)
);
INSERT INTO market_formed SELECT DISTINCT ON (workspace_id) workspace_id, id, id, '' FROM market_observations
ORDER BY workspace_id, id DESC;

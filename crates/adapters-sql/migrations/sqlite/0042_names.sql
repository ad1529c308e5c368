-- Observations by name in blocks of 8,192, in the order in which they were written.
CREATE TABLE market_observations_numbered (
  number INTEGER PRIMARY KEY,
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  marketplace TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  asset_id TEXT,
  app_id INTEGER NOT NULL,
  market_hash_name TEXT NOT NULL,
  -- Empty for variants without one.
  phase TEXT NOT NULL,
  price INTEGER NOT NULL CHECK (price > 0),
  -- Traits are JSON: read as a whole with the observation, never searched. NULL for a listing without any.
  traits TEXT,
  observed_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor_kind INTEGER NOT NULL CHECK (actor_kind BETWEEN 1 AND 3),
  actor_user_id BLOB,
  actor_key_id BLOB,
  -- 1 where something came of it, so that it is never forgotten.
  kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
  -- What was told of the prices of its variant then, as JSON.
  told TEXT,
  UNIQUE (workspace_id, id)
) STRICT;
INSERT INTO market_observations_numbered (workspace_id, id, marketplace, listing_id, asset_id, app_id, market_hash_name, phase, price,
  traits, observed_at, recorded_at, actor_kind, actor_user_id, actor_key_id, kept, told)
  SELECT workspace_id, id, marketplace, listing_id, asset_id, app_id, market_hash_name, phase, price,
  traits, observed_at, recorded_at, actor_kind, actor_user_id, actor_key_id, kept, told
  FROM market_observations ORDER BY workspace_id, id;
DROP TABLE market_observations;
ALTER TABLE market_observations_numbered RENAME TO market_observations;
CREATE INDEX market_observations_marketplace ON market_observations (workspace_id, marketplace, id);
CREATE INDEX market_observations_name ON market_observations (number >> 13, workspace_id, market_hash_name);

-- What was seen of listings: one row when a listing is first seen at a price, and another each day that it stands.
CREATE TABLE market_observations (
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
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX market_observations_marketplace ON market_observations (workspace_id, marketplace, id);
CREATE INDEX market_observations_name ON market_observations (workspace_id, market_hash_name, id);

-- Listings as they were last seen.
CREATE TABLE market_listings (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  marketplace TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  app_id INTEGER NOT NULL,
  market_hash_name TEXT NOT NULL,
  phase TEXT NOT NULL,
  price INTEGER NOT NULL CHECK (price > 0),
  -- The observation that told the price, and when it was made.
  observation_id BLOB NOT NULL CHECK (length(observation_id) = 16),
  observed_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, marketplace, listing_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX market_listings_name ON market_listings (workspace_id, market_hash_name);

-- The prices of each hour since 1970.
CREATE TABLE market_candles (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  market_hash_name TEXT NOT NULL,
  app_id INTEGER NOT NULL,
  phase TEXT NOT NULL,
  hour INTEGER NOT NULL,
  marketplace TEXT NOT NULL,
  open INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  close INTEGER NOT NULL,
  closed_at INTEGER NOT NULL,
  n INTEGER NOT NULL CHECK (n > 0),
  PRIMARY KEY (workspace_id, market_hash_name, app_id, phase, hour, marketplace)
) STRICT, WITHOUT ROWID;

-- How many observations were recorded in each hour since 1970, as long as they are kept.
CREATE TABLE market_counts (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  hour INTEGER NOT NULL,
  marketplace TEXT NOT NULL,
  -- Counters that many write at once are spread over several rows.
  slot INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, hour, marketplace, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX market_counts_hour ON market_counts (hour);

-- The latest that each source says of a variant.
CREATE TABLE market_quotes (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  market_hash_name TEXT NOT NULL,
  app_id INTEGER NOT NULL,
  phase TEXT NOT NULL,
  source TEXT NOT NULL,
  lowest_ask INTEGER,
  highest_bid INTEGER,
  sales_average INTEGER,
  sales_count INTEGER,
  observed_at INTEGER NOT NULL,
  CHECK ((sales_average IS NULL) = (sales_count IS NULL)),
  PRIMARY KEY (workspace_id, market_hash_name, app_id, phase, source)
) STRICT, WITHOUT ROWID;

-- Values that people gave to variants, also those that are over and were not taken away.
CREATE TABLE price_overrides (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  app_id INTEGER NOT NULL,
  market_hash_name TEXT NOT NULL,
  phase TEXT NOT NULL,
  price INTEGER NOT NULL CHECK (price > 0),
  expires_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor_kind INTEGER NOT NULL CHECK (actor_kind BETWEEN 1 AND 3),
  actor_user_id BLOB,
  actor_key_id BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX price_overrides_variant ON price_overrides (workspace_id, market_hash_name, app_id, phase);

-- How workspaces value items where a contract does not say it otherwise.
CREATE TABLE pricing_rules (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  -- JSON: read as a whole, never searched.
  reference TEXT NOT NULL CHECK (json_valid(reference)),
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id)
) STRICT, WITHOUT ROWID;

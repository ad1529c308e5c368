-- What was seen of listings: one row when a listing is first seen at a price, and another each day that it stands.
CREATE TABLE market_observations (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  listing_id text COLLATE "C" NOT NULL,
  asset_id text COLLATE "C",
  app_id bigint NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  -- Empty for variants without one.
  phase text COLLATE "C" NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  -- Traits are JSON: read as a whole with the observation, never searched. NULL for a listing without any.
  traits text COLLATE "C",
  observed_at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  actor_kind smallint NOT NULL CHECK (actor_kind BETWEEN 1 AND 3),
  actor_user_id uuid,
  actor_key_id uuid,
  -- 1 where something came of it, so that it is never forgotten.
  kept smallint NOT NULL CHECK (kept IN (0, 1)),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX market_observations_marketplace ON market_observations (workspace_id, marketplace, id);
CREATE INDEX market_observations_name ON market_observations (workspace_id, market_hash_name, id);

-- Listings as they were last seen.
CREATE TABLE market_listings (
  workspace_id uuid NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  listing_id text COLLATE "C" NOT NULL,
  app_id bigint NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  phase text COLLATE "C" NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  -- The observation that told the price, and when it was made.
  observation_id uuid NOT NULL,
  observed_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, marketplace, listing_id)
) WITH (fillfactor = 80);
CREATE INDEX market_listings_name ON market_listings (workspace_id, market_hash_name);

-- The prices of each hour since 1970.
CREATE TABLE market_candles (
  workspace_id uuid NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  app_id bigint NOT NULL,
  phase text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  open bigint NOT NULL,
  opened_at bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  closed_at bigint NOT NULL,
  n bigint NOT NULL CHECK (n > 0),
  PRIMARY KEY (workspace_id, market_hash_name, app_id, phase, hour, marketplace)
) WITH (fillfactor = 80);

-- How many observations were recorded in each hour since 1970, as long as they are kept.
CREATE TABLE market_counts (
  workspace_id uuid NOT NULL,
  hour bigint NOT NULL,
  marketplace text COLLATE "C" NOT NULL,
  -- Counters that many write at once are spread over several rows.
  slot smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (workspace_id, hour, marketplace, slot)
) WITH (fillfactor = 80);
CREATE INDEX market_counts_hour ON market_counts (hour);

-- The latest that each source says of a variant.
CREATE TABLE market_quotes (
  workspace_id uuid NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  app_id bigint NOT NULL,
  phase text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  lowest_ask bigint,
  highest_bid bigint,
  sales_average bigint,
  sales_count bigint,
  observed_at bigint NOT NULL,
  CHECK ((sales_average IS NULL) = (sales_count IS NULL)),
  PRIMARY KEY (workspace_id, market_hash_name, app_id, phase, source)
) WITH (fillfactor = 80);

-- Values that people gave to variants, also those that are over and were not taken away.
CREATE TABLE price_overrides (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  app_id bigint NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  phase text COLLATE "C" NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  expires_at bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  actor_kind smallint NOT NULL CHECK (actor_kind BETWEEN 1 AND 3),
  actor_user_id uuid,
  actor_key_id uuid,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX price_overrides_variant ON price_overrides (workspace_id, market_hash_name, app_id, phase);

-- How workspaces value items where a contract does not say it otherwise.
CREATE TABLE pricing_rules (
  workspace_id uuid NOT NULL,
  -- JSON: read as a whole, never searched.
  reference text COLLATE "C" NOT NULL CHECK (reference::json IS NOT NULL),
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id)
) WITH (fillfactor = 80);

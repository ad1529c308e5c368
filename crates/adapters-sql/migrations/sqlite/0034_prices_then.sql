-- What was told of the prices of its variant when an observation was recorded, as JSON: read as a whole, never searched. Nobody
-- knows it of those that were recorded before.
ALTER TABLE market_observations ADD COLUMN told TEXT;

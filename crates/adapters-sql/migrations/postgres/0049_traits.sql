-- What makes an item expensive is kept from the listing on: stickers, charms, rarity and finish beside wear, seed and phase.
ALTER TABLE intents ADD COLUMN traits TEXT;
ALTER TABLE purchases ADD COLUMN traits TEXT;
ALTER TABLE inventory_items ADD COLUMN traits TEXT;
-- The game of what was bought: until now all of it was of Counter-Strike 2.
ALTER TABLE purchases ADD COLUMN app_id BIGINT NOT NULL DEFAULT 730;

-- What the operator's account has at a marketplace that is only read, as JSON. It is null until it was read.
ALTER TABLE provider_healths ADD COLUMN standing text COLLATE "C" CHECK (standing IS NULL OR standing::json IS NOT NULL);

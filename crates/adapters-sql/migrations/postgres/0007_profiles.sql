-- What people prefer: a language tag of BCP 47 and a name of the IANA time zone database.
ALTER TABLE users ADD COLUMN locale text COLLATE "C";
ALTER TABLE users ADD COLUMN time_zone text COLLATE "C";

-- From where a key may be used: networks in CIDR notation with spaces between; NULL for everywhere.
ALTER TABLE api_keys ADD COLUMN allowed_cidrs text COLLATE "C";

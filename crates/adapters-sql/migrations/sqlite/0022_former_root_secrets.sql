-- Which pepper digests were made under, by the pepper's mark; null for those from before it was written down.
ALTER TABLE api_keys ADD COLUMN pepper INTEGER;
ALTER TABLE recovery_codes ADD COLUMN pepper INTEGER;
-- Up to which link of a log events may be written under root secrets of before.
ALTER TABLE audit_heads ADD COLUMN former_until INTEGER NOT NULL DEFAULT 0;

-- When the owner of a key is to be reminded next that it ends. Of keys that are there, two weeks (in microseconds) before.
ALTER TABLE api_keys ADD COLUMN remind_at INTEGER;
UPDATE api_keys SET remind_at = expires_at - 1209600000000 WHERE revoked_at IS NULL;
CREATE INDEX api_keys_reminders ON api_keys (remind_at) WHERE remind_at IS NOT NULL;

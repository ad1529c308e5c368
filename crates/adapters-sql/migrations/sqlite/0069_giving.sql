-- When a person let an account give items at a real platform. Accounts that exist are only read there.
ALTER TABLE trading_accounts ADD COLUMN giving_enabled_at INTEGER;

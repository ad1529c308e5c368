-- When a person accepted the platform's notice that trades can be reversed. Accounts that exist have traded before, so they count as
-- accepted at the migration.
ALTER TABLE trading_accounts ADD COLUMN trade_notice_acknowledged_at bigint;
UPDATE trading_accounts SET trade_notice_acknowledged_at = CAST(extract(epoch FROM now()) * 1000000 AS bigint);
-- What a person asked the engine to read of the account, and the renewal of its trade address.
ALTER TABLE trading_accounts ADD COLUMN refresh_requested_at bigint;
ALTER TABLE trading_accounts ADD COLUMN refreshed_at bigint;
ALTER TABLE trading_accounts ADD COLUMN renewal_requested_at bigint;
ALTER TABLE trading_accounts ADD COLUMN renewal_begun_at bigint;
ALTER TABLE trading_accounts ADD COLUMN refresh_waits smallint NOT NULL DEFAULT 0;
CREATE INDEX trading_accounts_refresh ON trading_accounts (workspace_id, id) WHERE refresh_waits = 1;

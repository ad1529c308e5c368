-- What accounts gave lately, by its time. It is a migration of its own: 0071 locks the table for its columns, also for readers, and this reads it.
CREATE INDEX trade_offers_given ON trade_offers (workspace_id, account_name, given_at) WHERE given_at IS NOT NULL;

-- What accounts gave lately, by its time. It is a migration of its own, as in PostgreSQL.
CREATE INDEX trade_offers_given ON trade_offers (workspace_id, account_name, given_at) WHERE given_at IS NOT NULL;

-- The most that an account gives within an hour and within 24 h, by the value of the items. A limit that is null does not apply.
ALTER TABLE trading_accounts ADD COLUMN max_give_cents_per_hour bigint;
ALTER TABLE trading_accounts ADD COLUMN max_give_cents_per_day bigint;
-- The value of what an offer gives, when it was last decided, and whether its confirmation was allowed. Offers that exist have no value: what
-- was given before does not count.
ALTER TABLE trade_offers ADD COLUMN given_cents bigint;
ALTER TABLE trade_offers ADD COLUMN given_at bigint;
ALTER TABLE trade_offers ADD COLUMN given_allowed smallint NOT NULL DEFAULT 0;

-- What a contract would buy at a marketplace that is only read, and the second look at the listing: when it is due or was, its outcome, and the
-- price then.
ALTER TABLE intents ADD COLUMN follow_up_at bigint;
ALTER TABLE intents ADD COLUMN follow_up_outcome smallint;
ALTER TABLE intents ADD COLUMN follow_up_price_cents bigint;
-- A listing would be bought once.
CREATE UNIQUE INDEX intents_would_buy ON intents (workspace_id, marketplace, listing_id) WHERE follow_up_at IS NOT NULL;
CREATE INDEX intents_followed ON intents (workspace_id, id) WHERE follow_up_at IS NOT NULL;
CREATE INDEX intents_contract_followed ON intents (workspace_id, contract_id, id) WHERE follow_up_at IS NOT NULL;
CREATE INDEX intents_followed_at ON intents (workspace_id, created_at) WHERE follow_up_at IS NOT NULL;
CREATE INDEX intents_contract_followed_at ON intents (workspace_id, contract_id, created_at) WHERE follow_up_at IS NOT NULL;
CREATE INDEX intents_follow_up_due ON intents (workspace_id, marketplace, follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_outcome IS NULL;

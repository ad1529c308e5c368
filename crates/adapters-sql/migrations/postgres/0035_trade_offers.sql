-- Trade offers as our accounts see them, and the trades that came of them.
CREATE TABLE trade_offers (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_name text COLLATE "C" NOT NULL,
  partner text COLLATE "C" NOT NULL,
  direction smallint NOT NULL,
  -- NULL before it was sent.
  offer_id text COLLATE "C",
  status smallint NOT NULL,
  -- The platform's number for that.
  shown bigint,
  glitched smallint NOT NULL,
  -- Items are JSON: read as a whole with the offer, never searched.
  items text COLLATE "C" NOT NULL,
  owner_kind smallint,
  owner_id uuid,
  trade_id text COLLATE "C",
  -- What else is known of the trade, likewise.
  trade text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  CHECK ((owner_kind IS NULL) = (owner_id IS NULL)),
  CHECK ((trade_id IS NULL) = (trade IS NULL)),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX trade_offers_seen ON trade_offers (workspace_id, account_name, offer_id) WHERE offer_id IS NOT NULL;
-- DRAFT and SEND_UNCERTAIN: an item is sent to one buyer at a time.
CREATE UNIQUE INDEX trade_offers_unsent ON trade_offers (workspace_id, owner_id) WHERE status IN (1, 2);
CREATE INDEX trade_offers_trade ON trade_offers (workspace_id, trade_id, id) WHERE trade_id IS NOT NULL;
CREATE INDEX trade_offers_owner ON trade_offers (workspace_id, owner_id, owner_kind, id);
CREATE INDEX trade_offers_account ON trade_offers (workspace_id, account_name, id);
CREATE INDEX trade_offers_direction ON trade_offers (workspace_id, direction, id);
CREATE INDEX trade_offers_status ON trade_offers (workspace_id, status, id);
CREATE INDEX trade_offers_account_status ON trade_offers (workspace_id, account_name, status, id);

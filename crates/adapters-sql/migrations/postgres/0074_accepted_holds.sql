-- Whether a person has an offer accepted though the platform would hold its items. Requests that were open before do not accept a hold.
ALTER TABLE trade_offers ADD COLUMN request_accepts_hold smallint NOT NULL DEFAULT 0;

-- Ids say in which order records were made and nothing of when: what is asked for by time is found by the time that is stored.
CREATE INDEX purchases_contract_made ON purchases (workspace_id, contract_id, status, created_at);
CREATE INDEX ledger_entries_at ON ledger_entries (workspace_id, at, id);
CREATE INDEX transitions_at ON transitions (workspace_id, subject_kind, at, id);
CREATE INDEX audit_events_at ON audit_events (log_id, at, id);
-- When a change was written down, by the server's clock: what it is about may live in another time. Of changes before this it is
-- not known, and taken for the same.
ALTER TABLE transitions ADD COLUMN logged_at BIGINT;
-- The kind of market in which a workspace trades: 1 the real one, 2 a simulated one; not known before it trades.
ALTER TABLE workspaces ADD COLUMN market SMALLINT CHECK (market IN (1, 2));
CREATE INDEX workspaces_simulated ON workspaces (id) WHERE market = 2;

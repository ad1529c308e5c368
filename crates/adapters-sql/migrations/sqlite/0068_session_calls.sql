-- When the engine last announced a call that begins a sign-in or revokes tokens: of two nodes one makes it.
ALTER TABLE account_sessions ADD COLUMN called_at INTEGER;
-- The renewals that are not over, newest first: those that are due before a time are looked for among them.
CREATE INDEX renewals_open_id ON renewals (workspace_id, id) WHERE status IN (1, 2, 4, 5);

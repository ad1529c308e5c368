-- Calls that were carried out under an idempotency key. Caller, operation, key and request are there as digests only, and the
-- answer is sealed under the caller's token.
CREATE TABLE executions (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  request BLOB NOT NULL CHECK (length(request) = 32),
  sealed BLOB,
  kept_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT;
CREATE INDEX executions_created ON executions (created_at);
CREATE INDEX executions_kept ON executions (kept_until) WHERE sealed IS NOT NULL;

-- Calls that were carried out under an idempotency key. Caller, operation, key and request are there as digests only, and the
-- answer is sealed under the caller's token.
CREATE TABLE executions (
  id uuid NOT NULL PRIMARY KEY,
  request bytea NOT NULL CHECK (length(request) = 32),
  sealed bytea,
  kept_until bigint NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
CREATE INDEX executions_created ON executions (created_at);
CREATE INDEX executions_kept ON executions (kept_until) WHERE sealed IS NOT NULL;

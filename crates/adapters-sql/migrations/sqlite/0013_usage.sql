-- How many calls a workspace has had: by minute since 1970, key (all zeros for sessions) and operation. Kept 90 days.
CREATE TABLE usage_counts (
  workspace_id BLOB NOT NULL,
  minute INTEGER NOT NULL,
  key_id BLOB NOT NULL,
  operation TEXT NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  rate_limited INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, minute, key_id, operation)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_counts_minute ON usage_counts (minute);

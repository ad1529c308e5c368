-- How many calls a workspace has had: by minute since 1970, key (all zeros for sessions) and operation. Kept 90 days.
CREATE TABLE usage_counts (
  workspace_id uuid NOT NULL,
  minute bigint NOT NULL,
  key_id uuid NOT NULL,
  operation text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  rate_limited bigint NOT NULL,
  PRIMARY KEY (workspace_id, minute, key_id, operation)
);
CREATE INDEX usage_counts_minute ON usage_counts (minute);

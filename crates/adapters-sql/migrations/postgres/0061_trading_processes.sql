-- The processes that trade for workspaces by their records, and when each was heard of last. Not written ahead: after a crash of the server each
-- reports again within seconds.
CREATE UNLOGGED TABLE trading_processes (
  id uuid NOT NULL PRIMARY KEY,
  seen_at bigint NOT NULL
);

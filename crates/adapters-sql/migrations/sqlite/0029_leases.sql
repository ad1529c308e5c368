-- Which node does which part of a workspace's work. Whoever holds a lease renews it, which raises its version.
CREATE TABLE leases (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  work_kind INTEGER NOT NULL CHECK (work_kind BETWEEN 1 AND 3),
  work_name TEXT NOT NULL,
  holder TEXT,
  renewed_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX leases_work ON leases (workspace_id, work_kind, work_name);

-- To find the contracts whose end has passed: those that are at work or stand still (2 to 4), of every workspace.
CREATE INDEX contracts_end ON contracts (ends_at) WHERE ends_at IS NOT NULL AND status IN (2, 3, 4);

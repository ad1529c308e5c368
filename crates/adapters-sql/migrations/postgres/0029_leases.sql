-- Which node does which part of a workspace's work. Whoever holds a lease renews it, which raises its version.
CREATE TABLE leases (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  work_kind smallint NOT NULL CHECK (work_kind BETWEEN 1 AND 3),
  work_name text COLLATE "C" NOT NULL,
  holder text COLLATE "C",
  renewed_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX leases_work ON leases (workspace_id, work_kind, work_name);

-- To find the contracts whose end has passed: those that are at work or stand still (2 to 4), of every workspace.
CREATE INDEX contracts_end ON contracts (ends_at) WHERE ends_at IS NOT NULL AND status IN (2, 3, 4);

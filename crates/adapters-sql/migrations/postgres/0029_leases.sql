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

-- Remediations: problems with records, what shows them, and who looks after them.
CREATE TABLE remediations (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  kind smallint NOT NULL,
  severity smallint NOT NULL CHECK (severity BETWEEN 1 AND 3),
  subject_kind smallint NOT NULL,
  subject_id uuid NOT NULL,
  status smallint NOT NULL,
  shown_by text COLLATE "C",
  expected text COLLATE "C",
  found text COLLATE "C",
  assignee_id uuid,
  reason text COLLATE "C",
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX remediations_open ON remediations (workspace_id, subject_id, kind) WHERE status IN (1, 2, 3, 4);
CREATE INDEX remediations_subject ON remediations (workspace_id, subject_id, kind);
CREATE INDEX remediations_status ON remediations (workspace_id, status, id);
CREATE INDEX remediations_kind ON remediations (workspace_id, kind, id);
CREATE INDEX remediations_severity ON remediations (workspace_id, severity, id);
CREATE INDEX remediations_status_kind ON remediations (workspace_id, status, kind, id);
CREATE INDEX remediations_status_severity ON remediations (workspace_id, status, severity, id);

-- UNCERTAIN: those whose outcome nobody knows are looked for by how long that is so.
CREATE INDEX purchases_uncertain ON purchases (updated_at) WHERE status = 3;

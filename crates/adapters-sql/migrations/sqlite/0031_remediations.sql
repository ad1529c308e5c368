-- Remediations: problems with records, what shows them, and who looks after them.
CREATE TABLE remediations (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  kind INTEGER NOT NULL,
  severity INTEGER NOT NULL CHECK (severity BETWEEN 1 AND 3),
  subject_kind INTEGER NOT NULL,
  subject_id BLOB NOT NULL CHECK (length(subject_id) = 16),
  status INTEGER NOT NULL,
  shown_by TEXT,
  expected TEXT,
  found TEXT,
  assignee_id BLOB CHECK (length(assignee_id) = 16),
  reason TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX remediations_open ON remediations (workspace_id, subject_id, kind) WHERE status IN (1, 2, 3, 4);
CREATE INDEX remediations_subject ON remediations (workspace_id, subject_id, kind);
CREATE INDEX remediations_status ON remediations (workspace_id, status, id);
CREATE INDEX remediations_kind ON remediations (workspace_id, kind, id);
CREATE INDEX remediations_severity ON remediations (workspace_id, severity, id);
CREATE INDEX remediations_status_kind ON remediations (workspace_id, status, kind, id);
CREATE INDEX remediations_status_severity ON remediations (workspace_id, status, severity, id);

-- UNCERTAIN: those whose outcome nobody knows are looked for by how long that is so.
CREATE INDEX purchases_uncertain ON purchases (updated_at) WHERE status = 3;

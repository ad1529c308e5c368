-- Filter sets as they are now. The record's own version guards its changes; rules_version is the number that people see.
CREATE TABLE filter_sets (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  -- Rules are JSON: read as a whole with the filter set, never searched.
  rules TEXT NOT NULL CHECK (json_valid(rules)),
  rules_version INTEGER NOT NULL CHECK (rules_version >= 1),
  contracts INTEGER NOT NULL CHECK (contracts >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Every version that a filter set has had, the current one among them.
CREATE TABLE filter_set_versions (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  filter_set_id BLOB NOT NULL CHECK (length(filter_set_id) = 16),
  rules_version INTEGER NOT NULL CHECK (rules_version >= 1),
  name TEXT NOT NULL,
  rules TEXT NOT NULL CHECK (json_valid(rules)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, filter_set_id, rules_version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER filter_set_versions_are_never_updated BEFORE UPDATE ON filter_set_versions
BEGIN SELECT raise(ABORT, 'filter_set_versions are append-only'); END;
CREATE TRIGGER filter_set_versions_are_never_deleted BEFORE DELETE ON filter_set_versions
BEGIN SELECT raise(ABORT, 'filter_set_versions are append-only'); END;

-- Filter sets as they are now. The record's own version guards its changes; rules_version is the number that people see.
CREATE TABLE filter_sets (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- Rules are JSON: read as a whole with the filter set, never searched.
  rules text COLLATE "C" NOT NULL CHECK (rules::json IS NOT NULL),
  rules_version bigint NOT NULL CHECK (rules_version >= 1),
  contracts bigint NOT NULL CHECK (contracts >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);

-- Every version that a filter set has had, the current one among them.
CREATE TABLE filter_set_versions (
  workspace_id uuid NOT NULL,
  filter_set_id uuid NOT NULL,
  rules_version bigint NOT NULL CHECK (rules_version >= 1),
  name text COLLATE "C" NOT NULL,
  rules text COLLATE "C" NOT NULL CHECK (rules::json IS NOT NULL),
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, filter_set_id, rules_version)
);
CREATE TRIGGER filter_set_versions_are_append_only BEFORE UPDATE OR DELETE ON filter_set_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER filter_set_versions_are_never_truncated BEFORE TRUNCATE ON filter_set_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

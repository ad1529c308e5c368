-- The terms of each contract from one change to the next, only ever added to.
CREATE TABLE contract_versions (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  contract_id uuid NOT NULL,
  record_version bigint NOT NULL CHECK (record_version >= 1),
  name text COLLATE "C" NOT NULL,
  contract_type smallint NOT NULL,
  -- JSON: read as a whole, never searched.
  terms text COLLATE "C" NOT NULL,
  filter_set_id uuid,
  pool_id uuid,
  approval_mode smallint NOT NULL,
  marketplaces text COLLATE "C" NOT NULL,
  price_reference text COLLATE "C",
  starts_at bigint,
  ends_at bigint,
  actor_kind smallint NOT NULL,
  actor_user_id uuid,
  actor_key_id uuid,
  made_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version = 1),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX contract_versions_contract ON contract_versions (workspace_id, contract_id, id);
-- The present terms of the contracts that there are. The audit log has who made them, and when.
INSERT INTO contract_versions (workspace_id, id, contract_id, record_version, name, contract_type, terms, filter_set_id, pool_id,
  approval_mode, marketplaces, price_reference, starts_at, ends_at, actor_kind, made_at, version)
SELECT workspace_id, id, id, version, name, contract_type, terms, filter_set_id, pool_id,
  approval_mode, marketplaces, price_reference, starts_at, ends_at, 3, updated_at, 1 FROM contracts;
CREATE TRIGGER contract_versions_are_append_only BEFORE UPDATE OR DELETE ON contract_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER contract_versions_are_never_truncated BEFORE TRUNCATE ON contract_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

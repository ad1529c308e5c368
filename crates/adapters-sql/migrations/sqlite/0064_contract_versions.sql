-- The terms of each contract from one change to the next, only ever added to.
CREATE TABLE contract_versions (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  record_version INTEGER NOT NULL CHECK (record_version >= 1),
  name TEXT NOT NULL,
  contract_type INTEGER NOT NULL,
  -- JSON: read as a whole, never searched.
  terms TEXT NOT NULL CHECK (json_valid(terms)),
  filter_set_id BLOB CHECK (length(filter_set_id) = 16),
  pool_id BLOB CHECK (length(pool_id) = 16),
  approval_mode INTEGER NOT NULL,
  marketplaces TEXT NOT NULL CHECK (json_valid(marketplaces)),
  price_reference TEXT CHECK (json_valid(price_reference)),
  starts_at INTEGER,
  ends_at INTEGER,
  actor_kind INTEGER NOT NULL,
  actor_user_id BLOB CHECK (length(actor_user_id) = 16),
  actor_key_id BLOB CHECK (length(actor_key_id) = 16),
  made_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version = 1),
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contract_versions_contract ON contract_versions (workspace_id, contract_id, id);
-- The present terms of the contracts that there are. The audit log has who made them, and when.
INSERT INTO contract_versions (workspace_id, id, contract_id, record_version, name, contract_type, terms, filter_set_id, pool_id,
  approval_mode, marketplaces, price_reference, starts_at, ends_at, actor_kind, made_at, version)
SELECT workspace_id, id, id, version, name, contract_type, terms, filter_set_id, pool_id,
  approval_mode, marketplaces, price_reference, starts_at, ends_at, 3, updated_at, 1 FROM contracts;
CREATE TRIGGER contract_versions_are_never_updated BEFORE UPDATE ON contract_versions
BEGIN SELECT raise(ABORT, 'contract_versions are append-only'); END;
CREATE TRIGGER contract_versions_are_never_deleted BEFORE DELETE ON contract_versions
BEGIN SELECT raise(ABORT, 'contract_versions are append-only'); END;

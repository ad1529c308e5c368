-- Where events are delivered, and which.
CREATE TABLE webhook_endpoints (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  url TEXT NOT NULL,
  description TEXT,
  -- JSON: read as a whole, never searched.
  types TEXT NOT NULL CHECK (json_valid(types)),
  status INTEGER NOT NULL,
  disabled_reason INTEGER,
  secret_hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((status = 1) = (disabled_reason IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_status ON webhook_endpoints (workspace_id, status, id);
CREATE INDEX webhook_endpoints_active ON webhook_endpoints (workspace_id, id) WHERE status = 1;

-- How far each has followed the log of changes, and how well its deliveries go: written with every delivery, so apart from what
-- users change.
CREATE TABLE webhook_progress (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  after_transition_id BLOB CHECK (length(after_transition_id) = 16),
  consecutive_failures INTEGER NOT NULL CHECK (consecutive_failures >= 0),
  failing_since INTEGER,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((consecutive_failures = 0) = (failing_since IS NULL))
) STRICT, WITHOUT ROWID;

-- Events that are delivered to endpoints, with their tries.
CREATE TABLE webhook_deliveries (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  endpoint_id BLOB NOT NULL CHECK (length(endpoint_id) = 16),
  event_type TEXT NOT NULL,
  event_id BLOB NOT NULL CHECK (length(event_id) = 16),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
  tries INTEGER NOT NULL CHECK (tries >= 0),
  due_at INTEGER NOT NULL,
  http_status INTEGER,
  error TEXT,
  excerpt TEXT,
  duration_ms INTEGER CHECK (duration_ms >= 0),
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 1) = (done_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (workspace_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (workspace_id, endpoint_id, state, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 1;
CREATE INDEX webhook_deliveries_due_of ON webhook_deliveries (workspace_id, endpoint_id, due_at, id) WHERE state = 1;
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (done_at) WHERE state IN (2, 4);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

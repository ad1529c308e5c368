-- Where events are delivered, and which.
CREATE TABLE webhook_endpoints (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  url text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  -- JSON: read as a whole, never searched.
  types text COLLATE "C" NOT NULL CHECK (types::json IS NOT NULL),
  status smallint NOT NULL,
  disabled_reason smallint,
  secret_hint text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((status = 1) = (disabled_reason IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_endpoints_status ON webhook_endpoints (workspace_id, status, id);
CREATE INDEX webhook_endpoints_active ON webhook_endpoints (workspace_id, id) WHERE status = 1;

-- How far each has followed the log of changes, and how well its deliveries go: written with every delivery, so apart from what
-- users change.
CREATE TABLE webhook_progress (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  after_transition_id uuid,
  consecutive_failures bigint NOT NULL CHECK (consecutive_failures >= 0),
  failing_since bigint,
  last_success_at bigint,
  last_failure_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((consecutive_failures = 0) = (failing_since IS NULL))
) WITH (fillfactor = 80);

-- Events that are delivered to endpoints, with their tries.
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  event_id uuid NOT NULL,
  state smallint NOT NULL CHECK (state BETWEEN 1 AND 4),
  tries smallint NOT NULL CHECK (tries >= 0),
  due_at bigint NOT NULL,
  http_status integer,
  error text COLLATE "C",
  excerpt text COLLATE "C",
  duration_ms bigint CHECK (duration_ms >= 0),
  created_at bigint NOT NULL,
  done_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 1) = (done_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (workspace_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (workspace_id, endpoint_id, state, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 1;
CREATE INDEX webhook_deliveries_due_of ON webhook_deliveries (workspace_id, endpoint_id, due_at, id) WHERE state = 1;
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (done_at) WHERE state IN (2, 4);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

-- Where alerts are sent. What is secret of a channel is in workspace_secrets.
CREATE TABLE alert_channels (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The member whose own channel it is; zeros for a channel of the workspace.
  owner_id uuid NOT NULL,
  kind smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  target text COLLATE "C",
  secret_hint text COLLATE "C",
  status smallint NOT NULL,
  disabled_reason smallint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((status = 1) = (disabled_reason IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX alert_channels_owner ON alert_channels (workspace_id, owner_id, id);
CREATE INDEX alert_channels_status ON alert_channels (workspace_id, owner_id, status, id);
CREATE INDEX alert_channels_active ON alert_channels (workspace_id, id) WHERE status = 1;

-- How far each has followed what happens, how much was sent to it lately, and how well that goes.
CREATE TABLE alert_progress (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  after_transition_id uuid,
  halted_since bigint,
  window_began_at bigint NOT NULL,
  sent_in_window bigint NOT NULL CHECK (sent_in_window >= 0),
  beaten_at bigint,
  consecutive_failures bigint NOT NULL CHECK (consecutive_failures >= 0),
  failing_since bigint,
  last_success_at bigint,
  last_failure_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((consecutive_failures = 0) = (failing_since IS NULL))
) WITH (fillfactor = 80);

-- What is sent to a channel, and when.
CREATE TABLE alert_rules (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  channel_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  -- JSON: read as a whole, never searched.
  topics text COLLATE "C" NOT NULL CHECK (topics::json IS NOT NULL),
  urgent text COLLATE "C" NOT NULL CHECK (urgent::json IS NOT NULL),
  kinds text COLLATE "C" NOT NULL CHECK (kinds::json IS NOT NULL),
  min_severity smallint,
  silent_minutes integer NOT NULL CHECK (silent_minutes >= 0),
  pace smallint NOT NULL,
  time_zone text COLLATE "C" NOT NULL,
  quiet_from text COLLATE "C",
  quiet_to text COLLATE "C",
  daily_at text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX alert_rules_channel ON alert_rules (workspace_id, channel_id, id);

-- What was or will be sent: a channel has one message of a problem.
CREATE TABLE alert_messages (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  channel_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  rule_id uuid,
  topic smallint NOT NULL,
  severity smallint NOT NULL,
  subject_kind smallint,
  subject_id uuid,
  problem text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  detail text COLLATE "C",
  state smallint NOT NULL CHECK (state BETWEEN 1 AND 4),
  tries smallint NOT NULL CHECK (tries >= 0),
  due_at bigint NOT NULL,
  error text COLLATE "C",
  resolved_at bigint,
  created_at bigint NOT NULL,
  done_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CHECK ((state = 1) = (done_at IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX alert_messages_problem ON alert_messages (workspace_id, channel_id, problem);
CREATE INDEX alert_messages_channel ON alert_messages (workspace_id, channel_id, id);
CREATE INDEX alert_messages_state ON alert_messages (workspace_id, channel_id, state, id);
CREATE INDEX alert_messages_due ON alert_messages (due_at) WHERE state = 1;
CREATE INDEX alert_messages_due_of ON alert_messages (workspace_id, channel_id, due_at, id) WHERE state = 1;
CREATE INDEX alert_messages_created ON alert_messages (created_at);

-- Where alerts are sent. What is secret of a channel is in workspace_secrets.
CREATE TABLE alert_channels (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- The member whose own channel it is; zeros for a channel of the workspace.
  owner_id BLOB NOT NULL CHECK (length(owner_id) = 16),
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  target TEXT,
  secret_hint TEXT,
  status INTEGER NOT NULL,
  disabled_reason INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((status = 1) = (disabled_reason IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_channels_owner ON alert_channels (workspace_id, owner_id, id);
CREATE INDEX alert_channels_status ON alert_channels (workspace_id, owner_id, status, id);
CREATE INDEX alert_channels_active ON alert_channels (workspace_id, id) WHERE status = 1;

-- How far each has followed what happens, how much was sent to it lately, and how well that goes.
CREATE TABLE alert_progress (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  after_transition_id BLOB CHECK (length(after_transition_id) = 16),
  halted_since INTEGER,
  window_began_at INTEGER NOT NULL,
  sent_in_window INTEGER NOT NULL CHECK (sent_in_window >= 0),
  beaten_at INTEGER,
  consecutive_failures INTEGER NOT NULL CHECK (consecutive_failures >= 0),
  failing_since INTEGER,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((consecutive_failures = 0) = (failing_since IS NULL))
) STRICT, WITHOUT ROWID;

-- What is sent to a channel, and when.
CREATE TABLE alert_rules (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  channel_id BLOB NOT NULL CHECK (length(channel_id) = 16),
  owner_id BLOB NOT NULL CHECK (length(owner_id) = 16),
  -- JSON: read as a whole, never searched.
  topics TEXT NOT NULL CHECK (json_valid(topics)),
  urgent TEXT NOT NULL CHECK (json_valid(urgent)),
  kinds TEXT NOT NULL CHECK (json_valid(kinds)),
  min_severity INTEGER,
  silent_minutes INTEGER NOT NULL CHECK (silent_minutes >= 0),
  pace INTEGER NOT NULL,
  time_zone TEXT NOT NULL,
  quiet_from TEXT,
  quiet_to TEXT,
  daily_at TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_rules_channel ON alert_rules (workspace_id, channel_id, id);

-- What was or will be sent: a channel has one message of a problem.
CREATE TABLE alert_messages (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  channel_id BLOB NOT NULL CHECK (length(channel_id) = 16),
  owner_id BLOB NOT NULL CHECK (length(owner_id) = 16),
  rule_id BLOB CHECK (length(rule_id) = 16),
  topic INTEGER NOT NULL,
  severity INTEGER NOT NULL,
  subject_kind INTEGER,
  subject_id BLOB CHECK (length(subject_id) = 16),
  problem TEXT NOT NULL,
  title TEXT NOT NULL,
  detail TEXT,
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
  tries INTEGER NOT NULL CHECK (tries >= 0),
  due_at INTEGER NOT NULL,
  error TEXT,
  resolved_at INTEGER,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CHECK ((state = 1) = (done_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX alert_messages_problem ON alert_messages (workspace_id, channel_id, problem);
CREATE INDEX alert_messages_channel ON alert_messages (workspace_id, channel_id, id);
CREATE INDEX alert_messages_state ON alert_messages (workspace_id, channel_id, state, id);
CREATE INDEX alert_messages_due ON alert_messages (due_at) WHERE state = 1;
CREATE INDEX alert_messages_due_of ON alert_messages (workspace_id, channel_id, due_at, id) WHERE state = 1;
CREATE INDEX alert_messages_created ON alert_messages (created_at);

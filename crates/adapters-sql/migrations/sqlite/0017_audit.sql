-- The audit log: events as they are committed, and the chain that is made over them afterwards. A log is a workspace's or a
-- user's, under its id, or the installation's, under zeros.

-- Since when there are events: a workspace that was made before may have none.
CREATE TABLE audit_began (
  at INTEGER NOT NULL
) STRICT;
INSERT INTO audit_began (at) VALUES (CAST(unixepoch('subsec') * 1000000 AS INTEGER));
CREATE TRIGGER audit_began_is_never_updated BEFORE UPDATE ON audit_began
BEGIN SELECT raise(ABORT, 'audit_began is append-only'); END;
CREATE TRIGGER audit_began_is_never_deleted BEFORE DELETE ON audit_began
BEGIN SELECT raise(ABORT, 'audit_began is append-only'); END;

CREATE TABLE audit_events (
  log_id BLOB NOT NULL CHECK (length(log_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  home INTEGER NOT NULL CHECK (home IN (1, 2, 3)),
  kind TEXT NOT NULL,
  actor_kind INTEGER CHECK (actor_kind IN (1, 2, 3)),
  actor_user_id BLOB CHECK (length(actor_user_id) = 16),
  actor_key_id BLOB CHECK (length(actor_key_id) = 16),
  subject_kind INTEGER,
  subject_id BLOB CHECK (length(subject_id) = 16),
  client TEXT,
  details TEXT NOT NULL,
  at INTEGER NOT NULL,
  mac BLOB NOT NULL CHECK (length(mac) = 32),
  PRIMARY KEY (log_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_events_kind ON audit_events (log_id, kind, id);
CREATE INDEX audit_events_user ON audit_events (log_id, actor_user_id, id) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_events_key ON audit_events (log_id, actor_key_id, id) WHERE actor_key_id IS NOT NULL;
CREATE INDEX audit_events_done ON audit_events (actor_user_id, id) WHERE actor_user_id IS NOT NULL;
CREATE TRIGGER audit_events_are_never_updated BEFORE UPDATE ON audit_events
BEGIN SELECT raise(ABORT, 'audit_events are append-only'); END;
CREATE TRIGGER audit_events_are_never_deleted BEFORE DELETE ON audit_events
BEGIN SELECT raise(ABORT, 'audit_events are append-only'); END;

CREATE TABLE audit_chain (
  log_id BLOB NOT NULL CHECK (length(log_id) = 16),
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  event_id BLOB NOT NULL CHECK (length(event_id) = 16),
  prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (log_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX audit_chain_event ON audit_chain (log_id, event_id);
CREATE TRIGGER audit_chain_is_never_updated BEFORE UPDATE ON audit_chain
BEGIN SELECT raise(ABORT, 'audit_chain is append-only'); END;
CREATE TRIGGER audit_chain_is_never_deleted BEFORE DELETE ON audit_chain
BEGIN SELECT raise(ABORT, 'audit_chain is append-only'); END;

-- Where the chain of each log ends. Its version lets one process at a time go on from there.
CREATE TABLE audit_heads (
  log_id BLOB NOT NULL PRIMARY KEY CHECK (length(log_id) = 16),
  sequence INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

-- Events that are not chained yet: the order of commits is not the order of ids, so nothing else tells them.
CREATE TABLE audit_waiting (
  event_id BLOB NOT NULL PRIMARY KEY,
  log_id BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_waiting_log ON audit_waiting (log_id);
CREATE TRIGGER audit_events_wait AFTER INSERT ON audit_events
BEGIN INSERT INTO audit_waiting (event_id, log_id) VALUES (NEW.id, NEW.log_id); END;
CREATE TRIGGER audit_chain_ends_the_wait AFTER INSERT ON audit_chain
BEGIN DELETE FROM audit_waiting WHERE event_id = NEW.event_id; END;

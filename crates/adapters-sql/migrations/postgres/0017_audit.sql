-- The audit log: events as they are committed, and the chain that is made over them afterwards. A log is a workspace's or a
-- user's, under its id, or the installation's, under zeros.

-- Since when there are events: a workspace that was made before may have none.
CREATE TABLE audit_began (
  at bigint NOT NULL
);
INSERT INTO audit_began (at) VALUES ((extract(epoch FROM now()) * 1000000)::bigint);
CREATE TRIGGER audit_began_is_append_only BEFORE UPDATE OR DELETE ON audit_began
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_began_is_never_truncated BEFORE TRUNCATE ON audit_began
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_events (
  log_id uuid NOT NULL,
  id uuid NOT NULL,
  home smallint NOT NULL CHECK (home IN (1, 2, 3)),
  kind text COLLATE "C" NOT NULL,
  actor_kind smallint CHECK (actor_kind IN (1, 2, 3)),
  actor_user_id uuid,
  actor_key_id uuid,
  subject_kind smallint,
  subject_id uuid,
  client text COLLATE "C",
  details text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  mac bytea NOT NULL CHECK (length(mac) = 32),
  PRIMARY KEY (log_id, id)
);
CREATE INDEX audit_events_kind ON audit_events (log_id, kind, id);
CREATE INDEX audit_events_user ON audit_events (log_id, actor_user_id, id) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_events_key ON audit_events (log_id, actor_key_id, id) WHERE actor_key_id IS NOT NULL;
CREATE INDEX audit_events_done ON audit_events (actor_user_id, id) WHERE actor_user_id IS NOT NULL;
CREATE TRIGGER audit_events_are_append_only BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_events_are_never_truncated BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_chain (
  log_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 1),
  event_id uuid NOT NULL,
  prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (log_id, sequence)
);
CREATE UNIQUE INDEX audit_chain_event ON audit_chain (log_id, event_id);
CREATE TRIGGER audit_chain_is_append_only BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_chain_is_never_truncated BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Where the chain of each log ends. Its version lets one process at a time go on from there.
CREATE TABLE audit_heads (
  log_id uuid NOT NULL PRIMARY KEY,
  sequence bigint NOT NULL,
  hash bytea NOT NULL,
  mac bytea NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);

-- Events that are not chained yet: the order of commits is not the order of ids, so nothing else tells them.
CREATE TABLE audit_waiting (
  event_id uuid NOT NULL PRIMARY KEY,
  log_id uuid NOT NULL
);
CREATE INDEX audit_waiting_log ON audit_waiting (log_id);

CREATE FUNCTION await_chaining() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_waiting (event_id, log_id) SELECT id, log_id FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_events_wait AFTER INSERT ON audit_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_chaining();

CREATE FUNCTION end_the_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM audit_waiting w USING added a WHERE w.event_id = a.event_id;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_chain_ends_the_wait AFTER INSERT ON audit_chain
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION end_the_wait();

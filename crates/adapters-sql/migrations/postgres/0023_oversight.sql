-- Why and since when a workspace buys nothing; both absent while it trades.
ALTER TABLE workspaces ADD COLUMN halt_reason text COLLATE "C";
ALTER TABLE workspaces ADD COLUMN halted_at bigint CHECK ((halted_at IS NULL) = (halt_reason IS NULL));

-- The log of status changes by time, and the order in which it is watched.
CREATE UNIQUE INDEX transitions_id ON transitions (workspace_id, subject_kind, id);

-- Given after the commit, by one process at a time: whoever has seen a position has seen every one before it.
CREATE TABLE transition_places (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  subject_kind smallint NOT NULL,
  transition_id uuid NOT NULL
);
CREATE INDEX transition_places_kind ON transition_places (workspace_id, subject_kind, position);
CREATE INDEX transition_places_id ON transition_places (workspace_id, transition_id);
CREATE TRIGGER transition_places_are_append_only BEFORE UPDATE OR DELETE ON transition_places
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transition_places_are_never_truncated BEFORE TRUNCATE ON transition_places
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Those that have no place yet: the order of commits is not the order of ids, so nothing else tells them.
CREATE TABLE transitions_waiting (
  transition_id uuid NOT NULL PRIMARY KEY,
  workspace_id uuid NOT NULL,
  subject_kind smallint NOT NULL
);
CREATE FUNCTION await_a_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transitions_waiting (transition_id, workspace_id, subject_kind)
    SELECT id, workspace_id, subject_kind FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER transitions_await_a_place AFTER INSERT ON transitions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_a_place();

INSERT INTO transition_places (workspace_id, subject_kind, transition_id)
  SELECT workspace_id, subject_kind, id FROM transitions ORDER BY id;

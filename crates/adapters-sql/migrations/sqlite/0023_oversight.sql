-- Why and since when a workspace buys nothing; both absent while it trades.
ALTER TABLE workspaces ADD COLUMN halt_reason TEXT;
ALTER TABLE workspaces ADD COLUMN halted_at INTEGER CHECK ((halted_at IS NULL) = (halt_reason IS NULL));

-- The log of status changes by time, and the order in which it is watched. Writers of the file come one after the other, so
-- that the order in which rows are added is the order in which they are committed.
CREATE UNIQUE INDEX transitions_id ON transitions (workspace_id, subject_kind, id);

CREATE TABLE transition_places (
  position INTEGER NOT NULL PRIMARY KEY,
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  subject_kind INTEGER NOT NULL,
  transition_id BLOB NOT NULL CHECK (length(transition_id) = 16)
) STRICT;
CREATE INDEX transition_places_kind ON transition_places (workspace_id, subject_kind, position);
CREATE INDEX transition_places_id ON transition_places (workspace_id, transition_id);
CREATE TRIGGER transition_places_are_never_updated BEFORE UPDATE ON transition_places
BEGIN SELECT raise(ABORT, 'transition_places are append-only'); END;
CREATE TRIGGER transition_places_are_never_deleted BEFORE DELETE ON transition_places
BEGIN SELECT raise(ABORT, 'transition_places are append-only'); END;

INSERT INTO transition_places (workspace_id, subject_kind, transition_id)
  SELECT workspace_id, subject_kind, id FROM transitions ORDER BY id;
CREATE TRIGGER transitions_get_a_place AFTER INSERT ON transitions
BEGIN
  INSERT INTO transition_places (workspace_id, subject_kind, transition_id)
    VALUES (NEW.workspace_id, NEW.subject_kind, NEW.id);
END;

-- Mails that wait to be handed over. What they say is sealed; a row goes once its mail was taken or given up.
CREATE TABLE outgoing_mails (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  recipient TEXT NOT NULL,
  sealed BLOB NOT NULL,
  tries INTEGER NOT NULL CHECK (tries >= 0),
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1)
) STRICT;
CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at, id);

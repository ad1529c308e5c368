-- Mails that wait to be handed over. What they say is sealed; a row goes once its mail was taken or given up.
CREATE TABLE outgoing_mails (
  id uuid NOT NULL PRIMARY KEY,
  recipient text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  tries smallint NOT NULL CHECK (tries >= 0),
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1)
);
CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at, id);

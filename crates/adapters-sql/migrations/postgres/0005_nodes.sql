-- Several processes on one database: what they count together, which of them are alive, and the news that rights changed.

-- Not written ahead: after a crash of the server everybody has their burst again, and each charge costs less for it.
CREATE UNLOGGED TABLE rate_limits (
  class smallint NOT NULL,
  partition bytea NOT NULL,
  full_at bigint NOT NULL,
  PRIMARY KEY (class, partition)
);
CREATE INDEX rate_limits_full_at ON rate_limits (full_at);

CREATE UNLOGGED TABLE nodes (
  id uuid NOT NULL PRIMARY KEY,
  seen_at bigint NOT NULL
);

CREATE FUNCTION tell_of_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY tradepost_rights;
  RETURN NULL;
END $$;
CREATE TRIGGER users_tell_of_rights AFTER UPDATE OR DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_rights();
CREATE TRIGGER sessions_tell_of_rights AFTER UPDATE OR DELETE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_rights();
CREATE TRIGGER memberships_tell_of_rights AFTER UPDATE OR DELETE ON memberships
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_rights();
CREATE TRIGGER api_keys_tell_of_rights AFTER UPDATE OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_rights();

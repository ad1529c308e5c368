-- Whether the chat of an account is read, and messages can be sent.
ALTER TABLE trading_accounts ADD COLUMN chat_enabled smallint NOT NULL DEFAULT 0;

-- Accounts of the platform that a trading account is or was related to, and what a person asks for.
CREATE TABLE friends (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  platform_user_id text COLLATE "C" NOT NULL,
  relation smallint NOT NULL,
  name text COLLATE "C",
  friend_since bigint,
  seen_at bigint,
  note text COLLATE "C",
  action smallint,
  action_state smallint,
  failure smallint,
  attempts bigint,
  action_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((action IS NULL) = (action_state IS NULL)),
  CHECK ((action IS NULL) = (attempts IS NULL)),
  CHECK ((action IS NULL) = (action_at IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX friends_user ON friends (workspace_id, account_id, platform_user_id);
CREATE INDEX friends_account ON friends (workspace_id, account_id, id);
CREATE INDEX friends_relation ON friends (workspace_id, relation, id);
CREATE INDEX friends_account_relation ON friends (workspace_id, account_id, relation, id);
CREATE INDEX friends_open ON friends (workspace_id, id) WHERE action_state IN (1, 2);

-- When the friends of each account were read, and when a person asked for it.
CREATE TABLE friend_lists (
  workspace_id uuid NOT NULL,
  account_id uuid NOT NULL,
  requested_at bigint,
  read_at bigint,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, account_id)
) WITH (fillfactor = 80);

-- Conversations of trading accounts.
CREATE TABLE conversations (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  partner text COLLATE "C" NOT NULL,
  last_message_at bigint,
  -- 1 for a conversation that was read, 2 for one with unread messages.
  reading smallint NOT NULL CHECK (reading IN (1, 2)),
  unread bigint NOT NULL CHECK (unread >= 0),
  read_until bigint,
  unreported smallint NOT NULL,
  recorded_at bigint,
  recorded_ordinal bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((reading = 2) = (unread > 0)),
  CHECK ((recorded_at IS NULL) = (recorded_ordinal IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX conversations_partner ON conversations (workspace_id, account_id, partner);
CREATE INDEX conversations_account ON conversations (workspace_id, account_id, id);
CREATE INDEX conversations_reading ON conversations (workspace_id, reading, id);
CREATE INDEX conversations_account_reading ON conversations (workspace_id, account_id, reading, id);
CREATE INDEX conversations_unreported ON conversations (workspace_id, id) WHERE unreported = 1;

-- Chat messages. The text of each is in workspace_secrets.
CREATE TABLE chat_messages (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  from_us smallint NOT NULL,
  status smallint NOT NULL,
  sent_at bigint,
  ordinal bigint,
  -- 1 for a user, 2 for an API key.
  author_kind smallint,
  author_id uuid,
  submitted_at bigint,
  failure smallint,
  created_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((sent_at IS NULL) = (ordinal IS NULL)),
  CHECK ((author_kind IS NULL) = (author_id IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX chat_messages_place ON chat_messages (workspace_id, conversation_id, sent_at, ordinal)
  WHERE sent_at IS NOT NULL;
CREATE INDEX chat_messages_conversation ON chat_messages (workspace_id, conversation_id, id);
CREATE INDEX chat_messages_open ON chat_messages (workspace_id, id) WHERE status IN (2, 4);
CREATE INDEX chat_messages_sought ON chat_messages (workspace_id, conversation_id, id)
  WHERE status = 4 OR failure = 4;
CREATE INDEX chat_messages_created ON chat_messages (created_at);
CREATE INDEX workspace_secrets_chat ON workspace_secrets (updated_at) WHERE of_table = 'chat_messages';

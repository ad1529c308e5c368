-- Whether the chat of an account is read, and messages can be sent.
ALTER TABLE trading_accounts ADD COLUMN chat_enabled INTEGER NOT NULL DEFAULT 0;

-- Accounts of the platform that a trading account is or was related to, and what a person asks for.
CREATE TABLE friends (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  platform_user_id TEXT NOT NULL,
  relation INTEGER NOT NULL,
  name TEXT,
  friend_since INTEGER,
  seen_at INTEGER,
  note TEXT,
  action INTEGER,
  action_state INTEGER,
  failure INTEGER,
  attempts INTEGER,
  action_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((action IS NULL) = (action_state IS NULL)),
  CHECK ((action IS NULL) = (attempts IS NULL)),
  CHECK ((action IS NULL) = (action_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX friends_user ON friends (workspace_id, account_id, platform_user_id);
CREATE INDEX friends_account ON friends (workspace_id, account_id, id);
CREATE INDEX friends_relation ON friends (workspace_id, relation, id);
CREATE INDEX friends_account_relation ON friends (workspace_id, account_id, relation, id);
CREATE INDEX friends_open ON friends (workspace_id, id) WHERE action_state IN (1, 2);

-- When the friends of each account were read, and when a person asked for it.
CREATE TABLE friend_lists (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  requested_at INTEGER,
  read_at INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, account_id)
) STRICT, WITHOUT ROWID;

-- Conversations of trading accounts.
CREATE TABLE conversations (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  partner TEXT NOT NULL,
  last_message_at INTEGER,
  -- 1 for a conversation that was read, 2 for one with unread messages.
  reading INTEGER NOT NULL CHECK (reading IN (1, 2)),
  unread INTEGER NOT NULL CHECK (unread >= 0),
  read_until INTEGER,
  unreported INTEGER NOT NULL,
  recorded_at INTEGER,
  recorded_ordinal INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((reading = 2) = (unread > 0)),
  CHECK ((recorded_at IS NULL) = (recorded_ordinal IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX conversations_partner ON conversations (workspace_id, account_id, partner);
CREATE INDEX conversations_account ON conversations (workspace_id, account_id, id);
CREATE INDEX conversations_reading ON conversations (workspace_id, reading, id);
CREATE INDEX conversations_account_reading ON conversations (workspace_id, account_id, reading, id);
CREATE INDEX conversations_unreported ON conversations (workspace_id, id) WHERE unreported = 1;

-- Chat messages. The text of each is in workspace_secrets.
CREATE TABLE chat_messages (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  conversation_id BLOB NOT NULL CHECK (length(conversation_id) = 16),
  from_us INTEGER NOT NULL,
  status INTEGER NOT NULL,
  sent_at INTEGER,
  ordinal INTEGER,
  -- 1 for a user, 2 for an API key.
  author_kind INTEGER,
  author_id BLOB CHECK (length(author_id) = 16),
  submitted_at INTEGER,
  failure INTEGER,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK ((sent_at IS NULL) = (ordinal IS NULL)),
  CHECK ((author_kind IS NULL) = (author_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chat_messages_place ON chat_messages (workspace_id, conversation_id, sent_at, ordinal)
  WHERE sent_at IS NOT NULL;
CREATE INDEX chat_messages_conversation ON chat_messages (workspace_id, conversation_id, id);
CREATE INDEX chat_messages_open ON chat_messages (workspace_id, id) WHERE status IN (2, 4);
CREATE INDEX chat_messages_sought ON chat_messages (workspace_id, conversation_id, id)
  WHERE status = 4 OR failure = 4;
CREATE INDEX chat_messages_created ON chat_messages (created_at);
CREATE INDEX workspace_secrets_chat ON workspace_secrets (updated_at) WHERE of_table = 'chat_messages';

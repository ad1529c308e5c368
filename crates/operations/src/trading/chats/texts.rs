//! The texts of messages: sealed under the workspace's data key, each for its own message.

use std::collections::HashMap;

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ChatMessageId;
use tradepost_domain::trading::chat::ChatText;
use tradepost_ports::changes::Changes;
use tradepost_ports::store::StoreError;

use crate::secrets::sealed_column::SealedColumn;
use crate::{OpError, OpResult, Operations};

const TEXT: SealedColumn = SealedColumn { table: "chat_messages", column: "text" };

/// Adds the texts of new messages to the changes that bring the messages.
pub(crate) async fn keep_texts(
    operations: &Operations,
    scope: WorkspaceScope,
    texts: &[(ChatMessageId, &ChatText)],
    changes: &mut Changes,
) -> OpResult<()> {
    let plain: Vec<([u8; 16], &[u8])> =
        texts.iter().map(|(id, text)| (id.to_bytes(), text.as_str().as_bytes())).collect();
    TEXT.keep(operations, scope, &plain, changes).await
}

/// Returns the texts of messages; a message whose text was deleted has none.
pub(crate) async fn open_texts(
    operations: &Operations,
    scope: WorkspaceScope,
    ids: &[ChatMessageId],
) -> OpResult<HashMap<ChatMessageId, ChatText>> {
    let rows: Vec<[u8; 16]> = ids.iter().map(|id| id.to_bytes()).collect();
    let opened = TEXT.open(operations, scope, &rows).await?;
    let text = |(row, plain): ([u8; 16], secrecy::SecretSlice<u8>)| {
        let broken = |_| StoreError::Corrupt("the text of a message".to_owned());
        let text = std::str::from_utf8(plain.expose_secret()).map_err(broken)?;
        Ok::<_, OpError>((ChatMessageId::from_bytes(row), ChatText::stored(text)))
    };
    opened.into_iter().map(text).collect()
}

//! Chats of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::trading::chats as record;
use crate::convert::{id, ids, optional_id, timestamp, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_conversations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListConversationsRequest>,
) -> ServiceResult<wire::ListConversationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListConversations {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        unread_only: request.unread_only,
    };
    let page = operations.list_conversations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListConversationsResponse {
        conversation_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_conversation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetConversationRequest>,
) -> ServiceResult<wire::GetConversationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let conversation_id = id("conversationId", request.conversation_id)?;
    let command = operation::GetConversation { workspace_id, conversation_id };
    let conversation = operations.get_conversation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetConversationResponse { conversation: record::conversation(&conversation).into() })
}

pub(super) async fn get_conversations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetConversationsRequest>,
) -> ServiceResult<wire::GetConversationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let conversation_ids = ids("conversationIds", &request.conversation_ids)?;
    let command = operation::GetConversations { workspace_id, conversation_ids };
    let batch = operations.get_conversations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetConversationsResponse {
        conversations: batch.found.iter().map(record::conversation).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_conversations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountConversationsRequest>,
) -> ServiceResult<wire::CountConversationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountConversations { workspace_id };
    let counts = operations.count_conversations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CountConversationsResponse {
        total: Some(wire_count(counts.total)),
        unread: Some(wire_count(counts.unread)),
    })
}

pub(super) async fn list_messages(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListMessagesRequest>,
) -> ServiceResult<wire::ListMessagesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListMessages {
        workspace_id,
        conversation_id: id("conversationId", request.conversation_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_messages(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListMessagesResponse {
        message_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_messages(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetMessagesRequest>,
) -> ServiceResult<wire::GetMessagesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetMessages { workspace_id, message_ids: ids("messageIds", &request.message_ids)? };
    let found = operations.get_messages(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetMessagesResponse {
        messages: found.messages.iter().map(record::message).collect(),
        missing_ids: wire_ids(found.missing),
    })
}

pub(super) async fn send_message(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SendMessageRequest>,
) -> ServiceResult<wire::SendMessageResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SendMessage {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        partner: request.partner.to_owned(),
        text: request.text.to_owned(),
    };
    let message = operations.send_message(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SendMessageResponse { message: record::message(&message).into() })
}

pub(super) async fn mark_conversation_read(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::MarkConversationReadRequest>,
) -> ServiceResult<wire::MarkConversationReadResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::MarkConversationRead {
        workspace_id,
        conversation_id: id("conversationId", request.conversation_id)?,
        until: timestamp("until", &request.until)?,
    };
    let conversation = operations.mark_conversation_read(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::MarkConversationReadResponse { conversation: record::conversation(&conversation).into() })
}

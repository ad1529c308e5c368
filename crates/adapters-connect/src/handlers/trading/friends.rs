//! Friends of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::friends as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_friends(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListFriendsRequest>,
) -> ServiceResult<wire::ListFriendsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListFriends {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        relation: optional_enum("relation", request.relation)?,
    };
    let page = operations.list_friends(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListFriendsResponse { friend_ids: wire_ids(page.entries), next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetFriendRequest>,
) -> ServiceResult<wire::GetFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetFriend { workspace_id, friend_id: id("friendId", request.friend_id)? };
    let friend = operations.get_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn get_friends(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetFriendsRequest>,
) -> ServiceResult<wire::GetFriendsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetFriends { workspace_id, friend_ids: ids("friendIds", &request.friend_ids)? };
    let batch = operations.get_friends(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetFriendsResponse {
        friends: batch.found.iter().map(record::friend).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_friends(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountFriendsRequest>,
) -> ServiceResult<wire::CountFriendsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let counted = operations.count_friends(caller, operation::CountFriends { workspace_id }).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::FriendCount {
        relation: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountFriendsResponse { counts: counts.collect() })
}

pub(super) async fn add_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AddFriendRequest>,
) -> ServiceResult<wire::AddFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AddFriend {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        platform_user_id: request.platform_user_id.to_owned(),
        note: request.note.to_owned(),
    };
    let friend = operations.add_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AddFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn accept_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AcceptFriendRequest>,
) -> ServiceResult<wire::AcceptFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (friend_id, expected_version) = (id("friendId", request.friend_id)?, request.expected_version);
    let command = operation::AcceptFriend { workspace_id, friend_id, expected_version };
    let friend = operations.accept_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AcceptFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn remove_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RemoveFriendRequest>,
) -> ServiceResult<wire::RemoveFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (friend_id, expected_version) = (id("friendId", request.friend_id)?, request.expected_version);
    let command = operation::RemoveFriend { workspace_id, friend_id, expected_version };
    let friend = operations.remove_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RemoveFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn block_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BlockFriendRequest>,
) -> ServiceResult<wire::BlockFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (friend_id, expected_version) = (id("friendId", request.friend_id)?, request.expected_version);
    let command = operation::BlockFriend { workspace_id, friend_id, expected_version };
    let friend = operations.block_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::BlockFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn unblock_friend(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UnblockFriendRequest>,
) -> ServiceResult<wire::UnblockFriendResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (friend_id, expected_version) = (id("friendId", request.friend_id)?, request.expected_version);
    let command = operation::UnblockFriend { workspace_id, friend_id, expected_version };
    let friend = operations.unblock_friend(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UnblockFriendResponse { friend: record::friend(&friend).into() })
}

pub(super) async fn refresh_friends(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RefreshFriendsRequest>,
) -> ServiceResult<wire::RefreshFriendsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RefreshFriends { workspace_id, account_id: id("accountId", request.account_id)? };
    let list = operations.refresh_friends(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RefreshFriendsResponse {
        requested_at: list.requested_at.map(wire_time).into(),
        read_at: list.read_at.map(wire_time).into(),
    })
}

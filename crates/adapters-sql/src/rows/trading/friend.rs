//! `friends`: accounts of the platform that a trading account is or was related to.

use std::num::NonZeroU64;

use sea_orm::entity::prelude::*;
use tradepost_domain::text::{Description, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::friend::{
    ActionState, Friend, FriendAction, FriendFailure, FriendParts, FriendRelation, FriendRequest,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "friends")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub platform_user_id: String,
    pub relation: i16,
    pub name: Option<String>,
    pub friend_since: Option<i64>,
    pub seen_at: Option<i64>,
    pub note: Option<String>,
    pub action: Option<i16>,
    pub action_state: Option<i16>,
    pub failure: Option<i16>,
    pub attempts: Option<i64>,
    pub action_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Friend {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let request = self.request.as_ref();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            platform_user_id: self.user.to_string(),
            relation: self.relation.code(),
            name: self.name.as_ref().map(ToString::to_string),
            friend_since: self.friend_since.map(Timestamp::as_micros),
            seen_at: self.seen_at.map(Timestamp::as_micros),
            note: self.note.as_ref().map(ToString::to_string),
            action: request.map(|request| request.action.code()),
            action_state: request.map(|request| request.state.code()),
            failure: request.and_then(|request| request.failure).map(FriendFailure::code),
            attempts: request.map(|request| i64::from(request.attempts)),
            action_at: request.map(|request| request.at.as_micros()),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "friends", home: row.workspace_id, key: row.id };
        let user = row.platform_user_id.parse::<NonZeroU64>().map(PlatformUserId::new);
        let parts = FriendParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            user: at.read("platform_user_id", user)?,
            relation: at.code("relation", row.relation, FriendRelation::from_code)?,
            name: at.read_some("name", row.name.as_deref(), Name::new)?,
            friend_since: at.time_some("friend_since", row.friend_since)?,
            seen_at: at.time_some("seen_at", row.seen_at)?,
            note: at.read_some("note", row.note.as_deref(), Description::new)?,
            request: request_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("action_state", Self::restore(parts))?, row.version))
    }
}

fn request_of(row: &Model, at: RowLocation) -> StoreResult<Option<FriendRequest>> {
    let Some(action) = row.action else { return Ok(None) };
    let failure = row.failure.map(|failure| at.code("failure", failure, FriendFailure::from_code)).transpose()?;
    Ok(Some(FriendRequest {
        action: at.code("action", action, FriendAction::from_code)?,
        state: at.code("action_state", at.present("action_state", row.action_state)?, ActionState::from_code)?,
        failure,
        attempts: at.number("attempts", at.present("attempts", row.attempts)?)?,
        at: at.time("action_at", at.present("action_at", row.action_at)?)?,
    }))
}

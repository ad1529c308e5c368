//! `transitions`: the log of status changes, only ever added to.

use sea_orm::entity::prelude::*;
use tradepost_domain::text::{Description, ExternalId};
use tradepost_domain::transition::{Actor, Subject, SubjectKind, Transition};
use tradepost_ports::store::StoreResult;

use crate::interned_names::interned;
use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transitions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject_kind: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub from_status: Option<String>,
    pub to_status: String,
    pub cause: String,
    pub actor_kind: i16,
    pub actor_user_id: Option<Uuid>,
    pub actor_key_id: Option<Uuid>,
    pub reason: Option<String>,
    pub evidence: Option<String>,
    pub at: i64,
    pub logged_at: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

const BY_USER: i16 = 1;
const BY_KEY: i16 = 2;
const BY_SYSTEM: i16 = 3;

/// The row of a transition.
pub(crate) fn to_row(transition: &Transition) -> Model {
    let (actor_kind, actor_user_id, actor_key_id) = actor_to_columns(transition.actor);
    Model {
        workspace_id: uuid(transition.workspace_id),
        subject_kind: transition.subject.kind().code(),
        subject_id: Uuid::from_bytes(transition.subject.id_bytes()),
        id: uuid(transition.id),
        from_status: transition.from.map(str::to_owned),
        to_status: transition.to.to_owned(),
        version: transition.version,
        cause: transition.trigger.to_owned(),
        actor_kind,
        actor_user_id,
        actor_key_id,
        reason: transition.reason.as_ref().map(ToString::to_string),
        evidence: transition.evidence.as_ref().map(ToString::to_string),
        at: transition.at.as_micros(),
        logged_at: Some(transition.logged_at.as_micros()),
    }
}

/// The transition in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<Transition> {
    let at = RowLocation { table: "transitions", home: row.workspace_id, key: row.id };
    let kind = at.code("subject_kind", row.subject_kind, SubjectKind::from_code)?;
    Ok(Transition {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        subject: Subject::new(kind, row.subject_id.into_bytes()),
        from: at.read_some("from_status", row.from_status.as_deref(), interned)?,
        to: at.read("to_status", interned(&row.to_status))?,
        version: row.version,
        trigger: at.read("cause", interned(&row.cause))?,
        actor: actor_of(at, row.actor_kind, row.actor_user_id, row.actor_key_id)?,
        reason: at.read_some("reason", row.reason.as_deref(), Description::new)?,
        evidence: at.read_some("evidence", row.evidence.as_deref(), ExternalId::new)?,
        at: at.time("at", row.at)?,
        logged_at: at.time("logged_at", row.logged_at.unwrap_or(row.at))?,
    })
}

/// Kind of actor, user and key.
pub(super) fn actor_to_columns(actor: Actor) -> (i16, Option<Uuid>, Option<Uuid>) {
    match actor {
        Actor::User(user) => (BY_USER, Some(uuid(user)), None),
        Actor::ApiKey { key, user } => (BY_KEY, Some(uuid(user)), Some(uuid(key))),
        Actor::System => (BY_SYSTEM, None, None),
    }
}

/// The actor in those columns.
pub(super) fn actor_of(at: RowLocation, kind: i16, user: Option<Uuid>, key: Option<Uuid>) -> StoreResult<Actor> {
    match (kind, user, key) {
        (BY_USER, Some(user), None) => Ok(Actor::User(id(user))),
        (BY_KEY, Some(user), Some(key)) => Ok(Actor::ApiKey { key: id(key), user: id(user) }),
        (BY_SYSTEM, None, None) => Ok(Actor::System),
        (kind, _, _) => Err(at.corrupt("actor_kind", &format_args!("{kind} with other ids than it has"))),
    }
}

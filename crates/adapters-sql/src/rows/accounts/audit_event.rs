//! `audit_events`: what was done, only ever added to.

use std::net::IpAddr;

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::audit::{
    AuditEvent, AuditHome, AuditKind, AuditSubject, AuditSubjectKind, Fact, SealedEvent,
};
use tradepost_domain::transition::Actor;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_events")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub log_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub home: i16,
    pub kind: String,
    pub actor_kind: Option<i16>,
    pub actor_user_id: Option<Uuid>,
    pub actor_key_id: Option<Uuid>,
    pub subject_kind: Option<i16>,
    pub subject_id: Option<Uuid>,
    pub client: Option<String>,
    pub details: String,
    pub at: i64,
    pub mac: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

const BY_USER: i16 = 1;
const BY_KEY: i16 = 2;
const BY_SYSTEM: i16 = 3;

/// The row of an event.
pub(crate) fn to_row(SealedEvent { event, mac }: &SealedEvent) -> Model {
    let (actor_kind, actor_user_id, actor_key_id) = match event.actor {
        Some(Actor::User(user)) => (Some(BY_USER), Some(uuid(user)), None),
        Some(Actor::ApiKey { key, user }) => (Some(BY_KEY), Some(uuid(user)), Some(uuid(key))),
        Some(Actor::System) => (Some(BY_SYSTEM), None, None),
        None => (None, None, None),
    };
    let details: Vec<[&str; 2]> = event.details.iter().map(|(fact, value)| [fact.as_str(), value]).collect();
    Model {
        log_id: uuid(event.home.log_id()),
        id: uuid(event.id),
        home: event.home.code(),
        kind: event.kind.as_str().to_owned(),
        actor_kind,
        actor_user_id,
        actor_key_id,
        subject_kind: event.subject.map(|subject| subject.kind.code()),
        subject_id: event.subject.map(|subject| Uuid::from_bytes(subject.id)),
        client: event.client.map(|client| client.to_string()),
        details: serde_json::json!(details).to_string(),
        at: event.at.as_micros(),
        mac: mac.to_vec(),
    }
}

/// The event in a row. One that is written in any other way than [`to_row`] writes it is none: what means the same is not the
/// same once it was tampered with.
pub(crate) fn to_domain(row: &Model) -> StoreResult<SealedEvent> {
    let at = RowLocation { table: "audit_events", home: row.log_id, key: row.id };
    let details: Vec<[String; 2]> = at.read("details", serde_json::from_str(&row.details))?;
    let fact = |[name, value]: [String; 2]| Ok((at.read("details", name.parse::<Fact>())?, value));
    let event = AuditEvent {
        id: id(row.id),
        home: at.code("home", row.home, |code| AuditHome::from_stored(code, id(row.log_id)))?,
        kind: at.read("kind", row.kind.parse::<AuditKind>())?,
        actor: actor_of(row, at)?,
        subject: subject_of(row, at)?,
        client: at.read_some("client", row.client.as_deref(), str::parse::<IpAddr>)?,
        details: details.into_iter().map(fact).collect::<StoreResult<_>>()?,
        at: at.time("at", row.at)?,
    };
    let sealed = SealedEvent { event, mac: at.bytes("mac", &row.mac)? };
    if to_row(&sealed) == *row { Ok(sealed) } else { Err(at.corrupt("details", &"not as it is written")) }
}

fn actor_of(row: &Model, at: RowLocation) -> StoreResult<Option<Actor>> {
    match (row.actor_kind, row.actor_user_id, row.actor_key_id) {
        (Some(BY_USER), Some(user), None) => Ok(Some(Actor::User(id(user)))),
        (Some(BY_KEY), Some(user), Some(key)) => Ok(Some(Actor::ApiKey { key: id(key), user: id(user) })),
        (Some(BY_SYSTEM), None, None) => Ok(Some(Actor::System)),
        (None, None, None) => Ok(None),
        (kind, _, _) => Err(at.corrupt("actor_kind", &format_args!("{kind:?} with other ids than it has"))),
    }
}

fn subject_of(row: &Model, at: RowLocation) -> StoreResult<Option<AuditSubject>> {
    match (row.subject_kind, row.subject_id) {
        (Some(kind), Some(id)) => {
            let kind = at.code("subject_kind", kind, AuditSubjectKind::from_code)?;
            Ok(Some(AuditSubject { kind, id: id.into_bytes() }))
        }
        (None, None) => Ok(None),
        (_, _) => Err(at.corrupt("subject_kind", &"without an id, or an id without it")),
    }
}

//! The audit log on the wire.

use buffa::EnumValue;
use tradepost_domain::accounts::audit::{AuditHead, AuditHome, Fact};
use tradepost_domain::transition::Actor;
use tradepost_ports::store::ListedEvent;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn event(ListedEvent { sealed, chained }: ListedEvent) -> wire::AuditEvent {
    let event = sealed.event;
    let (sequence, hash) = chained.map(|(sequence, hash)| (sequence, hash.to_vec())).unwrap_or_default();
    let (actor_type, actor_user_id, actor_api_key_id) = actor(event.actor);
    let workspace_id = match event.home {
        AuditHome::Workspace(id) => wire_id(id),
        AuditHome::User(_) | AuditHome::Installation => Vec::new(),
    };
    let subject_type = event.subject.map(|subject| subject.kind.to_wire());
    wire::AuditEvent {
        id: Some(wire_id(event.id)),
        workspace_id: Some(workspace_id),
        r#type: Some(event.kind.as_str().to_owned()),
        actor_type: Some(EnumValue::Known(actor_type)),
        actor_user_id: Some(actor_user_id),
        actor_api_key_id: Some(actor_api_key_id),
        subject_type: Some(subject_type.unwrap_or_default()),
        subject_id: Some(event.subject.map(|subject| subject.id.to_vec()).unwrap_or_default()),
        ip: Some(event.client.map(|client| client.to_string()).unwrap_or_default()),
        details: event.details.into_iter().map(|(fact, value)| detail(fact, value)).collect(),
        created_at: wire_time(event.at).into(),
        sequence: Some(sequence),
        hash: Some(hash),
    }
}

pub(crate) fn head(head: AuditHead) -> wire::AuditHead {
    wire::AuditHead { sequence: Some(head.sequence), hash: Some(head.hash.to_vec()) }
}

fn actor(actor: Option<Actor>) -> (wire::AuditActorType, Vec<u8>, Vec<u8>) {
    match actor {
        None => (wire::AuditActorType::AUDIT_ACTOR_TYPE_UNSPECIFIED, Vec::new(), Vec::new()),
        Some(Actor::System) => (wire::AuditActorType::AUDIT_ACTOR_TYPE_SYSTEM, Vec::new(), Vec::new()),
        Some(Actor::User(user)) => (wire::AuditActorType::AUDIT_ACTOR_TYPE_USER, wire_id(user), Vec::new()),
        Some(Actor::ApiKey { key, user }) => {
            (wire::AuditActorType::AUDIT_ACTOR_TYPE_API_KEY, wire_id(user), wire_id(key))
        }
    }
}

fn detail(fact: Fact, value: String) -> wire::AuditDetail {
    wire::AuditDetail { name: Some(fact.as_str().to_owned()), value: Some(value) }
}

//! Changes of status on the wire.

use buffa::EnumValue;
use tradepost_domain::transition::{Actor, Transition};

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::contracts::v1 as wire;

pub(crate) fn transition(step: &Transition) -> wire::Transition {
    wire::Transition {
        id: Some(wire_id(step.id)),
        subject_type: Some(step.subject.kind().to_wire()),
        subject_id: Some(step.subject.id_bytes().to_vec()),
        from_status: Some(step.from.unwrap_or_default().to_owned()),
        to_status: Some(step.to.to_owned()),
        version: Some(step.version),
        trigger: Some(step.trigger.to_owned()),
        actor: actor(step.actor).into(),
        reason: Some(step.reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        evidence: Some(step.evidence.as_ref().map(ToString::to_string).unwrap_or_default()),
        created_at: wire_time(step.at).into(),
    }
}

pub(super) fn actor(actor: Actor) -> wire::TransitionActor {
    let (kind, id) = match actor {
        Actor::User(user) => (wire::TransitionActorKind::TRANSITION_ACTOR_KIND_USER, wire_id(user)),
        Actor::ApiKey { key, .. } => (wire::TransitionActorKind::TRANSITION_ACTOR_KIND_KEY, wire_id(key)),
        Actor::System => (wire::TransitionActorKind::TRANSITION_ACTOR_KIND_SYSTEM, Vec::new()),
    };
    wire::TransitionActor { kind: Some(EnumValue::Known(kind)), id: Some(id) }
}

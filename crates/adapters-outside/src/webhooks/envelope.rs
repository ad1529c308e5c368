//! The body of a message: type, time, and the change of status in the form that the interface has for it.

use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::macros::format_description;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Actor, Transition};
use tradepost_ports::webhooks::WebhookEvent;

/// The most bytes of a body. The fields of a change of status are far shorter.
pub const MOST_BYTES: usize = 20 * 1_024;

/// The body of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope(Value);

impl Envelope {
    /// The body for an event.
    pub fn of(event: &WebhookEvent) -> Self {
        match event {
            WebhookEvent::Transition(transition) => {
                Self::new(&EventType::of(transition).to_string(), transition.at, &of_transition(transition))
            }
            WebhookEvent::Endpoint { event_type, workspace_id, endpoint_id, at } => {
                let data = json!({ "workspaceId": workspace_id.to_string(), "endpointId": endpoint_id.to_string() });
                Self::new(&event_type.to_string(), *at, &data)
            }
        }
    }

    /// The body for a change of status that a client has read: `transition` is the JSON of a `contracts.v1.Transition`. `None` if it is
    /// not.
    pub fn of_read(workspace_id: WorkspaceId, transition: &Map<String, Value>) -> Option<Self> {
        let text = |field: &str| transition.get(field).and_then(Value::as_str);
        let subject = text("subjectType")?.strip_prefix(SUBJECT_TYPE)?;
        let event_type = format!("{subject}.{}", text("toStatus")?).to_ascii_lowercase();
        let at = OffsetDateTime::parse(text("createdAt")?, &time::format_description::well_known::Rfc3339).ok()?;
        let mut data = Map::new();
        data.insert("workspaceId".to_owned(), workspace_id.to_string().into());
        data.insert("transitionId".to_owned(), text("id")?.into());
        let rest = transition.iter().filter(|(name, _)| !matches!(name.as_str(), "id" | "createdAt"));
        data.extend(rest.map(|(name, value)| (name.clone(), value.clone())));
        Some(Self::new(&event_type, at.into(), &Value::Object(data)))
    }

    /// The body of a type, a time, and its fields.
    pub(crate) fn new(event_type: &str, at: Timestamp, data: &Value) -> Self {
        Self(json!({ "type": event_type, "timestamp": millis(at), "data": data }))
    }

    /// The type of the event.
    pub fn event_type(&self) -> &str {
        self.0.get("type").and_then(Value::as_str).unwrap_or_default()
    }

    /// The body as it is sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_string().into_bytes()
    }
}

const SUBJECT_TYPE: &str = "TRANSITION_SUBJECT_TYPE_";

/// The fields of `contracts.v1.Transition`, with the workspace, and `transitionId` in place of `id`. Its time is the envelope's.
fn of_transition(transition: &Transition) -> Value {
    let text = |text: Option<String>| text.unwrap_or_default();
    json!({
        "workspaceId": transition.workspace_id.to_string(),
        "transitionId": transition.id.to_string(),
        "subjectType": format!("{SUBJECT_TYPE}{}", transition.subject.kind()),
        "subjectId": tradepost_domain::id::Id::<()>::from_bytes(transition.subject.id_bytes()).to_string(),
        "fromStatus": transition.from.unwrap_or_default(),
        "toStatus": transition.to,
        "version": transition.version.to_string(),
        "trigger": transition.trigger,
        "actor": actor(transition.actor),
        "reason": text(transition.reason.as_ref().map(ToString::to_string)),
        "evidence": text(transition.evidence.as_ref().map(ToString::to_string)),
    })
}

fn actor(actor: Actor) -> Value {
    let (kind, id) = match actor {
        Actor::User(user) => ("USER", user.to_string()),
        Actor::ApiKey { key, .. } => ("KEY", key.to_string()),
        Actor::System => ("SYSTEM", String::new()),
    };
    json!({ "kind": format!("TRANSITION_ACTOR_KIND_{kind}"), "id": id })
}

/// A time to the millisecond.
pub(crate) fn millis(at: Timestamp) -> String {
    let form = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    OffsetDateTime::from(at).format(form).unwrap_or_else(|_| at.to_string())
}

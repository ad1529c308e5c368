//! A webhook endpoint: where events are delivered, and which.
//!
//! The record contains what users set. Its place in the log and its health, which change with every delivery, are stored separately
//! ([`WebhookProgress`](super::webhook_progress::WebhookProgress)), so that they do not conflict with changes by users.

use super::event_type::{EventPattern, EventType, UnknownPattern};
use crate::id::{WebhookEndpointId, WorkspaceId};
use crate::names::names;
use crate::text::{ReasonText, Text};
use crate::time::Timestamp;

/// The most endpoints of a workspace.
pub const MOST_ENDPOINTS: usize = 20;
/// The most patterns of one endpoint.
pub const MOST_PATTERNS: usize = 50;

/// The address of an endpoint, 1 to 500 characters.
pub type EndpointUrl = Text<500>;

/// Whether events are delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndpointStatus {
    /// They are.
    Active = 1,
    /// They wait until it is enabled.
    Disabled = 2,
}

names! { EndpointStatus, "endpoint status":
    Active => "ACTIVE",
    Disabled => "DISABLED",
}

/// Why an endpoint is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DisabledReason {
    /// A person disabled it.
    Person = 1,
    /// The receiver answered that it no longer exists (410).
    Removed = 2,
    /// Every try failed for days.
    Failing = 3,
}

names! { DisabledReason, "reason of a disabled endpoint":
    Person => "PERSON",
    Removed => "REMOVED",
    Failing => "FAILING",
}

/// The patterns of an endpoint: 1 to 50, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPatterns(Vec<EventPattern>);

/// Why a list of patterns is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternsError {
    /// There are none, or too many.
    #[error("must have 1 to {MOST_PATTERNS} event types")]
    Number,
    /// One is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownPattern),
}

impl EventPatterns {
    /// Parses patterns; one that is named twice counts once.
    ///
    /// # Errors
    /// [`PatternsError`] for none, for too many, and for the first that is unknown.
    pub fn parse<T: AsRef<str>>(texts: &[T]) -> Result<Self, PatternsError> {
        if texts.is_empty() || texts.len() > MOST_PATTERNS {
            return Err(PatternsError::Number);
        }
        let mut patterns = Vec::with_capacity(texts.len());
        for text in texts {
            let pattern = text.as_ref().parse()?;
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        Ok(Self(patterns))
    }

    /// Returns whether an event of this type is asked for.
    pub fn match_type(&self, event: EventType) -> bool {
        self.0.iter().any(|pattern| pattern.matches(event))
    }

    /// The patterns as they are written.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(ToString::to_string)
    }
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    /// Its own id.
    pub id: WebhookEndpointId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Where events are posted.
    pub url: EndpointUrl,
    /// What it is for.
    pub description: Option<ReasonText>,
    /// Which events.
    pub types: EventPatterns,
    /// Whether events are delivered.
    pub status: EndpointStatus,
    /// Why they are not.
    pub disabled_reason: Option<DisabledReason>,
    /// The last characters of the secret.
    pub secret_hint: Text<4>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of an endpoint; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointChange {
    /// Another address.
    pub url: Option<EndpointUrl>,
    /// Another description, or none.
    pub description: Option<Option<ReasonText>>,
    /// Other events, all of them.
    pub types: Option<EventPatterns>,
}

/// An endpoint has the status already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an endpoint that is {0} cannot be {event}", event = .0.step_to_it())]
pub struct EndpointStatusUnchanged(pub EndpointStatus);

impl EndpointStatus {
    /// What leads to the status.
    const fn step_to_it(self) -> &'static str {
        match self {
            Self::Active => "enabled",
            Self::Disabled => "disabled",
        }
    }
}

impl WebhookEndpoint {
    /// Returns whether events are delivered.
    pub const fn is_active(&self) -> bool {
        matches!(self.status, EndpointStatus::Active)
    }

    /// Changes what a user may change.
    #[must_use]
    pub fn change(self, change: EndpointChange, at: Timestamp) -> Self {
        Self {
            url: change.url.unwrap_or(self.url),
            description: change.description.unwrap_or(self.description),
            types: change.types.unwrap_or(self.types),
            updated_at: at.max(self.updated_at),
            ..self
        }
    }

    /// Shows another secret.
    #[must_use]
    pub fn with_secret(self, secret_hint: Text<4>, at: Timestamp) -> Self {
        Self { secret_hint, updated_at: at.max(self.updated_at), ..self }
    }

    /// Stops deliveries.
    ///
    /// # Errors
    /// [`EndpointStatusUnchanged`] when they are stopped.
    pub fn disable(self, reason: DisabledReason, at: Timestamp) -> Result<Self, EndpointStatusUnchanged> {
        self.step(EndpointStatus::Disabled, Some(reason), at)
    }

    /// Resumes deliveries.
    ///
    /// # Errors
    /// [`EndpointStatusUnchanged`] when they do.
    pub fn enable(self, at: Timestamp) -> Result<Self, EndpointStatusUnchanged> {
        self.step(EndpointStatus::Active, None, at)
    }

    fn step(
        self,
        status: EndpointStatus,
        disabled_reason: Option<DisabledReason>,
        at: Timestamp,
    ) -> Result<Self, EndpointStatusUnchanged> {
        if self.status == status {
            return Err(EndpointStatusUnchanged(status));
        }
        Ok(Self { status, disabled_reason, updated_at: at.max(self.updated_at), ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn endpoint() -> WebhookEndpoint {
        WebhookEndpoint {
            id: WebhookEndpointId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            url: Text::new("https://example.com/hook").unwrap(),
            description: None,
            types: EventPatterns::parse(&["*"]).unwrap(),
            status: EndpointStatus::Active,
            disabled_reason: None,
            secret_hint: Text::new("abcd").unwrap(),
            created_at: at(5),
            updated_at: at(5),
        }
    }

    #[test]
    fn an_endpoint_is_disabled_with_a_reason_until_it_is_enabled() {
        let disabled = endpoint().disable(DisabledReason::Removed, at(6)).unwrap();
        assert_eq!((disabled.is_active(), disabled.disabled_reason), (false, Some(DisabledReason::Removed)));
        let again = disabled.clone().disable(DisabledReason::Person, at(7)).unwrap_err();
        assert_eq!(again.to_string(), "an endpoint that is DISABLED cannot be disabled");
        let enabled = disabled.enable(at(8)).unwrap();
        assert_eq!((enabled.is_active(), enabled.disabled_reason, enabled.updated_at), (true, None, at(8)));
        assert!(enabled.enable(at(9)).is_err());
    }

    #[test]
    fn a_change_leaves_what_it_does_not_name() {
        let same = endpoint().change(EndpointChange::default(), at(4));
        assert_eq!(same, endpoint());
        let types = EventPatterns::parse(&["purchase.*", "purchase.*"]).unwrap();
        let change = EndpointChange {
            description: Some(Text::new("desk").ok()),
            types: Some(types),
            ..EndpointChange::default()
        };
        let changed = endpoint().change(change, at(6));
        assert_eq!(changed.types.iter().collect::<Vec<_>>(), ["purchase.*"]);
        assert_eq!((changed.url, changed.updated_at), (endpoint().url, at(6)));
    }

    #[test]
    fn an_endpoint_has_one_to_fifty_patterns() {
        assert_eq!(EventPatterns::parse::<&str>(&[]), Err(PatternsError::Number));
        assert_eq!(EventPatterns::parse(&["*"; 51]), Err(PatternsError::Number));
        assert!(matches!(EventPatterns::parse(&["*", "x"]), Err(PatternsError::Unknown(_))));
    }
}

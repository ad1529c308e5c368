//! [`ReplayWebhookEvents`]: delivers the events of a span of time to an endpoint once more.

use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::events::webhook_endpoint::WebhookEndpoint;
use tradepost_domain::id::{RecordKey, TransitionId, WebhookEndpointId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{SubjectKind, Transition};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{PageRequest, TransitionFilter};

use crate::events::webhook_endpoints::endpoints::{endpoint_as_seen, types};
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// The changes of status that one replay looks at.
const MOST: usize = 10_000;
/// The ids that are read, and the deliveries that are written, at once.
const AT_ONCE: u32 = 100;
/// How long ago a replay may begin.
const REACH: Duration = Duration::days(31);

/// The beginning of a span of time, and its end, if it has one.
type Span = (Timestamp, Option<Timestamp>);

/// Delivers the events of a span of time once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayWebhookEvents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The beginning, at most 31 days ago by the market's clock.
    pub from: Option<Timestamp>,
    /// The end; absent, the latest event.
    pub to: Option<Timestamp>,
    /// Only these types, 1 to 50 patterns; none for those of the endpoint.
    pub types: Vec<String>,
}

impl Operations {
    /// Enqueues a delivery for each event of a span of time, under the ids that the events had before. Returns their number.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad time or type; `not_found`; `failed_precondition` with `REPLAY_TOO_LARGE` for
    /// a span with more than 10,000 events, and nothing is enqueued.
    pub async fn replay_webhook_events(&self, caller: &Caller, command: ReplayWebhookEvents) -> OpResult<u32> {
        let scope = rules::REPLAY_WEBHOOK_EVENTS.enter(&caller.principal, command.workspace_id)?;
        // Events have the time of their records, and most records have that of the market.
        let span = command.span(self.market_now(command.workspace_id))?;
        let wanted = if command.types.is_empty() { None } else { Some(types(&command.types)?) };
        let (endpoint, _) = endpoint_as_seen(self, scope, command.endpoint_id, None).await?.into_display();
        let wanted = wanted.as_ref().unwrap_or(&endpoint.types);
        let mut found = self.transitions_within(scope, span).await?;
        found.retain(|transition| wanted.match_type(EventType::of(transition)));
        // The oldest first, as they were delivered before.
        found.sort_by_key(|transition| (transition.at, transition.id));
        self.enqueue(caller, &endpoint, &found).await?;
        let enqueued = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let seen = endpoint_as_seen(self, scope, command.endpoint_id, None).await?;
        let mut changes = Changes::by(caller);
        let endpoint = changes.rely_on(seen);
        changes.audit(AuditKind::WebhookEventsReplayed, About::from(&endpoint).with(Fact::Count, &enqueued));
        self.commit(caller, changes).await?;
        self.deliveries.notify_one();
        Ok(enqueued)
    }

    async fn transitions_within(&self, scope: WorkspaceScope, span: Span) -> OpResult<Vec<Transition>> {
        let (from, to) = span;
        let filter = TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: Some(from), to };
        let (mut found, mut before): (Vec<Transition>, Option<TransitionId>) = (Vec::new(), None);
        loop {
            let page =
                self.ports.store.transitions().list(scope, filter, PageRequest { before, limit: AT_ONCE }).await?;
            let of_page = self.ports.store.transitions().find_many(scope, SubjectKind::ALL, &page.ids).await?;
            found.extend(of_page);
            if found.len() > MOST {
                let message = format!("more than {MOST} changes of status are in this span; name a shorter one");
                return Err(OpError::failed_precondition(Reason::ReplayTooLarge, message));
            }
            before = page.ids.last().copied();
            if !page.more {
                return Ok(found);
            }
        }
    }

    /// Writes deliveries outside the call's main changes, some at a time: a receiver drops what it gets twice.
    async fn enqueue(&self, caller: &Caller, endpoint: &WebhookEndpoint, found: &[Transition]) -> OpResult<()> {
        let key = RecordKey { workspace_id: endpoint.workspace_id, id: endpoint.id };
        for part in found.chunks(AT_ONCE as usize) {
            let mut changes = Changes::detached(caller);
            for transition in part {
                changes.insert(WebhookDelivery::of_transition(self.mint(), key, transition, self.now()));
            }
            self.commit(caller, changes).await?;
        }
        Ok(())
    }
}

impl ReplayWebhookEvents {
    fn span(&self, at: Timestamp) -> OpResult<Span> {
        let from = self.from.ok_or_else(|| OpError::invalid_field("from", "is required"))?;
        if from < at.plus(-REACH) {
            return Err(OpError::invalid_field("from", "must be at most 31 days ago"));
        }
        match self.to {
            Some(to) if to <= from => Err(OpError::invalid_field("to", "must be after from")),
            to => Ok((from, to)),
        }
    }
}

//! A delivery: one event for one endpoint, with its tries.

use ::time::Duration;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::event_type::EventType;
use crate::id::{RecordKey, TransitionId, WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use crate::names::names;
use crate::text::{ReasonText, Text};
use crate::time::Timestamp;
use crate::transition::Transition;

/// The pauses between tries: eight tries take about 28 h.
const PAUSES: [Duration; 7] = [
    Duration::seconds(5),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(5),
    Duration::hours(10),
    Duration::hours(10),
];

/// The number of tries.
pub const MOST_TRIES: u8 = 8;
/// The time for which a claimed delivery belongs to the process that claimed it. More than a try can take.
pub const CLAIMED_FOR: Duration = Duration::minutes(1);
/// The longest pause that a receiver can ask for.
const LONGEST_WISH: Duration = Duration::hours(1);
/// The time for which accepted and cancelled deliveries are kept.
pub const DONE_KEPT_FOR: Duration = Duration::days(7);
/// The time for which every delivery is kept.
pub const KEPT_FOR: Duration = Duration::days(31);

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeliveryState {
    /// A try is due, now or later.
    Pending = 1,
    /// The receiver accepted it.
    Delivered = 2,
    /// Every try failed.
    Failed = 3,
    /// Its endpoint was deleted before a receiver accepted it.
    Cancelled = 4,
}

names! { DeliveryState, "state of a delivery":
    Pending => "PENDING",
    Delivered => "DELIVERED",
    Failed => "FAILED",
    Cancelled => "CANCELLED",
}

/// What came of the last try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TryResult {
    /// The HTTP status; `None` without an answer.
    pub http_status: Option<u16>,
    /// Why it failed.
    pub error: Option<ReasonText>,
    /// The beginning of the answer.
    pub excerpt: Option<Text<1024>>,
    /// How long it took.
    pub duration_ms: u32,
}

/// A delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// Its own id.
    pub id: WebhookDeliveryId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// What happened.
    pub event_type: EventType,
    /// The change of status; of `endpoint.disabled` the endpoint, of `endpoint.test` the delivery itself.
    pub event_id: [u8; 16],
    /// The state.
    pub state: DeliveryState,
    /// The number of tries that were begun.
    pub tries: u8,
    /// When the next one is due, as long as it is pending.
    pub due_at: Timestamp,
    /// The result of the last try that ended.
    pub last: Option<TryResult>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was accepted, failed or cancelled.
    pub done_at: Option<Timestamp>,
}

/// No try is made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the delivery is not due")]
pub struct NotDue;

/// The delivery is still pending, so there is nothing to repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the delivery is PENDING; its next try is made by itself")]
pub struct StillPending;

/// The time of the next try after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// The pause that the receiver asked for.
    pub wish: Option<Duration>,
    /// A random byte, which spreads the tries of many deliveries.
    pub random: u8,
}

impl WebhookDelivery {
    /// A delivery of a change of status, to be tried at once.
    pub fn of_transition(
        id: WebhookDeliveryId,
        endpoint: RecordKey<WebhookEndpointId>,
        transition: &Transition,
        at: Timestamp,
    ) -> Self {
        let event_type = EventType::of(transition);
        Self { event_type, event_id: transition.id.to_bytes(), ..Self::test(id, endpoint, at) }
    }

    /// The news that another endpoint was disabled, to be tried at once.
    pub fn of_disabled(
        id: WebhookDeliveryId,
        endpoint: RecordKey<WebhookEndpointId>,
        disabled: WebhookEndpointId,
        at: Timestamp,
    ) -> Self {
        let event_type = EventType::EndpointDisabled;
        Self { event_type, event_id: disabled.to_bytes(), ..Self::test(id, endpoint, at) }
    }

    /// A test of an endpoint, to be tried at once.
    pub const fn test(id: WebhookDeliveryId, endpoint: RecordKey<WebhookEndpointId>, at: Timestamp) -> Self {
        Self {
            id,
            workspace_id: endpoint.workspace_id,
            endpoint_id: endpoint.id,
            event_type: EventType::EndpointTest,
            event_id: id.to_bytes(),
            state: DeliveryState::Pending,
            tries: 0,
            due_at: at,
            last: None,
            created_at: at,
            done_at: None,
        }
    }

    /// The change of status that it delivers.
    pub const fn transition_id(&self) -> Option<TransitionId> {
        match self.event_type {
            EventType::Status(..) => Some(TransitionId::from_bytes(self.event_id)),
            EventType::EndpointTest | EventType::EndpointDisabled => None,
        }
    }

    /// The id by which a receiver knows the event: the same in every try and every replay.
    pub fn message_id(&self) -> String {
        let id = self.transition_id().map_or(self.id.to_bytes(), TransitionId::to_bytes);
        message_id(id)
    }

    /// Begins a try. The process that stores this owns the delivery until it is due again.
    ///
    /// # Errors
    /// [`NotDue`] when no try is due.
    pub fn claim(self, at: Timestamp) -> Result<Self, NotDue> {
        if self.state != DeliveryState::Pending || at < self.due_at {
            return Err(NotDue);
        }
        Ok(Self { tries: self.tries.saturating_add(1), due_at: at.plus(CLAIMED_FOR), ..self })
    }

    /// Ends a try that the receiver accepted.
    #[must_use]
    pub fn accepted(self, result: TryResult, at: Timestamp) -> Self {
        Self { state: DeliveryState::Delivered, last: Some(result), done_at: Some(at), ..self }
    }

    /// Ends a try that failed: another one follows, or it was the last.
    #[must_use]
    pub fn failed(self, result: TryResult, retry: Retry, at: Timestamp) -> Self {
        let last = Some(result);
        match retry.after(self.tries, at) {
            Some(due_at) => Self { due_at, last, ..self },
            None => Self { state: DeliveryState::Failed, last, done_at: Some(at), ..self },
        }
    }

    /// Ends it without a try, because its endpoint no longer exists.
    #[must_use]
    pub fn cancelled(self, at: Timestamp) -> Self {
        Self { state: DeliveryState::Cancelled, done_at: Some(at), ..self }
    }

    /// Begins again with the first try.
    ///
    /// # Errors
    /// [`StillPending`] when it has not ended.
    pub fn resend(self, at: Timestamp) -> Result<Self, StillPending> {
        if self.state == DeliveryState::Pending {
            return Err(StillPending);
        }
        Ok(Self { state: DeliveryState::Pending, tries: 0, due_at: at, done_at: None, ..self })
    }
}

/// The id by which a receiver knows an event.
pub fn message_id(event: [u8; 16]) -> String {
    format!("msg_{}", URL_SAFE_NO_PAD.encode(event))
}

impl Retry {
    /// Returns when the next try is due after so many of them; `None` after the last.
    pub fn after(self, tries: u8, at: Timestamp) -> Option<Timestamp> {
        let pause = usize::from(tries).checked_sub(1).and_then(|number| PAUSES.get(number));
        pause.filter(|_| tries < MOST_TRIES).map(|pause| at.plus(self.pause(*pause)))
    }

    /// The pause of the schedule, up to 10 % shorter or longer; as long as the receiver asked for, if that is more.
    fn pause(self, scheduled: Duration) -> Duration {
        let percent = 90 + i32::from(self.random) * 20 / 255;
        let spread: Duration = scheduled.saturating_mul(percent) / 100;
        spread.max(self.wish.unwrap_or_default().min(LONGEST_WISH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Timestamp {
        Timestamp::from_micros(0).unwrap()
    }

    fn delivery() -> WebhookDelivery {
        let (workspace_id, id) = (WorkspaceId::from_bytes([2; 16]), WebhookEndpointId::from_bytes([3; 16]));
        WebhookDelivery::test(WebhookDeliveryId::from_bytes([1; 16]), RecordKey { workspace_id, id }, start())
    }

    fn result(http_status: u16) -> TryResult {
        TryResult { http_status: Some(http_status), error: None, excerpt: None, duration_ms: 5 }
    }

    fn retry(wish: Option<Duration>) -> Retry {
        Retry { wish, random: 128 }
    }

    #[test]
    fn eight_tries_take_about_28_hours() {
        let mut delivery = delivery();
        let mut pauses = Vec::new();
        while delivery.state == DeliveryState::Pending {
            let at = delivery.due_at;
            delivery = delivery.claim(at).unwrap().failed(result(500), retry(None), at);
            pauses.push(delivery.due_at.since(at).whole_seconds());
        }
        assert_eq!((delivery.state, delivery.tries, delivery.done_at.is_some()), (DeliveryState::Failed, 8, true));
        assert_eq!(pauses[..7], [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
    }

    #[test]
    fn a_pause_is_at_most_ten_percent_shorter_or_longer() {
        let pause = |random| Retry { wish: None, random }.pause(Duration::seconds(100)).whole_seconds();
        assert_eq!((pause(0), pause(255)), (90, 110));
    }

    #[test]
    fn a_receiver_can_ask_for_up_to_an_hour() {
        let after = |wish| {
            let failed = delivery().claim(start()).unwrap().failed(result(429), retry(Some(wish)), start());
            failed.due_at.since(start())
        };
        assert_eq!(after(Duration::seconds(1)), Duration::seconds(5));
        assert_eq!(after(Duration::minutes(10)), Duration::minutes(10));
        assert_eq!(after(Duration::days(10)), Duration::hours(1));
    }

    #[test]
    fn a_claimed_delivery_is_not_due_for_a_minute() {
        let claimed = delivery().claim(start()).unwrap();
        assert_eq!(claimed.clone().claim(start().plus(Duration::seconds(59))), Err(NotDue));
        assert_eq!(claimed.claim(start().plus(CLAIMED_FOR)).unwrap().tries, 2);
    }

    #[test]
    fn a_delivery_that_ended_is_sent_again_under_the_same_id() {
        let ended = delivery().claim(start()).unwrap().accepted(result(204), start());
        assert_eq!(ended.clone().claim(start().plus(Duration::days(1))), Err(NotDue));
        let again = ended.clone().resend(start()).unwrap();
        assert_eq!((again.state, again.tries, again.message_id()), (DeliveryState::Pending, 0, ended.message_id()));
        assert_eq!(again.resend(start()), Err(StillPending));
        assert_eq!(delivery().message_id(), "msg_AQEBAQEBAQEBAQEBAQEBAQ");
        assert_eq!(delivery().cancelled(start()).state, DeliveryState::Cancelled);
    }
}

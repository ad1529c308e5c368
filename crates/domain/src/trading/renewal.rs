//! A renewal: a token of a trading account is replaced before it ends.
//!
//! A renewal is on record from the time that it is scheduled, so that people see what will end and when. A rotated token is sealed and
//! committed before anything uses it: if the answer is lost, the old token may no longer be accepted, and the renewal is uncertain until the
//! old one was tried once.

use ::time::Duration;

use crate::id::{AccountId, RecordKey, RenewalId, WorkspaceId};
use crate::names::names;
use crate::time::Timestamp;

/// The part of its life after which an access token is renewed, in hundredths.
const ACCESS_TOKEN_DUE: i32 = 75;
/// The spread of that time to both sides, in hundredths of the life, so that the accounts of a fleet are not renewed at once.
const ACCESS_TOKEN_SPREAD: i32 = 5;
/// How long before its end a refresh token is renewed.
pub const REFRESH_TOKEN_DUE: Duration = Duration::days(30);
/// The least time between two replacements of a refresh token, even of one that ends soon.
const REFRESH_TOKEN_REST: Duration = Duration::DAY;
/// The least time until an access token is renewed, even of one that ends soon or has ended by our clock.
const ACCESS_TOKEN_REST: Duration = Duration::MINUTE;
/// How long before the end of a refresh token people are warned.
pub const WARNED_BEFORE: Duration = Duration::days(14);
/// How long before the end of a refresh token the warning is critical, and its account is not ready.
pub const URGENT_BEFORE: Duration = Duration::days(3);
/// The least time between two tries of the refresh token that may have been replaced.
const OLD_TRIED_SPACING: Duration = Duration::MINUTE;
/// The longest time between two tries.
const LONGEST_BACKOFF: Duration = Duration::HOUR;
/// How often a renewal is tried before it is abandoned.
pub const MOST_TRIES: u16 = 30;

/// What is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RenewalKind {
    /// The token of calls, which lasts for a day.
    AccessToken = 1,
    /// The token by which access tokens are renewed, which lasts for months.
    RefreshToken = 2,
}

names! { RenewalKind, "kind of renewal":
    AccessToken => "ACCESS_TOKEN",
    RefreshToken => "REFRESH_TOKEN",
}

/// The status of a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RenewalStatus {
    /// It waits for its time.
    Scheduled = 1,
    /// The platform is being called.
    Running = 2,
    /// Final: what was renewed is in use.
    Succeeded = 3,
    /// A try certainly had no effect; another one follows.
    Retrying = 4,
    /// The answer of the platform was lost: the old token may be accepted or not.
    Uncertain = 5,
    /// Final: it was tried too often, or nothing is left to renew by.
    Exhausted = 6,
    /// Final: a person cancelled it, or its session ended.
    Cancelled = 7,
}

names! { RenewalStatus, "status of a renewal":
    Scheduled => "SCHEDULED",
    Running => "RUNNING",
    Succeeded => "SUCCEEDED",
    Retrying => "RETRYING",
    Uncertain => "UNCERTAIN",
    Exhausted => "EXHAUSTED",
    Cancelled => "CANCELLED",
}

impl RenewalStatus {
    /// Whether nothing follows.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Succeeded | Self::Exhausted | Self::Cancelled => true,
            Self::Scheduled | Self::Running | Self::Retrying | Self::Uncertain => false,
        }
    }
}

/// Something that happens to a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenewalEvent {
    /// A person wants it at once.
    Requested,
    /// The platform is being called.
    Begun,
    /// What came is sealed and committed.
    Succeeded,
    /// The call certainly had no effect.
    Refused,
    /// The call had no answer.
    AnswerLost,
    /// The platform is about to be called with the old token, which shows what came of a lost answer.
    OldTried,
    /// The old token works: nothing was replaced.
    OldAccepted,
    /// It may not be tried without a person now.
    Deferred,
    /// Nothing is left to renew by.
    GivenUp,
    /// A person cancelled it.
    Cancelled,
    /// The session ended whose token it is.
    SessionEnded,
}

/// The renewal has no such step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a renewal that is {from} cannot be {event}")]
pub struct RenewalStepError {
    /// The status it has.
    pub from: RenewalStatus,
    /// The name of the event.
    pub event: &'static str,
}

impl RenewalEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Begun => "begun",
            Self::Succeeded => "succeeded",
            Self::Refused => "refused",
            Self::AnswerLost => "answer_lost",
            Self::OldTried => "old_tried",
            Self::OldAccepted => "old_accepted",
            Self::Deferred => "deferred",
            Self::GivenUp => "given_up",
            Self::Cancelled => "cancelled",
            Self::SessionEnded => "session_ended",
        }
    }
}

/// A renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// Its own id.
    pub id: RenewalId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// What is renewed.
    pub kind: RenewalKind,
    /// The current status.
    pub status: RenewalStatus,
    /// When it is tried next.
    pub due_at: Timestamp,
    /// When what is renewed ends.
    pub expires_at: Timestamp,
    /// How often it was tried.
    pub attempts: u16,
    /// Whether a person wants it. What could cost an account its session is renewed only then.
    pub is_requested: bool,
    /// When it was scheduled.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// When a token was issued, and when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Issued {
    /// When it was issued.
    pub at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl Renewal {
    /// Schedules the renewal of a token that was issued now. The `draw` spreads the renewals of access tokens: 0 is the
    /// earliest time, 255 the latest.
    pub fn scheduled(
        RecordKey { workspace_id, id }: RecordKey<RenewalId>,
        account_id: AccountId,
        kind: RenewalKind,
        Issued { at, expires_at }: Issued,
        draw: u8,
    ) -> Self {
        let due_at = match kind {
            RenewalKind::AccessToken => {
                // The end of the spread is not in it: a renewal that is due there would be late by then.
                let spread = 2 * ACCESS_TOKEN_SPREAD * i32::from(draw) / 256 - ACCESS_TOKEN_SPREAD;
                let life: Duration = expires_at.since(at);
                let rest: Duration = life * (ACCESS_TOKEN_DUE + spread) / 100;
                at.plus(rest.max(ACCESS_TOKEN_REST))
            }
            RenewalKind::RefreshToken => expires_at.plus(-REFRESH_TOKEN_DUE).max(at.plus(REFRESH_TOKEN_REST)),
        };
        let (status, attempts) = (RenewalStatus::Scheduled, 0);
        Self {
            id,
            workspace_id,
            account_id,
            kind,
            status,
            due_at,
            expires_at,
            attempts,
            is_requested: false,
            created_at: at,
            updated_at: at,
        }
    }

    /// The same renewal of what was issued again in the meantime, and ends later.
    #[must_use]
    pub fn rescheduled(self, issued: Issued, draw: u8) -> Self {
        if !matches!(self.status, RenewalStatus::Scheduled | RenewalStatus::Retrying) {
            return self;
        }
        let key = RecordKey { workspace_id: self.workspace_id, id: self.id };
        let due_at = Self::scheduled(key, self.account_id, self.kind, issued, draw).due_at;
        let (status, expires_at) = (RenewalStatus::Scheduled, issued.expires_at);
        Self { due_at, expires_at, status, attempts: 0, updated_at: issued.at.max(self.updated_at), ..self }
    }

    /// Whether it is to be tried now.
    pub fn is_due(&self, now: Timestamp) -> bool {
        matches!(self.status, RenewalStatus::Scheduled | RenewalStatus::Retrying) && self.due_at <= now
    }

    /// Whether something can still come of it.
    pub const fn is_open(&self) -> bool {
        !self.status.is_terminal()
    }

    /// Takes the step of `event`.
    ///
    /// # Errors
    /// [`RenewalStepError`] when the event cannot happen in this status, and for a try of the old token before its time: of two nodes that want
    /// to try it, the one whose announcement is committed does.
    pub fn apply(self, event: RenewalEvent, at: Timestamp) -> Result<Self, RenewalStepError> {
        let error = RenewalStepError { from: self.status, event: event.name() };
        let status = self.status.after(event).ok_or(error)?;
        if event == RenewalEvent::OldTried && at < self.due_at {
            return Err(error);
        }
        let next = Self { status, updated_at: at.max(self.updated_at), ..self };
        Ok(match event {
            RenewalEvent::Requested => Self { due_at: at.min(next.due_at), is_requested: true, ..next },
            RenewalEvent::Deferred => Self { due_at: at.plus(REFRESH_TOKEN_REST), ..next },
            RenewalEvent::Begun => Self { attempts: next.attempts.saturating_add(1), ..next },
            RenewalEvent::Refused | RenewalEvent::OldAccepted => {
                let status = if next.attempts >= MOST_TRIES { RenewalStatus::Exhausted } else { next.status };
                Self { status, due_at: at.plus(backoff(next.attempts)), ..next }
            }
            RenewalEvent::OldTried => Self { due_at: at.plus(OLD_TRIED_SPACING), ..next },
            // Until the old token was tried.
            RenewalEvent::AnswerLost => Self { due_at: at.plus(backoff(next.attempts)), ..next },
            RenewalEvent::Succeeded | RenewalEvent::GivenUp | RenewalEvent::Cancelled | RenewalEvent::SessionEnded => {
                next
            }
        })
    }
}

impl RenewalStatus {
    /// The whole table: the status that `event` leads to, `None` where it cannot happen.
    pub const fn after(self, event: RenewalEvent) -> Option<Self> {
        use RenewalEvent as On;
        Some(match (self, event) {
            (Self::Scheduled | Self::Retrying, On::Requested | On::Deferred) | (Self::Uncertain, On::OldTried) => self,
            (Self::Scheduled | Self::Retrying, On::Begun) => Self::Running,
            // An answer may come after another process has taken it for lost.
            (Self::Running | Self::Retrying, On::Succeeded) => Self::Succeeded,
            (Self::Running, On::Refused) | (Self::Uncertain, On::OldAccepted) => Self::Retrying,
            (Self::Running, On::AnswerLost) => Self::Uncertain,
            (Self::Scheduled | Self::Running | Self::Retrying | Self::Uncertain, On::GivenUp) => Self::Exhausted,
            // Once the platform was called, its answer may be the only token that it accepts.
            (Self::Scheduled | Self::Retrying, On::Cancelled)
            | (Self::Scheduled | Self::Running | Self::Retrying | Self::Uncertain, On::SessionEnded) => Self::Cancelled,
            _ => return None,
        })
    }
}

/// The time until the next try: 1, 2, 4 min and so on, up to an hour.
fn backoff(attempts: u16) -> Duration {
    let minutes = 2_i32.saturating_pow(attempts.saturating_sub(1).into());
    (Duration::MINUTE * minutes).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
    }

    fn scheduled(kind: RenewalKind, lasts: Duration, draw: u8) -> Renewal {
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: RenewalId::from_bytes([2; 16]) };
        Renewal::scheduled(
            key,
            AccountId::from_bytes([3; 16]),
            kind,
            Issued { at: at(0), expires_at: at(0).plus(lasts) },
            draw,
        )
    }

    #[test]
    fn an_access_token_is_renewed_between_seventy_and_eighty_hundredths_of_its_life() {
        let due = |draw| scheduled(RenewalKind::AccessToken, Duration::hours(100), draw).due_at.since(at(0));
        assert_eq!((due(0), due(255)), (Duration::hours(70), Duration::hours(79)));
        assert!((0..=255).all(|draw| (Duration::hours(70)..Duration::hours(80)).contains(&due(draw))));
    }

    #[test]
    fn a_refresh_token_is_renewed_from_thirty_days_before_its_end() {
        let due = |lasts| scheduled(RenewalKind::RefreshToken, lasts, 7).due_at.since(at(0));
        assert_eq!(due(Duration::days(200)), Duration::days(170));
        assert_eq!(due(Duration::days(12)), Duration::DAY, "once a day");
        let deferred =
            scheduled(RenewalKind::RefreshToken, Duration::days(200), 7).apply(RenewalEvent::Deferred, at(60));
        assert_eq!(deferred.unwrap().due_at, at(60).plus(Duration::DAY));
    }

    #[test]
    fn a_renewal_that_is_refused_is_tried_after_ever_longer_times_and_given_up_in_the_end() {
        let mut renewal = scheduled(RenewalKind::AccessToken, Duration::DAY, 0);
        let mut waits = Vec::new();
        while renewal.is_open() {
            let begun = renewal.apply(RenewalEvent::Begun, at(0)).unwrap();
            renewal = begun.apply(RenewalEvent::Refused, at(0)).unwrap();
            waits.push(renewal.due_at.since(at(0)).whole_minutes());
        }
        assert_eq!(waits.iter().take(8).copied().collect::<Vec<_>>(), [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!((waits.len(), renewal.status), (usize::from(MOST_TRIES), RenewalStatus::Exhausted));
    }

    #[test]
    fn a_try_is_at_most_an_hour_after_the_last_however_many_there_were() {
        assert_eq!([0, 1, 2].map(backoff), [Duration::MINUTE, Duration::MINUTE, Duration::minutes(2)]);
        for attempts in [7, 31, 32, 33, u16::MAX] {
            assert_eq!(backoff(attempts), LONGEST_BACKOFF, "{attempts}");
        }
    }

    #[test]
    fn after_a_lost_answer_the_old_token_decides() {
        let begun = scheduled(RenewalKind::RefreshToken, Duration::DAY, 0).apply(RenewalEvent::Begun, at(1)).unwrap();
        let uncertain = begun.apply(RenewalEvent::AnswerLost, at(2)).unwrap();
        assert!(!uncertain.is_due(at(1_000_000)) && uncertain.due_at == at(62));
        let again = uncertain.clone().apply(RenewalEvent::OldAccepted, at(3)).unwrap();
        assert_eq!((again.status, again.due_at), (RenewalStatus::Retrying, at(63)));
        assert_eq!(uncertain.apply(RenewalEvent::GivenUp, at(3)).unwrap().status, RenewalStatus::Exhausted);
    }

    #[test]
    fn the_old_token_is_tried_once_in_a_minute() {
        let begun = scheduled(RenewalKind::RefreshToken, Duration::DAY, 0).apply(RenewalEvent::Begun, at(1)).unwrap();
        let uncertain = begun.apply(RenewalEvent::AnswerLost, at(2)).unwrap();
        assert!(uncertain.clone().apply(RenewalEvent::OldTried, at(61)).is_err(), "the answer may still come");
        let tried = uncertain.apply(RenewalEvent::OldTried, at(62)).unwrap();
        assert_eq!((tried.status, tried.due_at), (RenewalStatus::Uncertain, at(122)));
        assert!(tried.clone().apply(RenewalEvent::OldTried, at(121)).is_err(), "another node has announced the try");
        assert!(tried.apply(RenewalEvent::OldTried, at(122)).is_ok());
    }

    #[test]
    fn a_person_can_have_what_waits_renewed_at_once_and_cancel_what_is_open() {
        let scheduled = scheduled(RenewalKind::AccessToken, Duration::DAY, 0);
        assert!(scheduled.clone().apply(RenewalEvent::Requested, at(5)).unwrap().is_due(at(5)));
        assert_eq!(scheduled.clone().apply(RenewalEvent::Cancelled, at(5)).unwrap().status, RenewalStatus::Cancelled);
        let running = scheduled.apply(RenewalEvent::Begun, at(5)).unwrap();
        assert!(running.clone().apply(RenewalEvent::Cancelled, at(6)).is_err());
        assert_eq!(running.apply(RenewalEvent::SessionEnded, at(6)).unwrap().status, RenewalStatus::Cancelled);
    }

    #[test]
    fn what_was_issued_again_is_renewed_later() {
        let late = scheduled(RenewalKind::AccessToken, Duration::hours(100), 0);
        let again =
            late.clone().rescheduled(Issued { at: at(3_600), expires_at: at(3_600).plus(Duration::hours(100)) }, 0);
        assert_eq!(again.due_at.since(late.due_at), Duration::HOUR);
        let running = late.apply(RenewalEvent::Begun, at(1)).unwrap();
        assert_eq!(running.clone().rescheduled(Issued { at: at(2), expires_at: at(9) }, 0), running);
    }

    #[test]
    fn what_is_over_has_no_further_step() {
        use RenewalEvent as On;
        let events = [
            On::Requested,
            On::Begun,
            On::Succeeded,
            On::Refused,
            On::Deferred,
            On::AnswerLost,
            On::OldTried,
            On::OldAccepted,
            On::GivenUp,
            On::Cancelled,
            On::SessionEnded,
        ];
        for over in [RenewalStatus::Succeeded, RenewalStatus::Exhausted, RenewalStatus::Cancelled] {
            assert!(events.iter().all(|event| over.after(*event).is_none()), "{over}");
        }
    }
}

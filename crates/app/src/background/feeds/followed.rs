//! A workspace's provider of a feed: when its next list is due, how its last reads went, and whether its failure is reported.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::provider::{BreakerState, ProviderReport};
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::MarketplaceRefusal;
use tradepost_ports::price_source::PriceRefusal;

/// The longest time to the next read after a failure.
const LONGEST_RETRY: Duration = Duration::from_mins(5);
/// How long to wait after the first failure; it doubles with each, up to the longest.
const FIRST_RETRY: Duration = Duration::from_secs(5);
/// How often is looked whether settings, currency or market allow to read. Nothing is called before they do.
const UNREADY_RETRY: Duration = Duration::from_mins(1);
/// How long a service is not called that refused this client.
const REFUSED_RETRY: Duration = Duration::from_mins(30);
/// How long a provider fails before it is reported, if time may help. The engine reports marketplaces after the same time.
const OUTAGE: Duration = Duration::from_mins(5);
/// The reads of which the share of failed ones is known.
const HISTORY: usize = 100;

/// Why a list was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) text: String,
    cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The service is to be called again after a time.
    Limited(Duration),
    /// The service refuses this client: an operator has to know.
    Refused,
    /// Something that an operator set keeps it from being called.
    Unready,
    /// Anything that may be over with the next read.
    Trouble,
}

/// What is to be done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing: it may be over soon, or is reported.
    Wait,
    /// A remediation is to be opened.
    Open,
}

/// Whether the problem of a provider is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reported {
    /// An earlier process may have reported one.
    Unknown,
    No,
    Yes,
}

#[derive(Debug)]
pub(super) struct Followed {
    /// The time between the end of a read and the next.
    interval: Duration,
    version: Option<i64>,
    due: Instant,
    failures: u32,
    failing_since: Option<Instant>,
    answered: VecDeque<bool>,
    last_success_at: Option<Timestamp>,
    reported: Reported,
}

impl Failure {
    /// The failure of a provider that is not called at all.
    pub(super) const fn unready(text: String) -> Self {
        Self { text, cause: Cause::Unready }
    }
}

impl From<ExternalError<MarketplaceRefusal>> for Failure {
    fn from(error: ExternalError<MarketplaceRefusal>) -> Self {
        let cause = match &error {
            ExternalError::RateLimited { retry_after, .. } => Cause::Limited(*retry_after),
            // What refuses a list of listings refuses the client: the list names nothing that could be wrong.
            ExternalError::Rejected(_) => Cause::Refused,
            // A person has to give another key.
            ExternalError::AuthLost { .. } => Cause::Unready,
            ExternalError::Unknown(_) => Cause::Trouble,
        };
        Self { text: error.to_string(), cause }
    }
}

impl From<ExternalError<PriceRefusal>> for Failure {
    fn from(error: ExternalError<PriceRefusal>) -> Self {
        let cause = match &error {
            ExternalError::RateLimited { retry_after, .. } => Cause::Limited(*retry_after),
            ExternalError::Rejected(PriceRefusal::AsClient) => Cause::Refused,
            ExternalError::Rejected(PriceRefusal::Other(_))
            | ExternalError::Unknown(_)
            | ExternalError::AuthLost { .. } => Cause::Trouble,
        };
        Self { text: error.to_string(), cause }
    }
}

impl Followed {
    /// One whose list is due at once.
    pub(super) const fn new(now: Instant, interval: Duration) -> Self {
        Self {
            interval,
            version: None,
            due: now,
            failures: 0,
            failing_since: None,
            answered: VecDeque::new(),
            last_success_at: None,
            reported: Reported::Unknown,
        }
    }

    /// Takes in the version of the provider: one that was changed is due at once.
    pub(super) fn see(&mut self, version: i64, now: Instant) {
        if self.version.replace(version).is_some_and(|known| known != version) {
            self.due = now;
        }
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due <= now
    }

    /// Something of this server failed. It is tried again, and not at once.
    pub(super) fn put_off(&mut self, now: Instant) {
        self.due = self.due.max(now + UNREADY_RETRY);
    }

    /// A list was read; what is known of the provider then.
    pub(super) fn answered(&mut self, now: Instant, at: Timestamp, took: Duration) -> ProviderReport {
        self.note(true);
        (self.failures, self.failing_since, self.last_success_at) = (0, None, Some(at));
        self.due = now + self.interval;
        ProviderReport {
            latency_millis: Some(u32::try_from(took.as_millis()).unwrap_or(u32::MAX)),
            ..self.report(at, BreakerState::Closed)
        }
    }

    /// A list was not read; what is known of the provider then, and what is to be done.
    pub(super) fn failed(&mut self, now: Instant, at: Timestamp, failure: &Failure) -> (ProviderReport, Step) {
        self.note(false);
        self.failures = self.failures.saturating_add(1);
        let since = *self.failing_since.get_or_insert(now);
        let doubled = FIRST_RETRY.saturating_mul(1 << self.failures.saturating_sub(1).min(10)).min(LONGEST_RETRY);
        let (wait, lasts) = match failure.cause {
            Cause::Limited(wait) => (wait.max(FIRST_RETRY), false),
            Cause::Refused => (REFUSED_RETRY, true),
            Cause::Unready => (UNREADY_RETRY, true),
            Cause::Trouble => (doubled, false),
        };
        self.due = now + wait;
        let is_limited = matches!(failure.cause, Cause::Limited(_));
        let report = ProviderReport { remaining: is_limited.then_some(0), ..self.report(at, BreakerState::Open) };
        let is_outage = lasts || now.duration_since(since) >= OUTAGE;
        let step = if is_outage && self.reported != Reported::Yes { Step::Open } else { Step::Wait };
        (report, step)
    }

    /// Whether a problem may be open that is over now.
    pub(super) fn may_have_problem(&self) -> bool {
        self.reported != Reported::No
    }

    pub(super) const fn opened(&mut self) {
        self.reported = Reported::Yes;
    }

    pub(super) const fn resolved(&mut self) {
        self.reported = Reported::No;
    }

    fn note(&mut self, is_answered: bool) {
        if self.answered.len() >= HISTORY {
            self.answered.pop_front();
        }
        self.answered.push_back(is_answered);
    }

    fn report(&self, at: Timestamp, breaker: BreakerState) -> ProviderReport {
        let failed = self.answered.iter().filter(|answered| !**answered).count();
        let points = failed.saturating_mul(usize::from(BasisPoints::MAX.get())).checked_div(self.answered.len());
        let points = points.and_then(|points| u16::try_from(points).ok());
        ProviderReport {
            seen_at: at,
            last_success_at: self.last_success_at,
            latency_millis: None,
            error_rate: points.and_then(|points| BasisPoints::new(points).ok()).unwrap_or(BasisPoints::MAX),
            remaining: None,
            breaker,
            fees: None,
            balance: None,
            standing: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tradepost_ports::external::Effect;

    use super::*;

    const AT: Timestamp = Timestamp::MIN;
    const INTERVAL: Duration = Duration::from_mins(5);

    fn trouble() -> Failure {
        Failure::from(ExternalError::<PriceRefusal>::Unknown("no answer".to_owned()))
    }

    fn limited(seconds: u64) -> Failure {
        let retry_after = Duration::from_secs(seconds);
        Failure::from(ExternalError::<PriceRefusal>::RateLimited { retry_after, effect: Effect::Nothing })
    }

    #[test]
    fn a_list_is_due_at_once_then_every_five_minutes_and_when_its_provider_changes() {
        let now = Instant::now();
        let mut followed = Followed::new(now, INTERVAL);
        followed.see(1, now);
        assert!(followed.is_due(now));
        let report = followed.answered(now, AT, Duration::from_millis(40));
        assert_eq!(
            (report.breaker, report.latency_millis, report.error_rate.get()),
            (BreakerState::Closed, Some(40), 0)
        );
        followed.see(1, now);
        assert!(!followed.is_due(now + INTERVAL / 2));
        assert!(followed.is_due(now + INTERVAL));
        followed.see(2, now);
        assert!(followed.is_due(now));
    }

    #[test]
    fn after_failures_the_time_to_the_next_read_doubles_up_to_the_interval() {
        let mut now = Instant::now();
        let mut followed = Followed::new(now, INTERVAL);
        for seconds in [5, 10, 20, 40, 80, 160, 300, 300] {
            followed.failed(now, AT, &trouble());
            let due = now + Duration::from_secs(seconds);
            assert!(!followed.is_due(due - Duration::from_secs(1)) && followed.is_due(due), "{seconds}");
            now = due;
        }
    }

    #[test]
    fn a_limit_is_waited_for_and_shown_as_no_calls_left() {
        let now = Instant::now();
        let mut followed = Followed::new(now, INTERVAL);
        let (report, step) = followed.failed(now, AT, &limited(90));
        assert_eq!((report.remaining, report.breaker, step), (Some(0), BreakerState::Open, Step::Wait));
        assert!(!followed.is_due(now + Duration::from_secs(89)) && followed.is_due(now + Duration::from_secs(90)));
    }

    #[test]
    fn trouble_is_reported_once_after_five_minutes_and_what_does_not_pass_by_itself_at_once() {
        let now = Instant::now();
        let mut followed = Followed::new(now, INTERVAL);
        assert_eq!(followed.failed(now, AT, &trouble()).1, Step::Wait);
        assert_eq!(followed.failed(now + OUTAGE, AT, &trouble()).1, Step::Open);
        followed.opened();
        assert_eq!(followed.failed(now + OUTAGE, AT, &trouble()).1, Step::Wait);

        let refused = Failure::from(ExternalError::Rejected(PriceRefusal::AsClient));
        for lasting in [refused, Failure::unready("not called".to_owned())] {
            let mut followed = Followed::new(now, INTERVAL);
            assert_eq!(followed.failed(now, AT, &lasting).1, Step::Open);
            assert!(!followed.is_due(now + Duration::from_secs(59)));
        }
    }

    #[test]
    fn a_problem_of_an_earlier_process_is_resolved_by_the_first_read_too() {
        let now = Instant::now();
        let mut followed = Followed::new(now, INTERVAL);
        followed.answered(now, AT, Duration::ZERO);
        assert!(followed.may_have_problem());
        followed.resolved();
        assert!(!followed.may_have_problem());
    }
}

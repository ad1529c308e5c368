//! What was seen of a provider outside, when that is worth writing down, and what a test of it looks at.

use time::Duration;

use super::{AccountStanding, Baseline};
use crate::contracts::contract::BasisPoints;
use crate::id::{ProviderId, WorkspaceId};
use crate::markets::fees::FeeSchedule;
use crate::money::VenueCents;
use crate::names::names;
use crate::time::Timestamp;

/// The most fees for single items that are kept of a provider.
pub const MOST_FEE_OVERRIDES: usize = 1_000;
/// The change of the share of failed calls that is worth recording.
const ERRORS: u16 = 1_000;
/// Below this a latency is short, however it changes.
const SHORT: u32 = 100;
/// By this part a balance has to change.
const PART_OF_BALANCE: i64 = 100;
/// An unchanged report is recorded again after this time, so that it shows how recent it is.
const REPEATED_AFTER: Duration = Duration::minutes(5);
/// A provider that has answered no look for this time is down.
const DOWN_AFTER: Duration = Duration::minutes(5);

/// Whether a provider is given work while it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BreakerState {
    /// The last look at it was answered.
    Closed = 1,
    /// It was not: nothing is begun there until one is.
    Open = 2,
}

names! { BreakerState, "state of a breaker":
    Closed => "CLOSED",
    Open => "OPEN",
}

/// What one look at a provider found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderReport {
    /// When.
    pub seen_at: Timestamp,
    /// When a look was last answered.
    pub last_success_at: Option<Timestamp>,
    /// How long the last answer took, in milliseconds.
    pub latency_millis: Option<u32>,
    /// Of the last looks, the share that was not answered.
    pub error_rate: BasisPoints,
    /// How many calls it allows before its rate limit, where it reports that.
    pub remaining: Option<u32>,
    /// Whether it is given work.
    pub breaker: BreakerState,
    /// The fees; `None` until it has reported them.
    pub fees: Option<FeeSchedule>,
    /// The available balance; `None` until it has reported it.
    pub balance: Option<VenueCents>,
    /// What the operator's account has there; `None` until it was read.
    pub standing: Option<AccountStanding>,
}

/// What was seen of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderHealth {
    /// The provider.
    pub provider_id: ProviderId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What was seen.
    pub report: ProviderReport,
    /// The baseline of its balance; `None` until that is known.
    pub baseline: Option<Baseline>,
}

/// What a test of a provider looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderCheckCode {
    /// It answers.
    Connection = 1,
    /// It knows us.
    Credentials = 2,
    /// It lets itself be asked now.
    RateLimit = 3,
    /// Its fees.
    Fees = 4,
    /// Its available balance.
    Balance = 5,
    /// Its prices.
    Quotes = 6,
    /// The form of its answers.
    Shapes = 7,
}

names! { ProviderCheckCode, "check of a provider":
    Connection => "CONNECTION",
    Credentials => "CREDENTIALS",
    RateLimit => "RATE_LIMIT",
    Fees => "FEES",
    Balance => "BALANCE",
    Quotes => "QUOTES",
    Shapes => "SHAPES",
}

/// One check of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCheck {
    /// Which.
    pub code: ProviderCheckCode,
    /// Whether it holds.
    pub ok: bool,
    /// What was found.
    pub detail: String,
}

impl ProviderReport {
    /// What is known after a newer look, which may have found less.
    #[must_use]
    pub fn followed_by(self, newer: Self) -> Self {
        Self {
            last_success_at: newer.last_success_at.max(self.last_success_at),
            latency_millis: newer.latency_millis.or(self.latency_millis),
            fees: newer.fees.or(self.fees),
            balance: newer.balance.or(self.balance),
            standing: newer.standing.or(self.standing),
            ..newer
        }
    }

    /// Whether the provider fails, and has answered no look for 5 min.
    pub fn is_down(&self, at: Timestamp) -> bool {
        let has_answered_lately = self.last_success_at.is_some_and(|answered_at| at.since(answered_at) < DOWN_AFTER);
        self.breaker == BreakerState::Open && !has_answered_lately
    }

    /// Whether a newer report is worth recording.
    pub fn is_outdated_by(&self, newer: &Self) -> bool {
        newer.seen_at > self.seen_at
            && (newer.breaker != self.breaker
                || newer.error_rate.get().abs_diff(self.error_rate.get()) >= ERRORS
                || newer.fees.is_some() && newer.fees != self.fees
                || newer.standing.is_some() && newer.standing != self.standing
                || is_another_latency(self.latency_millis, newer.latency_millis)
                || is_another_balance(self.balance, newer.balance)
                || newer.seen_at.since(self.seen_at) >= REPEATED_AFTER)
    }
}

/// Twice as long, or half.
fn is_another_latency(known: Option<u32>, newer: Option<u32>) -> bool {
    let Some(newer) = newer else { return false };
    let Some(known) = known else { return true };
    let (short, long) = (known.min(newer), known.max(newer));
    long > SHORT && long >= short.saturating_mul(2)
}

/// Off by a hundredth, or spent.
fn is_another_balance(known: Option<VenueCents>, newer: Option<VenueCents>) -> bool {
    let Some(newer) = newer else { return false };
    let Some(known) = known else { return true };
    let off = known.get().abs_diff(newer.get());
    let part = known.get().unsigned_abs() / PART_OF_BALANCE.unsigned_abs();
    off > part || (off > 0 && (known == VenueCents::ZERO || newer == VenueCents::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markets::fees::{FeeRate, Rounding};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn fees(share: u16) -> FeeSchedule {
        let share = BasisPoints::new(share).unwrap();
        let rate = FeeRate { share, minimum: VenueCents::ZERO, rounding: Rounding::Ceil };
        FeeSchedule { buying: rate, selling: rate, overrides: Vec::new() }
    }

    fn report() -> ProviderReport {
        ProviderReport {
            seen_at: at(10),
            last_success_at: Some(at(10)),
            latency_millis: Some(150),
            error_rate: BasisPoints::new(0).unwrap(),
            remaining: None,
            breaker: BreakerState::Closed,
            fees: Some(fees(200)),
            balance: VenueCents::new(100_000).ok(),
            standing: Some(standing(3)),
        }
    }

    fn standing(orders: u32) -> AccountStanding {
        AccountStanding { seen_at: at(9), balance: VenueCents::ONE, listings: 1, asked: VenueCents::ONE, orders }
    }

    #[test]
    fn an_unchanged_report_is_repeated_after_five_minutes_only() {
        let later = |seconds| ProviderReport { seen_at: at(seconds), ..report() };
        assert!(!report().is_outdated_by(&later(309)));
        assert!(report().is_outdated_by(&later(310)));
    }

    #[test]
    fn a_provider_that_fails_is_down_once_it_has_answered_nothing_for_five_minutes() {
        let failing = ProviderReport { breaker: BreakerState::Open, ..report() };
        assert!(!failing.is_down(at(309)));
        assert!(failing.is_down(at(310)));
        assert!(ProviderReport { last_success_at: None, ..failing }.is_down(at(10)));
        assert!(!report().is_down(at(310)), "its last look was answered");
    }

    #[test]
    fn a_relevant_change_is_recorded_at_once_and_no_other() {
        let newer = ProviderReport { seen_at: at(11), ..report() };
        let changes = [
            ProviderReport { breaker: BreakerState::Open, ..newer.clone() },
            ProviderReport { error_rate: BasisPoints::new(1_000).unwrap(), ..newer.clone() },
            ProviderReport { fees: Some(fees(201)), ..newer.clone() },
            ProviderReport { standing: Some(standing(4)), ..newer.clone() },
            ProviderReport { latency_millis: Some(300), ..newer.clone() },
            ProviderReport { latency_millis: Some(75), ..newer.clone() },
            ProviderReport { balance: VenueCents::new(98_999).ok(), ..newer.clone() },
            ProviderReport { balance: VenueCents::new(0).ok(), ..newer.clone() },
        ];
        for news in changes {
            assert!(report().is_outdated_by(&news), "{news:?}");
            assert!(!report().is_outdated_by(&ProviderReport { seen_at: at(10), ..news }), "not later");
        }
        let unchanged = [
            ProviderReport { error_rate: BasisPoints::new(999).unwrap(), ..newer.clone() },
            ProviderReport { fees: None, balance: None, standing: None, latency_millis: None, ..newer.clone() },
            ProviderReport { latency_millis: Some(299), ..newer.clone() },
            ProviderReport { balance: VenueCents::new(99_000).ok(), ..newer },
        ];
        for same in unchanged {
            assert!(!report().is_outdated_by(&same), "{same:?}");
        }
    }

    #[test]
    fn a_look_that_finds_nothing_leaves_what_was_found_before() {
        let failed = ProviderReport {
            seen_at: at(20),
            last_success_at: None,
            latency_millis: None,
            error_rate: BasisPoints::new(5_000).unwrap(),
            breaker: BreakerState::Open,
            fees: None,
            balance: None,
            standing: None,
            remaining: Some(0),
        };
        let known = report().followed_by(failed.clone());
        let expected = ProviderReport {
            last_success_at: Some(at(10)),
            latency_millis: Some(150),
            fees: Some(fees(200)),
            balance: VenueCents::new(100_000).ok(),
            standing: Some(standing(3)),
            ..failed
        };
        assert_eq!(known, expected);
    }
}

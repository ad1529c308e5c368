//! The desk's providers as recorded: which are disabled, and the health of each, reported when it changes.

use std::collections::{BTreeMap, VecDeque};

use time::Duration;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::markets::provider::{Baseline, BreakerState, ProviderKind, ProviderReport, ProviderStatus};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::markets::{GetProviders, ListProviders, RecordProviderHealth};
use tradepost_ports::external::ExternalError;

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::mark::is_due;
use crate::timings::PAGE;

/// The most characters of a reason in the evidence of a remediation.
const MOST_OF_REASON: usize = 128;

/// A provider, as the workspace names it.
pub(crate) type ProviderName = (ProviderKind, Marketplace);

/// The providers that are on record, and the last looks at each.
#[derive(Debug, Default)]
pub(crate) struct ProviderCache {
    known: BTreeMap<ProviderName, CachedProvider>,
    looks: BTreeMap<ProviderName, CallHistory>,
    /// When the records were last read.
    read_at: Option<Mark>,
}

#[derive(Debug)]
struct CachedProvider {
    id: ProviderId,
    status: ProviderStatus,
    report: Option<ProviderReport>,
    baseline: Option<Baseline>,
}

/// The last looks at a provider.
#[derive(Debug, Default)]
struct CallHistory {
    /// Whether each was answered, the latest last.
    answered: VecDeque<bool>,
    last_success_at: Option<Timestamp>,
    latency: Option<Duration>,
}

/// What a look at a provider found.
#[derive(Debug, Default)]
pub(crate) struct ProviderReading {
    fees: Option<FeeSchedule>,
    balance: Option<VenueCents>,
}

impl ProviderReading {
    /// What a marketplace takes and has for us, as far as it has answered.
    pub(crate) const fn of_marketplace(fees: Option<FeeSchedule>, balance: Option<VenueCents>) -> Self {
        Self { fees, balance }
    }
}

impl ProviderCache {
    /// Returns a provider's report after a call, if it differs enough from the last.
    fn next_report(
        &mut self,
        name: &ProviderName,
        look: Result<ProviderReading, bool>,
        now: Timestamp,
        most: usize,
    ) -> Option<ProviderReport> {
        let known = self.known.get_mut(name)?;
        let looks = self.looks.entry(name.clone()).or_default();
        looks.record_call(look.is_ok(), now, most);
        let is_limited = look.as_ref().is_err_and(|is_limited| *is_limited);
        let breaker = if look.is_ok() { BreakerState::Closed } else { BreakerState::Open };
        let found = look.unwrap_or_default();
        let report = ProviderReport {
            seen_at: now,
            last_success_at: looks.last_success_at,
            latency_millis: looks.latency.map(|took| u32::try_from(took.whole_milliseconds()).unwrap_or(u32::MAX)),
            error_rate: looks.error_rate(),
            remaining: is_limited.then_some(0),
            breaker,
            fees: found.fees,
            balance: found.balance,
            standing: None,
        };
        if known.report.as_ref().is_some_and(|known| !known.is_outdated_by(&report)) {
            return None;
        }
        known.report = Some(match known.report.take() {
            Some(known) => known.followed_by(report.clone()),
            None => report.clone(),
        });
        Some(report)
    }
}

impl CallHistory {
    /// Adds a call to the most recent ones, of which at most `most` are kept.
    fn record_call(&mut self, is_answered: bool, now: Timestamp, most: usize) {
        if self.answered.len() >= most {
            self.answered.pop_front();
        }
        self.answered.push_back(is_answered);
        if is_answered {
            self.last_success_at = Some(now);
        }
    }

    fn error_rate(&self) -> BasisPoints {
        let failed = self.answered.iter().filter(|answered| !**answered).count();
        let whole = usize::from(BasisPoints::MAX.get());
        let points = failed.saturating_mul(whole).checked_div(self.answered.len()).unwrap_or(0);
        u16::try_from(points).ok().and_then(|points| BasisPoints::new(points).ok()).unwrap_or(BasisPoints::MAX)
    }
}

impl Context {
    /// Whether an operator has disabled a provider.
    pub(crate) fn is_provider_disabled(&self, name: &ProviderName) -> bool {
        self.state.providers.known.get(name).is_some_and(|known| known.status == ProviderStatus::Disabled)
    }

    pub(crate) fn is_marketplace_disabled(&self, name: &Marketplace) -> bool {
        self.is_provider_disabled(&(ProviderKind::Marketplace, name.clone()))
    }

    /// Returns the record of a marketplace, and the baseline of its balance.
    pub(crate) fn marketplace_provider(&self, name: &Marketplace) -> Option<(ProviderId, Option<Baseline>)> {
        let known = self.state.providers.known.get(&(ProviderKind::Marketplace, name.clone()))?;
        Some((known.id, known.baseline))
    }

    /// Sets the baseline of a marketplace's balance.
    pub(crate) fn set_baseline(&mut self, id: ProviderId, baseline: Baseline) {
        let known = self.state.providers.known.values_mut().filter(|known| known.id == id);
        known.for_each(|known| known.baseline = Some(baseline));
    }

    /// A provider has answered a call within this time.
    pub(crate) fn record_latency(&mut self, name: ProviderName, within: Duration) {
        self.state.providers.looks.entry(name).or_default().latency = Some(within);
    }

    /// Takes in which providers there are, which of them are out of work, and what is on record of each, once in a while.
    pub(crate) async fn refresh_providers(&mut self) -> EngineResult {
        let now = self.mark();
        if !is_due(self.state.providers.read_at.as_ref(), now, self.timings.provider_refresh_interval) {
            return Ok(());
        }
        let (workspace_id, mut known, mut cursor) = (self.desk.workspace_id, BTreeMap::new(), String::new());
        loop {
            let list = ListProviders { workspace_id, limit: PAGE, cursor, kind: None };
            let page = self.operations.list_providers(&self.caller, list).await?;
            if !page.entries.is_empty() {
                let get = GetProviders { workspace_id, provider_ids: page.entries };
                for shown in self.operations.get_providers(&self.caller, get).await?.found {
                    let provider = shown.provider.value;
                    let (report, baseline) = (shown.report, shown.baseline);
                    let known_as = CachedProvider { id: provider.id, status: provider.status, report, baseline };
                    known.insert((provider.kind, provider.name), known_as);
                }
            }
            if page.next_cursor.is_empty() {
                break;
            }
            cursor = page.next_cursor;
        }
        self.state.providers.known = known;
        self.state.providers.read_at = Some(now);
        Ok(())
    }

    /// Reports the result of a call to a provider's record, if there is a record and a change.
    pub(crate) async fn report_provider(
        &mut self,
        name: ProviderName,
        look: Result<ProviderReading, &EngineError>,
    ) -> EngineResult {
        let look = match look {
            Ok(found) => Ok(found),
            Err(EngineError::Marketplace(error)) => Err(is_rate_limited(error)),
            Err(EngineError::Prices(error)) => Err(is_rate_limited(error)),
            // It is not the provider that failed.
            Err(_) => return Ok(()),
        };
        let (now, is_down) = (self.now(), look.is_err());
        if let Some(report) = self.state.providers.next_report(&name, look, now, self.timings.provider_history) {
            let (workspace_id, (kind, name)) = (self.desk.workspace_id, name.clone());
            let command = RecordProviderHealth { workspace_id, kind, name, report };
            self.operations.record_provider_health(&self.caller, command).await?;
        }
        let Some(known) = self.state.providers.known.get(&name) else { return Ok(()) };
        let problem = (RemediationKind::ProviderDown, Subject::Provider(known.id));
        self.report_problem(problem, self.timings.provider_outage_after, is_down.then(Evidence::default)).await
    }
}

impl Context {
    /// Reports that the game platform refuses this client, if it is on record, until it answers again. At once, because no pace of calls ends it.
    pub(crate) async fn report_platform(&self) -> EngineResult {
        // Its node makes the reads that show it, and others of the desk would resolve what it reports.
        if !self.holds_inventory() {
            return Ok(());
        }
        let known = self.state.providers.known.iter();
        let mut platforms = known.filter(|((kind, _), _)| *kind == ProviderKind::GamePlatform);
        // The records of a desk are those of one platform.
        let (Some((_, platform)), None) = (platforms.next(), platforms.next()) else { return Ok(()) };
        let problem = (RemediationKind::ProviderDown, Subject::Provider(platform.id));
        let shown = self.desk.platform.refuses_client().map(|why| refusal_of_client(&why));
        self.report_problem(problem, Duration::ZERO, shown).await
    }
}

/// Returns the evidence that a platform refuses this client.
fn refusal_of_client(why: &str) -> Evidence {
    let shortened: String = why.chars().take(MOST_OF_REASON).collect();
    Evidence { found: ExternalId::new(&shortened).ok(), ..Evidence::default() }
}

const fn is_rate_limited<R>(error: &ExternalError<R>) -> bool {
    matches!(error, ExternalError::RateLimited { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn the_share_of_failed_looks_is_that_of_the_last_hundred() {
        let mut looks = CallHistory::default();
        assert_eq!(looks.error_rate().get(), 0);
        looks.record_call(false, at(0), 100);
        looks.record_call(true, at(1), 100);
        assert_eq!((looks.error_rate().get(), looks.last_success_at), (5_000, Some(at(1))));
        (2..101).for_each(|second| looks.record_call(true, at(second), 100));
        assert_eq!((looks.error_rate().get(), looks.answered.len()), (0, 100));
    }
}

//! Problems that only external systems show: each is reported once, and resolved when it is no longer seen.
//!
//! The open ones are read every minute, so that a node continues with what another has reported.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind, RemediationStatus};
use tradepost_domain::id::{InventoryItemId, PurchaseId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{GetRemediations, ListRemediations, OpenRemediation, ResolveRemediation};
use tradepost_operations::trading::GetTradeOffers;

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::market::state::MarketState;
use crate::open_records::PAGE;
use crate::sales::Sales;
use crate::sales::orphan_listings::may_be_orphaned;

/// A problem of a record.
pub(crate) type Problem = (RemediationKind, Subject);

/// Maximum number of records read at once.
const PAGE_SIZE: usize = PAGE.unsigned_abs() as usize;
/// Kinds that an engine reports by itself.
const REPORTED_KINDS: [RemediationKind; 9] = [
    RemediationKind::PaidNotDelivered,
    RemediationKind::LateDelivery,
    RemediationKind::MissingItem,
    RemediationKind::ChainInvalid,
    RemediationKind::TradeReversed,
    RemediationKind::ConfirmationStuck,
    RemediationKind::BalanceMismatch,
    RemediationKind::ProviderDown,
    RemediationKind::ListingMismatch,
];
/// Statuses of remediations that are not settled: an operator's decision holds as long as the problem does.
const UNSETTLED: [RemediationStatus; 5] = [
    RemediationStatus::Open,
    RemediationStatus::Working,
    RemediationStatus::Waiting,
    RemediationStatus::NeedsOperator,
    RemediationStatus::Dismissed,
];

/// What shows a problem. Several sights can show the same kind of one record: that one is over says nothing of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ProblemSource {
    /// The record itself, or what is outside for it.
    Record,
    /// A sale of an item that is not on sale for it.
    Sale,
    /// A listing of an item that is not on sale by it.
    Listing,
    /// The marketplace of a sale, which rejects every trade offer that is announced for it.
    Announcement,
}

/// What the evidence of a rejected announcement expects.
const ACCEPTED: &str = "trade offer accepted";

/// Returns the evidence that a marketplace rejects the trade offers for a sale.
pub(crate) fn rejected_announcement(sale: &ExternalId, offer: &ExternalId) -> Evidence {
    let expected = ExternalId::new(ACCEPTED).ok();
    let found = ExternalId::new(&format!("offer {offer} rejected")).ok();
    Evidence { shown_by: Some(sale.clone()), expected, found }
}

impl ProblemSource {
    /// Returns the source of an open problem, by its evidence.
    fn of(kind: RemediationKind, evidence: &Evidence) -> Self {
        if kind != RemediationKind::ListingMismatch {
            Self::Record
        } else if evidence.expected.as_ref().is_some_and(|expected| expected.as_str() == ACCEPTED) {
            Self::Announcement
        } else if evidence.expected.is_some() {
            Self::Record
        } else if evidence.found.is_some() {
            Self::Listing
        } else {
            Self::Sale
        }
    }
}

/// What has shown a problem that is open, and by which id outside.
#[derive(Debug, Clone)]
pub(crate) struct ProblemEvidence {
    sight: ProblemSource,
    pub(crate) by: Option<ExternalId>,
}

/// What a person dismissed: of a record as it was, or of one sight of it by its id outside.
type Dismissal = (Problem, ProblemSource, Option<ExternalId>);

/// An unsettled remediation, and when it last changed.
struct UnsettledProblem {
    problem: Problem,
    shown: ProblemEvidence,
    changed_at: Timestamp,
}

/// What is known of the problems of records.
#[derive(Debug, Default)]
pub(crate) struct Problems(Mutex<ProblemCache>);

#[derive(Debug, Default)]
struct ProblemCache {
    open: HashMap<Problem, ProblemEvidence>,
    /// Those that a person has dismissed, and when last.
    dismissed: HashMap<Dismissal, Timestamp>,
    /// First time that a problem was seen without a break, reported or not.
    seen_since: HashMap<Sight, Mark>,
}

/// A problem, as one source shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    problem: Problem,
    source: ProblemSource,
}

/// Next step for a problem that a source shows, or no longer shows.
enum ProblemStep {
    Open,
    Resolve,
    Nothing,
}

impl Problems {
    fn cache(&self) -> MutexGuard<'_, ProblemCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When a person last dismissed a problem.
    pub(crate) fn dismissed_at(&self, problem: Problem) -> Option<Timestamp> {
        self.cache().dismissed.get(&(problem, ProblemSource::Record, None)).copied()
    }

    /// What was dismissed was another problem than the one that is seen now.
    pub(crate) fn forget_dismissed(&self, problem: Problem) {
        self.cache().dismissed.remove(&(problem, ProblemSource::Record, None));
    }

    /// Whether a problem is open that this sight has shown.
    pub(crate) fn is_reported(&self, problem: Problem, sight: ProblemSource) -> bool {
        self.cache().open.get(&problem).is_some_and(|shown| shown.sight == sight)
    }
}

impl ProblemCache {
    fn step(&mut self, sight: Sight, shown: Option<&Evidence>, lasting: Duration, now: Mark) -> ProblemStep {
        let Sight { problem, source } = sight;
        let Some(shown) = shown else {
            self.seen_since.remove(&sight);
            // A problem that another source has shown ends with that source.
            let is_open = self.open.get(&problem).is_some_and(|shown| shown.sight == source);
            return if is_open && self.open.remove(&problem).is_some() {
                ProblemStep::Resolve
            } else {
                ProblemStep::Nothing
            };
        };
        let since = *self.seen_since.entry(sight).or_insert(now);
        let dismissal = dismissal(problem, source, shown.shown_by.clone());
        let is_known = self.open.contains_key(&problem) || self.dismissed.contains_key(&dismissal);
        if is_known || now.since(since) < lasting { ProblemStep::Nothing } else { ProblemStep::Open }
    }
}

/// What a dismissal of this sight is of. A record is one whatever shows its problem.
fn dismissal(problem: Problem, sight: ProblemSource, shown_by: Option<ExternalId>) -> Dismissal {
    (problem, sight, shown_by.filter(|_| sight != ProblemSource::Record))
}

impl Context {
    /// Reports a problem once it has lasted this long, and resolves it once it is no longer seen.
    pub(crate) async fn report_problem(
        &self,
        problem: Problem,
        lasting: Duration,
        shown: Option<Evidence>,
    ) -> EngineResult {
        self.report_problem_from(problem, ProblemSource::Record, lasting, shown).await
    }

    /// The same of a problem that several sights can show, by one of them.
    pub(crate) async fn report_problem_from(
        &self,
        problem: Problem,
        source: ProblemSource,
        lasting: Duration,
        shown: Option<Evidence>,
    ) -> EngineResult {
        let sight = Sight { problem, source };
        let step = self.problems.cache().step(sight, shown.as_ref(), lasting, self.mark());
        let (workspace_id, (kind, subject)) = (self.desk.workspace_id, problem);
        match step {
            ProblemStep::Nothing => {}
            ProblemStep::Open => {
                let evidence = shown.unwrap_or_default();
                let shown = ProblemEvidence { sight: source, by: evidence.shown_by.clone() };
                let command = OpenRemediation { workspace_id, kind, subject, evidence };
                self.operations.open_remediation(&self.caller, command).await?;
                self.problems.cache().open.insert(problem, shown);
            }
            ProblemStep::Resolve => {
                let command = ResolveRemediation { workspace_id, kind, subject };
                self.operations.resolve_remediation(&self.caller, command).await?;
            }
        }
        Ok(())
    }

    /// Reads the unsettled problems, and resolves those of records that left the state in which they are checked.
    pub(crate) async fn refresh_problems(&self, market_state: &MarketState, sales: &Sales) -> EngineResult {
        let (mut open, mut dismissed) = (HashMap::new(), HashMap::new());
        for status in UNSETTLED {
            for kind in REPORTED_KINDS {
                for UnsettledProblem { problem, shown, changed_at } in self.unsettled_problems(kind, status).await? {
                    if status == RemediationStatus::Dismissed {
                        let last = dismissed.entry(dismissal(problem, shown.sight, shown.by)).or_insert(changed_at);
                        *last = changed_at.max(*last);
                    } else {
                        open.insert(problem, shown);
                    }
                }
            }
        }
        self.drop_outdated_dismissals(&mut dismissed).await?;
        {
            let mut known = self.problems.cache();
            known.open.clone_from(&open);
            known.dismissed = dismissed;
        }
        for problem in self.ended_problems(market_state, sales, &open).await? {
            let sight = open.get(&problem).map_or(ProblemSource::Record, |shown| shown.sight);
            self.report_problem_from(problem, sight, Duration::ZERO, None).await?;
        }
        Ok(())
    }

    /// Leaves out what was dismissed of a purchase or an item that has taken a step since: what is seen of it now is another problem,
    /// though of the same kind. What breaks a law of a chain stays in it.
    async fn drop_outdated_dismissals(&self, dismissed: &mut HashMap<Dismissal, Timestamp>) -> EngineResult {
        let ends = |((kind, _), sight, _): &Dismissal| {
            *sight == ProblemSource::Record && *kind != RemediationKind::ChainInvalid
        };
        let (mut purchases, mut items, mut moved_at) = (Vec::new(), Vec::new(), HashMap::new());
        for ((_, subject), _, _) in dismissed.keys().filter(|dismissal| ends(dismissal)) {
            if let Subject::Purchase(id) = subject {
                purchases.push(*id);
            } else if let Subject::InventoryItem(id) = subject {
                items.push(*id);
            }
        }
        for ids in purchases.chunks(PAGE_SIZE) {
            let found = self.purchases_by_id(ids.to_vec()).await?.into_iter();
            moved_at.extend(found.map(|found| (Subject::Purchase(found.value.terms.id), found.value.updated_at)));
        }
        for ids in items.chunks(PAGE_SIZE) {
            let found = self.items_by_id(ids.to_vec()).await?.into_iter();
            moved_at.extend(found.map(|found| (Subject::InventoryItem(found.value.id), found.value.updated_at)));
        }
        dismissed.retain(|dismissal, at| {
            let (_, subject) = dismissal.0;
            !ends(dismissal) || moved_at.get(&subject).is_none_or(|moved_at| moved_at <= at)
        });
        Ok(())
    }

    /// The latest problems of a kind whose remediation is in a status.
    async fn unsettled_problems(
        &self,
        kind: RemediationKind,
        status: RemediationStatus,
    ) -> EngineResult<Vec<UnsettledProblem>> {
        let list = ListRemediations {
            workspace_id: self.desk.workspace_id,
            limit: PAGE,
            cursor: String::new(),
            status: Some(status),
            kind: Some(kind),
            severity: None,
        };
        let remediation_ids = self.operations.list_remediations(&self.caller, list).await?.entries;
        if remediation_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetRemediations { workspace_id: self.desk.workspace_id, remediation_ids };
        let found = self.operations.get_remediations(&self.caller, get).await?.found;
        let standing = found.into_iter().map(|found| UnsettledProblem {
            problem: (kind, found.value.subject),
            shown: ProblemEvidence {
                sight: ProblemSource::of(kind, &found.value.evidence),
                by: found.value.evidence.shown_by.clone(),
            },
            changed_at: found.value.updated_at,
        });
        Ok(standing.collect())
    }

    /// Returns problems of records that no step checks for them any longer: the purchase was delivered or ended, the item is not on sale, or
    /// the offer needs no confirmation.
    async fn ended_problems(
        &self,
        market_state: &MarketState,
        sales: &Sales,
        open: &HashMap<Problem, ProblemEvidence>,
    ) -> EngineResult<Vec<Problem>> {
        let (mut purchases, mut items, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        for problem in open.keys() {
            match problem {
                (RemediationKind::PaidNotDelivered, Subject::Purchase(id)) => purchases.push(*id),
                (RemediationKind::ListingMismatch | RemediationKind::MissingItem, Subject::InventoryItem(id)) => {
                    items.push(*id);
                }
                (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id)) => offers.push(*id),
                _ => {}
            }
        }
        items.sort_unstable();
        items.dedup();
        let mut outlived = self.ended_purchase_problems(&purchases).await?;
        outlived.extend(self.ended_item_problems(market_state, sales, &items, open).await?);
        for ids in offers.chunks(PAGE_SIZE) {
            let get = GetTradeOffers { workspace_id: self.desk.workspace_id, trade_offer_ids: ids.to_vec() };
            let found = self.operations.get_trade_offers(&self.caller, get).await?.found;
            let moved_on = found.into_iter().filter(|offer| offer.value.status != TradeOfferStatus::NeedsConfirmation);
            let subject = moved_on.map(|offer| Subject::TradeOffer(offer.value.id));
            outlived.extend(subject.map(|subject| (RemediationKind::ConfirmationStuck, subject)));
        }
        Ok(outlived)
    }

    async fn ended_purchase_problems(&self, purchases: &[PurchaseId]) -> EngineResult<Vec<Problem>> {
        let mut outlived = Vec::new();
        for ids in purchases.chunks(PAGE_SIZE) {
            for purchase in self.purchases_by_id(ids.to_vec()).await? {
                let is_waited_for = matches!(
                    purchase.value.status,
                    PurchaseStatus::Paid
                        | PurchaseStatus::Offered
                        | PurchaseStatus::TradeHeld
                        | PurchaseStatus::RefundPending
                        | PurchaseStatus::Reverted
                );
                let subject = Subject::Purchase(purchase.value.terms.id);
                outlived.extend((!is_waited_for).then_some((RemediationKind::PaidNotDelivered, subject)));
            }
        }
        Ok(outlived)
    }

    /// Returns the problems that items no longer have: an item that is not listed has no listing mismatch, and one that is in place is not missing.
    async fn ended_item_problems(
        &self,
        market_state: &MarketState,
        sales: &Sales,
        items: &[InventoryItemId],
        open: &HashMap<Problem, ProblemEvidence>,
    ) -> EngineResult<Vec<Problem>> {
        let mut outlived = Vec::new();
        for ids in items.chunks(PAGE_SIZE) {
            for item in self.items_by_id(ids.to_vec()).await? {
                let (subject, status) = (Subject::InventoryItem(item.value.id), item.value.status);
                let is_away = matches!(status, ItemStatus::Missing | ItemStatus::Sold);
                let differs = (RemediationKind::ListingMismatch, subject);
                let may_differ = |shown: &ProblemEvidence| match shown.sight {
                    ProblemSource::Record => status == ItemStatus::Listed,
                    ProblemSource::Sale => sales.may_be_unexpected(self, item.value.id, shown.by.as_ref()),
                    ProblemSource::Listing => may_be_orphaned(
                        self.desk.venues.iter().map(|venue| &venue.name),
                        market_state,
                        shown.by.as_ref(),
                    ),
                    ProblemSource::Announcement => status == ItemStatus::Delivering,
                };
                outlived.extend(open.get(&differs).is_some_and(|shown| !may_differ(shown)).then_some(differs));
                let missing = (RemediationKind::MissingItem, subject);
                outlived.extend((!is_away && open.contains_key(&missing)).then_some(missing));
            }
        }
        Ok(outlived)
    }
}

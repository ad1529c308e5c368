//! Problems that only whoever looks outside can see: told once, and over when they are not seen any more.
//!
//! Which of them are open is read once in a while, so that a node goes on with what another has told.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;
use tradepost_domain::id::{InventoryItemId, PurchaseId};
use tradepost_domain::inventory_item::ItemStatus;
use tradepost_domain::purchase::PurchaseStatus;
use tradepost_domain::remediation::{Evidence, RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade_offer::TradeOfferStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{GetRemediations, ListRemediations, OpenRemediation, ResolveRemediation};
use tradepost_operations::trading::GetTradeOffers;

use crate::Engine;
use crate::reads::PAGE;
use crate::trouble::Tried;

/// A problem of a record.
pub(crate) type Problem = (RemediationKind, Subject);

/// As many records as are read at once.
const PAGED: usize = PAGE.unsigned_abs() as usize;
/// The kinds that an engine tells of by itself.
const TOLD: [RemediationKind; 7] = [
    RemediationKind::PaidNotDelivered,
    RemediationKind::MissingItem,
    RemediationKind::TradeReversed,
    RemediationKind::ConfirmationStuck,
    RemediationKind::BalanceMismatch,
    RemediationKind::ProviderDown,
    RemediationKind::ListingMismatch,
];
/// Where remediations stand that were not settled: a person's last word holds as long as the problem does.
const STANDING: [RemediationStatus; 5] = [
    RemediationStatus::Open,
    RemediationStatus::Working,
    RemediationStatus::Waiting,
    RemediationStatus::NeedsOperator,
    RemediationStatus::Dismissed,
];

/// What is known of the problems of records.
#[derive(Debug, Default)]
pub(crate) struct Problems(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    open: HashSet<Problem>,
    /// Those that a person has dismissed, and when last.
    dismissed: HashMap<Problem, Timestamp>,
    /// Since when one is seen that lasts not long enough yet to be told.
    seen_since: HashMap<Problem, Timestamp>,
}

/// What is to be done about a sight.
enum Step {
    Open,
    Resolve,
    Nothing,
}

impl Problems {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When a person last dismissed a problem.
    pub(crate) fn dismissed_at(&self, problem: Problem) -> Option<Timestamp> {
        self.known().dismissed.get(&problem).copied()
    }

    /// What was dismissed was another problem than the one that is seen now.
    pub(crate) fn forget_dismissed(&self, problem: Problem) {
        self.known().dismissed.remove(&problem);
    }

    /// Whether a problem that is seen has been seen for so long.
    pub(crate) fn has_lasted(&self, problem: Problem, (lasting, now): (Duration, Timestamp)) -> bool {
        self.known().seen_since.get(&problem).is_some_and(|since| now.since(*since) >= lasting)
    }
}

impl Known {
    fn step(&mut self, problem: Problem, is_seen: bool, (lasting, now): (Duration, Timestamp)) -> Step {
        if !is_seen {
            self.seen_since.remove(&problem);
            return if self.open.remove(&problem) { Step::Resolve } else { Step::Nothing };
        }
        let since = *self.seen_since.entry(problem).or_insert(now);
        let is_known = self.open.contains(&problem) || self.dismissed.contains_key(&problem);
        if is_known || now.since(since) < lasting { Step::Nothing } else { Step::Open }
    }
}

impl Engine {
    /// Tells of a problem once it has lasted so long, and that it is over when it is not seen any more.
    pub(crate) async fn tell_problem(&self, problem: Problem, lasting: Duration, shown: Option<Evidence>) -> Tried {
        let step = self.problems.known().step(problem, shown.is_some(), (lasting, self.now()));
        let (workspace_id, (kind, subject)) = (self.desk.workspace_id, problem);
        match step {
            Step::Nothing => {}
            Step::Open => {
                let evidence = shown.unwrap_or_default();
                let command = OpenRemediation { workspace_id, kind, subject, evidence };
                self.operations.open_remediation(&self.caller, command).await?;
                self.problems.known().open.insert(problem);
            }
            Step::Resolve => {
                let command = ResolveRemediation { workspace_id, kind, subject };
                self.operations.resolve_remediation(&self.caller, command).await?;
            }
        }
        Ok(())
    }

    /// Reads which problems stand, and ends those of records that have left the state in which they are looked at.
    pub(crate) async fn follow_problems(&mut self) -> Tried {
        let (mut open, mut dismissed) = (HashSet::new(), HashMap::new());
        for status in STANDING {
            for kind in TOLD {
                for (problem, changed_at) in self.standing(kind, status).await? {
                    if status == RemediationStatus::Dismissed {
                        let last = dismissed.entry(problem).or_insert(changed_at);
                        *last = changed_at.max(*last);
                    } else {
                        open.insert(problem);
                    }
                }
            }
        }
        {
            let mut known = self.problems.known();
            known.open.clone_from(&open);
            known.dismissed = dismissed;
        }
        for problem in self.outlived(&open).await? {
            self.tell_problem(problem, Duration::ZERO, None).await?;
        }
        Ok(())
    }

    /// The latest problems of a kind whose remediation is in a status, and when that last changed.
    async fn standing(&self, kind: RemediationKind, status: RemediationStatus) -> Tried<Vec<(Problem, Timestamp)>> {
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
        Ok(found.into_iter().map(|found| ((kind, found.value.subject), found.value.updated_at)).collect())
    }

    /// Those of records that nobody looks at any more for their sake: what was paid has come or ended, what was on sale is not, and
    /// an offer waits for no confirmation.
    async fn outlived(&self, open: &HashSet<Problem>) -> Tried<Vec<Problem>> {
        let (mut purchases, mut items, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        for problem in open {
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
        let mut outlived = self.paid_for_nothing_more(&purchases).await?;
        outlived.extend(self.where_they_belong(&items).await?.into_iter().filter(|problem| open.contains(problem)));
        for ids in offers.chunks(PAGED) {
            let get = GetTradeOffers { workspace_id: self.desk.workspace_id, trade_offer_ids: ids.to_vec() };
            let found = self.operations.get_trade_offers(&self.caller, get).await?.found;
            let moved_on = found.into_iter().filter(|offer| offer.value.status != TradeOfferStatus::NeedsConfirmation);
            let subject = moved_on.map(|offer| Subject::TradeOffer(offer.value.id));
            outlived.extend(subject.map(|subject| (RemediationKind::ConfirmationStuck, subject)));
        }
        Ok(outlived)
    }

    async fn paid_for_nothing_more(&self, purchases: &[PurchaseId]) -> Tried<Vec<Problem>> {
        let mut outlived = Vec::new();
        for ids in purchases.chunks(PAGED) {
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

    /// What items have no more: those that are not on sale differ from no listing, and those that are where they belong are not missing.
    async fn where_they_belong(&self, items: &[InventoryItemId]) -> Tried<Vec<Problem>> {
        let mut outlived = Vec::new();
        for ids in items.chunks(PAGED) {
            for item in self.items_by_id(ids.to_vec()).await? {
                let (subject, status) = (Subject::InventoryItem(item.value.id), item.value.status);
                let may_differ = status == ItemStatus::Listed || self.may_be_stray(item.value.id);
                let is_away = matches!(status, ItemStatus::Missing | ItemStatus::Sold);
                let gone = [
                    (!may_differ).then_some((RemediationKind::ListingMismatch, subject)),
                    (!is_away).then_some((RemediationKind::MissingItem, subject)),
                ];
                outlived.extend(gone.into_iter().flatten());
            }
        }
        Ok(outlived)
    }
}

//! Reads the open problems, and resolves those that no step checks any longer.

use std::collections::HashMap;

use time::Duration;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{InventoryItemId, PurchaseId, TradeOfferId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{GetRemediations, ListRemediations};
use tradepost_operations::trading::GetTradeOffers;

use crate::context::Context;
use crate::context::problems::{Dismissal, Problem, ProblemEvidence, ProblemSource, dismissal};
use crate::error::EngineResult;
use crate::market::state::MarketState;
use crate::sales::Sales;
use crate::timings::PAGE;

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

/// An unsettled remediation, and when it last changed.
struct UnsettledProblem {
    problem: Problem,
    shown: ProblemEvidence,
    changed_at: Timestamp,
}

/// The records whose problems end when they leave the state in which they are checked.
#[derive(Debug, Default, PartialEq, Eq)]
struct CheckedRecords {
    purchases: Vec<PurchaseId>,
    items: Vec<InventoryItemId>,
    offers: Vec<TradeOfferId>,
}

impl CheckedRecords {
    fn of<'a>(open: impl Iterator<Item = &'a Problem>) -> Self {
        let mut checked = Self::default();
        for problem in open {
            match problem {
                (RemediationKind::PaidNotDelivered, Subject::Purchase(id)) => checked.purchases.push(*id),
                (RemediationKind::ListingMismatch | RemediationKind::MissingItem, Subject::InventoryItem(id)) => {
                    checked.items.push(*id);
                }
                (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id)) => checked.offers.push(*id),
                _ => {}
            }
        }
        checked.items.sort_unstable();
        checked.items.dedup();
        checked
    }
}

/// Returns whether what was dismissed ends with the next step of its record. What breaks a law of a chain stays in it.
fn ends_with_a_step(dismissal: &Dismissal) -> bool {
    let ((kind, _), source, _) = dismissal;
    *source == ProblemSource::Record && *kind != RemediationKind::ChainInvalid
}

/// Returns whether the record of a dismissal has taken a step since: what is seen of it now is another problem of the same kind.
fn is_outdated(dismissal: &Dismissal, at: Timestamp, moved_at: Option<Timestamp>) -> bool {
    ends_with_a_step(dismissal) && moved_at.is_some_and(|moved_at| moved_at > at)
}

/// Returns whether the item or the money of a purchase is waited for.
const fn is_delivery_awaited(status: PurchaseStatus) -> bool {
    matches!(
        status,
        PurchaseStatus::Paid
            | PurchaseStatus::Offered
            | PurchaseStatus::TradeHeld
            | PurchaseStatus::RefundPending
            | PurchaseStatus::Reverted
    )
}

const fn may_be_missing(status: ItemStatus) -> bool {
    matches!(status, ItemStatus::Missing | ItemStatus::Sold)
}

/// What shows whether an item may still differ from its listing or its sale.
#[derive(Debug, PartialEq, Eq)]
enum MismatchCheck {
    /// Its status.
    Known(bool),
    /// The reported sales.
    Sales,
    /// Our listings.
    Listings,
}

impl MismatchCheck {
    fn of(source: ProblemSource, status: ItemStatus) -> Self {
        match source {
            ProblemSource::Record => Self::Known(status == ItemStatus::Listed),
            ProblemSource::Announcement | ProblemSource::Hold => Self::Known(status == ItemStatus::Delivering),
            ProblemSource::Sale => Self::Sales,
            ProblemSource::Listing => Self::Listings,
        }
    }
}

impl Context {
    /// Reads the unsettled problems, and resolves those of records that left the state in which they are checked.
    pub(crate) async fn refresh_problems(&self, market_state: &MarketState, sales: &Sales) -> EngineResult {
        let (mut open, mut dismissed) = (HashMap::new(), HashMap::new());
        for status in UNSETTLED {
            for kind in REPORTED_KINDS {
                for UnsettledProblem { problem, shown, changed_at } in self.unsettled_problems(kind, status).await? {
                    if status == RemediationStatus::Dismissed {
                        let last = dismissed
                            .entry(dismissal(problem, shown.source(), shown.by().cloned()))
                            .or_insert(changed_at);
                        *last = changed_at.max(*last);
                    } else {
                        open.insert(problem, shown);
                    }
                }
            }
        }
        self.drop_outdated_dismissals(&mut dismissed).await?;
        self.replace_problems(open.clone(), dismissed);
        for problem in self.ended_problems(market_state, sales, &open).await? {
            let sight = open.get(&problem).map_or(ProblemSource::Record, ProblemEvidence::source);
            self.report_problem_from(problem, sight, Duration::ZERO, None).await?;
        }
        Ok(())
    }

    /// Leaves out what was dismissed of a purchase or an item that has taken a step since: what is seen of it now is another problem,
    /// though of the same kind. What breaks a law of a chain stays in it.
    async fn drop_outdated_dismissals(&self, dismissed: &mut HashMap<Dismissal, Timestamp>) -> EngineResult {
        let (mut purchases, mut items, mut moved_at) = (Vec::new(), Vec::new(), HashMap::new());
        for ((_, subject), _, _) in dismissed.keys().filter(|dismissal| ends_with_a_step(dismissal)) {
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
            !is_outdated(dismissal, *at, moved_at.get(&subject).copied())
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
            workspace_id: self.desk().workspace_id,
            limit: PAGE,
            cursor: String::new(),
            status: Some(status),
            kind: Some(kind),
            severity: None,
            subject: None,
        };
        let remediation_ids = self.operations().list_remediations(self.caller(), list).await?.entries;
        if remediation_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetRemediations { workspace_id: self.desk().workspace_id, remediation_ids };
        let found = self.operations().get_remediations(self.caller(), get).await?.found;
        let standing = found.into_iter().map(|found| UnsettledProblem {
            problem: (kind, found.value.subject),
            shown: ProblemEvidence::of(kind, &found.value.evidence),
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
        let CheckedRecords { purchases, items, offers } = CheckedRecords::of(open.keys());
        let mut outlived = self.ended_purchase_problems(&purchases).await?;
        outlived.extend(self.ended_item_problems(market_state, sales, &items, open).await?);
        for ids in offers.chunks(PAGE_SIZE) {
            let get = GetTradeOffers { workspace_id: self.desk().workspace_id, trade_offer_ids: ids.to_vec() };
            let found = self.operations().get_trade_offers(self.caller(), get).await?.found;
            let moved_on = found.into_iter().filter(|offer| offer.value.status != TradeOfferStatus::NeedsConfirmation);
            outlived.extend(
                moved_on.map(|offer| (RemediationKind::ConfirmationStuck, Subject::TradeOffer(offer.value.id))),
            );
        }
        Ok(outlived)
    }

    async fn ended_purchase_problems(&self, purchases: &[PurchaseId]) -> EngineResult<Vec<Problem>> {
        let mut outlived = Vec::new();
        for ids in purchases.chunks(PAGE_SIZE) {
            for purchase in self.purchases_by_id(ids.to_vec()).await? {
                let subject = Subject::Purchase(purchase.value.terms.id);
                let has_ended = !is_delivery_awaited(purchase.value.status);
                outlived.extend(has_ended.then_some((RemediationKind::PaidNotDelivered, subject)));
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
                let differs = (RemediationKind::ListingMismatch, subject);
                let may_differ = |shown: &ProblemEvidence| match MismatchCheck::of(shown.source(), status) {
                    MismatchCheck::Known(may_differ) => may_differ,
                    MismatchCheck::Sales => sales.may_be_unexpected(self, item.value.id, shown.by()),
                    MismatchCheck::Listings => {
                        market_state.may_be_on_sale(shown.by(), self.desk().venues.iter().map(|venue| &venue.name))
                    }
                };
                outlived.extend(open.get(&differs).is_some_and(|shown| !may_differ(shown)).then_some(differs));
                let missing = (RemediationKind::MissingItem, subject);
                outlived.extend((!may_be_missing(status) && open.contains_key(&missing)).then_some(missing));
            }
        }
        Ok(outlived)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{minute, text};

    fn of_item(kind: RemediationKind) -> Problem {
        (kind, Subject::InventoryItem(InventoryItemId::from_bytes([1; 16])))
    }

    #[test]
    fn the_records_of_problems_that_end_with_a_status_are_checked_once_each() {
        let purchase = PurchaseId::from_bytes([2; 16]);
        let offer = TradeOfferId::from_bytes([3; 16]);
        let open = [
            of_item(RemediationKind::ListingMismatch),
            of_item(RemediationKind::MissingItem),
            of_item(RemediationKind::ChainInvalid),
            (RemediationKind::PaidNotDelivered, Subject::Purchase(purchase)),
            (RemediationKind::LateDelivery, Subject::Purchase(purchase)),
            (RemediationKind::ConfirmationStuck, Subject::TradeOffer(offer)),
        ];
        let items = vec![InventoryItemId::from_bytes([1; 16])];
        let checked = CheckedRecords { purchases: vec![purchase], items, offers: vec![offer] };
        assert_eq!(CheckedRecords::of(open.iter()), checked);
    }

    #[test]
    fn a_dismissal_of_a_record_is_outdated_once_the_record_has_taken_a_step() {
        let dismissed = dismissal(of_item(RemediationKind::MissingItem), ProblemSource::Record, None);
        let is_outdated = |moved_at| is_outdated(&dismissed, minute(10), moved_at);
        assert_eq!([None, Some(minute(10)), Some(minute(11))].map(is_outdated), [false, false, true]);
    }

    #[test]
    fn a_dismissal_of_a_sale_or_of_a_broken_chain_outlasts_the_steps_of_its_record() {
        let of_sale = dismissal(of_item(RemediationKind::ListingMismatch), ProblemSource::Sale, Some(text("sale-1")));
        let of_chain = dismissal(of_item(RemediationKind::ChainInvalid), ProblemSource::Record, None);
        for dismissed in [of_sale, of_chain] {
            assert!(!is_outdated(&dismissed, minute(10), Some(minute(11))));
        }
    }

    #[test]
    fn a_delivery_is_awaited_until_item_or_money_is_there() {
        for status in [PurchaseStatus::Paid, PurchaseStatus::TradeHeld, PurchaseStatus::Reverted] {
            assert!(is_delivery_awaited(status));
        }
        for status in [PurchaseStatus::Traded, PurchaseStatus::Refunded, PurchaseStatus::WrittenOff] {
            assert!(!is_delivery_awaited(status));
        }
    }

    #[test]
    fn an_item_may_be_missing_while_it_is_not_ours() {
        let may_be = [ItemStatus::Missing, ItemStatus::Sold, ItemStatus::InInventory, ItemStatus::Listed];
        assert_eq!(may_be.map(may_be_missing), [true, true, false, false]);
    }

    #[test]
    fn the_source_of_a_mismatch_decides_what_shows_that_it_is_over() {
        let check = |source| MismatchCheck::of(source, ItemStatus::Listed);
        assert_eq!(check(ProblemSource::Record), MismatchCheck::Known(true));
        assert_eq!(check(ProblemSource::Announcement), MismatchCheck::Known(false));
        assert_eq!(check(ProblemSource::Sale), MismatchCheck::Sales);
        assert_eq!(check(ProblemSource::Listing), MismatchCheck::Listings);
        assert_eq!(check(ProblemSource::Hold), MismatchCheck::Known(false));
        for source in [ProblemSource::Announcement, ProblemSource::Hold] {
            assert_eq!(MismatchCheck::of(source, ItemStatus::Delivering), MismatchCheck::Known(true));
        }
    }
}

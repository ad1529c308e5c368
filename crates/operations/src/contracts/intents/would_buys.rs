//! The purchases that contracts would have made at marketplaces that are only read: [`ListWouldBuys`] and [`GetWouldBuyReport`]; and their
//! follow-up, which the interface does not offer.

use time::Duration;
use tradepost_domain::contracts::intent::{FollowUpError, FollowUpOutcome, Intent, SeenAgain, Target};
use tradepost_domain::id::{ContractId, IntentId, OfIntent, WorkspaceId};
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{WouldBuyFilter, WouldBuySum};

use crate::contracts::intents::intent_steps::intent_as_seen;
use crate::paging::ListKey;
use crate::rules::{self, WRITE_TRADING};
use crate::{Batch, OpError, OpResult, Operations, PageOf, Versioned};

/// The most follow-ups that are ended in one commit.
const MOST_ENDED: u32 = 200;
/// The period of a report that names no beginning.
const REPORTED: Duration = Duration::days(30);

/// A request for a page of the purchases that contracts would have made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListWouldBuys {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of intents on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only those of this contract.
    pub contract_id: Option<ContractId>,
}

/// A request for the sums of the purchases that contracts would have made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetWouldBuyReport {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only those of this contract.
    pub contract_id: Option<ContractId>,
    /// Decided at this time or later; 30 days before `to` if absent.
    pub from: Option<Timestamp>,
    /// Decided before this time; now if absent.
    pub to: Option<Timestamp>,
}

/// The sums of the purchases that contracts would have made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WouldBuyReport {
    /// The beginning of the period.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// One entry for each outcome of listings, zeros included, and first for those that wait to be looked at again.
    pub sums: Vec<WouldBuySum>,
}

/// A listing that would have been bought and is to be looked at again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueFollowUp {
    /// The intent that shows the purchase.
    pub intent_id: IntentId,
    /// The listing.
    pub listing_id: ExternalId,
    /// The name of its item.
    pub market_hash_name: MarketHashName,
}

/// A listing as it was found when it was looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowedListing {
    /// It is on sale at this price, without fee, in the currency of the workspace.
    OnSale(VenueCents),
    /// It was sold or withdrawn.
    OffSale,
    /// The marketplace did not show it. It is looked at ten minutes later, until an hour has passed since the decision.
    Unread,
}

impl Operations {
    /// Returns a page of the intents that show what contracts would have bought at marketplaces that are only read, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_would_buys(
        &self,
        caller: &Caller,
        command: ListWouldBuys,
    ) -> OpResult<PageOf<Versioned<Intent>>> {
        let scope = rules::LIST_WOULD_BUYS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("would_buys", scope).and_id(command.contract_id);
        let request = self.page_request::<OfIntent>(&key, command.limit, &command.cursor)?;
        let intents = self.to_show(caller, scope).intents();
        let page = intents.list_would_buys(scope, command.contract_id, request).await?;
        let PageOf { entries, next_cursor } = self.page(&key, page);
        let found = intents.find_many(scope, &entries).await?;
        let Batch { found, .. } = Batch::in_order(entries, found, |intent: &Intent| intent.terms.id);
        Ok(PageOf { entries: found, next_cursor })
    }

    /// Returns how much contracts would have bought in a period, by the outcome of the second look at the listings.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` when the period ends before it begins.
    pub async fn get_would_buy_report(&self, caller: &Caller, command: GetWouldBuyReport) -> OpResult<WouldBuyReport> {
        let scope = rules::GET_WOULD_BUY_REPORT.enter(&caller.principal, command.workspace_id)?;
        let to = command.to.unwrap_or_else(|| self.market_now(command.workspace_id));
        let from = command.from.unwrap_or_else(|| to.plus(-REPORTED));
        if to <= from {
            return Err(OpError::invalid_field("to", "must be after from"));
        }
        let filter = WouldBuyFilter { contract_id: command.contract_id, from, to };
        let found = self.to_show(caller, scope).intents().sum_would_buys(scope, filter).await?;
        let outcomes = std::iter::once(None).chain(FollowUpOutcome::ALL.iter().copied().map(Some));
        let none = |outcome| WouldBuySum { outcome, count: 0, cost: Cents::ZERO, fair_value: Cents::ZERO };
        let sum = |outcome| found.iter().find(|sum| sum.outcome == outcome).copied().unwrap_or_else(|| none(outcome));
        Ok(WouldBuyReport { from, to, sums: outcomes.map(sum).collect() })
    }

    /// Returns the listings of a marketplace that are to be looked at again now; at most `most`, those that are due longest first.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn list_due_follow_ups(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        marketplace: &Marketplace,
        most: u32,
    ) -> OpResult<Vec<DueFollowUp>> {
        let (scope, now) = (caller.principal.enter(workspace_id, WRITE_TRADING)?, self.market_now(workspace_id));
        let due = self.ports.store.intents().list_to_follow_up(scope, marketplace, now, most).await?;
        let listing = |intent: &Intent| match &intent.terms.target {
            Target::Listing(listing) => Some(DueFollowUp {
                intent_id: intent.terms.id,
                listing_id: listing.listing_id.clone(),
                market_hash_name: listing.market_hash_name.clone(),
            }),
            Target::Item(_) | Target::Offer(_) => None,
        };
        Ok(due.iter().filter_map(|intent| listing(intent.peek())).collect())
    }

    /// Ends the follow-ups of listings that were not looked at within an hour of the decision; how many there were. It asks nothing.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn end_late_follow_ups(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        marketplace: &Marketplace,
    ) -> OpResult<usize> {
        let (scope, now) = (caller.principal.enter(workspace_id, WRITE_TRADING)?, self.market_now(workspace_id));
        self.retrying(|| async {
            let mut late = self.ports.store.intents().list_to_follow_up(scope, marketplace, now, MOST_ENDED).await?;
            late.retain(|intent| intent.peek().is_late_to_follow(now));
            if late.is_empty() {
                return Ok(0);
            }
            let (ended, mut changes) = (late.len(), Changes::by(caller));
            for intent in late {
                changes.revise(intent, |intent| intent.look_later(now))?;
            }
            self.commit(caller, changes).await?;
            Ok(ended)
        })
        .await
    }

    /// Records the second look at a listing that would have been bought.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`; `internal` for an intent that is not followed up.
    pub async fn record_follow_up(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        due: &DueFollowUp,
        found: FollowedListing,
    ) -> OpResult<()> {
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        self.retrying(|| async {
            let (intent, at) = (intent_as_seen(self, scope, due.intent_id, None).await?, self.market_now(workspace_id));
            let seen = seen_again(intent.peek(), found, at)?;
            let mut changes = Changes::by(caller);
            changes.revise(intent, |intent| match seen {
                Some(seen) => intent.see_again(seen),
                None => intent.look_later(at),
            })?;
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}

/// A listing at the second look; `None` while the marketplace does not show it.
fn seen_again(intent: &Intent, found: FollowedListing, at: Timestamp) -> OpResult<Option<SeenAgain>> {
    let Target::Listing(listing) = &intent.terms.target else { return Err(FollowUpError::NotFollowed.into()) };
    let price = match found {
        FollowedListing::OnSale(price) => {
            let price = Conversion::SameCurrency.cost(price);
            Some(price.map_err(|error| OpError::internal(error.to_string()))?)
        }
        FollowedListing::OffSale => None,
        FollowedListing::Unread => return Ok(None),
    };
    Ok(Some(SeenAgain::of(listing.price, price, at)))
}

impl From<FollowUpError> for OpError {
    fn from(error: FollowUpError) -> Self {
        Self::internal(error.to_string())
    }
}

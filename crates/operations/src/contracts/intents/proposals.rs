//! The open proposals of a contract. They count against the limits of the contract like its purchases.

use crate::contracts::trading_control::recent_activity::activity_of;
use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract};
use tradepost_domain::contracts::evaluation::{Activity, Proposed};
use tradepost_domain::contracts::intent::{IntentKind, Target};
use tradepost_domain::money::Cents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Changes, Seen};
use tradepost_ports::store::{ProposalQuery, Proposals};

use crate::{OpError, OpResult, Operations, Reason};

/// The time for which a purchase of a dry run counts as open: about as long as sellers have to deliver.
const OPEN_FOR: Duration = Duration::days(1);

/// An intent that a contract is about to propose.
#[derive(Clone, Copy)]
pub(crate) struct ProposedIntent<'a> {
    pub(crate) kind: IntentKind,
    pub(crate) target: &'a Target,
    /// Whether nothing is bought there, whatever the contract's approval mode.
    pub(crate) is_read_only: bool,
    pub(crate) at: Timestamp,
}

impl ProposedIntent<'_> {
    /// Returns how a contract acts on it.
    pub(crate) fn mode(&self, contract: &Contract) -> ApprovalMode {
        if self.is_read_only { ApprovalMode::DryRun } else { contract.approval_mode }
    }
}

/// Returns the proposals that count against the limits of a contract that acts in this mode; none where it buys and sells by itself.
const fn counted(mode: ApprovalMode) -> Option<Proposals> {
    match mode {
        ApprovalMode::Automatic => None,
        ApprovalMode::Manual => Some(Proposals::Waiting),
        ApprovalMode::DryRun => Some(Proposals::Dry),
    }
}

/// Returns what a contract did and proposed recently, of items of this name, as far as its limits ask for it.
pub(crate) async fn activity_with_proposals(
    operations: &Operations,
    scope: WorkspaceScope,
    contract: &Contract,
    name: &MarketHashName,
) -> OpResult<Activity> {
    activity_in_mode(operations, scope, contract, contract.approval_mode, name).await
}

/// Returns the same for a contract at a marketplace that is only read: what it would have bought counts as bought.
pub(crate) async fn activity_where_nothing_is_bought(
    operations: &Operations,
    scope: WorkspaceScope,
    contract: &Contract,
    name: &MarketHashName,
) -> OpResult<Activity> {
    activity_in_mode(operations, scope, contract, ApprovalMode::DryRun, name).await
}

async fn activity_in_mode(
    operations: &Operations,
    scope: WorkspaceScope,
    contract: &Contract,
    mode: ApprovalMode,
    name: &MarketHashName,
) -> OpResult<Activity> {
    let lately = activity_of(operations, scope, contract, name, None).await?;
    let Some(which) = counted(mode) else { return Ok(lately) };
    let at = operations.market_now(scope.workspace_id());
    // An intent that waits for approval is open for as long as it waits.
    let open_since = if which == Proposals::Dry { at.plus(-OPEN_FOR) } else { Timestamp::MIN };
    let query = ProposalQuery { which, open_since, today: at.start_of_day(), item_name: name };
    let found = operations.ports.store.intents().sum_proposed_purchases(scope, contract.id, query).await?;
    Ok(Activity {
        spent_today: lately.spent_today.plus(found.cost_today).unwrap_or(Cents::MAX),
        of_item_name: lately.of_item_name.saturating_add(found.of_item_name),
        last_purchase_at: lately.last_purchase_at.max(found.last_at),
        proposed: Proposed { quantity: found.quantity, open: found.open, cost: found.cost },
    })
}

/// Returns the contract of a proposal, once its limits leave room for it.
pub(crate) async fn admit_proposal(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    contract: Seen<Contract>,
    proposed: &ProposedIntent<'_>,
) -> OpResult<Contract> {
    let ProposedIntent { kind, target, at, .. } = *proposed;
    contract.peek().check_proposal(kind, target, at)?;
    let mode = proposed.mode(contract.peek());
    let Some(which) = counted(mode) else { return Ok(changes.rely_on(contract)) };
    let id = contract.peek().id;
    match (kind, target) {
        (IntentKind::Buy, Target::Listing(listing)) => {
            let name = &listing.market_hash_name;
            let lately = activity_in_mode(operations, scope, contract.peek(), mode, name).await?;
            contract.peek().admit_proposal(listing.max_buy_price, lately, at)?;
        }
        (IntentKind::List, Target::Item(item)) => {
            let store = &operations.ports.store;
            let proposed = store.intents().count_proposed_listings(scope, id, which, item.inventory_item_id).await?;
            if proposed.has_item && which == Proposals::Dry {
                let message = "the dry run has decided on the sale of this item already";
                return Err(OpError::already_exists(Reason::IntentExists, message));
            }
            contract.peek().admit_listing_proposal(proposed.items)?;
        }
        (_, Target::Listing(_) | Target::Item(_) | Target::Offer(_)) => return Ok(changes.rely_on(contract)),
    }
    Ok(changes.revise(contract, |contract| Ok::<_, OpError>(contract.proposed(at)))?.value)
}

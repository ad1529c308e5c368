//! [`RecordPurchase`]: the decision to buy a listing, before anything is sent. No operation of the interface.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::log_life;
use crate::contracts::pools::named_pools::admit_to_pool;
use crate::contracts::pools::shared_commit::{PoolRequest, commit_reservation};
use crate::contracts::trading_control::halts::rely_on_trading;
use crate::contracts::trading_control::recent_activity::activity_of;
use crate::markets::providers::providers::rely_on_marketplace;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseTerms};
use tradepost_domain::id::{ContractId, IntentId, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};

use crate::commit::Step;
use crate::contracts::contracts::contract_lifecycle::ContractLifecycle;
use crate::contracts::ledger::ledger_postings::LedgerPostings;
use crate::in_workspace::InWorkspace;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Records a purchase of a listing under a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The buying contract, which must be active.
    pub contract_id: ContractId,
    /// The intent that led to it, if there was one.
    pub intent_id: Option<IntentId>,
    /// The game.
    pub app_id: AppId,
    /// The game market's name of the item, 1 to 256 characters.
    pub market_hash_name: String,
    /// The traits that distinguish the item from others of its name, as the listing shows them.
    pub traits: Traits,
    /// The listing's price, in cents, more than 0.
    pub listing_price_cents: i64,
    /// The most that price and fee may come to, in cents; this much is reserved.
    pub max_buy_price_cents: i64,
    /// The marketplace's fee on top of the price, in cents.
    pub platform_fee_cents: i64,
    /// The marketplace's identifier of the listing, 1 to 128 characters.
    pub listing_id: String,
    /// The item's asset id while with its seller, 1 to 20 decimal digits.
    pub listing_asset_id: String,
    /// The marketplace, 1 to 64 characters.
    pub marketplace: String,
    /// The trading account that buys, 1 to 64 characters.
    pub account_name: String,
}

impl Operations {
    /// Records a purchase: its money is reserved under the contract and in its pool, nothing is sent.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found` for an unknown contract, `already_exists` when
    /// a live purchase of the listing exists, `failed_precondition` with `TRADING_HALTED` or `PROVIDER_DISABLED`, or when the
    /// contract does not allow it: `CONTRACT_NOT_ACTIVE`, `CONTRACT_NEVER_BUYS`, `OTHER_MARKETPLACE`, `CONTRACT_OUT_OF_TIME`,
    /// `TOO_EXPENSIVE`, `QUANTITY_REACHED`, `TOO_MANY_OPEN`, `BUDGET_TOO_LOW`, `DAILY_BUDGET_TOO_LOW`, `ITEM_NAME_LIMIT`,
    /// `COOLING_DOWN`, or its pool does not: `POOL_NOT_ACTIVE`, `POOL_PURCHASE_LIMIT`, `POOL_ITEM_EXPOSURE`, `POOL_DAILY_LIMIT`,
    /// `POOL_FUNDS_TOO_LOW`.
    pub async fn record_purchase(&self, caller: &Caller, command: RecordPurchase) -> OpResult<Versioned<Purchase>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let purchase = Purchase::record(self.terms_of(&command)?, at)?;
        let contract = InWorkspace { scope, id: command.contract_id };
        self.in_turn_of_contract(caller, contract, || self.reserve_and_record(caller, scope, &purchase)).await?;
        Ok(Versioned::new(purchase))
    }

    async fn reserve_and_record(&self, caller: &Caller, scope: WorkspaceScope, purchase: &Purchase) -> OpResult<()> {
        let mut changes = Changes::by(caller);
        let reserved = reserve(self, &mut changes, caller, scope, purchase).await?;
        commit_reservation(self, caller, changes, reserved.from_pool).await
    }

    fn terms_of(&self, command: &RecordPurchase) -> OpResult<PurchaseTerms> {
        Ok(PurchaseTerms {
            id: self.mint(),
            workspace_id: command.workspace_id,
            contract_id: Some(command.contract_id),
            intent_id: command.intent_id,
            app_id: command.app_id,
            market_hash_name: fields::text("marketHashName", &command.market_hash_name)?,
            traits: Box::new(command.traits.clone()),
            listing_price: fields::cents("listingPriceCents", command.listing_price_cents)?,
            max_buy_price: fields::cents("maxBuyPriceCents", command.max_buy_price_cents)?,
            platform_fee: fields::cents("platformFeeCents", command.platform_fee_cents)?,
            listing_id: fields::text("listingId", &command.listing_id)?,
            listing_asset_id: fields::asset_id("listingAssetId", &command.listing_asset_id)?,
            marketplace: fields::text("marketplace", &command.marketplace)?,
            account_name: fields::text("accountName", &command.account_name)?,
            exchange_rate: None,
        })
    }
}

/// A purchase whose money is reserved under its contract.
pub(crate) struct Reserved {
    /// The contract as it is then.
    pub(crate) contract: Contract,
    /// What is still needed of its pool, if it names one.
    pub(crate) from_pool: Option<PoolRequest>,
}

/// Adds a purchase and its reservation under the contract to the changes. The pool decides when they are committed, by
/// [`commit_reservation`].
pub(crate) async fn reserve(
    operations: &Operations,
    changes: &mut Changes,
    caller: &Caller,
    scope: WorkspaceScope,
    purchase: &Purchase,
) -> OpResult<Reserved> {
    let (terms, at) = (&purchase.terms, purchase.created_at);
    let contract_id =
        terms.contract_id.ok_or_else(|| OpError::internal("a purchase is reserved without a contract"))?;
    let contract = contract_as_seen(operations, scope, contract_id, None);
    let (contract, ()) = futures::try_join!(contract, rely_on_trading(operations, changes, scope))?;
    rely_on_marketplace(operations, changes, scope, &terms.marketplace).await?;
    let (pool_id, seen) = (contract.peek().pool_id, contract.stamp());
    // Read after the contract, whose limits are decided on it: a purchase in between gives it another version.
    let lately = activity_of(operations, scope, contract.peek(), &terms.market_hash_name, None).await?;
    let mut life = ContractLifecycle::at(at);
    let counted = changes.revise(contract, |contract| -> OpResult<Contract> {
        contract.admit(terms, lately, at)?;
        Ok(life.settle(contract.count(None, purchase, at)?)?)
    });
    let counted = match counted {
        Ok(counted) => counted,
        Err(refusal) => {
            // If the pool refuses it too, the answer names the pool.
            drop(admit_to_pool(operations, scope, pool_id, purchase).await?);
            return Err(refusal);
        }
    };
    log_life(operations, changes, caller, &counted, life);
    let mut bookings = LedgerPostings::default();
    bookings.purchase(None, purchase)?;
    let entries = bookings.entries(operations, scope, pool_id, at);
    changes.insert(purchase.clone());
    let step = Step {
        subject: Subject::Purchase(terms.id),
        from: None,
        to: purchase.status.as_str(),
        version: 1,
        trigger: "recorded",
    };
    changes.append(AppendedRow::Transition(operations.transition(caller, terms.workspace_id, step, at)));
    let from_pool = if let Some(id) = pool_id {
        let pool = InWorkspace { scope, id };
        Some(PoolRequest { pool, purchase: purchase.clone(), contract: seen, entries })
    } else {
        entries.append_to(changes);
        None
    };
    Ok(Reserved { contract: counted.value, from_pool })
}

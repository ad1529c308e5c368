//! [`BuyNow`] and [`BuyApproved`]: an intent and its purchase in one commit. No operations of the interface.
//!
//! A purchase by a contract without approval is proposed, approved, claimed and recorded at once: one commit lies between
//! a listing that was seen and a purchase that is ready to be sent.

use crate::contracts::intents::intent_steps::begin_intent;
use crate::contracts::intents::intent_steps::intent_as_seen;
use crate::contracts::intents::intent_steps::moment;
use crate::contracts::intents::intent_steps::move_intent;
use crate::contracts::pools::shared_commit::commit_reservation;
use crate::contracts::purchases::record_purchase::{Reserved, reserve};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::EvaluationRecord;
use tradepost_domain::contracts::intent::{
    DecisionBasis, Intent, IntentError, IntentEvent, IntentKind, IntentResult, IntentTerms, ListingTarget, Target,
};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseTerms};
use tradepost_domain::id::{ContractId, IntentId, PurchaseId, WorkspaceId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::text::{AccountName, Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};

use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules::WRITE_TRADING;
use crate::{Code, OpError, OpResult, Operations, Reason, Versioned};

/// A purchase of a listing for a contract that needs no approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuyNow {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The buying contract, which must be active, and whose approval mode must be AUTOMATIC.
    pub contract_id: ContractId,
    /// The listing.
    pub listing: ListingTarget,
    /// The trading account that buys.
    pub account_name: AccountName,
    /// The exchange rate of the listing's amounts, where the marketplace has another currency.
    pub exchange_rate: Option<ExchangeRate>,
    /// The basis of the decision.
    pub basis: DecisionBasis,
    /// The evaluation that says so, to be kept with the purchase.
    pub evaluation: Option<EvaluationRecord>,
}

/// Buys the listing of an intent that was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuyApproved {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent: APPROVED, or EXECUTING without a purchase.
    pub intent_id: IntentId,
    /// The version that was seen.
    pub expected_version: i64,
    /// The trading account that buys.
    pub account_name: AccountName,
    /// The exchange rate of the listing's amounts, where the marketplace has another currency.
    pub exchange_rate: Option<ExchangeRate>,
}

/// An intent that is being carried out, and its purchase, which is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bought {
    /// The intent.
    pub intent: Versioned<Intent>,
    /// The purchase.
    pub purchase: Versioned<Purchase>,
}

impl Operations {
    /// Writes down, in one commit, that a listing is to be bought, and the purchase with its reservation. Nothing is sent, and
    /// nothing at all written where something rejects it.
    ///
    /// # Errors
    /// As [`Operations::record_purchase`], and `already_exists` with `INTENT_EXISTS`, `failed_precondition` with
    /// `APPROVAL_NEEDED` where a person approves what the contract buys.
    pub async fn buy_now(&self, caller: &Caller, command: BuyNow) -> OpResult<Bought> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let (intent_id, purchase_id) = (self.mint(), self.mint());
        let terms = IntentTerms {
            id: intent_id,
            workspace_id: command.workspace_id,
            contract_id: Some(command.contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(command.listing.clone()),
            basis: DecisionBasis {
                evaluation_id: command.evaluation.as_ref().map(|kept| kept.id).or(command.basis.evaluation_id),
                ..command.basis
            },
            approval_mode: ApprovalMode::Automatic,
        };
        let proposed = Intent::propose(terms, moment(self, at))?;
        let BuyNow { workspace_id, contract_id, .. } = command;
        let ids = PurchaseIds { workspace_id, contract_id, intent_id, id: purchase_id };
        let buyer = Buyer { account_name: &command.account_name, exchange_rate: command.exchange_rate };
        let purchase = Purchase::record(bought(ids, &command.listing, buyer), at)?;
        let result = Some(IntentResult::Purchase(purchase_id));
        let steps = [IntentEvent::Approved, IntentEvent::Claimed { result }];
        let intent = self
            .in_turn_of_contract(caller, InWorkspace { scope, id: contract_id }, || async {
                let mut changes = Changes::by(caller);
                let Reserved { contract, from_pool } = reserve(self, &mut changes, caller, scope, &purchase).await?;
                if contract.approval_mode != ApprovalMode::Automatic {
                    let message = "a person approves what this contract buys: propose it";
                    return Err(OpError::failed_precondition(Reason::ApprovalNeeded, message));
                }
                let intent = begin_intent(self, &mut changes, By { caller, at }, proposed.clone(), steps.clone())?;
                if let Some(evaluation) = &command.evaluation {
                    changes.append(AppendedRow::Evaluation(evaluation.clone()));
                }
                commit_reservation(self, caller, changes, from_pool).await?;
                Ok(intent)
            })
            .await?;
        Ok(Bought { intent: intent.into(), purchase: Versioned::new(purchase) })
    }

    /// Claims an intent and records its purchase in one commit. Where a check rejects the purchase, the intent becomes DENIED,
    /// and the rejection is answered.
    ///
    /// # Errors
    /// As [`Operations::record_purchase`], and `not_found` for the intent, `failed_precondition`: `VERSION_MISMATCH`,
    /// `ILLEGAL_STEP`, `INTENT_EXPIRED`, `INTENT_HAS_PURCHASE`, `INTENT_BUYS_NOTHING`.
    pub async fn buy_approved(&self, caller: &Caller, command: BuyApproved) -> OpResult<Bought> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let purchase_id = self.mint();
        self.in_turn(command.workspace_id, || async {
            let seen = intent_as_seen(self, scope, command.intent_id, Some(command.expected_version)).await?;
            let buyer = Buyer { account_name: &command.account_name, exchange_rate: command.exchange_rate };
            let purchase = purchase_of(seen.peek(), purchase_id, buyer, at)?;
            let mut changes = Changes::by(caller);
            let event = IntentEvent::Claimed { result: Some(IntentResult::Purchase(purchase_id)) };
            let intent = move_intent(self, &mut changes, By { caller, at }, seen.clone(), event)?;
            let recorded = match reserve(self, &mut changes, caller, scope, &purchase).await {
                Ok(reserved) => commit_reservation(self, caller, changes, reserved.from_pool).await,
                Err(error) => Err(error),
            };
            match recorded {
                Ok(()) => Ok(Bought { intent: intent.into(), purchase: Versioned::new(purchase) }),
                Err(refused) if is_final(&refused) => {
                    deny(self, By { caller, at }, Changes::detached(caller), seen, &refused).await?;
                    Err(refused)
                }
                Err(error) => Err(error),
            }
        })
        .await
    }
}

/// Whether an intent ends by this refusal. A live purchase of the same listing lasts longer than any approval. A lost race, changed rights
/// and a lost lease concern the try alone: the next one may buy.
fn is_final(refused: &OpError) -> bool {
    let is_of_try = matches!(refused.reason, Reason::Conflict | Reason::CallerChanged | Reason::LeaseLost);
    !is_of_try && (refused.code == Code::FailedPrecondition || refused.reason == Reason::ListingTaken)
}

/// Ends an intent that a check rejects.
pub(crate) async fn deny(
    operations: &Operations,
    by: By<'_>,
    mut changes: Changes,
    seen: Seen<Intent>,
    refused: &OpError,
) -> OpResult<Revised<Intent>> {
    let check = Name::new(refused.reason.as_str()).map_err(|error| OpError::internal(error.to_string()))?;
    let denied = move_intent(operations, &mut changes, by, seen, IntentEvent::Denied { check })?;
    operations.commit(by.caller, changes).await?;
    Ok(denied)
}

/// The trading account that buys, and the rate by which it pays.
#[derive(Clone, Copy)]
struct Buyer<'a> {
    account_name: &'a AccountName,
    exchange_rate: Option<ExchangeRate>,
}

/// The ids that a purchase records.
#[derive(Clone, Copy)]
struct PurchaseIds {
    workspace_id: WorkspaceId,
    contract_id: ContractId,
    intent_id: IntentId,
    id: PurchaseId,
}

fn purchase_of(intent: &Intent, id: PurchaseId, buyer: Buyer<'_>, at: Timestamp) -> OpResult<Purchase> {
    let terms = &intent.terms;
    let (Target::Listing(listing), Some(contract_id)) = (&terms.target, terms.contract_id) else {
        return Err(IntentError::BuysNothing(terms.kind).into());
    };
    let ids = PurchaseIds { workspace_id: terms.workspace_id, contract_id, intent_id: terms.id, id };
    Ok(Purchase::record(bought(ids, listing, buyer), at)?)
}

fn bought(ids: PurchaseIds, listing: &ListingTarget, buyer: Buyer<'_>) -> PurchaseTerms {
    PurchaseTerms {
        id: ids.id,
        workspace_id: ids.workspace_id,
        contract_id: Some(ids.contract_id),
        intent_id: Some(ids.intent_id),
        app_id: listing.app_id,
        market_hash_name: listing.market_hash_name.clone(),
        traits: listing.traits.clone(),
        listing_price: listing.price,
        max_buy_price: listing.max_buy_price,
        platform_fee: listing.platform_fee,
        listing_id: listing.listing_id.clone(),
        listing_asset_id: listing.listing_asset_id.clone(),
        marketplace: listing.marketplace.clone(),
        account_name: buyer.account_name.clone(),
        exchange_rate: buyer.exchange_rate,
    }
}

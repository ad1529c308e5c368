//! Executes intents: those that operators have approved, those of automatic contracts, and those that were interrupted. An approved purchase
//! is recorded and submitted here, `item_intents` changes the sale of an item.

use tradepost_domain::contracts::intent::{Intent, IntentStatus, LOOKS, Target};
use tradepost_domain::text::{Marketplace, Name};
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{BuyApproved, IntentsToDo, PostponeIntent};

use crate::context::Context;
use crate::error::{EngineError, EngineResult, is_version_mismatch};
use crate::market::Market;
use crate::orders::Orders;
use crate::orders::intent_decisions::{IntentProgress, NOT_ASKED, NOT_SERVED, must_record_look, target_marketplace};
use crate::orders::item_intents::execute_item_intent;
use crate::pass::Pass;

/// Maximum number of intents read at once.
const INTENT_PAGE: u32 = 100;

impl Orders {
    /// Continues the intents that were claimed, then executes the approved ones.
    pub(crate) async fn execute_intents(
        &mut self,
        context: &Context,
        market: &mut Market,
        pass: &mut Pass,
    ) -> EngineResult {
        let workspace_id = context.desk().workspace_id;
        for status in [IntentStatus::Executing, IntentStatus::Approved] {
            let mut after = None;
            loop {
                let ask = IntentsToDo { workspace_id, status, after, most: INTENT_PAGE };
                let found = context.operations().intents_to_do(context.caller(), ask).await?;
                let Some(last) = found.last() else { break };
                after = Some(last.value.terms.id);
                for intent in found {
                    let looked = self.execute_intent(context, market, &intent, pass).await;
                    record_look(context, &intent, looked, pass).await;
                }
            }
        }
        Ok(())
    }
}

/// Counts a look at an approved intent that still waits, and ends the intent after its last look.
///
/// While an intent waits, its listing or item is reserved for it.
async fn record_look(
    context: &Context,
    intent: &Versioned<Intent>,
    looked: EngineResult<IntentProgress>,
    pass: &mut Pass,
) {
    let is_expired = looked.as_ref().is_err_and(EngineError::is_intent_expired);
    let check = IntentProgress::waiting_check(&looked, intent.value.status).filter(|_| !is_expired);
    if !is_expired {
        pass.record_results([(target_marketplace(&intent.value.terms.target), looked.map(drop))]);
    }
    if let Some(check) = check {
        let postponed = postpone(context, intent, check).await;
        pass.record_error(postponed);
    }
    if is_expired || (check.is_some() && intent.value.looks >= LOOKS) {
        let ended = context.operations().expire_intents().await;
        pass.record_error(ended.map(drop).map_err(EngineError::from));
    }
}

async fn postpone(context: &Context, intent: &Versioned<Intent>, check: &str) -> EngineResult {
    let must_record = must_record_look(&intent.value, check);
    let Some(check) = Name::new(check).ok().filter(|_| must_record) else { return Ok(()) };
    let command = PostponeIntent {
        workspace_id: context.desk().workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        check,
    };
    match context.operations().postpone_intent(context.caller(), command).await {
        // An operator has ended the intent, or it was claimed before the step failed.
        Err(refusal) if is_version_mismatch(&refusal) => Ok(()),
        postponed => Ok(postponed.map(drop)?),
    }
}

impl Orders {
    pub(crate) async fn execute_intent(
        &mut self,
        context: &Context,
        market: &mut Market,
        intent: &Versioned<Intent>,
        pass: &mut Pass,
    ) -> EngineResult<IntentProgress> {
        match (&intent.value.terms.target, intent.value.status) {
            (Target::Listing(listing), IntentStatus::Approved) => match self.holds_up(context, &listing.marketplace) {
                None if context.holds_marketplace(&listing.marketplace) => {
                    self.buy_approved(context, market, intent, pass).await
                }
                Some(check) if looks_for(context, &listing.marketplace) => Ok(IntentProgress::WaitsFor(check)),
                // Another node looks at it.
                None | Some(_) => Ok(IntentProgress::Advanced),
            },
            (Target::Item(target), _) if context.holds_inventory() => {
                execute_item_intent(context, market.state(), intent, target, pass).await
            }
            // A purchase that was recorded ends its intent; the rest is for other nodes.
            (Target::Listing(_) | Target::Offer(_) | Target::Item(_), _) => Ok(IntentProgress::Advanced),
        }
    }
}

/// Whether this node looks at what is to be bought at a marketplace: it works there, or no node of the desk does and it works on the
/// inventory.
fn looks_for(context: &Context, marketplace: &Marketplace) -> bool {
    context.holds_marketplace(marketplace) || (context.desk().venue(marketplace).is_none() && context.holds_inventory())
}

impl Orders {
    /// What keeps the desk from buying at a marketplace for now.
    fn holds_up(&self, context: &Context, marketplace: &Marketplace) -> Option<&'static str> {
        let checks = [
            (context.desk().venue(marketplace).is_none(), NOT_SERVED),
            (context.is_marketplace_disabled(marketplace), "PROVIDER_DISABLED"),
            (self.uncertain.blocks_buying(marketplace), "OUTCOME_UNKNOWN"),
            (context.is_backing_off(marketplace), NOT_ASKED),
        ];
        checks.into_iter().find(|(holds, _)| *holds).map(|(_, check)| check)
    }

    async fn buy_approved(
        &mut self,
        context: &Context,
        market: &mut Market,
        intent: &Versioned<Intent>,
        pass: &mut Pass,
    ) -> EngineResult<IntentProgress> {
        let Some(contract_id) = intent.value.terms.contract_id else { return Ok(IntentProgress::Advanced) };
        let Target::Listing(listing) = &intent.value.terms.target else { return Ok(IntentProgress::Advanced) };
        let exchange_rate = context.rate_for(context.venue(&listing.marketplace)?.currency)?;
        let account = market.choose_buyer(context, contract_id).await?;
        let command = BuyApproved {
            workspace_id: context.desk().workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            account_name: account.name,
            exchange_rate,
        };
        let bought = match context.operations().buy_approved(context.caller(), command).await {
            // The intent shows it: its status is DENIED.
            Err(refusal) if refusal.is_limit_of_contract() || refusal.is_limit_of_pool() => {
                return Ok(IntentProgress::Advanced);
            }
            bought => bought?,
        };
        pass.bought += 1;
        self.submit(context, market.state_mut(), bought.purchase).await?;
        Ok(IntentProgress::Advanced)
    }
}

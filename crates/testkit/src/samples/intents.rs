//! Samples of intents, made by their state machine.

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{
    DecisionBasis, Intent, IntentEvent, IntentKind, IntentStatus, IntentTerms, ItemTarget, ListingTarget, Moment,
    Target, WithdrawalCause,
};
use tradepost_domain::id::{ContractId, InventoryItemId, WorkspaceId};

use super::trading::cents;
use super::{Samples, minute, start, text};

impl Samples {
    /// Returns the terms of an intent to buy a listing that no other intent names, for an operator to decide on.
    pub fn intent_terms(&self, workspace_id: WorkspaceId, contract_id: ContractId) -> IntentTerms {
        IntentTerms {
            id: self.id(),
            workspace_id,
            contract_id: Some(contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(self.listing_target()),
            basis: DecisionBasis::default(),
            approval_mode: ApprovalMode::Manual,
        }
    }

    /// Returns a listing that no other intent names.
    pub fn listing_target(&self) -> ListingTarget {
        ListingTarget {
            marketplace: text("csfloat"),
            listing_id: self.external_id(),
            listing_asset_id: self.asset_id(),
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            phase: None,
            traits: Box::default(),
            price: cents(1_200),
            platform_fee: cents(30),
            max_buy_price: cents(1_500),
        }
    }

    /// Returns an intent to buy in a status, by the shortest path to it.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn intent(&self, workspace_id: WorkspaceId, contract_id: ContractId, status: IntentStatus) -> Intent {
        intent_in(self.intent_terms(workspace_id, contract_id), status)
    }

    /// Returns an intent that sells or transfers an item, in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn sale_intent(
        &self,
        workspace_id: WorkspaceId,
        item: InventoryItemId,
        kind: IntentKind,
        status: IntentStatus,
    ) -> Intent {
        let target = ItemTarget {
            inventory_item_id: item,
            marketplace: (kind != IntentKind::Transfer).then(|| text("csfloat")),
            price: matches!(kind, IntentKind::List | IntentKind::Reprice | IntentKind::Deliver).then(|| cents(1_900)),
            to_account: (kind == IntentKind::Transfer).then(|| text("trader-2")),
        };
        let terms = IntentTerms {
            contract_id: None,
            kind,
            target: Target::Item(target),
            ..self.intent_terms(workspace_id, self.id())
        };
        intent_in(terms, status)
    }
}

fn intent_in(terms: IntentTerms, status: IntentStatus) -> Intent {
    let proposed = Intent::propose(terms, Moment::of(start())).unwrap();
    way_to(status).into_iter().fold(proposed, |intent, event| {
        // Late enough to be over, if the requested status needs that.
        let at = if event == IntentEvent::Expired { minute(60) } else { start() };
        intent.apply(event, Moment::of(at)).unwrap()
    })
}

fn way_to(status: IntentStatus) -> Vec<IntentEvent> {
    use IntentEvent as On;
    use IntentStatus as To;
    let withdrawn = On::Withdrawn { cause: WithdrawalCause::Person, reason: Some(text("not needed")) };
    let (before, last) = match status {
        To::Proposed => return Vec::new(),
        To::Approved => (To::Proposed, On::Approved),
        To::Executing => (To::Approved, On::Claimed { result: None }),
        To::Succeeded => (To::Executing, On::Succeeded { result: None }),
        To::Failed => (To::Executing, On::Failed { check: text("SOLD_ALREADY") }),
        To::Denied => (To::Approved, On::Denied { check: text("BUDGET_TOO_LOW") }),
        To::Rejected => (To::Proposed, On::Rejected { reason: Some(text("too dear")) }),
        To::Expired => (To::Proposed, On::Expired),
        To::Cancelled => (To::Proposed, withdrawn),
    };
    let mut way = way_to(before);
    way.push(last);
    way
}

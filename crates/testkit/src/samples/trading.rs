//! Samples of contracts, purchases and the log of steps, made by the state machines of the domain.

use time::Duration;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{
    ApprovalMode, BuyingTerms, Contract, ContractDraft, ContractEvent, ContractVersion, SellingTerms, Terms,
};
use tradepost_domain::contracts::purchase::{
    CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseStatus, PurchaseTerms,
};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::{Cents, Currency};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Actor, Subject, Transition};

use super::{Samples, start, text};

/// Returns an amount of money.
///
/// # Panics
/// On a negative amount.
pub(super) fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

impl Samples {
    /// Returns an active contract that buys without end.
    pub fn contract(&self, workspace_id: WorkspaceId) -> Contract {
        activated(self.draft(workspace_id, Terms::Buying(buying())))
    }

    /// Returns an active contract that sells.
    pub fn selling_contract(&self, workspace_id: WorkspaceId) -> Contract {
        activated(self.draft(workspace_id, Terms::Selling(selling())))
    }

    /// Returns the draft of a contract that buys.
    ///
    /// # Panics
    /// Never: the draft is legal.
    pub fn contract_draft(&self, workspace_id: WorkspaceId) -> Contract {
        Contract::draft(self.draft(workspace_id, Terms::Buying(buying())), start()).unwrap()
    }

    /// Returns a version of a contract's terms, with what it has now.
    pub fn contract_version(&self, contract: &Contract, record_version: i64) -> ContractVersion {
        let (id, terms, made_at) = (self.id(), contract.to_draft(), contract.updated_at);
        ContractVersion { id, terms, record_version, made_by: Actor::System, made_at }
    }

    fn draft(&self, workspace_id: WorkspaceId, terms: Terms) -> ContractDraft {
        ContractDraft {
            id: self.id(),
            workspace_id,
            name: self.unique("Contract"),
            terms,
            filter_set_id: None,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: vec![text("csfloat")],
            price_reference: None,
            starts_at: None,
            ends_at: None,
        }
    }

    /// Returns the terms of a purchase of a listing that no other purchase names.
    pub fn purchase_terms(&self, workspace_id: WorkspaceId, contract_id: ContractId) -> PurchaseTerms {
        PurchaseTerms {
            id: self.id(),
            workspace_id,
            contract_id: Some(contract_id),
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            traits: Box::default(),
            listing_price: cents(1_200),
            max_buy_price: cents(1_500),
            platform_fee: cents(30),
            listing_id: self.external_id(),
            listing_asset_id: self.asset_id(),
            marketplace: text("csfloat"),
            account_name: text("trader-1"),
            exchange_rate: Some(self.exchange_rate()),
        }
    }

    /// Returns the exchange rate of the euro.
    ///
    /// # Panics
    /// Never: the rate is valid.
    pub fn exchange_rate(&self) -> ExchangeRate {
        ExchangeRate::new(Currency::new("EUR").unwrap(), 1_083_500, start()).unwrap()
    }

    /// Returns a purchase in a status, by the shortest path to it.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn purchase(&self, workspace_id: WorkspaceId, contract_id: ContractId, status: PurchaseStatus) -> Purchase {
        let pending = Purchase::record(self.purchase_terms(workspace_id, contract_id), start()).unwrap();
        self.way_to(status).into_iter().fold(pending, |purchase, event| purchase.apply(event, late()).unwrap())
    }

    fn way_to(&self, status: PurchaseStatus) -> Vec<PurchaseEvent> {
        use PurchaseEvent as On;
        use PurchaseStatus as To;
        let (before, last) = match status {
            To::Pending => return Vec::new(),
            To::Submitted => (To::Pending, On::Submitted { listing_price: cents(1_200) }),
            To::Uncertain => (To::Submitted, On::OutcomeLost),
            To::Failed => (To::Submitted, On::Refused(FailureCode::SoldAlready)),
            To::Cancelled => (To::Pending, On::Cancelled(CancelCause::Withdrawn)),
            To::Paid => (
                To::Submitted,
                On::Accepted(Order { id: self.external_id(), executed_price: cents(1_190), fee: cents(30) }),
            ),
            To::Offered => (To::Paid, On::OfferSeen { trade_offer_id: self.external_id(), asks_for_ours: false }),
            To::TradeHeld => {
                let held_until = start().plus(Duration::days(15));
                (To::Offered, On::TradeHeld { trade_id: self.external_id(), held_until })
            }
            To::Traded => {
                let protected_until = start().plus(Duration::days(7));
                (To::Offered, On::ItemReceived { trade_id: self.external_id(), protected_until })
            }
            To::Settled => (To::Traded, On::ProtectionEnded),
            To::RefundPending => (To::Paid, On::DeliveryFailed(FailureCode::SellerLate)),
            To::Reverted => (To::Traded, On::TradeReversed { rollback_trade_id: self.external_id() }),
            To::Refunded => (To::RefundPending, On::RefundBooked { amount: cents(1_220) }),
            To::WrittenOff => (To::RefundPending, On::WrittenOff),
        };
        let mut way = self.way_to(before);
        way.push(last);
        way
    }

    /// Returns a row of the log: the record's first step.
    pub fn transition(&self, workspace_id: WorkspaceId, subject: Subject) -> Transition {
        Transition {
            id: self.id(),
            workspace_id,
            subject,
            from: None,
            to: "PENDING",
            version: 1,
            trigger: "recorded",
            actor: Actor::System,
            reason: Some(text("for a test")),
            evidence: Some(self.external_id()),
            at: start(),
            logged_at: start(),
        }
    }

    /// Returns the same at another time, which its id does not show.
    pub fn transition_at(&self, workspace_id: WorkspaceId, subject: Subject, at: Timestamp) -> Transition {
        Transition { at, logged_at: at, ..self.transition(workspace_id, subject) }
    }
}

/// Returns a time late enough for every step that has to wait.
pub(super) fn late() -> Timestamp {
    start().plus(Duration::days(8))
}

fn activated(draft: ContractDraft) -> Contract {
    Contract::draft(draft, start()).unwrap().apply(ContractEvent::Activated, start()).unwrap()
}

fn buying() -> BuyingTerms {
    BuyingTerms {
        target_quantity: 1_000,
        max_buy_price: cents(1_500),
        budget: cents(1_500_000),
        daily_budget: None,
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: None,
        max_per_item_name: None,
        max_open_purchases: None,
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    }
}

fn selling() -> SellingTerms {
    SellingTerms {
        floor_price: cents(900),
        min_margin: None,
        undercut: None,
        ceiling_price: None,
        reprice_interval_seconds: None,
        max_listings: None,
        max_below_value: None,
        max_above_value: None,
    }
}

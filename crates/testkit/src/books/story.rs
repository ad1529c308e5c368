//! The outcome of one purchase and of its delivered item, chosen by the purchase's number.

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, Proceeds, Receipt, SalePlace, Traits};
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::id::{ContractId, PurchaseId, WorkspaceId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;

use super::super::samples::text;
use super::{Batch, CONTRACTS, ItemStep, LoggedStep};
use tradepost_ports::changes::AppendedRow;

const FEE: i64 = 30;
const MARGIN: i64 = 50;
const NAMES: u32 = 1_000;
const ACCOUNTS: u32 = 50;

pub(super) fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

/// The step at which it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Pending,
    Submitted,
    Cancelled,
    Failed,
    Paid,
    Refunded,
    GivenUp,
    Received,
    Reverted,
    Listed,
    Sold,
    Settled,
    SaleReversed,
    Lost,
}

/// One purchase.
pub(super) struct Story {
    number: u32,
    at: Timestamp,
    end: End,
}

/// A delivered item in its current state.
struct HeldItem {
    item: InventoryItem,
    version: i64,
    /// The place of the contract that bought it.
    place: usize,
}

impl HeldItem {
    /// Writes down its next step.
    fn step(self, batch: &mut Batch<'_>, purchase: &Purchase, event: ItemEvent, at: Timestamp) -> Self {
        let Self { item: before, version, place } = self;
        let (owner, trigger, version) = (before.chain_owner(), event.name(), version + 1);
        // Every other sale is paid out at once.
        let pays_out = matches!(event, ItemEvent::ProceedsBooked { paid_out: true, .. });
        let (item, link) = before.clone().apply(event, at).unwrap();
        if let Some(link) = link {
            let id = batch.mint();
            batch.changes.append(AppendedRow::Link(link.of(owner, id)));
        }
        batch.step_of_item(place, ItemStep { before: &before, after: &item, purchase, pays_out });
        let (from, to) = (Some(before.status.as_str()), item.status.as_str());
        batch.log(Subject::InventoryItem(item.id), LoggedStep { from, to, version, trigger, at });
        Self { item, version, place }
    }
}

impl Story {
    pub(super) const fn of(number: u32, at: Timestamp) -> Self {
        let end = match number % 40 {
            0 => End::Pending,
            1 => End::Submitted,
            2..=8 => End::Cancelled,
            9..=16 => End::Failed,
            17 => End::Paid,
            18 => End::Refunded,
            19 => End::GivenUp,
            20 => End::Received,
            21 => End::Reverted,
            22..=23 => End::Listed,
            24 => End::Sold,
            25 => End::SaleReversed,
            26 => End::Lost,
            _ => End::Settled,
        };
        Self { number, at, end }
    }

    /// Writes down all its steps.
    pub(super) fn write(self, batch: &mut Batch<'_>) {
        batch.recorded_at = self.at;
        let place = usize::try_from(self.number).unwrap() % CONTRACTS;
        let contract_id = batch.buying.get(place).unwrap().id;
        let terms = PurchaseTerms { id: batch.mint(), workspace_id: batch.workspace_id, ..self.terms(contract_id) };
        let mut purchase = Purchase::record(terms, self.at).unwrap();
        let subject = Subject::Purchase(purchase.terms.id);
        let mut version = 1;
        batch.step_of_purchase(place, None, &purchase);
        let to = purchase.status.as_str();
        batch.log(subject, LoggedStep { from: None, to, version, trigger: "recorded", at: self.at });
        let mut item = None;
        for (event, at) in self.way_of_purchase() {
            let (before, trigger) = (purchase.clone(), event.name());
            // The reversal of the purchase reverses its item in the same step. The item no longer counts as sold.
            if let PurchaseEvent::TradeReversed { rollback_trade_id } = &event {
                let event =
                    ItemEvent::PurchaseReversed { rollback_trade_id: rollback_trade_id.clone(), asset_id: None };
                item = item.map(|held: HeldItem| held.step(batch, &before, event, at));
            }
            purchase = purchase.apply(event, at).unwrap();
            version += 1;
            batch.step_of_purchase(place, Some(&before), &purchase);
            let (from, to) = (Some(before.status.as_str()), purchase.status.as_str());
            batch.log(subject, LoggedStep { from, to, version, trigger, at });
            if trigger == "item_received" {
                item = Some(self.receive(batch, place, &purchase, at));
            }
        }
        batch.changes.insert_at(purchase.clone(), version);
        let Some(mut held) = item else { return };
        for (event, at) in self.way_of_item(batch.selling.id) {
            held = held.step(batch, &purchase, event, at);
        }
        batch.changes.insert_at(held.item, held.version);
    }

    fn receive(&self, batch: &mut Batch<'_>, place: usize, purchase: &Purchase, at: Timestamp) -> HeldItem {
        let receipt = Receipt {
            item_id: batch.mint(),
            link_ids: [batch.mint(), batch.mint()],
            asset_id: self.asset(1),
            app_id: AppId::CS2,
            context_id: ContextId::PROTECTED,
            traits: Traits { paint_seed: Some(412), ..Traits::default() },
        };
        let (item, links) = InventoryItem::receive(purchase, receipt, at).unwrap();
        for link in links {
            batch.changes.append(AppendedRow::Link(link));
        }
        let to = item.status.as_str();
        let received = LoggedStep { from: None, to, version: 1, trigger: "received", at };
        batch.log(Subject::InventoryItem(item.id), received);
        HeldItem { item, version: 1, place }
    }

    fn way_of_purchase(&self) -> Vec<(PurchaseEvent, Timestamp)> {
        use PurchaseEvent as On;
        let submitted = On::Submitted { listing_price: self.price() };
        let paid = On::Accepted(Order { id: self.external("order"), executed_price: self.price(), fee: cents(FEE) });
        let offered = On::OfferSeen { trade_offer_id: self.external("offer"), asks_for_ours: false };
        let received =
            On::ItemReceived { trade_id: self.external("trade"), protected_until: self.at.plus(Duration::days(7)) };
        let not_delivered = On::DeliveryFailed(FailureCode::SellerLate);
        let all_in = cents(self.price().get() + FEE);
        let events = match self.end {
            End::Pending => vec![],
            End::Submitted => vec![submitted],
            End::Cancelled => vec![On::Cancelled(CancelCause::Withdrawn)],
            End::Failed => vec![submitted, On::Refused(FailureCode::SoldAlready)],
            End::Paid => vec![submitted, paid],
            // Now and then a marketplace keeps a little of the refund.
            End::Refunded => {
                let amount = if self.number % 80 == 18 { all_in } else { self.price() };
                vec![submitted, paid, not_delivered, On::RefundBooked { amount }]
            }
            End::GivenUp => vec![submitted, paid, not_delivered, On::WrittenOff],
            End::Received | End::Listed | End::Lost => vec![submitted, paid, offered, received],
            End::Reverted => {
                let reversed = On::TradeReversed { rollback_trade_id: self.external("rollback") };
                vec![submitted, paid, offered, received, reversed]
            }
            End::Sold | End::Settled | End::SaleReversed => {
                vec![submitted, paid, offered, received, On::ProtectionEnded]
            }
        };
        let is_late = |event: &On| matches!(event, On::ProtectionEnded);
        let dated = |minute: i64, event: On| {
            let after = if is_late(&event) { Duration::days(8) } else { Duration::minutes(minute) };
            (event, self.at.plus(after))
        };
        (1..).zip(events).map(|(minute, event)| dated(minute, event)).collect()
    }

    fn way_of_item(&self, seller: ContractId) -> Vec<(ItemEvent, Timestamp)> {
        let (listing, price) = (self.external("sale"), cents(self.price().get() + 400));
        let proceeds = Proceeds::new(price, cents(70)).unwrap();
        let place = SalePlace { marketplace: text("skinport"), contract_id: Some(seller) };
        let started = ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None };
        let listed = ItemEvent::ListingAccepted { listing_id: listing.clone(), asset_id: self.asset(1) };
        let noticed = ItemEvent::SaleNoticed { listing_id: listing, proceeds };
        let delivering = ItemEvent::DeliveryStarted { asset_id: self.asset(1) };
        let given = ItemEvent::Given { trade_id: self.external("sold"), asset_id: self.asset(2) };
        let protected_until = self.at.plus(Duration::days(15));
        let booked = ItemEvent::ProceedsBooked { proceeds, protected_until, paid_out: self.number.is_multiple_of(2) };
        let (seen, again) = (self.at.plus(Duration::days(9)), self.at.plus(Duration::days(10)));
        let events = match self.end {
            End::Listed => vec![started, listed],
            End::Sold => vec![started, listed, noticed, delivering, given],
            End::Settled => vec![started, listed, noticed, delivering, given, booked],
            End::SaleReversed => {
                let reversed =
                    ItemEvent::SaleReversed { rollback_trade_id: self.external("unsold"), asset_id: self.asset(3) };
                vec![started, listed, noticed, delivering, given, reversed]
            }
            End::Lost => {
                vec![ItemEvent::WentMissing { first_absent_at: seen, last_absent_at: again }, ItemEvent::GivenUp]
            }
            End::Pending
            | End::Submitted
            | End::Cancelled
            | End::Failed
            | End::Paid
            | End::Refunded
            | End::GivenUp
            | End::Received
            | End::Reverted => Vec::new(),
        };
        let dated = |minute: i64, event: ItemEvent| {
            let is_late = matches!(event, ItemEvent::ProceedsBooked { .. });
            let days = if is_late { Duration::days(16) } else { Duration::days(10) };
            (event, self.at.plus(days).plus(Duration::minutes(minute)))
        };
        (1..).zip(events).map(|(minute, event)| dated(minute, event)).collect()
    }

    fn terms(&self, contract_id: ContractId) -> PurchaseTerms {
        let price = self.price();
        PurchaseTerms {
            id: PurchaseId::from_bytes([0; 16]),
            workspace_id: WorkspaceId::from_bytes([0; 16]),
            contract_id: Some(contract_id),
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: text(&format!("AK-47 | Redline {} (Field-Tested)", self.number % NAMES)),
            traits: Box::default(),
            listing_price: price,
            max_buy_price: cents(price.get() + FEE + MARGIN),
            platform_fee: cents(FEE),
            listing_id: self.external("listing"),
            listing_asset_id: self.asset(0),
            marketplace: text("csfloat"),
            account_name: text(&format!("trader-{}", self.number % ACCOUNTS)),
            exchange_rate: None,
        }
    }

    fn price(&self) -> Cents {
        cents(1_000 + i64::from(self.number % 5_000))
    }

    fn asset(&self, step: u64) -> AssetId {
        AssetId::new(&(50_000_000_000 + u64::from(self.number) * 10 + step).to_string()).unwrap()
    }

    fn external(&self, what: &str) -> ExternalId {
        text(&format!("{what}-{}", self.number))
    }
}

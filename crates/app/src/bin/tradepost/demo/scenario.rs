//! What can become of a purchase and its item, as lists of what happens when. Every status is where some story ends.

use time::Duration;
use tradepost::domain::asset::AssetId;
use tradepost::domain::contracts::inventory_item::{ItemEvent, Proceeds, SalePlace};
use tradepost::domain::contracts::purchase::{Absence, CancelCause, FailureCode, ListingOutcome, Order, PurchaseEvent};
use tradepost::domain::money::Cents;
use tradepost::domain::text::ExternalId;
use tradepost::domain::time::Timestamp;

use super::sure;
use crate::failure::Outcome;

/// The platform can reverse a trade for this long.
const PROTECTION: Duration = Duration::days(7);

/// How a story ends: with the purchase, or with its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DemoScenario {
    Pending,
    Submitted,
    Uncertain,
    Paid,
    Offered,
    TradeHeld,
    Refused,
    NeverPlaced,
    Withdrawn,
    RefundPending,
    Refunded,
    WrittenOff,
    Reverted,
    RevertedAndRefunded,
    Arrived,
    ListedWhileLocked,
    Missing,
    GivenUp,
    Kept,
    Listing,
    Listed,
    Reserved,
    Delivering,
    Held,
    Sold,
    SoldAndSettled,
    SoldAfterTransfer,
    SoldAndReturned,
}

/// How often each story occurs in the large workspace.
pub(super) const STORIES: [(DemoScenario, usize); 28] = [
    (DemoScenario::Pending, 2),
    (DemoScenario::Submitted, 2),
    (DemoScenario::Uncertain, 2),
    (DemoScenario::Paid, 5),
    (DemoScenario::Offered, 4),
    (DemoScenario::TradeHeld, 4),
    (DemoScenario::Refused, 7),
    (DemoScenario::NeverPlaced, 3),
    (DemoScenario::Withdrawn, 5),
    (DemoScenario::RefundPending, 3),
    (DemoScenario::Refunded, 4),
    (DemoScenario::WrittenOff, 2),
    (DemoScenario::Reverted, 2),
    (DemoScenario::RevertedAndRefunded, 2),
    (DemoScenario::Arrived, 12),
    (DemoScenario::ListedWhileLocked, 5),
    (DemoScenario::Missing, 2),
    (DemoScenario::GivenUp, 2),
    (DemoScenario::Kept, 10),
    (DemoScenario::Listing, 2),
    (DemoScenario::Listed, 12),
    (DemoScenario::Reserved, 3),
    (DemoScenario::Delivering, 3),
    (DemoScenario::Held, 3),
    (DemoScenario::Sold, 8),
    (DemoScenario::SoldAndSettled, 18),
    (DemoScenario::SoldAfterTransfer, 4),
    (DemoScenario::SoldAndReturned, 3),
];

/// Something that happens.
#[derive(Debug, Clone)]
pub(super) enum DemoEvent {
    /// The purchase is recorded.
    Record,
    /// Something happens to the purchase.
    Purchase(PurchaseEvent),
    /// The item arrives.
    Receive { trade_id: ExternalId, asset_id: AssetId, protected_until: Timestamp },
    /// Something happens to the item.
    Item(ItemEvent),
    /// The platform shows the item under another asset id.
    Seen { asset_id: AssetId, source_id: ExternalId },
}

/// A story being written: when it has come to, and what it has used.
pub(super) struct Script {
    number: u64,
    price: Cents,
    place: SalePlace,
    at: Timestamp,
    asset: u64,
    deeds: Vec<(Timestamp, DemoEvent)>,
}

impl DemoScenario {
    /// Whether it ends where only a marketplace or the platform could bring it on.
    pub(super) const fn waits(self) -> bool {
        match self {
            Self::Pending
            | Self::Submitted
            | Self::Uncertain
            | Self::Paid
            | Self::Offered
            | Self::TradeHeld
            | Self::RefundPending
            | Self::Reverted
            | Self::ListedWhileLocked
            | Self::Listing
            | Self::Listed
            | Self::Reserved
            | Self::Delivering
            | Self::Held
            | Self::Sold => true,
            Self::Refused
            | Self::NeverPlaced
            | Self::Withdrawn
            | Self::Refunded
            | Self::WrittenOff
            | Self::RevertedAndRefunded
            | Self::Arrived
            | Self::Missing
            | Self::GivenUp
            | Self::Kept
            | Self::SoldAndSettled
            | Self::SoldAfterTransfer
            | Self::SoldAndReturned => false,
        }
    }

    /// Whether nothing follows on it, so that it may have begun any time ago.
    pub(super) const fn is_over(self) -> bool {
        match self {
            Self::Refused
            | Self::NeverPlaced
            | Self::Withdrawn
            | Self::Refunded
            | Self::WrittenOff
            | Self::RevertedAndRefunded
            | Self::SoldAndSettled
            | Self::SoldAfterTransfer => true,
            Self::Pending
            | Self::Submitted
            | Self::Uncertain
            | Self::Paid
            | Self::Offered
            | Self::TradeHeld
            | Self::RefundPending
            | Self::Reverted
            | Self::Arrived
            | Self::ListedWhileLocked
            | Self::Missing
            | Self::GivenUp
            | Self::Kept
            | Self::Listing
            | Self::Listed
            | Self::Reserved
            | Self::Delivering
            | Self::Held
            | Self::Sold
            | Self::SoldAndReturned => false,
        }
    }

    /// How long before now it begins at the latest.
    pub(super) const fn began_before(self) -> Duration {
        match self {
            Self::Pending => Duration::seconds(20),
            Self::Submitted => Duration::seconds(40),
            // Long enough to be reported as a problem when the data ends: no engine looks for the orders of the sample data, and an
            // idle demo must not open new problems.
            Self::Uncertain => Duration::hours(1),
            Self::Paid => Duration::hours(2),
            Self::Offered => Duration::hours(3),
            Self::TradeHeld => Duration::days(2),
            Self::RefundPending => Duration::days(3),
            Self::Arrived | Self::ListedWhileLocked | Self::Missing | Self::GivenUp => Duration::days(4),
            Self::Kept | Self::Listing | Self::Listed | Self::Reserved | Self::Delivering => Duration::days(12),
            Self::Refused | Self::NeverPlaced | Self::Withdrawn | Self::Refunded | Self::WrittenOff => {
                Duration::days(20)
            }
            Self::Reverted | Self::RevertedAndRefunded | Self::Held | Self::Sold => Duration::days(13),
            Self::SoldAndSettled | Self::SoldAfterTransfer | Self::SoldAndReturned => Duration::days(24),
        }
    }

    /// Everything that happens in it.
    pub(super) fn play(self, script: Script) -> Outcome<Vec<(Timestamp, DemoEvent)>> {
        let script = script.then(Duration::ZERO, DemoEvent::Record);
        let script = match self {
            Self::Pending => script,
            Self::Withdrawn => script.purchase(20, PurchaseEvent::Cancelled(CancelCause::Withdrawn)),
            Self::Submitted => script.submitted(),
            Self::Uncertain => script.submitted().purchase(30, PurchaseEvent::OutcomeLost),
            Self::Refused => script.submitted().purchase(1, PurchaseEvent::Refused(FailureCode::SoldAlready)),
            Self::NeverPlaced => script.submitted().purchase(30, PurchaseEvent::OutcomeLost).never_placed(),
            Self::Paid => script.paid()?,
            Self::Offered => script.offered()?,
            Self::TradeHeld => script.offered()?.trade_held()?,
            Self::RefundPending => script.undelivered()?,
            Self::Refunded => script.undelivered()?.refunded(),
            Self::WrittenOff => script.undelivered()?.purchase(600_000, PurchaseEvent::WrittenOff),
            Self::Reverted => script.received()?.reversed()?,
            Self::RevertedAndRefunded => script.received()?.reversed()?.refunded(),
            Self::Arrived => script.received()?,
            Self::ListedWhileLocked => script.received()?.listing(true).listed()?,
            Self::Missing => script.received()?.missing(),
            Self::GivenUp => script.received()?.missing().item(86_400, ItemEvent::GivenUp),
            Self::Kept => script.settled()?.seen()?,
            Self::Listing => script.settled()?.listing(false),
            Self::Listed => script.settled()?.listing(false).listed()?,
            Self::Reserved => script.settled()?.listing(false).listed()?.bought()?,
            Self::Delivering => script.settled()?.listing(false).listed()?.bought()?.delivering()?,
            Self::Held => script.sale()?.item(600, ItemEvent::DeliveryHeld),
            Self::Sold => script.sale()?.given()?,
            Self::SoldAndSettled => script.sale()?.given()?.booked()?,
            Self::SoldAfterTransfer => script.settled()?.seen()?.offer_for_sale()?.given()?.booked()?,
            Self::SoldAndReturned => script.sale()?.given()?.returned()?,
        };
        Ok(script.deeds)
    }
}

impl Script {
    /// The story with this number, of an item at this price that is sold there, from `at` on.
    pub(super) fn new(number: u64, price: Cents, place: SalePlace, at: Timestamp) -> Self {
        Self { number, price, place, at, asset: 0, deeds: Vec::new() }
    }

    fn then(mut self, wait: Duration, deed: DemoEvent) -> Self {
        self.at = self.at.plus(wait);
        self.deeds.push((self.at, deed));
        self
    }

    fn purchase(self, seconds: i64, event: PurchaseEvent) -> Self {
        self.then(Duration::seconds(seconds), DemoEvent::Purchase(event))
    }

    fn item(self, seconds: i64, event: ItemEvent) -> Self {
        self.then(Duration::seconds(seconds), DemoEvent::Item(event))
    }

    /// The name that an outside system gives to something in this story.
    fn external(&self, what: &str) -> Outcome<ExternalId> {
        external(what, self.number)
    }

    /// The asset id that the item has now.
    fn asset_id(&self) -> Outcome<AssetId> {
        asset_id(self.number, self.asset)
    }

    /// The asset id that it has from now on.
    fn next_asset_id(&mut self) -> Outcome<AssetId> {
        self.asset = self.asset.saturating_add(1);
        self.asset_id()
    }

    fn proceeds(&self) -> Outcome<Proceeds> {
        // A tenth above cost; the marketplace keeps a twentieth of it.
        let sold_for = self.price.get().saturating_mul(11) / 10;
        sure(Proceeds::new(sure(Cents::new(sold_for))?, sure(Cents::new(sold_for / 20))?))
    }

    fn submitted(self) -> Self {
        let listing_price = self.price;
        self.purchase(3, PurchaseEvent::Submitted { listing_price })
    }

    fn never_placed(self) -> Self {
        let first_lookup_at = self.at.plus(Duration::seconds(30));
        let last_lookup_at = first_lookup_at.plus(Duration::seconds(90));
        let (listing, charge_excluded) = (ListingOutcome::SoldToAnother, true);
        let absence = Absence { first_lookup_at, last_lookup_at, listing, charge_excluded, balances: None };
        self.purchase(120, PurchaseEvent::OrderAbsent(absence))
    }

    fn paid(self) -> Outcome<Self> {
        let fee = sure(Cents::new(fee_of(self.price.get())))?;
        let order = Order { id: self.external("order")?, executed_price: self.price, fee };
        Ok(self.submitted().purchase(2, PurchaseEvent::Accepted(order)))
    }

    fn offered(self) -> Outcome<Self> {
        let event = PurchaseEvent::OfferSeen { trade_offer_id: self.external("offer")?, asks_for_ours: false };
        Ok(self.paid()?.purchase(1_800, event))
    }

    fn trade_held(self) -> Outcome<Self> {
        let event = PurchaseEvent::TradeHeld {
            trade_id: self.external("trade")?,
            held_until: self.at.plus(Duration::days(15)),
        };
        Ok(self.purchase(600, event))
    }

    fn undelivered(self) -> Outcome<Self> {
        Ok(self.paid()?.purchase(43_200, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)))
    }

    fn refunded(self) -> Self {
        let amount = self.price;
        self.purchase(172_800, PurchaseEvent::RefundBooked { amount })
    }

    fn received(self) -> Outcome<Self> {
        let mut script = self.offered()?;
        let (trade_id, asset_id) = (script.external("trade")?, script.next_asset_id()?);
        let protected_until = script.at.plus(PROTECTION);
        Ok(script.then(Duration::minutes(10), DemoEvent::Receive { trade_id, asset_id, protected_until }))
    }

    fn reversed(self) -> Outcome<Self> {
        let event = PurchaseEvent::TradeReversed { rollback_trade_id: self.external("rollback")? };
        Ok(self.purchase(172_800, event))
    }

    fn settled(self) -> Outcome<Self> {
        let protection_with_margin = PROTECTION.whole_seconds().saturating_add(7_200);
        Ok(self.received()?.purchase(protection_with_margin, PurchaseEvent::ProtectionEnded))
    }

    fn missing(self) -> Self {
        let first_absent_at = self.at.plus(Duration::days(1));
        let last_absent_at = first_absent_at.plus(Duration::minutes(30));
        self.item(90_000, ItemEvent::WentMissing { first_absent_at, last_absent_at })
    }

    fn seen(mut self) -> Outcome<Self> {
        let (asset_id, source_id) = (self.next_asset_id()?, self.external("snapshot")?);
        Ok(self.then(Duration::hours(1), DemoEvent::Seen { asset_id, source_id }))
    }

    fn listing(self, takes_locked: bool) -> Self {
        let (place, price) = (self.place.clone(), self.price);
        self.item(3_600, ItemEvent::ListingStarted { place, price, takes_locked, exchange_rate: None })
    }

    fn listed(self) -> Outcome<Self> {
        let event = ItemEvent::ListingAccepted { listing_id: self.external("sale")?, asset_id: self.asset_id()? };
        Ok(self.item(5, event))
    }

    fn bought(self) -> Outcome<Self> {
        let event = ItemEvent::SaleNoticed { listing_id: self.external("sale")?, proceeds: self.proceeds()? };
        Ok(self.item(86_400, event))
    }

    fn delivering(self) -> Outcome<Self> {
        let event = ItemEvent::DeliveryStarted { asset_id: self.asset_id()? };
        Ok(self.item(120, event))
    }

    fn offer_for_sale(self) -> Outcome<Self> {
        self.listing(false).listed()?.bought()?.delivering()
    }

    fn sale(self) -> Outcome<Self> {
        self.settled()?.offer_for_sale()
    }

    fn given(mut self) -> Outcome<Self> {
        let event = ItemEvent::Given { trade_id: self.external("delivery")?, asset_id: self.next_asset_id()? };
        Ok(self.item(900, event))
    }

    fn booked(self) -> Outcome<Self> {
        let (proceeds, protected_until) = (self.proceeds()?, self.at.plus(PROTECTION));
        let event = ItemEvent::ProceedsBooked { proceeds, protected_until, paid_out: true };
        Ok(self.item(700_000, event))
    }

    fn returned(mut self) -> Outcome<Self> {
        let event =
            ItemEvent::SaleReversed { rollback_trade_id: self.external("return")?, asset_id: self.next_asset_id()? };
        Ok(self.item(172_800, event))
    }
}

/// Begins the id of the listing that a story is about; its number follows.
pub(super) const LISTING: &str = "listing-";

/// The name that an outside system gives to something in the story with this number.
pub(super) fn external(what: &str, number: u64) -> Outcome<ExternalId> {
    sure(ExternalId::new(&format!("{what}-{number:06}")))
}

/// The asset id of the item of a story after so many changes; 0 is the one that it has with its seller.
pub(super) fn asset_id(story: u64, changes: u64) -> Outcome<AssetId> {
    sure(AssetId::new(&format!("{}", 30_000_000_000 + story * 10 + changes)))
}
/// What the marketplaces of the demo take of a buyer.
pub(super) const fn fee_of(price: i64) -> i64 {
    price / 40
}

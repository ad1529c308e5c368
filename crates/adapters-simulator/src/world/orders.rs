//! Orders of the simulated world: a buyer has paid, the marketplace holds the money, a seller has to deliver. One life for purchases and sales.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::external::Page;
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, ListingStatus, MarketOrder, MarketplaceRefusal, OrderIdentity, OrderStatus, Sale, Sought,
    SoughtOrder,
};

use super::World;
use super::accounting::MoneyAccount;
use super::change_index::{Change, ChangeIndex};
use super::event_queue::Event;
use super::ids::{AssetNumber, DealId, ItemId, ListingId, OfferId, PersonId};
use super::market::{Listing, scaled};
use crate::fault::{Call, Fault};
use crate::serde_repr;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SimOrder {
    /// The key of the customer who bought; a stranger has none.
    #[serde(with = "serde_repr")]
    key: Option<ExternalId>,
    /// When it was struck. A deal of a world that was written down before this was kept has none.
    #[serde(with = "serde_repr", default)]
    struck_at: Option<Timestamp>,
    /// From when on a search finds it.
    #[serde(with = "serde_repr", default)]
    found_from: Option<Timestamp>,
    /// Whether the seller has not committed it yet, so that the buyer is not shown.
    #[serde(default)]
    awaits_commit: bool,
    listing: ListingId,
    pub(super) item: ItemId,
    /// The id that the item had when it was listed.
    asset: AssetNumber,
    pub(super) seller: PersonId,
    pub(super) buyer: PersonId,
    #[serde(with = "serde_repr")]
    price: VenueCents,
    #[serde(with = "serde_repr")]
    buying_fee: VenueCents,
    #[serde(with = "serde_repr")]
    selling_fee: VenueCents,
    #[serde(with = "serde_repr")]
    pub(super) status: OrderStatus,
    /// The offer that is to deliver it.
    pub(super) offer: Option<OfferId>,
    #[serde(with = "serde_repr")]
    deliver_by: Option<Timestamp>,
    #[serde(with = "serde_repr")]
    refunded: VenueCents,
    #[serde(with = "serde_repr")]
    updated_at: Timestamp,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct SimOrders {
    all: BTreeMap<DealId, SimOrder>,
    /// The orders of each customer by key.
    by_key: BTreeMap<String, BTreeMap<String, DealId>>,
    by_listing: BTreeMap<ListingId, DealId>,
    recent: ChangeIndex<DealId>,
}

impl SimOrder {
    /// Whether the item is still to be delivered.
    pub(super) fn is_open(&self) -> bool {
        matches!(
            self.status,
            OrderStatus::AwaitingCommit
                | OrderStatus::AwaitingSeller
                | OrderStatus::InCustody { .. }
                | OrderStatus::Offered
        )
    }

    /// Whether the seller has to send an offer, or has.
    pub(super) fn is_to_be_sent(&self) -> bool {
        matches!(self.status, OrderStatus::AwaitingSeller | OrderStatus::Offered)
    }

    /// Until when the seller has to deliver.
    pub(super) fn deliver_by(&self) -> Timestamp {
        self.deliver_by.unwrap_or(Timestamp::MAX)
    }

    /// What the buyer has paid.
    pub(super) fn paid(&self) -> VenueCents {
        self.price.plus(self.buying_fee).unwrap_or(VenueCents::MAX)
    }

    /// Whether the money is still held.
    pub(super) fn holds_money(&self) -> bool {
        !matches!(self.status, OrderStatus::Settled | OrderStatus::Refunded)
    }
}

impl SimOrders {
    pub(super) fn get(&self, id: DealId) -> Option<&SimOrder> {
        self.all.get(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (DealId, &SimOrder)> {
        self.all.iter().map(|(id, deal)| (*id, deal))
    }

    pub(super) fn of_listing(&self, listing: ListingId) -> Option<DealId> {
        self.by_listing.get(&listing).copied()
    }

    fn of_key(&self, customer: &str, key: &ExternalId) -> Option<DealId> {
        self.by_key.get(customer).and_then(|keys| keys.get(key.as_str())).copied()
    }
}

impl World {
    /// A customer buys a listing.
    pub(super) fn buy(&mut self, customer: &str, request: &BuyRequest) -> Result<MarketOrder, MarketplaceRefusal> {
        // Its own key a marketplace knows at once, however late its look-up is.
        let is_keyed = self.settings.traits.orders == OrderIdentity::Keyed;
        if let Some(order) = self.order_under(customer, &request.key).filter(|_| is_keyed) {
            let same = order.listing_id == request.listing_id;
            return if same { Ok(order) } else { Err(MarketplaceRefusal::KeyReused) };
        }
        let id = ListingId::named(&request.listing_id).ok_or(MarketplaceRefusal::NotFound)?;
        let buyer = self.people.at(&request.deliver_to).filter(|buyer| self.people.customer(*buyer) == Some(customer));
        let buyer = buyer.ok_or(MarketplaceRefusal::AccountBlocked)?;
        self.upset_buyer(id);
        let listing = self.market.listings.get(&id).ok_or(MarketplaceRefusal::NotFound)?;
        if listing.status != ListingStatus::OnSale {
            return Err(MarketplaceRefusal::SoldAlready);
        }
        if self.people.customer(listing.seller) == Some(customer) {
            return Err(MarketplaceRefusal::Other("a listing of one's own cannot be bought".to_owned()));
        }
        if listing.price > request.max_price {
            return Err(MarketplaceRefusal::PriceChanged { price: listing.price });
        }
        let available = self.books.balance(customer);
        let all_in = listing.price.plus(self.fees_of(listing).0);
        if !all_in.is_ok_and(|all_in| all_in <= available) {
            return Err(MarketplaceRefusal::BalanceTooLow { available });
        }
        let listing = listing.clone();
        let deal = self.strike_deal(id, &listing, buyer, Some(request.key.clone()));
        self.order_of(deal).ok_or(MarketplaceRefusal::NotFound)
    }

    /// A stranger buys a listing. Whether it was on sale.
    pub fn sell_to_stranger(&mut self, id: &ExternalId) -> bool {
        ListingId::named(id).is_some_and(|id| self.stranger_buys(id))
    }

    pub(super) fn stranger_buys(&mut self, id: ListingId) -> bool {
        let Some(listing) = self.market.listings.get(&id).cloned() else { return false };
        if listing.status != ListingStatus::OnSale {
            return false;
        }
        let buyer = self.people.arrive(&mut self.numbers, None);
        self.strike_deal(id, &listing, buyer, None);
        true
    }

    /// What may have happened to a listing a moment before it is bought.
    fn upset_buyer(&mut self, id: ListingId) {
        let Some(listing) = self.market.listings.get_mut(&id) else { return };
        if listing.status != ListingStatus::OnSale {
            return;
        }
        let dearer = self.faults.strike(|fault| {
            if let Fault::PriceMoved { percent } = fault { Some(10_000 + u32::from(*percent) * 100) } else { None }
        });
        if let Some(factor) = dearer {
            listing.price = scaled(listing.price, factor);
        }
        if self.faults.strike_as(&Fault::SoldAlready) {
            self.sold_elsewhere(id);
        }
    }

    /// What buyer and seller pay for a deal over this listing now.
    fn fees_of(&self, listing: &Listing) -> (VenueCents, VenueCents) {
        let schedule = self.fee_schedule();
        let selling = schedule.selling.of(listing.price).min(listing.price);
        (schedule.buying.of(listing.price), selling)
    }

    /// The money is taken and held, the listing is off the market, the seller's time runs.
    fn strike_deal(
        &mut self,
        listing_id: ListingId,
        listing: &Listing,
        buyer: PersonId,
        key: Option<ExternalId>,
    ) -> DealId {
        let (buying_fee, selling_fee) = self.fees_of(listing);
        let id = self.numbers.deal();
        let status = self.begins_as(listing.seller, buyer);
        let found_from = key.as_ref().and_then(|_| self.found_late());
        let deal = SimOrder {
            key,
            struck_at: Some(self.now),
            found_from,
            awaits_commit: status == OrderStatus::AwaitingCommit,
            listing: listing_id,
            item: listing.item,
            asset: listing.asset,
            seller: listing.seller,
            buyer,
            price: listing.price,
            buying_fee,
            selling_fee,
            status,
            offer: None,
            deliver_by: None,
            refunded: VenueCents::ZERO,
            updated_at: self.now,
        };
        self.books.pay(self.people.purse(buyer), MoneyAccount::Held(id), listing.price);
        self.books.pay(self.people.purse(buyer), MoneyAccount::Held(id), buying_fee);
        if let (Some(customer), Some(key)) = (self.people.customer(buyer), &deal.key) {
            self.deals.by_key.entry(customer.to_owned()).or_default().insert(key.to_string(), id);
        }
        self.deals.by_listing.insert(listing_id, id);
        self.deals.all.insert(id, deal);
        self.deals.recent.add(id, self.now);
        self.end_listing(listing_id, ListingStatus::Sold);
        if let Some(item) = self.items.get_mut(listing.item) {
            item.deal = Some(id);
        }
        self.set_off(id);
        id
    }

    /// The seller's time runs.
    pub(super) fn set_deadline(&mut self, id: DealId) {
        let deadline = self.settings.delivery_deadline;
        if let Some(deal) = self.deals.all.get_mut(&id) {
            deal.deliver_by = Some(self.now.plus(Duration::seconds(i64::from(deadline))));
        }
        self.after(deadline, Event::DeliveryDue(id));
    }

    /// The seller has taken a deal on.
    pub(super) fn set_committed(&mut self, id: DealId) {
        if let Some(deal) = self.deals.all.get_mut(&id) {
            deal.awaits_commit = false;
        }
        self.set_deal(id, OrderStatus::AwaitingSeller);
    }

    /// A stranger who sold something will send the offer, by and by.
    pub(super) fn seller_will_send(&mut self, id: DealId) {
        let delay = self.chance.within(self.settings.seller_sends);
        self.after(delay, Event::SellerSends(id));
    }

    pub(super) fn set_deal(&mut self, id: DealId, status: OrderStatus) {
        if let Some(deal) = self.deals.all.get_mut(&id) {
            self.deals.recent.remove(id, deal.updated_at);
            self.deals.recent.add(id, self.now);
            deal.status = status;
            deal.updated_at = self.now;
        }
    }

    /// Records which offer is to deliver the deal, or that there is none.
    pub(super) fn set_deal_offer(&mut self, id: DealId, offer: Option<OfferId>) {
        if let Some(deal) = self.deals.all.get_mut(&id) {
            deal.offer = offer;
            if deal.is_to_be_sent() {
                let status = if offer.is_some() { OrderStatus::Offered } else { OrderStatus::AwaitingSeller };
                self.set_deal(id, status);
            }
        }
    }

    /// The seller's time is over.
    pub(super) fn delivery_due(&mut self, id: DealId) {
        let Some(deal) = self.deals.get(id) else { return };
        let offer = deal.offer.and_then(|offer| self.offers.get(offer));
        // Whose item the platform holds has done what a seller can do.
        if offer.is_some_and(|offer| offer.status == OfferStatus::InEscrow) {
            return;
        }
        // A customer may have sent nothing because the platform would have held it. The next buyer is another one.
        if offer.is_none() && deal.is_open() && self.people.customer(deal.seller).is_some() {
            self.faults.lift_next_hold();
        }
        self.fail_deal(id, FailureCode::SellerLate);
    }

    /// Ends a deal that was not delivered. The buyer is refunded later.
    pub(super) fn fail_deal(&mut self, id: DealId, code: FailureCode) {
        let Some(deal) = self.deals.get(id).filter(|deal| deal.is_open()).cloned() else { return };
        self.set_deal(id, OrderStatus::Failed(code));
        if let Some(item) = self.items.get_mut(deal.item) {
            item.deal = None;
        }
        if let Some(offer) = deal.offer.filter(|_| self.people.customer(deal.seller).is_none()) {
            self.take_back(offer);
        }
        self.after(self.settings.refund, Event::RefundDue(id));
    }

    /// The item is with the buyer. A seller who was late has delivered all the same, unless the money is back already.
    pub(super) fn deal_delivered(&mut self, id: DealId) {
        let Some(deal) = self.deals.get(id) else { return };
        if deal.is_open() || matches!(deal.status, OrderStatus::Failed(_)) {
            let item = deal.item;
            self.set_deal(id, OrderStatus::Delivered);
            if let Some(item) = self.items.get_mut(item) {
                item.deal = None;
            }
            self.after(self.settings.protection, Event::DealSettles(id));
        }
    }

    /// The trade that delivered the item was reversed.
    pub(super) fn deal_reversed(&mut self, id: DealId) {
        if self.deals.get(id).is_some_and(|deal| deal.status == OrderStatus::Delivered) {
            self.set_deal(id, OrderStatus::Reverted);
            self.after(self.settings.refund, Event::RefundDue(id));
        }
    }

    /// The buyer gets everything back, or later than refunds come.
    pub(super) fn refund(&mut self, id: DealId) {
        let is_owed = |deal: &SimOrder| matches!(deal.status, OrderStatus::Failed(_) | OrderStatus::Reverted);
        let Some(buyer) = self.deals.get(id).filter(|deal| is_owed(deal)).map(|deal| deal.buyer) else { return };
        let late = |fault: &Fault| if let Fault::LateRefund { hours } = fault { Some(*hours) } else { None };
        if let Some(hours) = self.faults.strike(late) {
            self.after(hours.saturating_mul(3_600), Event::RefundDue(id));
            return;
        }
        let held = self.books.held(id);
        if let Some(deal) = self.deals.all.get_mut(&id) {
            deal.refunded = held;
        }
        self.books.pay(MoneyAccount::Held(id), self.people.purse(buyer), held);
        self.set_deal(id, OrderStatus::Refunded);
    }

    /// The trade can no longer be reversed: the seller gets the price, the marketplace its fees.
    pub(super) fn settle(&mut self, id: DealId) {
        let Some(deal) = self.deals.get(id).filter(|deal| deal.status == OrderStatus::Delivered) else { return };
        let seller = self.people.purse(deal.seller);
        let proceeds = deal.price.minus(deal.selling_fee).unwrap_or(VenueCents::ZERO);
        self.books.pay(MoneyAccount::Held(id), seller, proceeds);
        self.books.pay(MoneyAccount::Held(id), MoneyAccount::Fees, self.books.held(id));
        self.set_deal(id, OrderStatus::Settled);
    }

    /// From when on an order is found by its key, if that takes a while. No customer looks for one whose answer is not lost.
    fn found_late(&mut self) -> Option<Timestamp> {
        if !self.armed().contains(&Fault::TimeoutAfterCommit { call: Call::Buy }) {
            return None;
        }
        let late = |fault: &Fault| if let Fault::LateLookup { seconds } = fault { Some(*seconds) } else { None };
        let seconds = self.faults.strike(late)?;
        Some(self.now.plus(Duration::seconds(i64::from(seconds))))
    }

    /// The order that a customer made with this key.
    fn order_under(&self, customer: &str, key: &ExternalId) -> Option<MarketOrder> {
        self.order_of(self.deals.of_key(customer, key)?)
    }

    /// The deal that is sought: by its key, or where the marketplace keeps none, by its listing.
    fn sought(&self, customer: &str, sought: &SoughtOrder) -> Option<DealId> {
        if self.settings.traits.orders == OrderIdentity::Keyed {
            return self.deals.of_key(customer, &sought.key);
        }
        let id = self.of_listing(customer, sought)?;
        let deal = self.deals.get(id)?;
        (deal.struck_at >= Some(sought.sent_since)).then_some(id)
    }

    /// The customer's own deal of the listing that is sought, whenever it was struck.
    fn of_listing(&self, customer: &str, sought: &SoughtOrder) -> Option<DealId> {
        let id = self.deals.of_listing(ListingId::named(&sought.listing_id)?)?;
        let deal = self.deals.get(id)?;
        (self.people.customer(deal.buyer) == Some(customer)).then_some(id)
    }

    fn is_shown(&self, id: DealId) -> bool {
        self.deals.get(id).is_some_and(|deal| deal.found_from.is_none_or(|from| from <= self.now))
    }

    /// The same, as far as it can be looked up.
    pub(super) fn find_order(&self, customer: &str, sought: &SoughtOrder) -> Sought {
        let shown = self.sought(customer, sought).filter(|id| self.is_shown(*id));
        shown.and_then(|id| self.order_of(id)).map_or(Sought::Absent, Sought::Found)
    }

    /// Who bought the listing of an order. Its own keys a marketplace knows at once, however late its look-up is; without a key it does not
    /// say before.
    pub(super) fn who_bought(&self, customer: &str, sought: &SoughtOrder) -> Buyer {
        if let Some(id) = self.sought(customer, sought) {
            let is_said = self.settings.traits.orders == OrderIdentity::Keyed || self.is_shown(id);
            let order = self.order_of(id).filter(|_| is_said);
            return order.map_or(Buyer::Unknown, Buyer::Us);
        }
        if self.of_listing(customer, sought).is_some() {
            // The customer bought it, though not at the time that is sought: which order is meant cannot be known.
            return Buyer::Unknown;
        }
        match self.listing(&sought.listing_id).map(|listing| listing.status) {
            Some(ListingStatus::Sold) => Buyer::AnotherCustomer,
            Some(ListingStatus::OnSale | ListingStatus::Withdrawn) | None => Buyer::NotSold,
            Some(ListingStatus::Other(_)) => Buyer::Unknown,
        }
    }

    /// An order of a customer.
    pub(super) fn order(&self, customer: &str, id: &ExternalId) -> Result<MarketOrder, MarketplaceRefusal> {
        let deal = DealId::named(id)
            .filter(|id| self.deals.get(*id).is_some_and(|deal| self.people.customer(deal.buyer) == Some(customer)));
        deal.and_then(|deal| self.order_of(deal)).ok_or(MarketplaceRefusal::NotFound)
    }

    /// A deal as its buyer sees it, who is a customer.
    fn order_of(&self, id: DealId) -> Option<MarketOrder> {
        let deal = self.deals.get(id)?;
        let traits = self.settings.traits;
        Some(MarketOrder {
            id: id.into(),
            key: deal.key.clone().filter(|_| traits.orders == OrderIdentity::Keyed),
            listing_id: deal.listing.into(),
            // Which of its accounts hands out what it keeps, and under which id, a marketplace does not say.
            asset_id: (!traits.custody).then(|| deal.asset.into()),
            seller: (!traits.custody).then(|| deal.seller.into()),
            price: deal.price,
            fee: deal.buying_fee,
            status: self.reported_status(deal),
            trade_offer_id: deal.offer.map(Into::into),
            deliver_by: deal.deliver_by,
            refunded: deal.refunded,
        })
    }

    fn reported_status(&self, deal: &SimOrder) -> OrderStatus {
        self.faults.unknown_state(self.now).map_or(deal.status, OrderStatus::Other)
    }

    /// A deal as its seller sees it, who is this customer.
    pub(super) fn sale_of(&self, customer: &str, id: DealId) -> Option<Sale> {
        let deal = self.deals.get(id).filter(|deal| self.people.customer(deal.seller) == Some(customer))?;
        Some(Sale {
            id: id.into(),
            listing_id: deal.listing.into(),
            asset_id: deal.asset.into(),
            deliver_to: (!deal.awaits_commit).then(|| self.people.address(deal.buyer)),
            price: deal.price,
            fee: deal.selling_fee,
            status: self.reported_status(deal),
            deliver_by: deal.deliver_by(),
            updated_at: deal.updated_at,
        })
    }

    /// What a customer sold, as far as it changed since then.
    pub(super) fn sales(
        &self,
        customer: &str,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> Result<Page<Sale>, MarketplaceRefusal> {
        let after =
            after.map(|text| Change::named(text, DealId::named).ok_or(MarketplaceRefusal::NotFound)).transpose()?;
        Ok(Change::page(self.deals.recent.since(since), after, |id| self.sale_of(customer, id)))
    }
}

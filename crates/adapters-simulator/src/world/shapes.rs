//! What marketplaces differ in after a deal is struck: custody, sales that are committed, offers that are announced.

use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::marketplace::{
    AnnouncedOffer, Announcement, MarketplaceRefusal, OrderStatus, Sale, WithdrawRequest,
};

use super::World;
use super::event_queue::Event;
use super::ids::{DealId, OfferId, PersonId};
use crate::fault::Fault;

fn other<T>(why: &str) -> Result<T, MarketplaceRefusal> {
    Err(MarketplaceRefusal::Other(why.to_owned()))
}

impl World {
    /// The status of a deal between these two when it is struck. Only what strangers sell is in custody: customers keep what they list.
    pub(super) fn begins_as(&self, seller: PersonId, buyer: PersonId) -> OrderStatus {
        let traits = self.settings.traits;
        let is_bought = self.people.customer(buyer).is_some() && self.people.customer(seller).is_none();
        if traits.custody && is_bought {
            let wait = time::Duration::seconds(i64::from(self.settings.in_custody));
            return OrderStatus::InCustody { withdrawable_at: wait.is_positive().then(|| self.now.plus(wait)) };
        }
        if traits.commits_sales { OrderStatus::AwaitingCommit } else { OrderStatus::AwaitingSeller }
    }

    /// What follows by itself on a deal that was struck.
    pub(super) fn set_off(&mut self, id: DealId) {
        let Some(deal) = self.deals.get(id) else { return };
        let (status, is_strangers) = (deal.status, self.people.customer(deal.seller).is_none());
        if let OrderStatus::InCustody { .. } = status {
            return;
        }
        self.set_deadline(id);
        if is_strangers && status == OrderStatus::AwaitingCommit {
            let delay = self.chance.within(self.settings.seller_sends);
            self.after(delay, Event::SellerCommits(id));
        } else if is_strangers {
            self.seller_will_send(id);
        }
    }

    /// A stranger commits a sale to a customer.
    pub(super) fn seller_commits(&mut self, id: DealId) {
        if self.deals.get(id).is_some_and(|deal| deal.status == OrderStatus::AwaitingCommit) {
            self.set_committed(id);
            self.seller_will_send(id);
        }
    }

    /// A customer takes on what a stranger bought.
    pub(super) fn commit_sale(&mut self, customer: &str, id: &ExternalId) -> Result<Sale, MarketplaceRefusal> {
        let id = DealId::named(id).ok_or(MarketplaceRefusal::NotFound)?;
        let sale = self.sale_of(customer, id).ok_or(MarketplaceRefusal::NotFound)?;
        if sale.status == OrderStatus::AwaitingCommit {
            self.set_committed(id);
        } else if sale.deliver_to.is_none() {
            return other("the sale is over");
        }
        self.sale_of(customer, id).ok_or(MarketplaceRefusal::NotFound)
    }

    /// A customer has what it bought sent. The offer comes as a seller's does, and fails as one does.
    pub(super) fn withdraw_bought(
        &mut self,
        customer: &str,
        request: &WithdrawRequest,
    ) -> Result<(), MarketplaceRefusal> {
        let id = DealId::named(&request.order_id).ok_or(MarketplaceRefusal::NotFound)?;
        let deal = self.deals.get(id).filter(|deal| self.people.customer(deal.buyer) == Some(customer));
        let deal = deal.ok_or(MarketplaceRefusal::NotFound)?;
        if self.people.at(&request.deliver_to) != Some(deal.buyer) {
            return Err(MarketplaceRefusal::AccountBlocked);
        }
        let OrderStatus::InCustody { withdrawable_at } = deal.status else { return Ok(()) };
        if withdrawable_at.is_some_and(|at: Timestamp| at > self.now) {
            return Err(MarketplaceRefusal::ItemUnavailable);
        }
        let item = deal.item;
        if self.settings.custody_renames {
            let asset = self.numbers.asset();
            self.items.rename(item, asset);
        }
        self.set_deal(id, OrderStatus::AwaitingSeller);
        self.set_deadline(id);
        self.seller_will_send(id);
        Ok(())
    }

    /// A customer says by which offer it delivers a sale.
    pub(super) fn announce_offer(&mut self, customer: &str, told: &AnnouncedOffer) -> Result<(), MarketplaceRefusal> {
        let sale = DealId::named(&told.sale_id).filter(|id| self.sale_of(customer, *id).is_some());
        let deal = sale.ok_or(MarketplaceRefusal::NotFound)?;
        let id = OfferId::named(&told.offer_id).ok_or(MarketplaceRefusal::NotFound)?;
        let offer = self.offers.get(id).filter(|offer| offer.deal == Some(deal));
        let offer = offer.ok_or(MarketplaceRefusal::NotFound)?;
        if offer.is_announced {
            return Ok(());
        }
        let wanted = match self.settings.traits.announcement {
            Announcement::Never => return other("offers are not announced here"),
            Announcement::BeforeConfirming => OfferStatus::NeedsConfirmation,
            Announcement::AfterConfirming => OfferStatus::Active,
        };
        if offer.status != wanted || self.faults.strike_as(&Fault::AnnouncementRefused) {
            return other("this offer is not taken for the delivery");
        }
        self.set_announced(id);
        if wanted == OfferStatus::Active {
            self.buyer_learns_of(id);
        }
        Ok(())
    }
}

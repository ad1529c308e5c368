//! From an item that is put on sale to its proceeds: the listing, the buyer, the offer to the buyer, the trade, the money.

use futures::FutureExt as _;
use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::chain::Source;
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::inventory_item::{InventoryItem, ItemEvent, ItemStatus, Proceeds, Sighting};
use tradepost_domain::money::Cents;
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trade::{OfferStatus, TradeStatus};
use tradepost_domain::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::AppendAssetIDLink;
use tradepost_ports::game_platform::{ConfirmationAnswer, ConfirmationSubject, MovedAsset, NewOffer, Offer, Trade};
use tradepost_ports::marketplace::{DealStatus, ListingStatus, MarketListing, Sale};

use crate::Engine;
use crate::desk::{TradingAccount, Venue};
use crate::exchange::asked_at;
use crate::pass::Pass;
use crate::sales::BACKDATED;
use crate::trouble::Tried;

/// A listing that was asked for and is not there after this time was not made.
const LISTING_APPEARS: Duration = Duration::seconds(60);
/// A listing that differs from what is on record for this time does not come right by itself: an answer may be lost meanwhile.
pub(crate) const LISTING_SETTLES: Duration = Duration::minutes(5);
/// An item whose buyer has the money back and that is not ours again after this time has not come back with it.
const ITEM_RETURNS: Duration = Duration::hours(1);
/// A confirmation that has not appeared after this time never does; the offer is made again.
const CONFIRMATION_APPEARS: Duration = Duration::minutes(10);

/// Where items that are on sale or sold stand, in the order in which they are followed.
const ON_SALE: [ItemStatus; 6] = [
    ItemStatus::Listing,
    ItemStatus::Listed,
    ItemStatus::Reserved,
    ItemStatus::Delivering,
    ItemStatus::Held,
    ItemStatus::Sold,
];

/// What became of the offer to a buyer.
enum Delivery {
    /// There is none, or it has ended without a trade.
    ToBeSent,
    /// It waits for its confirmation.
    Unconfirmed(Offer, TradeOfferId),
    /// It waits for the buyer.
    WithBuyer(Offer),
    /// The trade was begun.
    Traded(Trade),
}

impl Engine {
    pub(crate) async fn follow_sales(&mut self, pass: &mut Pass) -> Tried {
        self.read_sales(pass).await;
        for status in ON_SALE {
            let items = self.items_on_sale(status).await?;
            let follow = |item: Versioned<InventoryItem>| {
                let place = item.value.sale_place.as_ref().map(|place| place.marketplace.clone());
                self.follow_item(item).map(|tried| (place, tried)).boxed()
            };
            let steps = items.into_iter().map(follow).collect();
            pass.note_all(self.beside(steps).await);
        }
        self.look_for_strays(pass).await;
        Ok(())
    }

    async fn follow_item(&self, item: Versioned<InventoryItem>) -> Tried {
        let account_name = item.value.account_name.clone();
        self.for_account(&account_name, self.follow_on_sale(item)).await
    }

    async fn follow_on_sale(&self, item: Versioned<InventoryItem>) -> Tried {
        match item.value.status {
            ItemStatus::Listing => self.find_listing(&item).await,
            ItemStatus::Listed => self.follow_listing(&item).await,
            ItemStatus::Reserved
            | ItemStatus::Delivering
            | ItemStatus::Held
            | ItemStatus::Sold
            | ItemStatus::InInventory
            | ItemStatus::Settled
            | ItemStatus::Missing
            | ItemStatus::Reverted
            | ItemStatus::WrittenOff => self.follow_sale(&item).await,
        }
    }

    /// Where an item is on sale, or was sold.
    pub(crate) fn venue_of(&self, item: &InventoryItem) -> Option<&Venue> {
        item.sale_place.as_ref().and_then(|place| self.desk.venue(&place.marketplace))
    }

    async fn read_sales(&mut self, pass: &mut Pass) {
        let now = self.now();
        for venue in self.desk.venues.clone() {
            if !self.works_at(&venue.name) {
                continue;
            }
            let since = self.sales.since(&venue.name, now);
            match venue.marketplace.sales(since).await {
                Ok(sales) => self.sales.take_in(&venue.name, sales, (since, now)),
                Err(error) => pass.note_at([&venue.name], Err(error.into())),
            }
        }
        self.sales.forget(now);
        self.sales.explained.retain(|key| self.sales.known.contains_key(key));
    }

    /// A listing of which nobody knows whether it was made.
    async fn find_listing(&self, item: &Versioned<InventoryItem>) -> Tried {
        let Some(venue) = self.venue_of(&item.value) else { return Ok(()) };
        // What was read before the listing was asked for says nothing of it.
        let own = self.market.own.get(&venue.name).filter(|own| item.value.updated_at < own.read_at);
        let Some(own) = own else { return Ok(()) };
        if let Some(listing) = own.of(item.value.current_asset_id()) {
            let (listing_id, asset_id) = (listing.id.clone(), listing.asset_id.clone());
            return self.tell_item(item, ItemEvent::ListingAccepted { listing_id, asset_id }).await.map(drop);
        }
        // It may have been sold before anybody looked at what is on sale.
        if let Some(sale) = self.sales.waiting_for(&item.value) {
            let (listing_id, asset_id) = (sale.listing_id.clone(), sale.asset_id.clone());
            return self.tell_item(item, ItemEvent::ListingAccepted { listing_id, asset_id }).await.map(drop);
        }
        let is_told = self.sales.are_read_since(&venue.name, own.read_at);
        if !is_told || own.read_at.since(item.value.updated_at) < LISTING_APPEARS {
            return Ok(());
        }
        self.tell_item(item, ItemEvent::ListingRefused).await.map(drop)
    }

    async fn follow_listing(&self, item: &Versioned<InventoryItem>) -> Tried {
        let (Some(venue), Some(listing_id)) = (self.venue_of(&item.value), item.value.sale_listing_id.clone()) else {
            return Ok(());
        };
        if let Some(sale) = self.sales.of(&item.value)? {
            let proceeds = Proceeds::new(sale.price, sale.fee)?;
            let noticed = self.tell_item(item, ItemEvent::SaleNoticed { listing_id, proceeds }).await?;
            return self.follow_sale(&noticed).await;
        }
        let listing = venue.marketplace.listing(&listing_id).await?;
        let asked = item.value.list_price.map(|price| asked_at(item.value.sale_rate, price)).transpose()?;
        if listing.as_ref().is_none_or(|listing| listing.status == ListingStatus::Sold) {
            self.sales.miss(&item.value);
        }
        let mismatch = mismatch(asked, &listing_id, listing.as_ref());
        let problem = (RemediationKind::ListingMismatch, Subject::InventoryItem(item.value.id));
        self.tell_problem(problem, LISTING_SETTLES, mismatch).await?;
        let has_ended = match listing {
            Some(listing) => listing.status == ListingStatus::Withdrawn,
            None => self.is_forgotten(&item.value, &venue.name),
        };
        if has_ended { self.listing_ended(item, listing_id).await.map(drop) } else { Ok(()) }
    }

    async fn follow_sale(&self, item: &Versioned<InventoryItem>) -> Tried {
        let Some(sale) = self.sales.of(&item.value)? else {
            self.sales.miss(&item.value);
            return Ok(());
        };
        match item.value.status {
            ItemStatus::Reserved if is_over(&sale) => self.fell_through(item, &sale).await,
            ItemStatus::Reserved => {
                let asset_id = item.value.current_asset_id().clone();
                let started = self.tell_item(item, ItemEvent::DeliveryStarted { asset_id }).await?;
                self.deliver(&started, &sale).await
            }
            ItemStatus::Delivering => self.deliver(item, &sale).await,
            ItemStatus::Held => match self.delivery_of(item, &sale).await? {
                Delivery::Traded(trade) => self.follow_given(item, &trade).await,
                Delivery::ToBeSent | Delivery::Unconfirmed(..) | Delivery::WithBuyer(_) => Ok(()),
            },
            ItemStatus::Sold => self.follow_proceeds(item, &sale).await,
            ItemStatus::InInventory
            | ItemStatus::Listing
            | ItemStatus::Listed
            | ItemStatus::Settled
            | ItemStatus::Missing
            | ItemStatus::Reverted
            | ItemStatus::WrittenOff => Ok(()),
        }
    }

    /// Sends the offer, once; has it confirmed; and follows the trade.
    async fn deliver(&self, item: &Versioned<InventoryItem>, sale: &Sale) -> Tried {
        let account = self.account(&item.value.account_name)?;
        match self.delivery_of(item, sale).await? {
            Delivery::Traded(trade) => self.follow_given(item, &trade).await,
            Delivery::ToBeSent if is_over(sale) => self.fell_through(item, sale).await,
            // As long as it is out, the buyer can have the item for nothing. The next pass sees what became of it: whether it is
            // taken back, or was accepted before.
            Delivery::WithBuyer(offer) | Delivery::Unconfirmed(offer, _) if is_over(sale) => {
                Ok(self.desk.platform.cancel(account.address.user, &offer.id).await?)
            }
            Delivery::WithBuyer(_) => Ok(()),
            Delivery::Unconfirmed(offer, id) => self.confirm_or_cancel(&account, (&offer, id)).await,
            Delivery::ToBeSent => {
                let offer = NewOffer {
                    to: sale.deliver_to.clone(),
                    give: vec![item.value.current_asset_id().clone()],
                    receive: Vec::new(),
                    message: None,
                };
                let sent = self.send_offer(&account, (&item.value, sale.deliver_to.user), &offer).await?;
                self.confirm(&account, &sent).await.map(drop)
            }
        }
    }

    /// The offer to the buyer, found by what it gives: the call that sent it may have ended without an answer.
    async fn delivery_of(&self, item: &Versioned<InventoryItem>, sale: &Sale) -> Tried<Delivery> {
        let account = self.account(&item.value.account_name)?;
        let since = sale.updated_at.min(item.value.updated_at).plus(-BACKDATED);
        let offers = self.desk.platform.offers(account.address.user, since).await?;
        let asset_id = item.value.current_asset_id();
        let gives_it = |offer: &&Offer| {
            offer.is_ours
                && offer.partner == sale.deliver_to.user
                && matches!(offer.give.as_slice(), [given] if given.asset_id == *asset_id)
        };
        let Some(offer) = offers.iter().filter(gives_it).max_by_key(|offer| offer.created_at) else {
            return Ok(Delivery::ToBeSent);
        };
        let owner = OfferOwner::Item(item.value.id);
        for former in offers.iter().filter(gives_it).filter(|former| former.id != offer.id) {
            self.note_own_offer(&account, (former, None), owner).await?;
        }
        let trade = match &offer.trade_id {
            Some(trade_id) => Some(self.desk.platform.trade(account.address.user, trade_id).await?),
            None => None,
        };
        let id = self.note_own_offer(&account, (offer, trade.as_ref()), owner).await?;
        if let Some(trade) = trade {
            let is_to_be_sent = item.value.status == ItemStatus::Delivering && left_in_place(&trade, asset_id);
            return Ok(if is_to_be_sent { Delivery::ToBeSent } else { Delivery::Traded(trade) });
        }
        Ok(match offer.status {
            OfferStatus::NeedsConfirmation => Delivery::Unconfirmed(offer.clone(), id),
            OfferStatus::Active | OfferStatus::Accepted | OfferStatus::InEscrow | OfferStatus::Unknown(_) => {
                Delivery::WithBuyer(offer.clone())
            }
            OfferStatus::Invalid
            | OfferStatus::Countered
            | OfferStatus::Expired
            | OfferStatus::Cancelled
            | OfferStatus::Declined
            | OfferStatus::InvalidItems
            | OfferStatus::CancelledBySecondFactor => Delivery::ToBeSent,
        })
    }

    /// Allows the confirmation of an offer of ours, and of nothing else; whether there was one.
    async fn confirm(&self, account: &TradingAccount, offer: &Offer) -> Tried<bool> {
        let user = account.address.user;
        let waiting = self.desk.platform.confirmations(user).await?;
        let ours = waiting.into_iter().find(|waits| waits.subject == ConfirmationSubject::Offer(offer.id.clone()));
        let Some(confirmation) = ours else { return Ok(false) };
        self.desk.platform.answer(user, &confirmation.id, ConfirmationAnswer::Allow).await?;
        Ok(true)
    }

    /// Has an offer confirmed that waits for it. One whose confirmation does not appear is taken back, and made again.
    async fn confirm_or_cancel(&self, account: &TradingAccount, (offer, id): (&Offer, TradeOfferId)) -> Tried {
        let is_old = self.now().since(offer.created_at) > CONFIRMATION_APPEARS;
        if self.confirm(account, offer).await? || !is_old {
            return Ok(());
        }
        tracing::warn!(offer = %offer.id, "the confirmation of an offer never appeared; the offer is made again");
        let shown = Evidence { shown_by: Some(offer.id.clone()), ..Evidence::default() };
        let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id));
        self.tell_problem(problem, Duration::ZERO, Some(shown)).await?;
        Ok(self.desk.platform.cancel(account.address.user, &offer.id).await?)
    }

    /// Keeps an offer to a buyer as it is seen. One that has moved on waits for no confirmation any more.
    async fn note_own_offer(
        &self,
        account: &TradingAccount,
        shown: (&Offer, Option<&Trade>),
        owner: OfferOwner,
    ) -> Tried<TradeOfferId> {
        let id = self.note_offer(account, shown, owner).await?;
        if shown.0.status != OfferStatus::NeedsConfirmation {
            let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id));
            self.tell_problem(problem, Duration::ZERO, None).await?;
        }
        Ok(id)
    }

    async fn follow_given(&self, item: &Versioned<InventoryItem>, trade: &Trade) -> Tried {
        let asset_id = item.value.current_asset_id();
        let Some(moved) = trade.given.iter().find(|moved| moved.asset_id == *asset_id) else { return Ok(()) };
        match trade.status {
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => {
                let Some((_, given)) = &moved.moved_to else { return Ok(()) };
                let event = ItemEvent::Given { trade_id: trade.id.clone(), asset_id: given.clone() };
                self.tell_item(item, event).await.map(drop)
            }
            TradeStatus::InEscrow if item.value.status == ItemStatus::Delivering => {
                self.tell_item(item, ItemEvent::DeliveryHeld).await.map(drop)
            }
            TradeStatus::Failed | TradeStatus::EscrowRollback => self.came_back(item, trade, moved).await,
            // It should be ours again, and is nowhere: the next looks into the inventory tell.
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if item.value.status == ItemStatus::Held => {
                self.came_back(item, trade, moved).await
            }
            TradeStatus::InEscrow
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Unknown(_) => Ok(()),
        }
    }

    /// The trade came to nothing, and the item is ours again, mostly under another id. While the sale stands, it is sent again.
    async fn came_back(&self, item: &Versioned<InventoryItem>, trade: &Trade, moved: &MovedAsset) -> Tried {
        let asset_id = moved.returned_as.clone().unwrap_or_else(|| moved.asset_id.clone());
        if item.value.status == ItemStatus::Held {
            let seen = Sighting { asset_id, source_id: trade.id.clone() };
            return self.tell_item(item, ItemEvent::HoldRolledBack { seen }).await.map(drop);
        }
        let command = AppendAssetIDLink {
            workspace_id: self.desk.workspace_id,
            inventory_item_id: item.value.id,
            expected_step: None,
            asset_id: asset_id.to_string(),
            source: Source::Inventory.as_str().to_owned(),
            source_id: trade.id.to_string(),
        };
        self.operations.append_asset_id_link(&self.caller, command).await?;
        Ok(())
    }

    async fn fell_through(&self, item: &Versioned<InventoryItem>, sale: &Sale) -> Tried {
        let seen = Sighting { asset_id: item.value.current_asset_id().clone(), source_id: sale.id.clone() };
        self.tell_item(item, ItemEvent::SaleFellThrough { still_listed: false, seen }).await.map(drop)
    }

    async fn follow_proceeds(&self, item: &Versioned<InventoryItem>, sale: &Sale) -> Tried {
        match sale.status {
            DealStatus::Settled => {
                let proceeds = Proceeds::new(sale.price, sale.fee)?;
                // A deal that is settled has paid its seller.
                let event = ItemEvent::ProceedsBooked { proceeds, protected_until: sale.updated_at, paid_out: true };
                self.tell_item(item, event).await.map(drop)
            }
            DealStatus::Reverted | DealStatus::Refunded | DealStatus::Failed(_) => self.returned(item, sale).await,
            DealStatus::AwaitingSeller | DealStatus::Offered | DealStatus::Delivered => Ok(()),
        }
    }

    /// The buyer has the money back: the trade that brought the item back says under which id.
    async fn returned(&self, item: &Versioned<InventoryItem>, sale: &Sale) -> Tried {
        let account = self.account(&item.value.account_name)?.address.user;
        let given = item.value.current_asset_id();
        let since = item.value.sold_at.unwrap_or(item.value.updated_at);
        for trade in self.desk.platform.trades(account, since).await? {
            let back = trade.received.iter().find(|moved| moved.asset_id == *given && trade.rollback_of.is_some());
            if let Some((_, asset_id)) = back.and_then(|moved| moved.moved_to.clone()) {
                let event = ItemEvent::SaleReversed { rollback_trade_id: trade.id, asset_id };
                return self.tell_item(item, event).await.map(drop);
            }
        }
        let shown_by = Some(sale.id.clone());
        let expected = ExternalId::new(given.as_str()).ok();
        let shown = Evidence { shown_by, expected, found: None };
        let problem = (RemediationKind::MissingItem, Subject::InventoryItem(item.value.id));
        self.tell_problem(problem, ITEM_RETURNS, Some(shown)).await
    }
}

/// Whether the marketplace gave the sale up: the item need not be delivered any more.
const fn is_over(sale: &Sale) -> bool {
    matches!(sale.status, DealStatus::Failed(_) | DealStatus::Reverted | DealStatus::Refunded)
}

/// Whether its buyer waits for the item.
pub(crate) const fn waits(sale: &Sale) -> bool {
    matches!(sale.status, DealStatus::AwaitingSeller | DealStatus::Offered)
}

/// Whether a trade came to nothing and the item that it was to give has its id still: it can be sent anew as it is.
fn left_in_place(trade: &Trade, asset_id: &AssetId) -> bool {
    let is_as_it_was = |moved: &MovedAsset| {
        moved.asset_id == *asset_id && moved.returned_as.as_ref().is_none_or(|returned_as| returned_as == asset_id)
    };
    matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) && trade.given.iter().any(is_as_it_was)
}

/// In what the listing of an item on sale differs from what is on record: it asks another price, nobody knows it, or it was sold and
/// no sale is told. One that was withdrawn ends. Prices are those that the marketplace asks, in its own currency.
fn mismatch(asked: Option<Cents>, id: &ExternalId, listing: Option<&MarketListing>) -> Option<Evidence> {
    let cents = |price: Cents| ExternalId::from(price.get().unsigned_abs());
    let found = match listing {
        Some(listing) if listing.status == ListingStatus::Withdrawn => return None,
        Some(listing) if listing.status == ListingStatus::OnSale && Some(listing.offered.price) == asked => {
            return None;
        }
        Some(listing) => Some(cents(listing.offered.price)),
        None => None,
    };
    Some(Evidence { shown_by: Some(id.clone()), expected: asked.map(cents), found })
}

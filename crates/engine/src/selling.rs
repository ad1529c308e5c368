//! From what is in the inventory to what is on sale.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contract::{Contract, Terms};
use tradepost_domain::evaluation::{Circumstances, Holding, Rule, evaluate_item};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::money::Cents;
use tradepost_domain::variant::Variant;
use tradepost_operations::Versioned;
use tradepost_ports::marketplace::SellRequest;
use tradepost_ports::outside::OutsideError;

use crate::Engine;
use crate::desk::Venue;
use crate::pass::Pass;
use crate::reads::PAGE;
use crate::trouble::Tried;

/// The least time between two changes of a price, also of a contract that names none.
const REPRICED: Duration = Duration::minutes(10);

/// Where an item is to be on sale.
struct Place {
    venue: Venue,
    price: Cents,
    reprice_interval: Option<u32>,
}

fn reprice_interval(contract: &Contract) -> Option<u32> {
    match &contract.terms {
        Terms::Selling(terms) => terms.reprice_interval_seconds,
        Terms::Buying(_) => None,
    }
}

impl Engine {
    pub(crate) async fn sell(&self, pass: &mut Pass) -> Tried {
        if self.catalogue.selling().next().is_none() {
            return Ok(());
        }
        let now = self.now();
        let is_free = |item: &Versioned<InventoryItem>| item.value.lock.is_none_or(|lock| lock.until <= now);
        let mut items = self.items(ItemStatus::InInventory).await?;
        items.retain(is_free);
        let costs = self.costs(&items).await?;
        for item in items {
            let cost = costs.get(&item.value.purchase_id).copied();
            if let Some(place) = self.place(&item.value, cost) {
                let listed = self.list(&item, &place.venue, place.price).await;
                pass.listed += usize::from(listed.is_ok());
                pass.note(listed);
            }
        }
        let on_sale = self.items(ItemStatus::Listed).await?;
        let costs = self.costs(&on_sale).await?;
        for item in on_sale {
            if let Some(place) = self.place(&item.value, costs.get(&item.value.purchase_id).copied()) {
                pass.note(self.reprice(&item, &place).await);
            }
        }
        Ok(())
    }

    /// What the items cost, by the purchases that brought them.
    async fn costs(&self, items: &[Versioned<InventoryItem>]) -> Tried<BTreeMap<PurchaseId, Cents>> {
        let mut costs = BTreeMap::new();
        let ids: Vec<_> = items.iter().map(|item| item.value.purchase_id).collect();
        for ids in ids.chunks(usize::try_from(PAGE).unwrap_or(1)) {
            let purchases = self.purchases_by_id(ids.to_vec()).await?;
            costs.extend(purchases.into_iter().map(|purchase| (purchase.value.terms.id, purchase.value.cost())));
        }
        Ok(costs)
    }

    /// The first place where a contract would put an item on sale, or have it on sale, and at which price.
    fn place(&self, item: &InventoryItem, cost: Option<Cents>) -> Option<Place> {
        let variant = Variant {
            app_id: item.app_id,
            market_hash_name: item.market_hash_name.clone(),
            phase: item.traits.phase.clone(),
        };
        let (quotes, is_on_sale) = (self.market.quotes(&variant), item.status == ItemStatus::Listed);
        for standing in self.catalogue.selling() {
            for venue in &self.desk.venues {
                let Some(fees) = self.market.fees.get(&venue.name) else { continue };
                let competing_price = self.market.lowest(&venue.name, &variant);
                let holding = Holding { item, cost, competing_price, takes_locked: false };
                let known = Circumstances {
                    marketplace: &venue.name,
                    fees,
                    filter: standing.filter.as_ref(),
                    quotes: &quotes,
                    price_override: None,
                    at: self.now(),
                };
                let evaluation = evaluate_item(&standing.contract.value, &holding, &known)?;
                // What is on sale already is not free, and counts among the listings itself.
                let is_excused = |rule: &Rule| is_on_sale && matches!(rule, Rule::ItemFree | Rule::Listings);
                if evaluation.failed().all(|rule| is_excused(&rule)) {
                    let reprice_interval = reprice_interval(&standing.contract.value);
                    return Some(Place { venue: venue.clone(), price: evaluation.asking_price?, reprice_interval });
                }
            }
        }
        None
    }

    /// Asks what the item is worth by now, unless it was asked lately.
    async fn reprice(&self, item: &Versioned<InventoryItem>, place: &Place) -> Tried {
        let interval =
            place.reprice_interval.map_or(REPRICED, |seconds| REPRICED.max(Duration::seconds(i64::from(seconds))));
        let Some(listing_id) = &item.value.sale_listing_id else { return Ok(()) };
        if item.value.list_price == Some(place.price) || self.now().since(item.value.updated_at) < interval {
            return Ok(());
        }
        // The same price may be asked twice; so a pass that is cut short here is simply followed by the next.
        place.venue.marketplace.reprice(listing_id, place.price).await?;
        self.tell_item(item, ItemEvent::Repriced { price: place.price }).await.map(drop)
    }

    /// Puts an item on sale. What is committed first says that the marketplace may have it.
    async fn list(&self, item: &Versioned<InventoryItem>, venue: &Venue, price: Cents) -> Tried {
        let account = self.account(&item.value.account_name)?;
        let request =
            SellRequest { owner: account.address.user, asset_id: item.value.current_asset_id().clone(), price };
        let started = self.tell_item(item, ItemEvent::ListingStarted { price, takes_locked: false }).await?;
        let event = match venue.marketplace.list(&request).await {
            Ok(listing) => ItemEvent::ListingAccepted { listing_id: listing.id, asset_id: listing.asset_id },
            // Looked for among our listings in the next pass.
            Err(error @ OutsideError::Unknown(_)) => return Err(error.into()),
            Err(error) => {
                self.tell_item(&started, ItemEvent::ListingRefused).await?;
                return Err(error.into());
            }
        };
        self.tell_item(&started, event).await.map(drop)
    }
}

//! The desk's sales, as its marketplaces report them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::{OrderStatus, Sale};

use crate::desk::currency::{OurSale, convert_sale};
use crate::desk::listing_key::ListingKey;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::timings::EngineTimings;

/// The desk's sales by marketplace and listing, as last reported: in the currency of the marketplace, because one answer contains many
/// sales, each of which uses the rate of its own item.
#[derive(Debug, Default)]
pub(crate) struct ReportedSales {
    by_listing: BTreeMap<ListingKey, Sale>,
    /// The time whose sales were read, of each marketplace.
    ranges: BTreeMap<Marketplace, ReadRange>,
    /// When items came of which it shows that they were sold, and whose sale is not known.
    unreported: Mutex<BTreeMap<Marketplace, Timestamp>>,
    /// Since when marketplaces have not known the listings of items, without a break, and when the item had changed last then.
    unknown_since: Mutex<BTreeMap<InventoryItemId, (Mark, Timestamp)>>,
    /// Those of which it is known what was sold.
    explained: Mutex<BTreeSet<ListingKey>>,
    /// When items were first seen to be sold whose sale, as far as it is known, was over, and when the item had changed last then.
    sold_since: Mutex<BTreeMap<InventoryItemId, (Timestamp, Timestamp)>>,
    /// Sales whose last announcements were all rejected, and how many.
    rejected: Mutex<BTreeMap<ListingKey, (ExternalId, u32)>>,
    /// The items that are sold by others.
    unexpected: BTreeSet<InventoryItemId>,
}

#[derive(Debug, Clone, Copy)]
struct ReadRange {
    from: Timestamp,
    to: Timestamp,
    /// When more of the past was read than ever before.
    deepened_at: Timestamp,
}

impl ReportedSales {
    /// The sale of an item, by the rate at which its price was asked.
    pub(crate) fn sale_of(&self, item: &InventoryItem) -> EngineResult<Option<OurSale>> {
        let listed = item.sale_place.as_ref().zip(item.sale_listing_id.as_ref());
        let reported = listed.and_then(|(place, id)| self.by_listing.get(&ListingKey::new(&place.marketplace, id)));
        Ok(reported.map(|sale| convert_sale(item.sale_rate.into(), sale.clone())).transpose()?)
    }

    fn unreported(&self) -> MutexGuard<'_, BTreeMap<Marketplace, Timestamp>> {
        self.unreported.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sale of an item that was sold is not known: it is older than what was read, and looked for in the next pass.
    pub(crate) fn mark_unreported(&self, item: &InventoryItem) {
        if let Some(place) = &item.sale_place {
            let mut missed = self.unreported();
            let since = missed.entry(place.marketplace.clone()).or_insert(item.created_at);
            *since = item.created_at.min(*since);
        }
    }

    fn explained(&self) -> MutexGuard<'_, BTreeSet<ListingKey>> {
        self.explained.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was sold is known.
    pub(crate) fn mark_explained(&self, key: ListingKey) {
        self.explained().insert(key);
    }

    /// Whether it is known what was sold.
    fn is_explained(&self, key: &ListingKey) -> bool {
        self.explained().contains(key)
    }

    /// The sales whose buyers wait, of which it is not known what was sold.
    pub(crate) fn unexplained(&self) -> impl Iterator<Item = (&ListingKey, &Sale)> {
        self.by_listing.iter().filter(|(key, sale)| awaits_delivery(sale) && !self.is_explained(key))
    }

    /// Sets the items that are sold by others. Returns those that no longer are.
    pub(crate) fn replace_unexpected(&mut self, items: BTreeSet<InventoryItemId>) -> Vec<InventoryItemId> {
        let before = std::mem::replace(&mut self.unexpected, items);
        before.difference(&self.unexpected).copied().collect()
    }

    /// Whether an item is sold where our records do not list it.
    pub(crate) fn is_unexpected(&self, id: InventoryItemId) -> bool {
        self.unexpected.contains(&id)
    }

    /// Returns whether the buyer of a sale may wait for an item that our records do not list there. A sale that no marketplace has reported
    /// may be one of a marketplace that was not read.
    pub(crate) fn may_be_unexpected(&self, id: InventoryItemId, sale: Option<&ExternalId>, are_all_read: bool) -> bool {
        let mut reported = self.by_listing.iter().filter(|(_, known)| Some(&known.id) == sale).peekable();
        self.is_unexpected(id)
            || (reported.peek().is_none() && !are_all_read)
            || reported.any(|(key, known)| awaits_delivery(known) && !self.is_explained(key))
    }

    /// Marks a sale for another check: its item has left the sale.
    pub(crate) fn mark_unexplained<Of>(&self, item: &InventoryItem, sale: &Sale<Of>) {
        if let Some(place) = &item.sale_place {
            self.explained().remove(&ListingKey::new(&place.marketplace, &sale.listing_id));
        }
    }

    fn rejected(&self) -> MutexGuard<'_, BTreeMap<ListingKey, (ExternalId, u32)>> {
        self.rejected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a rejected announcement. Returns how many in a row the marketplace has rejected for this sale.
    pub(crate) fn count_rejection<Of>(&self, marketplace: &Marketplace, sale: &Sale<Of>) -> u32 {
        let mut rejected = self.rejected();
        let key = ListingKey::new(marketplace, &sale.listing_id);
        let (of, count) = rejected.entry(key).or_insert_with(|| (sale.id.clone(), 0));
        if *of != sale.id {
            (*of, *count) = (sale.id.clone(), 0);
        }
        *count = count.saturating_add(1);
        *count
    }

    /// Forgets the rejected announcements of a sale: one was accepted.
    pub(crate) fn clear_rejections<Of>(&self, marketplace: &Marketplace, sale: &Sale<Of>) {
        self.rejected().remove(&ListingKey::new(marketplace, &sale.listing_id));
    }

    /// Whether the sales of its marketplace were read after an item was first seen to be sold: what is known of them then includes that.
    pub(crate) fn covers_sale_of(&self, item: &InventoryItem, now: Timestamp) -> bool {
        let mut sold_since = self.sold_since.lock().unwrap_or_else(PoisonError::into_inner);
        let (seen_at, _) = *sold_since
            .entry(item.id)
            .and_modify(|noted| reset_if_changed(noted, item, now))
            .or_insert((now, item.updated_at));
        let read = item.sale_place.as_ref().and_then(|place| self.ranges.get(&place.marketplace));
        let are_read = read.is_some_and(|read| read.to > seen_at);
        if are_read {
            sold_since.remove(&item.id);
        }
        are_read
    }

    /// Notes whether a marketplace knows the listing of an item; for how long it has not known it.
    pub(crate) fn listing_unknown_for(&self, item: &InventoryItem, is_unknown: bool, now: Mark) -> Duration {
        let mut unknown_since = self.unknown_since.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_unknown {
            unknown_since.remove(&item.id);
            return Duration::ZERO;
        }
        let noted = unknown_since.entry(item.id).or_insert((now, item.updated_at));
        reset_if_changed(noted, item, now);
        now.since(noted.0)
    }

    /// Since when the sales of a marketplace are to be read now.
    pub(crate) fn read_from(&self, marketplace: &Marketplace, now: Timestamp, timings: &EngineTimings) -> Timestamp {
        let (watched, missed) = (
            now.plus(-timings.sale_lookback),
            self.unreported().get(marketplace).map(|at| at.plus(-timings.marketplace_backdating)),
        );
        let wanted = missed.map_or(watched, |missed| missed.min(watched));
        match self.ranges.get(marketplace) {
            Some(read) if read.from <= wanted => read.to.plus(-timings.marketplace_backdating),
            _ => wanted,
        }
    }

    /// Takes in the sales of a marketplace since a time.
    pub(crate) fn apply(&mut self, marketplace: &Marketplace, sales: Vec<Sale>, since: Timestamp, now: Timestamp) {
        for sale in sales {
            let key = ListingKey::new(marketplace, &sale.listing_id);
            // A listing id can be used again: a late report of the former sale does not replace the active one.
            let may_be_over = is_cancelled(&sale) || is_unknown(&sale);
            let is_former = |known: &Sale| known.id != sale.id && may_be_over && !is_cancelled(known);
            let known = self.by_listing.get(&key);
            if known.is_some_and(is_former) {
                continue;
            }
            if known.is_some_and(|known| known.id != sale.id) {
                self.explained().remove(&key);
            }
            self.by_listing.insert(key, sale);
        }
        let read = self.ranges.entry(marketplace.clone()).or_insert(ReadRange {
            from: Timestamp::MAX,
            to: now,
            deepened_at: now,
        });
        if since < read.from {
            (read.from, read.deepened_at) = (since, now);
        }
        read.to = now;
    }

    /// Forgets what changed long ago, unless it was looked for lately: who misses it then has it read again.
    pub(crate) fn prune(&mut self, now: Timestamp, lookback: Duration) {
        let read = &self.ranges;
        self.by_listing.retain(|key, sale| {
            let looked_for = read.get(&key.marketplace).map_or(sale.updated_at, |read| read.deepened_at);
            now.since(sale.updated_at.max(looked_for)) < lookback
        });
        self.explained().retain(|key| self.by_listing.contains_key(key));
        self.rejected().retain(|key, _| self.by_listing.contains_key(key));
        let sold_since = self.sold_since.get_mut().unwrap_or_else(PoisonError::into_inner);
        sold_since.retain(|_, (seen_at, _)| now.since(*seen_at) < lookback);
        for read in self.ranges.values_mut().filter(|read| now.since(read.deepened_at) >= lookback) {
            read.from = read.from.max(now.plus(-lookback));
        }
    }

    /// Whether sales were read of a marketplace at this time or later.
    pub(crate) fn covers(&self, marketplace: &Marketplace, at: Timestamp) -> bool {
        self.ranges.get(marketplace).is_some_and(|read| read.to >= at)
    }

    /// When the sales of a marketplace were read last.
    pub(crate) fn read_at(&self, marketplace: &Marketplace) -> Option<Timestamp> {
        self.ranges.get(marketplace).map(|read| read.to)
    }

    /// Whether the sales of all these marketplaces were read.
    pub(crate) fn covers_all<'a>(&self, mut marketplaces: impl Iterator<Item = &'a Marketplace>) -> bool {
        marketplaces.all(|marketplace| self.ranges.contains_key(marketplace))
    }

    /// The sale of an item, if it is in an unknown state: found by the listing, or by the item while the listing has no answer.
    pub(crate) fn in_unknown_state(&self, item: &InventoryItem) -> Option<&Sale> {
        match &item.sale_listing_id {
            Some(listing_id) => {
                let key = ListingKey::new(&item.sale_place.as_ref()?.marketplace, listing_id);
                self.by_listing.get(&key).filter(|sale| is_unknown(sale))
            }
            None => self.of_asset(item, is_unknown),
        }
    }

    /// Returns the active sale of an item whose listing call had no answer: its buyer waits.
    pub(crate) fn sale_awaiting(&self, item: &InventoryItem) -> Option<&Sale> {
        self.of_asset(item, awaits_delivery)
    }

    fn of_asset(&self, item: &InventoryItem, is_wanted: fn(&Sale) -> bool) -> Option<&Sale> {
        let place = item.sale_place.as_ref()?;
        let mut of_place =
            self.by_listing.iter().filter(|(key, _)| key.marketplace == place.marketplace).map(|(_, sale)| sale);
        of_place.find(|sale| sale.asset_id == *item.current_asset_id() && is_wanted(sale))
    }
}

/// Returns whether the marketplace cancelled the sale: the item need not be delivered.
pub(crate) const fn is_cancelled<Of>(sale: &Sale<Of>) -> bool {
    matches!(sale.status, OrderStatus::Failed(_) | OrderStatus::Reverted | OrderStatus::Refunded)
}

/// Whether its buyer waits for the item.
pub(crate) const fn awaits_delivery<Of>(sale: &Sale<Of>) -> bool {
    matches!(sale.status, OrderStatus::AwaitingCommit | OrderStatus::AwaitingSeller | OrderStatus::Offered)
}

const fn is_unknown(sale: &Sale) -> bool {
    matches!(sale.status, OrderStatus::Other(_))
}

/// Resets the note about an item that has changed since.
fn reset_if_changed<T>(noted: &mut (T, Timestamp), item: &InventoryItem, now: T) {
    if noted.1 != item.updated_at {
        *noted = (now, item.updated_at);
    }
}

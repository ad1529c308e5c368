//! What is on sale: listings of strangers and of customers, and prices that move.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::Listing as Offered;
use tradepost_domain::markets::pricing::{Quote as PriceQuote, Sales};
use tradepost_domain::markets::variant::Variant as ItemVariant;
use tradepost_domain::money::{VenueCents, VenueCurrency};
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::Page;
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, MarketListing, MarketplaceRefusal, SellRequest};
use tradepost_ports::price_source::VariantQuote;

use super::World;
use super::event_queue::Event;
use super::ids::{AssetNumber, ItemId, ListingId, PersonId};
use super::items::ItemSpec;
use crate::fault::Fault;
use crate::serde_repr;
use crate::settings::{Settings, Spread, Variant};

/// How long a listing that was sold can still be read, in seconds.
const REMEMBERED: u32 = 24 * 60 * 60;
/// How many sales of a kind of item the index reports for a week: enough to count as traded.
const SALES_OF_A_WEEK: u32 = 500;
/// The index at which washed sales are made; the others do not see them.
const WASHED_INDEX: &str = "index";
/// The most listings on a page.
const PAGE: u16 = 100;

/// What strangers ask, in ten-thousandths of the market's price.
const ASKED: Spread = Spread::new(8_800, 11_500);

/// What buyers bid, in ten-thousandths of the market's price: less than any stranger asks.
const BID: u32 = 8_700;

/// A kind of item with its price at present.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Quote {
    variant: Variant,
    #[serde(with = "serde_repr")]
    price: VenueCents,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Listing {
    pub(super) item: ItemId,
    /// The id that the item had when it was listed.
    pub(super) asset: AssetNumber,
    #[serde(with = "serde_repr")]
    variant: MarketHashName,
    #[serde(with = "serde_repr", default)]
    phase: Option<Name>,
    pub(super) seller: PersonId,
    #[serde(with = "serde_repr")]
    pub(super) price: VenueCents,
    #[serde(with = "serde_repr")]
    pub(super) status: ListingStatus,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Market {
    quotes: Vec<Quote>,
    pub(super) listings: BTreeMap<ListingId, Listing>,
    /// Those of them that can be bought, which are looked through all the time.
    on_sale: BTreeSet<ListingId>,
    /// The sales that a stranger makes to itself.
    #[serde(default)]
    washed: Option<Washed>,
}

/// Sales of a stranger to itself, which every index counts among those of the week.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Washed {
    /// At so many percent of the market's price.
    percent: u16,
    /// How many of each kind of item.
    count: u32,
    #[serde(with = "serde_repr")]
    until: Timestamp,
}

impl Washed {
    /// The sales of a week with these among them.
    fn among(self, honest: Sales<VenueCurrency>) -> Sales<VenueCurrency> {
        let price = scaled(honest.average, u32::from(self.percent) * 100);
        let [paid, washed] = [(honest.average, honest.count), (price, self.count)]
            .map(|(price, count)| i128::from(price.get()) * i128::from(count));
        let count = honest.count.saturating_add(self.count);
        let average = (paid + washed).checked_div(i128::from(count)).and_then(|average| i64::try_from(average).ok());
        let average = average.and_then(|average| VenueCents::new(average).ok()).unwrap_or(honest.average);
        Sales { average, count }
    }
}

impl Market {
    pub(super) fn of(settings: &Settings) -> Self {
        let quotes = settings.variants.iter().map(|variant| Quote { variant: variant.clone(), price: variant.price });
        Self { quotes: quotes.collect(), ..Self::default() }
    }

    /// The market's price of what a listing offers.
    fn price(&self, listing: &Listing) -> Option<VenueCents> {
        let is_same = |kind: &Variant| kind.market_hash_name == listing.variant && kind.phase == listing.phase;
        self.quotes.iter().find(|quote| is_same(&quote.variant)).map(|quote| quote.price)
    }

    /// What is on sale, from there on.
    fn on_sale_after(&self, id: Option<ListingId>) -> impl Iterator<Item = (ListingId, &Listing)> {
        let ids = self.on_sale.range((id.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        ids.filter_map(|id| self.listings.get(id).map(|listing| (*id, listing)))
    }
}

/// So many ten-thousandths of an amount, at least a cent.
pub(super) fn scaled(amount: VenueCents, ten_thousandths: u32) -> VenueCents {
    let cents = i128::from(amount.get()) * i128::from(ten_thousandths) / 10_000;
    let bounded = cents.clamp(1, i128::from(VenueCents::MAX.get()));
    i64::try_from(bounded).ok().and_then(|cents| VenueCents::new(cents).ok()).unwrap_or(VenueCents::MAX)
}

impl World {
    /// A stranger puts an item on sale that was not seen before.
    pub(super) fn stranger_lists(&mut self) {
        let Some(at) = self.chance.one_of(self.market.quotes.len()) else { return };
        let seller = self.people.arrive(&mut self.numbers, None);
        let Some((item, market_price)) = self.mint(seller, at) else { return };
        let price = scaled(market_price, self.chance.within(ASKED));
        let listing = self.put_on_sale(item, seller, price);
        let life = self.chance.within(self.settings.stays_listed);
        let until_repriced = self.chance.within(self.settings.stays_listed);
        self.after(life, Event::SoldElsewhere(listing));
        self.after(until_repriced, Event::StrangerReprices(listing));
    }

    /// Puts an item into a trading account, as if it had always been there.
    pub fn give_item(&mut self, owner: PlatformUserId) -> Option<AssetId> {
        let at = self.chance.one_of(self.market.quotes.len())?;
        let (item, _) = self.mint(owner.into(), at)?;
        self.items.get(item).map(|item| item.asset.into())
    }

    /// An item of the kind at that position, with the kind's price.
    pub(super) fn mint(&mut self, owner: PersonId, kind: usize) -> Option<(ItemId, VenueCents)> {
        let Quote { variant, price } = self.market.quotes.get(kind)?.clone();
        let wear = (self.chance.within(variant.wear), self.chance.within(Spread::new(0, 99_999_999)));
        let paint_seed = self.chance.within(Spread::new(0, 1_000));
        let (item, asset) = (self.numbers.item(), self.numbers.asset());
        let Variant { market_hash_name, phase, .. } = variant;
        self.items.mint(item, asset, owner, ItemSpec { variant: market_hash_name, phase, wear, paint_seed });
        Some((item, price))
    }

    /// Returns the listings that were put on sale last, newest first: what any visitor of the marketplace sees.
    pub fn newest_listings(&self, most: usize) -> Vec<MarketListing> {
        let newest = self.market.on_sale.iter().rev().take(most);
        let shown = |id: &ListingId| self.market.listings.get(id).map(|listing| self.shown_listing(*id, listing));
        newest.filter_map(shown).collect()
    }

    /// Returns a listing as any visitor sees it, also one that was sold or withdrawn, as long as the marketplace remembers it.
    pub fn visible_listing(&self, id: &ExternalId) -> Option<MarketListing> {
        self.listing(id)
    }

    /// The position of the cheapest kind of item.
    pub(super) fn cheapest_kind(&self) -> Option<usize> {
        (0..self.market.quotes.len()).min_by_key(|at| self.market.quotes.get(*at).map(|quote| quote.price))
    }

    fn put_on_sale(&mut self, item: ItemId, seller: PersonId, price: VenueCents) -> ListingId {
        let id = self.numbers.listing();
        if let Some(on_sale) = self.items.get_mut(item) {
            on_sale.listing = Some(id);
            let (asset, variant, phase) = (on_sale.asset, on_sale.variant.clone(), on_sale.phase.clone());
            let listing = Listing { item, asset, variant, phase, seller, price, status: ListingStatus::OnSale };
            self.market.listings.insert(id, listing);
            self.market.on_sale.insert(id);
        }
        id
    }

    /// Another stranger was faster.
    pub(super) fn sold_elsewhere(&mut self, id: ListingId) {
        self.end_listing(id, ListingStatus::Sold);
    }

    /// Ends a listing that is on sale, if it is, and makes sure that a stranger's is forgotten some day.
    pub(super) fn end_listing(&mut self, id: ListingId, status: ListingStatus) {
        let on_sale = self.market.listings.get_mut(&id).filter(|listing| listing.status == ListingStatus::OnSale);
        let Some(listing) = on_sale else { return };
        listing.status = status;
        self.market.on_sale.remove(&id);
        if let Some(item) = self.items.get_mut(listing.item) {
            item.listing = None;
        }
        self.after(REMEMBERED, Event::ListingForgotten(id));
    }

    /// Forgets a listing, and with it an item that went from one stranger to another.
    pub(super) fn forget_listing(&mut self, id: ListingId) {
        let Some(listing) = self.market.listings.remove(&id) else { return };
        let is_of_no_deal = self.deals.of_listing(id).is_none();
        if is_of_no_deal && self.people.customer(listing.seller).is_none() {
            self.items.retire(listing.item);
            self.people.leave(listing.seller);
        }
    }

    /// The marketplace forgets a listing that is on sale.
    pub(super) fn listing_vanishes(&mut self, id: ListingId) {
        if self.market.on_sale.remove(&id)
            && let Some(listing) = self.market.listings.remove(&id)
            && let Some(item) = self.items.get_mut(listing.item)
        {
            item.listing = None;
        }
    }

    /// Every price takes a step.
    pub(super) fn move_prices(&mut self) {
        let step = u32::from(self.settings.price_step.min(9_999));
        for quote in &mut self.market.quotes {
            let factor = self.chance.within(Spread::new(10_000 - step, 10_000 + step));
            let (least, most) = (scaled(quote.variant.price, 5_000), scaled(quote.variant.price, 20_000));
            quote.price = scaled(quote.price, factor).clamp(least, most);
        }
    }

    /// A stranger asks what others ask by now.
    pub(super) fn stranger_reprices(&mut self, id: ListingId) {
        let factor = self.chance.within(ASKED);
        let Some(listing) = self.market.listings.get(&id) else { return };
        let Some(price) = self.market.price(listing) else { return };
        if let Some(listing) = self.market.listings.get_mut(&id).filter(|_| self.market.on_sale.contains(&id)) {
            listing.price = scaled(price, factor);
        }
    }

    /// The market's price of each kind of item, as an index of this name reports it.
    pub(super) fn market_prices(&self, source: &Marketplace) -> Vec<VariantQuote> {
        let quotes = self.market.quotes.iter().map(|quote| VariantQuote {
            variant: ItemVariant {
                app_id: AppId::CS2,
                market_hash_name: quote.variant.market_hash_name.clone(),
                phase: quote.variant.phase.clone(),
            },
            quote: PriceQuote {
                source: source.clone(),
                lowest_ask: Some(quote.price),
                highest_bid: Some(scaled(quote.price, BID)),
                sales: Some(self.sales_of_a_week(quote.price, source)),
                observed_at: self.now,
            },
        });
        quotes.collect()
    }

    fn sales_of_a_week(&self, price: VenueCents, source: &Marketplace) -> Sales<VenueCurrency> {
        let honest = Sales { average: price, count: SALES_OF_A_WEEK };
        let washed = self.market.washed.filter(|washed| washed.until > self.now && source.as_str() == WASHED_INDEX);
        washed.map_or(honest, |washed| washed.among(honest))
    }

    /// A stranger sells to itself for a week.
    pub(super) fn wash_sales(&mut self, percent: u16, count: u32) {
        let until = self.now.plus(Duration::days(7));
        self.market.washed = Some(Washed { percent, count, until });
    }

    /// Strangers put an item of every kind on sale for a price that means nothing, and take it off after a while, unless a
    /// customer has bought it.
    pub(super) fn fake_asks(&mut self, percent: u16, seconds: u32) {
        for kind in 0..self.market.quotes.len() {
            let seller = self.people.arrive(&mut self.numbers, None);
            let Some((item, price)) = self.mint(seller, kind) else { return };
            let listing = self.put_on_sale(item, seller, scaled(price, u32::from(percent) * 100));
            self.after(seconds, Event::AskWithdrawn(listing));
        }
    }

    /// Strangers buy what customers sell at a good price.
    pub(super) fn strangers_buy(&mut self) {
        let mut bought = Vec::new();
        for (id, listing) in self.market.on_sale_after(None) {
            if self.people.customer(listing.seller).is_some() {
                let market_price = self.market.price(listing).unwrap_or(VenueCents::ZERO);
                let likelihood = match listing.price {
                    price if price <= market_price => 50,
                    price if price <= scaled(market_price, 10_500) => 15,
                    _ => 0,
                };
                bought.extend(self.chance.percent(likelihood).then_some(id));
            }
        }
        for id in bought {
            self.stranger_buys(id);
        }
    }

    /// The listings from there on that are wanted.
    pub(super) fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> Result<Page<MarketListing>, MarketplaceRefusal> {
        self.page(after, query.limit.min(PAGE), |listing| {
            query.market_hash_name.as_ref().is_none_or(|wanted| *wanted == listing.variant)
                && query.max_price.is_none_or(|most| listing.price <= most)
        })
    }

    /// A customer's listings from there on.
    pub(super) fn own_listings(
        &self,
        customer: &str,
        after: Option<&ExternalId>,
    ) -> Result<Page<MarketListing>, MarketplaceRefusal> {
        self.page(after, PAGE, |listing| self.people.customer(listing.seller) == Some(customer))
    }

    fn page(
        &self,
        after: Option<&ExternalId>,
        limit: u16,
        is_wanted: impl Fn(&Listing) -> bool,
    ) -> Result<Page<MarketListing>, MarketplaceRefusal> {
        let after = after.map(|text| ListingId::named(text).ok_or(MarketplaceRefusal::NotFound)).transpose()?;
        let mut wanted = self.market.on_sale_after(after).filter(|(_, listing)| is_wanted(listing));
        let page: Vec<_> = wanted.by_ref().take(usize::from(limit.max(1))).collect();
        let next = wanted.next().and(page.last()).map(|(id, _)| (*id).into());
        Ok(Page { items: page.into_iter().map(|(id, listing)| self.shown_listing(id, listing)).collect(), next })
    }

    pub(super) fn listing(&self, id: &ExternalId) -> Option<MarketListing> {
        let id = ListingId::named(id)?;
        self.market.listings.get(&id).map(|listing| self.shown_listing(id, listing))
    }

    fn shown_listing(&self, id: ListingId, listing: &Listing) -> MarketListing {
        let traits = self.items.get(listing.item).map(super::items::Item::traits).unwrap_or_default();
        let offered = Offered {
            variant: ItemVariant { app_id: AppId::CS2, market_hash_name: listing.variant.clone(), phase: traits.phase },
            rarity: traits.rarity,
            float_value: traits.wear.as_ref().map(FloatValue::from),
            paint_seed: traits.paint_seed,
            paint_index: traits.paint_index,
            stickers: traits.stickers.unwrap_or_default(),
            charms: traits.charms.unwrap_or_default(),
            price: listing.price,
            // Only what can be traded is put on sale.
            trade_lock_days: 0,
            seller_success: None,
        };
        MarketListing { id: id.into(), asset_id: listing.asset.into(), offered, status: listing.status }
    }

    /// A customer puts an item on sale.
    pub(super) fn list(&mut self, customer: &str, request: &SellRequest) -> Result<MarketListing, MarketplaceRefusal> {
        let owner = PersonId::from(request.owner);
        if self.people.customer(owner) != Some(customer) {
            return Err(MarketplaceRefusal::AccountBlocked);
        }
        let item = self.items.tradable(owner, &request.asset_id, self.now);
        let item = item.ok_or(MarketplaceRefusal::ItemUnavailable)?;
        let is_taken = self.items.get(item).is_none_or(|item| item.listing.is_some() || item.deal.is_some());
        if is_taken {
            return Err(MarketplaceRefusal::ItemUnavailable);
        }
        check_price(request.price)?;
        let id = self.put_on_sale(item, owner, request.price);
        let vanishes = self
            .faults
            .strike(|fault| if let Fault::ListingVanishes { seconds } = fault { Some(*seconds) } else { None });
        if let Some(seconds) = vanishes {
            self.after(seconds, Event::ListingVanishes(id));
        }
        self.listing(&id.into()).ok_or(MarketplaceRefusal::NotFound)
    }

    /// A customer asks another price.
    pub(super) fn reprice(
        &mut self,
        customer: &str,
        id: &ExternalId,
        price: VenueCents,
    ) -> Result<MarketListing, MarketplaceRefusal> {
        check_price(price)?;
        let own = self.own_on_sale(customer, id)?;
        if let Some(listing) = self.market.listings.get_mut(&own) {
            listing.price = price;
        }
        self.listing(id).ok_or(MarketplaceRefusal::NotFound)
    }

    /// A customer takes a listing back.
    pub(super) fn delist(&mut self, customer: &str, id: &ExternalId) -> Result<(), MarketplaceRefusal> {
        let own = self.own_on_sale(customer, id)?;
        self.end_listing(own, ListingStatus::Withdrawn);
        Ok(())
    }

    fn own_on_sale(&self, customer: &str, id: &ExternalId) -> Result<ListingId, MarketplaceRefusal> {
        let id = ListingId::named(id).ok_or(MarketplaceRefusal::NotFound)?;
        let listing = self.market.listings.get(&id).ok_or(MarketplaceRefusal::NotFound)?;
        if self.people.customer(listing.seller) != Some(customer) {
            return Err(MarketplaceRefusal::NotFound);
        }
        if listing.status == ListingStatus::OnSale { Ok(id) } else { Err(MarketplaceRefusal::SoldAlready) }
    }
}

fn check_price(price: VenueCents) -> Result<(), MarketplaceRefusal> {
    if price == VenueCents::ZERO { Err(MarketplaceRefusal::PriceRefused) } else { Ok(()) }
}

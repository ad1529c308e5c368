//! Promises of a marketplace.

mod pages;

use async_trait::async_trait;
use tradepost_domain::asset::AssetId;
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;

use super::{FaultInjection, retry_after};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{
    AnnouncedOffer, Announcement, BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder,
    MarketTraits, Marketplace, MarketplaceRefusal, MarketplaceResult, Mills, MoneyUnit, OrderIdentity, OrderStatus,
    Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};

pub use pages::*;

/// A marketplace with at least five listings of others on sale, and a customer whose balance covers the three cheapest.
#[async_trait]
pub trait MarketplaceFixture: FaultInjection {
    /// Returns the marketplace, as the customer sees it.
    fn marketplace(&self) -> &dyn Marketplace;
    /// Returns a trading account of the customer.
    fn address(&self) -> TradeAddress;
    /// Puts a new item that can be traded into that account.
    async fn own_item(&self) -> AssetId;
    /// Lets another customer buy a listing of the customer.
    async fn sell(&self, listing: &ExternalId);
    /// Charges the customer a thousandth of the currency. Only if the marketplace counts in thousandths.
    async fn charge_a_thousandth(&self) {
        panic!("this marketplace counts in cents")
    }
    /// Performs pending work of the marketplace: it sends a withdrawn item. Only if the marketplace has custody.
    async fn catch_up(&self) {}
    /// Sends the buyer of a sale the trade offer that delivers it, up to the step that an announcement requires. Returns its id. Only if
    /// the marketplace requires announcements.
    async fn send_offer(&self, sale: &Sale) -> ExternalId {
        panic!("no offer is sent for {sale:?}")
    }
}

const EVERYTHING: ListingQuery = ListingQuery { market_hash_name: None, max_price: None, limit: 100 };

fn external(text: &str) -> ExternalId {
    ExternalId::new(text).unwrap()
}

fn cents(amount: i64) -> VenueCents {
    VenueCents::new(amount).unwrap()
}

fn traits(fixture: &dyn MarketplaceFixture) -> MarketTraits {
    fixture.marketplace().traits()
}

fn is_keyed(fixture: &dyn MarketplaceFixture) -> bool {
    traits(fixture).orders == OrderIdentity::Keyed
}

/// Returns whether a deal has the status that a new deal has.
fn is_struck(traits: MarketTraits, status: OrderStatus) -> bool {
    match status {
        OrderStatus::AwaitingCommit => traits.commits_sales,
        OrderStatus::InCustody { .. } => traits.custody,
        OrderStatus::AwaitingSeller => !traits.commits_sales && !traits.custody,
        OrderStatus::Offered
        | OrderStatus::Delivered
        | OrderStatus::Settled
        | OrderStatus::Failed(_)
        | OrderStatus::Reverted
        | OrderStatus::Refunded
        | OrderStatus::Other(_) => false,
    }
}

fn refused<T>(reason: MarketplaceRefusal) -> Result<T, ExternalError<MarketplaceRefusal>> {
    Err(ExternalError::Rejected(reason))
}

async fn all_listings(fixture: &dyn MarketplaceFixture, query: &ListingQuery) -> Vec<MarketListing> {
    let (mut listings, mut after) = (Vec::new(), None);
    loop {
        let page = fixture.marketplace().listings(query, after.as_ref()).await.unwrap();
        assert!(page.items.len() <= usize::from(query.limit), "more than asked for: {}", page.items.len());
        listings.extend(page.items);
        after = page.next;
        if after.is_none() {
            return listings;
        }
    }
}

/// Returns the listings, the cheapest first.
async fn cheapest(fixture: &dyn MarketplaceFixture) -> Vec<MarketListing> {
    let mut listings = all_listings(fixture, &EVERYTHING).await;
    listings.sort_by_key(|listing| listing.offered.price);
    assert!(listings.len() >= 5, "a fixture has five listings at least");
    listings
}

fn request(fixture: &dyn MarketplaceFixture, listing: &MarketListing, key: &str) -> BuyRequest {
    BuyRequest {
        key: external(key),
        listing_id: listing.id.clone(),
        max_price: listing.offered.price,
        deliver_to: fixture.address(),
    }
}

async fn bought(fixture: &dyn MarketplaceFixture, key: &str) -> (MarketListing, MarketOrder) {
    let listing = cheapest(fixture).await.swap_remove(0);
    let order = fixture.marketplace().buy(&request(fixture, &listing, key)).await.unwrap();
    (listing, order)
}

async fn listed(fixture: &dyn MarketplaceFixture, price: i64) -> (SellRequest, MarketListing) {
    let asset_id = fixture.own_item().await;
    let request = SellRequest { owner: fixture.address().user, asset_id, price: cents(price) };
    let listing = fixture.marketplace().list(&request).await.unwrap();
    (request, listing)
}

async fn balance(fixture: &dyn MarketplaceFixture) -> VenueCents {
    fixture.marketplace().balance().await.unwrap()
}

async fn sale_of(fixture: &dyn MarketplaceFixture, listing: &MarketListing) -> Sale {
    let sales = fixture.marketplace().sales(Timestamp::MIN).await.unwrap();
    sales.into_iter().find(|sale| sale.listing_id == listing.id).unwrap()
}

pub async fn every_listing_is_on_exactly_one_page(fixture: &dyn MarketplaceFixture) {
    let ids = |listings: Vec<MarketListing>| listings.into_iter().map(|listing| listing.id).collect::<Vec<_>>();
    let mut whole = ids(all_listings(fixture, &EVERYTHING).await);
    let mut in_pages = ids(all_listings(fixture, &ListingQuery { limit: 2, ..EVERYTHING }).await);
    whole.sort();
    in_pages.sort();
    assert!(whole.len() >= 5);
    assert_eq!(whole, in_pages);
    assert!(whole.windows(2).all(|pair| pair[0] != pair[1]), "a listing was given twice: {whole:?}");
}

pub async fn listings_are_those_that_were_asked_for(fixture: &dyn MarketplaceFixture) {
    let all = cheapest(fixture).await;
    let wanted = &all[1];
    let query = ListingQuery {
        market_hash_name: Some(wanted.offered.variant.market_hash_name.clone()),
        max_price: Some(wanted.offered.price),
        limit: 100,
    };
    let found = all_listings(fixture, &query).await;
    let fits = |listing: &&MarketListing| {
        listing.offered.variant.market_hash_name == wanted.offered.variant.market_hash_name
            && listing.offered.price <= wanted.offered.price
    };
    assert!(found.iter().all(|listing| fits(&listing)));
    assert_eq!(found.len(), all.iter().filter(fits).count());
}

pub async fn a_listing_is_read_again_as_it_was_listed(fixture: &dyn MarketplaceFixture) {
    for listing in cheapest(fixture).await {
        assert_eq!(listing.status, ListingStatus::OnSale);
        assert_eq!(fixture.marketplace().listing(&listing.id).await.unwrap(), Some(listing));
    }
}

pub async fn an_unknown_listing_is_none(fixture: &dyn MarketplaceFixture) {
    for unknown in ["999999999999", "no-such-listing"] {
        assert_eq!(fixture.marketplace().listing(&external(unknown)).await.unwrap(), None);
    }
}

pub async fn a_purchase_costs_its_price_and_the_fee_of_the_schedule(fixture: &dyn MarketplaceFixture) {
    let before = balance(fixture).await;
    let (listing, order) = bought(fixture, "key-1").await;
    let schedule = fixture.marketplace().fee_schedule().await.unwrap();
    assert_eq!((&order.listing_id, order.price), (&listing.id, listing.offered.price));
    assert!(order.asset_id.is_none_or(|asset_id| asset_id == listing.asset_id));
    assert!(is_struck(traits(fixture), order.status), "{:?}", order.status);
    assert_eq!(
        order.fee,
        schedule.buying(&listing.offered.variant.market_hash_name, Timestamp::MAX).of(listing.offered.price)
    );
    assert_eq!(balance(fixture).await, before.minus(order.price.plus(order.fee).unwrap()).unwrap());
}

pub async fn one_key_buys_once(fixture: &dyn MarketplaceFixture) {
    let (listing, order) = bought(fixture, "key-1").await;
    let paid = balance(fixture).await;
    let again = fixture.marketplace().buy(&request(fixture, &listing, "key-1")).await;
    let expected = if is_keyed(fixture) { Ok(order) } else { refused(MarketplaceRefusal::SoldAlready) };
    assert_eq!(again, expected);
    assert_eq!(balance(fixture).await, paid);
}

pub async fn a_key_is_good_for_one_listing(fixture: &dyn MarketplaceFixture) {
    if !is_keyed(fixture) {
        return;
    }
    bought(fixture, "key-1").await;
    let paid = balance(fixture).await;
    let another = cheapest(fixture).await.swap_remove(0);
    let second = fixture.marketplace().buy(&request(fixture, &another, "key-1")).await;
    assert_eq!(second, refused(MarketplaceRefusal::KeyReused));
    assert_eq!(balance(fixture).await, paid);
}

pub async fn what_was_bought_cannot_be_bought_again(fixture: &dyn MarketplaceFixture) {
    let (listing, _) = bought(fixture, "key-1").await;
    let paid = balance(fixture).await;
    let again = fixture.marketplace().buy(&request(fixture, &listing, "key-2")).await;
    assert_eq!(again, refused(MarketplaceRefusal::SoldAlready));
    assert_eq!(balance(fixture).await, paid);
    let read = fixture.marketplace().listing(&listing.id).await.unwrap();
    assert_eq!(read.map(|listing| listing.status), Some(ListingStatus::Sold));
    assert!(cheapest(fixture).await.iter().all(|other| other.id != listing.id), "it is on sale no more");
}

pub async fn what_costs_more_than_it_may_is_not_bought(fixture: &dyn MarketplaceFixture) {
    let (listing, before) = (cheapest(fixture).await.swap_remove(2), balance(fixture).await);
    let max_price = listing.offered.price.minus(cents(1)).unwrap();
    let request = BuyRequest { max_price, ..request(fixture, &listing, "key-1") };
    let answer = fixture.marketplace().buy(&request).await;
    assert_eq!(answer, refused(MarketplaceRefusal::PriceChanged { price: listing.offered.price }));
    assert_eq!(balance(fixture).await, before);
    assert_eq!(fixture.marketplace().listing(&listing.id).await.unwrap(), Some(listing));
}

pub async fn nothing_is_bought_for_an_address_that_is_wrong(fixture: &dyn MarketplaceFixture) {
    let (listing, before) = (cheapest(fixture).await.swap_remove(0), balance(fixture).await);
    let deliver_to = TradeAddress { token: external("wrong"), ..fixture.address() };
    let request = BuyRequest { deliver_to, ..request(fixture, &listing, "key-1") };
    assert_eq!(fixture.marketplace().buy(&request).await, refused(MarketplaceRefusal::AccountBlocked));
    assert_eq!(balance(fixture).await, before);
}

pub async fn an_order_is_found_when_it_is_sought_and_by_its_id(fixture: &dyn MarketplaceFixture) {
    let (listing, order) = bought(fixture, "key-1").await;
    let sought = SoughtOrder::of(&request(fixture, &listing, "key-1"), &listing, Timestamp::MIN);
    assert_eq!(fixture.marketplace().find_order(&sought).await, Ok(Sought::Found(order.clone())));
    assert_eq!(fixture.marketplace().order(&order.id).await, Ok(order));
}

pub async fn an_order_that_was_never_made_is_absent_and_no_search_makes_it(fixture: &dyn MarketplaceFixture) {
    let (listing, before) = (cheapest(fixture).await.swap_remove(0), balance(fixture).await);
    let sought = SoughtOrder::of(&request(fixture, &listing, "key-1"), &listing, Timestamp::MIN);
    assert_eq!(fixture.marketplace().find_order(&sought).await, Ok(Sought::Absent));
    assert_eq!(fixture.marketplace().who_bought(&sought).await, Ok(Buyer::NotSold));
    assert_eq!(fixture.marketplace().listing(&listing.id).await, Ok(Some(listing)));
    assert_eq!(balance(fixture).await, before);
    assert_eq!(fixture.marketplace().order(&external("key-1")).await, refused(MarketplaceRefusal::NotFound));
}

pub async fn the_buyer_of_a_listing_is_us_or_somebody_else(fixture: &dyn MarketplaceFixture) {
    let (listing, order) = bought(fixture, "key-1").await;
    let ours = SoughtOrder::of(&request(fixture, &listing, "key-1"), &listing, Timestamp::MIN);
    assert_eq!(fixture.marketplace().who_bought(&ours).await, Ok(Buyer::Us(order)));
    let (_, listing) = listed(fixture, 5_000).await;
    fixture.sell(&listing.id).await;
    let others = SoughtOrder::of(&request(fixture, &listing, "key-2"), &listing, Timestamp::MIN);
    assert_eq!(fixture.marketplace().who_bought(&others).await, Ok(Buyer::AnotherCustomer));
}

pub async fn what_a_lost_answer_bought_is_found(fixture: &dyn MarketplaceFixture) {
    let (listing, before) = (cheapest(fixture).await.swap_remove(0), balance(fixture).await);
    let request = request(fixture, &listing, "key-1");
    fixture.lose_next_answer().await;
    let answer = fixture.marketplace().buy(&request).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    let found = fixture.marketplace().find_order(&SoughtOrder::of(&request, &listing, Timestamp::MIN)).await;
    let Ok(Sought::Found(order)) = found else { panic!("not found: {found:?}") };
    assert_eq!(order.listing_id, listing.id);
    let expected = if is_keyed(fixture) { Ok(order.clone()) } else { refused(MarketplaceRefusal::SoldAlready) };
    assert_eq!(fixture.marketplace().buy(&request).await, expected);
    assert_eq!(balance(fixture).await, before.minus(order.price.plus(order.fee).unwrap()).unwrap());
}

pub async fn an_item_of_ours_is_listed_repriced_and_delisted(fixture: &dyn MarketplaceFixture) {
    let (request, listing) = listed(fixture, 5_000).await;
    assert_eq!((&listing.asset_id, listing.offered.price), (&request.asset_id, request.price));
    assert_eq!(fixture.marketplace().own_listings().await, Ok(vec![listing.clone()]));
    let repriced = fixture.marketplace().reprice(&listing.id, cents(4_500)).await.unwrap();
    assert_eq!(
        repriced,
        MarketListing { offered: Listing { price: cents(4_500), ..listing.offered.clone() }, ..listing.clone() }
    );
    fixture.marketplace().delist(&listing.id).await.unwrap();
    let read = fixture.marketplace().listing(&listing.id).await.unwrap();
    assert_eq!(read, Some(MarketListing { status: ListingStatus::Withdrawn, ..repriced }));
    assert_eq!(fixture.marketplace().own_listings().await, Ok(Vec::new()));
    let again = fixture.marketplace().list(&request).await;
    assert!(again.is_ok(), "what was taken back can be listed again: {again:?}");
}

pub async fn an_item_is_on_sale_once(fixture: &dyn MarketplaceFixture) {
    let (request, listing) = listed(fixture, 5_000).await;
    assert_eq!(fixture.marketplace().list(&request).await, refused(MarketplaceRefusal::ItemUnavailable));
    fixture.sell(&listing.id).await;
    assert_eq!(fixture.marketplace().list(&request).await, refused(MarketplaceRefusal::ItemUnavailable));
}

pub async fn an_item_that_is_not_ours_is_not_listed(fixture: &dyn MarketplaceFixture) {
    let others = cheapest(fixture).await.swap_remove(0);
    let request = SellRequest { owner: fixture.address().user, asset_id: others.asset_id, price: cents(5_000) };
    assert_eq!(fixture.marketplace().list(&request).await, refused(MarketplaceRefusal::ItemUnavailable));
}

pub async fn nothing_is_sold_for_nothing(fixture: &dyn MarketplaceFixture) {
    let (_, listing) = listed(fixture, 5_000).await;
    let free = fixture.marketplace().reprice(&listing.id, VenueCents::ZERO).await;
    assert_eq!(free, refused(MarketplaceRefusal::PriceRefused));
    assert_eq!(fixture.marketplace().listing(&listing.id).await, Ok(Some(listing)));
}

pub async fn what_others_sell_is_not_ours_to_change(fixture: &dyn MarketplaceFixture) {
    let others = cheapest(fixture).await.swap_remove(0);
    let repriced = fixture.marketplace().reprice(&others.id, cents(1)).await;
    assert_eq!(repriced, refused(MarketplaceRefusal::NotFound));
    assert_eq!(fixture.marketplace().delist(&others.id).await, refused(MarketplaceRefusal::NotFound));
    assert_eq!(fixture.marketplace().listing(&others.id).await, Ok(Some(others)));
}

pub async fn a_sale_shows_its_buyer_and_the_fee_of_the_schedule(fixture: &dyn MarketplaceFixture) {
    let (request, listing) = listed(fixture, 5_000).await;
    let before = balance(fixture).await;
    fixture.sell(&listing.id).await;
    let sale = sale_of(fixture, &listing).await;
    let schedule = fixture.marketplace().fee_schedule().await.unwrap();
    assert_eq!((&sale.asset_id, sale.price), (&request.asset_id, request.price));
    assert_eq!(sale.fee, schedule.selling(&listing.offered.variant.market_hash_name, Timestamp::MAX).of(sale.price));
    let commits = traits(fixture).commits_sales;
    assert_eq!(sale.status, if commits { OrderStatus::AwaitingCommit } else { OrderStatus::AwaitingSeller });
    assert_eq!(sale.deliver_to.is_none(), commits);
    assert_ne!(sale.deliver_to, Some(fixture.address()));
    assert_eq!(balance(fixture).await, before, "the money comes when the trade can no longer be reversed");
}

pub async fn a_listing_that_was_sold_cannot_be_taken_back(fixture: &dyn MarketplaceFixture) {
    let (_, listing) = listed(fixture, 5_000).await;
    fixture.sell(&listing.id).await;
    assert_eq!(fixture.marketplace().delist(&listing.id).await, refused(MarketplaceRefusal::SoldAlready));
    let repriced = fixture.marketplace().reprice(&listing.id, cents(6_000)).await;
    assert_eq!(repriced, refused(MarketplaceRefusal::SoldAlready));
}

pub async fn sales_that_did_not_change_since_are_left_out(fixture: &dyn MarketplaceFixture) {
    let (_, listing) = listed(fixture, 5_000).await;
    fixture.sell(&listing.id).await;
    let sale = sale_of(fixture, &listing).await;
    let changed = sale.updated_at;
    assert_eq!(fixture.marketplace().sales(changed).await, Ok(vec![sale]));
    let later = changed.plus(time::Duration::microseconds(1));
    assert_eq!(fixture.marketplace().sales(later).await, Ok(Vec::new()));
}

pub async fn what_is_in_custody_is_withdrawn_once(fixture: &dyn MarketplaceFixture) {
    if !traits(fixture).custody {
        return;
    }
    let (_, order) = bought(fixture, "key-1").await;
    let (market, paid) = (fixture.marketplace(), balance(fixture).await);
    let request = WithdrawRequest { key: external("key-1"), order_id: order.id.clone(), deliver_to: fixture.address() };
    let to_nobody = TradeAddress { token: external("wrong"), ..fixture.address() };
    let astray = market.withdraw(&WithdrawRequest { deliver_to: to_nobody, ..request.clone() }).await;
    assert_eq!(astray, refused(MarketplaceRefusal::AccountBlocked));
    assert_eq!(market.order(&order.id).await, Ok(order.clone()));
    market.withdraw(&request).await.unwrap();
    market.withdraw(&request).await.unwrap();
    fixture.catch_up().await;
    let offer = market.order(&order.id).await.unwrap().trade_offer_id;
    assert!(offer.is_some(), "the item is sent");
    market.withdraw(&request).await.unwrap();
    fixture.catch_up().await;
    assert_eq!(market.order(&order.id).await.unwrap().trade_offer_id, offer, "it is sent once");
    assert_eq!(balance(fixture).await, paid);
}

pub async fn a_sale_names_its_buyer_once_it_is_committed(fixture: &dyn MarketplaceFixture) {
    if !traits(fixture).commits_sales {
        return;
    }
    let (_, listing) = listed(fixture, 5_000).await;
    fixture.sell(&listing.id).await;
    let sale = sale_of(fixture, &listing).await;
    let committed = fixture.marketplace().commit_sale(&sale.id).await.unwrap();
    assert_eq!((&committed.id, committed.status), (&sale.id, OrderStatus::AwaitingSeller));
    assert!(committed.deliver_to.is_some());
    assert_eq!(fixture.marketplace().commit_sale(&sale.id).await, Ok(committed.clone()));
    assert_eq!(sale_of(fixture, &listing).await, committed);
    let others = fixture.marketplace().commit_sale(&external("999999999999")).await;
    assert_eq!(others, refused(MarketplaceRefusal::NotFound));
}

pub async fn an_offer_is_announced_to_its_sale_and_as_often_as_one_likes(fixture: &dyn MarketplaceFixture) {
    if traits(fixture).announcement == Announcement::Never {
        return;
    }
    let (request, listing) = listed(fixture, 5_000).await;
    fixture.sell(&listing.id).await;
    let (market, mut sale) = (fixture.marketplace(), sale_of(fixture, &listing).await);
    if traits(fixture).commits_sales {
        sale = market.commit_sale(&sale.id).await.unwrap();
    }
    let offer_id = fixture.send_offer(&sale).await;
    let offer = AnnouncedOffer { sale_id: sale.id.clone(), offer_id, gives: vec![request.asset_id] };
    let unsent = AnnouncedOffer { offer_id: external("999999999999"), ..offer.clone() };
    assert!(matches!(market.announce_offer(&unsent).await, Err(ExternalError::Rejected(_))));
    assert_eq!(market.announce_offer(&offer).await, Ok(()));
    assert_eq!(market.announce_offer(&offer).await, Ok(()));
}

pub async fn what_a_marketplace_does_not_have_is_refused(fixture: &dyn MarketplaceFixture) {
    fn is_refused<T>(answer: &MarketplaceResult<T>) -> bool {
        matches!(answer, Err(ExternalError::Rejected(_)))
    }
    let (market, traits, id) = (fixture.marketplace(), traits(fixture), external("999999999999"));
    let withdrawal = WithdrawRequest { key: id.clone(), order_id: id.clone(), deliver_to: fixture.address() };
    let offer = AnnouncedOffer { sale_id: id.clone(), offer_id: id.clone(), gives: Vec::new() };
    assert!(traits.commits_sales || is_refused(&market.commit_sale(&id).await));
    assert!(traits.custody || is_refused(&market.withdraw(&withdrawal).await));
    assert!(traits.announcement != Announcement::Never || is_refused(&market.announce_offer(&offer).await));
}

pub async fn a_charge_shows_in_the_exact_balance(fixture: &dyn MarketplaceFixture) {
    let before = fixture.marketplace().exact_balance().await.unwrap();
    assert_eq!(balance(fixture).await, before.as_proceeds(), "what can be spent is rounded down");
    let (_, order) = bought(fixture, "key-1").await;
    let after = fixture.marketplace().exact_balance().await.unwrap();
    assert!(after < before, "{after:?}");
    let (charged, told) = (before.get() - after.get(), Mills::from(order.price.plus(order.fee).unwrap()).get());
    assert!(charged <= told && told - charged < Mills::from(VenueCents::ONE).get() * 2, "{charged} of {told}");
}

pub async fn a_call_too_many_does_nothing_and_says_when_to_come_back(fixture: &dyn MarketplaceFixture) {
    let listing = cheapest(fixture).await.swap_remove(0);
    fixture.limit_rate().await;
    let bought = fixture.marketplace().buy(&request(fixture, &listing, "key-1")).await;
    assert!(!retry_after(bought).is_zero());
    assert!(!retry_after(fixture.marketplace().balance().await).is_zero());
}

pub async fn a_lost_session_is_reported(fixture: &dyn MarketplaceFixture) {
    let listing = cheapest(fixture).await.swap_remove(0);
    fixture.lose_session().await;
    let bought = fixture.marketplace().buy(&request(fixture, &listing, "key-1")).await;
    assert!(matches!(bought, Err(ExternalError::AuthLost { .. })), "{bought:?}");
    let read = fixture.marketplace().balance().await;
    assert_eq!(read, Err(ExternalError::AuthLost { effect: Effect::Nothing }), "a read has no effect");
}

pub async fn a_charge_below_a_cent_shows_in_the_exact_balance(fixture: &dyn MarketplaceFixture) {
    if traits(fixture).unit == MoneyUnit::Cents {
        return;
    }
    let mut before = fixture.marketplace().exact_balance().await.unwrap();
    for charged in 1..=10 {
        fixture.charge_a_thousandth().await;
        let after = fixture.marketplace().exact_balance().await.unwrap();
        assert_eq!(before.get() - after.get(), 1, "charge {charged} of a thousandth");
        before = after;
    }
}

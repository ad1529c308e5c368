//! Promises of a marketplace whose answers take several pages.

use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;

use super::{EVERYTHING, MarketplaceFixture, external, listed, refused};
use tradepost_ports::external::Page;
use tradepost_ports::marketplace::{MarketListing, MarketplaceRefusal, Sale};

/// The most records that a marketplace shows on one page. One that shows more has no second page to test.
const MOST_ON_A_PAGE: usize = 250;

/// Lists so many items that our listings do not fit on one page. Returns their ids.
async fn listed_beyond_a_page(fixture: &dyn MarketplaceFixture) -> Vec<ExternalId> {
    let mut ids = Vec::new();
    while ids.len() <= MOST_ON_A_PAGE {
        ids.push(listed(fixture, 5_000).await.1.id);
        if fixture.marketplace().own_listings_page(None).await.unwrap().next.is_some() {
            break;
        }
    }
    ids
}

/// Lets other customers buy so many listings of ours that their sales do not fit on one page, and lists one more item. Returns the sold
/// listings and the other one.
async fn sold_beyond_a_page(fixture: &dyn MarketplaceFixture) -> (Vec<ExternalId>, ExternalId) {
    let mut ids = Vec::new();
    while ids.len() <= MOST_ON_A_PAGE {
        let id = listed(fixture, 5_000).await.1.id;
        fixture.sell(&id).await;
        ids.push(id);
        if fixture.marketplace().sales_page(Timestamp::MIN, None).await.unwrap().next.is_some() {
            break;
        }
    }
    (ids, listed(fixture, 5_000).await.1.id)
}

/// Returns the listings on this page and those after it.
async fn own_from(fixture: &dyn MarketplaceFixture, mut page: Page<MarketListing>) -> Vec<ExternalId> {
    let mut ids = Vec::new();
    loop {
        ids.extend(page.items.into_iter().map(|listing| listing.id));
        let Some(next) = page.next else { return ids };
        page = fixture.marketplace().own_listings_page(Some(&next)).await.unwrap();
    }
}

/// Returns the listings of the sales on this page and those after it.
async fn sold_from(fixture: &dyn MarketplaceFixture, mut page: Page<Sale>) -> Vec<ExternalId> {
    let mut ids = Vec::new();
    loop {
        ids.extend(page.items.into_iter().map(|sale| sale.listing_id));
        let Some(next) = page.next else { return ids };
        page = fixture.marketplace().sales_page(Timestamp::MIN, Some(&next)).await.unwrap();
    }
}

fn sorted(mut ids: Vec<ExternalId>) -> Vec<ExternalId> {
    ids.sort();
    ids
}

pub async fn every_listing_of_ours_is_on_exactly_one_of_several_pages(fixture: &dyn MarketplaceFixture) {
    let listed = sorted(listed_beyond_a_page(fixture).await);
    let first = fixture.marketplace().own_listings_page(None).await.unwrap();
    assert_eq!(sorted(own_from(fixture, first).await), listed);
    let all = fixture.marketplace().own_listings().await.unwrap();
    assert_eq!(sorted(all.into_iter().map(|listing| listing.id).collect()), listed);
}

pub async fn every_sale_is_on_exactly_one_of_several_pages(fixture: &dyn MarketplaceFixture) {
    let sold = sorted(sold_beyond_a_page(fixture).await.0);
    let first = fixture.marketplace().sales_page(Timestamp::MIN, None).await.unwrap();
    assert_eq!(sorted(sold_from(fixture, first).await), sold);
    let all = fixture.marketplace().sales(Timestamp::MIN).await.unwrap();
    assert_eq!(sorted(all.into_iter().map(|sale| sale.listing_id).collect()), sold);
}

pub async fn a_listing_that_ends_between_two_pages_hides_no_other(fixture: &dyn MarketplaceFixture) {
    let listed = listed_beyond_a_page(fixture).await;
    let first = fixture.marketplace().own_listings_page(None).await.unwrap();
    let ended: Vec<_> = first.items.iter().step_by(3).map(|listing| listing.id.clone()).collect();
    for id in &ended {
        fixture.marketplace().delist(id).await.unwrap();
    }
    let read = own_from(fixture, first).await;
    let hidden: Vec<_> = listed.iter().filter(|id| !ended.contains(id) && !read.contains(id)).collect();
    assert!(hidden.is_empty(), "not on any page: {hidden:?}");
}

pub async fn a_sale_that_is_made_between_two_pages_is_read_and_hides_no_other(fixture: &dyn MarketplaceFixture) {
    let (mut sold, on_sale) = sold_beyond_a_page(fixture).await;
    let first = fixture.marketplace().sales_page(Timestamp::MIN, None).await.unwrap();
    fixture.sell(&on_sale).await;
    // Everything was on the first page, which was read before.
    if first.next.is_some() {
        sold.push(on_sale);
    }
    let read = sold_from(fixture, first).await;
    let hidden: Vec<_> = sold.iter().filter(|id| !read.contains(id)).collect();
    assert!(hidden.is_empty(), "not on any page: {hidden:?}");
}

pub async fn a_cursor_that_was_never_given_is_refused(fixture: &dyn MarketplaceFixture) {
    let (market, unknown) = (fixture.marketplace(), external("no-such-page"));
    assert_eq!(market.listings(&EVERYTHING, Some(&unknown)).await, refused(MarketplaceRefusal::NotFound));
    assert_eq!(market.own_listings_page(Some(&unknown)).await, refused(MarketplaceRefusal::NotFound));
    assert_eq!(market.sales_page(Timestamp::MIN, Some(&unknown)).await, refused(MarketplaceRefusal::NotFound));
}

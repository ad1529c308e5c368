//! A marketplace or an index that counts in thousandths, brought to cents at its edge, as an adapter of a real one does it.
//!
//! Of the marketplace behind it every amount is a number of thousandths. Costs are rounded up, proceeds and balances down, so that we
//! never believe that less was charged or more was paid than was.

use async_trait::async_trait;
use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::pricing::{Quote, Sales};
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace as Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits, Marketplace,
    MarketplaceRefusal, MarketplaceResult, Mills, MoneyUnit, Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

/// A marketplace or an index whose amounts are thousandths.
#[derive(Debug, Clone)]
pub struct InMills<M> {
    of: M,
}

/// An amount of the marketplace, which counts in thousandths.
fn mills(amount: VenueCents) -> Mills {
    // No amount of the marketplace is above what thousandths can be.
    Mills::new(amount.get()).unwrap_or(Mills::from(VenueCents::ZERO))
}

fn cost(amount: VenueCents) -> VenueCents {
    mills(amount).as_cost()
}

fn proceeds(amount: VenueCents) -> VenueCents {
    mills(amount).as_proceeds()
}

/// An amount of ours as the marketplace wants it. What is beyond its amounts is the most that it takes.
fn there(amount: VenueCents) -> VenueCents {
    VenueCents::new(Mills::from(amount).get()).unwrap_or(VenueCents::MAX)
}

fn shown(listing: MarketListing) -> MarketListing {
    let price = cost(listing.offered.price);
    MarketListing { offered: Listing { price, ..listing.offered }, ..listing }
}

fn order(order: MarketOrder) -> MarketOrder {
    let (price, fee) = (cost(order.price), cost(order.fee));
    // A refund of everything is a refund of the rounded price and fee; what comes back beyond is rounded down.
    let beyond = order.price.plus(order.fee).and_then(|paid| order.refunded.minus(paid));
    let all = beyond.and_then(|beyond| price.plus(fee)?.plus(proceeds(beyond)));
    let refunded = all.unwrap_or(proceeds(order.refunded));
    MarketOrder { price, fee, refunded, ..order }
}

fn sale(sale: Sale) -> Sale {
    let price = proceeds(sale.price);
    Sale { price, fee: cost(sale.fee).min(price), ..sale }
}

/// What is taken, no less than it will be.
fn rate(rate: FeeRate) -> FeeRate {
    FeeRate { minimum: cost(rate.minimum), rounding: Rounding::Ceil, ..rate }
}

fn sought(sought: &SoughtOrder) -> SoughtOrder {
    SoughtOrder { max_price: there(sought.max_price), ..sought.clone() }
}

fn failure(error: ExternalError<MarketplaceRefusal>) -> ExternalError<MarketplaceRefusal> {
    if let ExternalError::Rejected(MarketplaceRefusal::PriceChanged { price }) = error {
        return ExternalError::Rejected(MarketplaceRefusal::PriceChanged { price: cost(price) });
    }
    if let ExternalError::Rejected(MarketplaceRefusal::BalanceTooLow { available }) = error {
        return ExternalError::Rejected(MarketplaceRefusal::BalanceTooLow { available: proceeds(available) });
    }
    error
}

impl<M> InMills<M> {
    /// What counts in thousandths, in cents.
    pub const fn new(of: M) -> Self {
        Self { of }
    }
}

#[async_trait]
impl<M: Marketplace> Marketplace for InMills<M> {
    fn traits(&self) -> MarketTraits {
        MarketTraits { unit: MoneyUnit::Mills, ..self.of.traits() }
    }

    /// Without those whose price is not a whole number of cents: what they cost could not be booked exactly.
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        let query = ListingQuery { max_price: query.max_price.map(there), ..query.clone() };
        let page = self.of.listings(&query, after).await.map_err(failure)?;
        let is_whole = |listing: &MarketListing| mills(listing.offered.price).as_whole_cents().is_some();
        Ok(Page { items: page.items.into_iter().filter(is_whole).map(shown).collect(), next: page.next })
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        Ok(self.of.listing(id).await.map_err(failure)?.map(shown))
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        let request = BuyRequest { max_price: there(request.max_price), ..request.clone() };
        self.of.buy(&request).await.map(order).map_err(failure)
    }

    async fn find_order(&self, wanted: &SoughtOrder) -> MarketplaceResult<Sought> {
        Ok(match self.of.find_order(&sought(wanted)).await.map_err(failure)? {
            Sought::Found(found) => Sought::Found(order(found)),
            unseen @ (Sought::NotShown | Sought::Absent) => unseen,
        })
    }

    async fn who_bought(&self, wanted: &SoughtOrder) -> MarketplaceResult<Buyer> {
        Ok(match self.of.who_bought(&sought(wanted)).await.map_err(failure)? {
            Buyer::Us(found) => Buyer::Us(order(found)),
            other @ (Buyer::AnotherCustomer | Buyer::NotSold | Buyer::Unknown) => other,
        })
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.of.order(id).await.map(order).map_err(failure)
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        let request = SellRequest { price: there(request.price), ..request.clone() };
        self.of.list(&request).await.map(shown).map_err(failure)
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.of.reprice(id, there(price)).await.map(shown).map_err(failure)
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.of.delist(id).await.map_err(failure)
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        let page = self.of.own_listings_page(after).await.map_err(failure)?;
        Ok(Page { items: page.items.into_iter().map(shown).collect(), next: page.next })
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        let page = self.of.sales_page(since, after).await.map_err(failure)?;
        Ok(Page { items: page.items.into_iter().map(sale).collect(), next: page.next })
    }

    async fn commit_sale(&self, id: &ExternalId) -> MarketplaceResult<Sale> {
        self.of.commit_sale(id).await.map(sale).map_err(failure)
    }

    async fn announce_offer(&self, offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        self.of.announce_offer(offer).await.map_err(failure)
    }

    async fn withdraw(&self, request: &WithdrawRequest) -> MarketplaceResult<()> {
        self.of.withdraw(request).await.map_err(failure)
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.of.balance().await.map(proceeds).map_err(failure)
    }

    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        self.of.balance().await.map(mills).map_err(failure)
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        let FeeSchedule { buying, selling, overrides } = self.of.fee_schedule().await.map_err(failure)?;
        let of_name = |of: FeeOverride| FeeOverride { buying: rate(of.buying), selling: rate(of.selling), ..of };
        let overrides = overrides.into_iter().map(of_name).collect();
        Ok(FeeSchedule { buying: rate(buying), selling: rate(selling), overrides })
    }
}

fn quote(of: VariantQuote) -> VariantQuote {
    let Quote { lowest_ask, highest_bid, sales, .. } = of.quote;
    let quote = Quote {
        lowest_ask: lowest_ask.map(cost),
        highest_bid: highest_bid.map(proceeds),
        sales: sales.map(|sales| Sales { average: proceeds(sales.average), ..sales }),
        ..of.quote
    };
    VariantQuote { quote, ..of }
}

#[async_trait]
impl<P: PriceSource> PriceSource for InMills<P> {
    fn name(&self) -> &Name {
        self.of.name()
    }

    fn currency(&self) -> Option<Currency> {
        self.of.currency()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        Ok(self.of.quotes().await?.into_iter().map(quote).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_ports::marketplace::OrderStatus;

    fn amount(number: i64) -> VenueCents {
        VenueCents::new(number).unwrap_or(VenueCents::ZERO)
    }

    /// What comes back in cents of an order whose price, fee and refund are so many thousandths, and what was paid in cents.
    fn refund_of([price, fee, refunded]: [i64; 3]) -> (i64, i64) {
        let id: ExternalId = 1_u64.into();
        let shown = order(MarketOrder {
            id: id.clone(),
            key: None,
            listing_id: id,
            asset_id: None,
            seller: None,
            price: amount(price),
            fee: amount(fee),
            status: OrderStatus::Refunded,
            trade_offer_id: None,
            deliver_by: None,
            refunded: amount(refunded),
        });
        (shown.refunded.get(), shown.price.get() + shown.fee.get())
    }

    #[test]
    fn a_refund_of_all_or_more_than_was_paid_leaves_nothing_open() {
        assert_eq!(refund_of([6_195, 31, 6_226]), (624, 624));
        assert_eq!(refund_of([6_195, 31, 6_227]), (624, 624), "a thousandth more");
        assert_eq!(refund_of([6_195, 31, 6_236]), (625, 624), "a cent more");
        assert_eq!(refund_of([1, 1, 3]), (2, 2));
    }

    #[test]
    fn a_refund_of_a_part_is_rounded_down() {
        assert_eq!(refund_of([6_195, 31, 6_225]), (622, 624));
        assert_eq!(refund_of([6_195, 31, 9]), (0, 624));
    }
}

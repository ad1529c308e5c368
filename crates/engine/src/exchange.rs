//! Marketplaces whose prices are in another currency: the one place where their amounts are converted, on the way in and out.
//!
//! What is observed goes by the present rate. A deal goes by the rate that stands on its record from its first step to its last, so
//! that what was paid, what came back and what was booked agree for ever. Without a rate amounts stay what they are.

use std::sync::Arc;

use tradepost_domain::exchange::ExchangeRate;
use tradepost_domain::listing::Listing;
use tradepost_domain::money::{Cents, MoneyError};
use tradepost_domain::text::ExternalId;
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal, MarketplaceResult, Sale,
    SellRequest, Sought, SoughtOrder,
};
use tradepost_ports::outside::OutsideError;

/// A marketplace where a deal is made or followed by its own rate: amounts go in and come out in the currency of the workspace.
pub(crate) struct Counter {
    marketplace: Arc<dyn Marketplace>,
    rate: Option<ExchangeRate>,
}

/// What a listing of others costs.
pub(crate) fn listing_at(rate: Option<ExchangeRate>, listing: MarketListing) -> Result<MarketListing, MoneyError> {
    let Some(rate) = rate else { return Ok(listing) };
    let price = rate.cost(listing.offered.price)?;
    Ok(MarketListing { offered: Listing { price, ..listing.offered }, ..listing })
}

/// What an order has cost, and what of it came back.
pub(crate) fn order_at(rate: Option<ExchangeRate>, order: MarketOrder) -> Result<MarketOrder, MoneyError> {
    let Some(rate) = rate else { return Ok(order) };
    let (price, fee) = (rate.cost(order.price)?, rate.cost(order.fee)?);
    let refunded = rate.refund(order.refunded, (order.price.plus(order.fee)?, price.plus(fee)?))?;
    Ok(MarketOrder { price, fee, refunded, ..order })
}

/// What a sale of ours brings. A marketplace keeps no more than it was paid.
pub(crate) fn sale_at(rate: Option<ExchangeRate>, sale: Sale) -> Result<Sale, MoneyError> {
    let Some(rate) = rate else { return Ok(sale) };
    let price = rate.proceeds(sale.price)?;
    Ok(Sale { price, fee: rate.cost(sale.fee)?.min(price), ..sale })
}

/// What is asked at the marketplace, the least that brings a price.
pub(crate) fn asked_at(rate: Option<ExchangeRate>, price: Cents) -> Result<Cents, MoneyError> {
    rate.map_or(Ok(price), |rate| rate.asking_for(price))
}

impl Counter {
    pub(crate) fn new(marketplace: Arc<dyn Marketplace>, rate: Option<ExchangeRate>) -> Self {
        Self { marketplace, rate }
    }

    /// As [`Marketplace::listing`].
    pub(crate) async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        let listing = self.marketplace.listing(id).await?;
        listing.map(|listing| listing_at(self.rate, listing)).transpose().map_err(unreadable)
    }

    /// As [`Marketplace::buy`]: it may cost whatever costs no more than the maximum.
    pub(crate) async fn buy(&self, request: BuyRequest) -> MarketplaceResult<MarketOrder> {
        let max_price = self.most_for(request.max_price);
        self.read(self.marketplace.buy(&BuyRequest { max_price, ..request }).await?)
    }

    /// As [`Marketplace::find_order`].
    pub(crate) async fn find_order(&self, sought: SoughtOrder) -> MarketplaceResult<Sought> {
        Ok(match self.marketplace.find_order(&self.there(sought)).await? {
            Sought::Found(order) => Sought::Found(self.read(order)?),
            unseen @ (Sought::NotShown | Sought::Absent) => unseen,
        })
    }

    /// As [`Marketplace::who_bought`].
    pub(crate) async fn who_bought(&self, sought: SoughtOrder) -> MarketplaceResult<Buyer> {
        Ok(match self.marketplace.who_bought(&self.there(sought)).await? {
            Buyer::Us(order) => Buyer::Us(self.read(order)?),
            other @ (Buyer::SomebodyElse | Buyer::Nobody | Buyer::Unknown) => other,
        })
    }

    /// As [`Marketplace::order`].
    pub(crate) async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.read(self.marketplace.order(id).await?)
    }

    /// As [`Marketplace::list`]. The listing is answered with what is asked there.
    pub(crate) async fn list(&self, request: SellRequest) -> MarketplaceResult<MarketListing> {
        let price = self.asked(request.price)?;
        self.marketplace.list(&SellRequest { price, ..request }).await
    }

    /// As [`Marketplace::reprice`].
    pub(crate) async fn reprice(&self, id: &ExternalId, price: Cents) -> MarketplaceResult<()> {
        self.marketplace.reprice(id, self.asked(price)?).await.map(drop)
    }

    fn most_for(&self, price: Cents) -> Cents {
        self.rate.map_or(price, |rate| rate.most_for(price))
    }

    fn there(&self, sought: SoughtOrder) -> SoughtOrder {
        SoughtOrder { max_price: self.most_for(sought.max_price), ..sought }
    }

    fn asked(&self, price: Cents) -> MarketplaceResult<Cents> {
        asked_at(self.rate, price).map_err(|_| OutsideError::Definite(MarketplaceRefusal::PriceRefused))
    }

    fn read(&self, order: MarketOrder) -> MarketplaceResult<MarketOrder> {
        order_at(self.rate, order).map_err(unreadable)
    }
}

/// What was answered may have been done, and cannot be told in the currency of the workspace.
fn unreadable(error: MoneyError) -> OutsideError<MarketplaceRefusal> {
    OutsideError::Unknown(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::asset::AssetId;
    use tradepost_domain::money::Currency;
    use tradepost_domain::time::Timestamp;
    use tradepost_domain::trade::{PlatformUserId, TradeAddress};
    use tradepost_ports::marketplace::DealStatus;
    use tradepost_ports::testing::samples::text;

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn rate(micros: i64) -> Option<ExchangeRate> {
        ExchangeRate::new(Currency::new("EUR").unwrap(), micros, Timestamp::MIN).ok()
    }

    fn user() -> PlatformUserId {
        PlatformUserId::new(std::num::NonZeroU64::MIN)
    }

    fn order(refunded: i64) -> MarketOrder {
        MarketOrder {
            id: text("order-1"),
            key: Some(text("key-1")),
            listing_id: text("listing-1"),
            asset_id: AssetId::new("1").ok(),
            seller: Some(user()),
            price: cents(1_001),
            fee: cents(7),
            status: DealStatus::Refunded,
            trade_offer_id: None,
            deliver_by: None,
            refunded: cents(refunded),
        }
    }

    #[test]
    fn an_order_costs_its_price_and_fee_rounded_up_and_all_of_it_comes_back() {
        let at = |refunded| order_at(rate(1_083_500), order(refunded)).unwrap();
        assert_eq!((at(0).price, at(0).fee, at(0).refunded), (cents(1_085), cents(8), cents(0)));
        assert_eq!(at(1_008).refunded, cents(1_093));
        assert_eq!(at(504).refunded, cents(546));
        assert_eq!(order_at(None, order(504)).unwrap(), order(504));
    }

    #[test]
    fn a_sale_brings_its_price_rounded_down_less_a_fee_that_is_never_more() {
        let sale = |price, fee| Sale {
            id: text("sale-1"),
            listing_id: text("listing-1"),
            asset_id: AssetId::new("1").unwrap(),
            deliver_to: Some(TradeAddress { user: user(), token: text("token") }),
            price: cents(price),
            fee: cents(fee),
            status: DealStatus::Settled,
            deliver_by: Timestamp::MIN,
            updated_at: Timestamp::MIN,
        };
        let brought = |price, fee| sale_at(rate(1_500_000), sale(price, fee)).map(|sale| (sale.price, sale.fee));
        assert_eq!(brought(1_001, 21), Ok((cents(1_501), cents(32))));
        assert_eq!(brought(1, 1), Ok((cents(1), cents(1))));
    }
}

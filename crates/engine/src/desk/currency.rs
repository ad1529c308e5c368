//! Marketplaces whose prices are in another currency: the one place where their amounts are converted, in both directions.
//!
//! Observations use the present rate. A deal keeps the rate of its record from its first step to its last, so that payments, refunds and
//! ledger always agree. Without a rate, amounts stay what they are.

use std::sync::Arc;

use tradepost_domain::markets::exchange::{Conversion, Paid};
use tradepost_domain::money::{Cents, MoneyError, VenueCents, WorkspaceCurrency};
use tradepost_domain::text::ExternalId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal, MarketplaceResult, Sale,
    SellRequest, Sought, SoughtOrder,
};

/// A listing with its price in the currency of the workspace.
pub(crate) type OurListing = MarketListing<WorkspaceCurrency>;
/// An order with its amounts in the currency of the workspace.
pub(crate) type OurOrder = MarketOrder<WorkspaceCurrency>;
/// A sale with its amounts in the currency of the workspace.
pub(crate) type OurSale = Sale<WorkspaceCurrency>;

/// A marketplace where a deal is made or followed by its own rate: amounts go in and come out in the currency of the workspace.
pub(crate) struct ConvertedMarketplace {
    marketplace: Arc<dyn Marketplace>,
    conversion: Conversion,
}

/// What a listing of others costs.
pub(crate) fn convert_listing(conversion: Conversion, listing: MarketListing) -> Result<OurListing, MoneyError> {
    let MarketListing { id, asset_id, offered, status } = listing;
    let price = conversion.cost(offered.price)?;
    Ok(MarketListing { id, asset_id, offered: offered.priced(price), status })
}

/// What an order has cost, and what of it came back.
pub(crate) fn convert_order(conversion: Conversion, order: MarketOrder) -> Result<OurOrder, MoneyError> {
    let (price, fee) = (conversion.cost(order.price)?, conversion.cost(order.fee)?);
    let deal = Paid { there: order.price.plus(order.fee)?, cost: price.plus(fee)? };
    Ok(MarketOrder {
        refunded: conversion.refund(order.refunded, deal)?,
        price,
        fee,
        id: order.id,
        key: order.key,
        listing_id: order.listing_id,
        asset_id: order.asset_id,
        seller: order.seller,
        status: order.status,
        trade_offer_id: order.trade_offer_id,
        deliver_by: order.deliver_by,
    })
}

/// Converts a sale of ours. The marketplace's fee is at most the price.
pub(crate) fn convert_sale(conversion: Conversion, sale: Sale) -> Result<OurSale, MoneyError> {
    let price = conversion.proceeds(sale.price)?;
    Ok(Sale {
        price,
        fee: conversion.cost(sale.fee)?.min(price),
        id: sale.id,
        listing_id: sale.listing_id,
        asset_id: sale.asset_id,
        deliver_to: sale.deliver_to,
        status: sale.status,
        deliver_by: sale.deliver_by,
        updated_at: sale.updated_at,
    })
}

impl ConvertedMarketplace {
    pub(crate) fn new(marketplace: Arc<dyn Marketplace>, conversion: Conversion) -> Self {
        Self { marketplace, conversion }
    }

    /// As [`Marketplace::listing`].
    pub(crate) async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<OurListing>> {
        let listing = self.marketplace.listing(id).await?;
        listing.map(|listing| convert_listing(self.conversion, listing)).transpose().map_err(conversion_error)
    }

    /// Calls [`Marketplace::buy`] with the highest price that costs at most the maximum.
    pub(crate) async fn buy(&self, request: BuyRequest<WorkspaceCurrency>) -> MarketplaceResult<OurOrder> {
        let BuyRequest { key, listing_id, max_price, deliver_to } = request;
        let max_price = self.conversion.most_for(max_price);
        self.converted_order(self.marketplace.buy(&BuyRequest { key, listing_id, max_price, deliver_to }).await?)
    }

    /// Finds an order as [`Marketplace::find_order`] does, in our currency.
    pub(crate) async fn find_our_order(
        &self,
        sought: SoughtOrder<WorkspaceCurrency>,
    ) -> MarketplaceResult<Sought<WorkspaceCurrency>> {
        Ok(match self.marketplace.find_order(&self.there(sought)).await? {
            Sought::Found(order) => Sought::Found(self.converted_order(order)?),
            Sought::NotShown => Sought::NotShown,
            Sought::Absent => Sought::Absent,
        })
    }

    /// As [`Marketplace::who_bought`].
    pub(crate) async fn who_bought(
        &self,
        sought: SoughtOrder<WorkspaceCurrency>,
    ) -> MarketplaceResult<Buyer<WorkspaceCurrency>> {
        Ok(match self.marketplace.who_bought(&self.there(sought)).await? {
            Buyer::Us(order) => Buyer::Us(self.converted_order(order)?),
            Buyer::AnotherCustomer => Buyer::AnotherCustomer,
            Buyer::NotSold => Buyer::NotSold,
            Buyer::Unknown => Buyer::Unknown,
        })
    }

    /// As [`Marketplace::order`].
    pub(crate) async fn order(&self, id: &ExternalId) -> MarketplaceResult<OurOrder> {
        self.converted_order(self.marketplace.order(id).await?)
    }

    /// As [`Marketplace::list`]. The listing is answered with what is asked there.
    pub(crate) async fn list(&self, request: SellRequest<WorkspaceCurrency>) -> MarketplaceResult<MarketListing> {
        let SellRequest { owner, asset_id, price } = request;
        let price = self.marketplace_price(price)?;
        self.marketplace.list(&SellRequest { owner, asset_id, price }).await
    }

    /// As [`Marketplace::reprice`].
    pub(crate) async fn reprice(&self, id: &ExternalId, price: Cents) -> MarketplaceResult<()> {
        self.marketplace.reprice(id, self.marketplace_price(price)?).await.map(drop)
    }

    fn there(&self, sought: SoughtOrder<WorkspaceCurrency>) -> SoughtOrder {
        SoughtOrder {
            max_price: self.conversion.most_for(sought.max_price),
            key: sought.key,
            listing_id: sought.listing_id,
            asset_id: sought.asset_id,
            market_hash_name: sought.market_hash_name,
            deliver_to: sought.deliver_to,
            sent_since: sought.sent_since,
        }
    }

    fn marketplace_price(&self, price: Cents) -> MarketplaceResult<VenueCents> {
        let refused = |_: MoneyError| ExternalError::Rejected(MarketplaceRefusal::PriceRefused);
        self.conversion.asking_for(price).map_err(refused)
    }

    fn converted_order(&self, order: MarketOrder) -> MarketplaceResult<OurOrder> {
        convert_order(self.conversion, order).map_err(conversion_error)
    }
}

/// Returns an unknown outcome: the call may have had an effect, and its amount does not fit the currency of the workspace.
fn conversion_error(error: MoneyError) -> ExternalError<MarketplaceRefusal> {
    ExternalError::Unknown(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::asset::AssetId;
    use tradepost_domain::markets::exchange::ExchangeRate;
    use tradepost_domain::money::Currency;
    use tradepost_domain::time::Timestamp;
    use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
    use tradepost_ports::marketplace::OrderStatus;
    use tradepost_testkit::samples::text;

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn in_marketplace_currency(amount: i64) -> VenueCents {
        VenueCents::new(amount).unwrap()
    }

    fn rate(micros: i64) -> Conversion {
        ExchangeRate::new(Currency::new("EUR").unwrap(), micros, Timestamp::MIN).ok().into()
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
            price: in_marketplace_currency(1_001),
            fee: in_marketplace_currency(7),
            status: OrderStatus::Refunded,
            trade_offer_id: None,
            deliver_by: None,
            refunded: in_marketplace_currency(refunded),
        }
    }

    #[test]
    fn an_order_costs_its_price_and_fee_rounded_up_and_all_of_it_comes_back() {
        let at = |refunded| convert_order(rate(1_083_500), order(refunded)).unwrap();
        assert_eq!((at(0).price, at(0).fee, at(0).refunded), (cents(1_085), cents(8), cents(0)));
        assert_eq!(at(1_008).refunded, cents(1_093));
        assert_eq!(at(504).refunded, cents(546));
        assert_eq!(convert_order(None.into(), order(504)).unwrap().refunded, cents(504));
    }

    #[test]
    fn a_sale_brings_its_price_rounded_down_less_a_fee_that_is_never_more() {
        let sale = |price, fee| Sale {
            id: text("sale-1"),
            listing_id: text("listing-1"),
            asset_id: AssetId::new("1").unwrap(),
            deliver_to: Some(TradeAddress { user: user(), token: text("token") }),
            price: in_marketplace_currency(price),
            fee: in_marketplace_currency(fee),
            status: OrderStatus::Settled,
            deliver_by: Timestamp::MIN,
            updated_at: Timestamp::MIN,
        };
        let brought = |price, fee| convert_sale(rate(1_500_000), sale(price, fee)).map(|sale| (sale.price, sale.fee));
        assert_eq!(brought(1_001, 21), Ok((cents(1_501), cents(32))));
        assert_eq!(brought(1, 1), Ok((cents(1), cents(1))));
    }
}

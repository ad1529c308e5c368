//! Prices: histories, overrides, rules and order books.

mod delete_price_override;
mod estimate_sale;
mod get_order_book;
mod get_prices;
mod list_price_history;
mod list_price_overrides;
mod list_variants;
mod price_basis;
mod pricing_rules;
mod set_price_override;

pub use delete_price_override::DeletePriceOverride;
pub use estimate_sale::{EstimateSale, ForSale, SaleEstimate};
pub use get_order_book::{Bid, GetOrderBook, OrderBook};
pub use get_prices::{GetPrice, GetPrices, PriceOf};
pub use list_price_history::{ListPriceHistory, PricePoint};
pub use list_price_overrides::ListPriceOverrides;
pub use list_variants::{ListVariants, ListedVariants};
pub use price_basis::PriceBasis;
pub use pricing_rules::{GetPricingRules, RulesInForce, UpdatePricingRules};
pub use set_price_override::SetPriceOverride;

//! [`EstimateSale`]: what would be left of a sale at a marketplace.

use crate::markets::providers::providers::provider_named;
use crate::markets::providers::providers::shown_one;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use crate::markets::observations::variants::VariantName;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The item or variant to sell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForSale {
    /// An item of a variant.
    Variant(VariantName),
    /// An item, which requires the right to read trades.
    Item(InventoryItemId),
}

/// A request to estimate the proceeds of a sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EstimateSale {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item or variant to sell.
    pub what: ForSale,
    /// The marketplace, by the name of its provider.
    pub marketplace: String,
    /// The price that the buyer pays, in cents, at least 1.
    pub price_cents: i64,
}

/// The estimated proceeds of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleEstimate {
    /// The marketplace's fee, rounded up to whole cents.
    pub fee: VenueCents,
    /// The price minus the fee.
    pub net: VenueCents,
    /// The currency of both: the provider's.
    pub currency: Currency,
    /// The time at which the marketplace last reported its fees.
    pub fees_seen_at: Timestamp,
}

impl Operations {
    /// Returns what a marketplace would keep of a sale, and what would be left, by the fees that it last reported.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field, also for a price of which nothing would be left; `not_found` for an
    /// unknown item, and for a marketplace without a provider; `failed_precondition` with `FEES_UNKNOWN` until it has reported its
    /// fees.
    pub async fn estimate_sale(&self, caller: &Caller, command: EstimateSale) -> OpResult<SaleEstimate> {
        let scope = rules::ESTIMATE_SALE.enter(&caller.principal, command.workspace_id)?;
        let name = fields::text("marketplace", &command.marketplace)?;
        let price: VenueCents = fields::cents("priceCents", command.price_cents)?;
        if price == VenueCents::ZERO {
            return Err(OpError::invalid_field("priceCents", "must be at least 1"));
        }
        let item_name = match &command.what {
            ForSale::Variant(variant) => variant.check("variant.")?.market_hash_name,
            ForSale::Item(id) => {
                let scope = rules::GET_INVENTORY_ITEM.enter(&caller.principal, command.workspace_id)?;
                self.name_of_item(scope, *id).await?
            }
        };
        let provider = provider_named(self, scope, ProviderKind::Marketplace, &name).await?;
        let shown = shown_one(self, scope, provider.into()).await?;
        let Some((fees, seen_at)) = shown.report.and_then(|report| Some((report.fees?, report.seen_at))) else {
            let message = format!("{name} has not reported its fees yet: an engine that trades there requests them");
            return Err(OpError::failed_precondition(Reason::FeesUnknown, message));
        };
        let fee = fees.selling(&item_name, self.market_now(command.workspace_id)).estimate(price);
        let nothing_left = |_| OpError::invalid_field("priceCents", format_args!("must cover the fee of {fee} cents"));
        let net = price.minus(fee).map_err(nothing_left)?;
        Ok(SaleEstimate { fee, net, currency: shown.provider.value.currency, fees_seen_at: seen_at })
    }

    async fn name_of_item(&self, scope: WorkspaceScope, id: InventoryItemId) -> OpResult<MarketHashName> {
        let item =
            self.ports.store.items().find(scope, id).await?.ok_or_else(|| OpError::not_found("inventory item"))?;
        Ok(item.peek().market_hash_name.clone())
    }
}

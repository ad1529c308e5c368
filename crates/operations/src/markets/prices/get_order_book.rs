//! [`GetOrderBook`]: what a variant is offered and asked for at present.

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::observation::ON_SALE_FOR;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::Offer;

use crate::markets::observations::variants::VariantName;
use crate::rules;
use crate::{OpResult, Operations};

/// The most listings of a book.
const MOST_ASKS: u32 = 200;

/// A request for the order book of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetOrderBook {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The variant.
    pub variant: VariantName,
}

/// The highest bid of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    /// The source.
    pub source: Marketplace,
    /// The bid.
    pub price: Cents,
    /// The time of the bid.
    pub observed_at: Timestamp,
}

/// The asks and bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderBook {
    /// Listings that were seen in the last 15 minutes, the cheapest first, at most 200.
    pub asks: Vec<Offer>,
    /// The highest bid that each source reported in the last 15 minutes, the highest first.
    pub bids: Vec<Bid>,
}

impl Operations {
    /// Returns the order book of a variant as far as it was seen in the last 15 minutes.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field.
    pub async fn get_order_book(&self, caller: &Caller, command: GetOrderBook) -> OpResult<OrderBook> {
        let scope = rules::GET_ORDER_BOOK.enter(&caller.principal, command.workspace_id)?;
        let variant = command.variant.check("")?;
        let since = self.market_now(command.workspace_id).plus(-ON_SALE_FOR);
        let asks = self.ports.store.observations().list_offers(scope, &variant, since, MOST_ASKS).await?;
        let names = std::slice::from_ref(&variant.market_hash_name);
        let found = self.ports.store.quotes().find(scope, names, since).await?;
        let fresh = found.quotes.into_iter().filter(|(of, quote)| *of == variant && quote.observed_at >= since);
        let bids = fresh.filter_map(|(_, quote)| {
            quote.highest_bid.map(|price| Bid { source: quote.source, price, observed_at: quote.observed_at })
        });
        let mut bids: Vec<Bid> = bids.collect();
        bids.sort_by(|one, other| (other.price, &one.source).cmp(&(one.price, &other.source)));
        Ok(OrderBook { asks, bids })
    }
}

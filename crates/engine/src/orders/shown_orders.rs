//! Orders that a marketplace shows for a purchase without an answer: whose they are, and what the buyer of the listing shows.

use tradepost_domain::contracts::purchase::{ListingOutcome, OrderOrigin, Purchase, PurchaseEvent};
use tradepost_domain::money::WorkspaceCurrency;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::PurchaseOfOrder;
use tradepost_ports::marketplace::Buyer;

use crate::context::Context;
use crate::desk::currency::OurOrder;
use crate::error::{EngineError, EngineResult};
use crate::orders::submission::placed_order;

/// Records an order that is shown for a purchase, if it is its own. Returns whose it is.
///
/// Without keys an order is found by its listing, and may be that of an earlier purchase of the same listing.
pub(crate) async fn record_order(
    context: &Context,
    purchase: &Versioned<Purchase>,
    order: &OurOrder,
) -> EngineResult<OrderOrigin> {
    let key = order.key.as_ref();
    let by_key = OrderOrigin::of(&purchase.value, key, None);
    if by_key == OrderOrigin::Own {
        match context.apply_purchase_event(purchase, PurchaseEvent::OrderFound(placed_order(order))).await {
            Err(EngineError::Operation(refusal)) if refusal.is_order_of_another() => {}
            recorded => return recorded.map(|_| OrderOrigin::Own),
        }
    }
    let ask = PurchaseOfOrder {
        workspace_id: context.desk().workspace_id,
        marketplace: purchase.value.terms.marketplace.clone(),
        order_id: order.id.clone(),
    };
    let holder = context.operations().purchase_of_order(context.caller(), ask).await?;
    Ok(match holder {
        Some(holder) => OrderOrigin::of(&purchase.value, key, Some(&holder.value)),
        // It was rejected as the order of another purchase, which no longer has it.
        None if by_key == OrderOrigin::Own => OrderOrigin::Unclear,
        None => by_key,
    })
}

/// Returns what the buyer of a listing shows about a purchase whose order was not found. `origin` is that of our order, if we have
/// bought it.
pub(crate) fn listing_outcome(buyer: &Buyer<WorkspaceCurrency>, origin: OrderOrigin) -> ListingOutcome {
    match buyer {
        Buyer::Us(order) if origin == OrderOrigin::Another => ListingOutcome::SoldByOrder(order.id.clone()),
        Buyer::AnotherCustomer => ListingOutcome::SoldToAnother,
        Buyer::NotSold => ListingOutcome::NotSold,
        Buyer::Us(_) | Buyer::Unknown => ListingOutcome::Unexplained,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_ports::marketplace::OrderStatus;
    use tradepost_testkit::samples::text;

    use crate::samples::order;

    #[test]
    fn a_listing_on_sale_or_sold_to_another_customer_is_explained_whatever_else_is_ours() {
        for origin in [OrderOrigin::Own, OrderOrigin::Another, OrderOrigin::Unclear] {
            assert_eq!(listing_outcome(&Buyer::NotSold, origin), ListingOutcome::NotSold);
            assert_eq!(listing_outcome(&Buyer::AnotherCustomer, origin), ListingOutcome::SoldToAnother);
            assert_eq!(listing_outcome(&Buyer::Unknown, origin), ListingOutcome::Unexplained);
        }
    }

    #[test]
    fn a_listing_that_we_bought_is_explained_by_the_order_of_another_purchase_only() {
        let bought = || Buyer::Us(OurOrder { id: text("order-7"), ..order(OrderStatus::Settled) });
        let explained = ListingOutcome::SoldByOrder(text("order-7"));
        assert_eq!(listing_outcome(&bought(), OrderOrigin::Another), explained);
        for origin in [OrderOrigin::Own, OrderOrigin::Unclear] {
            assert_eq!(listing_outcome(&bought(), origin), ListingOutcome::Unexplained);
        }
    }
}

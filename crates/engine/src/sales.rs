//! Sales: lists items, follows their listings, and delivers what was sold.

pub(crate) mod fulfilment;
pub(crate) mod fulfilment_decisions;
pub(crate) mod held_deliveries;
pub(crate) mod judgements;
pub(crate) mod listing_decisions;
pub(crate) mod listing_lifecycle;
pub(crate) mod orphan_listings;
pub(crate) mod reported_sales;
pub(crate) mod sale_evaluation;
pub(crate) mod selling;
pub(crate) mod unexpected_sales;

use crate::context::Context;
use crate::error::EngineResult;
use crate::market::Market;
use crate::orders::Orders;
use crate::pass::Pass;
use crate::sales::judgements::Judgements;
use crate::sales::orphan_listings::OrphanListings;
use crate::sales::reported_sales::ReportedSales;
use crate::sales::selling::DecisionTimes;

/// Sales as the marketplaces report them, and when each item was last decided on.
#[derive(Default)]
pub(crate) struct Sales {
    reported: ReportedSales,
    orphans: OrphanListings,
    /// When the sale of each item was last decided.
    decision_times: DecisionTimes,
    /// Items whose last evaluation still holds.
    judgements: Judgements,
}

impl Sales {
    /// Follows listings and sales, then decides what to list and at which price.
    pub(crate) async fn step(
        &mut self,
        context: &mut Context,
        market: &mut Market,
        orders: &mut Orders,
        pass: &mut Pass,
    ) -> EngineResult {
        context.renew_leases().await?;
        let followed = self.process_sales(context, market.state(), pass).await;
        pass.record(followed);
        context.renew_leases().await?;
        let listed = self.sell_items(context, market, orders, pass).await;
        pass.record(listed);
        Ok(())
    }
}

//! Sales: lists items, follows their listings, and delivers what was sold.

pub(crate) mod delisting;
pub(crate) mod fulfilment;
pub(crate) mod judgements;
pub(crate) mod listing_lifecycle;
pub(crate) mod orphan_listings;
pub(crate) mod reported_sales;
pub(crate) mod selling;
pub(crate) mod unexpected_sales;

use crate::sales::judgements::Judgements;
use crate::sales::orphan_listings::OrphanListings;
use crate::sales::reported_sales::ReportedSales;
use crate::sales::selling::DecisionTimes;

/// Sales as the marketplaces report them, and when each item was last decided on.
#[derive(Default)]
pub(crate) struct Sales {
    pub(crate) reported: ReportedSales,
    pub(crate) orphans: OrphanListings,
    /// When the sale of each item was last decided.
    pub(crate) decision_times: DecisionTimes,
    /// Items whose last evaluation still holds.
    pub(crate) judgements: Judgements,
}

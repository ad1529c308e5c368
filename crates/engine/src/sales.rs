//! Sales: lists items, follows their listings, and delivers what was sold.

pub(crate) mod delisting;
pub(crate) mod fulfilment;
pub(crate) mod judgements;
pub(crate) mod listing_lifecycle;
pub(crate) mod orphan_listings;
pub(crate) mod reported_sales;
pub(crate) mod selling;
pub(crate) mod unexpected_sales;

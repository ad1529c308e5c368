//! Settlement: follows purchases from the order to the end of trade protection.

pub(crate) mod delivery;
pub(crate) mod late_delivery;
pub(crate) mod platform_snapshot;
pub(crate) mod trade_offers;
pub(crate) mod trade_protection;
pub(crate) mod unreadable_accounts;

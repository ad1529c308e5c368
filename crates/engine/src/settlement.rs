//! Settlement: follows purchases from the order to the end of trade protection.

pub(crate) mod delivery;
pub(crate) mod late_delivery;
pub(crate) mod platform_snapshot;
pub(crate) mod trade_offers;
pub(crate) mod trade_protection;
pub(crate) mod unreadable_accounts;

use crate::settlement::late_delivery::LateDeliveries;
use crate::settlement::platform_snapshot::PlatformSnapshot;
use crate::settlement::trade_offers::RecordedOffers;
use crate::settlement::trade_protection::Reversals;
use crate::settlement::unreadable_accounts::UnreadableAccounts;

/// What the platform shows of deliveries, offers and trades.
#[derive(Default)]
pub(crate) struct Settlement {
    pub(crate) reversals: Reversals,
    pub(crate) unreadable: UnreadableAccounts,
    pub(crate) late_deliveries: LateDeliveries,
    pub(crate) snapshot: PlatformSnapshot,
    pub(crate) recorded_offers: RecordedOffers,
}

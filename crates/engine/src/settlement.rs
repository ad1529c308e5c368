//! Settlement: follows purchases from the order to the end of trade protection.

mod confirmations;
pub(crate) mod delivery;
pub(crate) mod delivery_decisions;
pub(crate) mod late_delivery;
pub(crate) mod offer_requests;
pub(crate) mod trade_protection;
pub(crate) mod unreadable_accounts;

use crate::settlement::confirmations::ConfirmationWatch;
use crate::settlement::late_delivery::LateDeliveries;
use crate::settlement::trade_protection::Reversals;
use crate::settlement::unreadable_accounts::UnreadableAccounts;

/// What the platform shows of deliveries, offers and trades.
#[derive(Default)]
pub(crate) struct Settlement {
    reversals: Reversals,
    unreadable: UnreadableAccounts,
    late_deliveries: LateDeliveries,
    confirmations: ConfirmationWatch,
}

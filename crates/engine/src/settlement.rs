//! Settlement: follows purchases from the order to the end of trade protection.

mod confirmations;
pub(crate) mod delivery;
pub(crate) mod delivery_decisions;
pub(crate) mod late_delivery;
mod offer_requests;
pub(crate) mod trade_protection;
pub(crate) mod unreadable_accounts;

use tradepost_domain::id::TradeOfferId;
use tradepost_domain::text::AccountName;

use crate::settlement::confirmations::ConfirmationWatch;
use crate::settlement::late_delivery::LateDeliveries;
use crate::settlement::trade_protection::Reversals;
use crate::settlement::unreadable_accounts::UnreadableAccounts;
use crate::turns::Turns;

/// What the platform shows of deliveries, offers and trades.
#[derive(Default)]
pub(crate) struct Settlement {
    reversals: Reversals,
    /// When the reversals of accounts were last asked for, and when they were last shown.
    asked_reversals: Turns<AccountName>,
    seen_reversals: Turns<AccountName>,
    unreadable: UnreadableAccounts,
    late_deliveries: LateDeliveries,
    confirmations: ConfirmationWatch,
    requests: Turns<TradeOfferId>,
}

//! Settlement: follows purchases from the order to the end of trade protection.

pub(crate) mod delivery;
pub(crate) mod delivery_decisions;
pub(crate) mod item_match;
pub(crate) mod late_delivery;
pub(crate) mod trade_protection;
pub(crate) mod unreadable_accounts;

use crate::context::Context;
use crate::error::EngineResult;
use crate::pass::Pass;
use crate::settlement::delivery::process_deliveries;
use crate::settlement::late_delivery::LateDeliveries;
use crate::settlement::trade_protection::Reversals;
use crate::settlement::unreadable_accounts::UnreadableAccounts;

/// What the platform shows of deliveries, offers and trades.
#[derive(Default)]
pub(crate) struct Settlement {
    reversals: Reversals,
    unreadable: UnreadableAccounts,
    late_deliveries: LateDeliveries,
}

impl Settlement {
    /// Follows deliveries, then ends trade protection or detects a reversal.
    pub(crate) async fn step(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        context.renew_leases().await?;
        let delivered = process_deliveries(context, pass).await;
        pass.record(delivered);
        context.renew_leases().await?;
        let protected = self.check_protections(context, pass).await;
        pass.record(protected);
        Ok(())
    }
}

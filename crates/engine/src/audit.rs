//! Audits: compare the records with marketplaces and the platform, outside the flow of a single trade.

pub(crate) mod balances;
pub(crate) mod chains;
pub(crate) mod inventories;
pub(crate) mod problems;

use crate::audit::balances::BalanceAudit;
use crate::audit::chains::ChainAudit;
use crate::audit::inventories::InventoryAudit;
use crate::context::Context;
use crate::orders::Orders;
use crate::pass::Pass;
use crate::settlement::Settlement;

/// Positions of the audits, and the problems they have reported.
#[derive(Default)]
pub(crate) struct Audit {
    balances: BalanceAudit,
    inventories: InventoryAudit,
    chains: ChainAudit,
}

impl Audit {
    /// Checks what no open record would show: missing items, late deliveries, orders that were made after all, chains and balances.
    pub(crate) async fn step(
        &mut self,
        context: &mut Context,
        settlement: &mut Settlement,
        orders: &mut Orders,
        pass: &mut Pass,
    ) {
        let audited = self.audit_next_inventory(context, pass).await;
        pass.record_error(audited);
        let searched = settlement.find_late_deliveries(context, pass).await;
        pass.record_error(searched);
        let rechecked = orders.recheck_not_placed(context, pass).await;
        pass.record_error(rechecked);
        let verified = self.verify_chains(context).await;
        pass.record_error(verified);
        self.reconcile_balances(context, pass).await;
        context.report_lost_sessions(pass).await;
    }
}

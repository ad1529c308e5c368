//! Audits: compare the records with marketplaces and the platform, outside the flow of a single trade.

pub(crate) mod balances;
pub(crate) mod chains;
pub(crate) mod inventories;
pub(crate) mod offers;
pub(crate) mod problems;
pub(crate) mod snapshots;

use crate::audit::balances::BalanceAudit;
use crate::audit::chains::ChainAudit;
use crate::audit::inventories::InventoryAudit;
use crate::audit::offers::OfferWatch;
use crate::audit::snapshots::SnapshotSchedule;
use crate::context::Context;
use crate::error::EngineResult;
use crate::pass::Pass;

/// Positions of the audits, and the problems they have reported.
#[derive(Default)]
pub(crate) struct Audit {
    balances: BalanceAudit,
    inventories: InventoryAudit,
    chains: ChainAudit,
    offers: OfferWatch,
    snapshots: SnapshotSchedule,
}

impl Audit {
    /// Reads inventories and offers of the accounts whose turn it is. Only leases that cannot be renewed are an error.
    pub(crate) async fn read_next_accounts(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        context.renew_leases().await?;
        let audited = self.audit_next_inventory(context, pass).await;
        pass.record_error(audited);
        context.renew_leases().await?;
        let read = self.read_next_offers(context, pass).await;
        pass.record_error(read);
        context.renew_leases().await?;
        let taken = self.take_next_snapshot(context).await;
        pass.record_error(taken);
        context.renew_leases().await
    }

    /// Verifies chains and balances, and reports sessions that are lost.
    pub(crate) async fn verify_records(&mut self, context: &mut Context, pass: &mut Pass) {
        let verified = self.verify_chains(context).await;
        pass.record_error(verified);
        self.reconcile_balances(context, pass).await;
        context.report_lost_sessions(pass).await;
    }
}

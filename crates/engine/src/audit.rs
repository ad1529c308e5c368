//! Audits: compare the records with marketplaces and the platform, outside the flow of a single trade.

pub(crate) mod balances;
pub(crate) mod chains;
pub(crate) mod inventories;
pub(crate) mod problems;

use crate::audit::balances::BalanceAudit;
use crate::audit::chains::ChainAudit;
use crate::audit::inventories::InventoryAudit;
use crate::audit::problems::Problems;

/// Positions of the audits, and the problems they have reported.
#[derive(Default)]
pub(crate) struct Audit {
    pub(crate) problems: Problems,
    pub(crate) balances: BalanceAudit,
    pub(crate) inventories: InventoryAudit,
    pub(crate) chains: ChainAudit,
}

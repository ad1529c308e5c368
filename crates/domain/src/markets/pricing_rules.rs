//! How a workspace values items where a contract does not say it otherwise.

use crate::contracts::contract::PriceReference;
use crate::id::WorkspaceId;
use crate::time::Timestamp;

/// The rules of a workspace. One that never set any has those of [`PriceReference::default`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricingRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The sources that count, the price that is used as the value, and its limits of age and uncertainty.
    pub reference: PriceReference,
    /// When they were set.
    pub updated_at: Timestamp,
}

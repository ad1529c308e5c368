//! Fields of assignments, and assignments as they are seen before a change.

use std::collections::BTreeSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::Assignment;
use tradepost_domain::id::AssignmentId;
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_ports::changes::Seen;

use crate::results::require_version;
use crate::{OpError, OpResult, Operations, fields};

/// The limits of each account of an assignment. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AssignmentLimits {
    /// The maximum of open purchases of each account.
    pub max_open_purchases: Option<i64>,
    /// The maximum of items that each account holds.
    pub max_items: Option<i64>,
}

impl AssignmentLimits {
    /// Purchases, then items.
    pub(crate) fn check(&self) -> OpResult<(Option<u32>, Option<u32>)> {
        Ok((
            fields::optional(self.max_open_purchases, fields::whole, "limits.maxOpenPurchases")?,
            fields::optional(self.max_items, fields::whole, "limits.maxItems")?,
        ))
    }
}

/// Returns the roles of an assignment, at least one.
pub(crate) fn roles(given: &[AccountRole]) -> OpResult<BTreeSet<AccountRole>> {
    if given.is_empty() {
        return Err(OpError::invalid_field("roles", "is required"));
    }
    Ok(given.iter().copied().collect())
}

/// Returns an assignment for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn assignment_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AssignmentId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Assignment>> {
    let found = operations.ports.store.assignments().find(scope, id).await?;
    let assignment = found.ok_or_else(|| OpError::not_found("assignment"))?;
    require_version(&assignment, expected_version)?;
    Ok(assignment)
}

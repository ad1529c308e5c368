//! [`GetPricingRules`] and [`UpdatePricingRules`]: how the workspace values items where a contract does not say it otherwise.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::PriceReference;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use crate::contracts::PriceSource;
use crate::results::require_version_of;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// A request for the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPricingRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// Sets the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdatePricingRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rules from now on.
    pub reference: PriceSource,
    /// The version that the caller saw, from 0 for a workspace that never set any; rejected when it has another one.
    pub expected_version: Option<i64>,
}

/// The rules of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesInForce {
    /// The rules in force.
    pub reference: PriceReference,
    /// Their version; 0 as long as none were set.
    pub version: i64,
    /// The time at which they were set.
    pub updated_at: Option<Timestamp>,
}

impl Operations {
    /// Returns the rules in force.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn get_pricing_rules(&self, caller: &Caller, command: GetPricingRules) -> OpResult<RulesInForce> {
        let scope = rules::GET_PRICING_RULES.enter(&caller.principal, command.workspace_id)?;
        let Some(seen) = self.ports.store.prices().find_rules(scope).await? else {
            return Ok(RulesInForce { reference: PriceReference::default(), version: 0, updated_at: None });
        };
        let (rules, version) = seen.into_display();
        Ok(RulesInForce { reference: rules.reference, version, updated_at: Some(rules.updated_at) })
    }

    /// Sets the rules.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_pricing_rules(&self, caller: &Caller, command: UpdatePricingRules) -> OpResult<RulesInForce> {
        let scope = rules::UPDATE_PRICING_RULES.enter(&caller.principal, command.workspace_id)?;
        let reference = command.reference.check()?;
        if command.expected_version.is_some_and(|version| version < 0) {
            return Err(OpError::invalid_field("expectedVersion", "must not be negative"));
        }
        self.retrying(|| async {
            let at = self.market_now(command.workspace_id);
            let rules =
                PricingRules { workspace_id: command.workspace_id, reference: reference.clone(), updated_at: at };
            let found = self.ports.store.prices().find_rules(scope).await?;
            require_version_of(found.as_ref().map_or(0, |seen| seen.stamp().version), command.expected_version)?;
            let mut changes = Changes::by(caller);
            let version = if let Some(seen) = found {
                changes.revise(seen, |_| Ok::<_, OpError>(rules.clone()))?.version
            } else {
                changes.insert(rules);
                1
            };
            changes.audit(AuditKind::PricingRulesUpdated, command.workspace_id);
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::Address)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                done => done.map(|_| RulesInForce { reference: reference.clone(), version, updated_at: Some(at) }),
            }
        })
        .await
    }
}

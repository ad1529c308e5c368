//! `ListPolicies`: every policy with the operations it opens, from the table that authorises.

use tradepost_domain::policy::{Policy, PolicySet};
use tradepost_ports::changes::Caller;

use crate::rules::RULES;
use crate::{OpResult, Operations};

/// A policy and what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyEntry {
    /// The policy.
    pub policy: Policy,
    /// The names of the operations for which it is enough.
    pub operations: Vec<&'static str>,
}

impl Operations {
    /// Lists the policies.
    ///
    /// # Errors
    /// `permission_denied` unless a key calls.
    pub fn list_policies(&self, caller: &Caller) -> OpResult<Vec<PolicyEntry>> {
        caller.principal.key()?;
        let entry = |policy| PolicyEntry { policy, operations: operations_of(PolicySet::of(&[policy])).collect() };
        Ok(Policy::ALL.map(entry).to_vec())
    }
}

/// The operations for which any of these policies is enough.
pub(super) fn operations_of(policies: PolicySet) -> impl Iterator<Item = &'static str> {
    RULES.iter().filter(move |rule| !rule.policies().and(policies).is_empty()).map(|rule| rule.method)
}

//! `ListPolicies`: every policy with the operations it opens, from the table that authorises.

use tradepost_domain::accounts::access::Denied;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_ports::changes::Caller;

use crate::rules::RULES;
use crate::{OpResult, Operations};

/// A policy and the operations that it permits.
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
    /// `permission_denied` unless a key or session calls.
    pub fn list_policies(&self, caller: &Caller) -> OpResult<Vec<PolicyEntry>> {
        caller.principal.prover().ok_or(Denied)?;
        let entry = |policy| PolicyEntry { policy, operations: operations_of(PolicySet::of(&[policy])).collect() };
        Ok(Policy::ALL.map(entry).to_vec())
    }
}

/// Returns the operations for which any of these policies is enough.
fn operations_of(policies: PolicySet) -> impl Iterator<Item = &'static str> {
    RULES.iter().filter(move |rule| !rule.policies().and(policies).is_empty()).map(|rule| rule.method)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the policies under which an operation is listed.
    fn policies_of(method: &str) -> Vec<Policy> {
        Policy::ALL
            .into_iter()
            .filter(|policy| operations_of(PolicySet::of(&[*policy])).any(|opened| opened == method))
            .collect()
    }

    #[test]
    fn an_operation_is_listed_under_each_policy_that_opens_it() {
        assert_eq!(policies_of("GetPurchase"), [Policy::Analytics, Policy::Trading]);
        assert_eq!(policies_of("GetMembership"), Policy::ALL);
        assert_eq!(policies_of("RevokeAPIKey"), [Policy::Workspace, Policy::Identity]);
    }
}

//! The table of rules: the requirements of each operation of the interface, and the class in which it is counted.
//!
//! One row an operation. Authorisation, rate limits, `ListPolicies` and the documentation read this table; a test
//! compares it with the interface's descriptor, so that an operation without a row cannot be served.

mod table;

use std::sync::LazyLock;

use tradepost_domain::accounts::access::{NoEntry, Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::limiter::RateClass;

pub use table::RULES;
pub(crate) use table::*;

/// The table in the order of services and methods: every call searches it.
static BY_NAME: LazyLock<Vec<&Rule>> = LazyLock::new(|| {
    let mut rules: Vec<&Rule> = RULES.iter().collect();
    rules.sort_unstable_by_key(|rule| (rule.service, rule.method));
    rules
});

/// The callers that may use an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Any caller, without a credential.
    Public,
    /// Any valid key or session.
    Key,
    /// Any key of the workspace whose owner is a member now, and any session of a member.
    Member,
    /// Any session, and a key with the policy `identity`: the operation acts on the session's user or the key's owner.
    User,
    /// Any session, and never a key: the operation is done in person.
    Session,
    /// A key of the workspace with any one of these policies, and a session of a member who holds one.
    AnyOf(PolicySet),
    /// Any valid key for itself, and a key or session with any one of these policies for other keys as well.
    ItselfOr(PolicySet),
}

/// When a recent second-factor check is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepUp {
    /// Never.
    No,
    /// For users who have a factor stronger than e-mail.
    IfStrong,
    /// For users who have any factor. A user without one could otherwise never add one; their session must have signed in within the last
    /// 10 min. The same holds for the first owner within 30 min of the first start, whose only factor is e-mail.
    IfAny,
    /// For changes that grant more than before. The operation names them.
    IfWider,
    /// For changes that move or release money. The operation names them.
    IfMoney,
    /// For trade offers that give items.
    IfGives,
    /// For trade offers that give items, within the last 2 min.
    IfGivesFresh,
    /// For renewals of a trade URL.
    IfRenews,
    /// For sign-ins of trading accounts, of users as with `IfAny`.
    IfSignsIn,
    /// Always.
    Always,
    /// Always, within the last 2 min: the effect cannot be undone, or not by the caller.
    Fresh,
}

/// One operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The service, such as `accounts.v1.Accounts`.
    pub service: &'static str,
    /// The method.
    pub method: &'static str,
    /// The callers that may use it.
    pub access: Access,
    /// When a recent second-factor check is needed.
    pub step_up: StepUp,
    /// The class in which it is counted.
    pub class: RateClass,
}

impl Rule {
    const fn new(service: &'static str, method: &'static str, access: Access, class: RateClass) -> Self {
        Self { service, method, access, step_up: StepUp::No, class }
    }

    pub(crate) const fn with_step_up(self, step_up: StepUp) -> Self {
        Self { step_up, ..self }
    }

    /// Returns the rule of an operation by its path, `/package.version.Service/Method`.
    pub fn of_path(path: &str) -> Option<&'static Self> {
        let name = path.strip_prefix('/')?.split_once('/')?;
        let place = BY_NAME.binary_search_by_key(&name, |rule| (rule.service, rule.method)).ok()?;
        BY_NAME.get(place).copied()
    }

    /// Returns the rule of an operation by its name, which no two services share.
    pub fn of(method: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.method == method)
    }

    /// Returns whether the caller holds a policy that the operation requires. The operation decides in which workspace.
    pub fn admits(&self, principal: &Principal) -> bool {
        match (self.access, principal) {
            (Access::AnyOf(_) | Access::User, Principal::Key(key)) => !self.policies().and(key.rights).is_empty(),
            (Access::AnyOf(policies), Principal::Session(session)) => {
                !policies.and(session.rights_anywhere()).is_empty()
            }
            (Access::AnyOf(_), Principal::Person(_))
            | (Access::AnyOf(_) | Access::User | Access::Session, Principal::Anonymous)
            | (Access::Session, Principal::Key(_)) => false,
            (Access::AnyOf(_) | Access::User | Access::Session, Principal::System)
            | (Access::User | Access::Session, Principal::Person(_) | Principal::Session(_))
            | (Access::Public | Access::Key | Access::Member | Access::ItselfOr(_), _) => true,
        }
    }

    /// Enters a workspace as the operation asks for it: with one of its policies, or else as any member.
    ///
    /// # Errors
    /// [`NoEntry::Denied`] for another workspace than the caller's, whether it exists or not, and without the right;
    /// [`NoEntry::WorkspaceDeleted`] for one of the caller's that is deleted.
    pub fn enter(&self, principal: &Principal, workspace: WorkspaceId) -> Result<WorkspaceScope, NoEntry> {
        match self.access {
            Access::AnyOf(policies) => principal.enter(workspace, policies),
            Access::Public | Access::Key | Access::Member | Access::User | Access::Session | Access::ItselfOr(_) => {
                principal.enter_as_member(workspace)
            }
        }
    }

    /// Returns the policies of which one is enough; none for operations with another requirement.
    pub const fn policies(&self) -> PolicySet {
        match self.access {
            Access::AnyOf(policies) | Access::ItselfOr(policies) => policies,
            Access::User => PolicySet::of(&[Policy::Identity]),
            Access::Public | Access::Key | Access::Member | Access::Session => PolicySet::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_operations_share_a_name() {
        for (at, rule) in RULES.iter().enumerate() {
            assert!(RULES.iter().skip(at + 1).all(|other| other.method != rule.method), "{}", rule.method);
        }
    }

    #[test]
    fn an_operation_is_found_by_its_path() {
        assert_eq!(Rule::of_path("/contracts.v1.Contracts/GetPurchase").map(|rule| rule.method), Some("GetPurchase"));
        assert_eq!(Rule::of_path("/accounts.v1.Accounts/GetPurchase"), None);
        assert_eq!(Rule::of_path("/contracts.v1.Contracts/GetNothing"), None);
    }
}

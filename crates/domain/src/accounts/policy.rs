//! Policies and roles: who may do what kind of thing.
//!
//! Roles define who governs a workspace, policies what is done in it. The policy of each operation is not known here: it is in
//! the table of rules of the operations.

use std::fmt;

/// A named right. A membership and an API key each hold a set of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// Read all operational data except chat and secrets.
    Analytics,
    /// Write contracts, purchases and inventory.
    Trading,
    /// Operate trading accounts, trades and chat.
    Accounts,
    /// Configure providers and prices.
    Markets,
    /// Manage members, keys, settings and audit.
    Workspace,
    /// Act as the key's owner on user-level operations. Never part of a membership, only of a key.
    Identity,
}

/// There is no policy of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown policy {0:?}; known policies: analytics, trading, accounts, markets, workspace, identity")]
pub struct UnknownPolicy(pub String);

impl Policy {
    /// Every policy, in the order of the documentation.
    pub const ALL: [Self; 6] =
        [Self::Analytics, Self::Trading, Self::Accounts, Self::Markets, Self::Workspace, Self::Identity];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analytics => "analytics",
            Self::Trading => "trading",
            Self::Accounts => "accounts",
            Self::Markets => "markets",
            Self::Workspace => "workspace",
            Self::Identity => "identity",
        }
    }

    /// What the policy allows, in one sentence for people.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Analytics => "Read all operational data except chat and secrets.",
            Self::Trading => "Create and change contracts, purchases and inventory.",
            Self::Accounts => "Operate trading accounts, trade offers, confirmations and chat.",
            Self::Markets => "Configure providers, prices and market observations.",
            Self::Workspace => "Manage members, API keys, settings and audit.",
            Self::Identity => "Let an API key act as its owner on the owner's sign-in methods and memberships.",
        }
    }

    /// The policy of that name.
    ///
    /// # Errors
    /// [`UnknownPolicy`] for any other text.
    pub fn from_name(name: &str) -> Result<Self, UnknownPolicy> {
        Self::ALL.into_iter().find(|policy| policy.name() == name).ok_or_else(|| UnknownPolicy(name.to_owned()))
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Analytics => 1,
            Self::Trading => 2,
            Self::Accounts => 4,
            Self::Markets => 8,
            Self::Workspace => 16,
            Self::Identity => 32,
        }
    }
}

/// A set of policies.
///
/// ```
/// use tradepost_domain::accounts::policy::{Policy, PolicySet};
///
/// let key = PolicySet::of(&[Policy::Trading, Policy::Analytics]);
/// let owner = PolicySet::of(&[Policy::Analytics]);
/// assert_eq!(key.and(owner), owner);
/// assert!(!key.is_subset_of(owner));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PolicySet(u8);

impl PolicySet {
    /// No policy at all.
    pub const NONE: Self = Self(0);
    /// Every policy, `identity` included.
    pub const EVERY: Self = Self(63);
    /// Every policy that a membership can hold.
    pub const OPERATIONAL: Self = Self(31);

    /// The set of these policies.
    pub const fn of(policies: &[Policy]) -> Self {
        let mut bits = 0;
        let mut rest = policies;
        while let [policy, tail @ ..] = rest {
            bits |= policy.bit();
            rest = tail;
        }
        Self(bits)
    }

    /// The set as a number, for storage.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with this stored number; `None` when a bit belongs to no policy.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits & !Self::EVERY.0 == 0 { Some(Self(bits)) } else { None }
    }

    /// Whether the policy is in the set.
    pub const fn has(self, policy: Policy) -> bool {
        self.0 & policy.bit() != 0
    }

    /// Whether no policy is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What both sets hold.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What either set holds.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What this set holds and the other one does not.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the other set holds everything of this one.
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The policies in the set, in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Policy> {
        Policy::ALL.into_iter().filter(move |policy| self.has(*policy))
    }
}

impl fmt::Debug for PolicySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Policy::name)).finish()
    }
}

/// A role in the governance of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Holds exactly the policies of the membership.
    Member,
    /// Holds every operational policy; cannot delete or transfer the workspace.
    Admin,
    /// The one owner of the workspace: an admin who may also delete and transfer it.
    Owner,
}

impl Role {
    /// Every role, the weakest first.
    pub const ALL: [Self; 3] = [Self::Member, Self::Admin, Self::Owner];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "MEMBER",
            Self::Admin => "ADMIN",
            Self::Owner => "OWNER",
        }
    }

    /// The policies in force for a member of this role to whom `granted` were granted.
    pub const fn policies(self, granted: PolicySet) -> PolicySet {
        match self {
            Self::Member => granted.and(PolicySet::OPERATIONAL),
            Self::Admin | Self::Owner => PolicySet::OPERATIONAL,
        }
    }

    /// A small number for storage, never reused.
    pub const fn code(self) -> i16 {
        match self {
            Self::Member => 1,
            Self::Admin => 2,
            Self::Owner => 3,
        }
    }

    /// Returns the role with this stored number.
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_admin_never_gets_identity_from_the_role() {
        assert!(!Role::Owner.policies(PolicySet::EVERY).has(Policy::Identity));
        assert!(!Role::Member.policies(PolicySet::EVERY).has(Policy::Identity));
    }

    #[test]
    fn names_and_policies_are_one_to_one() {
        for policy in Policy::ALL {
            assert_eq!(Policy::from_name(policy.name()), Ok(policy));
        }
        assert_eq!(Policy::from_name("Trading"), Err(UnknownPolicy("Trading".to_owned())));
    }

    #[test]
    fn a_number_with_a_bit_of_no_policy_is_no_set() {
        assert_eq!(PolicySet::from_bits(63), Some(PolicySet::EVERY));
        assert_eq!(PolicySet::from_bits(64), None);
    }
}

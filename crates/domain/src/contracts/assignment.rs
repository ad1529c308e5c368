//! Assignments: which trading account, or group of them, works for which pool, and which of them comes first.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::{AccountGroupId, AccountId, AssignmentId, PoolId, WorkspaceId};
use crate::text::AccountName;
use crate::time::Timestamp;
use crate::trading::trading_account::{AccountGroup, AccountRole, Check, CheckCode, Load, TradingAccount, exceeded};

/// The assigned account or group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assignee {
    /// One account.
    Account(AccountId),
    /// Every account of a group.
    Group(AccountGroupId),
}

/// What an assignment lets its accounts do, and how far. A limit that is `None` does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentTerms {
    /// What they do for the pool; at least one.
    pub roles: BTreeSet<AccountRole>,
    /// Lower numbers come first.
    pub priority: u32,
    /// How many purchases each of the accounts may have open.
    pub max_open_purchases: Option<u32>,
    /// How many items each of the accounts may hold.
    pub max_items: Option<u32>,
}

/// An assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Its own id.
    pub id: AssignmentId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool that is worked for.
    pub pool_id: PoolId,
    /// The assigned account or group.
    pub assignee: Assignee,
    /// To what.
    pub terms: AssignmentTerms,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An account that is assigned to a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The account.
    pub account_id: AccountId,
    /// Its name on purchases and items.
    pub name: AccountName,
    /// By which assignment.
    pub assignment_id: AssignmentId,
    /// What keeps it from taking work now; `None` if nothing does.
    pub blocked_by: Option<Check>,
}

/// What is known of a pool's accounts, to choose among them.
#[derive(Debug, Clone, Copy)]
pub struct AccountPool<'a> {
    /// The assignments of the pool.
    pub assignments: &'a [Assignment],
    /// The groups that they name.
    pub groups: &'a [AccountGroup],
    /// The accounts that they name and that are in the groups.
    pub accounts: &'a [TradingAccount],
    /// What each account has in hand; nothing where it is missing.
    pub loads: &'a BTreeMap<AccountName, Load>,
}

impl Assignment {
    /// The same assignment with another terms.
    #[must_use]
    pub fn change(self, terms: AssignmentTerms, at: Timestamp) -> Self {
        Self { terms, updated_at: at.max(self.updated_at), ..self }
    }

    fn blocked_by(&self, account: &TradingAccount, role: AccountRole, load: Load, at: Timestamp) -> Option<Check> {
        let terms = &self.terms;
        account
            .blocked_by(role, load, at)
            .or_else(|| exceeded(CheckCode::OpenPurchases, role, load.open_purchases, terms.max_open_purchases))
            .or_else(|| exceeded(CheckCode::Items, role, load.items, terms.max_items))
    }
}

impl AccountPool<'_> {
    /// Returns the accounts that are assigned to a role, by priority, then by fewest open records, then by name.
    ///
    /// Each account is listed once: by the first assignment that lets it work, or else by its first.
    pub fn candidates(&self, role: AccountRole, at: Timestamp) -> Vec<Candidate> {
        let mut found: Vec<(u32, u32, Candidate)> = Vec::new();
        for assignment in self.assignments.iter().filter(|assignment| assignment.terms.roles.contains(&role)) {
            for account in self.accounts_of(assignment.assignee) {
                let load = self.loads.get(&account.name).copied().unwrap_or_default();
                let in_hand = if role == AccountRole::Buy { load.open_purchases } else { load.items };
                let candidate = Candidate {
                    account_id: account.id,
                    name: account.name.clone(),
                    assignment_id: assignment.id,
                    blocked_by: assignment.blocked_by(account, role, load, at),
                };
                found.push((assignment.terms.priority, in_hand, candidate));
            }
        }
        found.sort_by(|(priority, in_hand, one), (other_priority, other_in_hand, other)| {
            (priority, in_hand, &one.name, one.assignment_id).cmp(&(
                other_priority,
                other_in_hand,
                &other.name,
                other.assignment_id,
            ))
        });
        let works: BTreeSet<AccountId> =
            found.iter().filter(|(.., one)| one.blocked_by.is_none()).map(|(.., one)| one.account_id).collect();
        let mut listed = BTreeSet::new();
        let candidates = found.into_iter().map(|(.., candidate)| candidate);
        candidates
            .filter(|candidate| candidate.blocked_by.is_none() || !works.contains(&candidate.account_id))
            .filter(|candidate| listed.insert(candidate.account_id))
            .collect()
    }

    fn accounts_of(&self, assignee: Assignee) -> impl Iterator<Item = &TradingAccount> {
        let group = match assignee {
            Assignee::Group(id) => self.groups.iter().find(|group| group.id == id),
            Assignee::Account(_) => None,
        };
        self.accounts.iter().filter(move |account| match assignee {
            Assignee::Account(id) => account.id == id,
            Assignee::Group(_) => group.is_some_and(|group| group.account_ids.contains(&account.id)),
        })
    }
}

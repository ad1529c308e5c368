//! A group of trading accounts: a named set of them.

use std::collections::BTreeSet;

use crate::accounts::workspace::NewDescription;
use crate::id::{AccountGroupId, AccountId, RecordKey, WorkspaceId};
use crate::text::{Description, Name};
use crate::time::Timestamp;

/// A named set of trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountGroup {
    /// Its own id.
    pub id: AccountGroupId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people.
    pub name: Name,
    /// What it is for.
    pub description: Option<Description>,
    /// The accounts in it.
    pub account_ids: BTreeSet<AccountId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of a group; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// The description from now on.
    pub description: Option<NewDescription>,
}

/// Why a group is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// It would have more accounts than a group takes.
    #[error("a group takes {most} accounts")]
    Full {
        /// How many it takes.
        most: usize,
    },
    /// Assignments name it.
    #[error("assignments that name this group: {assignments}")]
    InUse {
        /// How many.
        assignments: u32,
    },
}

impl AccountGroup {
    /// The most accounts of a group.
    pub const MOST: usize = 1_000;

    /// A group without accounts.
    pub const fn new(
        RecordKey { workspace_id, id }: RecordKey<AccountGroupId>,
        name: Name,
        description: Option<Description>,
        at: Timestamp,
    ) -> Self {
        Self { id, workspace_id, name, description, account_ids: BTreeSet::new(), created_at: at, updated_at: at }
    }

    /// The same group, otherwise called.
    #[must_use]
    pub fn change(self, change: GroupChange, at: Timestamp) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            description: match change.description {
                None => self.description,
                Some(NewDescription::Empty) => None,
                Some(NewDescription::Text(text)) => Some(text),
            },
            updated_at: at.max(self.updated_at),
            ..self
        }
    }

    /// The same group with these accounts in it. Those that were there stay.
    ///
    /// # Errors
    /// [`GroupError::Full`] when they are too many.
    pub fn with(mut self, accounts: &[AccountId], at: Timestamp) -> Result<Self, GroupError> {
        self.account_ids.extend(accounts);
        if self.account_ids.len() > Self::MOST {
            return Err(GroupError::Full { most: Self::MOST });
        }
        Ok(Self { updated_at: at.max(self.updated_at), ..self })
    }

    /// The same group without these accounts, whether they were in it or not.
    #[must_use]
    pub fn without(mut self, accounts: &BTreeSet<AccountId>, at: Timestamp) -> Self {
        self.account_ids.retain(|id| !accounts.contains(id));
        Self { updated_at: at.max(self.updated_at), ..self }
    }

    /// Returns the same group, which an assignment names since `at`: earlier decisions about it must be made again.
    #[must_use]
    pub fn named(self, at: Timestamp) -> Self {
        Self { updated_at: at.max(self.updated_at), ..self }
    }

    /// Checks that it can be deleted.
    ///
    /// # Errors
    /// [`GroupError::InUse`] when assignments name it.
    pub const fn check_unused(&self, assignments: u32) -> Result<(), GroupError> {
        if assignments == 0 { Ok(()) } else { Err(GroupError::InUse { assignments }) }
    }
}

//! Workspaces: the tenants to which everything else belongs.

use crate::id::WorkspaceId;
use crate::text::{Description, Name};
use crate::time::Timestamp;

/// Most workspaces that one user owns.
pub const MOST_OWNED: usize = 10;

/// A tenant: members, keys, contracts, purchases and items belong to exactly one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Name for people.
    pub name: Name,
    /// What it is for; may be absent.
    pub description: Option<Description>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of a workspace; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// What it is for from now on: a text, or nothing.
    pub description: Option<NewDescription>,
}

/// What a workspace is for from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewDescription {
    /// Nothing is said.
    Empty,
    /// This.
    Text(Description),
}

impl Workspace {
    /// The workspace after a change.
    #[must_use]
    pub fn change(self, change: WorkspaceChange, at: Timestamp) -> Self {
        let description = match change.description {
            None => self.description,
            Some(NewDescription::Empty) => None,
            Some(NewDescription::Text(text)) => Some(text),
        };
        Self { name: change.name.unwrap_or(self.name), description, updated_at: at, ..self }
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn what_is_not_named_stays_and_a_description_can_be_taken_away() {
        let at = |seconds| Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds));
        let before = Workspace {
            id: WorkspaceId::from_bytes([1; 16]),
            name: Name::new("Desk").unwrap(),
            description: Some(Description::new("Where we trade").unwrap()),
            created_at: at(0),
            updated_at: at(0),
        };
        let renamed = WorkspaceChange { name: Some(Name::new("Floor").unwrap()), description: None };
        let after = before.clone().change(renamed, at(1));
        assert_eq!((after.name.as_str(), &after.description, after.updated_at), ("Floor", &before.description, at(1)));
        let emptied = WorkspaceChange { name: None, description: Some(NewDescription::Empty) };
        assert_eq!(after.change(emptied, at(2)).description, None);
    }
}

//! The keys under which the secrets of a workspace are stored, and the secrets themselves.
//!
//! A key is active, then retired, then destroyed. Only an active key seals. A retired key opens older secrets until all of them
//! are resealed. A destroyed key keeps only its history.

use crate::id::{SecretId, WorkspaceId, WorkspaceKeyId};
use crate::text::Name;
use crate::time::Timestamp;

/// The workspace to which the keys of the installation itself belong. No workspace has this id.
pub const SYSTEM: WorkspaceId = WorkspaceId::from_bytes([0; 16]);

/// A key as it is stored: sealed under a key-encryption key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedKey {
    /// Which key-encryption key.
    pub key_id: Name,
    /// The sealed bytes.
    pub bytes: Vec<u8>,
}

/// The status of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyStatus {
    /// It seals and opens.
    Active,
    /// It opens.
    Retired,
    /// It was destroyed.
    Destroyed,
}

impl KeyStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::Retired, Self::Destroyed];

    /// A small number for storage, never reused.
    pub const fn code(self) -> i16 {
        match self {
            Self::Active => 1,
            Self::Retired => 2,
            Self::Destroyed => 3,
        }
    }

    /// Returns the status with this stored number.
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// The data of a key in each state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyState {
    /// It seals and opens.
    Active {
        /// The key.
        wrapped: WrappedKey,
    },
    /// It opens.
    Retired {
        /// The key.
        wrapped: WrappedKey,
        /// Since when.
        retired_at: Timestamp,
    },
    /// Nothing but its history.
    Destroyed {
        /// When it was retired.
        retired_at: Timestamp,
        /// When it was destroyed.
        destroyed_at: Timestamp,
    },
}

/// A key of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceKey {
    /// Identifier.
    pub id: WorkspaceKeyId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its number there, from 1; part of everything that it sealed.
    pub number: u32,
    /// The state.
    pub state: KeyState,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The key is not the active one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("only the active key is retired")]
pub struct NotActive;

/// Why a key is not destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DestroyError {
    /// It seals what is stored now.
    #[error("the active key cannot be destroyed; rotate it first")]
    Active,
    /// Secrets are still sealed under it.
    #[error("{0} secrets are still sealed under this key; resealing is in progress")]
    StillInUse(u64),
    /// It was destroyed before.
    #[error("this key is destroyed already")]
    Destroyed,
}

impl WorkspaceKey {
    /// Returns the status: the state without its data.
    pub const fn status(&self) -> KeyStatus {
        match self.state {
            KeyState::Active { .. } => KeyStatus::Active,
            KeyState::Retired { .. } => KeyStatus::Retired,
            KeyState::Destroyed { .. } => KeyStatus::Destroyed,
        }
    }

    /// The key itself, as long as there is one.
    pub const fn wrapped(&self) -> Option<&WrappedKey> {
        match &self.state {
            KeyState::Active { wrapped } | KeyState::Retired { wrapped, .. } => Some(wrapped),
            KeyState::Destroyed { .. } => None,
        }
    }

    /// When it was retired.
    pub const fn retired_at(&self) -> Option<Timestamp> {
        match self.state {
            KeyState::Active { .. } => None,
            KeyState::Retired { retired_at, .. } | KeyState::Destroyed { retired_at, .. } => Some(retired_at),
        }
    }

    /// The key once another one is active.
    ///
    /// # Errors
    /// [`NotActive`].
    pub fn retire(self, at: Timestamp) -> Result<Self, NotActive> {
        match self.state {
            KeyState::Active { wrapped } => Ok(Self { state: KeyState::Retired { wrapped, retired_at: at }, ..self }),
            KeyState::Retired { .. } | KeyState::Destroyed { .. } => Err(NotActive),
        }
    }

    /// Returns the same key under another wrapping. A destroyed key stays as it is.
    #[must_use]
    pub fn resealed(self, wrapped: WrappedKey) -> Self {
        let state = match self.state {
            KeyState::Active { .. } => KeyState::Active { wrapped },
            KeyState::Retired { retired_at, .. } => KeyState::Retired { wrapped, retired_at },
            destroyed @ KeyState::Destroyed { .. } => destroyed,
        };
        Self { state, ..self }
    }

    /// The key without its bytes, once no secret remains under it.
    ///
    /// # Errors
    /// [`DestroyError`] says why it stays.
    pub fn destroy(self, remaining: u64, at: Timestamp) -> Result<Self, DestroyError> {
        match self.state {
            KeyState::Active { .. } => Err(DestroyError::Active),
            KeyState::Destroyed { .. } => Err(DestroyError::Destroyed),
            KeyState::Retired { .. } if remaining > 0 => Err(DestroyError::StillInUse(remaining)),
            KeyState::Retired { .. } => Ok(self.shred(at)),
        }
    }

    /// The key without its bytes, whatever is sealed under it: for the end of its workspace. One that is destroyed stays as it is.
    #[must_use]
    pub fn shred(self, at: Timestamp) -> Self {
        let state = match self.state {
            KeyState::Active { .. } => KeyState::Destroyed { retired_at: at, destroyed_at: at },
            KeyState::Retired { retired_at, .. } => KeyState::Destroyed { retired_at, destroyed_at: at },
            destroyed @ KeyState::Destroyed { .. } => destroyed,
        };
        Self { state, ..self }
    }
}

/// The one field of one record whose secret it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPlace {
    /// The table of the record.
    pub table: Name,
    /// The field.
    pub column: Name,
    /// The record.
    pub row: [u8; 16],
}

impl SecretPlace {
    /// What the secret of this place in a workspace is bound to. Different places never give the same bytes: what can be of
    /// any length has its length before it.
    pub fn bound_to(&self, workspace: WorkspaceId) -> Vec<u8> {
        let mut bound = [workspace.to_bytes(), self.row].concat();
        for name in [&self.table, &self.column] {
            bound.extend((name.as_str().len() as u64).to_be_bytes());
            bound.extend(name.as_str().as_bytes());
        }
        bound
    }
}

/// A secret of a workspace, sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSecret {
    /// Identifier.
    pub id: SecretId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Whose secret it is. It opens nowhere else.
    pub place: SecretPlace,
    /// The number of the key that sealed it.
    pub key_number: u32,
    /// The sealed value.
    pub sealed: Vec<u8>,
    /// When the value was given.
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use time::Duration;

    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn active() -> WorkspaceKey {
        let wrapped = WrappedKey { key_id: Name::new("local").unwrap(), bytes: vec![1, 2, 3] };
        WorkspaceKey {
            id: WorkspaceKeyId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            number: 1,
            state: KeyState::Active { wrapped },
            created_at: at(0),
        }
    }

    #[test]
    fn a_key_is_retired_once_and_still_opens() {
        let retired = active().retire(at(1)).unwrap();
        assert_eq!((retired.status(), retired.retired_at()), (KeyStatus::Retired, Some(at(1))));
        assert!(retired.wrapped().is_some());
        assert_eq!(retired.retire(at(2)), Err(NotActive));
    }

    #[test]
    fn only_a_retired_key_under_which_nothing_is_left_is_destroyed() {
        assert_eq!(active().destroy(0, at(1)), Err(DestroyError::Active));
        let retired = active().retire(at(1)).unwrap();
        assert_eq!(retired.clone().destroy(3, at(2)), Err(DestroyError::StillInUse(3)));
        let destroyed = retired.destroy(0, at(2)).unwrap();
        assert_eq!((destroyed.wrapped(), destroyed.retired_at()), (None, Some(at(1))));
        assert_eq!(destroyed.destroy(0, at(3)), Err(DestroyError::Destroyed));
    }

    #[test]
    fn with_its_workspace_a_key_ends_whatever_is_under_it() {
        let shredded = active().shred(at(5));
        assert_eq!((shredded.status(), shredded.wrapped()), (KeyStatus::Destroyed, None));
        assert_eq!(shredded.clone().shred(at(6)), shredded);
    }

    #[test]
    fn no_two_places_are_bound_alike() {
        let place = |table: &str, column: &str, row| SecretPlace {
            table: Name::new(table).unwrap(),
            column: Name::new(column).unwrap(),
            row: [row; 16],
        };
        let [home, abroad] = [1, 2].map(|byte| WorkspaceId::from_bytes([byte; 16]));
        let bound = [
            place("ab", "c", 1).bound_to(home),
            place("a", "bc", 1).bound_to(home),
            place("ab", "d", 1).bound_to(home),
            place("ab", "c", 2).bound_to(home),
            place("ab", "c", 1).bound_to(abroad),
        ];
        let different: BTreeSet<_> = bound.iter().collect();
        assert_eq!(different.len(), bound.len());
    }
}

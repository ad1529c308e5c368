//! The identity of a credential that calls: an API key or a session.

use crate::id::{ApiKeyId, SessionId};

/// The credential of a call: a key or a session. Second factors are proved for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrincipalId {
    /// An API key.
    Key(ApiKeyId),
    /// A session.
    Session(SessionId),
}

impl PrincipalId {
    /// Returns the bytes of the key's or session's id.
    pub const fn to_bytes(self) -> [u8; 16] {
        match self {
            Self::Key(id) => id.to_bytes(),
            Self::Session(id) => id.to_bytes(),
        }
    }

    /// Returns the stored number of the kind. Numbers are never reused.
    pub const fn kind_code(self) -> i16 {
        match self {
            Self::Key(_) => 1,
            Self::Session(_) => 2,
        }
    }

    /// Returns the id that is stored as this number and these bytes.
    pub const fn from_stored(kind_code: i16, bytes: [u8; 16]) -> Option<Self> {
        match kind_code {
            1 => Some(Self::Key(ApiKeyId::from_bytes(bytes))),
            2 => Some(Self::Session(SessionId::from_bytes(bytes))),
            _ => None,
        }
    }
}

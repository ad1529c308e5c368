//! Links sent by e-mail: single use, limited in time, found by the digest of the token in them.

use time::Duration;

use crate::accounts::api_key::TokenDigest;
use crate::accounts::email::EmailAddress;
use crate::accounts::password::PasswordHash;
use crate::accounts::user::User;
use crate::id::UserId;
use crate::time::Timestamp;

/// A link that was mailed and not used yet. A user has at most one for each purpose; a new one replaces the old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailLink {
    /// Whose account it acts on.
    pub user_id: UserId,
    /// What following it does.
    pub purpose: Purpose,
    /// Digest of the token in the link.
    pub digest: TokenDigest,
    /// When it was mailed.
    pub created_at: Timestamp,
}

/// What following a link does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms a first address and sets its password.
    Add {
        /// The address to add.
        email: EmailAddress,
        /// The password to set with it.
        hash: PasswordHash,
    },
    /// Moves the account to a new address.
    Change {
        /// The address to move to.
        to: EmailAddress,
    },
    /// Moves the account back to the address it had; sent to that address when a change is asked for.
    Revert {
        /// The address to move back to.
        to: EmailAddress,
    },
    /// Sets a new password for a user who forgot theirs.
    Reset {
        /// The account's address, to which it was sent.
        to: EmailAddress,
    },
}

/// The purposes without their data: the key under which a user's link is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PurposeKind {
    /// Confirms a first address.
    Add,
    /// Confirms a new address.
    Change,
    /// Takes a change back.
    Revert,
    /// Sets a new password.
    Reset,
}

/// How long a link for a new password may be followed.
pub const RESET_LIFE: Duration = Duration::minutes(30);

/// The longest that a link may be followed, and for how long a sign-up can be confirmed by a link that is mailed again.
pub const CONFIRMABLE_FOR: Duration = Duration::days(7);

impl PurposeKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Add, Self::Change, Self::Revert, Self::Reset];

    /// A small number for storage, never reused.
    pub const fn code(self) -> i16 {
        match self {
            Self::Add => 1,
            Self::Change => 2,
            Self::Revert => 3,
            Self::Reset => 4,
        }
    }
}

impl Purpose {
    /// The purpose without its data.
    pub const fn kind(&self) -> PurposeKind {
        match self {
            Self::Add { .. } => PurposeKind::Add,
            Self::Change { .. } => PurposeKind::Change,
            Self::Revert { .. } => PurposeKind::Revert,
            Self::Reset { .. } => PurposeKind::Reset,
        }
    }

    /// How long such a link may be followed: a day, a week for taking a change back, half an hour for a new password.
    pub const fn life(&self) -> Duration {
        match self {
            Self::Add { .. } | Self::Change { .. } => Duration::hours(24),
            Self::Revert { .. } => Duration::days(7),
            Self::Reset { .. } => RESET_LIFE,
        }
    }

    /// The address to which the link was mailed.
    pub const fn email(&self) -> &EmailAddress {
        match self {
            Self::Add { email, .. } => email,
            Self::Change { to } | Self::Revert { to } | Self::Reset { to } => to,
        }
    }
}

impl EmailLink {
    /// Until when it may be followed.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at.plus(self.purpose.life())
    }

    /// Whether it was made together with its user, so that the first owner chooses a password. It is void once a session was opened.
    pub fn is_setup(&self, user: &User) -> bool {
        self.purpose.kind() == PurposeKind::Reset && self.user_id == user.id && self.created_at == user.created_at
    }

    /// Whether it can be followed at this time.
    pub fn is_live(&self, at: Timestamp) -> bool {
        at < self.expires_at()
    }
}

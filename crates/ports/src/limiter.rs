//! Rate limits: how much of what class a caller may do.

use std::time::Duration;

use async_trait::async_trait;

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateClass {
    /// Calls without a valid credential, by address.
    Unauthenticated,
    /// Single reads and counts.
    Read,
    /// Lists and batch gets.
    List,
    /// Writes.
    Write,
    /// Writes that trade.
    Trade,
    /// Making API keys, by user.
    Key,
    /// Password checks, by user.
    Password,
    /// Second-factor codes, by user.
    Code,
    /// Mails that a caller causes, by user.
    Mail,
    /// Every call of a workspace together.
    Workspace,
}

impl RateClass {
    /// Every class.
    pub const ALL: [Self; 10] = [
        Self::Unauthenticated,
        Self::Read,
        Self::List,
        Self::Write,
        Self::Trade,
        Self::Key,
        Self::Password,
        Self::Code,
        Self::Mail,
        Self::Workspace,
    ];

    /// The name in settings and in the `RateLimit` header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::Read => "read",
            Self::List => "list",
            Self::Write => "write",
            Self::Trade => "trade",
            Self::Key => "key",
            Self::Password => "password",
            Self::Code => "code",
            Self::Mail => "mail",
            Self::Workspace => "workspace",
        }
    }

    /// Whether answers tell what is left. Guessers of passwords and codes get no such help.
    pub const fn is_disclosed(self) -> bool {
        match self {
            Self::Read | Self::List | Self::Write | Self::Trade | Self::Key | Self::Workspace => true,
            Self::Unauthenticated | Self::Password | Self::Code | Self::Mail => false,
        }
    }
}

/// How much of a class: a sustained rate and how much may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Sustained calls in `window`; at least 1.
    pub calls: u32,
    /// The time for which `calls` is meant; above zero.
    pub window: Duration,
    /// Calls that may come at once; at least 1.
    pub burst: u32,
}

/// What the limiter says to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the call may go on.
    pub allowed: bool,
    /// The quota that answered.
    pub quota: Quota,
    /// How many calls may come at once after this one.
    pub remaining: u32,
    /// When refused: how long until one call fits. When allowed: how long until the whole burst is there again.
    pub wait: Duration,
}

/// Counts calls.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Charges one call of a class to a partition (a key id, a user id, an address) and says whether it fits.
    async fn charge(&self, class: RateClass, partition: &[u8]) -> Verdict;
}

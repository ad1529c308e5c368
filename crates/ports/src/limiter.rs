//! Rate limits: how much of what class a caller may do.

use std::time::Duration;

use async_trait::async_trait;

use crate::store::StoreResult;

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateClass {
    /// Calls without a valid credential, by network.
    Unauthenticated,
    /// Those of them whose credential opens nothing.
    FailedAuthentication,
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
    /// Password checks: by user, or by network and address together where nobody is signed in yet.
    Password,
    /// Password checks at one address, from wherever they come.
    PasswordAddress,
    /// Password checks and sign-ins from one network, of whomever.
    PasswordNetwork,
    /// Second-factor codes: by key or session, or by user where nobody is signed in yet.
    Code,
    /// Mails that a user causes.
    Mail,
    /// The same over a day.
    MailDay,
    /// Mails to one address that strangers cause.
    MailAddress,
    /// Mails that strangers cause from one network.
    MailNetwork,
    /// Sign-ups from one network.
    SignUp,
    /// Reports of leaked keys from one network.
    LeakReport,
    /// Every call of a workspace together.
    Workspace,
    /// Observations of markets, each row by itself.
    Observation,
}

impl RateClass {
    /// Every class.
    pub const ALL: [Self; 19] = [
        Self::Unauthenticated,
        Self::FailedAuthentication,
        Self::Read,
        Self::List,
        Self::Write,
        Self::Trade,
        Self::Key,
        Self::Password,
        Self::PasswordAddress,
        Self::PasswordNetwork,
        Self::Code,
        Self::Mail,
        Self::MailDay,
        Self::MailAddress,
        Self::MailNetwork,
        Self::SignUp,
        Self::LeakReport,
        Self::Workspace,
        Self::Observation,
    ];

    /// The name in settings and in the `RateLimit` header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::FailedAuthentication => "failed_authentication",
            Self::Read => "read",
            Self::List => "list",
            Self::Write => "write",
            Self::Trade => "trade",
            Self::Key => "key",
            Self::Password => "password",
            Self::PasswordAddress => "password_address",
            Self::PasswordNetwork => "password_network",
            Self::Code => "code",
            Self::Mail => "mail",
            Self::MailDay => "mail_day",
            Self::MailAddress => "mail_address",
            Self::MailNetwork => "mail_network",
            Self::SignUp => "sign_up",
            Self::LeakReport => "leak_report",
            Self::Workspace => "workspace",
            Self::Observation => "observation",
        }
    }

    /// Whether answers tell what is left. Guessers of passwords and codes get no such help.
    pub const fn is_disclosed(self) -> bool {
        match self {
            Self::Read | Self::List | Self::Write | Self::Trade | Self::Key | Self::Workspace | Self::Observation => {
                true
            }
            Self::Unauthenticated
            | Self::FailedAuthentication
            | Self::Password
            | Self::PasswordAddress
            | Self::PasswordNetwork
            | Self::Code
            | Self::Mail
            | Self::MailDay
            | Self::MailAddress
            | Self::MailNetwork
            | Self::SignUp
            | Self::LeakReport => false,
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
///
/// A partition is a key's, session's, user's or workspace's id, a network, or an e-mail address.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Charges one call of a class to a partition and says whether it fits. Counted in this process, so that it costs
    /// nothing: where several processes serve, each gives out its share.
    async fn charge(&self, class: RateClass, partition: &[u8]) -> Verdict {
        self.charge_several(class, partition, 1).await
    }

    /// Charges several calls at once, all or none. As many as may come at once fit into a share in any case.
    async fn charge_several(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict;

    /// Refunds one call that [`Limiter::charge`] let through and that was not served.
    async fn refund(&self, class: RateClass, partition: &[u8]);

    /// The quota of a class, as it is set for the whole installation.
    fn quota(&self, class: RateClass) -> Quota;

    /// As [`Limiter::charge`], counted over every process of the installation: for classes whose limit must hold to the call, since
    /// each call more is a guess more.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`](crate::store::StoreError::Unavailable) when what is counted cannot be reached: nobody
    /// may guess then.
    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict>;

    /// As [`Limiter::refund`], for a call that [`Limiter::charge_exactly`] let through.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`](crate::store::StoreError::Unavailable) when what is counted cannot be reached.
    async fn refund_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<()>;
}

/// What several processes of one installation count together.
#[async_trait]
pub trait SharedCounts: Send + Sync {
    /// Charges one call of a class to a partition, by this quota.
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the counts cannot be reached.
    async fn charge(&self, class: RateClass, partition: &[u8], quota: Quota) -> StoreResult<Verdict>;

    /// Refunds one call that was charged by this quota.
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the counts cannot be reached.
    async fn refund(&self, class: RateClass, partition: &[u8], quota: Quota) -> StoreResult<()>;

    /// Notes that the process of this name is alive, forgets what needs no counting any more, and says how many processes
    /// are alive, at least 1. To be called every [`HEARTBEAT`].
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the counts cannot be reached.
    async fn count_nodes(&self, node: [u8; 16]) -> StoreResult<u32>;
}

/// How often a process says that it is alive. One that was silent for three times as long is counted no more.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

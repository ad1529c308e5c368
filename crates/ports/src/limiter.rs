//! Rate limits: how many calls of which class a caller may make.

use std::time::Duration;

use async_trait::async_trait;

use crate::store::StoreResult;

/// A class of calls that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateClass {
    /// Calls without a valid credential, by network.
    Unauthenticated,
    /// Calls of that class whose credential opens nothing.
    FailedAuthentication,
    /// Single reads and counts.
    Read,
    /// Lists and batch gets.
    List,
    /// Writes.
    Write,
    /// Writes that trade.
    Trade,
    /// Creating API keys, by user.
    Key,
    /// Password checks: by user, or by network and address together before the sign-in.
    Password,
    /// Password checks at one address, from any network.
    PasswordAddress,
    /// Password checks and sign-ins from one network, of any user.
    PasswordNetwork,
    /// Second-factor codes: by key or session, or by user before the sign-in.
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
    /// Codes with which people sign in to a trading account, by account.
    LoginCode,
    /// Every call of a workspace together.
    Workspace,
    /// Observations of markets, each row counted separately.
    Observation,
}

impl RateClass {
    /// Every class.
    pub const ALL: [Self; 20] = [
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
        Self::LoginCode,
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
            Self::LoginCode => "login_code",
            Self::Workspace => "workspace",
            Self::Observation => "observation",
        }
    }

    /// Returns whether answers show the remaining calls. Guessers of passwords and codes get no such help.
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
            | Self::LeakReport
            | Self::LoginCode => false,
        }
    }
}

/// The quota of a class: a sustained rate, and a limit on calls at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Sustained calls in `window`; at least 1.
    pub calls: u32,
    /// The time that `calls` refers to; above zero.
    pub window: Duration,
    /// Calls that may come at once; at least 1.
    pub burst: u32,
}

/// The limiter's answer to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the call may proceed.
    pub allowed: bool,
    /// The quota that answered.
    pub quota: Quota,
    /// The number of calls that may come at once after this one.
    pub remaining: u32,
    /// For a rejected call, the time until one call fits. For an allowed one, the time until the whole burst is available again.
    pub wait: Duration,
}

/// Counts calls.
///
/// A partition is a key's, session's, user's or workspace's id, a network, or an e-mail address.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Charges one call of a class to a partition and returns whether it fits. The count is in this process, so that it costs nothing. If
    /// several processes serve, each grants its share.
    async fn charge(&self, class: RateClass, partition: &[u8]) -> Verdict {
        self.charge_several(class, partition, 1).await
    }

    /// Charges several calls at once, all or none. A full burst fits into a share in any case.
    async fn charge_several(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict;

    /// Refunds one call that [`Limiter::charge`] allowed and that was not served.
    async fn refund(&self, class: RateClass, partition: &[u8]);

    /// Returns the quota of a class, as it is set for the whole installation.
    fn quota(&self, class: RateClass) -> Quota;

    /// Charges as [`Limiter::charge`], counted over every process of the installation. For classes whose limit must be exact, since each
    /// further call is a further guess.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`](crate::store::StoreError::Unavailable) when the counts cannot be reached. The caller must allow no
    /// guess then.
    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict>;

    /// Refunds as [`Limiter::refund`], for a call that [`Limiter::charge_exactly`] allowed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`](crate::store::StoreError::Unavailable) when the counts cannot be reached.
    async fn refund_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<()>;
}

/// The counts that several processes of one installation share.
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

    /// Records that a process is alive, and deletes counts that are no longer needed. Returns what is known of the processes that are alive.
    /// Every process calls it every [`HEARTBEAT`], with an id that is greater than those of processes that began before it.
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the counts cannot be reached.
    async fn beat(&self, process: [u8; 16]) -> StoreResult<LiveProcesses>;

    /// Records that a process has ended, so that the others need not wait for its silence.
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the counts cannot be reached.
    async fn leave(&self, process: [u8; 16]) -> StoreResult<()>;
}

/// The processes that are alive, as one of them sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveProcesses {
    /// How many there are, at least 1.
    pub count: u32,
    /// Whether this one began last.
    pub is_latest: bool,
}

/// The interval at which a process reports that it is alive. After three such intervals of silence, it is no longer counted.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

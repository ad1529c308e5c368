//! The section `limits`: how much of each class of calls is allowed.

use std::time::Duration;

use serde::Deserialize;
use tradepost::operations::WaiterLimits;
use tradepost_adapters_limits::Quotas;
use tradepost_ports::limiter::{Quota, RateClass};

/// One quota; what is absent stays at its default.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limit {
    /// the quota of a class of the [table of limits](server-limits.md#limits). Several servers on one PostgreSQL share
    /// each quota, exactly for the classes that the table marks
    /// ([ADR 70](../adr/0070-guesses-are-counted-in-the-database-and-cheap-checks-come-first.md))
    ///
    /// Default: by class
    calls: Option<u32>,
    /// See `calls`.
    window_seconds: Option<u32>,
    /// See `calls`.
    burst: Option<u32>,
}

/// How many calls may wait in `WatchTransitions` at one moment.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Waiters {
    /// maximum number of calls that wait in `WatchTransitions` at one moment: in a process, of one workspace, and of
    /// one API key or all sessions of one user
    in_process: u16,
    /// See `in_process`.
    in_workspace: u16,
    /// See `in_process`.
    of_caller: u16,
}

impl Default for Waiters {
    fn default() -> Self {
        Self { in_process: 4_096, in_workspace: 256, of_caller: 16 }
    }
}

/// A quota for each class of calls.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    unauthenticated: Limit,
    failed_authentication: Limit,
    read: Limit,
    list: Limit,
    write: Limit,
    trade: Limit,
    key: Limit,
    password: Limit,
    password_address: Limit,
    password_network: Limit,
    code: Limit,
    mail: Limit,
    mail_day: Limit,
    mail_address: Limit,
    mail_network: Limit,
    sign_up: Limit,
    leak_report: Limit,
    login_code: Limit,
    workspace: Limit,
    observation: Limit,
    waiters: Waiters,
}

impl Limits {
    /// The quotas, with the defaults where nothing is set.
    pub(crate) fn quotas(&self) -> Quotas {
        RateClass::ALL.into_iter().fold(Quotas::default(), |quotas, class| {
            let quota = self.of(class).over(quotas.of(class));
            quotas.with(class, quota)
        })
    }

    /// The limits of calls that wait.
    pub(crate) fn waiters(&self) -> WaiterLimits {
        let Waiters { in_process, in_workspace, of_caller } = self.waiters;
        WaiterLimits { in_process: in_process.into(), in_workspace: in_workspace.into(), of_caller: of_caller.into() }
    }

    const fn of(&self, class: RateClass) -> Limit {
        match class {
            RateClass::Unauthenticated => self.unauthenticated,
            RateClass::FailedAuthentication => self.failed_authentication,
            RateClass::Read => self.read,
            RateClass::List => self.list,
            RateClass::Write => self.write,
            RateClass::Trade => self.trade,
            RateClass::Key => self.key,
            RateClass::Password => self.password,
            RateClass::PasswordAddress => self.password_address,
            RateClass::PasswordNetwork => self.password_network,
            RateClass::Code => self.code,
            RateClass::Mail => self.mail,
            RateClass::MailDay => self.mail_day,
            RateClass::MailAddress => self.mail_address,
            RateClass::MailNetwork => self.mail_network,
            RateClass::SignUp => self.sign_up,
            RateClass::LeakReport => self.leak_report,
            RateClass::LoginCode => self.login_code,
            RateClass::Workspace => self.workspace,
            RateClass::Observation => self.observation,
        }
    }
}

impl Limit {
    fn over(self, default: Quota) -> Quota {
        Quota {
            calls: self.calls.unwrap_or(default.calls),
            window: self.window_seconds.map_or(default.window, |seconds| Duration::from_secs(seconds.into())),
            burst: self.burst.unwrap_or(default.burst),
        }
    }
}

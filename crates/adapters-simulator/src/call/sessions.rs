//! Signing in, as values: the calls of the port, and what a trading account signs in by.
//!
//! Login names, passwords and codes are those of a simulation. They are in the journal of a world as they are.

use serde::{Deserialize, Serialize};
use tradepost_domain::trading::account_session::Guard;

use crate::serde_repr;

/// A method of the port `PlatformSessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the port documents its methods and their arguments")]
pub enum SessionCall {
    Begin {
        login_name: String,
        password: String,
    },
    GiveCode {
        attempt: String,
        #[serde(with = "serde_repr")]
        guard: Guard,
        code: String,
    },
    Poll {
        attempt: String,
    },
    Renew {
        refresh: String,
        also_refresh: bool,
    },
    Revoke {
        refresh: String,
    },
}

/// What a trading account signs in by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountSignIn {
    /// Its login name, which no other account has.
    pub login_name: String,
    /// Its password.
    pub password: String,
    /// What else it is asked for.
    #[serde(default)]
    pub guard: SimulatedGuard,
}

/// What an account is asked for after its password.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimulatedGuard {
    /// Nothing.
    #[default]
    None,
    /// The code that is mailed to its owner ([`SentCode`](super::WorldCommand::SentCode)).
    EmailCode,
    /// The code of an authenticator ([`DeviceCode`](super::WorldCommand::DeviceCode)).
    DeviceCode {
        /// What the authenticator shares with the platform: 20 bytes in base 64.
        shared_secret: String,
    },
    /// An approval of its owner ([`ApproveSignIn`](super::WorldCommand::ApproveSignIn)).
    Approval,
}

//! The values of signing in, which are written down when a call is kept or sent.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{Asked, EmailDomain, Guard, TokenExpiry};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::{Attempt, SessionRefusal, SignIn};

use super::Stored;
use super::traded::{cases, records, texts};
use crate::tokens::IssuedTokens;

texts! {
    Guard, str::parse::<Guard>;
}

records! {
    Asked as PlainAsked { guards: Vec<Guard>, email_domain: Option<EmailDomain> }
    SignIn as PlainSignIn { attempt: Attempt, asked: Asked, poll_every: Duration }
    TokenExpiry as PlainExpiry { access: Timestamp, refresh: Timestamp }
    IssuedTokens as PlainTokens { user: PlatformUserId, access: String, refresh: String, expiry: TokenExpiry }
}

cases! {
    SessionRefusal as PlainSessionRefusal {
        WrongPassword {},
        WrongCode {},
        ApprovalDenied {},
        Expired {},
        Other { 0 as why: String },
    }
}

impl Stored for Attempt {
    type Plain = String;

    fn plain(&self) -> String {
        self.0.clone()
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        Ok(Self(plain))
    }
}

/// In microseconds.
impl Stored for Duration {
    type Plain = u64;

    fn plain(&self) -> u64 {
        u64::try_from(self.as_micros()).unwrap_or(u64::MAX)
    }

    fn taken_from(plain: u64) -> Result<Self, String> {
        Ok(Self::from_micros(plain))
    }
}

//! Sessions at the game platform, bounded as its other calls are. A sign-in that is turned away holds up other sign-ins, and a renewal only those
//! of its account.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::game_platform::sessions::{Attempt, PlatformSessions, SessionResult, SignIn, SignInAs, Tokens};

use super::{Backoff, Line};
use crate::telemetry::System;
use crate::timings::EngineTimings;

pub(super) struct BackoffSessions {
    of: Arc<dyn PlatformSessions>,
    line: Line,
    sign_ins: Backoff<()>,
    accounts: Backoff<PlatformUserId>,
}

impl BackoffSessions {
    pub(super) fn new(of: Arc<dyn PlatformSessions>, clock: &Arc<dyn MarketClock>, timings: &EngineTimings) -> Self {
        let line = Line::new(System::platform(), timings);
        Self { of, line, sign_ins: Backoff::new(clock, timings), accounts: Backoff::new(clock, timings) }
    }
}

#[async_trait]
impl PlatformSessions for BackoffSessions {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        self.sign_ins.call((), self.line.call("begin_sign_in", self.of.begin(who))).await
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        self.line.call("give_code", self.of.give_code(attempt, guard, code)).await
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        self.line.call("poll_sign_in", self.of.poll(attempt)).await
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        self.accounts.call(tokens.user, self.line.call("renew_tokens", self.of.renew(tokens, also_refresh))).await
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        self.accounts.call(tokens.user, self.line.call("revoke_tokens", self.of.revoke(tokens))).await
    }
}

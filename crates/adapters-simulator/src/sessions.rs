//! The port of signing in: every method becomes a request, and its answer a result.

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::trading::account_session::Guard;
use tradepost_ports::game_platform::sessions::{Attempt, PlatformSessions, SessionResult, SignIn, SignInAs, Tokens};

use crate::call::{Answer, Request, SessionCall};
use crate::simulator::Simulator;
use crate::tokens::IssuedTokens;
use crate::world_transport::{WorldTransport, expected};

/// Signing in at the simulated game platform: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedSessions<L = Simulator> {
    line: L,
}

impl<L: WorldTransport> SimulatedSessions<L> {
    /// Signing in at the end of a line.
    pub const fn new(line: L) -> Self {
        Self { line }
    }

    async fn call<T>(&self, call: SessionCall) -> SessionResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let answer = self.line.ask(Request::Sessions { call }).await?;
        expected(answer, |answer| if let Answer::SessionFailed(error) = answer { Some(error) } else { None })
    }
}

impl Simulator {
    /// Signing in, for every trading account of a customer that needs it.
    pub fn sessions(&self) -> SimulatedSessions {
        SimulatedSessions::new(self.clone())
    }
}

/// A request to a simulation has its secrets in plain text.
fn exposed(secret: &SecretString) -> String {
    secret.expose_secret().to_owned()
}

#[async_trait]
impl<L: WorldTransport> PlatformSessions for SimulatedSessions<L> {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        self.call(SessionCall::Begin { login_name: exposed(&who.login_name), password: exposed(&who.password) }).await
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        self.call(SessionCall::GiveCode { attempt: attempt.0.clone(), guard, code: exposed(code) }).await
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        let issued: Option<IssuedTokens> = self.call(SessionCall::Poll { attempt: attempt.0.clone() }).await?;
        Ok(issued.map(Tokens::from))
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        let call = SessionCall::Renew { refresh: exposed(&tokens.refresh), also_refresh };
        let renewed: IssuedTokens = self.call(call).await?;
        Ok(renewed.into())
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        self.call(SessionCall::Revoke { refresh: exposed(&tokens.refresh) }).await
    }
}

//! Keeps trading accounts signed in: signs in those that a person or a lost session asks for, and renews tokens before they end.
//!
//! The node that holds the inventory does so for all accounts, so that no token is renewed twice at once. What was begun is remembered between
//! passes; a process that starts again begins sign-ins again, and takes the answer of a renewal that it did not begin for lost.

mod doubts;
mod renewing;
mod signing_in;
mod unkept;

use std::sync::Arc;

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::id::AccountSessionId;
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent};
use tradepost_operations::trading::{LiveAccountSessions, RecordSessionStep, ReportExpiringTokens};
use tradepost_operations::{OpResult, Reason};
use tradepost_ports::game_platform::sessions::PlatformSessions;

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::sessions::renewing::Renewing;
use crate::sessions::signing_in::SigningIn;
use crate::turns::Turns;

/// Shortest time between two looks at the sessions.
const INTERVAL: Duration = Duration::seconds(2);
/// How often people are warned of tokens that end soon.
const BETWEEN_WARNINGS: Duration = Duration::HOUR;

/// What is remembered of sessions between passes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sessions {
    looked_at: Option<Mark>,
    warned_at: Option<Mark>,
    turns: Turns<AccountSessionId>,
    signing_in: SigningIn,
    renewing: Renewing,
}

/// What a step of a session works with.
pub(crate) struct SessionDesk<'a> {
    pub(crate) context: &'a mut Context,
    pub(crate) port: &'a Arc<dyn PlatformSessions>,
}

impl SessionDesk<'_> {
    async fn record(&self, session: &AccountSession, event: SessionEvent) -> EngineResult {
        let command = RecordSessionStep { workspace_id: session.workspace_id, account_session_id: session.id, event };
        self.context.operations().record_session_step(self.context.caller(), command).await?;
        Ok(())
    }

    /// Records that the platform is about to be called for a session. Returns `false` where the record forbids the call: another process has
    /// announced it lately.
    async fn announce(&self, session: &AccountSession, event: SessionEvent) -> EngineResult<bool> {
        let command = RecordSessionStep { workspace_id: session.workspace_id, account_session_id: session.id, event };
        self.is_announced(self.context.operations().record_session_step(self.context.caller(), command)).await
    }

    /// Waits for the commit of an announcement. The commit fails if another node has taken the lease. A call that would follow too late is not
    /// made: another node may make it by then.
    async fn is_announced<T>(&self, recorded: impl Future<Output = OpResult<T>>) -> EngineResult<bool> {
        Ok(self.announced(recorded).await?.is_some())
    }

    /// The same; returns what was recorded, and nothing where the record forbids the call.
    async fn announced<T>(&self, recorded: impl Future<Output = OpResult<T>>) -> EngineResult<Option<T>> {
        let started = Instant::now();
        let recorded = match recorded.await {
            Err(refused) if refused.reason == Reason::IllegalStep => return Ok(None),
            recorded => recorded?,
        };
        if started.elapsed() >= self.context.timings().sent_within {
            return Err(EngineError::SubmitTooLate);
        }
        Ok(Some(recorded))
    }
}

impl Sessions {
    /// Renews what is due, and takes sessions one step further. Sales and deliveries of the pass wait for it, so that it is bounded.
    pub(crate) async fn step(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        self.keep_tokens(context, pass).await;
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.looked_at.as_ref(), now, INTERVAL) {
            return Ok(());
        }
        let Some(port) = context.desk().sessions.clone() else { return Ok(()) };
        self.looked_at = Some(now);
        let mut desk = SessionDesk { context, port: &port };
        // First, because an account is signed out once its token ends.
        let renewed = self.renewing.renew_due(&mut desk, pass).await;
        pass.record_error(renewed);
        desk.context.renew_leases().await?;
        if !desk.context.holds_inventory() {
            return Ok(());
        }
        let query = LiveAccountSessions { workspace_id: desk.context.desk().workspace_id };
        let mut live = desk.context.operations().live_account_sessions(desk.context.caller(), query).await?;
        self.signing_in.forget_all_but(&live);
        let started = self.signing_in.start_again(&mut desk, &live, pass).await;
        // At once, because the time of a sign-in runs.
        live.extend(started);
        self.turns.retain(|id| live.iter().any(|session| session.value.id == *id));
        for session in self.turns.in_turn(live, |session| &session.value.id, desk.context.time_slice()) {
            self.turns.note(session.value.id, desk.context.mark());
            let followed = if session.value.status.is_signing_in() {
                self.signing_in.follow(&mut desk, &session.value).await
            } else {
                self.renewing.follow(&mut desk, &session.value).await
            };
            pass.record_error(followed);
        }
        self.warn(&desk, now).await
    }

    /// Seals tokens that came and could not be sealed before, whether or not this node still holds the inventory.
    pub(crate) async fn keep_tokens(&mut self, context: &mut Context, pass: &mut Pass) {
        if self.signing_in.unkept.is_empty() && self.renewing.unkept.is_empty() {
            return;
        }
        let Some(port) = context.desk().sessions.clone() else { return };
        let mut desk = SessionDesk { context, port: &port };
        self.signing_in.keep_tokens(&mut desk, pass).await;
        self.renewing.keep_tokens(&mut desk, pass).await;
    }

    async fn warn(&mut self, desk: &SessionDesk<'_>, now: Mark) -> EngineResult {
        if is_due(self.warned_at.as_ref(), now, BETWEEN_WARNINGS) {
            let query = ReportExpiringTokens { workspace_id: desk.context.desk().workspace_id };
            desk.context.operations().report_expiring_tokens(desk.context.caller(), query).await?;
            self.warned_at = Some(now);
        }
        Ok(())
    }
}

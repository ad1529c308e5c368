//! Keeps trading accounts signed in: signs in those that a person or a lost session asks for, and renews tokens before they end.
//!
//! The node that holds the inventory does so for all accounts, so that no token is renewed twice at once. What was begun is remembered between
//! passes; a process that starts again begins sign-ins again, and takes the answer of a renewal that it did not begin for lost.

mod renewing;
mod signing_in;

use std::sync::Arc;

use time::Duration;
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent};
use tradepost_operations::trading::{LiveAccountSessions, RecordSessionStep, ReportExpiringTokens};
use tradepost_ports::game_platform::sessions::PlatformSessions;

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::sessions::renewing::Renewing;
use crate::sessions::signing_in::SigningIn;

/// Shortest time between two looks at the sessions.
const INTERVAL: Duration = Duration::seconds(2);
/// How often people are warned of tokens that end soon.
const BETWEEN_WARNINGS: Duration = Duration::HOUR;

/// What is remembered of sessions between passes.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    looked_at: Option<Mark>,
    warned_at: Option<Mark>,
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
}

impl Sessions {
    /// Takes every session one step further, and renews what is due.
    pub(crate) async fn step(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.looked_at.as_ref(), now, INTERVAL) {
            return Ok(());
        }
        let Some(port) = context.desk().sessions.clone() else { return Ok(()) };
        self.looked_at = Some(now);
        let mut desk = SessionDesk { context, port: &port };
        self.signing_in.start_again(&mut desk).await?;
        let query = LiveAccountSessions { workspace_id: desk.context.desk().workspace_id };
        let live = desk.context.operations().live_account_sessions(desk.context.caller(), query).await?;
        self.signing_in.forget_all_but(&live);
        for session in &live {
            let followed = if session.value.status.is_signing_in() {
                self.signing_in.follow(&mut desk, &session.value).await
            } else {
                self.renewing.follow(&mut desk, &session.value).await
            };
            pass.record_error(followed);
        }
        self.renewing.renew_due(&mut desk, pass).await?;
        self.warn(&desk, now).await
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

//! Sessions that work by their records, and whose accounts the platform rejects: only a new token that is rejected, too, shows that one is lost.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::id::AccountSessionId;
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure, TokenExpiry};
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_operations::trading::RequestRenewal;

use crate::error::EngineResult;
use crate::mark::Mark;
use crate::sessions::SessionDesk;

/// How long the platform has to accept a new token. An account is read once a minute.
const GRACE: Duration = Duration::minutes(5);
/// After this time without a new token, one is asked for again.
const ASKED_AGAIN: Duration = Duration::minutes(15);

/// The sessions that the platform rejects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doubts(BTreeMap<AccountSessionId, Doubt>);

#[derive(Debug, Clone, Copy)]
struct Doubt {
    /// The ends of the tokens that were rejected.
    rejected: Option<TokenExpiry>,
    asked_at: Mark,
    /// When a new token was first seen.
    renewed_at: Option<Mark>,
}

impl Doubts {
    pub(super) async fn follow(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        if !desk.context.needs_login(session.account_id) {
            self.0.remove(&session.id);
            return Ok(());
        }
        let Some(doubt) = self.0.get_mut(&session.id) else { return self.ask(desk, session, now).await };
        if doubt.rejected == session.expiry {
            return if now.since(doubt.asked_at) < ASKED_AGAIN { Ok(()) } else { self.ask(desk, session, now).await };
        }
        let renewed_at = *doubt.renewed_at.get_or_insert(now);
        if now.since(renewed_at) < GRACE {
            return Ok(());
        }
        self.0.remove(&session.id);
        desk.record(session, SessionEvent::Lost(SessionFailure::Expired)).await
    }

    async fn ask(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession, now: Mark) -> EngineResult {
        let (workspace_id, account_id) = (session.workspace_id, session.account_id);
        let request = RequestRenewal { workspace_id, account_id, kind: RenewalKind::AccessToken };
        desk.context.operations().request_renewal(desk.context.caller(), request).await?;
        self.0.insert(session.id, Doubt { rejected: session.expiry, asked_at: now, renewed_at: None });
        Ok(())
    }
}

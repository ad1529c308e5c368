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

/// How long the platform has to accept a new token. Only a read that begins later shows that it does not.
const GRACE: Duration = Duration::minutes(5);
/// How often an account whose session is uncertain is read in the meantime, whether or not it is its turn.
const READ_EVERY: Duration = Duration::MINUTE;
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

impl Doubt {
    /// Whether a read that began at this time and was rejected shows that the session is lost: it was made with a new token that the platform
    /// has had time to accept.
    fn is_settled_by(&self, rejected_at: Option<Mark>) -> bool {
        let (Some(renewed_at), Some(rejected_at)) = (self.renewed_at, rejected_at) else { return false };
        rejected_at.since(renewed_at) >= GRACE
    }
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
        doubt.renewed_at = doubt.renewed_at.or(Some(now));
        if !doubt.is_settled_by(desk.context.rejected_at(session.account_id)) {
            return desk.context.read_in_doubt(session.account_id, READ_EVERY).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(minutes: i64) -> Mark {
        Mark::START.plus(Duration::minutes(minutes))
    }

    #[test]
    fn a_session_is_lost_only_by_a_rejection_five_minutes_after_its_new_token() {
        let doubt = Doubt { rejected: None, asked_at: mark(9), renewed_at: Some(mark(10)) };
        let is_lost = [None, Some(8), Some(14), Some(15)].map(|minutes| doubt.is_settled_by(minutes.map(mark)));
        assert_eq!(is_lost, [false, false, false, true]);
        assert!(!Doubt { renewed_at: None, ..doubt }.is_settled_by(Some(mark(60))), "no new token came");
    }
}

//! Samples of sessions of trading accounts, and of renewals of their tokens.

use time::Duration;
use tradepost_domain::id::{AccountId, RecordKey, WorkspaceId};
use tradepost_domain::trading::account_session::{
    AccountSession, Asked, Guard, SessionEvent, SessionFailure, SessionStatus, Start, TokenExpiry,
};
use tradepost_domain::trading::renewal::{Issued, Renewal, RenewalEvent, RenewalKind, RenewalStatus};

use super::{Samples, minute, start, text};

/// Returns how long tokens last: for a day, and for 200 days.
fn token_expiry() -> TokenExpiry {
    TokenExpiry { access: start().plus(Duration::DAY), refresh: start().plus(Duration::days(200)) }
}

impl Samples {
    /// Returns a session of a new account in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn account_session_in(&self, workspace_id: WorkspaceId, status: SessionStatus) -> AccountSession {
        self.account_session_of(workspace_id, self.id(), status)
    }

    /// Returns a session of an account in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn account_session_of(
        &self,
        workspace_id: WorkspaceId,
        account: AccountId,
        status: SessionStatus,
    ) -> AccountSession {
        use SessionEvent as On;
        let asking = |guard| On::Asked(Asked { guards: vec![guard], email_domain: Some(text("mail.example")) });
        let signed_in = || On::SignedIn(token_expiry());
        let events = match status {
            SessionStatus::Starting => Vec::new(),
            SessionStatus::AwaitingCode => vec![asking(Guard::EmailCode)],
            SessionStatus::AwaitingApproval => vec![asking(Guard::EmailApproval)],
            SessionStatus::Active => vec![signed_in()],
            SessionStatus::Renewing => vec![signed_in(), On::RenewalBegun],
            SessionStatus::Expired => vec![signed_in(), On::Lost(SessionFailure::Expired)],
            SessionStatus::Failed => vec![On::Refused(SessionFailure::WrongPassword)],
            SessionStatus::Revoked => vec![signed_in(), On::Revoked],
            SessionStatus::Closed => vec![signed_in(), On::Closed],
        };
        let key = RecordKey { workspace_id, id: self.id() };
        let how = Start { uses_stored_code: true, is_automatic: false };
        let started = AccountSession::start(key, account, how, start());
        events.into_iter().fold(started, |session, event| session.apply(event, minute(1)).unwrap())
    }

    /// Returns a renewal of the access token of a new account in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn renewal_in(&self, workspace_id: WorkspaceId, status: RenewalStatus) -> Renewal {
        self.renewal_of(workspace_id, self.id(), RenewalKind::AccessToken, status)
    }

    /// Returns a renewal of a token of an account in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn renewal_of(
        &self,
        workspace_id: WorkspaceId,
        account: AccountId,
        kind: RenewalKind,
        status: RenewalStatus,
    ) -> Renewal {
        use RenewalEvent as On;
        let events: &[RenewalEvent] = match status {
            RenewalStatus::Scheduled => &[],
            RenewalStatus::Running => &[On::Begun],
            RenewalStatus::Succeeded => &[On::Begun, On::Succeeded],
            RenewalStatus::Retrying => &[On::Begun, On::Refused],
            RenewalStatus::Uncertain => &[On::Begun, On::AnswerLost],
            RenewalStatus::Exhausted => &[On::GivenUp],
            RenewalStatus::Cancelled => &[On::Cancelled],
        };
        let key = RecordKey { workspace_id, id: self.id() };
        let expiry = token_expiry();
        let expires_at = match kind {
            RenewalKind::AccessToken => expiry.access,
            RenewalKind::RefreshToken => expiry.refresh,
        };
        let scheduled = Renewal::scheduled(key, account, kind, Issued { at: start(), expires_at }, 128);
        events.iter().fold(scheduled, |renewal, event| renewal.apply(*event, minute(1)).unwrap())
    }
}

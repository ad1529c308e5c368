//! `ListSessions`, `RevokeSession`, `RevokeOtherSessions` and `SignOut`: where a user is signed in, and ending it.

use tradepost_domain::accounts::access::{Denied, PrincipalId, Prover};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{SessionId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::ListedSession;

use crate::{OpError, OpResult, Operations};

/// The session to revoke.
#[derive(Debug, Clone, Copy)]
pub struct RevokeSession {
    /// The session.
    pub session_id: SessionId,
}

/// A session and when it was last used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionWithUse {
    /// The session.
    pub session: Session,
    /// When it was last used.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// Whether it is the one that calls.
    pub is_current: bool,
}

impl Operations {
    /// Lists the live sessions of the caller's user, the latest sign-in first.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn list_sessions(&self, caller: &Caller) -> OpResult<Vec<SessionWithUse>> {
        let user_id = caller.principal.act_as_user()?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let current = current(caller);
        let live = self.live_sessions(user.peek()).await?;
        let shown = live.into_iter().rev().map(|(session, last_seen_at)| {
            let (session, _) = session.into_display();
            let (is_current, expires_at) = (current == Some(session.id), self.session_life.expires_at(&session));
            SessionWithUse { session, last_seen_at, expires_at, is_current }
        });
        Ok(shown.collect())
    }

    /// Ends one session of the caller's user, which may be the one that calls. Nothing is done with it once this has answered.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`; `not_found`.
    pub async fn revoke_session(&self, caller: &Caller, command: RevokeSession) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let session = live_session(self, user_id, command.session_id).await?;
            let mut changes = Changes::by(caller);
            let ended = changes.remove(session.ok_or_else(|| OpError::not_found("session"))?);
            changes.audit(AuditKind::SessionRevoked, &ended);
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }

    /// Ends every session of the caller's user except the calling one; returns how many were live.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn revoke_other_sessions(&self, caller: &Caller) -> OpResult<usize> {
        let user_id = caller.principal.act_as_user()?;
        let current = current(caller);
        self.retrying(|| async {
            let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            let live = self.live_sessions(user.peek()).await?;
            let revoked = live.iter().filter(|(session, _)| Some(session.peek().id) != current).count();
            let mut changes = Changes::by(caller);
            end_sessions(self, user_id, current, &mut changes).await?;
            changes.audit(AuditKind::SessionOthersRevoked, About::from(user_id).with(Fact::Count, &revoked));
            self.commit(caller, changes).await?;
            Ok(revoked)
        })
        .await
    }

    /// Ends the session that calls.
    ///
    /// # Errors
    /// `permission_denied` when no session calls.
    pub async fn sign_out(&self, caller: &Caller) -> OpResult<()> {
        let user_id = caller.principal.act_in_person()?;
        let session_id = current(caller).ok_or(Denied)?;
        self.retrying(|| async {
            // Another call has ended the session already, which is what the caller asked for.
            let Some(session) = live_session(self, user_id, session_id).await? else { return Ok(()) };
            let mut changes = Changes::by(caller);
            let ended = changes.remove(session);
            changes.audit(AuditKind::SessionSignedOut, &ended);
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }

    async fn live_sessions(&self, user: &User) -> OpResult<Vec<(Seen<Session>, Timestamp)>> {
        let at = self.now();
        let listed = self.ports.store.sessions().list(user.id).await?;
        let live = listed.into_iter().filter(|listed| listed.session.peek().is_live(user, ends_at(self, listed), at));
        let with_use = live.map(|listed| {
            let last_seen_at = self.uses.last_seen(&listed);
            (listed.session, last_seen_at)
        });
        Ok(with_use.collect())
    }
}

/// Adds the end of every session of a user, but one, to the changes.
pub(crate) async fn end_sessions(
    operations: &Operations,
    user_id: UserId,
    but: Option<SessionId>,
    changes: &mut Changes,
) -> OpResult<()> {
    for listed in operations.ports.store.sessions().list(user_id).await? {
        if Some(listed.session.peek().id) != but {
            changes.remove(listed.session);
        }
    }
    Ok(())
}

/// Returns a session of a user, if it is live.
pub(crate) async fn live_session(
    operations: &Operations,
    user_id: UserId,
    id: SessionId,
) -> OpResult<Option<Seen<Session>>> {
    let Some(user) = operations.ports.store.users().find(user_id).await? else { return Ok(None) };
    let mut live = operations.live_sessions(user.peek()).await?.into_iter().map(|(session, _)| session);
    Ok(live.find(|session| session.peek().id == id))
}

/// Returns the time at which a session ends if it is not used again.
pub(crate) fn ends_at(operations: &Operations, listed: &ListedSession) -> Timestamp {
    operations.session_life.ends_at(listed.session.peek(), operations.uses.last_seen(listed))
}

/// Returns the session that calls.
pub(crate) fn current(caller: &Caller) -> Option<SessionId> {
    match caller.principal.prover() {
        Some(Prover { id: PrincipalId::Session(id), .. }) => Some(id),
        Some(Prover { id: PrincipalId::Key(_), .. }) | None => None,
    }
}

//! Opening a session: what signing in ends with.

use crate::accounts::credentials::email_links::end_setup_link;
use crate::accounts::sessions::ends_at;
use crate::accounts::sign_in::known_devices::device_token;
use secrecy::SecretString;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::session::{MOST_LIVE, Proofs, Session, UserAgent};
use tradepost_domain::accounts::user::User;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::secrets::TokenKind;

use crate::{OpResult, Operations};

/// A user who has signed in.
#[derive(Debug)]
pub struct SignedIn {
    /// The token of the session, shown this once.
    pub session_token: SecretString,
    /// When the session ends at the latest; some time without use ends it before.
    pub expires_at: Timestamp,
    /// The user.
    pub user: User,
    /// The token with which the device is known at its next sign-in; `None` for a user without an address.
    pub device_token: Option<SecretString>,
}

/// A user who has proved their identity, and the proofs.
pub(crate) struct AuthenticatedUser {
    pub(crate) user: User,
    pub(crate) proofs: Proofs,
    pub(crate) user_agent: Option<UserAgent>,
}

/// Adds a session to the changes, ending those of the user that are over and the oldest beyond the limit, and a link of the first start.
pub(crate) async fn open_session(
    operations: &Operations,
    caller: &Caller,
    changes: &mut Changes,
    proved: AuthenticatedUser,
    at: Timestamp,
) -> OpResult<SignedIn> {
    let AuthenticatedUser { user, proofs, user_agent } = proved;
    let sessions = operations.ports.store.sessions().list(user.id).await?;
    let (live, over): (Vec<_>, Vec<_>) =
        sessions.into_iter().partition(|listed| listed.session.peek().is_live(&user, ends_at(operations, listed), at));
    let beyond = (live.len() + 1).saturating_sub(MOST_LIVE);
    for ended in over.into_iter().chain(live.into_iter().take(beyond)) {
        changes.remove(ended.session);
    }
    end_setup_link(operations, changes, &user, at).await?;
    let issued = operations.ports.secrets.issue(TokenKind::Session);
    let session = Session {
        id: operations.mint(),
        user_id: user.id,
        prefix: issued.prefix,
        digest: issued.digest,
        proofs,
        proved_at: at,
        created_at: at,
        client: caller.client,
        user_agent,
    };
    let expires_at = operations.session_life.expires_at(&session);
    changes.audit(AuditKind::SessionSignedIn, &session);
    changes.insert(session);
    let device_token = user.email.as_ref().map(|email| device_token(operations, email, at));
    Ok(SignedIn { session_token: issued.secret, expires_at, user, device_token })
}

/// Returns the name that a client gives itself, as far as it can be stored.
pub(crate) fn user_agent(given: Option<&str>) -> Option<UserAgent> {
    let beginning: String = given?.chars().take(256).collect();
    UserAgent::new(&beginning).ok()
}

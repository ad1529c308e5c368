//! A user of the demo who signs in through another platform only. A holder of the user's key can try how such a user gets
//! an address and a password.

use std::convert::Infallible;

use secrecy::SecretString;
use tradepost::Tradepost;
use tradepost::domain::accounts::account_link::Provider;
use tradepost::domain::accounts::policy::PolicySet;
use tradepost::domain::accounts::user::{LinkedIdentity, User};
use tradepost::domain::id::{LinkedIdentityId, UserId, WorkspaceId};
use tradepost::domain::text::Name;
use tradepost::domain::time::Timestamp;
use tradepost::operations::Caller;
use tradepost::ports::changes::Changes;
use tradepost::ports::clock::Ids;
use tradepost::ports::store::StoreError;

use super::people::{Keys, join, register};
use super::sure;
use crate::failure::{Exit, Failure, Outcome};

/// The address by which the user joins, and which is then removed.
const EMAIL: &str = "chat@example.com";

/// Makes the user, and a key of theirs with every policy.
pub(super) async fn arrive(
    app: &Tradepost,
    workspace_id: WorkspaceId,
    ids: &impl Ids,
    at: Timestamp,
) -> Outcome<SecretString> {
    let operations = app.operations();
    let user = register(operations, EMAIL, "Chat user").await?;
    join(operations, workspace_id, user, EMAIL, &["analytics"]).await?;
    let key = Keys { operations, workspace_id }.issue(EMAIL, "Linked identity", PolicySet::EVERY, None).await?;
    let identity = LinkedIdentity {
        id: LinkedIdentityId::from_bytes(ids.next(at)),
        user_id: user,
        provider: Provider::Discord,
        subject: sure(Name::new("80351110224678912"))?,
        linked_at: at,
    };
    leave_only(app, user, identity).await.map_err(|error| {
        Failure::new(Exit::Failed, "the sample data has no user with a linked identity only").because(error)
    })?;
    Ok(key.raw_key)
}

/// Links the identity and takes address and password away, which no operation does: people come from other platforms by
/// signing in, never the other way round.
async fn leave_only(app: &Tradepost, user: UserId, identity: LinkedIdentity) -> Result<(), StoreError> {
    let mut changes = Changes::by(&Caller::system());
    if let Some(user) = app.store().users().find(user).await? {
        let Ok(_) = changes.revise(user, |user| Ok::<_, Infallible>(User { email: None, password: None, ..user }));
    }
    changes.insert(identity);
    app.store().commit(changes).await.map(drop)
}

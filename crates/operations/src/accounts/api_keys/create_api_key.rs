//! `CreateAPIKey`: a new key for the caller's workspace. Its secret is answered once.

use crate::accounts::memberships::membership_changes::addresses_of_managers;
use crate::accounts::workspaces::whole_workspace::take_turn_in;
use secrecy::SecretString;
use tradepost_domain::accounts::access::{Denied, WorkspaceScope};
use tradepost_domain::accounts::api_key::{ApiKey, CreateKeyError, MOST_LIVE, next_reminder};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Settings;
use tradepost_domain::id::{MembershipId, UserId, WorkspaceId};
use tradepost_domain::network::Networks;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::secrets::TokenKind;

use crate::accounts::workspaces::default_workspace::{access_at_home, home};
use crate::mails::Notice;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The key to create.
#[derive(Debug, Clone)]
pub struct CreateApiKey {
    /// Its name.
    pub name: String,
    /// When it expires; absent for never.
    pub expires_at: Option<Timestamp>,
    /// The names of its policies, a part of the caller's own.
    pub policies: Vec<String>,
    /// The networks from which it may be used, as addresses or in CIDR notation, at most 20; none for everywhere.
    pub allowed_cidrs: Vec<String>,
}

/// A key that was just made.
#[derive(Debug)]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// Its secret, shown this once.
    pub raw_key: SecretString,
}

/// A validated key to create, and its owner.
#[derive(Clone)]
pub(crate) struct KeyOrder {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) owner_id: UserId,
    pub(crate) membership_id: MembershipId,
    pub(crate) name: Name,
    pub(crate) policies: PolicySet,
    pub(crate) networks: Networks,
    pub(crate) expires_at: Option<Timestamp>,
}

impl Operations {
    /// Creates a key that the caller's user owns.
    ///
    /// The key holds at most the caller's rights. Only a session can grant `identity`. The owner of the key and the owner and admins of the
    /// workspace are notified.
    ///
    /// # Errors
    /// `permission_denied` with `POLICIES_EXCEED_CALLER`; `failed_precondition` with `STEP_UP_REQUIRED`, `EXPIRY_IN_PAST`,
    /// `EXPIRY_TOO_FAR` or `API_KEY_LIMIT`; `invalid_argument` for a bad name or unknown policy.
    pub async fn create_api_key(&self, caller: &Caller, command: CreateApiKey) -> OpResult<CreatedKey> {
        let scope = rules::CREATE_API_KEY.enter(&caller.principal, home(caller)?)?;
        let holder = access_at_home(caller)?;
        let maker = caller.principal.prover().ok_or(Denied)?.id;
        let name: Name = fields::text("name", &command.name)?;
        let policies = fields::policies(&command.policies)?;
        let networks = fields::networks(&command.allowed_cidrs)?;
        ApiKey::may_hold(policies, maker, holder.rights).map_err(refusal)?;
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::CREATE_API_KEY, &mut changes).await?;
        self.charge_user(holder.user_id, RateClass::Key).await?;
        let order = KeyOrder {
            workspace_id: holder.workspace_id,
            owner_id: holder.user_id,
            membership_id: holder.membership_id,
            name,
            policies,
            networks,
            expires_at: command.expires_at,
        };
        self.retrying(|| async {
            let mut changes = changes.clone();
            let workspace = take_turn_in(self, scope, &mut changes).await?;
            require_room_for_key(self, scope, at).await?;
            let created = make_key(self, order.clone(), workspace.settings, &mut changes)?;
            let owner = notify_owner_of_new_key(self, &mut changes, &created.key).await?;
            let managers = addresses_of_managers(self, workspace.id).await?;
            let others = managers.iter().filter(|to| Some(*to) != owner.email.as_ref());
            let (workspace, owner) = (workspace.name.as_str(), owner.display_name.as_str());
            self.send_notice(&mut changes, others, &Notice::key_created(workspace, owner, &created.key));
            self.commit(caller, changes).await?;
            Ok(created)
        })
        .await
    }
}

/// Mails the owner of a new key.
pub(crate) async fn notify_owner_of_new_key(
    operations: &Operations,
    changes: &mut Changes,
    key: &ApiKey,
) -> OpResult<User> {
    let owner = operations.ports.store.users().find(key.owner_id).await?.ok_or_else(|| OpError::not_found("user"))?;
    let (owner, _) = owner.into_display();
    if let Some(to) = &owner.email {
        operations.post(changes, Operations::key_created_mail(to, key));
    }
    Ok(owner)
}

/// Rejects workspaces that have the maximum of live keys.
pub(crate) async fn require_room_for_key(
    operations: &Operations,
    scope: WorkspaceScope,
    at: Timestamp,
) -> OpResult<()> {
    let live = operations.ports.store.api_keys().count_live(scope, at).await?;
    if usize::try_from(live).is_ok_and(|live| live >= MOST_LIVE) {
        let message = format!("a workspace has at most {MOST_LIVE} live API keys; revoke one first");
        return Err(OpError::failed_precondition(Reason::ApiKeyLimit, message));
    }
    Ok(())
}

/// Makes a key once everything about the caller is settled and it is its turn.
pub(crate) fn make_key(
    operations: &Operations,
    order: KeyOrder,
    settings: Settings,
    changes: &mut Changes,
) -> OpResult<CreatedKey> {
    let at = operations.now();
    ApiKey::may_expire(order.expires_at, at).map_err(refusal)?;
    settings.admit_key(order.expires_at, at).map_err(refusal)?;
    let issued = operations.ports.secrets.issue(TokenKind::ApiKey);
    let key = ApiKey {
        id: operations.mint(),
        workspace_id: order.workspace_id,
        owner_id: order.owner_id,
        membership_id: order.membership_id,
        name: order.name,
        prefix: issued.prefix,
        digest: issued.digest,
        pepper: Some(operations.ports.secrets.pepper()),
        policies: order.policies,
        networks: order.networks,
        expires_at: order.expires_at,
        remind_at: next_reminder(order.expires_at, at),
        revoked_at: None,
        created_at: at,
    };
    changes.insert(key.clone());
    changes.audit(AuditKind::ApiKeyCreated, &key);
    Ok(CreatedKey { key, raw_key: issued.secret })
}

pub(crate) fn refusal(error: CreateKeyError) -> OpError {
    match error {
        CreateKeyError::ExceedsMaker => OpError::permission_denied(Reason::PoliciesExceedCaller, error.to_string()),
        CreateKeyError::IdentityByKey => OpError::permission_denied(Reason::IdentityNeedsSignIn, error.to_string()),
        CreateKeyError::ExpiryInPast => OpError::failed_precondition(Reason::ExpiryInPast, error.to_string()),
        CreateKeyError::ExpiryTooFar | CreateKeyError::OutlivesLimit(_) => {
            OpError::failed_precondition(Reason::ExpiryTooFar, error.to_string())
        }
    }
}

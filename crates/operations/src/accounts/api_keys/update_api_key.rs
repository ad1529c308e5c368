//! `UpdateAPIKey`: another name, other policies, another end or other networks for a key.

use crate::accounts::api_keys::read::last_use;
use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::accounts::workspaces::whole_workspace::settings_of;
use tradepost_domain::accounts::api_key::{ApiKey, ChangeKeyError, Expiry, KeyChange, KeyChanger};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Revised};

use super::create_api_key;
use super::read::KeyWithUse;
use crate::accounts::memberships::invite_member;
use crate::mails::Notice;
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The changes to one key; absent fields stay unchanged.
#[derive(Debug, Clone)]
pub struct UpdateApiKey {
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The key.
    pub api_key_id: ApiKeyId,
    /// The name from now on.
    pub name: Option<String>,
    /// The names of the policies from now on.
    pub policies: Option<Vec<String>>,
    /// The end from now on.
    pub expiry: Option<Expiry>,
    /// The networks from now on, as addresses or in CIDR notation; none for everywhere.
    pub allowed_cidrs: Option<Vec<String>>,
    /// The version that the caller saw, from 1; rejected when the key has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes a live key. Only its own user widens it, by policies, time or place, and with a recent second factor; the owner is
    /// notified.
    ///
    /// # Errors
    /// `permission_denied`, with `KEY_OF_ANOTHER` for what widens another user's key, and with `POLICIES_EXCEED_CALLER`,
    /// `POLICIES_EXCEED_OWNER` or `IDENTITY_NEEDS_SIGN_IN` for policies that cannot be given; `not_found`; `failed_precondition` with
    /// `STEP_UP_REQUIRED`, `VERSION_MISMATCH`, `API_KEY_REVOKED`, `API_KEY_EXPIRED`, `EXPIRY_IN_PAST` or `EXPIRY_TOO_FAR`;
    /// `invalid_argument` for bad fields and when nothing is to change.
    pub async fn update_api_key(&self, caller: &Caller, command: UpdateApiKey) -> OpResult<Versioned<KeyWithUse>> {
        let scope = rules::UPDATE_API_KEY.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = self.ports.store.api_keys().find(scope, command.api_key_id).await?;
            let listed = found.ok_or_else(|| OpError::not_found("API key"))?;
            require_version(&listed.key, command.expected_version)?;
            let before = listed.key.peek().clone();
            let mut changes = Changes::by(caller);
            let member = self.ports.store.memberships().find(scope, before.membership_id).await?;
            let owner = changes.rely_on(member.ok_or_else(|| OpError::not_found("membership"))?).rights();
            let (by, at) = (changer(caller, command.workspace_id), self.now());
            let decide = |key: ApiKey| key.change(change.clone(), by, owner, at);
            let revised = changes.revise(listed.key, decide).map_err(refusal)?;
            if change.expiry.is_some() {
                let settings = settings_of(self, scope, &mut changes).await?;
                settings.admit_key(revised.value.expires_at, before.created_at).map_err(create_api_key::refusal)?;
            }
            if before.is_narrower_than(&revised.value) {
                self.require_step_up_in(caller, scope, rules::UPDATE_API_KEY, &mut changes).await?;
            }
            self.store_changed(caller, changes, &revised).await?;
            let last_used_at = last_use(self, &revised.value, listed.last_used_at);
            Ok(Versioned { value: KeyWithUse { key: revised.value, last_used_at }, version: revised.version })
        })
        .await
    }

    async fn store_changed(&self, caller: &Caller, mut changes: Changes, revised: &Revised<ApiKey>) -> OpResult<()> {
        let key = &revised.value;
        changes.audit(AuditKind::ApiKeyUpdated, key);
        let workspace = workspace_name(self, key.workspace_id).await?;
        let concerned = addresses_of_user(self, Some(key.owner_id)).await?;
        self.send_notice(&mut changes, &concerned, &Notice::key_changed(&workspace, key));
        self.commit(caller, changes).await?;
        Ok(())
    }
}

fn change(command: &UpdateApiKey) -> OpResult<KeyChange> {
    let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
    let change = KeyChange {
        name,
        policies: command.policies.as_deref().map(fields::policies).transpose()?,
        expiry: command.expiry,
        networks: command.allowed_cidrs.as_deref().map(fields::networks).transpose()?,
    };
    if change == KeyChange::default() {
        return Err(OpError::invalid_field("name", "or another field that is to change is required"));
    }
    Ok(change)
}

/// Returns the caller as the changer of a key of the workspace.
pub(crate) fn changer(caller: &Caller, workspace_id: WorkspaceId) -> KeyChanger {
    let (_, rights) = invite_member::access(&caller.principal, workspace_id);
    KeyChanger { user: caller.principal.prover().map(|prover| prover.user_id), rights }
}

/// Returns the error for a key that the caller cannot change or rotate this way.
pub(crate) fn refusal(error: ChangeKeyError) -> OpError {
    match error {
        ChangeKeyError::Revoked => OpError::failed_precondition(Reason::ApiKeyRevoked, error.to_string()),
        ChangeKeyError::Expired(_) => OpError::failed_precondition(Reason::ApiKeyExpired, error.to_string()),
        ChangeKeyError::ExceedsOwner => OpError::permission_denied(Reason::PoliciesExceedOwner, error.to_string()),
        ChangeKeyError::OfAnother => OpError::permission_denied(Reason::KeyOfAnother, error.to_string()),
        ChangeKeyError::Create(error) => create_api_key::refusal(error),
    }
}

//! `RotateAPIKey`: a new key takes the place of one whose secret is to change; both work for a while.

use crate::accounts::api_keys::create_api_key::make_key;
use crate::accounts::api_keys::create_api_key::require_room_for_key;
use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::workspaces::whole_workspace::take_turn_in;
use tradepost_domain::accounts::api_key::{ApiKey, KeyStatus, LONGEST_OVERLAP, USUAL_OVERLAP};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::limiter::RateClass;

use super::create_api_key::{CreatedKey, KeyOrder};
use super::update_api_key::{changer, refusal};
use crate::commit::Step;
use crate::mails::Notice;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The key to replace, and for how long both work.
#[derive(Debug, Clone, Copy)]
pub struct RotateApiKey {
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The key.
    pub api_key_id: ApiKeyId,
    /// The seconds for which the old key remains valid, at most a day; a day if absent.
    pub overlap_seconds: Option<i32>,
}

impl Operations {
    /// Creates a key with the rights of another one and a new secret, and ends the other one after the overlap.
    ///
    /// The owner is notified. The new key expires when the other one would have, or sooner if the workspace limits the lifetime of keys
    /// further.
    ///
    /// # Errors
    /// `permission_denied`, with `KEY_OF_ANOTHER` for another user's key and `POLICIES_EXCEED_CALLER` for a key that can do more than the
    /// caller; `not_found`; `failed_precondition` with `STEP_UP_REQUIRED`, `API_KEY_REVOKED`, `API_KEY_EXPIRED` or, when both keys are to
    /// work during an overlap, `API_KEY_LIMIT`; `invalid_argument` for an overlap that is too long.
    pub async fn rotate_api_key(&self, caller: &Caller, command: RotateApiKey) -> OpResult<CreatedKey> {
        let scope = rules::ROTATE_API_KEY.enter(&caller.principal, command.workspace_id)?;
        let overlap = overlap(command.overlap_seconds)?;
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::ROTATE_API_KEY, &mut changes).await?;
        if let Some(user) = caller.principal.prover().map(|prover| prover.user_id) {
            self.charge_user(user, RateClass::Key).await?;
        }
        self.retrying(|| async {
            let mut changes = changes.clone();
            let workspace = take_turn_in(self, scope, &mut changes).await?;
            let found = self.ports.store.api_keys().find(scope, command.api_key_id).await?;
            let listed = found.ok_or_else(|| OpError::not_found("API key"))?;
            let before = listed.key.peek().clone();
            before.may_be_handed_to(changer(caller, before.workspace_id)).map_err(refusal)?;
            let at = self.now();
            let retired = changes.revise(listed.key, |key| key.retire(overlap, at)).map_err(refusal)?;
            changes.audit(AuditKind::ApiKeyRotated, &retired.value);
            let step = Step {
                subject: Subject::ApiKey(before.id),
                from: Some(KeyStatus::Live.as_str()),
                to: KeyStatus::Retired.as_str(),
                version: retired.version,
                trigger: "rotate",
            };
            changes.append(AppendedRow::Transition(self.transition(caller, command.workspace_id, step, at)));
            if overlap > 0 {
                require_room_for_key(self, scope, at).await?;
            }
            let concerned = addresses_of_user(self, Some(before.owner_id)).await?;
            let expires_at = workspace.settings.latest_end(before.expires_at, at);
            let order = KeyOrder { expires_at, ..order_like(&before) };
            let created = make_key(self, order, workspace.settings, &mut changes)?;
            let notice = Notice::key_rotated(workspace.name.as_str(), &retired.value, &created.key);
            self.send_notice(&mut changes, &concerned, &notice);
            self.commit(caller, changes).await?;
            Ok(created)
        })
        .await
    }
}

fn overlap(seconds: Option<i32>) -> OpResult<u32> {
    let seconds = seconds.map_or(Some(USUAL_OVERLAP), |seconds| u32::try_from(seconds).ok());
    seconds
        .filter(|seconds| *seconds <= LONGEST_OVERLAP)
        .ok_or_else(|| OpError::invalid_field("overlapSeconds", format_args!("must be from 0 to {LONGEST_OVERLAP}")))
}

fn order_like(key: &ApiKey) -> KeyOrder {
    KeyOrder {
        workspace_id: key.workspace_id,
        owner_id: key.owner_id,
        membership_id: key.membership_id,
        name: key.name.clone(),
        policies: key.policies,
        networks: key.networks.clone(),
        expires_at: key.expires_at,
    }
}

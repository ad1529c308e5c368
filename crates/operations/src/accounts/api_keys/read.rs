//! `ListAPIKeys`, `CountAPIKeys` and `GetAPIKey`: reading the keys of a workspace. Secrets are never among them.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ListedKey;

use crate::accounts::workspaces::default_workspace::home;
use crate::rules::{self, Rule};
use crate::{OpError, OpResult, Operations, Versioned};

/// The key to get.
#[derive(Debug, Clone, Copy)]
pub struct GetApiKey {
    /// The key.
    pub api_key_id: ApiKeyId,
}

/// A key and when it was last used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWithUse {
    /// The key.
    pub key: ApiKey,
    /// When it was last used; absent until first use.
    pub last_used_at: Option<Timestamp>,
}

impl Operations {
    /// Lists the live keys of the caller's workspace and its 100 latest expired ones, newest first.
    ///
    /// # Errors
    /// `permission_denied` without `workspace` or `analytics`.
    pub async fn list_api_keys(&self, caller: &Caller) -> OpResult<Vec<KeyWithUse>> {
        let scope = key_scope(caller, rules::LIST_API_KEYS)?;
        let listed = self.ports.store.api_keys().list(scope, self.now()).await?;
        Ok(listed.into_iter().map(|key| self.with_use(key)).collect())
    }

    /// Counts the keys that [`Operations::list_api_keys`] gives.
    ///
    /// # Errors
    /// `permission_denied` without `workspace` or `analytics`.
    pub async fn count_api_keys(&self, caller: &Caller) -> OpResult<i64> {
        let scope = key_scope(caller, rules::COUNT_API_KEYS)?;
        Ok(self.ports.store.api_keys().count(scope, self.now()).await?)
    }

    /// Fetches a key of the caller's workspace that is not revoked.
    ///
    /// # Errors
    /// `permission_denied` without `workspace` or `analytics`; `not_found`.
    pub async fn get_api_key(&self, caller: &Caller, command: GetApiKey) -> OpResult<Versioned<KeyWithUse>> {
        let scope = key_scope(caller, rules::GET_API_KEY)?;
        let found = self.ports.store.api_keys().find(scope, command.api_key_id).await?;
        let found = found.filter(|listed| listed.key.peek().revoked_at.is_none());
        let listed = found.ok_or_else(|| OpError::not_found("API key"))?;
        let version = listed.key.stamp().version;
        Ok(Versioned { value: self.with_use(listed), version })
    }

    fn with_use(&self, listed: ListedKey) -> KeyWithUse {
        let (key, _) = listed.key.into_display();
        KeyWithUse { last_used_at: last_use(self, &key, listed.last_used_at), key }
    }
}

/// Returns when a key was last used: the later of what is stored and what is not stored yet.
pub(crate) fn last_use(operations: &Operations, key: &ApiKey, stored: Option<Timestamp>) -> Option<Timestamp> {
    operations.uses.latest(key.id, stored)
}

fn key_scope(caller: &Caller, rule: Rule) -> OpResult<WorkspaceScope> {
    Ok(rule.enter(&caller.principal, home(caller)?)?)
}

//! `ReportLeakedAPIKey`: a caller that found a key ends it by presenting it. No other proof is required because the holder of a key could
//! use it.

use crate::accounts::memberships::membership_changes::addresses_of_managers;
use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::revoke_key;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::calls::authenticate::key_of;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use crate::accounts::memberships::membership_changes::Revocation;
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

const MOST: usize = 100;

/// The tokens that were found.
#[derive(Debug, Clone)]
pub struct ReportLeakedApiKey {
    /// Texts that may be keys, 1 to 100.
    pub tokens: Vec<SecretString>,
}

impl Operations {
    /// Revokes the tokens that are live keys. The owners of the keys and the managers of their workspaces are notified.
    ///
    /// The response is the same for tokens that are not keys or that are no longer live.
    ///
    /// # Errors
    /// `invalid_argument` for none or too many tokens; `resource_exhausted` after too many reports from one network.
    pub async fn report_leaked_api_key(&self, caller: &Caller, command: ReportLeakedApiKey) -> OpResult<()> {
        if command.tokens.is_empty() || command.tokens.len() > MOST {
            return Err(OpError::invalid_field("tokens", format_args!("must have 1 to {MOST} tokens")));
        }
        self.charge_network(caller.client, RateClass::LeakReport).await?;
        for token in &command.tokens {
            self.retrying(|| self.revoke_leaked(caller, token.expose_secret().trim())).await?;
        }
        Ok(())
    }

    async fn revoke_leaked(&self, caller: &Caller, token: &str) -> OpResult<()> {
        let Some(found) = key_of(self, token).await? else { return Ok(()) };
        if !found.key.peek().is_live(self.now()) {
            return Ok(());
        }
        // One commit a key: a report that is sent again finds those revoked that were.
        let mut changes = Changes::detached(caller);
        let key = revoke_key(self, caller, &mut changes, found.key, Revocation::Leaked)?;
        let workspace = workspace_name(self, key.workspace_id).await?;
        let mut concerned = addresses_of_managers(self, key.workspace_id).await?;
        let owner = addresses_of_user(self, Some(key.owner_id)).await?;
        concerned.extend(owner.into_iter().filter(|address| !concerned.contains(address)).collect::<Vec<_>>());
        self.send_notice(&mut changes, &concerned, &Notice::key_leaked(&workspace, &key));
        self.commit(caller, changes).await?;
        Ok(())
    }
}

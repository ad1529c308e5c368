//! `ReportLeakedAPIKey`: a caller that found a key ends it by presenting it. No other proof is required because the holder of a key could
//! use it.

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
        let Some(found) = self.key_of(token).await? else { return Ok(()) };
        if !found.key.peek().is_live(self.now()) {
            return Ok(());
        }
        // One commit a key: a report that is sent again finds those revoked that were.
        let mut changes = Changes::detached(caller);
        let key = self.revoke_key(caller, &mut changes, found.key, Revocation::Leaked)?;
        let workspace = self.workspace_name(key.workspace_id).await?;
        let mut concerned = self.addresses_of_managers(key.workspace_id).await?;
        let owner = self.addresses_of_user(Some(key.owner_id)).await?;
        concerned.extend(owner.into_iter().filter(|address| !concerned.contains(address)).collect::<Vec<_>>());
        self.send_notice(&mut changes, &concerned, &Notice::key_leaked(&workspace, &key));
        self.commit(caller, changes).await?;
        Ok(())
    }
}

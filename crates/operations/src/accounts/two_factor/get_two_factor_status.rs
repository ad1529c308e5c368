//! `GetTwoFactorStatus` and `GetStepUpStatus`: the second factors of a user, and whether one was proved recently.

use tradepost_domain::accounts::access::Denied;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use crate::{OpResult, Operations};

/// The second factors of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoFactorStatus {
    /// Since when an authenticator app is enrolled; absent without one.
    pub totp_enabled_at: Option<Timestamp>,
    /// The number of passkeys that can be used.
    pub passkeys: usize,
    /// The number of recovery codes that were not used yet.
    pub recovery_codes_left: usize,
    /// The methods that `BeginStepUp` offers now.
    pub methods: Vec<Method>,
}

impl Operations {
    /// Returns the second factors of the caller's user.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn get_two_factor_status(&self, caller: &Caller) -> OpResult<TwoFactorStatus> {
        let user_id = caller.principal.act_as_user()?;
        let totp = self.ports.store.second_factors().find_totp(user_id).await?;
        let codes = self.ports.store.second_factors().find_recovery_codes(user_id).await?;
        let passkeys = self.ports.store.passkeys().list(user_id).await?;
        Ok(TwoFactorStatus {
            totp_enabled_at: totp.map(|totp| totp.into_display().0.enabled_at),
            passkeys: passkeys.iter().filter(|passkey| passkey.peek().is_usable()).count(),
            recovery_codes_left: codes.map_or(0, |codes| codes.into_display().0.digests.len()),
            methods: self.ports.store.second_factors().find_all(user_id).await?.methods(),
        })
    }

    /// Returns until when sensitive operations are open to the calling key or session; `None` when a step-up is needed first.
    ///
    /// # Errors
    /// `permission_denied` when neither a key nor a session calls.
    pub async fn get_step_up_status(&self, caller: &Caller) -> OpResult<Option<Timestamp>> {
        let prover = caller.principal.prover().ok_or(Denied)?;
        let grant = self.ports.store.step_ups().find_grant(prover).await?;
        let grant = grant.map(|seen| seen.into_display().0).filter(|grant| grant.is_valid(self.now()));
        Ok(grant.map(|grant| grant.valid_until()))
    }
}

//! Charging rate limits.

use std::cell::RefCell;
use std::net::IpAddr;

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::{Principal, PrincipalId, Prover};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::id::{AccountId, UserId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::limiter::RateClass;

use crate::rules::Rule;
use crate::{Charge, OpError, OpResult, Operations, Reason};

tokio::task_local! {
    /// The exact charges within [`Operations::refunding`].
    static CHARGED: RefCell<Vec<(RateClass, Vec<u8>)>>;
}

impl Operations {
    /// Charges a call of an authenticated caller: its workspace, or the user of a session that has chosen none of theirs; then
    /// the operation's class by key or session. The first rejection answers; otherwise the tighter of the two.
    pub async fn charge(&self, caller: &Caller, rule: &Rule) -> Charge {
        let (Some(prover), Some(payer)) = (caller.principal.prover(), payer(caller)) else {
            return self.charge_class(rule.class, &[]).await;
        };
        let workspace = self.charge_class(RateClass::Workspace, &payer).await;
        if !workspace.verdict.allowed {
            return workspace;
        }
        let own = self.charge_class(rule.class, &prover.id.to_bytes()).await;
        if own.verdict.allowed && workspace.verdict.remaining < own.verdict.remaining { workspace } else { own }
    }

    /// Refunds what [`Operations::charge`] charged a call that found no place.
    pub async fn refund(&self, caller: &Caller, rule: &Rule) {
        let (Some(prover), Some(payer)) = (caller.principal.prover(), payer(caller)) else {
            return self.ports.limiter.refund(rule.class, &[]).await;
        };
        self.ports.limiter.refund(RateClass::Workspace, &payer).await;
        self.ports.limiter.refund(rule.class, &prover.id.to_bytes()).await;
    }

    /// Runs a call that is charged tries of passwords and the like, and refunds them when it is rejected as
    /// busy: nothing was tried then.
    pub(crate) async fn refunding<T>(&self, call: impl Future<Output = OpResult<T>>) -> OpResult<T> {
        let (outcome, charged) = CHARGED
            .scope(RefCell::default(), async {
                let outcome = call.await;
                (outcome, CHARGED.with(RefCell::take))
            })
            .await;
        if outcome.as_ref().is_err_and(|error| error.reason == Reason::Busy) {
            for (class, partition) in charged {
                // The rejection says more to the caller than that a refund failed.
                if let Err(error) = self.ports.limiter.refund_exactly(class, &partition).await {
                    tracing::warn!(?error, class = class.name(), "a refused call was not refunded");
                }
            }
        }
        outcome
    }

    /// Charges observations by key or session. The call itself was charged as one of them.
    pub(crate) async fn charge_observations(&self, caller: &Caller, many: usize) -> OpResult<()> {
        let (Some(prover), more) = (caller.principal.prover(), many.saturating_sub(1)) else { return Ok(()) };
        let (class, more) = (RateClass::Observation, u32::try_from(more).unwrap_or(u32::MAX));
        if more == 0 {
            return Ok(());
        }
        let verdict = self.ports.limiter.charge_several(class, &prover.id.to_bytes(), more).await;
        if verdict.allowed { Ok(()) } else { Err(OpError::rate_limited(Charge { class, verdict })) }
    }

    /// Charges a call without a credential, by network.
    pub async fn charge_unauthenticated(&self, client: Option<IpAddr>) -> Charge {
        self.charge_class(RateClass::Unauthenticated, &network(client)).await
    }

    /// Charges a call with an invalid credential, by network. A caller with a valid one is never charged for failures of its neighbours.
    pub async fn charge_failed_authentication(&self, client: Option<IpAddr>) -> Charge {
        let any = self.charge_unauthenticated(client).await;
        if any.verdict.allowed {
            self.charge_class(RateClass::FailedAuthentication, &network(client)).await
        } else {
            any
        }
    }

    /// Charges the extra cost of an operation to its user, before any other check. The count covers all processes, so that a guesser who
    /// spreads over them gets no further tries.
    pub(crate) async fn charge_user(&self, user: UserId, class: RateClass) -> OpResult<()> {
        self.charge_exactly(class, &user.to_bytes()).await
    }

    /// Charges a try to the key or session itself, so that one of them does not spend the tries of another.
    pub(crate) async fn charge_prover(&self, prover: Prover, class: RateClass) -> OpResult<()> {
        self.charge_exactly(class, &prover.id.to_bytes()).await
    }

    /// Charges a code that is mailed to the user of a key or session. Those for keys are counted apart, so that no key uses up the
    /// mails of its user's sessions.
    pub(crate) async fn charge_mail_of(&self, prover: Prover) -> OpResult<()> {
        let user = prover.user_id.to_bytes();
        let partition = match prover.id {
            PrincipalId::Key(_) => [b"keys ".as_slice(), &user].concat(),
            PrincipalId::Session(_) => user.to_vec(),
        };
        self.charge_exactly(RateClass::Mail, &partition).await?;
        self.charge_exactly(RateClass::MailDay, &partition).await
    }

    /// Charges a code to sign in to a trading account, of any caller.
    pub(crate) async fn charge_login_code(&self, account: AccountId) -> OpResult<()> {
        self.charge_exactly(RateClass::LoginCode, &account.to_bytes()).await
    }

    /// Charges a mail that a user causes.
    pub(crate) async fn charge_mail(&self, user: UserId) -> OpResult<()> {
        self.charge_user(user, RateClass::Mail).await?;
        self.charge_user(user, RateClass::MailDay).await
    }

    /// Charges a mail that a user causes to an address that may belong to another user. It is counted separately from the mails of
    /// strangers, so that no user can use up the mails with which the owner resets a password.
    pub(crate) async fn charge_mail_to(&self, to: &EmailAddress) -> OpResult<()> {
        let partition = [b"user ", to.key().as_bytes()].concat();
        self.charge_exactly(RateClass::MailAddress, &partition).await
    }

    /// Charges the network of the client, regardless of the caller.
    pub(crate) async fn charge_network(&self, client: Option<IpAddr>, class: RateClass) -> OpResult<()> {
        self.charge_exactly(class, &network(client)).await
    }

    /// Charges a stranger's try of a password at an address, with or without an account.
    ///
    /// A guesser in one network leaves tries to users in others; a known device has tries of its own.
    pub(crate) async fn charge_password(
        &self,
        client: Option<IpAddr>,
        email: &EmailAddress,
        device: Option<&SecretString>,
    ) -> OpResult<()> {
        self.charge_network(client, RateClass::PasswordNetwork).await?;
        if let Some(device) = device {
            // The counts are kept where others may read them, and the token opens a way past those of the address.
            let device = self.ports.secrets.fingerprint(&[device.expose_secret().as_bytes()]);
            return self.charge_exactly(RateClass::Password, &device).await;
        }
        self.charge_exactly(RateClass::Password, &at_address(client, email)).await?;
        self.charge_exactly(RateClass::PasswordAddress, email.key().as_bytes()).await
    }

    /// Charges a mail that a stranger causes. It runs after the bot check, so that no script uses up the mails of an address.
    pub(crate) async fn charge_strangers_mail(&self, client: Option<IpAddr>, to: &EmailAddress) -> OpResult<()> {
        self.charge_network(client, RateClass::MailNetwork).await?;
        self.charge_exactly(RateClass::MailAddress, to.key().as_bytes()).await
    }

    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> OpResult<()> {
        let verdict = self.ports.limiter.charge_exactly(class, partition).await?;
        if !verdict.allowed {
            return Err(OpError::rate_limited(Charge { class, verdict }));
        }
        // Outside of `refunding` nothing is refunded.
        let _is_noted = CHARGED.try_with(|charged| charged.borrow_mut().push((class, partition.to_vec())));
        Ok(())
    }

    async fn charge_class(&self, class: RateClass, partition: &[u8]) -> Charge {
        Charge { class, verdict: self.ports.limiter.charge(class, partition).await }
    }
}

/// Returns who bears a call: the workspace, or the user of a session that has chosen none of theirs; `None` for a caller without a
/// credential.
pub(crate) fn payer(caller: &Caller) -> Option<[u8; 16]> {
    let (Some(prover), Ok(home)) = (caller.principal.prover(), caller.principal.home()) else { return None };
    // A key counts for its workspace whether or not its owner is a member; a session only where it has a place.
    let home =
        home.filter(|home| matches!(caller.principal, Principal::Key(_)) || caller.principal.access_to(*home).is_ok());
    Some(home.map_or(prover.user_id.to_bytes(), WorkspaceId::to_bytes))
}

/// Returns the partition of an address as seen from a network.
pub(crate) fn at_address(client: Option<IpAddr>, email: &EmailAddress) -> Vec<u8> {
    [network(client).as_slice(), b" ", email.key().as_bytes()].concat()
}

/// Returns the network of a client. That of an IPv6 address is its /64 (RFC 4291 §2.5.4): within it, addresses cost nothing.
pub(crate) fn network(client: Option<IpAddr>) -> Vec<u8> {
    match client {
        Some(IpAddr::V4(address)) => address.octets().to_vec(),
        Some(IpAddr::V6(address)) => address.octets().iter().take(8).copied().collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Vec<u8> {
        network(address.parse().ok())
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_limit_and_others_have_their_own() {
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}

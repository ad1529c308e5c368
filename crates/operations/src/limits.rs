//! Charging rate limits.

use std::net::IpAddr;

use tradepost_domain::access::Principal;
use tradepost_ports::changes::Caller;
use tradepost_ports::limiter::{RateClass, Verdict};

use crate::rules::Rule;
use crate::{OpError, OpResult, Operations};

/// What the limiter said, for the headers of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// The class that was charged.
    pub class: RateClass,
    /// The limiter's answer.
    pub verdict: Verdict,
}

impl Operations {
    /// Charges a call of an authenticated caller: its workspace, then the operation's class by key. The first refusal
    /// answers; otherwise the tighter of the two.
    pub async fn charge(&self, caller: &Caller, rule: &Rule) -> Charge {
        let Principal::Key(key) = &caller.principal else {
            return self.charge_class(rule.class, &[]).await;
        };
        let workspace = self.charge_class(RateClass::Workspace, &key.workspace_id.to_bytes()).await;
        if !workspace.verdict.allowed {
            return workspace;
        }
        let own = self.charge_class(rule.class, &key.key_id.to_bytes()).await;
        if own.verdict.allowed && workspace.verdict.remaining < own.verdict.remaining { workspace } else { own }
    }

    /// Charges a call without a valid credential, by address.
    pub async fn charge_unauthenticated(&self, client: Option<IpAddr>) -> Charge {
        // The network of an IPv6 client is its /64 (RFC 4291 §2.5.4): within it, addresses cost nothing.
        let partition = match client {
            Some(IpAddr::V4(address)) => address.octets().to_vec(),
            Some(IpAddr::V6(address)) => address.octets().iter().take(8).copied().collect(),
            None => Vec::new(),
        };
        self.charge_class(RateClass::Unauthenticated, &partition).await
    }

    /// Charges what an operation costs its user beside the call itself, before anything is looked at.
    pub(crate) async fn charge_costs(&self, user: [u8; 16], costs: &[RateClass]) -> OpResult<()> {
        for class in costs {
            let charge = self.charge_class(*class, &user).await;
            if !charge.verdict.allowed {
                return Err(OpError::rate_limited(charge));
            }
        }
        Ok(())
    }

    async fn charge_class(&self, class: RateClass, partition: &[u8]) -> Charge {
        Charge { class, verdict: self.ports.limiter.charge(class, partition).await }
    }
}

//! What Steam asks for after a password, by its numbers.

use tradepost_domain::trading::account_session::{Asked, EmailDomain, Guard};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, SessionResult};

use crate::messages::AllowedConfirmation;

const NONE: i32 = 1;
const EMAIL_CODE: i32 = 2;
const DEVICE_CODE: i32 = 3;
const DEVICE_CONFIRMATION: i32 = 4;
const EMAIL_CONFIRMATION: i32 = 5;

/// Returns the number of a guard.
pub(super) const fn number(guard: Guard) -> i32 {
    match guard {
        Guard::EmailCode => EMAIL_CODE,
        Guard::DeviceCode => DEVICE_CODE,
        Guard::DeviceApproval => DEVICE_CONFIRMATION,
        Guard::EmailApproval => EMAIL_CONFIRMATION,
    }
}

/// Returns the guard of a number; `None` for proofs that only devices have which were signed in before.
const fn guard(number: i32) -> Option<Guard> {
    match number {
        EMAIL_CODE => Some(Guard::EmailCode),
        DEVICE_CODE => Some(Guard::DeviceCode),
        DEVICE_CONFIRMATION => Some(Guard::DeviceApproval),
        EMAIL_CONFIRMATION => Some(Guard::EmailApproval),
        _ => None,
    }
}

/// Returns what is asked for, of the proofs that Steam takes.
pub(super) fn asked(allowed: &[AllowedConfirmation]) -> SessionResult<Asked> {
    if allowed.is_empty() || allowed.iter().any(|proof| proof.confirmation_type == NONE) {
        return Ok(Asked::default());
    }
    let mut guards = Vec::new();
    let mut email_domain = None;
    for proof in allowed {
        let Some(guard) = guard(proof.confirmation_type) else { continue };
        if !guards.contains(&guard) {
            guards.push(guard);
        }
        if matches!(guard, Guard::EmailCode | Guard::EmailApproval) {
            email_domain = email_domain.or_else(|| domain(&proof.associated_message));
        }
    }
    if guards.is_empty() {
        let text = "it asks for a proof that this device cannot have".to_owned();
        return Err(ExternalError::Rejected(SessionRefusal::Other(text)));
    }
    Ok(Asked { guards, email_domain })
}

/// The domain of an address, of which Steam shows the domain alone, or a part of the name as well.
fn domain(address: &str) -> Option<EmailDomain> {
    EmailDomain::new(address.rsplit('@').next()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(proofs: &[(i32, &str)]) -> SessionResult<Asked> {
        let proof = |(number, text): &(i32, &str)| AllowedConfirmation {
            confirmation_type: *number,
            associated_message: (*text).to_owned(),
        };
        let proofs: Vec<_> = proofs.iter().map(proof).collect();
        asked(&proofs)
    }

    fn guards(guards: &[Guard], email_domain: Option<&str>) -> Asked {
        let email_domain = email_domain.map(|domain| EmailDomain::new(domain).unwrap());
        Asked { guards: guards.to_vec(), email_domain }
    }

    #[test]
    fn every_guard_has_its_number() {
        for each in [Guard::EmailCode, Guard::DeviceCode, Guard::DeviceApproval, Guard::EmailApproval] {
            assert_eq!(guard(number(each)), Some(each));
        }
    }

    #[test]
    fn an_account_without_a_guard_is_asked_for_nothing() {
        assert_eq!(of(&[]), Ok(Asked::default()));
        assert_eq!(of(&[(NONE, "")]), Ok(Asked::default()));
        assert_eq!(of(&[(EMAIL_CODE, ""), (NONE, "")]), Ok(Asked::default()));
    }

    #[test]
    fn any_of_several_proofs_is_asked_for_once() {
        let device = guards(&[Guard::DeviceApproval, Guard::DeviceCode], None);
        assert_eq!(of(&[(4, "a note"), (3, ""), (4, ""), (6, ""), (99, "")]), Ok(device));
    }

    #[test]
    fn a_mailed_proof_names_the_domain_of_its_address() {
        let mailed = guards(&[Guard::EmailCode], Some("example.com"));
        for shown in ["example.com", "a***@example.com", " example.com "] {
            assert_eq!(of(&[(6, "elsewhere.example.com"), (2, shown)]), Ok(mailed.clone()), "{shown}");
        }
        assert_eq!(of(&[(5, "")]), Ok(guards(&[Guard::EmailApproval], None)));
    }

    #[test]
    fn a_proof_that_cannot_be_given_ends_the_sign_in() {
        let refused = of(&[(6, "")]);
        assert!(matches!(refused, Err(ExternalError::Rejected(SessionRefusal::Other(_)))), "{refused:?}");
    }
}

//! Step-up: a fresh second-factor check before a sensitive action.
//!
//! A grant belongs to the principal that answered the challenge, an API key or a session, and never to its user: a leaked
//! key cannot ride on the verification of the user's browser.

mod method;

use time::Duration;

use crate::accounts::principal_id::PrincipalId;
use crate::id::{ChallengeId, UserId};
use crate::time::Timestamp;

pub use method::Method;

/// How long a challenge can be answered.
pub const CHALLENGE_LIFE: Duration = Duration::minutes(10);
/// How many codes may be mailed for one challenge after the first.
pub const MORE_MAILS: u8 = 2;
/// How many codes may be tried against one challenge.
pub const CHALLENGE_TRIES: u8 = 5;
/// Most challenges of one principal that can be answered at a time; a further one ends the oldest.
pub const MOST_CHALLENGES: usize = 3;
/// How long a grant opens sensitive operations.
pub const WINDOW: Duration = Duration::minutes(10);

/// How long it opens critical ones.
pub const CRITICAL_WINDOW: Duration = Duration::minutes(2);

/// The second factors that a user has.
#[expect(clippy::struct_excessive_bools, reason = "each factor is there or not, whatever the others are")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factors {
    /// A verified e-mail address.
    pub email: bool,
    /// An enrolled authenticator app.
    pub totp: bool,
    /// At least one passkey that can be used.
    pub passkey: bool,
    /// A recovery code that was not used yet.
    pub recovery_code: bool,
}

impl Factors {
    /// The methods offered: never e-mail where something stronger is enrolled.
    pub fn methods(self) -> Vec<Method> {
        let offered = [
            (Method::Email, self.email && !self.has_strong()),
            (Method::Totp, self.totp),
            (Method::Passkey, self.passkey),
            (Method::RecoveryCode, self.recovery_code),
        ];
        offered.into_iter().filter_map(|(method, is_offered)| is_offered.then_some(method)).collect()
    }

    /// Whether anything stronger than e-mail is enrolled.
    pub const fn has_strong(self) -> bool {
        self.totp || self.passkey
    }
}

/// A question that was asked and not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Identifier, which the answer names.
    pub id: ChallengeId,
    /// Whose factor is asked for.
    pub user_id: UserId,
    /// Who asked, and gets the grant.
    pub principal: PrincipalId,
    /// How it can be answered, by any one of these.
    pub methods: Vec<Method>,
    /// Digest of the code that was mailed, for [`Method::Email`].
    pub code_digest: Option<[u8; 32]>,
    /// The WebAuthn library's state as JSON while a passkey is asked for, for [`Method::Passkey`]. An answer consumes it.
    pub passkey_state: Option<String>,
    /// How many codes may still be tried.
    pub tries_left: u8,
    /// How many more codes may be mailed for it.
    pub mails_left: u8,
    /// When it was asked.
    pub created_at: Timestamp,
}

/// The challenge cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChallengeError {
    /// Asked too long ago, or by another caller.
    #[error("the challenge is unknown, expired or not yours")]
    Invalid,
    /// It is answered by another method: one of these.
    #[error("this challenge is answered by {} only", names(.0))]
    OtherMethod(Vec<Method>),
    /// Too many wrong codes, or mails.
    #[error("too many codes were tried, or mailed")]
    Exhausted,
    /// No passkey is asked for: not yet, or it was answered.
    #[error("no passkey is asked for, or it was answered before")]
    PasskeyNotAsked,
}

/// Methods as a sentence names them.
fn names(methods: &[Method]) -> String {
    methods.iter().map(|method| method.as_str()).collect::<Vec<_>>().join(" or ")
}

impl Challenge {
    /// Whether it can still be answered at this time.
    pub fn is_live(&self, at: Timestamp) -> bool {
        at < self.created_at.plus(CHALLENGE_LIFE)
    }

    /// Charges one try by `principal` with `method`. The code is looked at only after the charge is stored, so that
    /// parallel tries cannot exceed it.
    ///
    /// # Errors
    /// [`ChallengeError`] says why no code may be tried.
    pub fn charge(self, principal: PrincipalId, method: Method, at: Timestamp) -> Result<Self, ChallengeError> {
        self.opens_to(principal, method, at)?;
        let tries_left = self.tries_left.checked_sub(1).ok_or(ChallengeError::Exhausted)?;
        Ok(Self { tries_left, ..self })
    }

    /// The challenge with another mailed code in the place of the one before.
    ///
    /// # Errors
    /// [`ChallengeError`] says why no code can answer it.
    pub fn with_code(self, principal: PrincipalId, digest: [u8; 32], at: Timestamp) -> Result<Self, ChallengeError> {
        self.opens_to(principal, Method::Email, at)?;
        let mails_left = self.mails_left.checked_sub(1).filter(|_| self.tries_left > 0);
        let mails_left = mails_left.ok_or(ChallengeError::Exhausted)?;
        Ok(Self { code_digest: Some(digest), mails_left, ..self })
    }

    /// The challenge while a passkey is asked for. Options that were given before are good for nothing then.
    ///
    /// # Errors
    /// [`ChallengeError`] says why none can be.
    pub fn ask_passkey(self, principal: PrincipalId, state: String, at: Timestamp) -> Result<Self, ChallengeError> {
        self.opens_to(principal, Method::Passkey, at)?;
        Ok(Self { passkey_state: Some(state), ..self })
    }

    /// Charges one try by `principal` with a passkey, and takes the state out: the same answer would pass on the same state
    /// every time.
    ///
    /// # Errors
    /// [`ChallengeError`] says why no answer may be looked at.
    pub fn charge_passkey(self, principal: PrincipalId, at: Timestamp) -> Result<(Self, String), ChallengeError> {
        let mut charged = self.charge(principal, Method::Passkey, at)?;
        let state = charged.passkey_state.take().ok_or(ChallengeError::PasskeyNotAsked)?;
        Ok((charged, state))
    }

    /// Whether `principal` may answer it with `method` at this time.
    ///
    /// # Errors
    /// [`ChallengeError`] says why not.
    pub fn opens_to(&self, principal: PrincipalId, method: Method, at: Timestamp) -> Result<(), ChallengeError> {
        if self.principal != principal || !self.is_live(at) {
            return Err(ChallengeError::Invalid);
        }
        if self.methods.contains(&method) { Ok(()) } else { Err(ChallengeError::OtherMethod(self.methods.clone())) }
    }
}

/// A proof that was given. A principal has at most one; a new one replaces the old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Whose factor was proved.
    pub user_id: UserId,
    /// Who may use it.
    pub principal: PrincipalId,
    /// How it was proved.
    pub method: Method,
    /// When it was proved.
    pub granted_at: Timestamp,
}

impl Grant {
    /// Until when it opens sensitive operations.
    pub fn valid_until(&self) -> Timestamp {
        self.granted_at.plus(WINDOW)
    }

    /// Whether it opens sensitive operations at this time.
    pub fn is_valid(&self, at: Timestamp) -> bool {
        at < self.valid_until()
    }

    /// Whether it opens critical operations at this time.
    pub fn is_fresh(&self, at: Timestamp) -> bool {
        at < self.granted_at.plus(CRITICAL_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{ApiKeyId, SessionId};

    fn challenge() -> Challenge {
        Challenge {
            id: ChallengeId::from_bytes([1; 16]),
            user_id: UserId::from_bytes([2; 16]),
            principal: PrincipalId::Key(ApiKeyId::from_bytes([3; 16])),
            methods: vec![Method::Totp, Method::RecoveryCode],
            code_digest: None,
            passkey_state: None,
            tries_left: CHALLENGE_TRIES,
            mails_left: MORE_MAILS,
            created_at: at(0),
        }
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    #[test]
    fn five_tries_and_no_sixth() {
        let mut open = challenge();
        for _ in 0..CHALLENGE_TRIES {
            let principal = open.principal;
            open = open.charge(principal, Method::Totp, at(1)).unwrap();
        }
        let principal = open.principal;
        assert_eq!(open.charge(principal, Method::Totp, at(1)), Err(ChallengeError::Exhausted));
    }

    #[test]
    fn another_key_or_session_cannot_answer() {
        let others =
            [PrincipalId::Key(ApiKeyId::from_bytes([9; 16])), PrincipalId::Session(SessionId::from_bytes([3; 16]))];
        for other in others {
            assert_eq!(challenge().charge(other, Method::Totp, at(1)), Err(ChallengeError::Invalid));
        }
    }

    #[test]
    fn another_method_is_refused_with_those_that_answer_and_costs_no_try() {
        let refused = challenge().charge(challenge().principal, Method::Email, at(1)).unwrap_err();
        assert_eq!(refused.to_string(), "this challenge is answered by TOTP or RECOVERY_CODE only");
    }

    #[test]
    fn the_state_of_a_passkey_is_taken_once() {
        let asked = Challenge { methods: vec![Method::Passkey], ..challenge() };
        let principal = asked.principal;
        assert_eq!(asked.clone().charge_passkey(principal, at(1)), Err(ChallengeError::PasskeyNotAsked));
        let asked = asked.ask_passkey(principal, "state".to_owned(), at(1)).unwrap();
        let (taken, state) = asked.charge_passkey(principal, at(2)).unwrap();
        assert_eq!((state.as_str(), taken.tries_left), ("state", CHALLENGE_TRIES - 1));
        assert_eq!(taken.charge_passkey(principal, at(3)), Err(ChallengeError::PasskeyNotAsked));
    }

    #[test]
    fn a_passkey_is_asked_for_by_nobody_else_in_time_and_where_it_is_a_method() {
        let asked = Challenge { methods: vec![Method::Passkey], ..challenge() };
        let ask = |open: Challenge, principal, at| open.ask_passkey(principal, "state".to_owned(), at);
        let other = PrincipalId::Key(ApiKeyId::from_bytes([9; 16]));
        assert_eq!(ask(asked.clone(), other, at(1)), Err(ChallengeError::Invalid));
        assert_eq!(ask(asked.clone(), asked.principal, at(10)), Err(ChallengeError::Invalid));
        let refused = ask(challenge(), asked.principal, at(1));
        assert_eq!(refused, Err(ChallengeError::OtherMethod(challenge().methods)));
    }

    #[test]
    fn a_challenge_lives_ten_minutes() {
        assert!(challenge().charge(challenge().principal, Method::Totp, at(9)).is_ok());
        assert_eq!(challenge().charge(challenge().principal, Method::Totp, at(10)), Err(ChallengeError::Invalid));
    }

    #[test]
    fn email_is_not_offered_with_a_stronger_factor() {
        let both = Factors { email: true, totp: true, passkey: false, recovery_code: true };
        assert_eq!(both.methods(), [Method::Totp, Method::RecoveryCode]);
        let email = Factors { totp: false, recovery_code: false, ..both };
        assert_eq!(email.methods(), [Method::Email]);
        assert_eq!(Factors { passkey: true, ..email }.methods(), [Method::Passkey]);
    }

    #[test]
    fn two_more_codes_are_mailed_for_a_challenge() {
        let mailed = Challenge { methods: vec![Method::Email], code_digest: Some([0; 32]), ..challenge() };
        let at = mailed.created_at;
        let again = |asked: Challenge| asked.clone().with_code(asked.principal, [1; 32], at);
        let last = again(again(mailed).unwrap()).unwrap();
        assert_eq!(again(last), Err(ChallengeError::Exhausted));
    }
}

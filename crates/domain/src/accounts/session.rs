//! Sessions: people who have signed in. A session is one person's, in every workspace where they are a member; it ends by
//! itself some time after sign-in, and some time without use.

use std::fmt;
use std::net::IpAddr;

use time::Duration;

use crate::accounts::api_key::TokenDigest;
use crate::accounts::step_up::Method;
use crate::accounts::user::User;
use crate::id::{SessionId, UserId};
use crate::text::Text;
use crate::time::Timestamp;

/// How long sessions last: a day after sign-in and an hour without use, unless the installation says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLife {
    absolute: Duration,
    idle: Duration,
}

/// A session would last too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be {least} to {most}")]
pub struct InvalidSessionLife {
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

impl SessionLife {
    /// The shortest of both: when a session was last used is known to the minute.
    pub const SHORTEST: Duration = Duration::minutes(5);
    /// The longest that a session can last after sign-in.
    pub const LONGEST: Duration = Duration::days(30);
    /// The longest that a session can last without use.
    pub const LONGEST_IDLE: Duration = Duration::days(7);

    /// Sessions that end `after` sign-in, however much they are used.
    ///
    /// # Errors
    /// [`InvalidSessionLife`] for less than [`Self::SHORTEST`] or more than [`Self::LONGEST`].
    pub fn ending(self, after: Duration) -> Result<Self, InvalidSessionLife> {
        Ok(Self { absolute: within(after, Self::LONGEST)?, ..self })
    }

    /// Sessions that end after this long without use.
    ///
    /// # Errors
    /// [`InvalidSessionLife`] for less than [`Self::SHORTEST`] or more than [`Self::LONGEST_IDLE`].
    pub fn ending_unused(self, after: Duration) -> Result<Self, InvalidSessionLife> {
        Ok(Self { idle: within(after, Self::LONGEST_IDLE)?, ..self })
    }

    /// How long after sign-in a session ends, however much it is used.
    pub const fn absolute(self) -> Duration {
        self.absolute
    }

    /// When a session ends at the latest.
    pub fn expires_at(self, session: &Session) -> Timestamp {
        session.created_at.plus(self.absolute)
    }

    /// Returns when a session ends if it is not used after `last_seen_at`: at its end, or after the longest time without use.
    pub fn ends_at(self, session: &Session, last_seen_at: Timestamp) -> Timestamp {
        self.expires_at(session).min(last_seen_at.plus(self.idle))
    }
}

impl Default for SessionLife {
    fn default() -> Self {
        Self { absolute: Duration::hours(24), idle: Duration::minutes(60) }
    }
}

fn within(life: Duration, most: Duration) -> Result<Duration, InvalidSessionLife> {
    let least = SessionLife::SHORTEST;
    if (least..=most).contains(&life) { Ok(life) } else { Err(InvalidSessionLife { least, most }) }
}

/// Most live sessions of a user; a further one ends the oldest.
pub const MOST_LIVE: usize = 20;

/// What a browser or program says of itself. 1 to 256 characters.
pub type UserAgent = Text<256>;

/// A method by which a user has authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// The password.
    Password,
    /// A code sent by e-mail.
    EmailCode,
    /// A code of the authenticator app.
    Totp,
    /// A recovery code.
    RecoveryCode,
    /// A passkey.
    Passkey,
    /// An identity of another platform that is linked to the account.
    LinkedIdentity,
}

impl Proof {
    /// Every proof, in the order of the interface.
    pub const ALL: [Self; 6] =
        [Self::Password, Self::EmailCode, Self::Totp, Self::RecoveryCode, Self::Passkey, Self::LinkedIdentity];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "PASSWORD",
            Self::EmailCode => "EMAIL_CODE",
            Self::Totp => "TOTP",
            Self::RecoveryCode => "RECOVERY_CODE",
            Self::Passkey => "PASSKEY",
            Self::LinkedIdentity => "LINKED_IDENTITY",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Password => 1,
            Self::EmailCode => 2,
            Self::Totp => 4,
            Self::RecoveryCode => 8,
            Self::Passkey => 16,
            Self::LinkedIdentity => 32,
        }
    }
}

impl From<Method> for Proof {
    fn from(method: Method) -> Self {
        match method {
            Method::Email => Self::EmailCode,
            Method::Totp => Self::Totp,
            Method::Passkey => Self::Passkey,
            Method::RecoveryCode => Self::RecoveryCode,
        }
    }
}

/// The proofs that were given in a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Proofs(u8);

impl Proofs {
    const EVERY: u8 = 63;

    /// These proofs.
    pub fn of(proofs: &[Proof]) -> Self {
        proofs.iter().fold(Self::default(), |given, proof| given.with(*proof))
    }

    /// One proof more.
    #[must_use]
    pub const fn with(self, proof: Proof) -> Self {
        Self(self.0 | proof.bit())
    }

    /// Whether this proof is among them.
    pub const fn has(self, proof: Proof) -> bool {
        self.0 & proof.bit() != 0
    }

    /// The proofs as a number, for storage.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the proofs with this stored number; `None` when a bit belongs to no proof.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits & !Self::EVERY == 0 { Some(Self(bits)) } else { None }
    }

    /// The proofs, in the order of the interface.
    pub fn iter(self) -> impl Iterator<Item = Proof> {
        Proof::ALL.into_iter().filter(move |proof| self.has(*proof))
    }
}

impl fmt::Debug for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A person who has signed in, as stored: everything but the secret and the time of the last use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Identifier. It stays when the token changes.
    pub id: SessionId,
    /// Who signed in.
    pub user_id: UserId,
    /// The first 12 characters of the token.
    pub prefix: String,
    /// Digest of the token.
    pub digest: TokenDigest,
    /// How the person has proved who they are.
    pub proofs: Proofs,
    /// When the person last proved it. A change of password or address that came later has ended the session.
    pub proved_at: Timestamp,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// The address from which they did.
    pub client: Option<IpAddr>,
    /// With what they did.
    pub user_agent: Option<UserAgent>,
}

impl Session {
    /// Whether it opens anything to its user at this time; `ends_at` is what [`SessionLife::ends_at`] says.
    pub fn is_live(&self, user: &User, ends_at: Timestamp, at: Timestamp) -> bool {
        at < ends_at && !user.disabled && !self.is_overtaken(user)
    }

    /// Whether password or address were changed after the person last proved who they are.
    fn is_overtaken(&self, user: &User) -> bool {
        let password = user.password.as_ref().map(|password| password.changed_at);
        password.max(user.email_changed_at).is_some_and(|changed| self.proved_at < changed)
    }

    /// The session after its person proved once more who they are.
    #[must_use]
    pub fn proved(self, proof: Proof, at: Timestamp) -> Self {
        Self { proofs: self.proofs.with(proof), proved_at: at, ..self }
    }

    /// Returns the session with another token; the previous token becomes invalid.
    #[must_use]
    pub fn with_token(self, prefix: String, digest: TokenDigest) -> Self {
        Self { prefix, digest, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::password::PasswordHash;
    use crate::accounts::preferences::Preferences;
    use crate::accounts::user::Password;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn session() -> Session {
        Session {
            id: SessionId::from_bytes([1; 16]),
            user_id: UserId::from_bytes([2; 16]),
            prefix: "tps_00000000".to_owned(),
            digest: TokenDigest([3; 32]),
            proofs: Proofs::of(&[Proof::Password]),
            proved_at: at(10),
            created_at: at(10),
            client: None,
            user_agent: None,
        }
    }

    fn user(password_changed_at: i64) -> User {
        User {
            id: UserId::from_bytes([2; 16]),
            display_name: Text::new("Ada").unwrap(),
            preferences: Preferences::default(),
            email: None,
            password: Some(Password {
                hash: PasswordHash::new("hash".to_owned()),
                changed_at: at(password_changed_at),
            }),
            email_changed_at: None,
            disabled: false,
            created_at: at(0),
            updated_at: at(0),
        }
    }

    /// Whether the session, last used at a minute, is live at another.
    fn is_live(user: &User, last_seen: i64, now: i64) -> bool {
        session().is_live(user, SessionLife::default().ends_at(&session(), at(last_seen)), at(now))
    }

    #[test]
    fn a_session_in_use_ends_after_a_day() {
        let day = 10 + 24 * 60;
        assert!(is_live(&user(0), day - 1, day - 1));
        assert!(!is_live(&user(0), day, day));
    }

    #[test]
    fn a_session_ends_after_an_hour_without_use() {
        assert!(is_live(&user(0), 30, 89));
        assert!(!is_live(&user(0), 30, 90));
    }

    #[test]
    fn an_installation_may_say_how_long_sessions_last() {
        let life = SessionLife::default().ending(Duration::days(30)).unwrap().ending_unused(Duration::days(7)).unwrap();
        assert_eq!(life.ends_at(&session(), at(10)), at(10 + 7 * 24 * 60));
        assert_eq!(life.ends_at(&session(), at(29 * 24 * 60)), at(10 + 30 * 24 * 60));
        let minute = Duration::minutes(1);
        for wrong in [SessionLife::SHORTEST - minute, SessionLife::LONGEST + minute] {
            assert_eq!(life.ending(wrong).unwrap_err().most, SessionLife::LONGEST);
        }
        for wrong in [SessionLife::SHORTEST - minute, SessionLife::LONGEST_IDLE + minute] {
            assert_eq!(life.ending_unused(wrong).unwrap_err().most, SessionLife::LONGEST_IDLE);
        }
    }

    #[test]
    fn a_session_of_a_disabled_user_opens_nothing() {
        assert!(!is_live(&User { disabled: true, ..user(0) }, 10, 10));
    }

    #[test]
    fn a_changed_password_or_address_ends_every_session_that_was_proved_before() {
        assert!(is_live(&user(10), 10, 11));
        assert!(!is_live(&user(11), 10, 11));
        let moved = User { email_changed_at: Some(at(11)), ..user(0) };
        assert!(!is_live(&moved, 10, 11));
        assert!(session().proved(Proof::Password, at(11)).is_live(&moved, at(70), at(11)));
    }

    #[test]
    fn a_number_with_an_unknown_bit_is_not_a_set_of_proofs() {
        assert_eq!(Proofs::from_bits(63), Some(Proofs::of(&Proof::ALL)));
        assert_eq!(Proofs::from_bits(64), None);
    }
}

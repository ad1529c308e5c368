//! Wrong guesses at an account: passwords in a row, codes in a day. Both stop a guesser that a rate limit alone would only slow
//! down. Neither affects passkeys and recovery codes, which cannot be guessed.

use time::Duration;

use crate::accounts::principal_id::PrincipalId;
use crate::id::UserId;
use crate::time::Timestamp;

/// Wrong passwords in a row, after which no password signs in until a new one is set (NIST SP 800-63B-4 §3.2.2).
pub const MOST_WRONG_PASSWORDS: u32 = 100;
/// Wrong codes within [`DAY`] at sign-ins, by all keys of a user together, and by all sessions of a user together.
pub const MOST_WRONG_CODES: u32 = 20;
/// Wrong codes within [`DAY`] by one key or session.
pub const MOST_WRONG_CODES_OF_ONE: u32 = 10;
/// How long wrong codes are counted together, from the first of them on.
pub const DAY: Duration = Duration::hours(24);

/// What was guessed wrongly at an account. A user of whom nothing is kept has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guesses {
    /// At whose account.
    pub user_id: UserId,
    /// Wrong passwords since the last right one.
    pub wrong_passwords: u32,
    /// Wrong codes since `codes_since`, and those that are being looked at.
    pub wrong_codes: u32,
    /// When the first of these codes was tried.
    pub codes_since: Timestamp,
}

/// Too many codes were wrong; until then none is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many codes were wrong; none is looked at until {until}")]
pub struct TooManyCodes {
    /// When the next code is looked at.
    pub until: Timestamp,
}

impl Guesses {
    /// Of a user at whose account nothing was guessed yet.
    pub const fn none(user_id: UserId, at: Timestamp) -> Self {
        Self { user_id, wrong_passwords: 0, wrong_codes: 0, codes_since: at }
    }

    /// Whether the password signs in.
    pub const fn allow_password(&self) -> bool {
        self.wrong_passwords < MOST_WRONG_PASSWORDS
    }

    /// With one more wrong password.
    #[must_use]
    pub const fn with_wrong_password(self) -> Self {
        Self { wrong_passwords: self.wrong_passwords.saturating_add(1), ..self }
    }

    /// After a right password, or a new one.
    #[must_use]
    pub const fn without_wrong_passwords(self) -> Self {
        Self { wrong_passwords: 0, ..self }
    }

    /// Charges a code before it is looked at: as a wrong one, until [`Guesses::with_right_code`] says otherwise.
    ///
    /// # Errors
    /// [`TooManyCodes`] after [`MOST_WRONG_CODES`] within a day.
    pub fn charge_code(self, at: Timestamp) -> Result<Self, TooManyCodes> {
        let (wrong_codes, codes_since) = charge(self.wrong_codes, self.codes_since, MOST_WRONG_CODES, at)?;
        Ok(Self { wrong_codes, codes_since, ..self })
    }

    /// Takes the charge of a code back that was right.
    #[must_use]
    pub const fn with_right_code(self) -> Self {
        Self { wrong_codes: self.wrong_codes.saturating_sub(1), ..self }
    }
}

/// Whose wrong codes are counted together, of callers who have a credential already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guesser {
    /// One API key or session.
    Principal(PrincipalId),
    /// All API keys of the user.
    Keys,
    /// All sessions of the user.
    Sessions,
}

impl Guesser {
    /// Returns all that a code of a key or session is counted by, the narrowest first. A key never counts against sessions.
    pub const fn of(principal: PrincipalId) -> [Self; 2] {
        let all = match principal {
            PrincipalId::Key(_) => Self::Keys,
            PrincipalId::Session(_) => Self::Sessions,
        };
        [Self::Principal(principal), all]
    }

    /// Returns the id of the key or session; a small number in place of an id for what is counted together.
    pub const fn to_bytes(self) -> [u8; 16] {
        match self {
            Self::Principal(principal) => principal.to_bytes(),
            Self::Keys => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            Self::Sessions => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
        }
    }

    /// A small number for storage, never reused.
    pub const fn kind_code(self) -> i16 {
        match self {
            Self::Principal(principal) => principal.kind_code(),
            Self::Keys => 3,
            Self::Sessions => 4,
        }
    }

    /// Returns the guesser that is stored as this number and these bytes.
    pub const fn from_stored(kind_code: i16, bytes: [u8; 16]) -> Option<Self> {
        match kind_code {
            3 => Some(Self::Keys),
            4 => Some(Self::Sessions),
            _ => match PrincipalId::from_stored(kind_code, bytes) {
                Some(principal) => Some(Self::Principal(principal)),
                None => None,
            },
        }
    }

    const fn most(self) -> u32 {
        match self {
            Self::Principal(_) => MOST_WRONG_CODES_OF_ONE,
            Self::Keys | Self::Sessions => MOST_WRONG_CODES,
        }
    }
}

/// Wrong codes that callers with a credential tried at an account, and those that are being checked. Nothing is kept of a
/// guesser who has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeGuesses {
    /// Whose second factor was guessed at.
    pub user_id: UserId,
    /// Who tried them.
    pub by: Guesser,
    /// How many.
    pub wrong: u32,
    /// When the first of them was tried.
    pub since: Timestamp,
}

impl CodeGuesses {
    /// Returns the count of a guesser who has tried nothing yet.
    pub const fn none(user_id: UserId, by: Guesser, at: Timestamp) -> Self {
        Self { user_id, by, wrong: 0, since: at }
    }

    /// Charges a code before it is checked: as a wrong one, until [`CodeGuesses::with_right_code`] says otherwise.
    ///
    /// # Errors
    /// [`TooManyCodes`] after as many within a day as the guesser has.
    pub fn charge(self, at: Timestamp) -> Result<Self, TooManyCodes> {
        let (wrong, since) = charge(self.wrong, self.since, self.by.most(), at)?;
        Ok(Self { wrong, since, ..self })
    }

    /// Refunds the charge of a code that was right.
    #[must_use]
    pub const fn with_right_code(self) -> Self {
        Self { wrong: self.wrong.saturating_sub(1), ..self }
    }
}

/// Counts one more code; the count begins again a day after its first one.
fn charge(wrong: u32, since: Timestamp, most: u32, at: Timestamp) -> Result<(u32, Timestamp), TooManyCodes> {
    let until = since.plus(DAY);
    if wrong == 0 || at >= until {
        return Ok((1, at));
    }
    if wrong >= most { Err(TooManyCodes { until }) } else { Ok((wrong.saturating_add(1), since)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{ApiKeyId, SessionId};

    const START: Timestamp = match Timestamp::from_micros(0) {
        Ok(start) => start,
        Err(_) => panic!("the epoch is a time"),
    };

    fn guesses() -> Guesses {
        Guesses::none(UserId::from_bytes([1; 16]), START)
    }

    fn after_wrong_codes(codes: u32) -> Guesses {
        (0..codes).fold(guesses(), |guesses, _| guesses.charge_code(START).unwrap())
    }

    #[test]
    fn the_hundredth_wrong_password_in_a_row_is_the_last_one() {
        let nearly = (1..MOST_WRONG_PASSWORDS).fold(guesses(), |guesses, _| guesses.with_wrong_password());
        assert!(nearly.allow_password());
        assert!(!nearly.with_wrong_password().allow_password());
    }

    #[test]
    fn a_correct_password_resets_the_count() {
        let nearly = (1..MOST_WRONG_PASSWORDS).fold(guesses(), |guesses, _| guesses.with_wrong_password());
        assert!(nearly.without_wrong_passwords().with_wrong_password().allow_password());
    }

    #[test]
    fn after_twenty_wrong_codes_none_is_looked_at_for_the_rest_of_the_day() {
        let spent = after_wrong_codes(MOST_WRONG_CODES);
        let until = START.plus(DAY);
        assert_eq!(spent.charge_code(START.plus(DAY - Duration::MICROSECOND)), Err(TooManyCodes { until }));
        assert_eq!(spent.charge_code(until).map(|guesses| (guesses.wrong_codes, guesses.codes_since)), Ok((1, until)));
    }

    #[test]
    fn right_codes_are_not_counted() {
        let busy = (0..1_000).fold(guesses(), |guesses, _| guesses.charge_code(START).unwrap().with_right_code());
        assert_eq!(busy.wrong_codes, 0);
    }

    #[test]
    fn a_key_or_session_has_fewer_codes_than_all_of_them_together() {
        let key = PrincipalId::Key(ApiKeyId::from_bytes([2; 16]));
        for (by, most) in [(Guesser::Principal(key), 10), (Guesser::Keys, 20), (Guesser::Sessions, 20)] {
            let none = CodeGuesses::none(UserId::from_bytes([1; 16]), by, START);
            let spent = (0..most).fold(none, |guesses, _| guesses.charge(START).unwrap());
            assert_eq!(spent.charge(START), Err(TooManyCodes { until: START.plus(DAY) }));
            assert!(spent.with_right_code().charge(START).is_ok());
        }
    }

    #[test]
    fn every_guesser_is_read_back_from_storage() {
        let key = PrincipalId::Key(ApiKeyId::from_bytes([2; 16]));
        let session = PrincipalId::Session(SessionId::from_bytes([2; 16]));
        for by in Guesser::of(key).into_iter().chain(Guesser::of(session)) {
            assert_eq!(Guesser::from_stored(by.kind_code(), by.to_bytes()), Some(by));
        }
        assert_eq!(Guesser::from_stored(9, [2; 16]), None);
    }

    #[test]
    fn codes_and_passwords_are_counted_apart() {
        let guessed = after_wrong_codes(3).with_wrong_password();
        assert_eq!((guessed.wrong_codes, guessed.wrong_passwords), (3, 1));
        assert_eq!(guessed.without_wrong_passwords().wrong_codes, 3);
    }
}

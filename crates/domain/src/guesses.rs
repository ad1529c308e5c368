//! Wrong guesses at an account: passwords in a row, codes in a day. Both end somebody's guessing where a rate limit alone would let
//! them go on for months; neither is in the way of passkeys and recovery codes, which nobody guesses.

use time::Duration;

use crate::id::UserId;
use crate::time::Timestamp;

/// Wrong passwords in a row, after which no password signs in until a new one is set (NIST SP 800-63B-4 §3.2.2).
pub const MOST_WRONG_PASSWORDS: u32 = 100;
/// Wrong codes within [`DAY`].
pub const MOST_WRONG_CODES: u32 = 20;
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
        let until = self.codes_since.plus(DAY);
        if self.wrong_codes == 0 || at >= until {
            return Ok(Self { wrong_codes: 1, codes_since: at, ..self });
        }
        if self.wrong_codes >= MOST_WRONG_CODES {
            return Err(TooManyCodes { until });
        }
        Ok(Self { wrong_codes: self.wrong_codes.saturating_add(1), ..self })
    }

    /// Takes the charge of a code back that was right.
    #[must_use]
    pub const fn with_right_code(self) -> Self {
        Self { wrong_codes: self.wrong_codes.saturating_sub(1), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_right_password_begins_the_count_anew() {
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
    fn codes_and_passwords_are_counted_apart() {
        let guessed = after_wrong_codes(3).with_wrong_password();
        assert_eq!((guessed.wrong_codes, guessed.wrong_passwords), (3, 1));
        assert_eq!(guessed.without_wrong_passwords().wrong_codes, 3);
    }
}

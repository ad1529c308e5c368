//! Flags and arguments of the tables: which field of a request each sets, and which values it accepts.

mod content;

use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, stdin};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, Command};
use serde_json::{Value, json};
use tradepost::domain::asset::Wear;

use super::Records;
use crate::cli::client::moment;
use crate::client::ids;
use crate::settings::span;

/// What clears a field that may be absent.
const NONE: &str = "none";

/// A flag, or an argument, whose name is in capital letters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    /// The field of the request with its place.
    pub(crate) field: &'static str,
    pub(crate) kind: Kind,
    help: &'static str,
    how: How,
    /// Whether `none` clears the field.
    is_clearable: bool,
    pub(crate) is_list: bool,
}

/// Which values a flag accepts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text,
    /// 12.50, in the request in cents.
    Amount,
    /// 12.50, in the request in cents below 0.
    Withdrawal,
    /// 2.5 or 2.5%, in the request in basis points.
    Share,
    Number,
    /// 90d, 12h or 30m, in the request in seconds.
    Span,
    /// A day or a time.
    Time,
    /// 90d, 12h or 30m from now, or a day or a time.
    Until,
    Choice(&'static Names),
    /// A record, by its id or its name.
    Of(&'static Records),
    /// A record, by its id or its name; in the request this field of it.
    PartOf(&'static Records, &'static str),
    /// A record, by its id or its name; in the request its name, which can be that of a record that no longer exists.
    NameOf(&'static Records),
    /// An id.
    Id,
    /// A member, by the user's id or name.
    Member,
    /// A membership, by its id, the name of its member or the address of an invitation.
    Membership,
    /// Sets the field to this JSON.
    Sets(&'static str),
    /// NAME=VALUE, in the request as `name` and `value`.
    Setting,
    /// A sticker's name, NAME=COUNT or NAME=COUNT@WEAR.
    Sticker,
    /// ASSET, or GAME/CONTEXT/ASSET.
    Asset,
    /// A file of lines NAME=VALUE, in the request a list of `name` and `secret`.
    CredentialFile,
    /// A file of lines NAME=VALUE, in the request one object.
    SecretsFile,
    /// A file with a secret, in the request its text without the end of the line.
    TextFile,
    /// A file or a folder, in the request as bytes.
    Content,
    /// The name of a file.
    Path,
}

/// The names of an enum, in lower case, and the name of the enum that the interface puts in front. Without one the field is a text.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) prefix: &'static str,
    pub(crate) all: &'static [&'static str],
}

/// How a flag is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Argument,
    Required,
    Optional,
    Default(&'static str),
    /// Required if the argument of this name has one of the values.
    RequiredFor(&'static str, &'static [&'static str]),
}

const fn flag(name: &'static str, field: &'static str, kind: Kind, help: &'static str) -> Flag {
    Flag { name, field, kind, help, how: How::Optional, is_clearable: false, is_list: false }
}

/// The record that an action is about.
pub(crate) const fn of(name: &'static str, records: &'static Records, help: &'static str) -> Flag {
    flag(name, "", Kind::Of(records), help).argument()
}

pub(crate) const fn text(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Text, help)
}

pub(crate) const fn amount(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Amount, help)
}

pub(crate) const fn share(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Share, help)
}

pub(crate) const fn number(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Number, help)
}

pub(crate) const fn span(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Span, help)
}

pub(crate) const fn time(name: &'static str, field: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Time, help)
}

pub(crate) const fn choice(name: &'static str, field: &'static str, names: &'static Names, help: &'static str) -> Flag {
    flag(name, field, Kind::Choice(names), help)
}

pub(crate) const fn record(
    name: &'static str,
    field: &'static str,
    records: &'static Records,
    help: &'static str,
) -> Flag {
    flag(name, field, Kind::Of(records), help)
}

pub(crate) const fn kind(name: &'static str, field: &'static str, kind: Kind, help: &'static str) -> Flag {
    flag(name, field, kind, help)
}

pub(crate) const fn sets(name: &'static str, field: &'static str, json: &'static str, help: &'static str) -> Flag {
    flag(name, field, Kind::Sets(json), help)
}

/// The desk file to which an asked record is written.
pub(crate) const WRITE: Flag =
    flag("write", "write", Kind::Path, "Append the record to a desk file instead of creating it");

/// Why something is done.
pub(crate) const fn reason(help: &'static str) -> Flag {
    text("reason", "reason", help)
}

impl Flag {
    pub(crate) const fn argument(self) -> Self {
        Self { how: How::Argument, ..self }
    }

    pub(crate) const fn required(self) -> Self {
        Self { how: How::Required, ..self }
    }

    pub(crate) const fn required_for(self, argument: &'static str, values: &'static [&'static str]) -> Self {
        Self { how: How::RequiredFor(argument, values), ..self }
    }

    pub(crate) const fn or(self, value: &'static str) -> Self {
        Self { how: How::Default(value), ..self }
    }

    pub(crate) const fn clearable(self) -> Self {
        Self { is_clearable: true, ..self }
    }

    pub(crate) const fn list(self) -> Self {
        Self { is_list: true, ..self }
    }

    pub(crate) const fn is_argument(&self) -> bool {
        matches!(self.how, How::Argument)
    }

    /// The field of the request; that of the record that an action is about follows from its kind.
    pub(crate) fn path(&self) -> String {
        if let Kind::Of(records) = self.kind
            && self.field.is_empty()
        {
            return records.id_field();
        }
        self.field.to_owned()
    }

    /// The flag of the command line.
    pub(crate) fn arg(&self) -> Arg {
        let arg = Arg::new(self.name).help(self.help);
        let arg = if self.is_argument() { arg } else { arg.long(self.name).value_name(self.kind.value_name()) };
        let arg = match self.how {
            How::Argument | How::Required => arg.required(true),
            How::Default(value) => arg.default_value(value),
            How::RequiredFor(argument, values) => arg.required_if_eq_any(values.iter().map(|value| (argument, *value))),
            How::Optional => arg,
        };
        if matches!(self.kind, Kind::Sets(_)) {
            return arg.action(ArgAction::SetTrue);
        }
        let arg = arg.value_parser(self.kind.parser(self.is_clearable));
        let arg = arg.ignore_case(matches!(self.kind, Kind::Choice(_)));
        // A text can be a number below 0 as well: the chat of a group in Telegram is one.
        let is_numeric = matches!(self.kind, Kind::Amount | Kind::Share | Kind::Number | Kind::Text);
        let arg = arg.allow_negative_numbers(is_numeric);
        if self.is_list { arg.action(ArgAction::Append) } else { arg }
    }
}

impl Kind {
    const fn value_name(self) -> &'static str {
        match self {
            Self::Amount | Self::Withdrawal => "AMOUNT",
            Self::Share => "PERCENT",
            Self::Number => "NUMBER",
            Self::Span => "SPAN",
            Self::Time | Self::Until => "TIME",
            Self::Choice(_) => "NAME",
            Self::Of(_) | Self::PartOf(..) | Self::NameOf(_) | Self::Member | Self::Membership => "NAME-OR-ID",
            Self::Id => "ID",
            Self::Setting => "NAME=VALUE",
            Self::Sticker => "NAME[=COUNT[@WEAR]]",
            Self::Asset => "ASSET",
            Self::CredentialFile | Self::SecretsFile | Self::TextFile | Self::Path => "FILE",
            Self::Content => "PATH",
            Self::Text | Self::Sets(_) => "TEXT",
        }
    }

    fn parser(self, is_clearable: bool) -> ValueParser {
        if let Self::Choice(names) = self {
            return names.parser(is_clearable);
        }
        let parse = move |text: &str| {
            if is_clearable && text == NONE { Ok(Value::Null) } else { self.parse(text) }
        };
        ValueParser::new(parse)
    }

    /// The value in a request; names of records are resolved later.
    fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Text
            | Self::Of(_)
            | Self::PartOf(..)
            | Self::NameOf(_)
            | Self::Member
            | Self::Membership
            | Self::Sets(_)
            | Self::Choice(_)
            | Self::Path => Ok(json!(text)),
            Self::Id => ids::to_wire(text)
                .map(|id| json!(id))
                .ok_or_else(|| "expected an id: UUID text, or base64 of 16 bytes".to_owned()),
            Self::Amount => hundredths(text).map(|cents| json!(cents.to_string())).ok_or_else(expected_amount),
            Self::Withdrawal => hundredths(text).map(|cents| json!((-cents).to_string())).ok_or_else(expected_amount),
            Self::Share => hundredths(text.trim_end_matches('%').trim_end())
                .map(|share| json!(share))
                .ok_or_else(|| "expected a share in percent such as 2.5".to_owned()),
            Self::Number => text.parse::<i64>().map(|number| json!(number)).map_err(|_| "expected a number".to_owned()),
            Self::Span => span::parse(text)
                .map(|span| json!(span.whole_seconds()))
                .ok_or_else(|| "expected a number and d, h or m, such as 90d".to_owned()),
            Self::Time => moment(text).map(|time| json!(time)).map_err(str::to_owned),
            Self::Until => until(text),
            Self::Setting => pair(text).map(|(name, value)| json!({ "name": name, "value": value })),
            Self::Sticker => Ok(sticker(text)),
            Self::Asset => asset(text),
            Self::CredentialFile => {
                let pairs = pairs_of(text)?.into_iter();
                Ok(pairs.map(|(name, secret)| json!({ "name": name, "secret": secret })).collect())
            }
            Self::TextFile => Ok(json!(text_of(text)?.trim_end())),
            Self::Content => content::content_of(text),
            Self::SecretsFile => {
                Ok(Value::Object(pairs_of(text)?.into_iter().map(|(name, secret)| (name, json!(secret))).collect()))
            }
        }
    }
}

impl Names {
    fn parser(&'static self, is_clearable: bool) -> ValueParser {
        let cleared = is_clearable.then_some(NONE);
        let names = self.all.iter().copied().chain(cleared).map(PossibleValue::new);
        let parser = Spelled(PossibleValuesParser::new(names)).map(move |name: String| {
            if is_clearable && name.eq_ignore_ascii_case(NONE) { Value::Null } else { json!(self.wire(&name)) }
        });
        ValueParser::new(parser)
    }

    /// The name that the interface has.
    fn wire(&self, name: &str) -> String {
        if self.prefix.is_empty() {
            return name.to_ascii_lowercase();
        }
        format!("{}{}", self.prefix, name.to_ascii_uppercase())
    }
}

/// Names as tables show them, such as `in inventory`, or with hyphens.
#[derive(Clone)]
struct Spelled(PossibleValuesParser);

impl TypedValueParser for Spelled {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        let spelled = value.to_str().map(|text| text.replace([' ', '-'], "_"));
        self.0.parse_ref(command, arg, spelled.as_deref().map_or(value, OsStr::new))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Hundredths of a decimal number with at most two decimals.
fn hundredths(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > 2 {
        return None;
    }
    let hundredths: i64 = format!("{whole}{decimals:0<2}").parse().ok()?;
    Some(sign * hundredths)
}

fn expected_amount() -> String {
    "expected an amount such as 12.50".to_owned()
}

fn until(text: &str) -> Result<Value, String> {
    use tradepost::ports::clock::Clock as _;
    match span::parse(text) {
        Some(span) => Ok(json!(tradepost::SystemClock.now().plus(span).to_string())),
        None => moment(text)
            .map(|time| json!(time))
            .map_err(|_| "expected a span such as 90d, a date (2026-01-31) or an RFC 3339 time".to_owned()),
    }
}

fn asset(text: &str) -> Result<Value, String> {
    let expected = || "expected an asset id, or GAME/CONTEXT/ASSET such as 730/2/27348562871".to_owned();
    match text.split('/').collect::<Vec<_>>().as_slice() {
        [asset] => Ok(json!({ "assetId": asset })),
        [game, context, asset] => {
            let (game, context) = (game.parse::<i32>(), context.parse::<i64>());
            let (game, context) = (game.map_err(|_| expected())?, context.map_err(|_| expected())?);
            Ok(json!({ "appId": game, "contextId": context.to_string(), "assetId": asset }))
        }
        _ => Err(expected()),
    }
}

/// The rule for a sticker. A text without a count behind the last `=` is a name.
fn sticker(text: &str) -> Value {
    let limited = text.rsplit_once('=').and_then(|(name, limits)| {
        let (count, wear) = limits.split_once('@').map_or((limits, None), |(count, wear)| (count, Some(wear)));
        let is_limit = wear.is_none_or(|wear| Wear::new(wear).is_ok());
        Some((name, count.parse::<i64>().ok().filter(|_| is_limit)?, wear))
    });
    match limited {
        Some((name, count, None)) => json!({ "name": name, "minCount": count }),
        Some((name, count, Some(wear))) => json!({ "name": name, "minCount": count, "maxWear": wear }),
        None => json!({ "name": text }),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = parts.ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The text of a file, or of standard input for `-`.
fn text_of(file: &str) -> Result<String, String> {
    let text = if file == "-" {
        let mut text = String::new();
        stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(file)
    };
    text.map_err(|error| format!("cannot read {file}: {error}"))
}

/// The pairs of a file, or of standard input for `-`. Empty lines and lines that begin with # are skipped.
fn pairs_of(file: &str) -> Result<Vec<(String, String)>, String> {
    let text = text_of(file)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| pair(line).map_err(|_| "a line of the file is not NAME=VALUE".to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_shares_are_hundredths() {
        assert_eq!(["12", "12.5", "12.50", "-0.05"].map(hundredths), [1200, 1250, 1250, -5].map(Some));
        assert_eq!(["", ".5", "12.505", "1e3", "12,50"].map(hundredths), [None; 5]);
        assert_eq!(Kind::Share.parse("2.5 %"), Ok(json!(250)));
        assert_eq!(Kind::Withdrawal.parse("12.50"), Ok(json!("-1250")));
    }

    #[test]
    fn a_name_is_accepted_as_tables_show_it() {
        static NAMES: Names = Names { prefix: "REMEDIATION_ACTION_", all: &["write_off"] };
        let command = Command::new("run").arg(choice("ACTION", "action", &NAMES, "").argument().arg());
        for given in ["write_off", "write off", "Write-Off"] {
            let read = command.clone().try_get_matches_from(["run", given]).unwrap();
            assert_eq!(read.get_one::<Value>("ACTION"), Some(&json!("REMEDIATION_ACTION_WRITE_OFF")), "{given}");
        }
    }

    #[test]
    fn a_text_can_be_a_number_below_zero() {
        let command = Command::new("create").arg(text("target", "target", "").arg());
        let read = command.try_get_matches_from(["create", "--target", "-1001234"]).unwrap();
        assert_eq!(read.get_one::<Value>("target"), Some(&json!("-1001234")));
    }

    #[test]
    fn a_sticker_can_have_a_count_and_a_most_wear() {
        assert_eq!(sticker("Crown (Foil)=2"), json!({ "name": "Crown (Foil)", "minCount": 2 }));
        assert_eq!(sticker("A@B=1@0.25"), json!({ "name": "A@B", "minCount": 1, "maxWear": "0.25" }));
        for name in ["A=B", "A=1@2", "A=@0.5"] {
            assert_eq!(sticker(name), json!({ "name": name }));
        }
    }
}

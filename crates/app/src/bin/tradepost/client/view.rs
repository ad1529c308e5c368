//! What is shown of records: tables and fields for users, and for programs exactly what the interface has.

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::enum_names;
use super::ids;
use super::names_by_id::Names;
use super::records::column::{Column, Form, Mark, Place, amount, day, text, time};
use crate::cli::{Output, examples};
use crate::output_format::{self, Sheet};

pub(super) static PROFIT: [Column; 13] = [
    text("KEY", "key").flexible(),
    amount("REALISED", "realisedCents").summed(),
    amount("PENDING", "pendingCents").summed(),
    amount("UNREALISED", "unrealisedCents").summed(),
    amount("PROCEEDS", "proceedsCents").summed(),
    amount("COST", "costSoldCents").summed(),
    amount("BUY FEES", "buyFeesCents").summed().wide(),
    amount("SALE FEES", "saleFeesCents").summed().wide(),
    amount("WRITTEN OFF", "writeOffsCents").summed().wide(),
    text("SOLD", "soldCount").summed(),
    text("OPEN", "openCount").summed().wide(),
    text("UNPRICED", "unpricedCount").wide(),
    text("STALE", "staleCount").wide(),
];

pub(super) static POINTS: [Column; 9] = [
    day("FROM", "at"),
    amount("REALISED", "realisedCents").summed(),
    amount("PENDING", "pendingCents").summed(),
    amount("PROCEEDS", "proceedsCents").summed(),
    amount("COST", "costSoldCents").summed(),
    amount("BUY FEES", "buyFeesCents").summed().wide(),
    amount("SALE FEES", "saleFeesCents").summed().wide(),
    amount("WRITTEN OFF", "writeOffsCents").summed().wide(),
    text("SOLD", "soldCount").summed(),
];

pub(super) static EQUITY: [Column; 19] = [
    day("DAY", "at"),
    time("TAKEN", "takenAt").wide(),
    amount("EQUITY", "equityCents"),
    amount("CAPITAL", "capitalCents"),
    amount("PROFIT", "profitCents"),
    amount("DRAWDOWN", "drawdownCents"),
    amount("REALISED", "realisedCents"),
    amount("PENDING", "pendingCents").wide(),
    amount("UNREALISED", "unrealisedCents"),
    amount("WRITTEN OFF", "writeOffsCents").wide(),
    amount("AVAILABLE", "availableCents").wide(),
    amount("RESERVED", "reservedCents").wide(),
    amount("IN TRANSIT", "paidInTransitCents").wide(),
    amount("ITEMS AT COST", "inventoryAtCostCents").wide(),
    amount("AT VALUE", "inventoryAtValueCents").wide(),
    amount("DELIVERED", "deliveredAtCostCents").wide(),
    amount("RECEIVABLE", "receivableCents").wide(),
    text("ITEMS", "itemCount"),
    text("UNPRICED", "unpricedCount").wide(),
];

pub(super) static CHAIN: [Column; 6] = [
    text("STEP", "step"),
    text("ASSET", "assetId"),
    text("BEFORE", "previousAssetId"),
    text("SOURCE", "source"),
    text("SOURCE ID", "sourceId"),
    time("CREATED", "createdAt"),
];

pub(super) static WORKSPACE: [Column; 3] =
    [text("WORKSPACE", "name"), time("HALTED SINCE", "tradingHalt.since"), text("REASON", "tradingHalt.reason")];

pub(super) static REASONS: [Column; 4] = [
    text("RULE", "code"),
    text("MET", "passed"),
    text("FOUND", "actual").flexible(),
    text("LIMIT", "limit").flexible(),
];

/// The rules that refuse most of what a simulation looked at.
pub(super) static REFUSALS: [Column; 2] = [text("RULE", "code"), text("LISTINGS SKIPPED", "count")];

/// Prints records, or the response that they came in.
pub(super) fn print(output: Output, columns: &[Column], records: &[Value], whole: &Value) {
    sheet(output, columns, records, &Names::default()).print(output, whole);
}

/// Records as the rows of a table or of CSV.
pub(super) fn sheet(output: Output, columns: &[Column], records: &[Value], names: &Names) -> Sheet {
    let has_value = |column: &Column| records.iter().any(|record| !plain(&find(record, column.field)).is_empty());
    // A table has little room, so a column that says nothing is left out.
    let is_needed = |column: &Column| output != Output::Table || column.place == Place::Always || has_value(column);
    let shown = columns.iter().filter(|column| is_shown(output, column) && is_needed(column));
    let shown: Vec<&Column> = shown.collect();
    let heading = |column: &&Column| if output == Output::Csv { column.field } else { column.heading }.to_owned();
    let row = |record| shown.iter().map(|column| cell(output, column, record, names)).collect();
    let is_flexible = |(at, column): (usize, &&Column)| (column.place == Place::Flexible).then_some(at);
    Sheet {
        headings: shown.iter().map(heading).collect(),
        rows: records.iter().map(row).collect(),
        flexible: shown.iter().enumerate().filter_map(is_flexible).collect(),
        total: total(&shown, records),
    }
}

/// Whether a column is part of an output.
pub(super) fn is_shown(output: Output, column: &Column) -> bool {
    output != Output::Table || column.place != Place::Wide
}

/// A record as a row.
pub(super) fn row(output: Output, columns: &[Column], record: &Value) -> Vec<String> {
    columns.iter().map(|column| cell(output, column, record, &Names::default())).collect()
}

/// The sums of the columns that have one.
fn total(columns: &[&Column], records: &[Value]) -> Option<Vec<String>> {
    let first_summed = columns.iter().position(|column| column.is_summed)?;
    let sum = |column: &Column| {
        let amounts = records.iter().filter_map(|record| plain(&find(record, column.field)).parse::<i64>().ok());
        let sum: i64 = amounts.sum();
        if matches!(column.form, Form::Amount) { output_format::amount(sum) } else { sum.to_string() }
    };
    let cells = columns.iter().enumerate().map(|(at, column)| match at {
        0 if first_summed > 0 => "TOTAL".to_owned(),
        _ if column.is_summed => sum(column),
        _ => String::new(),
    });
    Some(cells.collect())
}

fn cell(output: Output, column: &Column, record: &Value, names: &Names) -> String {
    let value = find(record, column.field);
    match column.form {
        _ if output == Output::Csv => plain(&value),
        Form::Text => for_people(&value),
        Form::Id => of_each(&value, |id| ids::to_text(id).unwrap_or_else(|| id.to_owned())),
        Form::Named(_) => of_each(&value, |id| names.short(id)),
        Form::Amount => amount_of(&value).unwrap_or_else(|| plain(&value)),
        Form::OutOf(whole) => out_of(&plain(&value), &plain(&find(record, whole))),
        Form::Share => share_of(&value).unwrap_or_else(|| plain(&value)),
        Form::Name => of_each(&value, enum_names::words),
        Form::MarkedName(mark) => marked(of_each(&value, enum_names::words), mark, record),
        Form::Time => minute(&plain(&value)),
        Form::Day => plain(&value).chars().take(DAY).collect(),
    }
}

/// The characters of a day, such as 2026-01-31.
const DAY: usize = 10;

fn marked(name: String, mark: Mark, record: &Value) -> String {
    if plain(&find(record, mark.field)) == mark.value { format!("{name} {}", mark.text) } else { name }
}

/// A number with the one that it is to reach, if there is one.
fn out_of(number: &str, whole: &str) -> String {
    if whole.is_empty() { number.to_owned() } else { format!("{number}/{whole}") }
}

/// The value at a place in a record; of a list that of each of its records.
pub(super) fn find(record: &Value, path: &str) -> Value {
    path.split('.').filter(|part| !part.is_empty()).fold(record.clone(), |value, part| match value.as_array() {
        Some(values) => values.iter().map(|value| value[part].clone()).collect(),
        None => value[part].clone(),
    })
}

/// Prints every field of one record.
pub(super) fn whole(output: Output, record: &Value, answer: &Value, names: &Names) {
    if output == Output::Csv {
        let mut rows = Vec::new();
        flatten(&mut rows, "", record);
        return output_format::print(output, &["FIELD", "VALUE"], rows, answer);
    }
    let mut rows = Vec::new();
    fields(&mut rows, "", record, names);
    if output == Output::Table {
        rows = in_width(&rows);
    }
    output_format::print(output, &["FIELD", "VALUE"], rows, answer);
}

/// Rows of a field and its value, in which a long value continues below itself.
fn in_width(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let fields = rows.iter().filter_map(|row| row.first()).map(|field| field.chars().count());
    let width = examples::WIDTH.saturating_sub(fields.max().unwrap_or_default().max("FIELD".len()) + 1);
    let lines = |row: &Vec<String>| {
        let (field, value) = (row.first().cloned().unwrap_or_default(), row.get(1).cloned().unwrap_or_default());
        let lines = examples::joined(value.split(' ').map(str::to_owned).collect(), width);
        let lines = lines.into_iter().enumerate();
        lines.map(move |(at, line)| vec![if at == 0 { field.clone() } else { String::new() }, line])
    };
    rows.iter().flat_map(lines).collect()
}

/// The fields of a record for users: names in words, values with their units, and nothing for what is empty.
fn fields(rows: &mut Vec<Vec<String>>, place: &str, record: &Value, names: &Names) {
    for (field, value) in record.as_object().into_iter().flatten().filter(|(field, _)| *field != "workspaceId") {
        let label = format!("{place} {}", words(field)).trim().to_owned();
        match value {
            Value::Object(_) => fields(rows, &label, value, names),
            Value::Array(values) if values.iter().any(Value::is_object) => {
                for value in values {
                    rows.push(vec![label.clone(), summary(value, names)]);
                }
            }
            Value::Array(values) if values.len() > LISTED => {
                rows.push(vec![label, format!("{} values, which -o json shows", values.len())]);
            }
            Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let shown = shown(field, value, names);
                let bare = label.strip_suffix(" id").filter(|_| names.has(&plain(value)));
                if !shown.is_empty() {
                    rows.push(vec![bare.map_or(label.clone(), str::to_owned), shown]);
                }
            }
        }
    }
}

/// A list that is longer is not shown in one line.
const LISTED: usize = 20;

/// A record of a list in one line.
fn summary(record: &Value, names: &Names) -> String {
    if record["posting"].is_string() {
        let legs = many(record, "legs").iter().map(|leg| {
            format!(
                "{} {}",
                enum_names::words(&plain(&leg["account"])),
                amount_of(&leg["amountCents"]).unwrap_or_default()
            )
        });
        let legs = legs.collect::<Vec<_>>().join(", ");
        return format!(
            "{} {}: {legs}",
            minute(&plain(&record["createdAt"])),
            enum_names::words(&plain(&record["posting"]))
        );
    }
    if let (Some(name), Some(value), 2) =
        (record["name"].as_str(), record.get("value"), record.as_object().map_or(0, serde_json::Map::len))
    {
        return format!("{name}: {}", plain(value));
    }
    let mut rows = Vec::new();
    fields(&mut rows, "", record, names);
    rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join(", ")
}

/// The value of a field, whose name says what it is.
fn shown(field: &str, value: &Value, names: &Names) -> String {
    let is_id = field == "id" || field.ends_with("Id") || field.ends_with("Ids");
    match field {
        _ if is_id => of_each(value, |id| names.long(id)),
        _ if field.ends_with("Cents") => amount_of(value).unwrap_or_else(|| plain(value)),
        _ if field.ends_with("Bps") => share_of(value).unwrap_or_else(|| plain(value)),
        _ if field.ends_with("Seconds") => format!("{} s", plain(value)),
        _ if CODES.contains(&field) => of_each(value, enum_names::words),
        // A code for signing in is good for seconds.
        "validUntil" => second(&plain(value)),
        _ if is_time(&plain(value)) => minute(&plain(value)),
        _ => of_each(&for_people(value).into(), |text| enum_names::known(text).unwrap_or_else(|| text.to_owned())),
    }
}

/// The fields with codes that are of no enum, such as `POOL_DAILY_LIMIT`.
const CODES: [&str; 4] = ["failedCheck", "statusReason", "unpriced", "actual"];

/// Whether a text is a time as the interface writes it.
fn is_time(text: &str) -> bool {
    text.ends_with('Z') && OffsetDateTime::parse(text, &Rfc3339).is_ok()
}

/// A text in which times have no fractions of seconds.
pub(super) fn in_seconds(text: &str) -> String {
    let short = |word: &str| {
        let end = word.trim_end_matches([',', ':', '.', ';', ')', '"']);
        let (time, rest) = word.split_at(end.len());
        match time.split_once('.') {
            Some((seconds, _)) if is_time(time) => format!("{seconds}Z{rest}"),
            _ => word.to_owned(),
        }
    };
    text.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// A name of the interface in words; its unit is that of the value.
fn words(field: &str) -> String {
    let bare = ["Cents", "Bps", "Seconds"].iter().find_map(|unit| field.strip_suffix(unit)).unwrap_or(field);
    let spaced = bare.chars().flat_map(|character| {
        let is_upper = character.is_ascii_uppercase();
        is_upper.then_some(' ').into_iter().chain(std::iter::once(character.to_ascii_lowercase()))
    });
    spaced.collect()
}

/// A value without the form of JSON.
fn for_people(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) if values.iter().any(Value::is_object) => {
            values.iter().map(|value| summary(value, &Names::default())).collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values
            .iter()
            .map(|value| enum_names::known(&plain(value)).unwrap_or_else(|| plain(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Object(_) => plain(value),
    }
}

fn of_each(value: &Value, shown: impl Fn(&str) -> String) -> String {
    match value {
        Value::Array(values) => values.iter().map(|value| shown(&plain(value))).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            let text = plain(value);
            if text.is_empty() { text } else { shown(&text) }
        }
    }
}

pub(super) fn amount_of(value: &Value) -> Option<String> {
    plain(value).parse().ok().map(output_format::amount)
}

fn share_of(value: &Value) -> Option<String> {
    let share = output_format::amount(plain(value).parse().ok()?);
    Some(format!("{} %", share.trim_end_matches('0').trim_end_matches('.')))
}

/// A time to the minute, without the marks of its format.
pub(super) fn minute(time: &str) -> String {
    time.get(..16).map_or_else(|| time.to_owned(), |minute| minute.replace('T', " "))
}

/// A time to the second, without the marks of its format.
fn second(time: &str) -> String {
    time.get(..19).map_or_else(|| time.to_owned(), |second| second.replace('T', " "))
}

/// The values of a list in an answer; an empty list is absent there.
pub(super) fn many<'a>(answer: &'a Value, field: &str) -> &'a [Value] {
    answer[field].as_array().map_or(&[], Vec::as_slice)
}

fn flatten(rows: &mut Vec<Vec<String>>, path: &str, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(rows, &path, value);
            }
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            rows.push(vec![path.to_owned(), plain(value)]);
        }
    }
}

/// A value without the quotes of JSON; nothing for one that is absent.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::client::records::column::{id, name, out_of as reached};
    use crate::client::records::intents::INTENTS;

    #[test]
    fn users_read_amounts_and_words_and_programs_what_the_interface_has() {
        let columns = [name("STATUS", "status"), amount("SPENT", "progress.spentCents"), id("ID", "id")];
        let record = json!({
            "id": "AZuge+XocACAAAAAAFsAAA==", "status": "CONTRACT_STATUS_ACTIVE", "progress": { "spentCents": "-1205" },
        });
        let read = row(Output::Table, &columns, &record);
        assert_eq!(read, ["active", "-12.05", "019ba07b-e5e8-7000-8000-0000005b0000"]);
        let raw = row(Output::Csv, &columns, &record);
        assert_eq!(raw, ["CONTRACT_STATUS_ACTIVE", "-1205", "AZuge+XocACAAAAAAFsAAA=="]);
        let sheet = sheet(Output::Csv, &columns, &[record], &Names::default());
        assert_eq!(sheet.headings, ["status", "progress.spentCents", "id"]);
    }

    #[test]
    fn a_number_is_shown_with_the_one_that_it_is_to_reach() {
        let column = [reached("FILLED", "progress.filled", "buying.target")];
        let record = json!({ "progress": { "filled": 3 }, "buying": { "target": 10 } });
        assert_eq!(row(Output::Table, &column, &record), ["3/10"]);
        assert_eq!(row(Output::Csv, &column, &record), ["3"]);
        assert_eq!(row(Output::Table, &column, &json!({ "progress": { "filled": 3 } })), ["3"]);
    }

    #[test]
    fn a_table_marks_the_intents_of_a_dry_run() {
        let intent = |mode: &str| json!({ "status": "INTENT_STATUS_PROPOSED", "approvalMode": mode });
        for output in [Output::Table, Output::Wide] {
            let read = |mode| row(output, INTENTS.columns, &intent(mode)).contains(&"proposed (dry)".to_owned());
            assert!(read("APPROVAL_MODE_DRY_RUN") && !read("APPROVAL_MODE_MANUAL"), "{output:?}");
        }
        let raw = row(Output::Csv, INTENTS.columns, &intent("APPROVAL_MODE_DRY_RUN"));
        assert!(raw.contains(&"INTENT_STATUS_PROPOSED".to_owned()), "{raw:?}");
        assert!(INTENTS.columns.iter().any(|column| column.field == "status" && column.place == Place::Always));
    }

    #[test]
    fn a_long_value_continues_below_itself_and_times_end_with_the_minute_unless_they_are_soon() {
        let mut rows = Vec::new();
        let reason = "word ".repeat(30).trim_end().to_owned();
        fields(
            &mut rows,
            "",
            &json!({
                "reason": reason,
                "createdAt": "2026-01-31T12:30:59.123456Z",
                "validUntil": "2026-01-31T12:31:30Z",
                "failedCheck": "POOL_LIMIT",
            }),
            &Names::default(),
        );
        let rows = in_width(&rows);
        assert!(rows.iter().all(|row| row.concat().len() < 80), "{rows:?}");
        for expected in
            [["created at", "2026-01-31 12:30"], ["valid until", "2026-01-31 12:31:30"], ["failed check", "pool limit"]]
        {
            assert!(rows.iter().any(|row| row == &expected), "{rows:?}");
        }
    }

    #[test]
    fn times_in_a_sentence_have_whole_seconds() {
        let sentence = "locked until 2026-01-31T12:30:59.123456Z, version 1.25";
        assert_eq!(in_seconds(sentence), "locked until 2026-01-31T12:30:59Z, version 1.25");
    }

    #[test]
    fn a_missing_value_is_empty() {
        assert_eq!(row(Output::Table, &[amount("PRICE", "listing.priceCents")], &json!({})), [""]);
    }

    #[test]
    fn a_total_is_the_sum_of_its_column() {
        let columns = [
            text("NAME", "name"),
            amount("SPENT", "spentCents").summed(),
            amount("LEFT", "leftCents"),
            text("SOLD", "sold").summed(),
        ];
        let records = [json!({ "spentCents": "150", "sold": 2 }), json!({ "spentCents": "-50", "sold": 1 }), json!({})];
        let total = sheet(Output::Table, &columns, &records, &Names::default()).total;
        assert_eq!(total.unwrap(), ["TOTAL", "1.00", "", "3"]);
    }

    #[test]
    fn the_fields_of_a_record_are_words_with_units() {
        let record = json!({
            "workspaceId": "AZuge+XocACAAAAAAFsAAA==", "statusReason": "", "enabled": true,
            "buying": { "maxBuyPriceCents": "1250", "minDiscountBps": 250, "cooldownSeconds": 60 },
            "allowedActions": ["REMEDIATION_ACTION_APPEND_LINK", "REMEDIATION_ACTION_WRITE_OFF"],
            "settings": [{ "name": "url", "value": "http://127.0.0.1:1" }],
            "sources": [{ "name": "market", "priceCents": "100", "stale": false }],
        });
        let mut rows = Vec::new();
        fields(&mut rows, "", &record, &Names::default());
        let expected = [
            ["allowed actions", "append_link, write_off"],
            ["buying cooldown", "60 s"],
            ["buying max buy price", "12.50"],
            ["buying min discount", "2.5 %"],
            ["enabled", "yes"],
            ["settings", "url: http://127.0.0.1:1"],
            ["sources", "name market, price 1.00, stale no"],
        ];
        rows.sort();
        assert_eq!(rows, expected);
    }
}

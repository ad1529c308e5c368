//! Whether tables fit a terminal: each with the longest names that the interface has, ids and times in full, and its flexible
//! columns as short as they become.

use serde_json::Value;

use super::enum_names;
use super::records::column::{Column, Form, Place};
use super::records::ledger::ENTRIES;
use super::records::{Action, Records, Shows, tables};
use super::simulate::BOUGHT;
use super::view::{EQUITY, POINTS, PROFIT, REASONS, REFUSALS};
use crate::output_format::{LEAST, WIDTH};

/// Characters of an id, a time and a day.
const ID: usize = 36;
const TIME: usize = 16;
const DAY: usize = 10;
/// Characters of an amount below a million, of a count below a million, and of a share.
const AMOUNT: usize = 9;
const COUNT: usize = 6;
const SHARE: usize = 8;
/// Characters of a text, such as an asset id, unless its field is one of these.
const TEXT: usize = 20;
const TEXTS: [(&str, usize); 5] = [("currency", 3), ("keyPrefix", 12), ("quietFrom", 5), ("quietTo", 5), ("type", 38)];

/// The description of the interface.
struct Interface(Value);

/// A table: what shows it, the operation and the field of its response with the rows, and the columns.
struct Table {
    shown_by: String,
    operation: &'static str,
    field: &'static str,
    columns: &'static [Column],
}

impl Interface {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("../../../../../../docs/openapi.json")).unwrap())
    }

    /// What a schema describes: that of a list its entries.
    fn meant<'a>(&'a self, schema: &'a Value) -> &'a Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.meant(&self.0["components"]["schemas"][name]);
        }
        if schema["type"] == "array" { self.meant(&schema["items"]) } else { schema }
    }

    fn answer(&self, operation: &str) -> &Value {
        let answers = &self.0["paths"][format!("/{operation}")]["post"]["responses"];
        self.meant(&answers["200"]["content"]["application/json"]["schema"])
    }

    fn field<'a>(&'a self, of: &'a Value, path: &str) -> &'a Value {
        let parts = path.split('.').filter(|part| !part.is_empty());
        parts.fold(of, |schema, part| self.meant(&schema["properties"][part]))
    }

    /// The least width of a table with the longest values of each column.
    fn least_width(&self, table: &Table) -> usize {
        let record = self.field(self.answer(table.operation), table.field);
        let shown = table.columns.iter().filter(|column| column.place != Place::Wide);
        let widths: Vec<usize> = shown.map(|column| self.width(column, record)).collect();
        widths.iter().sum::<usize>() + widths.len().saturating_sub(1)
    }

    fn width(&self, column: &Column, record: &Value) -> usize {
        // A row of the ledger has one of the legs of its entry.
        let field = self.field(record, &column.field.replacen("leg.", "legs.", 1));
        let value = match column.form {
            _ if column.place == Place::Flexible => LEAST,
            Form::Id => ID,
            Form::Named(_) => LEAST,
            Form::Amount => AMOUNT,
            Form::OutOf(_) => 2 * COUNT + 1,
            Form::Share => SHARE,
            Form::Time => TIME,
            Form::Day => DAY,
            Form::MarkedName(mark) => longest(field, column) + " ".len() + mark.text.len(),
            Form::Name | Form::Text => longest(field, column),
        };
        value.max(column.heading.chars().count())
    }
}

/// Characters of the longest value of a field.
fn longest(field: &Value, column: &Column) -> usize {
    let names = field["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(longest) = names.map(|name| enum_names::words(name).chars().count()).max() {
        return longest;
    }
    if field["type"] == "boolean" {
        return "yes".len();
    }
    if ["int32", "int64"].iter().any(|format| field["format"] == *format) {
        return COUNT;
    }
    let known = TEXTS.iter().find(|(name, _)| column.field.rsplit('.').next() == Some(*name));
    known.map_or(TEXT, |(_, most)| *most)
}

/// The tables of an action.
fn tables_of(action: &'static Action, group: &str) -> Vec<Table> {
    let shown_by = format!("tradepost {group} {}", action.name);
    let of_records = |records: &'static Records| {
        let operation = if records.get.is_empty() { records.list } else { records.get };
        vec![table(&shown_by, operation, records.found, records.columns)]
    };
    let of_answer = |field, columns| table(&shown_by, action.operation, field, columns);
    match action.shows {
        Shows::List(records) | Shows::One(records) | Shows::Edited(records, _) => of_records(records),
        Shows::Pages(field, columns) | Shows::Rows(field, columns) => vec![of_answer(field, columns)],
        Shows::Two(parts) => parts.into_iter().map(|(_, field, columns)| of_answer(field, columns)).collect(),
        Shows::Legs => of_records(&ENTRIES),
        Shows::Check(_)
        | Shows::Whole(_)
        | Shows::Evaluation
        | Shows::Risks
        | Shows::Asked(_)
        | Shows::Done(_)
        | Shows::Secret(_)
        | Shows::Verdict(..)
        | Shows::Laws(_) => Vec::new(),
    }
}

fn table(shown_by: &str, operation: &'static str, field: &'static str, columns: &'static [Column]) -> Table {
    Table { shown_by: shown_by.to_owned(), operation, field, columns }
}

/// The tables of commands that are no tables alone.
fn further_tables() -> Vec<Table> {
    vec![
        table("tradepost pnl --by", "contracts.v1.Contracts/GetProfitAndLoss", "rows", &PROFIT),
        table("tradepost pnl --series", "contracts.v1.Contracts/GetProfitAndLossSeries", "points", &POINTS),
        table("tradepost pnl --equity", "contracts.v1.Contracts/GetEquitySeries", "points", &EQUITY),
        table("tradepost contracts explain", "contracts.v1.Contracts/EvaluateContract", "evaluation.reasons", &REASONS),
        table("tradepost contracts simulate", "contracts.v1.Contracts/SimulateContract", "topReasons", &REFUSALS),
        table("tradepost contracts simulate", "contracts.v1.Contracts/SimulateContract", "wouldHaveBought", &BOUGHT),
    ]
}

#[test]
fn every_table_fits_a_terminal_with_the_longest_names() {
    let interface = Interface::read();
    let of_actions =
        tables().flat_map(|group| group.actions.iter().flat_map(move |action| tables_of(action, group.name)));
    let tables: Vec<Table> = of_actions.chain(further_tables()).collect();
    let widths = tables.iter().map(|table| (interface.least_width(table), &table.shown_by));
    let wide: Vec<String> =
        widths.filter(|(width, _)| *width > WIDTH).map(|(width, shown_by)| format!("{shown_by}: {width}")).collect();
    assert_eq!(wide, Vec::<String>::new());
}

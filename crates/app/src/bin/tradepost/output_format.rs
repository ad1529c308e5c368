//! What commands print on stdout: a table for people, JSON and CSV for programs.

use std::io::{self, Write as _, stdout};
use std::sync::OnceLock;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

use crate::cli::Output;
use crate::failure::{Exit, Failure, Outcome};

/// Prints rows under their headings, or the same as JSON. A table without rows is reported on stderr.
pub(crate) fn print(output: Output, headings: &[&str], rows: Vec<Vec<String>>, json: &Value) {
    match output {
        Output::Json => line(&json.to_string()),
        Output::Csv => {
            let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
            line(csv(std::iter::once(headings).chain(rows)).trim_end());
        }
        Output::Table if rows.is_empty() => anstream::eprintln!("No results."),
        Output::Table => line(&table(headings, rows)),
    }
}

/// Rows under their headings, numbers with their ends below each other.
fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let are_numbers = |column: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
        cells.peek().is_some() && cells.all(|cell| is_number(cell))
    };
    let of_numbers: Vec<bool> = (0..headings.len()).map(are_numbers).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headings).add_rows(rows);
    for (column, is_of_numbers) in table.column_iter_mut().zip(of_numbers) {
        column.set_padding((0, 1));
        if is_of_numbers {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|character| character.is_ascii_digit() || matches!(character, '-' | '.'))
}

/// Prints a sentence for people, or the same as JSON.
pub(crate) fn say(output: Output, sentence: &str, json: &Value) {
    match output {
        Output::Json => line(&json.to_string()),
        Output::Table | Output::Csv => line(sentence),
    }
}

/// Why something of an answer could not be written.
static UNWRITTEN: OnceLock<io::Error> = OnceLock::new();

/// Prints a line; a reader that has left is not a failure, and [`written`] reports any other.
pub(crate) fn line(text: &str) {
    match try_line(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => drop(UNWRITTEN.set(error)),
        Ok(()) | Err(_) => {}
    }
}

/// Whether all that was to be printed could be.
pub(crate) fn written() -> Outcome {
    UNWRITTEN.get().map_or(Ok(()), |error| Err(Failure::new(Exit::Failed, format!("cannot write the answer: {error}"))))
}

/// Prints a line, for callers that continue only while stdout has a reader.
pub(crate) fn try_line(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Rows as CSV (RFC 4180, with line feeds).
pub(crate) fn csv<R>(rows: impl Iterator<Item = R>) -> String
where
    R: IntoIterator,
    R::Item: AsRef<[u8]>,
{
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        if let Err(error) = writer.write_record(row) {
            tracing::debug!(%error, "a row could not be written");
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// An amount of cents for people.
pub(crate) fn amount(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_and_a_quote_stay_in_their_cell() {
        let rows = [["name", "price"], ["5 % below value, \"live\"", "30.00"]];
        assert_eq!(csv(rows.into_iter()), "name,price\n\"5 % below value, \"\"live\"\"\",30.00\n");
    }

    #[test]
    fn numbers_end_below_each_other_and_words_begin_there() {
        let rows = [["one", "5", ""], ["two", "-12.50", "7"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        assert_eq!(table(&["NAME", "SPENT", "OPEN"], rows), "NAME  SPENT OPEN\none       5\ntwo  -12.50    7");
    }

    #[test]
    fn amounts_have_two_decimals_on_either_side_of_nothing() {
        assert_eq!([0, 5, -5, 123_456].map(amount), ["0.00", "0.05", "-0.05", "1234.56"]);
    }
}

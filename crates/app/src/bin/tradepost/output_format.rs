//! What commands print on stdout: a table for people, JSON and CSV for programs.

use std::io::{self, IsTerminal as _, Write as _, stdout};
use std::sync::OnceLock;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

use crate::cli::Output;
use crate::failure::{Exit, Failure, Outcome};

/// Prints rows under their headings, or the same as JSON. A table without rows is reported on stderr.
pub(crate) fn print(output: Output, headings: &[&str], rows: Vec<Vec<String>>, json: &Value) {
    let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
    Sheet { headings, rows, ..Sheet::default() }.print(output, json);
}

/// Rows under their headings, which can be made to fit a width.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The columns that can be shortened.
    pub(crate) flexible: Vec<usize>,
    /// The last row of a table.
    pub(crate) total: Option<Vec<String>>,
}

/// The width of a table that is written to a file or a pipe.
pub(crate) const WIDTH: usize = 80;
/// Characters that a shortened column keeps, if its heading is not longer.
pub(crate) const LEAST: usize = 6;

impl Sheet {
    /// Prints it, or the same as JSON. A table without rows is reported on stderr.
    pub(crate) fn print(self, output: Output, json: &Value) {
        match output {
            Output::Json => line(&json.to_string()),
            Output::Jsonl => lines_of(json).iter().for_each(|record| line(&record.to_string())),
            Output::Csv => line(csv(std::iter::once(self.headings).chain(self.rows)).trim_end()),
            Output::Table | Output::Wide if self.rows.is_empty() => anstream::eprintln!("No results."),
            Output::Table => line(&self.with_total().fitted(width()).table()),
            Output::Wide => line(&self.with_total().table()),
        }
    }

    fn with_total(mut self) -> Self {
        // The sum of one row is the row.
        let total = self.total.take().filter(|_| self.rows.len() > 1);
        self.rows.extend(total);
        self
    }

    /// Shortens the widest of the flexible columns until the table fits.
    fn fitted(mut self, width: usize) -> Self {
        let mut widths: Vec<usize> = (0..self.headings.len()).map(|column| self.width_of(column)).collect();
        let least = |column: usize| self.headings.get(column).map_or(0, |heading| heading.chars().count()).max(LEAST);
        let spaces = widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + spaces > width {
            let shrinkable = self.flexible.iter().copied();
            let shrinkable =
                shrinkable.filter(|column| widths.get(*column).is_some_and(|width| *width > least(*column)));
            let Some(widest) = shrinkable.max_by_key(|column| widths.get(*column).copied()) else { break };
            if let Some(width) = widths.get_mut(widest) {
                *width -= 1;
            }
        }
        for row in &mut self.rows {
            for (cell, width) in row.iter_mut().zip(&widths) {
                shorten(cell, *width);
            }
        }
        self
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).chain(self.headings.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    /// Numbers with their ends below each other.
    fn table(self) -> String {
        let Self { headings, rows, .. } = self;
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
}

/// The width of the terminal.
fn width() -> usize {
    let terminal = console::Term::stdout();
    let size = if stdout().is_terminal() { terminal.size_checked() } else { None };
    size.map_or(WIDTH, |(_, columns)| usize::from(columns))
}

fn shorten(cell: &mut String, width: usize) {
    if cell.chars().count() > width {
        *cell = cell.chars().take(width.saturating_sub(1)).chain(std::iter::once('…')).collect();
    }
}

/// The records of a response: those of its list, if it has one, or the response itself.
fn lines_of(json: &Value) -> Vec<&Value> {
    let mut lists = json.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_array());
    match (lists.next(), lists.next()) {
        (Some(records), None) => records.iter().collect(),
        _ => vec![json],
    }
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|character| character.is_ascii_digit() || matches!(character, '-' | '.'))
}

/// Prints a sentence for people, or the same as JSON.
pub(crate) fn say(output: Output, sentence: &str, json: &Value) {
    match output {
        Output::Json | Output::Jsonl => line(&json.to_string()),
        Output::Table | Output::Wide | Output::Csv => line(sentence),
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
    use serde_json::json;

    use super::*;

    #[test]
    fn a_comma_and_a_quote_stay_in_their_cell() {
        let rows = [["name", "price"], ["5 % below value, \"live\"", "30.00"]];
        assert_eq!(csv(rows.into_iter()), "name,price\n\"5 % below value, \"\"live\"\"\",30.00\n");
    }

    fn sheet(headings: &[&str], rows: &[&[&str]]) -> Sheet {
        let owned = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        Sheet { headings: owned(headings), rows: rows.iter().map(|row| owned(row)).collect(), ..Sheet::default() }
    }

    #[test]
    fn numbers_end_below_each_other_and_words_begin_there() {
        let sheet = sheet(&["NAME", "SPENT", "OPEN"], &[&["one", "5", ""], &["two", "-12.50", "7"]]);
        assert_eq!(sheet.table(), "NAME  SPENT OPEN\none       5\ntwo  -12.50    7");
    }

    #[test]
    fn the_widest_flexible_column_is_shortened_to_fit() {
        let sheet = sheet(&["NAME", "WHY", "ID"], &[&["a long name of it", "a reason", "1234567890"]]);
        let fitted = Sheet { flexible: vec![0, 1], ..sheet }.fitted(28);
        assert_eq!(fitted.rows, [["a long …", "a reason", "1234567890"]]);
        let narrow = Sheet { flexible: vec![0, 1], ..fitted }.fitted(10);
        assert_eq!(narrow.rows, [["a lon…", "a rea…", "1234567890"]]);
    }

    #[test]
    fn a_total_ends_a_table_of_several_rows() {
        let total = Some(vec!["TOTAL".to_owned(), "3".to_owned()]);
        let several = Sheet { total: total.clone(), ..sheet(&["NAME", "SPENT"], &[&["one", "1"], &["two", "2"]]) };
        assert_eq!(several.with_total().rows.len(), 3);
        let one = Sheet { total, ..sheet(&["NAME", "SPENT"], &[&["one", "3"]]) };
        assert_eq!(one.with_total().rows.len(), 1);
    }

    #[test]
    fn a_list_has_a_line_for_each_record_and_another_response_one() {
        let list = json!({ "pools": [{ "id": "a" }, { "id": "b" }], "truncated": false });
        assert_eq!(lines_of(&list), [&json!({ "id": "a" }), &json!({ "id": "b" })]);
        let pool = json!({ "pool": { "id": "a" } });
        assert_eq!(lines_of(&pool), [&pool]);
    }

    #[test]
    fn amounts_have_two_decimals_on_either_side_of_nothing() {
        assert_eq!([0, 5, -5, 123_456].map(amount), ["0.00", "0.05", "-0.05", "1234.56"]);
    }
}

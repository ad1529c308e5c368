//! What commands print on stdout: a table for people, JSON for programs.

use std::io::{Write as _, stdout};

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

use crate::cli::Output;

/// Prints rows under their headings, or the same as JSON.
pub(crate) fn print(output: Output, headings: &[&str], rows: Vec<Vec<String>>, json: &Value) {
    match output {
        Output::Json => line(&json.to_string()),
        Output::Table => {
            let mut table = Table::new();
            table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
            table.set_header(headings).add_rows(rows);
            for column in table.column_iter_mut() {
                column.set_padding((0, 1));
            }
            line(&table.trim_fmt());
        }
    }
}

/// Prints a sentence for people, or the same as JSON.
pub(crate) fn say(output: Output, sentence: &str, json: &Value) {
    match output {
        Output::Json => line(&json.to_string()),
        Output::Table => line(sentence),
    }
}

/// Prints a line; a reader that has gone away is no failure.
pub(crate) fn line(text: &str) {
    let mut out = stdout().lock();
    if writeln!(out, "{text}").is_err() {
        tracing::debug!("nobody reads stdout");
    }
}

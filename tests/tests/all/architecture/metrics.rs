//! The table of metrics, and that what is recorded is on the list that it is made of.

use std::collections::BTreeSet;

use tradepost_ports::metrics::{ALL, Label, Metric};

use super::{TextFile, rust_files};

const MACROS: [&str; 3] = ["counter", "gauge", "histogram"];
const LIST: &str = "crates/ports/src/metrics.rs";

/// The table in docs/reference/metrics.md.
pub(super) fn table() -> String {
    let mut rows: Vec<String> = ALL.iter().map(|(_, metric)| row(metric)).collect();
    rows.sort();
    format!("| metric | kind | labels | meaning |\n|---|---|---|---|\n{}", rows.concat())
}

fn row(metric: &Metric) -> String {
    let label = |label: &Label| match label.values {
        [] => format!("`{}`", label.name),
        values => format!("`{}`: {}", label.name, values.join(", ")),
    };
    let labels: Vec<String> = metric.labels.iter().map(label).collect();
    let (name, kind, labels) = (metric.name, metric.kind.as_str(), labels.join("; "));
    format!("| `{name}` | {kind} | {labels} | {} |\n", metric.help.trim_end_matches('.'))
}

fn sources() -> Vec<TextFile> {
    let is_source = |file: &TextFile| {
        file.is_in("crates")
            && file.path.components().any(|part| part.as_os_str() == "src")
            && !file.path.ends_with(LIST)
    };
    rust_files().into_iter().filter(is_source).collect()
}

/// What is recorded in a file: the macro, and the constant whose name it is given.
fn recorded(file: &TextFile) -> Vec<(&'static str, String)> {
    let of_macro = |kind: &'static str| {
        let macro_call = format!("metrics::{kind}!(");
        let calls = file.text.split(&macro_call).skip(1);
        let named = calls.map(|call| call.split([',', ')']).next().unwrap_or_default().trim().to_owned());
        named.map(move |name| (kind, name.trim_start_matches("metric::").to_owned())).collect::<Vec<_>>()
    };
    MACROS.into_iter().flat_map(of_macro).collect()
}

/// A name that is written where it is recorded has no help, and is missing in the table.
#[test]
fn what_is_recorded_is_on_the_list_of_metrics_under_its_kind() {
    let mut offences = Vec::new();
    for file in sources() {
        for (kind, name) in recorded(&file) {
            // The page gives the counters of the whole list their first value.
            let is_of_list = name == "name" || name == "$metric.name";
            let is_listed = |(constant, metric): &(&str, Metric)| {
                name == format!("{constant}.name") && metric.kind.as_str() == kind
            };
            if !is_of_list && !ALL.iter().any(is_listed) {
                offences.push(format!("{}: {kind} {name}", file.path.display()));
            }
        }
    }
    super::assert_none("metrics are recorded by the constants of the list, with the macro of their kind", &offences);
}

#[test]
fn every_metric_of_the_list_is_recorded_somewhere() {
    let files = sources();
    let words: BTreeSet<&str> = files.iter().flat_map(|file| file.text.split(|letter| !is_of_word(letter))).collect();
    let offences: Vec<String> = ALL
        .iter()
        .filter(|(constant, _)| !words.contains(constant))
        .map(|(_, metric)| metric.name.to_owned())
        .collect();
    super::assert_none("what no part records is not on the list", &offences);
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

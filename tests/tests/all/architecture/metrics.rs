//! The table of metrics: each is a constant whose comment says what it measures.

use std::collections::BTreeMap;

use super::{TextFile, rust_files};

const MACROS: [&str; 3] = ["counter", "gauge", "histogram"];

/// The table in docs/reference/metrics.md.
pub(super) fn table() -> String {
    let is_source =
        |file: &TextFile| file.is_in("crates") && file.path.components().any(|part| part.as_os_str() == "src");
    let mut rows = BTreeMap::new();
    for file in rust_files().iter().filter(|file| is_source(file)) {
        for (constant, name, comment) in constants(&file.text) {
            let is_of = |kind: &&&str| file.text.contains(&format!("metrics::{kind}!({constant}"));
            if let Some(kind) = MACROS.iter().find(is_of) {
                rows.insert(name.to_owned(), format!("| `{name}` | {kind} | {comment} |\n"));
            }
        }
    }
    assert!(rows.len() > 5, "found only {rows:?}");
    format!("| metric | kind | meaning |\n|---|---|---|\n{}", rows.into_values().collect::<String>())
}

/// The constants with names of metrics, with the comments in front of them as one line.
fn constants(text: &str) -> Vec<(&str, &str, String)> {
    let (mut found, mut comment) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            comment.push(words);
            continue;
        }
        let constant = line.strip_prefix("const ").or_else(|| line.strip_prefix("pub(crate) const "));
        if let Some((constant, value)) = constant.and_then(|rest| rest.split_once(": &str = \""))
            && value.starts_with("tradepost_")
        {
            found.push((constant, value.trim_end_matches("\";"), comment.join(" ").trim_end_matches('.').to_owned()));
        }
        comment.clear();
    }
    found
}

/// A name that is written where it is recorded would be missing in the table.
#[test]
fn every_metric_is_a_constant_with_a_comment() {
    let mut offences = Vec::new();
    for file in rust_files().iter().filter(|file| file.is_in("crates")) {
        for (at, line) in file.code() {
            if MACROS.iter().any(|kind| line.contains(&format!("metrics::{kind}!(\""))) {
                offences.push(format!("{}:{at}", file.path.display()));
            }
        }
        let without = constants(&file.text).into_iter().filter(|(constant, _, comment)| {
            comment.is_empty() && MACROS.iter().any(|kind| file.text.contains(&format!("metrics::{kind}!({constant}")))
        });
        offences.extend(without.map(|(constant, ..)| format!("{}: {constant}", file.path.display())));
    }
    super::assert_none("the table of metrics is made of constants and their comments", &offences);
}

//! The documented table of settings against the settings that exist.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::*;

/// The keys below a section, as the report of an unknown one lists them; empty for a setting.
fn keys_below(section: &str) -> Vec<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let heading = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
    std::fs::write(file.path(), format!("{heading}\"0\" = 1\n")).unwrap();
    let report = load(Some(file.path().to_owned()), Vec::new(), &Environment::default()).err();
    let report = report.map(|failure| failure.to_string()).unwrap_or_default();
    let keys = report.split_once(" are: ").map_or("", |(_, keys)| keys);
    keys.split(", ").filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

fn settings_below(section: &str) -> BTreeSet<String> {
    let below = keys_below(section);
    if below.is_empty() {
        return BTreeSet::from([section.to_owned()]);
    }
    let path = |key: &String| if section.is_empty() { key.clone() } else { format!("{section}.{key}") };
    below.iter().flat_map(|key| settings_below(&path(key))).collect()
}

/// The settings in the first column of the table. A name that begins with a dot shares the section of the one before.
fn documented() -> BTreeSet<String> {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| setting | default | meaning |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let mut found = BTreeSet::new();
    for cell in table.lines().filter_map(|row| row.split('|').nth(1)) {
        let mut section = String::new();
        for name in cell.split('`').skip(1).step_by(2) {
            let name = if name.starts_with('.') { format!("{section}{name}") } else { name.to_owned() };
            section = name.rsplit_once('.').map_or("", |(section, _)| section).to_owned();
            found.insert(name);
        }
    }
    found
}

#[test]
fn every_setting_is_documented_and_every_documented_setting_exists() {
    let of_class = |setting: String| match setting.strip_prefix("limits.").and_then(|rest| rest.split_once('.')) {
        Some((class, figure)) if class != "waiters" => format!("limits.CLASS.{figure}"),
        _ => setting,
    };
    let existing: BTreeSet<String> = settings_below("").into_iter().map(of_class).collect();
    assert!(existing.len() > 50, "{existing:?}");
    assert_eq!(documented(), existing);
}

//! The documented table of settings against the settings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use tradepost_adapters_price_feeds::Source;

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

/// A row of the table: its settings, and the cell of their defaults.
struct Row {
    names: Vec<String>,
    default: String,
}

/// The rows of the table. A name that begins with a dot shares the section of the one before.
fn rows() -> Vec<Row> {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| setting | default | meaning |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let row = |line: &str| {
        let mut cells = line.split('|').skip(1).map(str::trim);
        Some(Row { names: names(cells.next()?), default: cells.next()?.to_owned() })
    };
    table.lines().filter_map(row).collect()
}

fn names(cell: &str) -> Vec<String> {
    let (mut found, mut section) = (Vec::new(), String::new());
    for name in cell.split('`').skip(1).step_by(2) {
        let name = if name.starts_with('.') { format!("{section}{name}") } else { name.to_owned() };
        section = name.rsplit_once('.').map_or("", |(section, _)| section).to_owned();
        found.push(name);
    }
    found
}

fn documented() -> BTreeSet<String> {
    rows().into_iter().flat_map(|row| row.names).collect()
}

impl Row {
    /// The settings with the default of each that is written out as a value. The others have it in words, or in another setting.
    fn defaults(&self, settings: &BTreeSet<String>) -> Vec<(&str, Option<&str>)> {
        let parts: Vec<&str> = self.default.split('`').collect();
        let is_of_values =
            parts.iter().step_by(2).all(|between| between.chars().all(|letter| letter == ',' || letter == ' '));
        let values: Vec<&str> = parts.iter().skip(1).step_by(2).copied().filter(|_| is_of_values).collect();
        let is_value = |value: &&str| !settings.contains(*value) && !value.contains("PORT");
        let value = |at: usize| if let [value] = values[..] { Some(value) } else { values.get(at).copied() };
        let names = self.names.iter().enumerate();
        names.map(|(at, name)| (name.as_str(), value(at).filter(is_value))).collect()
    }
}

/// The default of every setting, as `Debug` shows it.
fn shown_defaults() -> BTreeMap<String, String> {
    let shown = format!("{:#?}", Settings::default());
    let (mut found, mut sections) = (BTreeMap::new(), Vec::new());
    for line in shown.lines().skip(1).map(str::trim) {
        match line.split_once(": ") {
            Some((name, value)) if value.ends_with('{') => sections.push(name),
            Some((name, value)) => {
                let name: Vec<&str> = sections.iter().copied().chain([name]).collect();
                found.insert(name.join("."), value.trim_end_matches(',').to_owned());
            }
            None if line.starts_with('}') => {
                sections.pop();
            }
            // An entry of a list.
            None => {}
        }
    }
    found
}

/// The addresses of services, which are in their adapters.
fn addresses() -> BTreeMap<String, String> {
    let setting = |service: &str| format!("outside.addresses.{}", service.replace('-', "_"));
    let steam = tradepost_adapters_steam::Addresses::default();
    let of_steam = [(setting("steam_api"), steam.api), (setting("steam_community"), steam.community)];
    let of_sources = Source::ALL.map(|source| (setting(source.name()), source.address().to_owned()));
    of_sources.into_iter().chain(of_steam).collect()
}

/// The settings of a program to which one is given.
fn shown_with(setting: &str, value: &str) -> String {
    let variable = format!("TRADEPOST_{}", setting.replace('.', "__").to_ascii_uppercase());
    let loaded = load(None, Vec::new(), &Environment::from([(variable.as_str(), value)])).unwrap();
    format!("{:?}", loaded.settings)
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

#[test]
fn the_documented_default_of_every_setting_is_its_default() {
    let (settings, addresses, shown) = (documented(), addresses(), shown_defaults());
    let unchanged = format!("{:?}", Settings::default());
    let (mut values, mut wrong) = (0, Vec::new());
    for row in rows() {
        // The quotas of a class are in a table of their own.
        for (name, value) in row.defaults(&settings).into_iter().filter(|(name, _)| !name.contains("CLASS")) {
            let is_right = match (value, addresses.get(name)) {
                (Some(value), Some(address)) => value == address,
                (Some(value), None) => shown_with(name, value) == unchanged,
                (None, _) => ["None", "[]", "{}"].contains(&shown.get(name).map_or("", String::as_str)),
            };
            values += usize::from(value.is_some());
            wrong.extend((!is_right).then(|| format!("{name}: {}, and not {:?}", row.default, shown.get(name))));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(values > 50, "only {values} defaults are written out");
}

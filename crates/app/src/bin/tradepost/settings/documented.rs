//! The table of settings in `docs/reference/configuration.md`, made of the settings that exist.
//!
//! Meanings are the comments at the settings, and defaults are computed. With `INSTA_UPDATE=always` the table is written.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;

use tradepost_adapters_price_feeds::Source;

use super::diagnostics::dotted;
use super::*;

const OPENED: &str = "<!-- table: settings -->\n";
const CLOSED: &str = "<!-- end of table -->";
/// The files that define sections.
const DEFINITIONS: [&str; 5] = [
    include_str!("sections.rs"),
    include_str!("database.rs"),
    include_str!("limits.rs"),
    include_str!("outside.rs"),
    include_str!("trading.rs"),
];

/// A setting, as its definition describes it.
struct Setting {
    name: String,
    meaning: String,
    default_in_words: Option<String>,
    is_optional: bool,
}

impl Setting {
    fn new(name: String, kind: &str, comment: &[&str]) -> Self {
        let text = comment.join("\n");
        let (meaning, words) =
            text.split_once("\n\nDefault: ").map_or((text.as_str(), None), |(meaning, words)| (meaning, Some(words)));
        Self {
            name,
            meaning: meaning.replace('\n', " "),
            default_in_words: words.map(|words| words.replace('\n', " ")),
            is_optional: kind.starts_with("Option<"),
        }
    }

    /// Whether the comment refers to another setting, whose row this one shares.
    fn refers_to(&self, other: &Self) -> bool {
        other.name.rsplit('.').next().is_some_and(|name| self.meaning == format!("See `{name}`."))
    }

    /// The default as a file or a variable has it; `None` without a value.
    fn default_value(&self, defaults: &BTreeMap<String, String>) -> Option<String> {
        match defaults[&self.name].as_str() {
            "None" if self.is_optional => None,
            "[]" | "{}" => None,
            choice if choice.starts_with(char::is_uppercase) => Some(choice.to_ascii_lowercase()),
            value => Some(value.replace('"', "")),
        }
    }
}

/// The settings of a type of section, in the order of its definition; none if the type is not a section.
fn settings_of(section: &str, path: &str) -> Vec<Setting> {
    let opening = format!("pub(crate) struct {section} {{\n");
    let definition = DEFINITIONS.iter().find_map(|file| file.split_once(opening.as_str()));
    let fields = definition.map_or("", |(_, rest)| rest.split("\n}").next().unwrap_or_default());
    let (mut settings, mut comment): (Vec<Setting>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in fields.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            comment.push(text.trim());
        } else if let Some((name, kind)) = line.trim_start_matches("pub(crate) ").split_once(": ") {
            let (name, kind) = (dotted(path, name), kind.trim_end_matches(','));
            let mut below = settings_of(kind, &name);
            if below.is_empty() {
                below.push(Setting::new(name, kind, &comment));
            }
            settings.append(&mut below);
            comment.clear();
        }
    }
    settings
}

/// All settings by the rows of the table.
fn rows() -> Vec<Vec<Setting>> {
    let mut rows: Vec<Vec<Setting>> = Vec::new();
    for setting in settings_of("Settings", "") {
        match rows.last_mut().filter(|row| row.first().is_some_and(|first| setting.refers_to(first))) {
            Some(row) => row.push(setting),
            None => rows.push(vec![setting]),
        }
    }
    rows
}

fn table() -> String {
    let defaults = defaults();
    let mut lines: Vec<String> = rows().iter().map(|row| line(row, &defaults)).collect();
    // Each class of limits has the same line.
    lines.dedup();
    format!("| setting | default | meaning |\n|---|---|---|\n{}", lines.concat())
}

fn line(row: &[Setting], defaults: &BTreeMap<String, String>) -> String {
    let names: Vec<String> = row.iter().map(|setting| format!("`{}`", of_any_class(&setting.name))).collect();
    let meaning = row.first().map_or("", |first| first.meaning.as_str());
    format!("| {} | {} | {meaning} |\n", names.join(", "), default_cell(row, defaults))
}

/// The quotas of a class of calls have one row for all classes.
fn of_any_class(name: &str) -> String {
    match name.strip_prefix("limits.").and_then(|rest| rest.split_once('.')) {
        Some((class, figure)) if class != "waiters" => format!("limits.CLASS.{figure}"),
        _ => name.to_owned(),
    }
}

/// The default of the settings of a row in words, as the one value of all, or as the value of each.
fn default_cell(row: &[Setting], defaults: &BTreeMap<String, String>) -> String {
    if let Some(words) = row.first().and_then(|first| first.default_in_words.clone()) {
        return words;
    }
    let in_ticks = |value: String| format!("`{value}`");
    let values = row.iter().map(|setting| setting.default_value(defaults));
    let mut cells: Vec<String> = values.map(|value| value.map_or_else(|| "none".to_owned(), in_ticks)).collect();
    if cells.windows(2).all(|pair| pair.first() == pair.last()) {
        cells.truncate(1);
    }
    cells.join(", ")
}

/// The default of every setting, as `Debug` shows it, and the addresses of services.
fn defaults() -> BTreeMap<String, String> {
    let shown = format!("{:#?}", Settings::default());
    let mut found = BTreeMap::new();
    let (mut path, mut entries): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in shown.lines().skip(1).map(|line| line.trim().trim_end_matches(',')) {
        match line.split_once(": ") {
            Some((name, value)) if value.ends_with(['{', '[']) => path.push(name),
            Some((name, value)) => {
                found.insert(dotted(&path.join("."), name), value.to_owned());
            }
            None if line == "]" => {
                found.insert(path.join("."), format!("[{}]", entries.join(", ")));
                entries.clear();
                path.pop();
            }
            None if line == "}" => {
                path.pop();
            }
            None => entries.push(line),
        }
    }
    found.extend(addresses());
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

fn names_below(section: &str) -> BTreeSet<String> {
    let below = keys_below(section);
    if below.is_empty() {
        return BTreeSet::from([section.to_owned()]);
    }
    below.iter().flat_map(|key| names_below(&dotted(section, key))).collect()
}

/// The settings of a program to which one is given.
fn shown_with(setting: &str, value: &str) -> String {
    let variable = format!("TRADEPOST_{}", setting.replace('.', "__").to_ascii_uppercase());
    let loaded = load(None, Vec::new(), &Environment::from([(variable.as_str(), value)])).unwrap();
    format!("{:?}", loaded.settings)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
fn the_table_of_settings_is_the_one_that_the_code_makes() -> Result<(), Box<dyn Error>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    let page = std::fs::read_to_string(&path)?;
    let (before, rest) = page.split_once(OPENED).ok_or("the page has no table of settings")?;
    let (_, after) = rest.split_once(CLOSED).ok_or("the table has no end")?;
    let made = format!("{before}{OPENED}\n{}\n{CLOSED}{after}", table());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&path, &made)?;
    }
    assert!(std::fs::read_to_string(&path)? == made, "docs/reference/configuration.md: INSTA_UPDATE=always writes it");
    Ok(())
}

#[test]
fn every_setting_is_in_the_table_with_a_meaning() {
    let rows = rows();
    let has_no_meaning = |first: &&Setting| first.meaning.is_empty() || first.meaning.starts_with("See `");
    let without: Vec<&str> =
        rows.iter().filter_map(|row| row.first()).filter(has_no_meaning).map(|first| first.name.as_str()).collect();
    assert_eq!(without, Vec::<&str>::new());
    let existing = names_below("");
    assert!(existing.len() > 50, "{existing:?}");
    assert_eq!(rows.into_iter().flatten().map(|setting| setting.name).collect::<BTreeSet<_>>(), existing);
}

#[test]
fn the_default_of_every_setting_in_the_table_is_the_one_of_the_program() {
    let (defaults, addresses) = (defaults(), addresses());
    let unchanged = format!("{:?}", Settings::default());
    let (mut values, mut wrong) = (0, Vec::new());
    for row in rows() {
        let is_in_words = row.iter().any(|setting| setting.default_in_words.is_some());
        for setting in row {
            let Some(value) = setting.default_value(&defaults) else { continue };
            let is_default = || shown_with(&setting.name, &value) == unchanged;
            let is_right = !is_in_words && (addresses.contains_key(&setting.name) || is_default());
            values += 1;
            wrong.extend((!is_right).then(|| format!("{}: {value}", setting.name)));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(values > 50, "only {values} settings have a value");
}

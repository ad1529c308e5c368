//! A desk file, checked: the records that it describes, or every mistake in it with its line.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde_json::Value;

use super::fields::{Field, Form, Life};
use super::kinds::{KINDS, Kind, kind};
use super::tree::{Data, Entry, Node};
use super::values::{self, Values};

/// A record as the file describes it.
#[derive(Clone)]
pub(super) struct Wanted {
    pub(super) kind: &'static Kind,
    pub(super) line: usize,
    pub(super) values: Values,
    /// Secrets by the table and the name, such as `secrets.password`.
    pub(super) secrets: BTreeMap<String, Secret>,
}

/// Where a secret is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Secret {
    Variable(String),
    File(PathBuf),
}

/// Something wrong in the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) line: usize,
    pub(super) what: String,
    pub(super) advice: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)?;
        self.advice.iter().try_for_each(|advice| write!(f, " ({advice})"))
    }
}

impl Kind {
    /// What distinguishes a record from the others of its kind.
    pub(super) fn identity_of(&self, values: &Values) -> Vec<String> {
        self.identity
            .iter()
            .map(|path| values.get(*path).map(|value| values::shown(Some(value))).unwrap_or_default())
            .collect()
    }

    /// A record as readers know it, such as `pool "Main"`.
    pub(super) fn title(&self, values: &Values) -> String {
        let identity = self.identity_of(values);
        let shown = match (self.section, identity.as_slice()) {
            ("assignments", [pool, account]) => format!("{account} to {pool}"),
            ("providers", [_, name]) => name.clone(),
            ("price_overrides", [name, phase, _]) if !phase.is_empty() => format!("{name} {phase}"),
            _ => identity.first().cloned().unwrap_or_default(),
        };
        format!("{} {shown:?}", self.noun)
    }
}

/// Checks a file.
pub(super) fn check(document: &Node) -> Result<Vec<Wanted>, Vec<Mistake>> {
    let mut checked = Checked::default();
    let Data::Table(sections) = &document.data else {
        return Err(vec![mistake(document.line, "the file must be a table of sections", None)]);
    };
    for section in sections.iter().filter(|section| section.key != "$schema") {
        let Some(kind) = kind(&section.key) else {
            let sections: Vec<&str> = KINDS.iter().map(|kind| kind.section).collect();
            checked.mistakes.push(unknown("section", &section.key, section.line, &sections));
            continue;
        };
        checked.section(kind, section);
    }
    checked.find_twins();
    if checked.mistakes.is_empty() { Ok(checked.records) } else { Err(checked.mistakes) }
}

#[derive(Default)]
struct Checked {
    records: Vec<Wanted>,
    mistakes: Vec<Mistake>,
}

impl Checked {
    fn section(&mut self, kind: &'static Kind, section: &Entry) {
        let Data::List(nodes) = &section.value.data else {
            let what = format!("{} must be a list of tables", section.key);
            let advice = format!("begin each {} with [[{}]]", kind.noun, section.key);
            return self.mistakes.push(mistake(section.line, what, Some(advice)));
        };
        for node in nodes {
            let mut wanted = Wanted { kind, line: node.line, values: Values::new(), secrets: BTreeMap::new() };
            let before = self.mistakes.len();
            self.table(&mut wanted, kind.fields, "", Some(node));
            self.contradictions(&wanted);
            if self.mistakes.len() == before {
                self.records.push(wanted);
            }
        }
    }

    /// Reads the fields of a record, or of a table in it, which may be absent.
    fn table(&mut self, wanted: &mut Wanted, fields: &'static [Field], path: &str, node: Option<&Node>) {
        let entries = match node.map(|node| (&node.data, node.line)) {
            Some((Data::Table(entries), _)) => entries.as_slice(),
            None => &[],
            Some((_, line)) => {
                let what = format!("{} must be a table of keys", in_words(wanted.kind, path));
                return self.mistakes.push(mistake(line, what, None));
            }
        };
        for entry in entries.iter().filter(|entry| fields.iter().all(|field| field.name != entry.key)) {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let what = format!("key of {}", in_words(wanted.kind, path));
            self.mistakes.push(unknown(&what, &entry.key, entry.line, &names));
        }
        let line = node.map_or(wanted.line, |node| node.line);
        for field in fields {
            let entry = entries.iter().find(|entry| entry.key == field.name);
            self.field(wanted, field, &below(path, field.name), (entry, line));
        }
    }

    fn field(&mut self, wanted: &mut Wanted, field: &'static Field, path: &str, place: (Option<&Entry>, usize)) {
        let (entry, line) = place;
        match (&field.form, entry) {
            (Form::Table(fields), _) => {
                let is_optional = entry.is_none() && fields.iter().any(Field::is_required);
                if !is_optional {
                    self.table(wanted, fields, path, entry.map(|entry| &entry.value));
                } else if field.is_required() {
                    self.mistakes.push(missing(wanted.kind, path, line));
                }
            }
            (Form::Entries, Some(entry)) => self.settings(wanted, path, entry),
            (Form::Secrets, Some(entry)) => self.secrets(wanted, path, entry),
            (_, Some(entry)) => match values::read(&field.form, &entry.value) {
                Ok(Value::Array(values)) if values.is_empty() => {}
                Ok(value) => drop(wanted.values.insert(path.to_owned(), value)),
                Err(rule) => {
                    let what = format!("{}: {rule}", in_words(wanted.kind, path));
                    self.mistakes.push(mistake(entry.line, what, None));
                }
            },
            (_, None) if field.is_required() => self.mistakes.push(missing(wanted.kind, path, line)),
            (_, None) => {
                if let Some(value) = field.default().filter(|_| field.life == Life::Free) {
                    wanted.values.insert(path.to_owned(), value);
                }
            }
        }
    }

    fn settings(&mut self, wanted: &mut Wanted, path: &str, entry: &Entry) {
        const SETTING: Form = Form::Text { most: 512 };
        let Data::Table(entries) = &entry.value.data else {
            let what = format!("{} must be a table of keys", in_words(wanted.kind, path));
            return self.mistakes.push(mistake(entry.line, what, None));
        };
        for setting in entries {
            let path = below(path, &setting.key);
            match values::read(&SETTING, &setting.value) {
                Ok(value) => drop(wanted.values.insert(path, value)),
                Err(rule) => {
                    self.mistakes.push(mistake(
                        setting.line,
                        format!("{}: {rule}", in_words(wanted.kind, &path)),
                        None,
                    ));
                }
            }
        }
    }

    fn secrets(&mut self, wanted: &mut Wanted, path: &str, entry: &Entry) {
        let Data::Table(entries) = &entry.value.data else {
            let what = format!("{} must be a table of keys", in_words(wanted.kind, path));
            return self.mistakes.push(mistake(entry.line, what, None));
        };
        for secret in entries {
            let path = below(path, &secret.key);
            if let Some(source) = source(&secret.value) {
                wanted.secrets.insert(path, source);
            } else {
                let what = format!("{} must say where the secret is", in_words(wanted.kind, &path));
                let advice =
                    "write { env = \"VARIABLE\" } or { file = \"PATH\" }: the file itself has no secrets".to_owned();
                self.mistakes.push(mistake(secret.line, what, Some(advice)));
            }
        }
    }

    /// Fields that exclude each other.
    fn contradictions(&mut self, wanted: &Wanted) {
        if wanted.kind.section != "contracts" {
            return;
        }
        let has = |table: &str| wanted.values.keys().any(|path| path.starts_with(&format!("{table}.")));
        if has("buying") == has("selling") {
            let what = "contracts: exactly one of buying and selling is required";
            self.mistakes.push(mistake(wanted.line, what, None));
        }
        if wanted.values.contains_key("selling.undercut") && wanted.values.contains_key("selling.undercut_bps") {
            let what = "contracts.selling: undercut and undercut_bps exclude each other";
            self.mistakes.push(mistake(wanted.line, what, None));
        }
    }

    /// Records that the file describes twice.
    fn find_twins(&mut self) {
        let mut seen: BTreeMap<(&str, Vec<String>), usize> = BTreeMap::new();
        for wanted in &self.records {
            let key = (wanted.kind.section, wanted.kind.identity_of(&wanted.values));
            if let Some(first) = seen.get(&key) {
                let what = format!("{} is described twice", wanted.kind.title(&wanted.values));
                self.mistakes.push(mistake(wanted.line, what, Some(format!("the first is in line {first}"))));
            } else {
                seen.insert(key, wanted.line);
            }
        }
    }
}

fn source(node: &Node) -> Option<Secret> {
    let Data::Table(entries) = &node.data else { return None };
    let [Entry { key, value: Node { data: Data::Text(text), .. }, .. }] = entries.as_slice() else { return None };
    match key.as_str() {
        "env" => Some(Secret::Variable(text.clone())),
        "file" => Some(Secret::File(text.into())),
        _ => None,
    }
}

pub(super) fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn in_words(kind: &Kind, path: &str) -> String {
    below(kind.section, path).trim_end_matches('.').to_owned()
}

fn mistake(line: usize, what: impl Into<String>, advice: Option<String>) -> Mistake {
    Mistake { line, what: what.into(), advice }
}

fn missing(kind: &Kind, path: &str, line: usize) -> Mistake {
    mistake(line, format!("{} is required", in_words(kind, path)), None)
}

fn unknown(what: &str, given: &str, line: usize, known: &[&str]) -> Mistake {
    let advice = nearest(given, known)
        .map_or_else(|| format!("known are {}", known.join(", ")), |nearest| format!("did you mean {nearest}?"));
    mistake(line, format!("unknown {what}: {given}"), Some(advice))
}

/// The known name that was probably meant.
pub(super) fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    let rated = known.iter().map(|name| (strsim::jaro_winkler(&given.to_lowercase(), &name.to_lowercase()), *name));
    rated.filter(|(likeness, _)| *likeness >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tree::{Syntax, read};
    use super::*;

    fn checked(text: &str) -> Result<Vec<Wanted>, Vec<String>> {
        check(&read(text, Syntax::Toml).unwrap()).map_err(|found| found.iter().map(ToString::to_string).collect())
    }

    fn mistakes(text: &str) -> Vec<String> {
        checked(text).err().unwrap_or_default()
    }

    #[test]
    fn a_record_has_its_values_by_path_with_the_defaults() {
        let records = checked(
            "[[accounts]]\nname = \" bot-1 \"\nplatform = \"steam\"\nplatform_user_id = 76561198000000001\n\
             secrets.password = { env = \"PASSWORD\" }\n",
        );
        let [account] = records.ok().unwrap().try_into().ok().unwrap();
        assert_eq!(account.values["name"], "bot-1");
        assert_eq!(account.values["platform_user_id"], "76561198000000001");
        assert_eq!(account.values["limits.max_inventory"], 1000);
        assert_eq!(account.values["capabilities"], json!(["buy", "sell", "store"]));
        assert_eq!(account.secrets["secrets.password"], Secret::Variable("PASSWORD".to_owned()));
        assert_eq!(account.kind.title(&account.values), "trading account \"bot-1\"");
    }

    #[test]
    fn every_mistake_is_reported_with_its_line_and_what_was_meant() {
        let text = "[[pool]]\n[[pools]]\nname = \"Main\"\n[pools.limits]\nbudget = 100\nmax_per_purchse = \"1.00\"\n\
                    [[filter_sets]]\nrules = { rarities = [\"rare\"] }\n";
        assert_eq!(
            mistakes(text),
            [
                "line 1: unknown section: pool (did you mean pools?)",
                "line 6: unknown key of pools.limits: max_per_purchse (did you mean max_per_purchase?)",
                "line 5: pools.limits.budget: an amount is a text with its decimals, such as \"12.50\"",
                "line 7: filter_sets.name is required",
                "line 8: filter_sets.rules.rarities: must be one of consumer, industrial, mil_spec, restricted, classified, covert, \
                 contraband and not \"rare\"",
            ]
        );
    }

    #[test]
    fn a_section_is_a_list_and_a_secret_is_never_in_the_file() {
        assert_eq!(
            mistakes("[pools]\nname = \"Main\"\n"),
            ["line 1: pools must be a list of tables (begin each pool with [[pools]])"]
        );
        let text = "[[accounts]]\nname = \"a\"\nplatform = \"steam\"\nplatform_user_id = \"1\"\nsecrets.password = \"hunter2\"\n";
        let [found] = mistakes(text).try_into().unwrap();
        assert!(found.starts_with("line 5: accounts.secrets.password must say where the secret is"), "{found}");
    }

    #[test]
    fn a_contract_buys_or_sells_and_is_described_once() {
        let contract = "[[contracts]]\nname = \"A\"\napproval = \"manual\"\n";
        assert_eq!(mistakes(contract), ["line 1: contracts: exactly one of buying and selling is required"]);
        let selling = format!("{contract}selling = {{ floor_price = \"1.00\" }}\n");
        assert_eq!(mistakes(&selling).len(), 0);
        let twice = mistakes(&selling.repeat(2));
        assert_eq!(twice, ["line 5: contract \"A\" is described twice (the first is in line 1)"]);
        let both = format!("{contract}selling = {{ floor_price = \"1.00\", undercut = \"0.01\", undercut_bps = 1 }}\n");
        assert_eq!(mistakes(&both), ["line 1: contracts.selling: undercut and undercut_bps exclude each other"]);
    }
}

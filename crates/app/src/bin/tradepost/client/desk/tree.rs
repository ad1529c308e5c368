//! A desk file as a tree of values with their lines, read from TOML or JSON. It does not know what the values mean.

use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use toml_edit::{Document, Item, TableLike, Value};

/// A value and where it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) data: Data,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Data {
    Text(String),
    Whole(i64),
    /// A number with a fraction, as it is written: no field takes one.
    Fraction(String),
    Flag(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key of a table with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) value: Node,
}

/// Text that is neither.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) line: usize,
    pub(super) why: String,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Toml,
    Json,
}

impl Syntax {
    /// JSON by the name of the file; without a name by the text, because TOML never begins with a brace.
    pub(super) fn of(name: &str, text: &str) -> Self {
        let is_json =
            name.to_ascii_lowercase().ends_with(".json") || (name == "-" && text.trim_start().starts_with('{'));
        if is_json { Self::Json } else { Self::Toml }
    }
}

/// Reads a file.
pub(super) fn read(text: &str, syntax: Syntax) -> Result<Node, Unreadable> {
    let lines = Lines::of(text);
    match syntax {
        Syntax::Toml => {
            let document = Document::parse(text).map_err(|error| Unreadable {
                line: lines.at(error.span().map_or(0, |span| span.start)),
                why: error.message().to_owned(),
            })?;
            Ok(Node { line: 1, data: Data::Table(lines.entries(document.as_table())) })
        }
        Syntax::Json => {
            let unreadable = |offset, why: String| Unreadable { line: lines.at(offset), why };
            let read = parse_to_ast(text, &CollectOptions::default(), &STRICT)
                .map_err(|error| unreadable(error.range().start, error.kind().to_string()))?;
            lines.json(read.value.as_ref().ok_or_else(|| unreadable(0, "the file is empty".to_owned()))?)
        }
    }
}

/// JSON as its standard has it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The number of the line with this byte.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|begin| *begin <= offset)
    }

    fn at_span(&self, span: Option<std::ops::Range<usize>>) -> usize {
        self.at(span.map_or(0, |span| span.start))
    }

    fn entries(&self, table: &dyn TableLike) -> Vec<Entry> {
        let keys = table.iter().filter_map(|(key, _)| table.get_key_value(key));
        let entries = keys.map(|(key, item)| {
            let line = self.at_span(key.span().or_else(|| item.span()));
            Entry { key: key.get().to_owned(), line, value: self.item(item, line) }
        });
        entries.collect()
    }

    fn item(&self, item: &Item, line: usize) -> Node {
        match item {
            Item::None => Node { line, data: Data::Table(Vec::new()) },
            Item::Value(value) => self.value(value),
            Item::Table(table) => Node { line, data: Data::Table(self.entries(table)) },
            Item::ArrayOfTables(tables) => {
                let of = |table: &toml_edit::Table| Node {
                    line: self.at_span(table.span()),
                    data: Data::Table(self.entries(table)),
                };
                Node { line, data: Data::List(tables.iter().map(of).collect()) }
            }
        }
    }

    fn value(&self, value: &Value) -> Node {
        let data = match value {
            Value::String(text) => Data::Text(text.value().clone()),
            Value::Integer(number) => Data::Whole(*number.value()),
            Value::Float(number) => Data::Fraction(number.value().to_string()),
            Value::Boolean(flag) => Data::Flag(*flag.value()),
            Value::Datetime(time) => Data::Text(time.value().to_string()),
            Value::Array(values) => Data::List(values.iter().map(|value| self.value(value)).collect()),
            Value::InlineTable(table) => Data::Table(self.entries(table)),
        };
        Node { line: self.at_span(value.span()), data }
    }

    fn json(&self, value: &ast::Value<'_>) -> Result<Node, Unreadable> {
        let line = self.at(value.start());
        let data = match value {
            ast::Value::StringLit(text) => Data::Text(text.value.to_string()),
            ast::Value::NumberLit(number) => {
                number.value.parse().map_or_else(|_| Data::Fraction(number.value.to_owned()), Data::Whole)
            }
            ast::Value::BooleanLit(flag) => Data::Flag(flag.value),
            ast::Value::Array(values) => {
                Data::List(values.elements.iter().map(|value| self.json(value)).collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => Data::Table(self.properties(object)?),
            ast::Value::NullKeyword(_) => {
                return Err(Unreadable { line, why: "null is not a value: leave the key out".to_owned() });
            }
        };
        Ok(Node { line, data })
    }

    fn properties(&self, object: &ast::Object<'_>) -> Result<Vec<Entry>, Unreadable> {
        let mut entries: Vec<Entry> = Vec::new();
        for property in &object.properties {
            let key = match &property.name {
                ObjectPropName::String(name) => name.value.to_string(),
                ObjectPropName::Word(name) => name.value.to_owned(),
            };
            let line = self.at(property.start());
            if entries.iter().any(|entry| entry.key == key) {
                return Err(Unreadable { line, why: format!("duplicate key {key}") });
            }
            entries.push(Entry { key, line, value: self.json(&property.value)? });
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(node: &Node) -> String {
        match &node.data {
            Data::Text(text) => format!("{text:?}"),
            Data::Whole(number) => number.to_string(),
            Data::Fraction(number) => format!("~{number}"),
            Data::Flag(flag) => flag.to_string(),
            Data::List(nodes) => format!("[{}]", nodes.iter().map(shape).collect::<Vec<_>>().join(", ")),
            Data::Table(entries) => {
                let shown =
                    entries.iter().map(|entry| format!("{}@{}: {}", entry.key, entry.line, shape(&entry.value)));
                format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn toml_and_json_are_read_with_the_lines_of_their_keys() {
        let toml = "a = 1\n[[pools]]\nname = \"Main\"\n\n[pools.limits]\nbudget = \"1.00\"\non = true\nat = 2026-01-31T00:00:00Z\n";
        let tree = read(toml, Syntax::Toml).unwrap();
        let expected = "{a@1: 1, pools@2: [{name@3: \"Main\", limits@5: {budget@6: \"1.00\", on@7: true, at@8: \"2026-01-31T00:00:00Z\"}}]}";
        assert_eq!(shape(&tree), expected);
        let json = "{\n \"pools\": [\n  {\"name\": \"Main\", \"x\": 1.5}\n ]\n}";
        assert_eq!(shape(&read(json, Syntax::Json).unwrap()), "{pools@2: [{name@3: \"Main\", x@3: ~1.5}]}");
    }

    #[test]
    fn text_that_cannot_be_read_has_the_line_of_its_mistake() {
        assert_eq!(read("a = 1\nb = = 2\n", Syntax::Toml).unwrap_err().line, 2);
        for (text, line) in [("{\n \"a\": 1,\n}", 2), ("{\n\"a\": null}", 2), ("{\"a\": 1,\n \"a\": 2}", 2), ("", 1)] {
            assert_eq!(read(text, Syntax::Json).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn the_syntax_follows_from_the_name_or_else_from_the_text() {
        assert_eq!(Syntax::of("desk.JSON", ""), Syntax::Json);
        assert_eq!(Syntax::of("desk.toml", "{"), Syntax::Toml);
        assert_eq!(Syntax::of("-", " {}"), Syntax::Json);
        assert_eq!(Syntax::of("-", "[[pools]]"), Syntax::Toml);
    }
}

//! The shape of a JSON answer: which paths it has, and the types found there. No value of the answer is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

/// How the text of a [`ShapeDrift`] begins.
const MARK: &str = "SHAPE_DRIFT: ";

/// The type of a JSON value. Numbers with and without a fraction are one type: `11` and `11.5` are both prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// The pairs of path and type of an answer. `$` is the path of the whole, and an element of
/// an array has that of the array with `[]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shapes(BTreeMap<String, BTreeSet<JsonType>>);

/// What a driver needs at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequiredShape {
    /// The path.
    pub path: &'static str,
    /// The types that it may have there.
    pub types: &'static [JsonType],
    /// Whether every object that could have it must have it.
    pub is_required: bool,
}

/// An answer no longer has the shape that its driver needs. Names the path and no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeDrift {
    /// A required path is missing.
    Missing {
        /// The path.
        path: &'static str,
    },
    /// A path has another type.
    Changed {
        /// The path.
        path: &'static str,
        /// The type that was found.
        found: JsonType,
        /// The types that it may have.
        expected: TypeNames,
    },
    /// A value that the driver needs is missing, or is not one that it can use.
    Unreadable {
        /// The path.
        path: String,
    },
}

/// The names of types, for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeNames(&'static [JsonType]);

impl JsonType {
    /// Returns the type of a value.
    pub const fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Returns its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for TypeNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|of| of.name()).collect();
        f.write_str(&names.join(" or "))
    }
}

impl ShapeDrift {
    /// Returns what differs, if this is the text of a drift. The errors of ports have it as text.
    pub fn in_text(text: &str) -> Option<&str> {
        text.strip_prefix(MARK)
    }
}

impl fmt::Display for ShapeDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MARK)?;
        match self {
            Self::Missing { path } => write!(f, "{path} is missing"),
            Self::Changed { path, found, expected } => write!(f, "{path} is {found}, and must be {expected}"),
            Self::Unreadable { path } => write!(f, "{path} is missing or cannot be read"),
        }
    }
}

impl Shapes {
    /// Returns the shape of an answer.
    pub fn of(answer: &Value) -> Self {
        let mut shapes = Self::default();
        shapes.note("$".to_owned(), answer);
        shapes
    }

    fn note(&mut self, path: String, value: &Value) {
        match value {
            Value::Array(elements) => {
                for element in elements {
                    self.note(format!("{path}[]"), element);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.note(format!("{path}.{name}"), field);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        self.0.entry(path).or_default().insert(JsonType::of(value));
    }

    /// Compares the shape with what a driver needs. Paths that it does not name are not looked at.
    ///
    /// A required path is missing if no object of the answer has it. Whether each one has it is for the driver to see: it leaves out
    /// an element that it cannot read.
    ///
    /// # Errors
    /// [`ShapeDrift`] of the first path that differs.
    pub fn check(&self, needed: &[RequiredShape]) -> Result<(), ShapeDrift> {
        for needed in needed {
            let Some(found) = self.0.get(needed.path) else {
                // An empty list has no elements, and so no paths in them.
                if needed.is_required && self.has_parent(needed.path) {
                    return Err(ShapeDrift::Missing { path: needed.path });
                }
                continue;
            };
            if let Some(found) = found.iter().copied().find(|found| !needed.types.contains(found)) {
                return Err(ShapeDrift::Changed { path: needed.path, found, expected: TypeNames(needed.types) });
            }
        }
        Ok(())
    }

    /// Returns what a driver does not know: each path with the type found there. It holds no value. A known path that ends with `.*` means
    /// all paths below it.
    pub fn beyond(&self, known: &[&[RequiredShape]]) -> BTreeSet<String> {
        let is_known = |path: &str, found: JsonType| {
            known.iter().copied().flatten().any(|shape| match shape.path.strip_suffix('*') {
                Some(above) => path.starts_with(above),
                None => shape.path == path && shape.types.contains(&found),
            })
        };
        let pairs = self.0.iter().flat_map(|(path, types)| types.iter().map(move |found| (path, *found)));
        pairs
            .filter(|(path, found)| !is_known(path, *found))
            .map(|(path, found)| format!("{path} is {found}"))
            .collect()
    }

    fn has_parent(&self, path: &str) -> bool {
        let parent = path.strip_suffix("[]").or_else(|| path.rsplit_once('.').map(|(parent, _)| parent));
        parent.is_none_or(|parent| self.0.contains_key(parent))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NEEDED: &[RequiredShape] = &[
        RequiredShape { path: "$", types: &[JsonType::Array], is_required: true },
        RequiredShape { path: "$[].name", types: &[JsonType::String], is_required: true },
        RequiredShape { path: "$[].price", types: &[JsonType::Number, JsonType::Null], is_required: true },
        RequiredShape { path: "$[].note", types: &[JsonType::String], is_required: false },
    ];

    fn drift(answer: &Value) -> Option<String> {
        Shapes::of(answer).check(NEEDED).err().map(|drift| drift.to_string())
    }

    #[test]
    fn an_answer_with_all_that_is_needed_and_more_has_not_drifted() {
        let answer = json!([{ "name": "a", "price": 1.5, "new": {} }, { "name": "b", "price": null }]);
        assert_eq!(drift(&answer), None);
        assert_eq!(drift(&json!([])), None);
    }

    #[test]
    fn a_missing_path_and_a_changed_type_are_named_without_a_value() {
        for (answer, text) in [
            (json!([{ "name": "secret" }]), "SHAPE_DRIFT: $[].price is missing"),
            (
                json!([{ "name": "a", "price": 1 }, { "name": "b", "price": "secret" }]),
                "SHAPE_DRIFT: $[].price is a string, and must be a number or null",
            ),
            (
                json!([{ "name": "a", "price": 1, "note": 7 }]),
                "SHAPE_DRIFT: $[].note is a number, and must be a string",
            ),
            (json!({ "error": "secret" }), "SHAPE_DRIFT: $ is an object, and must be an array"),
        ] {
            assert_eq!(drift(&answer).as_deref(), Some(text));
        }
    }

    #[test]
    fn the_text_of_a_drift_says_what_differs_and_another_text_says_nothing() {
        for drift in [ShapeDrift::Missing { path: "$.a" }, ShapeDrift::Unreadable { path: "$.b".to_owned() }] {
            let text = drift.to_string();
            assert!(ShapeDrift::in_text(&text).is_some_and(|what| what.starts_with("$.")), "{text}");
        }
        assert_eq!(ShapeDrift::in_text("it answered 502"), None);
    }

    #[test]
    fn what_no_one_knows_is_named_by_path_and_type_without_a_value() {
        let also = [RequiredShape { path: "$[].more.*", types: &[], is_required: false }];
        let answer =
            json!([{ "name": "a", "price": "secret", "new": [{ "id": "secret" }], "more": { "x": { "y": 1 } } }]);
        let found = Shapes::of(&answer).beyond(&[NEEDED, &also]);
        let expected = [
            "$[] is an object",
            "$[].more is an object",
            "$[].new is an array",
            "$[].new[] is an object",
            "$[].new[].id is a string",
            "$[].price is a string",
        ];
        assert_eq!(found, expected.map(str::to_owned).into());
    }
}

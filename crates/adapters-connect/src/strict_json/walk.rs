//! The walk through the JSON of a request along its table: the first name that the interface does not have ends it.
//!
//! Numbers, texts and the grammar are left to the codec.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::schema::{Field, Kind, Message, Schema};

/// Longer ones are cut where they are quoted: an answer does not repeat a request.
const MOST_QUOTED_CHARS: usize = 64;

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A message has no field of this name.
    UnknownField { path: String, nearest: Option<String> },
    /// An enum has no value of this name.
    UnknownValue { path: String, given: String, allowed: Vec<String> },
    /// The codec would take the elements of a list for the fields of a message.
    ListForMessage { path: String },
}

/// The first thing to refuse in the JSON of a message.
pub(super) fn refusal(schema: &Schema, message: &Message, json: &str, ignores_unknown_fields: bool) -> Option<Refusal> {
    let mut walk = Walk { schema, ignores_unknown_fields, path: Vec::new(), refusal: None };
    let root = Object { walk: &mut walk, message };
    // An error without a refusal is one of grammar, which the codec finds too.
    drop(serde_json::Deserializer::from_str(json).deserialize_map(root));
    walk.refusal
}

/// The beginning of a text that is too long to be quoted.
fn quotable(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

struct Walk<'s> {
    schema: &'s Schema,
    ignores_unknown_fields: bool,
    path: Vec<Step<'s>>,
    refusal: Option<Refusal>,
}

#[derive(Clone, Copy)]
enum Step<'s> {
    Field(&'s str),
    Element(usize),
}

impl Walk<'_> {
    fn refuse<E: Error>(&mut self, refusal: impl FnOnce(String) -> Refusal) -> E {
        self.refusal = Some(refusal(self.path_to("")));
        E::custom("refused")
    }

    fn path_to(&self, name: &str) -> String {
        let mut path = String::new();
        for step in self.path.iter().copied().chain((!name.is_empty()).then_some(Step::Field(name))) {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => path.extend([".", name]),
                Step::Element(index) => path.extend(["[", &index.to_string(), "]"]),
            }
        }
        path
    }
}

/// A message.
struct Object<'w, 's> {
    walk: &'w mut Walk<'s>,
    message: &'s Message,
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { walk, message } = self;
        while let Some(named) = map.next_key_seed(Name(message))? {
            match named {
                Ok(field) => {
                    walk.path.push(Step::Field(&field.json_name));
                    map.next_value_seed(Value::of(field, walk))?;
                    walk.path.pop();
                }
                Err(_) if walk.ignores_unknown_fields => drop(map.next_value::<IgnoredAny>()?),
                Err(given) => {
                    let path = walk.path_to(&quotable(&given));
                    let nearest = message.nearest(&given).map(|name| walk.path_to(name));
                    return Err(walk.refuse(|_| Refusal::UnknownField { path, nearest }));
                }
            }
        }
        Ok(())
    }
}

/// The name of a field: the field, or the name where the message has none such.
struct Name<'s>(&'s Message);

impl<'de, 's> DeserializeSeed<'de> for Name<'s> {
    type Value = Result<&'s Field, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'s> Visitor<'_> for Name<'s> {
    type Value = Result<&'s Field, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.field(name).ok_or_else(|| name.to_owned()))
    }
}

/// The value of a field, or one of its list.
struct Value<'w, 's> {
    walk: &'w mut Walk<'s>,
    kind: Kind,
    is_list: bool,
}

impl<'w, 's> Value<'w, 's> {
    fn of(field: &Field, walk: &'w mut Walk<'s>) -> Self {
        Self { walk, kind: field.kind, is_list: field.is_list }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.kind {
            Kind::Plain => deserializer.deserialize_ignored_any(IgnoredAny).map(drop),
            Kind::Enum(_) | Kind::Message(_) => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let message = match self.kind {
            Kind::Message(place) if !self.is_list => self.walk.schema.message(place),
            Kind::Plain | Kind::Enum(_) | Kind::Message(_) => None,
        };
        match message {
            Some(message) => Object { walk: self.walk, message }.visit_map(map),
            None => IgnoredAny.visit_map(map).map(drop),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if !self.is_list {
            return match self.kind {
                Kind::Message(_) => Err(self.walk.refuse(|path| Refusal::ListForMessage { path })),
                Kind::Plain | Kind::Enum(_) => IgnoredAny.visit_seq(list).map(drop),
            };
        }
        for index in 0.. {
            self.walk.path.push(Step::Element(index));
            let element = Value { walk: &mut *self.walk, kind: self.kind, is_list: false };
            let read = list.next_element_seed(element)?;
            self.walk.path.pop();
            if read.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, given: &str) -> Result<(), E> {
        let Kind::Enum(place) = self.kind else { return Ok(()) };
        let names = self.walk.schema.names(place);
        if self.is_list || names.iter().any(|name| name == given) {
            return Ok(());
        }
        let allowed = names.iter().filter(|name| !name.ends_with("_UNSPECIFIED")).cloned().collect();
        let given = quotable(given);
        Err(self.walk.refuse(|path| Refusal::UnknownValue { path, given, allowed }))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::INTERFACE;
    use super::*;

    const CREATE: &str = "/contracts.v1.Contracts/CreateContract";
    const OBSERVE: &str = "/markets.v1.Markets/RecordMarketObservations";

    fn refused(path: &str, json: &str) -> Option<Refusal> {
        refusal(&INTERFACE, INTERFACE.request(path).unwrap(), json, false)
    }

    fn unknown(path: &str, nearest: Option<&str>) -> Refusal {
        Refusal::UnknownField { path: path.to_owned(), nearest: nearest.map(str::to_owned) }
    }

    #[test]
    fn the_first_unknown_field_is_found_wherever_it_is() {
        assert_eq!(refused(CREATE, r#"{"nam": "x", "nonsense": 1}"#), Some(unknown("nam", Some("name"))));
        let inside = r#"{"name": "x", "buying": {"minDiscountBp": 250}}"#;
        assert_eq!(refused(CREATE, inside), Some(unknown("buying.minDiscountBp", Some("buying.minDiscountBps"))));
        let listed = r#"{"observations": [{}, {"nonsense": {"a": [1]}}]}"#;
        assert_eq!(refused(OBSERVE, listed), Some(unknown("observations[1].nonsense", None)));
    }

    #[test]
    fn a_list_in_place_of_a_message_is_refused() {
        let refused = refused(CREATE, r#"{"buying": [1, 2]}"#);
        assert_eq!(refused, Some(Refusal::ListForMessage { path: "buying".to_owned() }));
    }

    #[test]
    fn grammar_and_values_are_left_to_the_codec() {
        for json in [
            r#"{"name": "#,
            r#"{"name": 7, "buying": "x", "marketplaces": {"a": 1}, "approvalMode": 1}"#,
            r#"{"buying": null, "approvalMode": null, "endsAt": {"nonsense": 1}}"#,
            r#"{"buying": 1.5, "selling": true, "priceReference": -1}"#,
            r"{} trailing",
        ] {
            assert_eq!(refused(CREATE, json), None, "{json}");
        }
    }

    #[test]
    fn a_long_name_is_cut_where_it_is_quoted() {
        let Some(Refusal::UnknownField { path, .. }) = refused(CREATE, &format!(r#"{{"{}": 1}}"#, "é".repeat(60_000)))
        else {
            panic!("it is unknown");
        };
        assert_eq!(path, format!("{}…", "é".repeat(64)));
    }
}

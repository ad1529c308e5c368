//! What a desk file can say of a record: its fields, the values that they take, and their names in the interface.
//!
//! One table of fields serves the reader of files, the comparison with the server's records, the JSON Schema and the questions of `new`
//! and `edit`.

use serde_json::Value;

/// A field of a record.
pub(super) struct Field {
    /// Its key in the file.
    pub(super) name: &'static str,
    /// Its name in the interface.
    pub(super) wire: &'static str,
    pub(super) form: Form,
    /// One sentence for readers and editors.
    pub(super) about: &'static str,
    pub(super) need: Need,
    pub(super) life: Life,
    /// The field of an update that removes the value; empty where an empty value does.
    pub(super) cleared_by: &'static str,
}

/// The values that a field takes.
pub(super) enum Form {
    /// A text of 1 to `most` characters.
    Text { most: usize },
    /// Decimal digits.
    Digits,
    /// An amount of money, written as `"12.50"`.
    Amount { least: i64 },
    /// A whole number.
    Whole { least: i64, most: i64 },
    /// A decimal number from 0 to 1, written as `"0.07"`.
    Decimal,
    /// One name of an enum, in lower case; the interface has it in capitals, behind the prefix.
    Choice { prefix: &'static str, names: fn() -> Vec<String> },
    /// A time of UTC.
    Moment,
    /// True or false.
    Flag,
    /// The name of a record of another section.
    Reference(&'static str),
    /// Values in any order, each once.
    List { of: &'static Form, least: usize, most: usize },
    /// Fields below it.
    Table(&'static [Field]),
    /// Texts by names that a driver defines.
    Entries,
    /// Secrets by name: where to read each of them.
    Secrets,
}

/// Whether a field has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
    /// Where it is absent this value counts, as JSON in the form of the file.
    Or(&'static str),
}

/// What happens to a field after its record was created.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// It can change; without it in the file it is removed.
    Free,
    /// It never changes.
    Fixed,
    /// It can change; without it in the file it keeps its value.
    Kept,
    /// It is a status: it changes by steps of its own, and keeps its value without it in the file.
    Status,
}

impl Field {
    pub(super) const fn new(name: &'static str, wire: &'static str, form: Form, about: &'static str) -> Self {
        Self { name, wire, form, about, need: Need::Optional, life: Life::Free, cleared_by: "" }
    }

    pub(super) const fn required(self) -> Self {
        Self { need: Need::Required, ..self }
    }

    pub(super) const fn or(self, value: &'static str) -> Self {
        Self { need: Need::Or(value), ..self }
    }

    pub(super) const fn fixed(self) -> Self {
        Self { life: Life::Fixed, ..self }
    }

    pub(super) const fn kept(self) -> Self {
        Self { life: Life::Kept, ..self }
    }

    pub(super) const fn status(self) -> Self {
        Self { life: Life::Status, ..self }
    }

    pub(super) const fn cleared_by(self, flag: &'static str) -> Self {
        Self { cleared_by: flag, ..self }
    }

    pub(super) fn is_required(&self) -> bool {
        self.need == Need::Required
    }

    /// The value that counts where the file has none.
    pub(super) fn default(&self) -> Option<Value> {
        match self.need {
            Need::Or(value) => serde_json::from_str(value).ok(),
            Need::Required | Need::Optional => None,
        }
    }
}

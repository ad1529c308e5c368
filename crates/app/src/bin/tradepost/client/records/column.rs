//! Columns of tables: a heading, a field of the record, and how users read its value.

use super::Records;

/// A column. In CSV its heading is the field and its value is that of the interface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// The field with its place in the record.
    pub(crate) field: &'static str,
    pub(crate) form: Form,
    pub(crate) place: Place,
    /// Whether a table ends with the sum of its values.
    pub(crate) is_summed: bool,
}

/// How users read a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Text,
    /// An id, as UUID text.
    Id,
    /// The id of a record that has a name.
    Named(&'static Records),
    /// An amount, which the interface has in cents.
    Amount,
    /// A number, with the one in another field that it is to reach: `3/10`.
    OutOf(&'static str),
    /// A share, which the interface has in basis points.
    Share,
    /// The name of an enum, or several: in lower case and without the name of the enum.
    Name,
    /// The same, with a mark on some records.
    MarkedName(Mark),
    /// A time, to the minute.
    Time,
    /// A time, of which the day counts.
    Day,
}

/// What a value gets where another field of the record has a certain value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) text: &'static str,
    /// The other field.
    pub(crate) field: &'static str,
    pub(crate) value: &'static str,
}

/// Whether a column is part of a table of 80 characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In full.
    Always,
    /// Shortened where the table would be too wide.
    Flexible,
    /// Only with `-o wide` and `-o csv`.
    Wide,
}

const fn column(heading: &'static str, field: &'static str, form: Form) -> Column {
    Column { heading, field, form, place: Place::Always, is_summed: false }
}

pub(crate) const fn text(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Text)
}

pub(crate) const fn id(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Id)
}

pub(crate) const fn named(heading: &'static str, field: &'static str, records: &'static Records) -> Column {
    column(heading, field, Form::Named(records)).flexible()
}

pub(crate) const fn amount(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Amount)
}

pub(crate) const fn out_of(heading: &'static str, field: &'static str, whole: &'static str) -> Column {
    column(heading, field, Form::OutOf(whole))
}

pub(crate) const fn share(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Share)
}

pub(crate) const fn name(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Name)
}

pub(crate) const fn marked_name(heading: &'static str, field: &'static str, mark: Mark) -> Column {
    column(heading, field, Form::MarkedName(mark))
}

pub(crate) const fn time(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Time)
}

pub(crate) const fn day(heading: &'static str, field: &'static str) -> Column {
    column(heading, field, Form::Day)
}

impl Column {
    pub(crate) const fn wide(self) -> Self {
        Self { place: Place::Wide, ..self }
    }

    pub(crate) const fn flexible(self) -> Self {
        Self { place: Place::Flexible, ..self }
    }

    pub(crate) const fn summed(self) -> Self {
        Self { is_summed: true, ..self }
    }
}

//! A row in the binary form of `COPY`: the number of its fields, and each with its length. A row has the same bytes when it is
//! sent and when it is read back.

use aws_lc_rs::digest::{SHA256, digest};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row as _, Sqlite, Type, ValueRef as _};
use tradepost_ports::store::{StoreError, StoreResult};

use super::table::{Form, MovedTable};

/// What begins the binary form: a signature, no flags and no extension.
pub(super) const HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What ends it.
pub(super) const TRAILER: [u8; 2] = (-1_i16).to_be_bytes();
const NULL: [u8; 4] = (-1_i32).to_be_bytes();

/// A sum of digests of rows, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digest(u128);

impl Digest {
    pub(super) fn add(&mut self, tuple: &[u8]) {
        let hash = digest(&SHA256, tuple);
        let half = hash.as_ref().first_chunk().copied().unwrap_or_default();
        self.0 = self.0.wrapping_add(u128::from_be_bytes(half));
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> StoreResult<Self> {
        let whole = bytes.try_into().map_err(|_| StoreError::Corrupt("moved_tables.digest".to_owned()))?;
        Ok(Self(u128::from_be_bytes(whole)))
    }
}

/// Writes a row of the file at the end of the bytes.
pub(super) fn append(bytes: &mut Vec<u8>, row: &SqliteRow, table: &MovedTable) -> StoreResult<()> {
    let count = i16::try_from(table.columns.len()).map_err(|_| table.wrong("", "too many columns"))?;
    bytes.extend_from_slice(&count.to_be_bytes());
    for (place, column) in table.columns.iter().enumerate() {
        append_field(bytes, row, place, column.form).map_err(|why| table.wrong(&column.name, why))?;
    }
    Ok(())
}

fn append_field(bytes: &mut Vec<u8>, row: &SqliteRow, place: usize, form: Form) -> Result<(), String> {
    if row.try_get_raw(place).map_err(text)?.is_null() {
        bytes.extend_from_slice(&NULL);
        return Ok(());
    }
    match form {
        Form::SmallInt => field(bytes, &narrow::<i16>(row, place)?.to_be_bytes()),
        Form::Integer => field(bytes, &narrow::<i32>(row, place)?.to_be_bytes()),
        Form::BigInt => field(bytes, &value::<i64>(row, place)?.to_be_bytes()),
        Form::Boolean => field(bytes, &[u8::from(value::<i64>(row, place)? != 0)]),
        Form::Text => {
            let text: &str = value(row, place)?;
            // SQLite stores it, and PostgreSQL does not.
            if text.contains('\0') {
                Err("a text has a NUL character".to_owned())
            } else {
                field(bytes, text.as_bytes())
            }
        }
        Form::Uuid | Form::Bytes => field(bytes, value::<&[u8]>(row, place)?),
    }
}

fn field(bytes: &mut Vec<u8>, content: &[u8]) -> Result<(), String> {
    let length = i32::try_from(content.len()).map_err(|_| "too long".to_owned())?;
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(content);
    Ok(())
}

fn value<'row, T: Decode<'row, Sqlite> + Type<Sqlite>>(row: &'row SqliteRow, place: usize) -> Result<T, String> {
    row.try_get_unchecked(place).map_err(text)
}

fn narrow<T: TryFrom<i64>>(row: &SqliteRow, place: usize) -> Result<T, String> {
    let wide: i64 = value(row, place)?;
    T::try_from(wide).map_err(|_| format!("{wide} is out of range"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn text(error: sqlx::Error) -> String {
    error.to_string()
}

/// The rows in what `COPY … TO STDOUT` sends, which may be cut anywhere.
#[derive(Debug, Default)]
pub(super) struct Tuples {
    rest: Vec<u8>,
    has_begun: bool,
}

impl Tuples {
    /// Takes what was sent, and calls `each` with every row that is complete.
    pub(super) fn take(&mut self, sent: &[u8], mut each: impl FnMut(&[u8])) {
        self.rest.extend_from_slice(sent);
        let mut at = 0;
        if !self.has_begun {
            if self.rest.len() < HEADER.len() {
                return;
            }
            (at, self.has_begun) = (HEADER.len(), true);
        }
        while let Some(tuple) = self.rest.get(at..).and_then(first_tuple) {
            each(tuple);
            at += tuple.len();
        }
        self.rest.drain(..at);
    }

    /// Whether the last of what was sent is the end, and not a part of a row.
    pub(super) fn is_ended(&self) -> bool {
        self.rest == TRAILER
    }
}

/// The first row, if all of it is there. The trailer is none.
fn first_tuple(bytes: &[u8]) -> Option<&[u8]> {
    let (count, mut rest) = bytes.split_first_chunk()?;
    for _ in 0..u16::try_from(i16::from_be_bytes(*count)).ok()? {
        let (length, fields) = rest.split_first_chunk()?;
        // NULL has the length -1, and no bytes.
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(0);
        rest = fields.get(length..)?;
    }
    bytes.get(..bytes.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &[u8] = &[0, 2, 0, 0, 0, 3, b'a', b'b', b'c', 255, 255, 255, 255];
    const SHORT: &[u8] = &[0, 1, 0, 0, 0, 0];

    #[test]
    fn rows_are_found_wherever_what_was_sent_is_cut() {
        let sent = [HEADER.as_slice(), FULL, SHORT, FULL, &TRAILER].concat();
        for size in 1..sent.len() {
            let (mut tuples, mut found) = (Tuples::default(), Vec::new());
            for part in sent.chunks(size) {
                assert!(!tuples.is_ended());
                tuples.take(part, |tuple| found.push(tuple.to_vec()));
            }
            assert_eq!(found, [FULL, SHORT, FULL], "in parts of {size}");
            assert!(tuples.is_ended());
        }
    }

    #[test]
    fn a_digest_depends_on_the_rows_and_not_on_their_order() {
        let of = |tuples: &[&[u8]]| {
            tuples.iter().fold(Digest::default(), |mut digest, tuple| {
                digest.add(tuple);
                digest
            })
        };
        assert_eq!(of(&[FULL, SHORT]), of(&[SHORT, FULL]));
        assert_ne!(of(&[FULL, SHORT]), of(&[FULL, FULL]));
        assert_ne!(of(&[FULL]), of(&[FULL, FULL]));
        assert_eq!(Digest::from_bytes(&of(&[FULL]).to_bytes()).unwrap(), of(&[FULL]));
    }
}

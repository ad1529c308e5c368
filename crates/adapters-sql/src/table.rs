//! Tables: the name, key and columns of each kind of record, taken from its entity once, and the fragments of SQL text that
//! every kind shares. Values are bound by position; no text holds any.

use std::fmt::Write as _;
use std::sync::LazyLock;

use sea_orm::{EntityName as _, EntityTrait, IdenStatic as _, Iterable as _, Value};
use tradepost_ports::record::{Address, Kind};
use uuid::Uuid;

use crate::rows::{Stored, VERSION};
use crate::sql_text::{listed_postgres, listed_sqlite};

/// The table of one kind of record.
pub(crate) struct Table {
    /// Its name.
    pub(crate) name: &'static str,
    /// The columns of its primary key: the home, and the key there unless the home has one such record only.
    key: Vec<&'static str>,
    /// All columns but the version.
    columns: Vec<&'static str>,
    /// `SELECT` of one record by its primary key.
    pub(crate) find: String,
    /// `SELECT` of the records of a home whose ids are in a list of hexadecimal numbers with commas between.
    pub(crate) find_several_sqlite: String,
    /// The same.
    pub(crate) find_several_postgres: String,
    /// `SELECT` of a page of all records, in the order of the primary key, after one.
    pub(crate) page: String,
    /// `SELECT` of the last records, in that order.
    pub(crate) latest: String,
    /// `SELECT` of the positions of those `[home, key, version]` in a JSON array that are so.
    pub(crate) guards_sqlite: String,
    /// [`Table::insert`], [`Table::insert_at`], [`Table::update`], [`Table::put`] and [`Table::remove`] as statements of their own.
    pub(crate) single_row: SingleRowStatements,
}

/// The statements of one write each.
#[derive(Default)]
pub(crate) struct SingleRowStatements {
    pub(crate) insert: String,
    pub(crate) insert_at: String,
    pub(crate) update: String,
    pub(crate) put: String,
    pub(crate) remove: String,
}

macro_rules! tables {
    ($($kind:ident = $code:literal, $record:ty, $address:tt;)*) => {
        /// One table a kind, in the order of [`Kind`].
        static TABLES: LazyLock<[Table; Kind::ALL.len()]> = LazyLock::new(|| [$(Table::of::<$record>(),)*]);
    };
}

tradepost_ports::for_each_record!(tables);

/// The one column of a primary key that is a number.
const NUMBERED: &str = "purpose";

/// The number that a key was made of.
pub(crate) const fn number_of(key: [u8; 16]) -> i16 {
    let [.., high, low] = key;
    i16::from_be_bytes([high, low])
}

/// The table of a kind.
pub(crate) fn table(kind: Kind) -> &'static Table {
    &TABLES[kind as usize]
}

/// The columns of an entity, in order.
pub(crate) fn columns<E: EntityTrait>() -> Vec<&'static str> {
    E::Column::iter().map(|column| column.as_str()).collect()
}

/// The columns of an entity as a SQL list, each with `alias` before its name, and renamed with `prefix` unless that is empty.
pub(crate) fn select_list<E: EntityTrait>(alias: &str, prefix: &str) -> String {
    let renamed = |name: &str| match prefix {
        "" => format!("{alias}{name}"),
        _ => format!("{alias}{name} AS {prefix}{name}"),
    };
    columns::<E>().into_iter().map(renamed).collect::<Vec<_>>().join(", ")
}

impl Table {
    fn of<R: Stored>() -> Self {
        let name = R::Entity::default().table_name();
        let key: Vec<_> = <R::Entity as EntityTrait>::PrimaryKey::iter().map(|column| column.as_str()).collect();
        let select = format!("SELECT {} FROM {name} WHERE", select_list::<R::Entity>("", ""));
        let mut columns = columns::<R::Entity>();
        columns.retain(|name| *name != VERSION);
        let several = |ids: &str| format!("{select} {} = $1 AND id IN ({ids})", key.first().unwrap_or(&""));
        let mut table = Self {
            name,
            guards_sqlite: guards_sqlite(name, &key),
            find: format!("{select} {}", is_at(&key, 1)),
            find_several_sqlite: several(&listed_sqlite(2)),
            find_several_postgres: several(&listed_postgres(2)),
            latest: {
                let columns = select_list::<R::Entity>("", "");
                let last: Vec<String> = key.iter().map(|column| format!("{column} DESC")).collect();
                format!("SELECT {columns} FROM {name} ORDER BY {} LIMIT $1", last.join(", "))
            },
            page: format!("{select} ({key}) > ($1, $2) ORDER BY {key} LIMIT $3", key = key.join(", ")),
            key,
            columns,
            single_row: SingleRowStatements::default(),
        };
        table.single_row = SingleRowStatements {
            insert: table.insert(1),
            insert_at: table.insert_at(1),
            update: table.update(1),
            put: table.put(1),
            remove: table.remove(1),
        };
        table
    }

    /// How many values a record has.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many values its primary key has.
    pub(crate) fn key_width(&self) -> usize {
        self.key.len()
    }

    /// Whether the key within the home is a number.
    pub(crate) fn has_numbered_key(&self) -> bool {
        self.key.get(1) == Some(&NUMBERED)
    }

    /// The values of the primary key of a record at this address.
    pub(crate) fn key_of(&self, address: Address) -> Vec<Value> {
        let home = Uuid::from_bytes(address.home).into();
        match self.key.get(1) {
            None => vec![home],
            Some(&NUMBERED) => vec![home, number_of(address.key).into()],
            Some(_) => vec![home, Uuid::from_bytes(address.key).into()],
        }
    }

    /// `INSERT` of a record at version 1; takes [`Table::width`] values.
    pub(crate) fn insert(&self, first: usize) -> String {
        self.insert_as(first, "1")
    }

    /// `INSERT` of a record at a version; takes [`Table::width`] values and the version.
    pub(crate) fn insert_at(&self, first: usize) -> String {
        self.insert_as(first, &format!("${}", first + self.columns.len()))
    }

    fn insert_as(&self, first: usize, version: &str) -> String {
        let Self { name, columns, .. } = self;
        let mut bound = String::new();
        for number in first..first + columns.len() {
            let _ = write!(bound, "${number}, ");
        }
        format!("INSERT INTO {name} ({}, version) VALUES ({bound}{version})", columns.join(", "))
    }

    /// `UPDATE` of a record that is at an expected version; takes [`Table::width`] values and the version.
    pub(crate) fn update(&self, first: usize) -> String {
        let Self { name, columns, key, .. } = self;
        let numbered = || columns.iter().zip(first..);
        let set: String = numbered()
            .filter(|(column, _)| !key.contains(column))
            .map(|(column, number)| format!("{column} = ${number}, "))
            .collect();
        let is_at: String = numbered()
            .filter(|(column, _)| key.contains(column))
            .map(|(column, number)| format!("{column} = ${number} AND "))
            .collect();
        format!("UPDATE {name} SET {set}version = version + 1 WHERE {is_at}version = ${}", first + columns.len())
    }

    /// `INSERT` that replaces a record at the same address; takes [`Table::width`] values.
    pub(crate) fn put(&self, first: usize) -> String {
        let Self { name, columns, key, .. } = self;
        let set: String = columns
            .iter()
            .filter(|column| !key.contains(column))
            .map(|column| format!("{column} = excluded.{column}, "))
            .collect();
        let insert = self.insert(first);
        format!("{insert} ON CONFLICT ({}) DO UPDATE SET {set}version = {name}.version + 1", key.join(", "))
    }

    /// `DELETE` of a record that is at an expected version; takes the key and the version.
    pub(crate) fn remove(&self, first: usize) -> String {
        let Self { name, key, .. } = self;
        format!("DELETE FROM {name} WHERE {} AND version = ${}", is_at(key, first), first + key.len())
    }

    /// Finds a record that is at an expected version; takes the key and the version.
    pub(crate) fn guard(&self, first: usize) -> String {
        let Self { name, key, .. } = self;
        format!("SELECT 1 FROM {name} WHERE {} AND version = ${}", is_at(key, first), first + key.len())
    }
}

/// `a = $1 AND b = $2`, counting from `first`.
fn is_at(key: &[&str], first: usize) -> String {
    key.iter().zip(first..).map(|(name, number)| format!("{name} = ${number}")).collect::<Vec<_>>().join(" AND ")
}

fn guards_sqlite(name: &str, key: &[&str]) -> String {
    let home = key.first().copied().unwrap_or_default();
    let in_home = match key.get(1) {
        None => String::new(),
        Some(&NUMBERED) => format!(" AND t.{NUMBERED} = wanted.value ->> 1"),
        Some(key) => format!(" AND t.{key} = unhex(wanted.value ->> 1)"),
    };
    format!(
        "SELECT wanted.key FROM json_each($1) wanted CROSS JOIN {name} t \
         WHERE t.{home} = unhex(wanted.value ->> 0){in_home} AND t.version = wanted.value ->> 2"
    )
}

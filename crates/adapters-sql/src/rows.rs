//! Rows: one module a table, with the entity that gives its shape and the way from a record to a row and back. Nothing here
//! runs a statement, and no row leaves the crate.
//!
//! A stored value that breaks a rule becomes [`StoreError::Corrupt`] naming table, column and row.
#![expect(unreachable_pub, reason = "the entity derive needs public items")]

pub(crate) mod accounts;
pub(crate) mod alerts;
pub(crate) mod asset_traits;
pub(crate) mod contracts;
pub(crate) mod events;
pub(crate) mod execution;
pub(crate) mod markets;
pub(crate) mod trading;
pub(crate) mod transition;

use std::fmt::Display;

use sea_orm::{EntityTrait, FromQueryResult, ModelTrait, QueryResult, Value};
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::contracts::inventory_item::SalePlace;
use tradepost_domain::contracts::ledger::{Account, Balanced};
use tradepost_domain::id::{ContractId, Id, RecordKey};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::{Amount, Currency, SignedCents};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{AnyRecord, Record};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};

/// The column that every table of records has last.
pub(crate) const VERSION: &str = "version";

/// A record with the row that keeps it.
pub(crate) trait Stored: Record {
    /// The table.
    type Entity: EntityTrait<Model = Self::Row>;
    /// A row of it. Its last column is the version.
    type Row: ModelTrait<Entity = Self::Entity> + FromQueryResult;

    /// The row of the record at version 1.
    fn to_row(&self) -> Self::Row;

    /// The record in a row.
    fn to_domain(row: Self::Row) -> StoreResult<Seen<Self>>;
}

macro_rules! values {
    ($($kind:ident = $code:literal, $record:ty, $address:tt;)*) => {
        /// Returns the values of a record in the order of its table's columns, without the version.
        pub(crate) fn values(record: &AnyRecord) -> Vec<Value> {
            match record { $(AnyRecord::$kind(record) => values_of(record),)* }
        }
    };
}

tradepost_ports::for_each_record!(values);

fn values_of<R: Stored>(record: &R) -> Vec<Value> {
    row_values(&record.to_row()).filter(|(name, _)| *name != VERSION).map(|(_, value)| value).collect()
}

/// The columns of a row with their values.
pub(crate) fn row_values<M: ModelTrait>(row: &M) -> impl Iterator<Item = (&'static str, Value)> {
    use sea_orm::{IdenStatic as _, Iterable as _};
    <M::Entity as EntityTrait>::Column::iter().map(|column| (column.as_str(), row.get(column)))
}

/// The record in a row, its columns named with a prefix.
pub(crate) fn decode<R: Stored>(row: &QueryResult, prefix: &str) -> StoreResult<Seen<R>> {
    let row = R::Row::from_query_result(row, prefix).map_err(|error| classify(&error, DbOperation::Statement))?;
    R::to_domain(row)
}

/// One column of a row, by position.
pub(crate) fn cell<T: sea_orm::TryGetable>(row: &QueryResult, index: usize) -> StoreResult<T> {
    row.try_get_by_index(index).map_err(|error| classify(&error, DbOperation::Statement))
}

/// The key of a record of a workspace, in the first two columns of a row.
pub(crate) fn key<K>(row: &QueryResult) -> StoreResult<RecordKey<Id<K>>> {
    Ok(RecordKey { workspace_id: id(cell(row, 0)?), id: id(cell(row, 1)?) })
}

/// The identifier as the database keeps it.
pub(crate) const fn uuid<K>(id: Id<K>) -> Uuid {
    Uuid::from_bytes(id.to_bytes())
}

/// The identifier that the database kept.
pub(crate) const fn id<K>(uuid: Uuid) -> Id<K> {
    Id::from_bytes(uuid.into_bytes())
}

/// The buying contract as the database keeps it. Nil is none, because the columns are not NULL and sums are kept by them.
pub(crate) fn contract_to_column(contract: Option<ContractId>) -> Uuid {
    contract.map(uuid).unwrap_or_default()
}

/// The buying contract that the database kept.
pub(crate) fn contract_of_column(column: Uuid) -> Option<ContractId> {
    (!column.is_nil()).then(|| id(column))
}

/// A stored row, to say in an error which one it is.
#[derive(Clone, Copy)]
pub(crate) struct RowLocation {
    pub(crate) table: &'static str,
    pub(crate) home: Uuid,
    pub(crate) key: Uuid,
}

/// The columns of an exchange rate, all filled or all empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateColumns<'a> {
    pub(crate) currency: Option<&'a str>,
    pub(crate) micros: Option<i64>,
    pub(crate) as_of: Option<i64>,
}

impl RowLocation {
    /// What was read from a column, if it kept the rules.
    pub(crate) fn read<T, E: Display>(&self, column: &str, value: Result<T, E>) -> StoreResult<T> {
        value.map_err(|broken| self.corrupt(column, &broken))
    }

    /// The same for a column that may be NULL.
    pub(crate) fn read_some<V, T, E: Display>(
        &self,
        column: &str,
        value: Option<V>,
        read: impl FnOnce(V) -> Result<T, E>,
    ) -> StoreResult<Option<T>> {
        value.map(read).transpose().map_err(|broken| self.corrupt(column, &broken))
    }

    /// Returns the value of a stored number.
    pub(crate) fn code<T>(&self, column: &str, code: i16, from_code: impl FnOnce(i16) -> Option<T>) -> StoreResult<T> {
        from_code(code).ok_or_else(|| self.corrupt(column, &format_args!("{code} is not a known code")))
    }

    /// Returns the value of a stored name.
    pub(crate) fn named<T>(
        &self,
        column: &str,
        name: &str,
        from_name: impl FnOnce(&str) -> Option<T>,
    ) -> StoreResult<T> {
        from_name(name).ok_or_else(|| self.corrupt(column, &format_args!("{name:?} is not a known name")))
    }

    /// Returns the key or session of a stored kind and id.
    pub(crate) fn principal(&self, kind: i16, id: Uuid) -> StoreResult<PrincipalId> {
        self.code("principal_kind", kind, |kind| PrincipalId::from_stored(kind, id.into_bytes()))
    }

    /// What must not be NULL in this row.
    pub(crate) fn present<T>(&self, column: &str, value: Option<T>) -> StoreResult<T> {
        value.ok_or_else(|| self.corrupt(column, &"NULL"))
    }

    /// A number in the range of its type.
    pub(crate) fn number<S: Copy + Display, T: TryFrom<S>>(&self, column: &str, number: S) -> StoreResult<T> {
        T::try_from(number).map_err(|_| self.corrupt(column, &format_args!("{number} is out of range")))
    }

    pub(crate) fn time(&self, column: &str, micros: i64) -> StoreResult<Timestamp> {
        self.read(column, Timestamp::from_micros(micros))
    }

    pub(crate) fn time_some(&self, column: &str, micros: Option<i64>) -> StoreResult<Option<Timestamp>> {
        self.read_some(column, micros, Timestamp::from_micros)
    }

    pub(crate) fn cents<Of>(&self, column: &str, cents: i64) -> StoreResult<Amount<Of>> {
        self.read(column, Amount::new(cents))
    }

    /// Amounts by account that sum to zero.
    pub(crate) fn balanced<const N: usize>(&self, amounts: [(Account, i64); N]) -> StoreResult<Balanced> {
        let read = |(account, cents)| SignedCents::new(cents).map(|amount| (account, amount));
        let legs = amounts.into_iter().map(read).collect::<Result<Vec<_>, _>>();
        self.read("amounts", Balanced::new(self.read("amounts", legs)?))
    }

    /// Where an item is sold, and for which contract.
    pub(crate) fn sale_place(
        &self,
        marketplace: Option<&str>,
        contract: Option<Uuid>,
    ) -> StoreResult<Option<SalePlace>> {
        match (self.read_some("sale_marketplace", marketplace, Marketplace::new)?, contract) {
            (Some(marketplace), contract) => Ok(Some(SalePlace { marketplace, contract_id: contract.map(id) })),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(self.corrupt("selling_contract_id", &"without a marketplace")),
        }
    }

    /// A rate of which the currency is in this column.
    pub(crate) fn exchange_rate(&self, column: &str, rate: RateColumns<'_>) -> StoreResult<Option<ExchangeRate>> {
        match (rate.currency, rate.micros, rate.as_of) {
            (Some(currency), Some(micros), Some(as_of)) => {
                let from = self.read(column, Currency::new(currency))?;
                let as_of = self.time(column, as_of)?;
                self.read(column, ExchangeRate::new(from, micros, as_of)).map(Some)
            }
            (None, None, None) => Ok(None),
            _ => Err(self.corrupt(column, &"a part of a rate")),
        }
    }

    /// Bytes of a fixed length.
    pub(crate) fn bytes<const LENGTH: usize>(&self, column: &str, bytes: &[u8]) -> StoreResult<[u8; LENGTH]> {
        self.read(column, bytes.try_into().map_err(|_| format!("{} bytes instead of {LENGTH}", bytes.len())))
    }

    pub(crate) fn corrupt(&self, column: &str, broken: &dyn Display) -> StoreError {
        let Self { table, home, key } = self;
        StoreError::Corrupt(format!("{table}.{column} of row ({home}, {key}): {broken}"))
    }
}

#[cfg(test)]
mod tests {

    use sea_orm::{ColumnTrait as _, EntityName, EntityTrait, IdenStatic as _, Iterable as _};

    use super::*;
    use crate::{DatabaseSettings, SqlStore, SqliteSettings};

    /// Column and whether it may be NULL, in order, as the entity says and as the table does.
    async fn agrees<E: EntityTrait>(store: &SqlStore) {
        let expected: Vec<(String, bool)> =
            E::Column::iter().map(|column| (column.as_str().to_owned(), column.def().is_null())).collect();
        let text = "SELECT name, \"notnull\" FROM pragma_table_info($1)";
        let rows = store.rows(text, vec![EntityName::table_name(&E::default()).into()]).await.unwrap();
        let mut found: Vec<(String, bool)> = rows
            .iter()
            .map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index::<i64>(1).unwrap() == 0))
            .collect();
        let mut expected = expected;
        // `number` is for SQLite's own index of names; `market` is settled outside the commits.
        let is_apart = |name: &str| name == "number" || name == "market";
        found.retain(|(name, _)| !is_apart(name) || expected.iter().any(|(known, _)| known == name));
        found.sort();
        expected.sort();
        assert_eq!(expected, found, "{}", EntityName::table_name(&E::default()));
    }

    async fn offers_and_inventories_agree(store: &SqlStore) {
        agrees::<trading::offer_reading::Entity>(store).await;
        agrees::<trading::trade_offer::Entity>(store).await;
        agrees::<trading::snapshot::Entity>(store).await;
        agrees::<trading::snapshot_item::Entity>(store).await;
        agrees::<trading::inventory_change::Entity>(store).await;
    }

    /// A migrated database, and the folder that it is in.
    async fn migrated() -> (SqlStore, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let settings = SqliteSettings::at(folder.path().join("test.db"));
        let store = SqlStore::open(DatabaseSettings::Sqlite(settings)).await.unwrap();
        store.migrate().await.unwrap();
        (store, folder)
    }

    #[tokio::test]
    async fn every_entity_of_imports_has_the_columns_of_its_table() {
        let (store, _folder) = migrated().await;
        agrees::<trading::import::Entity>(&store).await;
        agrees::<trading::import_rows::Entity>(&store).await;
    }

    #[tokio::test]
    async fn the_entities_of_friends_and_chats_have_the_columns_of_their_tables() {
        let (store, _folder) = migrated().await;
        agrees::<trading::chat_message::Entity>(&store).await;
        agrees::<trading::conversation::Entity>(&store).await;
        agrees::<trading::friend::Entity>(&store).await;
        agrees::<trading::friend_list::Entity>(&store).await;
    }

    #[tokio::test]
    async fn the_entities_of_confirmations_have_the_columns_of_their_tables() {
        let (store, _folder) = migrated().await;
        agrees::<trading::confirmation::Entity>(&store).await;
        agrees::<trading::confirmation_list::Entity>(&store).await;
    }

    #[tokio::test]
    async fn the_entities_of_sessions_and_renewals_have_the_columns_of_their_tables() {
        let (store, _folder) = migrated().await;
        agrees::<trading::account_session::Entity>(&store).await;
        agrees::<trading::renewal::Entity>(&store).await;
    }

    #[tokio::test]
    async fn every_entity_has_the_columns_of_its_table() {
        let (store, _folder) = migrated().await;
        agrees::<trading::account_group::Entity>(&store).await;
        agrees::<accounts::account_link::Entity>(&store).await;
        agrees::<alerts::channel::Entity>(&store).await;
        agrees::<alerts::message::Entity>(&store).await;
        agrees::<alerts::progress::Entity>(&store).await;
        agrees::<alerts::rule::Entity>(&store).await;
        agrees::<accounts::api_key::Entity>(&store).await;
        agrees::<contracts::asset_id_link::Entity>(&store).await;
        agrees::<contracts::assignment::Entity>(&store).await;
        agrees::<accounts::audit_event::Entity>(&store).await;
        agrees::<accounts::audit_head::Entity>(&store).await;
        agrees::<accounts::audit_link::Entity>(&store).await;
        agrees::<accounts::two_factor::challenge::Entity>(&store).await;
        agrees::<accounts::two_factor::code_guesses::Entity>(&store).await;
        agrees::<contracts::contract::Entity>(&store).await;
        agrees::<contracts::contract_version::Entity>(&store).await;
        agrees::<accounts::email_link::Entity>(&store).await;
        agrees::<contracts::equity_mark::Entity>(&store).await;
        agrees::<contracts::evaluation::Entity>(&store).await;
        agrees::<execution::Entity>(&store).await;
        agrees::<contracts::filter_set::Entity>(&store).await;
        agrees::<contracts::filter_set_version::Entity>(&store).await;
        agrees::<accounts::two_factor::grant::Entity>(&store).await;
        agrees::<accounts::two_factor::guesses::Entity>(&store).await;
        agrees::<contracts::intent::Entity>(&store).await;
        agrees::<contracts::inventory_item::Entity>(&store).await;
        agrees::<trading::lease::Entity>(&store).await;
        agrees::<contracts::ledger_entry::Entity>(&store).await;
        agrees::<accounts::linked_identity::Entity>(&store).await;
        agrees::<markets::market_observation::Entity>(&store).await;
        agrees::<accounts::membership::Entity>(&store).await;
        agrees::<accounts::outgoing_mail::Entity>(&store).await;
        agrees::<accounts::passkey::Entity>(&store).await;
        agrees::<accounts::passkey_registration::Entity>(&store).await;
        agrees::<accounts::pending_sign_in::Entity>(&store).await;
        agrees::<contracts::pool::Entity>(&store).await;
        agrees::<markets::price_override::Entity>(&store).await;
        agrees::<markets::pricing_rules::Entity>(&store).await;
        agrees::<markets::provider::Entity>(&store).await;
        agrees::<markets::provider_health::Entity>(&store).await;
        agrees::<contracts::purchase::Entity>(&store).await;
        agrees::<accounts::two_factor::recovery_codes::Entity>(&store).await;
        agrees::<contracts::remediation::Entity>(&store).await;
        agrees::<accounts::session::Entity>(&store).await;
        agrees::<accounts::spent_answer::Entity>(&store).await;
        agrees::<accounts::two_factor::totp::Entity>(&store).await;
        agrees::<accounts::two_factor::totp_enrollment::Entity>(&store).await;
        offers_and_inventories_agree(&store).await;
        agrees::<trading::trading_account::Entity>(&store).await;
        agrees::<transition::Entity>(&store).await;
        agrees::<accounts::user::Entity>(&store).await;
        agrees::<events::webhook_delivery::Entity>(&store).await;
        agrees::<events::webhook_endpoint::Entity>(&store).await;
        agrees::<events::webhook_progress::Entity>(&store).await;
        agrees::<accounts::workspace::Entity>(&store).await;
        agrees::<accounts::workspace_key::Entity>(&store).await;
        agrees::<accounts::workspace_secret::Entity>(&store).await;
    }
}

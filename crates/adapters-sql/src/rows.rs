//! Rows: one module a table, with the entity that gives its shape and the way from a record to a row and back. Nothing here
//! runs a statement, and no row leaves the crate.
//!
//! A stored value that breaks a rule becomes [`StoreError::Corrupt`] naming table, column and row.
#![expect(unreachable_pub, reason = "the entity derive needs public items")]

pub(crate) mod account_group;
pub(crate) mod account_link;
pub(crate) mod api_key;
pub(crate) mod asset_id_link;
pub(crate) mod assignment;
pub(crate) mod audit_event;
pub(crate) mod audit_head;
pub(crate) mod audit_link;
pub(crate) mod challenge;
pub(crate) mod code_guesses;
pub(crate) mod contract;
pub(crate) mod contract_terms;
pub(crate) mod email_link;
pub(crate) mod evaluation;
pub(crate) mod execution;
pub(crate) mod filter_rules;
pub(crate) mod filter_set;
pub(crate) mod filter_set_version;
pub(crate) mod grant;
pub(crate) mod guesses;
pub(crate) mod intent;
pub(crate) mod inventory_item;
pub(crate) mod lease;
pub(crate) mod ledger_entry;
pub(crate) mod linked_identity;
pub(crate) mod market_observation;
pub(crate) mod membership;
pub(crate) mod outgoing_mail;
pub(crate) mod passkey;
pub(crate) mod passkey_registration;
pub(crate) mod passkey_sign_in;
pub(crate) mod pending_sign_in;
pub(crate) mod pool;
pub(crate) mod price_override;
pub(crate) mod pricing_rules;
pub(crate) mod provider;
pub(crate) mod provider_health;
pub(crate) mod purchase;
pub(crate) mod recovery_codes;
pub(crate) mod remediation;
pub(crate) mod session;
pub(crate) mod spent_answer;
pub(crate) mod told_then;
pub(crate) mod totp;
pub(crate) mod totp_enrollment;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
pub(crate) mod traits;
pub(crate) mod transition;
pub(crate) mod user;
pub(crate) mod workspace;
pub(crate) mod workspace_key;
pub(crate) mod workspace_secret;

use std::fmt::Display;

use sea_orm::{EntityTrait, FromQueryResult, ModelTrait, Value};
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::contracts::inventory_item::SalePlace;
use tradepost_domain::contracts::ledger::{Account, Balanced};
use tradepost_domain::id::Id;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::{Amount, Currency, SignedCents};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{AnyRecord, Record};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::table::Table;

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

/// The values of a record in the order of its table's columns, without the version.
pub(crate) fn values(record: &AnyRecord) -> Vec<Value> {
    match record {
        AnyRecord::User(record) => values_of(record),
        AnyRecord::LinkedIdentity(record) => values_of(record),
        AnyRecord::AccountLink(record) => values_of(record),
        AnyRecord::ConsumedAssertion(record) => values_of(record),
        AnyRecord::Passkey(record) => values_of(record),
        AnyRecord::PasskeyRegistration(record) => values_of(record),
        AnyRecord::Totp(record) => values_of(record),
        AnyRecord::TotpEnrollment(record) => values_of(record),
        AnyRecord::RecoveryCodes(record) => values_of(record),
        AnyRecord::Guesses(record) => values_of(record),
        AnyRecord::CodeGuesses(record) => values_of(record),
        AnyRecord::EmailLink(record) => values_of(record),
        AnyRecord::Challenge(record) => values_of(record),
        AnyRecord::Grant(record) => values_of(record),
        AnyRecord::PendingSignIn(record) => values_of(record),
        AnyRecord::PasskeySignIn(record) => values_of(record),
        AnyRecord::Session(record) => values_of(record),
        AnyRecord::Workspace(record) => values_of(record),
        AnyRecord::Membership(record) => values_of(record),
        AnyRecord::ApiKey(record) => values_of(record),
        AnyRecord::WorkspaceKey(record) => values_of(record),
        AnyRecord::WorkspaceSecret(record) => values_of(record),
        AnyRecord::Lease(record) => values_of(record),
        AnyRecord::PricingRules(record) => values_of(record),
        AnyRecord::VariantOverride(record) => values_of(record),
        AnyRecord::Provider(record) => values_of(record),
        AnyRecord::ProviderHealth(record) => values_of(record),
        AnyRecord::FilterSet(record) => values_of(record),
        AnyRecord::AccountGroup(record) => values_of(record),
        AnyRecord::TradingAccount(record) => values_of(record),
        AnyRecord::Pool(record) => values_of(record),
        AnyRecord::Assignment(record) => values_of(record),
        AnyRecord::Contract(record) => values_of(record),
        AnyRecord::Intent(record) => values_of(record),
        AnyRecord::Purchase(record) => values_of(record),
        AnyRecord::InventoryItem(record) => values_of(record),
        AnyRecord::TradeOffer(record) => values_of(record),
        AnyRecord::Remediation(record) => values_of(record),
        AnyRecord::OutgoingMail(record) => values_of(record),
        AnyRecord::Execution(record) => values_of(record),
        AnyRecord::AuditHead(record) => values_of(record),
    }
}

fn values_of<R: Stored>(record: &R) -> Vec<Value> {
    row_values(&record.to_row()).filter(|(name, _)| *name != Table::VERSION).map(|(_, value)| value).collect()
}

/// The columns of a row with their values.
pub(crate) fn row_values<M: ModelTrait>(row: &M) -> impl Iterator<Item = (&'static str, Value)> {
    use sea_orm::{IdenStatic as _, Iterable as _};
    <M::Entity as EntityTrait>::Column::iter().map(|column| (column.as_str(), row.get(column)))
}

/// The identifier as the database keeps it.
pub(crate) const fn uuid<K>(id: Id<K>) -> Uuid {
    Uuid::from_bytes(id.to_bytes())
}

/// The identifier that the database kept.
pub(crate) const fn id<K>(uuid: Uuid) -> Id<K> {
    Id::from_bytes(uuid.into_bytes())
}

/// A stored row, to say in an error which one it is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) table: &'static str,
    pub(crate) home: Uuid,
    pub(crate) key: Uuid,
}

impl Place {
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

    /// What a stored number stands for.
    pub(crate) fn code<T>(&self, column: &str, code: i16, from_code: impl FnOnce(i16) -> Option<T>) -> StoreResult<T> {
        from_code(code).ok_or_else(|| self.corrupt(column, &format_args!("{code} stands for nothing")))
    }

    /// What a stored name stands for.
    pub(crate) fn named<T>(
        &self,
        column: &str,
        name: &str,
        from_name: impl FnOnce(&str) -> Option<T>,
    ) -> StoreResult<T> {
        from_name(name).ok_or_else(|| self.corrupt(column, &format_args!("{name:?} stands for nothing")))
    }

    /// The key or session that stored kind and id stand for.
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

    /// A rate of which the currency is in this column: all of it or nothing.
    pub(crate) fn exchange_rate(
        &self,
        column: &str,
        parts: (Option<&str>, Option<i64>, Option<i64>),
    ) -> StoreResult<Option<ExchangeRate>> {
        match parts {
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
        // What only SQLite's own index of names goes by.
        // And what is settled beside the commits.
        let is_apart = |name: &str| name == "number" || name == "market";
        found.retain(|(name, _)| !is_apart(name) || expected.iter().any(|(known, _)| known == name));
        found.sort();
        expected.sort();
        assert_eq!(expected, found, "{}", EntityName::table_name(&E::default()));
    }

    #[tokio::test]
    async fn every_entity_has_the_columns_of_its_table() {
        let folder = tempfile::tempdir().unwrap();
        let settings = SqliteSettings::at(folder.path().join("test.db"));
        let store = SqlStore::open(DatabaseSettings::Sqlite(settings)).await.unwrap();
        store.migrate().await.unwrap();
        agrees::<account_group::Entity>(&store).await;
        agrees::<account_link::Entity>(&store).await;
        agrees::<api_key::Entity>(&store).await;
        agrees::<asset_id_link::Entity>(&store).await;
        agrees::<assignment::Entity>(&store).await;
        agrees::<audit_event::Entity>(&store).await;
        agrees::<audit_head::Entity>(&store).await;
        agrees::<audit_link::Entity>(&store).await;
        agrees::<challenge::Entity>(&store).await;
        agrees::<code_guesses::Entity>(&store).await;
        agrees::<contract::Entity>(&store).await;
        agrees::<email_link::Entity>(&store).await;
        agrees::<evaluation::Entity>(&store).await;
        agrees::<execution::Entity>(&store).await;
        agrees::<filter_set::Entity>(&store).await;
        agrees::<filter_set_version::Entity>(&store).await;
        agrees::<grant::Entity>(&store).await;
        agrees::<guesses::Entity>(&store).await;
        agrees::<intent::Entity>(&store).await;
        agrees::<inventory_item::Entity>(&store).await;
        agrees::<lease::Entity>(&store).await;
        agrees::<ledger_entry::Entity>(&store).await;
        agrees::<linked_identity::Entity>(&store).await;
        agrees::<market_observation::Entity>(&store).await;
        agrees::<membership::Entity>(&store).await;
        agrees::<outgoing_mail::Entity>(&store).await;
        agrees::<passkey::Entity>(&store).await;
        agrees::<passkey_registration::Entity>(&store).await;
        agrees::<pending_sign_in::Entity>(&store).await;
        agrees::<pool::Entity>(&store).await;
        agrees::<price_override::Entity>(&store).await;
        agrees::<pricing_rules::Entity>(&store).await;
        agrees::<provider::Entity>(&store).await;
        agrees::<provider_health::Entity>(&store).await;
        agrees::<purchase::Entity>(&store).await;
        agrees::<recovery_codes::Entity>(&store).await;
        agrees::<remediation::Entity>(&store).await;
        agrees::<session::Entity>(&store).await;
        agrees::<spent_answer::Entity>(&store).await;
        agrees::<totp::Entity>(&store).await;
        agrees::<totp_enrollment::Entity>(&store).await;
        agrees::<trade_offer::Entity>(&store).await;
        agrees::<trading_account::Entity>(&store).await;
        agrees::<transition::Entity>(&store).await;
        agrees::<user::Entity>(&store).await;
        agrees::<workspace::Entity>(&store).await;
        agrees::<workspace_key::Entity>(&store).await;
        agrees::<workspace_secret::Entity>(&store).await;
    }
}

//! One batch: the sets that share a transaction. Each set is applied whole or not at all, as if they had come one after the
//! other: first those that write records, in their order, then those that only append a link, all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, DbErr, Statement, Value};
use serde_json::{Value as Json, json};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_ports::changes::{AppendLink, AppendedRow, ChangeSet, Committed, VersionGuard, Write};
use tradepost_ports::record::{Address, Record as _, Tally};
use tradepost_ports::store::{StoreError, StoreResult};

use super::bulk::hex;
use super::job::Work;
use super::{append, bulk, guards};
use crate::classify::{DbOperation, classify};
use crate::last_used::LastUseOf;
use crate::ledger_sums::Sums;
use crate::rows::accounts::{audit_event, audit_link};
use crate::rows::contracts::{asset_id_link, evaluation, filter_set_version, ledger_entry};
use crate::rows::{transition, values};
use crate::table::table;
use crate::{exposures, last_used, ledger_sums};

static INSERT_TRANSITIONS: LazyLock<String> = LazyLock::new(bulk::insert_text::<transition::Entity>);
static INSERT_FILTER_SET_VERSIONS: LazyLock<String> = LazyLock::new(bulk::insert_text::<filter_set_version::Entity>);
static INSERT_EVALUATIONS: LazyLock<String> = LazyLock::new(bulk::insert_text::<evaluation::Entity>);
static INSERT_LEDGER_ENTRIES: LazyLock<String> = LazyLock::new(bulk::insert_text::<ledger_entry::Entity>);
static ADD_LEDGER_SUMS: LazyLock<[(Sums, String); 2]> =
    LazyLock::new(|| Sums::ALL.map(|sums| (sums, ledger_sums::add_sqlite(sums))));
static INSERT_AUDIT_EVENTS: LazyLock<String> = LazyLock::new(bulk::insert_text::<audit_event::Entity>);
const COUNT: &str = "INSERT INTO record_counts (workspace_id, kind, contract_id, status, n) \
    SELECT unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4 FROM json_each($1) WHERE true \
    ON CONFLICT (workspace_id, kind, contract_id, status) DO UPDATE SET n = n + excluded.n";

pub(super) struct Batch<'a> {
    transaction: &'a DatabaseTransaction,
    works: &'a [Work],
    /// The outcome of each. `None` while it has none.
    answers: Vec<Option<StoreResult<Committed>>>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(transaction: &'a DatabaseTransaction, works: &'a [Work]) -> Self {
        Self { transaction, works, answers: works.iter().map(|_| None).collect() }
    }

    /// Applies every set that can be. `Err` inside: that set was refused. `Err` outside: a statement failed for all.
    pub(super) async fn apply(mut self) -> Result<Vec<StoreResult<Committed>>, DbErr> {
        let written = self.written();
        self.check_guards(&written).await?;
        let (mut links, mut others) = (Vec::new(), Vec::new());
        for (position, set) in self.open_sets() {
            match set.writes.as_slice() {
                [Write::AppendLink(link)] if !guards(set).any(|guard| written.contains(&guard.address)) => {
                    links.push((position, link));
                }
                _ => others.push((position, set)),
            }
        }
        for (position, set) in others {
            let answer = self.apply_set(set, &written).await?;
            self.answer(position, answer);
        }
        self.append_links(links).await?;
        self.add_entries().await?;
        self.count().await?;
        self.record_last_use().await?;
        Ok(self.answers.into_iter().map(|answer| answer.unwrap_or(Ok(NOTHING_APPENDED))).collect())
    }

    /// The sets that were not refused yet.
    fn open_sets(&self) -> impl Iterator<Item = (usize, &'a ChangeSet)> + use<'a, '_> {
        self.works.iter().enumerate().zip(&self.answers).filter_map(|((position, work), answer)| match (work, answer) {
            (Work::Commit(set), None) => Some((position, set)),
            (Work::Commit(_), Some(_)) | (Work::LastUse(..), _) => None,
        })
    }

    /// The sets that are written.
    fn applied_sets(&self) -> impl Iterator<Item = &'a ChangeSet> + use<'a, '_> {
        self.works.iter().zip(&self.answers).filter_map(|(work, answer)| match (work, answer) {
            (Work::Commit(set), Some(Ok(Committed::Applied { .. }))) => Some(set),
            (Work::Commit(_) | Work::LastUse(..), _) => None,
        })
    }

    fn answer(&mut self, position: usize, answer: StoreResult<Committed>) {
        if let Some(place) = self.answers.get_mut(position) {
            *place = Some(answer);
        }
    }

    /// Every record that some set of the batch writes.
    fn written(&self) -> BTreeSet<Address> {
        self.open_sets().flat_map(|(_, set)| &set.writes).map(address_of).collect()
    }

    /// Refuses the sets whose guards are broken. Guards on records that the batch writes wait for their set's turn.
    async fn check_guards(&mut self, written: &BTreeSet<Address>) -> Result<(), DbErr> {
        let sets: Vec<_> = self.open_sets().collect();
        let early = |guard: &VersionGuard| !written.contains(&guard.address);
        let stamps: BTreeSet<VersionGuard> = sets.iter().flat_map(|(_, set)| guards(set)).filter(early).collect();
        let holding = guards::holding(self.transaction, stamps).await?;
        for (position, set) in sets {
            if let Some(refused) = broken(set, |guard| !early(guard) || holding.contains(guard)) {
                self.answer(position, Err(refused));
            }
        }
        Ok(())
    }

    /// Applies the writes of one set. A refused write changes nothing, so only a set of several needs a savepoint.
    async fn apply_set(&self, set: &ChangeSet, written: &BTreeSet<Address>) -> Result<StoreResult<Committed>, DbErr> {
        let late: Vec<VersionGuard> = guards(set).filter(|guard| written.contains(&guard.address)).collect();
        let holding = guards::holding(self.transaction, late.iter().copied()).await?;
        if let Some(refused) = broken(set, |guard| !late.contains(guard) || holding.contains(guard)) {
            return Ok(Err(refused));
        }
        let undo = set.writes.len() > 1;
        if undo {
            self.transaction.execute_unprepared("SAVEPOINT one_set").await?;
        }
        let answer = self.write_all(&set.writes).await?;
        if undo {
            let applied = matches!(answer, Ok(Committed::Applied { .. }));
            let end = if applied { "RELEASE one_set" } else { "ROLLBACK TO one_set; RELEASE one_set" };
            self.transaction.execute_unprepared(end).await?;
        }
        Ok(answer)
    }

    async fn write_all(&self, writes: &[Write]) -> Result<StoreResult<Committed>, DbErr> {
        let mut links = Vec::new();
        for write in writes {
            let written = match write {
                Write::AppendLink(link) => append::append(self.transaction, &[link]).await?.pop(),
                Write::Insert(_) | Write::InsertAt { .. } | Write::Update { .. } | Write::Put(_) | Write::Remove(_) => {
                    Some(self.write(write).await?)
                }
            };
            match written {
                Some(Ok(Committed::Applied { links: appended })) => links.extend(appended),
                Some(refused) => return Ok(refused),
                None => return Ok(Err(StoreError::Bug("a link without an answer".to_owned()))),
            }
        }
        Ok(Ok(Committed::Applied { links }))
    }

    async fn write(&self, write: &Write) -> Result<StoreResult<Committed>, DbErr> {
        let (text, values) = statement_of(write);
        let statement = Statement::from_sql_and_values(DbBackend::Sqlite, text, values);
        match self.transaction.execute_raw(statement).await {
            Ok(done) if done.rows_affected() == 0 => Ok(Err(StoreError::Conflict)),
            Ok(_) => Ok(Ok(NOTHING_APPENDED)),
            Err(error) => {
                let refused = classify(&error, DbOperation::Statement);
                if matches!(refused, StoreError::Duplicate(_)) { Ok(Err(refused)) } else { Err(error) }
            }
        }
    }

    async fn append_links(&mut self, links: Vec<(usize, &AppendLink)>) -> Result<(), DbErr> {
        if links.is_empty() {
            return Ok(());
        }
        let (positions, links): (Vec<usize>, Vec<&AppendLink>) = links.into_iter().unzip();
        let answers = append::append(self.transaction, &links).await?;
        for (position, answer) in positions.into_iter().zip(answers) {
            self.answer(position, answer);
        }
        Ok(())
    }

    async fn add_entries(&self) -> Result<(), DbErr> {
        let (mut links, mut transitions) = (Vec::new(), Vec::new());
        let (mut audited, mut chained, mut versions) = (Vec::new(), Vec::new(), Vec::new());
        let mut evaluated = Vec::new();
        let mut booked = Vec::new();
        for entry in self.applied_sets().flat_map(|set| &set.entries) {
            match entry {
                AppendedRow::Link(link) => links.push(asset_id_link::to_row(link)),
                AppendedRow::Transition(transition) => transitions.push(transition::to_row(transition)),
                AppendedRow::FilterSetVersion(version) => versions.push(filter_set_version::to_row(version)),
                AppendedRow::Evaluation(evaluation) => evaluated.push(evaluation::to_row(evaluation)),
                AppendedRow::Ledger(entry) => booked.push(entry),
                AppendedRow::Audit(sealed) => audited.push(audit_event::to_row(sealed)),
                AppendedRow::AuditLink(link) => chained.push(*link),
            }
        }
        if !links.is_empty() {
            append::insert_links(self.transaction, &links).await?;
        }
        if !transitions.is_empty() {
            self.execute(&INSERT_TRANSITIONS, bulk::rows(&transitions)).await?;
        }
        if !versions.is_empty() {
            self.execute(&INSERT_FILTER_SET_VERSIONS, bulk::rows(&versions)).await?;
        }
        if !evaluated.is_empty() {
            self.execute(&INSERT_EVALUATIONS, bulk::rows(&evaluated)).await?;
        }
        if !booked.is_empty() {
            self.book(&booked).await?;
        }
        if !audited.is_empty() {
            self.execute(&INSERT_AUDIT_EVENTS, bulk::rows(&audited)).await?;
        }
        if !chained.is_empty() {
            self.execute(audit_link::INSERT_SQLITE, audit_link::argument(&chained)).await?;
        }
        Ok(())
    }

    async fn book(&self, entries: &[&LedgerEntry]) -> Result<(), DbErr> {
        let rows: Vec<_> = entries.iter().map(|entry| ledger_entry::to_row(entry)).collect();
        self.execute(&INSERT_LEDGER_ENTRIES, bulk::rows(&rows)).await?;
        if let Some(argument) = exposures::argument(entries) {
            self.execute(exposures::ADD_SQLITE, argument).await?;
        }
        for (sums, add) in ADD_LEDGER_SUMS.iter() {
            if let Some(argument) = ledger_sums::argument(*sums, entries) {
                self.execute(add, argument).await?;
            }
        }
        Ok(())
    }

    async fn count(&self) -> Result<(), DbErr> {
        let mut deltas: BTreeMap<Tally, i64> = BTreeMap::new();
        for (tally, by) in self.applied_sets().flat_map(|set| &set.tallies) {
            let delta = deltas.entry(*tally).or_default();
            *delta = delta.saturating_add(*by);
        }
        if deltas.is_empty() {
            return Ok(());
        }
        let rows = deltas
            .into_iter()
            .map(|(tally, by)| json!([hex(tally.workspace), tally.kind.code(), hex(tally.contract), tally.status, by]));
        self.execute(COUNT, Json::Array(rows.collect()).to_string().into()).await
    }

    async fn record_last_use(&self) -> Result<(), DbErr> {
        for noted in [LastUseOf::Keys, LastUseOf::Sessions] {
            let notes: Vec<_> = self.works.iter().flat_map(|work| work.notes(noted)).collect();
            if !notes.is_empty() {
                self.execute(noted.on_sqlite(), last_used::argument(notes)).await?;
            }
        }
        Ok(())
    }

    async fn execute(&self, text: &str, argument: Value) -> Result<(), DbErr> {
        let statement = Statement::from_sql_and_values(DbBackend::Sqlite, text, [argument]);
        self.transaction.execute_raw(statement).await.map(|_| ())
    }
}

fn guards(set: &ChangeSet) -> impl Iterator<Item = VersionGuard> {
    set.caller.iter().chain(&set.relied_on).copied()
}

/// Why the set is refused, if one of its guards does not hold.
fn broken(set: &ChangeSet, holds: impl Fn(&VersionGuard) -> bool) -> Option<StoreError> {
    if !set.caller.iter().all(&holds) {
        Some(StoreError::CallerChanged)
    } else if !set.relied_on.iter().all(holds) {
        Some(StoreError::Conflict)
    } else {
        None
    }
}

const NOTHING_APPENDED: Committed = Committed::Applied { links: Vec::new() };

/// The record that a write changes.
fn address_of(write: &Write) -> Address {
    match write {
        Write::Insert(record) | Write::InsertAt { record, .. } | Write::Put(record) | Write::Update { record, .. } => {
            record.address()
        }
        Write::Remove(stamp) => stamp.address,
        Write::AppendLink(link) => Address {
            kind: InventoryItem::KIND,
            home: link.workspace_id.to_bytes(),
            key: link.inventory_item_id.to_bytes(),
        },
    }
}

/// The statement of a write of one record.
fn statement_of(write: &Write) -> (&'static str, Vec<Value>) {
    let single_row = &table(address_of(write).kind).single_row;
    match write {
        Write::Insert(record) => (&single_row.insert, values(record)),
        Write::InsertAt { record, version } => {
            let mut bound = values(record);
            bound.push((*version).into());
            (&single_row.insert_at, bound)
        }
        Write::Put(record) => (&single_row.put, values(record)),
        Write::Update { record, expected } => {
            let mut bound = values(record);
            bound.push((*expected).into());
            (&single_row.update, bound)
        }
        Write::Remove(stamp) => {
            let mut bound = table(stamp.address.kind).key_of(stamp.address);
            bound.push(stamp.version.into());
            (&single_row.remove, bound)
        }
        // Appended by `append`, which needs no statement of its own for each.
        Write::AppendLink(_) => ("", Vec::new()),
    }
}

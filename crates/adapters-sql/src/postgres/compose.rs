//! From a set of changes to the shape of its statement and the values to bind, in the same order.

use std::collections::BTreeSet;

use sea_orm::Value;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_ports::changes::{AppendLink, AppendedRow, ChangeSet, VersionGuard, Write};
use tradepost_ports::record::{Address, Record as _, Tally};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::shape::{Part, Refusal};
use crate::ledger_sums::Sums;
use crate::rows::accounts::{audit_event, audit_link};
use crate::rows::contracts::{asset_id_link, evaluation, filter_set_version, ledger_entry};
use crate::rows::{row_values, transition, uuid, values};
use crate::table::table;
use crate::{exposures, ledger_sums};

/// Refuses what one statement cannot do: it changes no row twice.
pub(super) fn check(set: &ChangeSet) -> StoreResult<()> {
    let mut seen = BTreeSet::new();
    if set.writes.iter().all(|write| seen.insert(address_of(write))) {
        Ok(())
    } else {
        Err(StoreError::Bug("one set of changes writes a record twice".to_owned()))
    }
}

/// The record that a write changes.
pub(super) fn address_of(write: &Write) -> Address {
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

/// The parts of the statement and their values. Guards and writes come in one order over all records: two sets that guarded
/// first and wrote afterwards would wait for each other.
pub(super) fn compose(set: &ChangeSet, slot: i16) -> (Vec<Part>, Vec<Value>) {
    let guarded = |refusal| move |guard: &VersionGuard| (guard.address, Step::Guard(*guard, refusal));
    let mut steps: Vec<(Address, Step<'_>)> = set.caller.iter().map(guarded(Refusal::Caller)).collect();
    steps.extend(set.relied_on.iter().map(guarded(Refusal::Conflict)));
    steps.extend(set.writes.iter().map(|write| (address_of(write), Step::Write(write))));
    steps.sort_by_key(|(address, _)| *address);
    let mut composed = Composed { shape: Vec::new(), values: Vec::new() };
    for (address, step) in steps {
        match step {
            Step::Guard(guard, refusal) => composed.add(Part::Guard(address.kind, refusal), stamp(guard)),
            Step::Write(write) => composed.write(write),
        }
    }
    composed.entries(&set.entries);
    if !set.tallies.is_empty() {
        let rows = set.tallies.iter().flat_map(|(tally, by)| counter(*tally, slot, *by));
        composed.add(Part::Counters(set.tallies.len()), rows);
    }
    (composed.shape, composed.values)
}

/// The parts of a statement that only looks whether the guards hold, and their values.
pub(super) fn compose_guards(guards: &[VersionGuard], refusal: Refusal) -> (Vec<Part>, Vec<Value>) {
    let mut composed = Composed { shape: Vec::new(), values: Vec::new() };
    for guard in guards {
        composed.add(Part::Guard(guard.address.kind, refusal), stamp(*guard));
    }
    (composed.shape, composed.values)
}

enum Step<'a> {
    Guard(VersionGuard, Refusal),
    Write(&'a Write),
}

struct Composed {
    shape: Vec<Part>,
    values: Vec<Value>,
}

impl Composed {
    fn add(&mut self, part: Part, values: impl IntoIterator<Item = Value>) {
        self.shape.push(part);
        self.values.extend(values);
    }

    fn write(&mut self, write: &Write) {
        match write {
            Write::Insert(record) => self.add(Part::Insert(record.address().kind), values(record)),
            Write::InsertAt { record, version } => {
                self.add(Part::InsertAt(record.address().kind), values(record));
                self.values.push((*version).into());
            }
            Write::Put(record) => self.add(Part::Put(record.address().kind), values(record)),
            Write::Update { record, expected } => {
                self.add(Part::Update(record.address().kind), values(record));
                self.values.push((*expected).into());
            }
            Write::Remove(seen) => self.add(Part::Remove(seen.address.kind), stamp(*seen)),
            Write::AppendLink(link) => {
                let part = Part::Append { source: link.source, expects_step: link.expected_step.is_some() };
                self.add(part, append(link));
            }
        }
    }

    fn entries(&mut self, entries: &[AppendedRow]) {
        let (mut links, mut transitions) = (Vec::new(), Vec::new());
        let (mut audited, mut chained, mut versions) = (Vec::new(), Vec::new(), Vec::new());
        let mut evaluated = Vec::new();
        let mut booked = Vec::new();
        for entry in entries {
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
            let rows = links.iter().flat_map(row_values).map(|(_, value)| value);
            self.add(Part::Links(links.len()), rows);
        }
        if !transitions.is_empty() {
            let rows = transitions.iter().flat_map(row_values).map(|(_, value)| value);
            self.add(Part::Transitions(transitions.len()), rows);
        }
        if !versions.is_empty() {
            let rows = versions.iter().flat_map(row_values).map(|(_, value)| value);
            self.add(Part::FilterSetVersions(versions.len()), rows);
        }
        if !evaluated.is_empty() {
            let rows = evaluated.iter().flat_map(row_values).map(|(_, value)| value);
            self.add(Part::Evaluations(evaluated.len()), rows);
        }
        if !booked.is_empty() {
            self.book(&booked);
        }
        if !audited.is_empty() {
            let rows = audited.iter().flat_map(row_values).map(|(_, value)| value);
            self.add(Part::AuditEvents(audited.len()), rows);
        }
        if !chained.is_empty() {
            self.add(Part::AuditLinks, [audit_link::argument(&chained)]);
        }
    }

    fn book(&mut self, entries: &[&LedgerEntry]) {
        let rows: Vec<_> = entries.iter().map(|entry| ledger_entry::to_row(entry)).collect();
        let values = rows.iter().flat_map(row_values).map(|(_, value)| value);
        self.add(Part::LedgerEntries(rows.len()), values);
        if let Some(argument) = exposures::argument(entries) {
            self.add(Part::Exposures, [argument]);
        }
        for sums in Sums::ALL {
            if let Some(argument) = ledger_sums::argument(sums, entries) {
                self.add(Part::LedgerSums(sums), [argument]);
            }
        }
    }
}

fn stamp(stamp: VersionGuard) -> Vec<Value> {
    let mut values = table(stamp.address.kind).key_of(stamp.address);
    values.push(stamp.version.into());
    values
}

/// In the order that [`Part::Append`] numbers them.
fn append(link: &AppendLink) -> Vec<Value> {
    let mut values: Vec<Value> = vec![
        uuid(link.workspace_id).into(),
        uuid(link.inventory_item_id).into(),
        uuid(link.id).into(),
        link.asset_id.as_str().into(),
        link.source_id.as_str().into(),
        link.at.as_micros().into(),
    ];
    values.extend(link.expected_step.map(|step| i64::from(step).into()));
    values
}

fn counter(tally: Tally, slot: i16, by: i64) -> [Value; 6] {
    [
        Uuid::from_bytes(tally.workspace).into(),
        tally.kind.code().into(),
        Uuid::from_bytes(tally.contract).into(),
        tally.status.into(),
        slot.into(),
        by.into(),
    ]
}

//! Applying a set of changes: guards first, then the writes in their order, then entries and counters. The caller works on a copy, so an
//! error anywhere leaves nothing behind.

use tradepost_domain::accounts::audit::{AuditLink, SealedEvent};
use tradepost_domain::contracts::chain::{AssetIdLink, Evidence};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};

use super::state::State;
use tradepost_ports::changes::{AppendLink, AppendedRow, ChangeSet, Committed, VersionGuard, Write};
use tradepost_ports::record::AnyRecord;
use tradepost_ports::store::{StoreError, StoreResult, Unique};

enum Appended {
    New(AssetIdLink),
    RecordedBefore(AssetIdLink),
}

impl State {
    pub(super) fn apply(&mut self, set: ChangeSet) -> StoreResult<Committed> {
        self.check_caller(&set.caller)?;
        if !set.relied_on.iter().all(|guard| self.still_is(*guard)) {
            return Err(StoreError::Conflict);
        }
        let mut links = Vec::new();
        for write in set.writes {
            match write {
                Write::Insert(record) => self.insert(record, 1)?,
                Write::InsertAt { record, version } => self.insert(record, version)?,
                Write::Update { record, expected } => self.update(record, expected)?,
                Write::Put(record) => self.put(record)?,
                Write::Remove(stamp) => self.remove(stamp)?,
                Write::AppendLink(link) => match self.append(link)? {
                    Appended::New(link) => links.push(link),
                    Appended::RecordedBefore(link) => return Ok(Committed::AlreadyRecorded(link)),
                },
            }
        }
        for entry in set.entries {
            self.add(entry)?;
        }
        for (tally, by) in set.tallies {
            *self.tallies.entry(tally).or_default() += by;
        }
        Ok(Committed::Applied { links })
    }

    pub(super) fn check_caller(&self, guards: &[VersionGuard]) -> StoreResult<()> {
        if guards.iter().all(|guard| self.still_is(*guard)) { Ok(()) } else { Err(StoreError::CallerChanged) }
    }

    fn still_is(&self, stamp: VersionGuard) -> bool {
        self.records.get(&stamp.address).is_some_and(|(_, version)| *version == stamp.version)
    }

    fn insert(&mut self, record: AnyRecord, version: i64) -> StoreResult<()> {
        if self.records.contains_key(&record.address()) {
            let is_key = matches!(record, AnyRecord::Execution(_));
            return Err(StoreError::Duplicate(if is_key { Unique::IdempotencyKey } else { Unique::Address }));
        }
        self.set(record, version)
    }

    fn update(&mut self, record: AnyRecord, expected: i64) -> StoreResult<()> {
        if !self.still_is(VersionGuard { address: record.address(), version: expected }) {
            return Err(StoreError::Conflict);
        }
        self.set(record, expected + 1)
    }

    fn put(&mut self, record: AnyRecord) -> StoreResult<()> {
        let version = self.records.get(&record.address()).map_or(0, |(_, version)| *version);
        self.set(record, version + 1)
    }

    fn remove(&mut self, stamp: VersionGuard) -> StoreResult<()> {
        if !self.still_is(stamp) {
            return Err(StoreError::Conflict);
        }
        self.clear(stamp.address);
        Ok(())
    }

    fn append(&mut self, wanted: AppendLink) -> StoreResult<Appended> {
        let AppendLink { id, workspace_id, inventory_item_id, expected_step, asset_id, source, source_id, at } = wanted;
        let evidence = Evidence { asset_id, source, source_id };
        for link in self.chain(workspace_id, inventory_item_id) {
            if link.records(&evidence).map_err(|_| StoreError::LinkRefused)? {
                return Ok(Appended::RecordedBefore(link.clone()));
            }
        }
        let item = self.find::<InventoryItem>(workspace_id.to_bytes(), inventory_item_id.to_bytes());
        let (item, version) = item.ok_or(StoreError::LinkRefused)?.into_display();
        if !ItemStatus::unmoved_by(source).contains(&item.status) {
            return Err(StoreError::LinkRefused);
        }
        let (item, link) = item.append(evidence, expected_step, at).map_err(|_| StoreError::LinkRefused)?;
        let link = link.of(item.chain_owner(), id);
        self.set(item.into(), version + 1)?;
        self.add_link(link.clone())?;
        Ok(Appended::New(link))
    }

    fn add(&mut self, entry: AppendedRow) -> StoreResult<()> {
        match entry {
            AppendedRow::Link(link) => self.add_link(link),
            AppendedRow::Transition(transition) => {
                let last = self.places.last_key_value().map_or(0, |(last, _)| *last);
                self.places.insert(last + 1, transition.id);
                match self.transitions.insert(transition.id, transition) {
                    None => Ok(()),
                    Some(_) => Err(StoreError::Duplicate(Unique::Address)),
                }
            }
            AppendedRow::FilterSetVersion(version) => {
                let key = (version.workspace_id, version.filter_set_id, version.version);
                match self.filter_set_versions.insert(key, version) {
                    None => Ok(()),
                    Some(_) => Err(StoreError::Duplicate(Unique::Address)),
                }
            }
            AppendedRow::Evaluation(evaluation) => {
                let key = (evaluation.workspace_id, evaluation.id);
                match self.evaluations.insert(key, evaluation) {
                    None => Ok(()),
                    Some(_) => Err(StoreError::Duplicate(Unique::Address)),
                }
            }
            AppendedRow::Ledger(entry) => match self.ledger.insert((entry.workspace_id, entry.id), entry) {
                None => Ok(()),
                Some(_) => Err(StoreError::Duplicate(Unique::Address)),
            },
            AppendedRow::Audit(sealed) => self.add_event(sealed),
            AppendedRow::AuditLink(link) => self.add_audit_link(link),
        }
    }

    fn add_event(&mut self, sealed: SealedEvent) -> StoreResult<()> {
        match self.audited.insert((sealed.event.home.log_id(), sealed.event.id), sealed) {
            None => Ok(()),
            Some(_) => Err(StoreError::Duplicate(Unique::Address)),
        }
    }

    fn add_audit_link(&mut self, link: AuditLink) -> StoreResult<()> {
        if self.chained.values().any(|old| (old.log_id, old.event_id) == (link.log_id, link.event_id)) {
            return Err(StoreError::Duplicate(Unique::ChainedEvent));
        }
        match self.chained.insert((link.log_id, link.sequence), link) {
            None => Ok(()),
            Some(_) => Err(StoreError::Duplicate(Unique::Address)),
        }
    }

    fn add_link(&mut self, link: AssetIdLink) -> StoreResult<()> {
        let evidence = |link: &AssetIdLink| (link.source, link.source_id.clone());
        if self.chain(link.workspace_id, link.inventory_item_id).any(|old| evidence(old) == evidence(&link)) {
            return Err(StoreError::Duplicate(Unique::LinkEvidence));
        }
        match self.links.insert((link.workspace_id, link.inventory_item_id, link.step), link) {
            None => Ok(()),
            Some(_) => Err(StoreError::Duplicate(Unique::Address)),
        }
    }
}

//! The contents of the model, and their search: by address, or by reading every record of a kind.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tradepost_domain::accounts::audit::{AuditLink, SealedEvent};
use tradepost_domain::accounts::usage::Calls;
use tradepost_domain::accounts::workspace::{MarketKind, Workspace};
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::evaluation::EvaluationRecord;
use tradepost_domain::contracts::filter_set::FilterSetVersion;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::id::{
    ApiKeyId, AuditEventId, AuditLogId, EvaluationId, FilterSetId, Id, InventoryItemId, LedgerEntryId, ObservationId,
    RecordKey, SessionId, TransitionId, WorkspaceId,
};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::markets::price_history::Candle;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Transition;

use super::unique::{UniqueKey, keys_of};
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{Address, AnyRecord, Record, Tally};
use tradepost_ports::store::{Page, PageRequest, PriceSnapshot, StoreError, StoreResult};

/// All stored records.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) records: BTreeMap<Address, (AnyRecord, i64)>,
    pub(super) taken: BTreeMap<UniqueKey, Address>,
    pub(super) links: BTreeMap<(WorkspaceId, InventoryItemId, u32), AssetIdLink>,
    pub(super) transitions: BTreeMap<TransitionId, Transition>,
    /// The transitions by their positions, which are in the order in which they were committed.
    pub(super) places: BTreeMap<i64, TransitionId>,
    pub(super) filter_set_versions: BTreeMap<(WorkspaceId, FilterSetId, u32), FilterSetVersion>,
    pub(super) evaluations: BTreeMap<(WorkspaceId, EvaluationId), EvaluationRecord>,
    pub(super) ledger: BTreeMap<(WorkspaceId, LedgerEntryId), LedgerEntry>,
    pub(super) audited: BTreeMap<(AuditLogId, AuditEventId), SealedEvent>,
    pub(super) chained: BTreeMap<(AuditLogId, i64), AuditLink>,
    pub(super) tallies: BTreeMap<Tally, i64>,
    pub(super) last_used: BTreeMap<(WorkspaceId, ApiKeyId), Timestamp>,
    pub(super) usage: BTreeMap<(WorkspaceId, i64, Option<ApiKeyId>, &'static str), Calls>,
    pub(super) last_seen: BTreeMap<SessionId, Timestamp>,
    /// Shared between the states before and after a commit, which changes none of it and would copy thousands of rows.
    pub(super) sightings: Arc<Sightings>,
    pub(super) markets: BTreeMap<WorkspaceId, MarketKind>,
}

/// What was seen of the markets.
#[derive(Debug, Clone, Default)]
pub(super) struct Sightings {
    /// Each with the prices that were reported at that time.
    pub(super) observations: BTreeMap<(WorkspaceId, ObservationId), (MarketObservation, PriceSnapshot)>,
    /// Those that are kept permanently.
    pub(super) kept: BTreeSet<(WorkspaceId, ObservationId)>,
    pub(super) on_sale: BTreeMap<(WorkspaceId, Marketplace, ExternalId), OnSale>,
    pub(super) candles: BTreeMap<(WorkspaceId, Variant, Marketplace, i64), Candle>,
    pub(super) quotes: BTreeMap<(WorkspaceId, Variant, Marketplace), Quote>,
}

/// A listing as it was last seen.
#[derive(Debug, Clone)]
pub(super) struct OnSale {
    /// The observation that reported its price first.
    pub(super) told_by: ObservationId,
    /// The listing in that observation.
    pub(super) snapshot: ListingSnapshot,
    pub(super) seen_at: Timestamp,
}

impl State {
    /// Returns what was seen of the markets, to be changed.
    pub(super) fn sightings_mut(&mut self) -> &mut Sightings {
        Arc::make_mut(&mut self.sightings)
    }

    /// Stores a record at its address, and releases the keys that the record before held.
    pub(super) fn set(&mut self, record: AnyRecord, version: i64) -> StoreResult<()> {
        let address = record.address();
        self.clear(address);
        for key in keys_of(&record) {
            if self.taken.contains_key(&key) {
                return Err(StoreError::Duplicate(key.0));
            }
            self.taken.insert(key, address);
        }
        self.records.insert(address, (record, version));
        Ok(())
    }

    /// Removes the record at an address, with the keys that it held.
    pub(super) fn clear(&mut self, address: Address) {
        for key in self.records.remove(&address).iter().flat_map(|(record, _)| keys_of(record)) {
            self.taken.remove(&key);
        }
    }

    /// Returns the record of a kind at an address.
    pub(super) fn find<T: Record>(&self, home: [u8; 16], key: [u8; 16]) -> Option<Seen<T>> {
        let (record, version) = self.records.get(&Address { kind: T::KIND, home, key })?;
        T::of(record).map(|record| Seen::loaded(record.clone(), *version))
    }

    /// Returns the matching records of a kind, in the order of their addresses.
    pub(super) fn all<T: Record>(&self, wanted: impl Fn(&T) -> bool) -> Vec<Seen<T>> {
        let of_kind = self.records.values().filter_map(|(record, version)| Some((T::of(record)?, *version)));
        of_kind
            .filter(|(record, _)| wanted(record))
            .map(|(record, version)| Seen::loaded(record.clone(), version))
            .collect()
    }

    /// Returns whether there is such a workspace, and it is not deleted.
    pub(super) fn is_kept(&self, workspace: WorkspaceId) -> bool {
        let id = workspace.to_bytes();
        self.find::<Workspace>(id, id).is_some_and(|workspace| workspace.peek().deleted_at.is_none())
    }

    /// Returns the first matching record of a kind.
    pub(super) fn first<T: Record>(&self, wanted: impl Fn(&T) -> bool) -> Option<Seen<T>> {
        self.all(wanted).into_iter().next()
    }

    /// Returns the matching records of a workspace.
    pub(super) fn several<T: Record>(&self, workspace: WorkspaceId, wanted: impl Fn(&T) -> bool) -> Vec<Seen<T>> {
        self.all(|record: &T| record.home() == workspace.to_bytes() && wanted(record))
    }

    /// Returns one page of the matching records of a workspace, newest first.
    pub(super) fn page<T: Record, K>(
        &self,
        workspace: WorkspaceId,
        page: &PageRequest<K>,
        wanted: impl Fn(&T) -> bool,
    ) -> Page<K> {
        let matching = self.all(|record: &T| record.home() == workspace.to_bytes() && wanted(record));
        let newest_first = matching.iter().rev().map(|seen| Id::from_bytes(seen.peek().key()));
        let ids: Vec<Id<K>> = newest_first.filter(|id| page.before.is_none_or(|before| *id < before)).collect();
        Page::of(ids, page.limit)
    }

    /// Returns a page of matching records of a workspace in another order than that of ids: the greatest place first.
    pub(super) fn page_by<T: Record, K>(
        &self,
        workspace: WorkspaceId,
        page: &PageRequest<K>,
        wanted: impl Fn(&T) -> bool,
        place: impl Fn(&T) -> Option<Timestamp>,
    ) -> Page<K> {
        let key = |record: &T| (place(record), record.key());
        let before = page.before.and_then(|id| self.find::<T>(workspace.to_bytes(), id.to_bytes()));
        let before = before.map(|seen| key(seen.peek()));
        let matching = self.several(workspace, wanted);
        let mut keys: Vec<_> = matching.iter().map(|seen| key(seen.peek())).collect();
        keys.retain(|key| before.is_none_or(|before| *key < before));
        keys.sort_unstable_by(|one, other| other.cmp(one));
        Page::of(keys.into_iter().map(|(_, id)| Id::from_bytes(id)).collect(), page.limit)
    }

    /// Returns the chain of an item, in order.
    pub(super) fn chain(&self, workspace: WorkspaceId, item: InventoryItemId) -> impl Iterator<Item = &AssetIdLink> {
        self.links.range((workspace, item, 0)..=(workspace, item, u32::MAX)).map(|(_, link)| link)
    }
}

/// Returns the first of some keys behind one, in their order.
pub(super) fn keys_after<K>(
    keys: impl Iterator<Item = (WorkspaceId, Id<K>)>,
    after: Option<RecordKey<Id<K>>>,
    limit: u32,
) -> Vec<RecordKey<Id<K>>> {
    let after = after.map(|after| (after.workspace_id, after.id));
    let mut keys: Vec<_> = keys.filter(|key| after.is_none_or(|after| after < *key)).collect();
    keys.sort_unstable();
    keys.truncate(limit as usize);
    keys.into_iter().map(|(workspace_id, id)| RecordKey { workspace_id, id }).collect()
}

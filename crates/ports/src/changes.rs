//! Writes as data: the changes of one operation, built without I/O and committed once.
//!
//! A read returns a [`Seen`] value. The caller gets the record out of it only by naming the use. So every update carries the version that
//! was seen, and no caller has to remember a guard.

pub mod held;

use std::collections::BTreeMap;
use std::net::IpAddr;

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::audit::{About, AuditKind, AuditLink, AuditedAction, SealedEvent};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, Source};
use tradepost_domain::contracts::evaluation::EvaluationRecord;
use tradepost_domain::contracts::filter_set::FilterSetVersion;
#[cfg(doc)]
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::id::{AssetIdLinkId, InventoryItemId, UserId, WorkspaceId};
use tradepost_domain::idempotency::Execution;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Transition;

use crate::record::{Address, AnyRecord, Record, Tally};
use held::HeldCommit;

/// A record at the version at which it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionGuard {
    /// The address of the record.
    pub address: Address,
    /// The version that was seen, 1 for a record that was never changed.
    pub version: i64,
}

/// A record as it was read.
#[derive(Debug, Clone)]
#[must_use = "say what the record is for: Changes::rely_on, Changes::revise, Changes::remove or into_display"]
pub struct Seen<T> {
    value: T,
    version: i64,
}

impl<T: Record> Seen<T> {
    /// Returns a record with its version. For storage adapters: any other caller would forge a guard.
    pub const fn loaded(value: T, version: i64) -> Self {
        Self { value, version }
    }

    /// Returns the record and its version, for an answer and never for a decision: nothing guards it.
    pub fn into_display(self) -> (T, i64) {
        (self.value, self.version)
    }

    /// Returns the record for a look, to choose what to do with it.
    pub const fn peek(&self) -> &T {
        &self.value
    }

    /// Returns the record's address and the version that was seen.
    pub fn stamp(&self) -> VersionGuard {
        VersionGuard { address: self.value.address(), version: self.version }
    }
}

/// The caller of an operation, with the records that gave the right.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The principal that calls.
    pub principal: Principal,
    /// The caller's key or session, membership and user as they were seen. A commit fails when one of them has changed.
    pub guards: Vec<VersionGuard>,
    /// The address from which the call came, if there is one.
    pub client: Option<IpAddr>,
    /// The id of the request, as in the access log, if there is one.
    pub request: Option<String>,
    /// The idempotency key of the call. The first commit of the call stores the key; any other commit fails.
    pub once: Option<Execution>,
    /// The place where the commit under that key waits for the answer. A caller that stores both at once sets it.
    pub held: Option<HeldCommit>,
}

impl Caller {
    /// Returns the process itself as the caller.
    pub const fn system() -> Self {
        Self { principal: Principal::System, guards: Vec::new(), client: None, request: None, once: None, held: None }
    }

    /// Returns a user whose identity the process has verified, for embedders and the command line.
    pub const fn person(user: UserId) -> Self {
        Self {
            principal: Principal::Person(user),
            guards: Vec::new(),
            client: None,
            request: None,
            once: None,
            held: None,
        }
    }

    /// Returns an anonymous caller at this address.
    pub const fn anonymous(client: Option<IpAddr>) -> Self {
        Self { principal: Principal::Anonymous, guards: Vec::new(), client, request: None, once: None, held: None }
    }
}

/// One write.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// A new record, at version 1. Fails when the record exists already.
    Insert(AnyRecord),
    /// A new record that has taken steps already, at the version after these steps.
    InsertAt {
        /// The record.
        record: AnyRecord,
        /// Its version, from 1.
        version: i64,
    },
    /// A new value for a record that is still at `expected`.
    Update {
        /// The new value.
        record: AnyRecord,
        /// The version it replaces.
        expected: i64,
    },
    /// A value for a record of which a home has one. It replaces any earlier value. Its version only grows.
    Put(AnyRecord),
    /// The end of a record that is still at this version.
    Remove(VersionGuard),
    /// A link at the head of an item's chain.
    AppendLink(AppendLink),
}

/// A link to append at the current end of the chain, as long as the rules of the chain allow it there.
///
/// For links that change nothing about an item but its chain. Storage checks two conditions when it writes: the rules of
/// [`tradepost_domain::contracts::chain`], and that [`ItemStatus::unmoved_by`] lets the source leave the item in its status. Evidence that
/// the item holds already returns [`Committed::AlreadyRecorded`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendLink {
    /// The link's identifier.
    pub id: AssetIdLinkId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item whose chain grows.
    pub inventory_item_id: InventoryItemId,
    /// The step that the link must get; absent to take the next step.
    pub expected_step: Option<u32>,
    /// The asset id from this link on.
    pub asset_id: AssetId,
    /// The source that produced it.
    pub source: Source,
    /// Identifier of the listing or trade that produced it.
    pub source_id: ExternalId,
    /// The time of the observation; the link is never dated before its predecessor.
    pub at: Timestamp,
}

/// A row that is only ever added.
#[derive(Debug, Clone, PartialEq)]
pub enum AppendedRow {
    /// A link of a chain. Its item is written in the same set.
    Link(AssetIdLink),
    /// A change of status.
    Transition(Transition),
    /// A version of a filter set.
    FilterSetVersion(FilterSetVersion),
    /// An evaluation.
    Evaluation(EvaluationRecord),
    /// An entry of the ledger. If it moves a pool's money, the pool is written in the same set.
    Ledger(LedgerEntry),
    /// An event of the audit log.
    Audit(SealedEvent),
    /// The place of an event in the chain of its log. The head of the chain is written in the same set.
    AuditLink(AuditLink),
}

/// A record after a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised<T> {
    /// The record.
    pub value: T,
    /// The version it gets when the changes are committed.
    pub version: i64,
}

impl<T: Record> Revised<T> {
    /// Returns the record as it is after the commit, to change it further.
    pub fn committed(self) -> Seen<T> {
        Seen { value: self.value, version: self.version }
    }
}

/// All writes of one operation. There is no `Default`, because every writer names its caller.
#[derive(Debug, Clone)]
#[must_use = "changes do nothing until they are committed"]
pub struct Changes {
    caller: Vec<VersionGuard>,
    relied_on: Vec<VersionGuard>,
    writes: Vec<Write>,
    entries: Vec<AppendedRow>,
    unsealed: Vec<AuditedAction>,
    tallies: BTreeMap<Tally, i64>,
}

/// The same changes, split for a storage adapter.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    /// Guards that show a change of the caller's rights when they break, in lock order.
    pub caller: Vec<VersionGuard>,
    /// Guards that show a lost race when they break, in lock order.
    pub relied_on: Vec<VersionGuard>,
    /// The writes, in lock order except for appended links, which come last.
    pub writes: Vec<Write>,
    /// The rows to add.
    pub entries: Vec<AppendedRow>,
    /// By how much each counter changes; never by zero.
    pub tallies: Vec<(Tally, i64)>,
}

impl Changes {
    /// Returns the main changes of this caller's call, including its idempotency key.
    pub fn by(caller: &Caller) -> Self {
        let mut changes = Self::detached(caller);
        changes.writes.extend(caller.once.clone().map(|once| Write::Insert(once.into())));
        changes
    }

    /// Returns changes of this caller in addition to the main changes, such as the charge of a try. A repeated call makes them again.
    pub fn detached(caller: &Caller) -> Self {
        Self {
            caller: caller.guards.clone(),
            relied_on: Vec::new(),
            writes: Vec::new(),
            entries: Vec::new(),
            unsealed: Vec::new(),
            tallies: BTreeMap::new(),
        }
    }

    /// Returns a record for a decision; the commit fails if the record has changed since.
    pub fn rely_on<T: Record>(&mut self, seen: Seen<T>) -> T {
        self.relied_on.push(seen.stamp());
        seen.value
    }

    /// Replaces a record by the result of `decide`, if the record is still as it was seen.
    ///
    /// # Errors
    /// The error of `decide`; nothing is added to the changes then.
    pub fn revise<T: Record, E>(
        &mut self,
        seen: Seen<T>,
        decide: impl FnOnce(T) -> Result<T, E>,
    ) -> Result<Revised<T>, E> {
        let expected = seen.version;
        let before = seen.value.tallies();
        let value = decide(seen.value)?;
        self.count(&before, -1);
        self.count(&value.tallies(), 1);
        self.writes.push(Write::Update { record: value.clone().into(), expected });
        Ok(Revised { value, version: expected.saturating_add(1) })
    }

    /// Adds a record.
    pub fn insert(&mut self, record: impl Into<AnyRecord>) -> &mut Self {
        let record = record.into();
        self.count(&record.tallies(), 1);
        self.writes.push(Write::Insert(record));
        self
    }

    /// Adds a record that takes several steps when it is created: each of them counts as a version.
    pub fn insert_at<T: Record>(&mut self, record: T, version: i64) -> Revised<T> {
        self.count(&record.tallies(), 1);
        self.writes.push(Write::InsertAt { record: record.clone().into(), version });
        Revised { value: record, version }
    }

    /// Sets a record of which its home has one. Never for records that are counted.
    pub fn put(&mut self, record: impl Into<AnyRecord>) -> &mut Self {
        self.writes.push(Write::Put(record.into()));
        self
    }

    /// Ends a record, if it is still as it was seen, and returns it.
    pub fn remove<T: Record>(&mut self, seen: Seen<T>) -> T {
        self.count(&seen.value.tallies(), -1);
        self.writes.push(Write::Remove(seen.stamp()));
        seen.value
    }

    /// Appends a link to a chain.
    pub fn append_link(&mut self, link: AppendLink) -> &mut Self {
        self.writes.push(Write::AppendLink(link));
        self
    }

    /// Adds a row that is only ever added.
    pub fn append(&mut self, entry: AppendedRow) -> &mut Self {
        self.entries.push(entry);
        self
    }

    /// Adds the changes of another call, so that one commit writes both or neither. The calls write different records, neither has a
    /// key, and the audit events of both are sealed.
    pub fn join(&mut self, other: Self) -> &mut Self {
        debug_assert!(
            self.unsealed.is_empty() && other.unsealed.is_empty(),
            "a caller seals the actions that it records"
        );
        debug_assert!(!self.carry_key() && !other.carry_key(), "changes under a key wait for the answer of their call");
        let Self { caller, relied_on, writes, entries, unsealed: _, tallies } = other;
        self.caller.extend(caller);
        self.relied_on.extend(relied_on);
        self.writes.extend(writes);
        self.entries.extend(entries);
        for (tally, by) in tallies {
            let delta = self.tallies.entry(tally).or_default();
            *delta = delta.saturating_add(by);
        }
        self
    }

    /// Records an action for the audit log.
    pub fn audit(&mut self, kind: AuditKind, about: impl Into<About>) -> &mut Self {
        self.unsealed.push(AuditedAction { kind, about: about.into() });
        self
    }

    /// Turns the recorded actions into sealed events. Only the committer knows the actor and the time.
    pub fn seal_audit(&mut self, mut seal: impl FnMut(AuditedAction) -> SealedEvent) {
        self.entries.extend(self.unsealed.drain(..).map(|action| AppendedRow::Audit(seal(action))));
    }

    /// Returns whether these are the main changes of a call under an idempotency key.
    pub fn carry_key(&self) -> bool {
        self.writes.iter().any(Write::is_key)
    }

    /// Replaces the stored call by the call with its answer.
    pub fn answer(&mut self, answered: Execution) -> &mut Self {
        self.writes.retain(|write| !write.is_key());
        self.writes.push(Write::Insert(answered.into()));
        self
    }

    /// Returns whether a mail has to be sent after the commit.
    pub fn has_mail(&self) -> bool {
        self.writes.iter().any(|write| matches!(write, Write::Insert(AnyRecord::OutgoingMail(_))))
    }

    /// Returns whether the status of a record changes.
    pub fn change_status(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry, AppendedRow::Transition(_)))
    }

    /// Returns whether the changes write a record that decides about a user's rights.
    pub fn changes_rights(&self) -> bool {
        use crate::record::Kind::{ApiKey, Membership, Session, User};
        self.writes
            .iter()
            .filter_map(Write::address)
            .any(|address| matches!(address.kind, User | Session | Membership | ApiKey))
    }

    /// Splits the changes for a storage adapter, all in the one order in which rows are locked.
    ///
    /// If the set itself writes a guarded record and the write checks the same version, the guard is left out. If the write checks another
    /// version, the record has changed between the two reads. Then the guard stays, and the commit fails.
    pub fn into_set(self) -> ChangeSet {
        let Self { caller, relied_on, mut writes, entries, unsealed: _, tallies } = self;
        writes.sort_by_key(|write| (write.address().is_none(), write.address()));
        let guards = |mut stamps: Vec<VersionGuard>| {
            stamps.retain(|stamp| !writes.iter().any(|write| write.checks(stamp)));
            stamps.sort_unstable();
            stamps.dedup();
            stamps
        };
        ChangeSet {
            caller: guards(caller),
            relied_on: guards(relied_on),
            writes,
            entries,
            tallies: tallies.into_iter().filter(|(_, by)| *by != 0).collect(),
        }
    }

    fn count(&mut self, tallies: &[Tally], by: i64) {
        for tally in tallies {
            let delta = self.tallies.entry(*tally).or_default();
            *delta = delta.saturating_add(by);
        }
    }
}

impl Write {
    /// Returns the address of the record that is written; `None` for an appended link, because the append itself locks its item.
    pub fn address(&self) -> Option<Address> {
        match self {
            Self::Insert(record) | Self::InsertAt { record, .. } | Self::Put(record) | Self::Update { record, .. } => {
                Some(record.address())
            }
            Self::Remove(stamp) => Some(stamp.address),
            Self::AppendLink(_) => None,
        }
    }

    const fn is_key(&self) -> bool {
        matches!(self, Self::Insert(AnyRecord::Execution(_)))
    }

    /// Returns whether the write itself checks the guard's condition, or makes it unnecessary.
    fn checks(&self, guard: &VersionGuard) -> bool {
        match self {
            Self::Update { record, expected } => {
                *guard == VersionGuard { address: record.address(), version: *expected }
            }
            Self::Remove(stamp) => guard == stamp,
            Self::Insert(record) | Self::InsertAt { record, .. } | Self::Put(record) => {
                guard.address == record.address()
            }
            Self::AppendLink(_) => false,
        }
    }
}

/// The result of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Committed {
    /// Everything was written, with the appended links in the order of the writes.
    Applied {
        /// The appended links with the steps they got.
        links: Vec<AssetIdLink>,
    },
    /// Nothing was written: this evidence was recorded before, as this link.
    AlreadyRecorded(AssetIdLink),
}

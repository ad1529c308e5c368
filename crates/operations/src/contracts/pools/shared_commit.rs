//! Reservations of one pool in one commit.
//!
//! A purchase is decided on the version of its pool, and the row of a pool is locked until the commit that changes it is flushed. So a pool
//! has one commit at a time. Purchases that wait for it at the same time are decided one after another by the rules of the pool, and
//! written together (ADR 242).

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use tokio::sync::oneshot;
use tracing::Instrument as _;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::{Caller, Changes, Seen, VersionGuard};
use tradepost_ports::store::{StoreError, StoreResult};

use crate::commit::SharedCommits;
use crate::contracts::intents::intent_steps::name_taken;
use crate::contracts::ledger::pool_entries::PoolEntries;
use crate::contracts::pools::named_pools::admit_to_pool;
use crate::contracts::pools::pool_queue::{PoolClaim, PoolServer};
use crate::in_workspace::InWorkspace;
use crate::{OpError, OpResult, Operations, money_queue};

/// How often purchases are decided on while another process is faster each time, before their callers read everything again.
const MOST_LOST: u64 = 5;

/// What a purchase needs of the pool of its contract.
pub(crate) struct PoolRequest {
    pub(crate) pool: InWorkspace<PoolId>,
    pub(crate) purchase: Purchase,
    /// The contract at the version that was seen, which the changes revise.
    pub(crate) contract: VersionGuard,
    /// What the purchase books under the pool.
    pub(crate) entries: PoolEntries,
}

/// Commits a purchase with its reservation, if its pool admits it. Purchases that wait for the same pool share the commit.
pub(crate) async fn commit_reservation(
    operations: &Operations,
    caller: &Caller,
    changes: Changes,
    request: Option<PoolRequest>,
) -> OpResult<()> {
    let committed = match request {
        None => operations.commit(caller, changes).await.map(drop),
        // The commit of a call under a key waits for its answer, so no other purchase can share it.
        Some(request) if caller.once.is_some() => commit_apart(operations, caller, changes, request).await,
        Some(request) => commit_shared(operations, caller, changes, request).await,
    };
    name_taken(committed)
}

async fn commit_apart(
    operations: &Operations,
    caller: &Caller,
    mut changes: Changes,
    request: PoolRequest,
) -> OpResult<()> {
    let PoolRequest { pool: InWorkspace { scope, id }, purchase, contract: _, entries } = request;
    let pool = admit_to_pool(operations, scope, Some(id), &purchase).await?;
    entries.write(&mut changes, pool, purchase.created_at)?;
    operations.commit(caller, changes).await.map(drop)
}

async fn commit_shared(
    operations: &Operations,
    caller: &Caller,
    mut changes: Changes,
    request: PoolRequest,
) -> OpResult<()> {
    operations.seal_audit(caller, &mut changes);
    let PoolRequest { pool, purchase, contract, entries } = request;
    let (answer, answered) = oneshot::channel();
    let claim = PoolClaim { purchase, contract, entries, changes, answer, turn: money_queue::current() };
    if let Some(server) = operations.pool_queue.add((pool.scope.workspace_id(), pool.id), claim) {
        let desk = PoolDesk { pool, commits: SharedCommits::of(operations) };
        // A span of its own, because the task decides on the purchases of several requests.
        let span = tracing::info_span!(parent: None, "pool", workspace = %pool.scope.workspace_id(), pool = %pool.id);
        // A task of its own, because the call that begins it may be dropped while it decides on others.
        tokio::spawn(serve(server, desk).instrument(span));
    }
    let outcome = match answered.await {
        Ok(outcome) => outcome,
        Err(_) => Err(StoreError::Unknown("the process ended before the commit was answered".to_owned()).into()),
    };
    match outcome {
        Err(OpError { source: Some(StoreError::CallerChanged), .. }) => {
            operations.known.forget();
            Err(operations.why_caller_changed(caller).await?)
        }
        outcome => outcome,
    }
}

/// What decides on the purchases that wait for a pool. It belongs to no call.
struct PoolDesk {
    pool: InWorkspace<PoolId>,
    commits: SharedCommits,
}

/// Decides on the purchases that wait for a pool until none does.
async fn serve(mut server: PoolServer<PoolClaim>, desk: PoolDesk) {
    while let Some(claims) = server.take() {
        let mut groups = Group::by_listing(claims);
        while let Some(group) = groups.pop() {
            match group.settle(&desk).await {
                Ok(open) => groups.extend(open),
                Err(lost) => {
                    for group in groups.drain(..) {
                        refuse(group.claims, &lost);
                    }
                }
            }
        }
    }
}

/// Purchases that are decided on together.
struct Group {
    claims: Vec<PoolClaim>,
    /// How many of their commits were lost to another process.
    lost: u64,
    /// The version of the pool on which the last of these commits was decided.
    lost_at: Option<i64>,
}

/// A commit of a group that storage has not made.
struct Failed {
    error: StoreError,
    /// The purchases of the commit.
    admitted: Vec<PoolClaim>,
    /// The others of the group. The money that they lack may be there without the commit.
    refused: Vec<PoolClaim>,
    /// How many commits of the group were lost to another process before.
    lost: u64,
    /// The version of the pool on which the commit was decided.
    version: i64,
}

impl Group {
    const fn of(claims: Vec<PoolClaim>) -> Self {
        Self { claims, lost: 0, lost_at: None }
    }

    /// Returns groups in which each listing is wanted once, the first one last. Storage refuses the second purchase of a listing, and with
    /// it the commit of all others of its group.
    fn by_listing(mut claims: Vec<PoolClaim>) -> Vec<Self> {
        let mut groups = Vec::new();
        while !claims.is_empty() {
            let mut wanted = BTreeSet::new();
            let (first, again): (Vec<_>, Vec<_>) = claims.into_iter().partition(|claim| {
                let terms = &claim.purchase.terms;
                wanted.insert((terms.marketplace.clone(), terms.listing_id.clone()))
            });
            groups.push(Self::of(first));
            claims = again;
        }
        groups.reverse();
        groups
    }

    /// Returns a group of each purchase, the first one last.
    fn apart(claims: Vec<PoolClaim>) -> Vec<Self> {
        claims.into_iter().rev().map(|claim| Self::of(vec![claim])).collect()
    }

    /// Decides on the purchases, and writes those that the pool admits in one commit. Returns the groups that are still to be decided on.
    ///
    /// Refusals are answered after the commit: without it, the money that they lack may be there.
    ///
    /// # Errors
    /// What answers all groups that are still to be decided on, because storage is lost.
    async fn settle(mut self, desk: &PoolDesk) -> StoreResult<Vec<Self>> {
        if self.lost > 0 && !self.claims.is_empty() {
            desk.commits.wait_after(self.lost).await;
        }
        self.claims.retain(|claim| !claim.answer.is_closed());
        if self.claims.is_empty() {
            return Ok(Vec::new());
        }
        let names = self.claims.iter().map(|claim| claim.purchase.terms.market_hash_name.clone()).collect();
        let funds = match PoolFunds::read(desk, names).await {
            Ok(Some(funds)) => funds,
            Ok(None) => {
                for claim in self.claims {
                    claim.answer(Err(OpError::not_found("pool")));
                }
                return Ok(Vec::new());
            }
            Err(error) => return refuse_all(self.claims, error),
        };
        let version = funds.seen.stamp().version;
        if self.lost_at == Some(version) {
            // The pool has not changed, so another record has. The callers read it again, and those that it does not refuse meet again.
            refuse(self.claims, &StoreError::Conflict);
            return Ok(Vec::new());
        }
        let Decided { admitted, refused, changes } = funds.decide(self.claims);
        let written = match changes {
            Some(changes) => desk.commits.commit(changes).await,
            None => Ok(()),
        };
        if let Err(error) = written {
            let refused = refused.into_iter().map(|(claim, _)| claim).collect();
            return Failed { error, admitted, refused, lost: self.lost, version }.follow(desk).await;
        }
        for claim in admitted {
            claim.answer(Ok(()));
        }
        for (claim, refusal) in refused {
            claim.answer(Err(refusal));
        }
        Ok(Vec::new())
    }
}

impl Failed {
    /// Answers the purchases that are not decided on again. Returns the groups of the others.
    ///
    /// # Errors
    /// As [`Group::settle`].
    async fn follow(self, desk: &PoolDesk) -> StoreResult<Vec<Group>> {
        let Self { error, mut admitted, refused, lost, version } = self;
        let lost = lost.saturating_add(1);
        match error {
            StoreError::Conflict if lost < MOST_LOST => {
                let claims = still_as_seen(desk, admitted, refused).await?;
                Ok(vec![Group { claims, lost, lost_at: Some(version) }])
            }
            // One of them is refused, or loses its guards. Each by itself shows which.
            StoreError::CallerChanged
            | StoreError::LinkRefused
            | StoreError::Duplicate(_)
            | StoreError::Corrupt(_)
            | StoreError::Bug(_)
                if admitted.len() > 1 =>
            {
                admitted.extend(refused);
                Ok(Group::apart(admitted))
            }
            StoreError::Conflict
            | StoreError::CallerChanged
            | StoreError::LinkRefused
            | StoreError::Duplicate(_)
            | StoreError::Corrupt(_)
            | StoreError::Bug(_) => {
                refuse(admitted, &error);
                Ok(vec![Group::of(refused)])
            }
            StoreError::Overloaded | StoreError::Unavailable(_) => {
                admitted.extend(refused);
                refuse_all(admitted, error)
            }
            StoreError::Unknown(why) => {
                refuse(admitted, &StoreError::Unknown(why.clone()));
                // The others were not in the commit, so nothing is written of them.
                refuse_all(refused, StoreError::Unavailable(why))
            }
        }
    }
}

/// Answers purchases with an error.
fn refuse(claims: Vec<PoolClaim>, error: &StoreError) {
    for claim in claims {
        claim.answer(Err(error.clone().into()));
    }
}

/// Answers purchases of which nothing is written with the error of storage.
///
/// # Errors
/// The same error, if storage is lost: each group that is still to be decided on would wait as long for the same answer.
fn refuse_all(claims: Vec<PoolClaim>, error: StoreError) -> StoreResult<Vec<Group>> {
    refuse(claims, &error);
    match error {
        StoreError::Overloaded | StoreError::Unavailable(_) | StoreError::Unknown(_) => Err(error),
        StoreError::Conflict
        | StoreError::CallerChanged
        | StoreError::LinkRefused
        | StoreError::Duplicate(_)
        | StoreError::Corrupt(_)
        | StoreError::Bug(_) => Ok(Vec::new()),
    }
}

/// Returns the purchases that are decided on again after a lost race: those whose contracts have not changed, and those that were not in
/// the commit. The callers of the others read everything again.
///
/// # Errors
/// As [`Group::settle`].
async fn still_as_seen(
    desk: &PoolDesk,
    admitted: Vec<PoolClaim>,
    refused: Vec<PoolClaim>,
) -> StoreResult<Vec<PoolClaim>> {
    let contracts: Vec<ContractId> = admitted.iter().filter_map(|claim| claim.purchase.terms.contract_id).collect();
    let found = match desk.commits.store().contracts().find_many(desk.pool.scope, &contracts).await {
        Ok(found) => found,
        Err(error) => {
            let claims = admitted.into_iter().chain(refused).collect();
            return refuse_all(claims, error).map(|_| Vec::new());
        }
    };
    let now: BTreeSet<VersionGuard> = found.iter().map(Seen::stamp).collect();
    let (mut same, changed): (Vec<_>, Vec<_>) = admitted.into_iter().partition(|claim| now.contains(&claim.contract));
    refuse(changed, &StoreError::Conflict);
    same.extend(refused);
    Ok(same)
}

/// The purchases of a group as its pool decides, and the changes of those that it admits.
struct Decided {
    admitted: Vec<PoolClaim>,
    refused: Vec<(PoolClaim, OpError)>,
    changes: Option<Changes>,
}

/// A pool as it was read, and as it is after the purchases that it has admitted since.
struct PoolFunds {
    seen: Seen<Pool>,
    pool: Pool,
    /// The money at stake in items of each name, in cents; empty where the pool has no limit on it.
    exposed: BTreeMap<MarketHashName, i64>,
}

impl PoolFunds {
    async fn read(desk: &PoolDesk, names: BTreeSet<MarketHashName>) -> StoreResult<Option<Self>> {
        let (pools, InWorkspace { scope, id }) = (desk.commits.store().pools(), desk.pool);
        let Some(seen) = pools.find(scope, id).await? else { return Ok(None) };
        let pool = seen.peek().clone();
        let exposed = if pool.limits.max_exposure_per_item.is_some() {
            // Read after the pool because the exposure changes with the pool's version, on which the purchases are decided.
            pools.find_exposures(scope, id, &names.into_iter().collect::<Vec<_>>()).await?
        } else {
            BTreeMap::new()
        };
        Ok(Some(Self { seen, pool, exposed }))
    }

    /// Decides on purchases one after another.
    fn decide(mut self, claims: Vec<PoolClaim>) -> Decided {
        let mut decided = Decided { admitted: Vec::new(), refused: Vec::new(), changes: None };
        for claim in claims {
            match self.admit(&claim) {
                Ok(entries) => {
                    let mut own = claim.changes.clone();
                    entries.append_to(&mut own);
                    match &mut decided.changes {
                        Some(changes) => {
                            changes.join(own);
                        }
                        None => decided.changes = Some(own),
                    }
                    decided.admitted.push(claim);
                }
                Err(refusal) => decided.refused.push((claim, refusal)),
            }
        }
        if let Some(changes) = &mut decided.changes {
            let Ok(_) = changes.revise(self.seen, |_| Ok::<_, Infallible>(self.pool));
        }
        decided
    }

    /// Books a purchase, if the pool admits it. Returns its entries with the amounts that the pool has booked.
    fn admit(&mut self, claim: &PoolClaim) -> OpResult<PoolEntries> {
        let (terms, at) = (&claim.purchase.terms, claim.purchase.created_at);
        let exposed = self.exposed.get(&terms.market_hash_name).copied().unwrap_or(0);
        self.pool.admit(terms, exposed, at)?;
        let mut entries = claim.entries.clone();
        self.pool = entries.book(self.pool.clone(), at)?;
        self.exposed.insert(terms.market_hash_name.clone(), exposed.saturating_add(entries.exposure()));
        Ok(entries)
    }
}

//! Divides the desk's work among nodes: one lease for each marketplace, and one for the inventory.
//!
//! A node keeps the leases that it renews. Another node takes a lease whose version has not changed for `lease_ttl`. Each node measures
//! that by its own clock, so that the clocks of nodes need not agree with each other or with the market's.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::text::{Marketplace, Name};
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_operations::contracts::{HeldLease, HoldLeases};
use tradepost_operations::{Caller, Versioned};

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::telemetry::{LeaseGauges, record_lost_lease};

/// What this node holds of the work, and what it has seen of the leases of others.
#[derive(Debug, Default)]
pub(crate) struct WorkLeases {
    held: Vec<HeldLease>,
    shown: LeaseGauges,
    sights: BTreeMap<Work, ObservedLease>,
    looked_at: Option<Instant>,
}

/// A lease at the version at which it was first seen.
#[derive(Debug, Clone, Copy)]
struct ObservedLease {
    version: i64,
    since: Instant,
}

/// Leases to take and leases to release.
#[derive(Debug, Default)]
struct LeasePlan {
    take: Vec<(Work, Option<i64>)>,
    give_up: Vec<Work>,
}

impl WorkLeases {
    pub(crate) fn holds(&self, work: &Work) -> bool {
        self.held.iter().any(|held| held.work == *work)
    }

    fn set_held(&mut self, held: Vec<HeldLease>) {
        self.shown.show(held.iter().map(|held| &held.work));
        self.held = held;
    }

    /// Drops all leases, so that the next pass reads them again: one was lost.
    fn invalidate(&mut self) {
        self.set_held(Vec::new());
        self.looked_at = None;
    }

    fn is_due(&self, now: Instant, interval: Duration) -> bool {
        self.looked_at.is_none_or(|looked_at| now.duration_since(looked_at) >= interval)
    }

    fn observe(&mut self, leases: &[Versioned<Lease>], now: Instant) {
        let before = std::mem::take(&mut self.sights);
        self.sights = leases
            .iter()
            .map(|lease| {
                let known = before.get(&lease.value.work).filter(|sight| sight.version == lease.version);
                let sight = known.copied().unwrap_or(ObservedLease { version: lease.version, since: now });
                (lease.value.work.clone(), sight)
            })
            .collect();
    }

    /// Returns the work whose lease has not changed for its lifetime, or was never seen.
    fn expired<'a>(&self, leases: &'a [Versioned<Lease>], now: Instant, ttl: Duration) -> BTreeSet<&'a Work> {
        let is_expired =
            |work: &&Work| self.sights.get(work).is_none_or(|sight| now.duration_since(sight.since) >= ttl);
        leases.iter().map(|lease| &lease.value.work).filter(is_expired).collect()
    }
}

impl LeasePlan {
    /// Divides the work evenly among the nodes whose leases have not expired.
    fn new(node: &Name, all: &[Work], leases: &[Versioned<Lease>], expired: &BTreeSet<&Work>) -> Self {
        let is_other_node = |lease: &&Versioned<Lease>| {
            matches!(&lease.value.work, Work::Presence(of) if of != node) && lease.value.holder.is_some()
        };
        let others = leases.iter().filter(is_other_node).filter(|lease| !expired.contains(&lease.value.work));
        let share = all.len().div_ceil(others.count().saturating_add(1));
        let find = |work: &Work| leases.iter().find(|lease| lease.value.work == *work);
        let version = |work: &Work| find(work).map(|lease| lease.version);
        let (own, not_own): (Vec<&Work>, Vec<&Work>) =
            all.iter().partition(|work| find(work).is_some_and(|lease| lease.value.is_of(node)));
        let is_free = |work: &&Work| {
            find(work).is_none_or(|lease| lease.value.holder.is_none() || expired.contains(&lease.value.work))
        };
        let kept = own.iter().take(share).copied();
        let more = not_own.into_iter().filter(is_free).take(share.saturating_sub(own.len()));
        let presence = Work::Presence(node.clone());
        let mut take = vec![(presence.clone(), version(&presence))];
        take.extend(kept.chain(more).map(|work| (work.clone(), version(work))));
        Self { take, give_up: own.iter().skip(share).map(|work| (*work).clone()).collect() }
    }
}

impl Context {
    /// Renews what the node holds and shares the rest with other nodes, once in a while. Where that fails, what was held until then
    /// goes on fencing every commit, and nothing is done until it succeeds.
    pub(crate) async fn renew_leases(&mut self) -> EngineResult {
        let now = Instant::now();
        if !self.state.leases.is_due(now, self.timings.lease_renew_interval) {
            return Ok(());
        }
        // A change of leases is based on the versions that were read, and cannot be fenced by the same leases.
        let (workspace_id, node, unfenced) = (self.desk.workspace_id, self.desk.node.clone(), Caller::system());
        let leases = self.operations.leases(&unfenced, workspace_id).await?;
        self.state.leases.observe(&leases, now);
        let expired = self.state.leases.expired(&leases, now, self.timings.lease_ttl);
        let LeasePlan { take, give_up } = LeasePlan::new(&node, &self.work_units(), &leases, &expired);
        let command = HoldLeases { workspace_id, node, take, give_up };
        self.state.leases.set_held(Vec::new());
        self.state.leases.set_held(self.operations.hold_leases(&unfenced, command).await?);
        self.state.leases.looked_at = Some(now);
        self.caller.guards = self.state.leases.held.iter().map(|held| held.fence).collect();
        Ok(())
    }

    /// Gives up what the node holds, its presence included, so that another node goes on at once.
    pub(crate) async fn give_up_leases(&mut self) -> EngineResult {
        let give_up: Vec<Work> = self.state.leases.held.iter().map(|held| held.work.clone()).collect();
        self.state.leases.invalidate();
        if !give_up.is_empty() {
            let (workspace_id, node, unfenced) = (self.desk.workspace_id, self.desk.node.clone(), Caller::system());
            let command = HoldLeases { workspace_id, node, take: Vec::new(), give_up };
            self.operations.hold_leases(&unfenced, command).await?;
        }
        Ok(())
    }

    /// Everything that is to be shared, in the order in which a node keeps it. The inventory goes along with the first marketplace: of two
    /// nodes with two marketplaces each buys at one.
    fn work_units(&self) -> Vec<Work> {
        let names = self.desk.venues.iter().map(|venue| venue.name.clone());
        let mut work: Vec<Work> = names.map(Work::Marketplace).collect();
        work.insert(work.len().min(1), Work::Inventory);
        work
    }

    /// The marketplaces at which this node works.
    pub(crate) fn held_marketplaces(&self) -> Vec<Marketplace> {
        let names = self.desk.venues.iter().map(|venue| &venue.name);
        names.filter(|name| self.holds_marketplace(name)).cloned().collect()
    }

    /// Whether this node does what is to be done at a marketplace.
    pub(crate) fn holds_marketplace(&self, marketplace: &Marketplace) -> bool {
        self.state.leases.holds(&Work::Marketplace(marketplace.clone()))
    }

    /// Whether this node decides what is put on sale.
    pub(crate) fn holds_inventory(&self) -> bool {
        self.state.leases.holds(&Work::Inventory)
    }

    /// Drops the leases if another node has taken one.
    pub(crate) fn drop_lost_leases(&mut self, errors: &[EngineError]) {
        if errors.iter().any(EngineError::is_lease_lost) {
            self.state.leases.invalidate();
            record_lost_lease();
        }
    }
}

//! What could be spent at a marketplace before each purchase was sent, as far as this process sent it.
//!
//! Shared with the look-ups on request, because the balance is part of the proof that an order was never placed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tradepost_domain::contracts::purchase::BalancesRead;
use tradepost_domain::id::PurchaseId;
use tradepost_ports::marketplace::Mills;

/// The balances before calls whose outcome is not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct BalancesBefore(Arc<Mutex<BTreeMap<PurchaseId, Mills>>>);

impl BalancesBefore {
    fn all(&self) -> MutexGuard<'_, BTreeMap<PurchaseId, Mills>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the balance before a purchase is sent.
    pub(crate) fn record(&self, id: PurchaseId, balance: Mills) {
        self.all().insert(id, balance);
    }

    /// Returns the balance before the call of a purchase; `None` if another process made the call.
    pub(crate) fn of(&self, id: PurchaseId) -> Option<Mills> {
        self.all().get(&id).copied()
    }

    /// Forgets a purchase whose outcome is known.
    pub(crate) fn clear(&self, id: PurchaseId) {
        self.all().remove(&id);
    }

    /// Forgets all but these.
    pub(crate) fn retain(&self, ids: &BTreeSet<PurchaseId>) {
        self.all().retain(|id, _| ids.contains(id));
    }

    /// Returns the balance before the call, and the last one.
    pub(crate) fn with_last(&self, id: PurchaseId, last: Mills) -> BalancesRead {
        let mills = |balance: Mills| balance.get().unsigned_abs();
        BalancesRead { before: self.of(id).map(mills), last: mills(last) }
    }
}

//! Orders: submits purchases, reconciles those whose outcome is unknown, and executes intents.

pub(crate) mod balances_before;
pub(crate) mod intent_decisions;
pub(crate) mod intent_execution;
pub(crate) mod intent_steps;
pub(crate) mod item_intents;
pub(crate) mod not_placed;
pub(crate) mod purchase_lookup;
pub(crate) mod reconciliation;
pub(crate) mod shown_orders;
pub(crate) mod submission;
pub(crate) mod transfers;

use crate::orders::balances_before::BalancesBefore;
use crate::orders::not_placed::NotPlacedPurchases;
use crate::orders::reconciliation::UncertainPurchases;

/// Purchases whose outcome is uncertain or was found absent.
#[derive(Default)]
pub(crate) struct Orders {
    uncertain: UncertainPurchases,
    not_placed: NotPlacedPurchases,
}

impl Orders {
    /// Uses the balances before uncertain calls that another one has recorded.
    pub(crate) fn take_over(&mut self, former: &Self) {
        self.uncertain.take_over(&former.uncertain);
    }

    /// Returns the balances before uncertain calls, for look-ups on request.
    pub(crate) fn balances_before(&self) -> BalancesBefore {
        self.uncertain.balances_before()
    }
}

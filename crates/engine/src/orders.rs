//! Orders: submits purchases, reconciles those whose outcome is unknown, and executes intents.

pub(crate) mod intent_decisions;
pub(crate) mod intent_execution;
pub(crate) mod item_intents;
pub(crate) mod not_placed;
pub(crate) mod purchase_lookup;
pub(crate) mod reconciliation;
pub(crate) mod submission;

use crate::orders::not_placed::NotPlacedPurchases;
use crate::orders::reconciliation::UncertainPurchases;

/// Purchases whose outcome is uncertain or was found absent.
#[derive(Default)]
pub(crate) struct Orders {
    uncertain: UncertainPurchases,
    not_placed: NotPlacedPurchases,
}

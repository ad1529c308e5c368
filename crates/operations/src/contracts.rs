//! contracts.v1.Contracts: contracts, filter sets, pools and the ledger, purchases, inventory items and their asset-id chains,
//! and the log of their transitions.
//!
//! The engine or an embedder uses further commands, which the interface does not offer. With [`RecordPurchase`],
//! [`AdvancePurchase`], [`ReceiveItem`], [`AdvanceItem`] and [`RecordPayout`] it reports what happened outside; with
//! [`OpenRemediation`], [`AdvanceRemediation`] and [`ResolveRemediation`] what it finds wrong. It decides with
//! [`ProposeIntent`], [`BuyNow`], [`ClaimIntent`], [`PostponeIntent`] and [`FinishIntent`]. Nothing here knows a marketplace
//! or the game platform; [`ReconcilePurchase`] calls a component that offers to look a purchase up.

mod assignments;
#[expect(clippy::module_inception, reason = "a record may have the name of its area")]
mod contracts;
mod evaluations;
mod filter_sets;
mod intents;
pub(crate) mod items;
mod ledger;
pub(crate) mod name_filters;
mod pools;
mod profit_and_loss;
pub(crate) mod purchases;
mod refusals;
pub(crate) mod remediations;
mod search;
pub(crate) mod trading_control;
mod transitions;

pub use assignments::*;
pub use contracts::*;
pub use evaluations::*;
pub use filter_sets::*;
pub use intents::*;
pub use items::*;
pub use ledger::*;
pub use pools::*;
pub use profit_and_loss::*;
pub use purchases::*;
pub use remediations::*;
pub use search::{Search, SearchKind, SearchResult};
pub use trading_control::*;
pub use transitions::*;

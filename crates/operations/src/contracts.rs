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
mod items;
mod ledger;
mod pools;
mod profit_and_loss;
mod purchases;
mod refusals;
pub(crate) mod remediations;
pub(crate) mod trading_control;
mod transitions;

pub use assignments::{
    AccountChoice, AssignmentLimits, CreateAssignment, DeleteAssignment, GetAssignment, GetAssignments,
    ListAssignments, ResolveAssignment, UpdateAssignment,
};
pub(crate) use contracts::Serving;
pub use contracts::{
    ActivateContract, BuyingLimits, CancelContract, CloneContract, ContractTerms, CountContracts, CreateContract,
    DeleteContract, GetContract, GetContracts, ListContracts, PauseContract, PriceSource, ResumeContract,
    SellingLimits, UndercutBy, UpdateContract,
};
pub use evaluations::{
    EvaluateContract, FeeInput, FoundEvaluations, GetEvaluation, GetEvaluations, GivenQuote, KeepEvaluations,
    ListEvaluations, MarketView, SimulateContract, Simulated, Simulation, ToEvaluate,
};
pub use filter_sets::{
    CountFilterSets, CreateFilterSet, DeleteFilterSet, FilterFeatures, FilterRules, FilterSticker, GetFilterSet,
    GetFilterSets, ListFilterSets, SampleListing, SampleVerdict, TestFilterSet, TriedRules, UpdateFilterSet,
};
pub use intents::{
    ActOn, ApproveIntent, Bought, BuyApproved, BuyNow, CancelIntent, ClaimIntent, CountIntents, CreateIntent,
    FinishIntent, GetIntent, GetIntents, IntentOutcome, IntentsToDo, ListIntents, PostponeIntent, ProposeIntent,
    RejectIntent, WantedListing, WantedSale,
};
pub use items::{
    AdvanceItem, AppendAssetIDLink, CountInventoryItems, DelistItem, FindInventoryItemByAssetID, GetInventoryItem,
    GetInventoryItems, ListAssetIDLinks, ListInventoryItems, ListItemForSale, ReceiveItem, ReceivedItem, RecordPayout,
    RepriceItem, VerifyAssetIDChain, WriteOffItem,
};
pub use ledger::{FoundLedgerEntries, GetLedgerEntries, ListLedgerEntries};
pub use pools::{
    AdjustPoolFunds, ArchivePool, CountPools, CreatePool, GetPool, GetPoolBalance, GetPools, LimitsOfPool, ListPools,
    PausePool, ResumePool, UpdatePool,
};
pub use profit_and_loss::{
    ExportProfitAndLoss, GetItemProfitAndLoss, GetProfitAndLoss, GetProfitAndLossSeries, ItemProfitAndLoss,
    ProfitAndLoss, ProfitAndLossPoint, ProfitAndLossRow, ReportOf,
};
pub use purchases::{
    AdvancePurchase, CancelPurchase, CountPurchases, GetPurchase, GetPurchases, ListPurchases, PurchaseOutcome,
    ReconcilePurchase, RecordPurchase, RecordPurchaseOutcome,
};
pub(crate) use remediations::Problems;
pub use remediations::{
    ActionArgs, AdvanceRemediation, AssignRemediation, CountRemediations, DismissRemediation, GetRemediation,
    GetRemediations, ListRemediations, OpenRemediation, Progress, ResolveRemediation, RunRemediationAction,
};
pub use trading_control::{
    ApplyPriceStaleness, ContractsAtWork, HeldLease, HoldLeases, ItemOfPurchase, ItemsInStatus, ItemsOfAccount,
    OpenPurchases, PurchaseOfOrder,
};
pub use transitions::{
    FoundTransitions, GetTransition, GetTransitions, ListTransitions, WatchTransitions, WatchedTransitions,
};

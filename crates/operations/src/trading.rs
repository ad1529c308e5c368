//! trading.v1.Trading: the trading accounts of a workspace, groups of them, their imports, their trade offers, what is in their inventories,
//! their friends, chats and confirmations, and their sessions with the renewals of their tokens.
//!
//! The engine or an embedder uses further commands, which the interface does not offer. [`AdvanceAccount`] and
//! [`RecordAccountHealth`] report what happened to an account on the platform. [`RecordTradeOffer`], [`DraftTradeOffer`],
//! [`LoseTradeOffer`] and [`FindUnsentTradeOffer`] follow trade offers. [`RequestedTradeOffers`], [`BeginOfferRequest`],
//! [`PostponeOfferRequest`] and [`FailOfferRequest`] carry out what people ask for; [`FindSeenTradeOffer`] and [`AcceptTransfer`] move items
//! between accounts. [`RecordAccountOffer`], [`UnownedTradeOffers`], [`OfferReadings`]
//! and [`RecordOfferReading`] record what accounts see. [`SnapshotsToTake`], [`BeginSnapshot`], [`RecordSnapshot`],
//! [`FailSnapshot`] and [`ThinSnapshots`] take and delete snapshots, [`RecordInventoryChanges`] and [`ReportOrphans`] record what they show. [`ReadAccountSecrets`] reads an account's credentials,
//! [`AccountLoads`] the work of accounts. [`OpenFriendActions`] and [`OpenMessages`] return what people asked for, and
//! [`RecordFriendList`] and [`RecordMessages`] report what the platform shows. [`RecordConfirmations`], [`ExamineConfirmation`] and
//! [`BeginConfirmation`] follow confirmations; [`SettleGivingLimits`] ends problems of limits for which nothing waits. [`LiveAccountSessions`], [`StartSessionAgain`], [`ReadSignIn`], [`TakeSessionCode`],
//! [`CompleteAccountSignIn`] and [`RecordSessionStep`] sign accounts in; [`DueRenewals`], [`ReadSessionTokens`], [`BeginRenewal`],
//! [`CompleteRenewal`], [`RecordRenewalStep`] and [`ReportExpiringTokens`] keep them signed in. Nothing here calls the game platform.

mod account_groups;
pub(crate) mod account_sessions;
mod chats;
mod confirmations;
mod friends;
pub(crate) mod imports;
pub(crate) mod inventory_changes;
pub(crate) mod renewals;
pub(crate) mod snapshots;
pub(crate) mod trade_offers;
pub(crate) mod trading_accounts;

pub use account_groups::*;
pub use account_sessions::*;
pub use chats::*;
pub use confirmations::*;
pub use friends::*;
pub use imports::*;
pub use inventory_changes::*;
pub use renewals::*;
pub use snapshots::*;
pub use trade_offers::*;
pub use trading_accounts::*;

//! Intents: orders that are decided and not yet executed.

mod buy_now;
pub(crate) mod create_intent;
mod execute_intent;
pub(crate) mod intent_steps;
pub(crate) mod proposals;
pub(crate) mod propose_intent;
mod read;
mod review_intent;
pub(crate) mod withdraw_intents;
mod would_buys;

pub use buy_now::{Bought, BuyApproved, BuyNow};
pub use create_intent::{ActOn, CreateIntent, WantedListing, WantedSale};
pub use execute_intent::{ClaimIntent, FinishIntent, IntentOutcome, IntentsToDo, PostponeIntent};
pub use propose_intent::ProposeIntent;
pub use read::*;
pub use review_intent::{ApproveIntent, CancelIntent, RejectIntent};
pub use would_buys::{DueFollowUp, FollowedListing, GetWouldBuyReport, ListWouldBuys, WouldBuyReport};

//! Trade offers.

mod read;
pub(crate) mod record_trade_offer;

pub use read::*;
pub use record_trade_offer::{DraftTradeOffer, FindUnsentTradeOffer, LoseTradeOffer, RecordTradeOffer};

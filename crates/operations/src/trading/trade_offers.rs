//! Trade offers.

mod accept_trade_offer;
mod cancel_trade_offer;
mod carry_out_requests;
mod decline_trade_offer;
mod partner;
mod read;
mod record_account_offer;
pub(crate) mod record_trade_offer;
mod refresh_trade_offers;
pub(crate) mod request_steps;
mod send_trade_offer;
pub(crate) mod transfers;

pub use accept_trade_offer::AcceptTradeOffer;
pub use cancel_trade_offer::CancelTradeOffer;
pub use carry_out_requests::{BeginOfferRequest, FailOfferRequest, PostponeOfferRequest, RequestedTradeOffers};
pub use decline_trade_offer::DeclineTradeOffer;
pub use read::*;
pub use record_account_offer::{RecordAccountOffer, UnownedTradeOffers};
pub use record_trade_offer::{DraftTradeOffer, FindUnsentTradeOffer, LoseTradeOffer, RecordTradeOffer};
pub use refresh_trade_offers::{OfferReadings, RecordOfferReading, RefreshTradeOffers};
pub use send_trade_offer::{AssetToTrade, SendTradeOffer};
pub use transfers::{AcceptTransfer, FindSeenTradeOffer};

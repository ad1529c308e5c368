//! Steam as a game platform. The driver signs trading accounts in, renews and ends their sessions, and reads inventories, trade offers, trades,
//! friends, chats and the state of an account. It sends and answers trade offers, answers their confirmations and renews trade URLs for accounts
//! that a person lets give items, and changes friends and sends messages where the record shows that a person asked for it. What would change
//! anything else is rejected without a call.
//!
//! It must not know which workspace an account belongs to, and makes no call but through the client of `adapters-outside`. Every call says
//! that tradepost makes it, and no limit of Steam is evaded.
#![deny(missing_docs)]

mod account;
mod addresses;
mod confirmations;
mod connector;
mod described;
mod eresult;
mod failure;
mod inventory;
mod messages;
mod offers;
mod password;
mod platform;
mod protobuf_call;
mod reading;
mod remembered;
mod routes;
mod services;
mod sessions;
mod signed_in;
mod social;
mod token;
mod trades;
mod writing;

pub use addresses::Addresses;
pub use connector::SteamConnector;
pub use platform::SteamPlatform;
pub use services::{Limits, Services};
pub use sessions::SteamSessions;
pub use social::SteamSocial;

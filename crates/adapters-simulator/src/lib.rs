//! A marketplace and a game platform in one small world: strangers list items, prices move, sellers send trade offers, buyers
//! take what is on sale, partners of trades ask for friendship and write, accounts are signed in, and faults can be injected.
//!
//! The [`World`] is a state machine without I/O: the same seed and the same calls give the same world, to the byte. Time is a
//! number in it that [`World::advance`] alone moves. The two ports are thin: every method is a [`Request`], which goes over a
//! [`WorldTransport`] to a world, a [`Simulator`] in the same process or a [`RemoteSimulator`] at another. A [`WorldFolder`] keeps a world
//! across kills; a [`PersistentSimulator`] trades in it in process, and [`serve`] serves it. It must not know what its customers do with what they buy.
#![deny(missing_docs)]

mod call;
mod connector;
mod driver;
mod fault;
mod folder;
mod in_mills;
mod marketplace;
mod persistent;
mod platform;
mod prices;
mod rates;
mod remote;
mod scaled_clock;
mod serde_repr;
mod service;
mod sessions;
mod settings;
mod simulator;
mod social;
mod tokens;
mod world;
mod world_transport;

pub use call::{
    AccountSignIn, Answer, MarketplaceCall, PlatformCall, Request, SessionCall, SimulatedGuard, SocialCall,
    WorldCommand,
};
pub use connector::WorldConnector;
pub use driver::driver;
pub use fault::{Call, Fault, Side};
pub use folder::{Beginning, FolderError, WorldFolder};
pub use in_mills::InMills;
pub use marketplace::SimulatedMarketplace;
pub use persistent::PersistentSimulator;
pub use platform::SimulatedPlatform;
pub use prices::SimulatedPrices;
pub use rates::SimulatedRates;
pub use remote::{ConnectError, RemoteSimulator};
pub use scaled_clock::WorldClock;
pub use service::{ServiceError, serve};
pub use sessions::SimulatedSessions;
pub use settings::{Fees, Settings, Spread, Variant};
pub use simulator::Simulator;
pub use social::SimulatedSocial;
pub use tokens::IssuedTokens;
pub use world::{Imbalance, SignInImpossible, TakenNumber, World};
pub use world_transport::{WorldTransport, WorldTransportError};

// The example of the page runs with those of this library. Only the tests of examples compile this item, so that no package needs the
// page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/explanation/simulator.md")]
struct Page;

//! A marketplace and a game platform in one small world: strangers list items, prices move, sellers send trade offers, buyers
//! take what is on sale, and whatever can go wrong there goes wrong when it is told to.
//!
//! The [`World`] is a state machine without I/O: the same seed and the same calls give the same world, to the byte. Time is a
//! number in it that [`World::advance`] alone moves. The two ports are thin: every method is a [`Request`], which goes over a
//! [`Line`] to a world, a [`Simulator`] in the same process or a [`RemoteSimulator`] at another. A [`WorldFolder`] keeps a world
//! across kills; a [`KeptSimulator`] trades in it in process, and [`serve`] serves it. It must not know what its customers do with what they buy.
#![deny(missing_docs)]

mod call;
mod driver;
mod fault;
mod folder;
mod in_mills;
mod kept;
mod line;
mod marketplace;
mod pace;
mod platform;
mod prices;
mod rates;
mod remote;
mod service;
mod settings;
mod simulator;
mod stored;
mod world;

pub use call::{Answer, Deed, MarketplaceCall, PlatformCall, Request};
pub use driver::driver;
pub use fault::{Call, Fault, Side};
pub use folder::{Beginning, FolderError, WorldFolder};
pub use in_mills::InMills;
pub use kept::KeptSimulator;
pub use line::{Line, LineError};
pub use marketplace::SimulatedMarketplace;
pub use pace::WorldClock;
pub use platform::SimulatedPlatform;
pub use prices::SimulatedPrices;
pub use rates::SimulatedRates;
pub use remote::{ConnectError, RemoteSimulator};
pub use service::{ServiceError, serve};
pub use settings::{Fees, Settings, Spread, Variant};
pub use simulator::Simulator;
pub use world::{Imbalance, World};

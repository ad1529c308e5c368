//! tradepost as a library: the operations in your own process, without HTTP, and an [`axum::Router`] to mount.
//!
//! ```no_run
//! use tradepost::Tradepost;
//! use tradepost::domain::{accounts::email::EmailAddress, text::Name};
//! use tradepost::operations::{Caller, accounts::RegisterUser};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let app = Tradepost::builder()
//!     .database_url("sqlite://data/tradepost.db")
//!     .root_secret_file("data/root-secret")
//!     .build()
//!     .await?;
//! let user = app
//!     .operations()
//!     .register_user(
//!         &Caller::system(),
//!         RegisterUser {
//!             email: EmailAddress::new("ada@example.com")?,
//!             display_name: Name::new("Ada")?,
//!             password: "copper lantern under seven bridges".into(),
//!         },
//!     )
//!     .await?;
//! let router: axum::Router = app.router().await;
//! app.shutdown().await?;
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | replace a part, such as the store or the limiter | [`Builder`] |
//! | trade on a marketplace of your own | [`Tradepost::engine`], [`Tradepost::trade`], the folder `examples/own_marketplace` |
//! | trade for workspaces by the providers and accounts that they have on record | [`Tradepost::trade_by_records`] |
//! | receive committed changes of status | [`Tradepost::transitions`] |
//! | read real prices | [`price_feeds`] |
//! | sign trading accounts in at Steam, and read them | [`steam`] |
//! | send mail, webhooks and alerts, check for bots, link other platforms | [`mail`], [`outside`], [`bot_check`], [`linking`] |
//! | show the console to browsers | the feature `console` |
//! | trade in a simulated world | the feature `simulator` |
//! | test an adapter or a store of your own | the feature `testkit` |
//!
//! The library touches nothing process-wide: it sets up no log, no metrics recorder and no signal handler, and reads no
//! environment variable. It logs through [`tracing`](https://docs.rs/tracing) and counts through
//! [`metrics`](https://docs.rs/metrics), for any recorder that is installed.
#![deny(missing_docs)]

mod background;
mod builder;
mod clock;
mod database;
#[cfg(any(feature = "cli", feature = "console"))]
#[doc(hidden)]
pub mod embedded;
mod pages;
mod pass_observer;
mod recorded_desks;
mod root_secrets;
mod system_key;
mod tradepost;
mod transition_feed;
mod unconfigured;

pub use async_trait::async_trait;
pub use background::MetricReads;
pub use builder::{BuildError, Builder};
pub use clock::SystemClock;
pub use pass_observer::{PassLog, PassObserver};
pub use recorded_desks::RecordedDesks;
pub use tradepost::{ShutdownError, Tradepost};
pub use tradepost_adapters_auth as auth;
pub use tradepost_adapters_botcheck as bot_check;
pub use tradepost_adapters_connect as transport;
pub use tradepost_adapters_limits as limits;
pub use tradepost_adapters_linking as linking;
pub use tradepost_adapters_mail as mail;
pub use tradepost_adapters_outside as outside;
pub use tradepost_adapters_price_feeds as price_feeds;
#[cfg(feature = "simulator")]
pub use tradepost_adapters_simulator as simulator;
pub use tradepost_adapters_sql as sql;
pub use tradepost_adapters_steam as steam;
pub use tradepost_domain as domain;
pub use tradepost_engine as engine;
pub use tradepost_operations as operations;
pub use tradepost_ports as ports;
#[cfg(feature = "testkit")]
pub use tradepost_testkit as testkit;
pub use transition_feed::{FeedStart, TransitionFeed};
/// Crates whose types appear in this interface, in the versions that it uses.
pub use {axum, secrecy, time};

// The example of the page is compiled with those of this library. Only the tests of examples compile this item, so that no package needs
// the page.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

//! The world of the soak, kept in a folder and served to the nodes. Its clock moves between their passes.

use std::path::Path;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tradepost::domain::money::VenueCents;
use tradepost::ports::clock::{Clock as _, MarketClock as _};
use tradepost::ports::marketplace::MarketTraits;
use tradepost_adapters_simulator::{
    Answer, Beginning, Fault, RemoteSimulator, Request, ServiceError, Settings, Spread, WorldCommand, WorldFolder,
    WorldTransport as _, serve,
};

pub(super) const CUSTOMER: &str = "desk";
pub(super) const MARKETPLACE: &str = "simulated";
pub(super) const ACCOUNTS: [&str; 3] = ["soak-1", "soak-2", "soak-3"];
/// What the customer pays in at the beginning, in cents, which is the pool's capital.
pub(super) const PAID_IN: i64 = 1_000_000_000_000;

const HOUR: u32 = 3_600;

/// A world that is served here.
pub(super) struct Served {
    url: String,
    pub(super) line: RemoteSimulator,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), ServiceError>>,
}

impl Served {
    /// Begins a world in the folder.
    pub(super) async fn begin(folder: &Path, seed: u64, traits: MarketTraits) -> anyhow::Result<Self> {
        let mut deeds = vec![WorldCommand::PayIn { customer: CUSTOMER.to_owned(), cents: VenueCents::new(PAID_IN)? }];
        deeds.extend(ACCOUNTS.map(|_| WorldCommand::OpenAccount { customer: CUSTOMER.to_owned() }));
        let world = WorldFolder::open(
            &folder.join("world"),
            &Beginning { seed, settings: Settings { traits, ..hurried() }, deeds },
        )?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(serve(listener, world, 0, async {
            // It also ends when the other end is dropped.
            let _ = stopped.await;
        }));
        let line = RemoteSimulator::connect(&url, RemoteSimulator::TIMEOUT).await?;
        Ok(Self { url, line, stop, serving })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The world's time, before anything advanced it.
    pub(super) fn now_micros(&self) -> i64 {
        self.line.clock().market_now().as_micros()
    }

    pub(super) async fn advance(&self, micros: u64) -> anyhow::Result<()> {
        self.line.ask(Request::World(WorldCommand::Advance { micros })).await?;
        Ok(())
    }

    pub(super) async fn inject(&self, fault: Fault) -> anyhow::Result<()> {
        let answer = self.line.ask(Request::World(WorldCommand::Inject { fault })).await?;
        anyhow::ensure!(answer == Answer::Done, "the world did not take a fault: {answer:?}");
        Ok(())
    }

    pub(super) async fn stop(self) -> anyhow::Result<()> {
        let Self { line, stop, serving, .. } = self;
        // Its kept connections with it, which the server would wait for.
        drop(line);
        stop.send(()).ok().context("the world is no longer served")?;
        Ok(serving.await??)
    }
}

/// A market where a stranger lists something every few seconds, and what takes days elsewhere takes hours.
fn hurried() -> Settings {
    Settings {
        start: tradepost::SystemClock.now(),
        first_listings: 100,
        next_listing: Spread::new(2, 6),
        stays_listed: Spread::new(HOUR / 3, HOUR),
        price_interval: 2 * HOUR,
        delivery_deadline: 4 * HOUR,
        protection: HOUR + HOUR / 2,
        in_custody: HOUR / 2,
        ..Settings::default()
    }
}

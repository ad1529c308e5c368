//! A world that another process serves.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use reqwest::{Client, StatusCode, Url, redirect};
use tokio::time::MissedTickBehavior;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::MarketTraits;

use crate::call::{Answer, Request};
use crate::marketplace::SimulatedMarketplace;
use crate::platform::SimulatedPlatform;
use crate::prices::SimulatedPrices;
use crate::rates::SimulatedRates;
use crate::scaled_clock::{ClockSpeed, WorldClock};
use crate::service::TimeResponse;
use crate::sessions::SimulatedSessions;
use crate::social::SimulatedSocial;
use crate::world_transport::{WorldTransport, WorldTransportError};

/// How long it takes at most to reach a process of the same machine.
const CONNECTING: Duration = Duration::from_secs(2);
/// How often the clock is compared with the world's.
const COMPARED_EVERY: Duration = Duration::from_millis(500);
/// When to come back to a process that is not there.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// A handle on a world that is served at some address. Its copies are handles on the same one.
#[derive(Debug, Clone)]
pub struct RemoteSimulator {
    client: Client,
    base: Url,
    seed: u64,
    traits: MarketTraits,
    clock: Arc<WorldClock>,
}

/// Why there is no world at an address.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is none.
    #[error("{url:?} is not a valid address of a simulator: {why}")]
    Url {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The HTTP client cannot be set up.
    #[error("no HTTP request can be made: {0}")]
    Client(String),
    /// No simulator answers there.
    #[error(transparent)]
    WorldTransport(#[from] WorldTransportError),
}

impl RemoteSimulator {
    /// The usual for the time that an answer may take.
    pub const TIMEOUT: Duration = Duration::from_secs(10);

    /// Finds the world at an address such as `http://127.0.0.1:8090`, and agrees with it on the time. As long as a handle or
    /// the clock is kept, a task goes on to compare the clocks.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub async fn connect(url: &str, timeout: Duration) -> Result<Self, ConnectError> {
        let refused = |why: String| ConnectError::Url { url: url.to_owned(), why };
        let base = Url::parse(url).map_err(|error| refused(error.to_string()))?;
        if base.scheme() != "http" || base.cannot_be_a_base() {
            return Err(refused("it does not begin with http://".to_owned()));
        }
        // A proxy of the environment is for what is far away.
        let client = Client::builder().no_proxy().redirect(redirect::Policy::none());
        let client = client.connect_timeout(CONNECTING).timeout(timeout).build();
        let client = client.map_err(|error| ConnectError::Client(error.to_string()))?;
        let unpaced = ClockSpeed::new(Timestamp::MIN, Instant::now(), 1);
        let reported = ask_time(&client, &base, unpaced).await?;
        let clock = Arc::new(WorldClock::new(pace_of(&reported)));
        tokio::spawn(follow(client.clone(), base.clone(), Arc::downgrade(&clock)));
        Ok(Self { client, base, seed: reported.seed, traits: reported.traits, clock })
    }

    /// The marketplace, as this customer sees it.
    pub fn marketplace(&self, customer: &str) -> SimulatedMarketplace<Self> {
        SimulatedMarketplace::new(self.clone(), customer.to_owned()).with_traits(self.traits)
    }

    /// The game platform, for every trading account of a customer.
    pub fn platform(&self) -> SimulatedPlatform<Self> {
        SimulatedPlatform::new(self.clone())
    }

    /// Friends and chats, for every trading account of a customer.
    pub fn social(&self) -> SimulatedSocial<Self> {
        SimulatedSocial::new(self.clone())
    }

    /// Signing in, for every trading account of a customer that needs it.
    pub fn sessions(&self) -> SimulatedSessions<Self> {
        SimulatedSessions::new(self.clone())
    }

    /// An index of prices under this name.
    pub fn prices(&self, name: Marketplace) -> SimulatedPrices<Self> {
        SimulatedPrices::new(self.clone(), name)
    }

    /// The source of exchange rates.
    pub fn rates(&self) -> SimulatedRates<Self> {
        SimulatedRates::new(self.clone())
    }

    /// The world's time, for a server that trades there.
    pub fn clock(&self) -> Arc<WorldClock> {
        Arc::clone(&self.clock)
    }

    /// What chance is drawn from in the world.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

#[async_trait]
impl WorldTransport for RemoteSimulator {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        let sent = self.client.post(at(&self.base, "call")).json(&request).send().await;
        read(sent, self.clock.pace()).await
    }
}

/// Compares the clocks until this one is dropped.
async fn follow(client: Client, base: Url, clock: Weak<WorldClock>) {
    let first = tokio::time::Instant::now() + COMPARED_EVERY;
    let mut times = tokio::time::interval_at(first, COMPARED_EVERY);
    times.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        let Some(clock) = clock.upgrade() else { return };
        match ask_time(&client, &base, clock.pace()).await {
            Ok(reported) => clock.agree(pace_of(&reported)),
            Err(error) => tracing::debug!(%error, "the clock is not compared with the simulator's"),
        }
    }
}

async fn ask_time(client: &Client, base: &Url, pace: ClockSpeed) -> Result<TimeResponse, WorldTransportError> {
    read(client.get(at(base, "time")).send().await, pace).await
}

/// The world's pace. Since its time is taken for that of the moment at which it arrives here, the clock is behind the world's by the
/// way of the answer, and never ahead.
fn pace_of(reported: &TimeResponse) -> ClockSpeed {
    ClockSpeed::new(reported.now, Instant::now(), reported.speed)
}

fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url
}

/// The answer to a request, or what is known of the request without one.
///
/// Without a connection nothing was sent. Whatever else goes wrong, the world may have done it: a request that ran out of time,
/// an answer that broke off, a world that could not be written. A request that was not understood was not done, but it cannot be
/// distinguished from one that something else answered.
async fn read<T: serde::de::DeserializeOwned>(
    sent: reqwest::Result<reqwest::Response>,
    pace: ClockSpeed,
) -> Result<T, WorldTransportError> {
    let answer = sent.map_err(|error| {
        let why = with_causes(&error);
        if error.is_connect() {
            let retry_after = TRY_AGAIN.max(pace.in_the_world(TRY_AGAIN).unsigned_abs());
            WorldTransportError::NotReached { why, retry_after }
        } else {
            WorldTransportError::NoAnswer(why)
        }
    })?;
    let status = answer.status();
    let text = answer.text().await.map_err(|error| WorldTransportError::NoAnswer(with_causes(&error)))?;
    if status != StatusCode::OK {
        return Err(WorldTransportError::NoAnswer(format!("status {status}: {}", text.trim())));
    }
    serde_json::from_str(&text).map_err(|error| WorldTransportError::NoAnswer(error.to_string()))
}

fn with_causes(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

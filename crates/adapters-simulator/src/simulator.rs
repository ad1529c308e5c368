//! One world shared by its owner, who moves the clock, and by all traders who use the ports.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock;

use crate::call::{Answer, Request};
use crate::world::World;
use crate::world_transport::{WorldTransport, WorldTransportError};

/// A handle on a world. Its copies are handles on the same one.
///
/// ```
/// use time::Duration;
/// use tradepost_adapters_simulator::{Settings, Simulator, World};
///
/// let simulator = Simulator::new(World::new(42, Settings::default()));
/// let account = simulator.world(|world| world.open_account("desk"));
/// let (marketplace, platform) = (simulator.marketplace("desk"), simulator.platform());
/// simulator.advance(Duration::days(1));
/// assert_eq!(simulator.world(|world| world.check_books()), Ok(()));
/// ```
#[derive(Debug, Clone)]
pub struct Simulator {
    world: Arc<Mutex<World>>,
}

impl Simulator {
    /// Shares a world.
    pub fn new(world: World) -> Self {
        Self { world: Arc::new(Mutex::new(world)) }
    }

    /// Reads or changes the world, alone.
    pub fn world<R>(&self, look: impl FnOnce(&mut World) -> R) -> R {
        look(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets time pass. Nothing else does.
    pub fn advance(&self, by: Duration) {
        self.world(|world| world.advance(by));
    }
}

#[async_trait]
impl WorldTransport for Simulator {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        Ok(self.world(|world| world.answer(&request)))
    }
}

/// Traders in the world use its clock.
impl MarketClock for Simulator {
    fn market_now(&self) -> Timestamp {
        self.world(|world| world.now())
    }

    /// The world's time never goes back.
    fn market_elapsed(&self) -> std::time::Duration {
        crate::scaled_clock::elapsed(self.market_now())
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }

    /// The world moves when it is advanced.
    fn speed(&self) -> u32 {
        0
    }
}

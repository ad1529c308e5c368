//! A world in a folder, in the process that trades there: what that process is killed in the middle of is there again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock;

use crate::call::{Answer, Request, WorldCommand};
use crate::folder::{FolderError, WorldFolder};
use crate::world::World;
use crate::world_transport::{WorldTransport, WorldTransportError};

/// A handle on a world that is kept in a folder. Its copies are handles on the same one; with the last of them the folder is
/// free again.
#[derive(Debug, Clone)]
pub struct PersistentSimulator {
    folder: Arc<Mutex<WorldFolder>>,
}

impl PersistentSimulator {
    /// Shares a world.
    pub fn new(folder: WorldFolder) -> Self {
        Self { folder: Arc::new(Mutex::new(folder)) }
    }

    /// Lets time pass. Nothing else does. It is written first, so that the world never comes back with an earlier time than one
    /// that was shown.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be written; no time has passed then.
    pub fn advance(&self, by: Duration) -> Result<(), FolderError> {
        let micros = u64::try_from(by.whole_microseconds()).unwrap_or(0);
        self.folder().answer(&Request::World(WorldCommand::Advance { micros })).map(drop)
    }

    /// Writes the world down whole, so that opening it takes no time.
    ///
    /// # Errors
    /// [`FolderError`]; what is kept is as good as before.
    pub fn take_snapshot(&self) -> Result<(), FolderError> {
        self.folder().take_snapshot()
    }

    /// Looks at the world.
    pub fn world<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        look(self.folder().world())
    }

    fn folder(&self) -> MutexGuard<'_, WorldFolder> {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Traders in the world use its clock.
impl MarketClock for PersistentSimulator {
    fn market_now(&self) -> Timestamp {
        self.world(World::now)
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

#[async_trait]
impl WorldTransport for PersistentSimulator {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        let world = self.clone();
        // Apart from the threads that serve: it writes files.
        let asked = tokio::task::spawn_blocking(move || world.folder().answer(&request)).await;
        let no_answer = |why: String| WorldTransportError::NoAnswer(why);
        asked.map_err(|error| no_answer(error.to_string()))?.map_err(|error| no_answer(error.to_string()))
    }
}

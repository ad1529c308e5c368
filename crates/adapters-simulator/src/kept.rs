//! A world in a folder, in the process that trades there: what that process is killed in the middle of is there again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock;

use crate::call::{Answer, Deed, Request};
use crate::folder::{FolderError, WorldFolder};
use crate::line::{Line, LineError};
use crate::world::World;

/// A handle on a world that is kept in a folder. Its copies are handles on the same one; with the last of them the folder is
/// free again.
#[derive(Debug, Clone)]
pub struct KeptSimulator {
    folder: Arc<Mutex<WorldFolder>>,
}

impl KeptSimulator {
    /// Shares a world.
    pub fn new(folder: WorldFolder) -> Self {
        Self { folder: Arc::new(Mutex::new(folder)) }
    }

    /// Lets time pass. Nothing else does. It is written first, so that the world never comes back with an earlier time than one
    /// that was told.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be written; no time has passed then.
    pub fn advance(&self, by: Duration) -> Result<(), FolderError> {
        let micros = u64::try_from(by.whole_microseconds()).unwrap_or(0);
        self.folder().answer(&Request::World(Deed::Advance { micros })).map(drop)
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

/// Who trades in the world lives by its clock.
impl MarketClock for KeptSimulator {
    fn market_now(&self) -> Timestamp {
        self.world(World::now)
    }

    /// The world's time never goes back.
    fn market_elapsed(&self) -> std::time::Duration {
        crate::pace::elapsed(self.market_now())
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }
}

#[async_trait]
impl Line for KeptSimulator {
    async fn ask(&self, request: Request) -> Result<Answer, LineError> {
        let world = self.clone();
        // Apart from the threads that serve: it writes files.
        let asked = tokio::task::spawn_blocking(move || world.folder().answer(&request)).await;
        let no_answer = |why: String| LineError::NoAnswer(why);
        asked.map_err(|error| no_answer(error.to_string()))?.map_err(|error| no_answer(error.to_string()))
    }
}

//! Many worlds that are the same: what one of them needs to be made is done once, and its data copied.

use std::sync::Arc;

use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;

use super::database::copy_files;
use super::world::{Ground, Settlers};
use super::{Database, Mailbox, Setup, World};

/// A world as it is before its first call, with no server.
pub(crate) struct Mould {
    ground: Ground,
    settlers: Settlers,
}

impl Mould {
    pub(crate) async fn of(database: Database) -> Self {
        let ground = Ground::fresh(database).await;
        let app = ground.app(Setup::default()).await;
        let settlers = Settlers::arrive(&app, &ground.clock).await;
        Mailbox::of(&app, ground.mails.path()).settle();
        app.shutdown().await.unwrap();
        Self { ground, settlers }
    }

    /// The world that [`World::new`] makes.
    pub(crate) async fn cast(&self) -> World {
        let mails = tempfile::tempdir().unwrap();
        copy_files(self.ground.mails.path(), mails.path());
        let ground = Ground {
            clock: Arc::new(FixedClock::at(self.ground.clock.now())),
            ids: Arc::new(self.ground.ids.as_ref().clone()),
            mails,
            place: self.ground.place.copied().await,
        };
        let app = ground.app(Setup::default()).await;
        World::served(ground, app, self.settlers.clone()).await
    }
}

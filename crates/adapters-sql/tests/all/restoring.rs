//! A restore that ends at any step leaves one whole database under the name: the old one, or the backup.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use tempfile::TempDir;
use tradepost_adapters_sql::{
    DatabaseSettings, Restore, RestoreError, RestoreStep, Restored, SqlStore, SqliteSettings,
};
use tradepost_testkit::samples::{Scene, start};

/// A database with two items, and a backup of when it had one.
struct Changed {
    folder: TempDir,
    database: SqliteSettings,
}

impl Changed {
    async fn since_its_backup() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = SqliteSettings::at(folder.path().join("test.db"));
        let store = SqlStore::open(DatabaseSettings::Sqlite(database.clone())).await.unwrap();
        store.migrate().await.unwrap();
        let scene = Scene::founded(&store, 1).await;
        scene.item(&store, 3).await;
        store.backup_to(&folder.path().join("backup.db"), |_| ()).await.unwrap();
        scene.item(&store, 3).await;
        store.close().await.unwrap();
        Self { folder, database }
    }

    async fn restore(&self, reached: impl FnMut(RestoreStep) + Send) -> Result<Restored, RestoreError> {
        let backup = self.folder.path().join("backup.db");
        let restore = Restore { backup, fingerprints: Vec::new(), over_newer: true, at: start() };
        restore.run(&self.database, reached).await
    }

    /// How many items the database under the name has, all of them sound.
    async fn items(&self) -> u64 {
        let store = SqlStore::open(DatabaseSettings::Sqlite(self.database.clone())).await.unwrap();
        store.check_schema().await.unwrap();
        let chains = store.verify_chains(|_| ()).await.unwrap();
        assert_eq!((chains.broken, store.check_counters().await.unwrap()), (0, vec![]));
        store.close().await.unwrap();
        chains.items
    }
}

#[tokio::test]
async fn a_restore_that_ends_at_any_step_leaves_the_old_database_or_the_backup() {
    for (last, expected) in
        [(RestoreStep::Copied, 2), (RestoreStep::Checked, 2), (RestoreStep::Kept, 2), (RestoreStep::Replaced, 1)]
    {
        let changed = Changed::since_its_backup().await;
        let restoring = changed.restore(|step| assert_ne!(step, last, "the process ends here"));
        let ended = AssertUnwindSafe(restoring).catch_unwind().await;
        assert!(ended.is_err(), "{last:?} was not reached");
        assert_eq!(changed.items().await, expected, "{last:?}");
        let again = changed.restore(|_| ()).await.unwrap();
        assert_eq!((changed.items().await, again.kept.is_some()), (1, true), "{last:?}");
    }
}

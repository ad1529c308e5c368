//! The commands of docs/how-to/back-up-and-restore.md for PostgreSQL, as they are printed there: a dump is restored into an empty database, and an archive
//! of the write-ahead log to a point in time.

use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::Command;

use sea_orm::ConnectionTrait as _;
use tempfile::TempDir;
use tradepost_adapters_sql::{DatabaseSettings, PostgresSettings, SqlStore};
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Scene;

use crate::support::{Place, column, postgres};

/// The folder of backups on the page.
const FOLDER: &str = "/var/backups/postgresql";

/// The block on the page in which these words are.
fn block(words: &str) -> &'static str {
    let page = include_str!("../../../../docs/how-to/back-up-and-restore.md");
    let mut blocks = page.split("\n```").skip(1).step_by(2).filter_map(|block| Some(block.split_once('\n')?.1));
    blocks.find(|block| block.contains(words)).unwrap()
}

fn run(mut shell: Command, commands: &str) {
    let ended = shell.args(["sh", "-e", "-c", commands]).output().unwrap();
    assert!(ended.status.success(), "{commands}\n{}", String::from_utf8_lossy(&ended.stderr));
}

/// Checks that the database is whole, has so many items and takes writes.
async fn check(store: &SqlStore, scene: &Scene, items: u64) {
    store.check_schema().await.unwrap();
    let chains = store.verify_chains(|_| ()).await.unwrap();
    assert_eq!((chains.items, chains.broken), (items, 0));
    assert_eq!(store.check_counters().await.unwrap(), []);
    scene.item(store, 4).await;
}

#[tokio::test]
async fn a_dump_is_restored_as_the_page_on_backups_says() {
    let test = postgres().await;
    let scene = Scene::founded(&test.store, 1).await;
    let (item, _) = scene.item(&test.store, 4).await;
    test.store.keep_canary([1; 16]).await.unwrap();
    let restored = Place::database().await;
    let (Place::Database(old), Place::Database(new)) = (&test.place, &restored) else { panic!("it is PostgreSQL") };
    let folder = tempfile::tempdir().unwrap();
    let shell = |variable: &str, url: String| {
        let mut shell = Command::new("env");
        shell.current_dir(folder.path()).env(variable, url);
        shell
    };
    run(shell("DATABASE_URL", old.url()), block("pg_dump "));
    scene.item(&test.store, 4).await;
    run(shell("RESTORED_URL", new.url()), block("--dbname=\"$RESTORED_URL\""));
    let store = SqlStore::open(restored.settings()).await.unwrap();
    assert_eq!(store.canary().await.unwrap().unwrap(), [1; 16]);
    let found = store.records().items().find(scene.scope(), item.id).await.unwrap();
    assert_eq!(found.map(|seen| seen.into_display().0), Some(item));
    check(&store, &scene, 1).await;
    store.close().await.unwrap();
}

/// A PostgreSQL server of the test's own, which archives its log. It is stopped with the value.
struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
}

impl Cluster {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        if is_root() {
            run(Command::new("env"), &format!("chown postgres {}", folder.path().display()));
        }
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let cluster = Self { folder, programs: programs(), port };
        let place = cluster.folder.path().display();
        let settings = cluster.on_page("archive_command");
        cluster.run(
            "data",
            &format!(
                "initdb -D \"$PGDATA\" -U app -A trust -E UTF8 --locale=C.UTF-8
                 mkdir wal
                 cat >> \"$PGDATA/postgresql.conf\" <<'END'
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{place}'
{settings}
END
                 pg_ctl --log=server.log --wait start"
            ),
        );
        cluster
    }

    /// The block on the page, with the folder of this server as the one of backups.
    fn on_page(&self, words: &str) -> String {
        block(words).replace(FOLDER, &self.folder.path().display().to_string())
    }

    fn url(&self) -> String {
        format!("postgres://app@127.0.0.1:{}/postgres", self.port)
    }

    /// Runs commands as the owner of the server, with this folder of data.
    fn run(&self, data: &str, commands: &str) {
        run(self.shell(data), commands);
    }

    fn shell(&self, data: &str) -> Command {
        // PostgreSQL does not run as root.
        let mut shell = if is_root() {
            let mut shell = Command::new("setpriv");
            shell.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "env"]);
            shell
        } else {
            Command::new("env")
        };
        shell.current_dir(self.folder.path()).env_clear().env("LC_ALL", "C.UTF-8");
        shell.env("PATH", format!("{}:/usr/bin:/bin", self.programs.display()));
        shell.env("PGDATA", self.folder.path().join(data)).env("DATABASE_URL", self.url());
        shell
    }

    async fn store(&self) -> SqlStore {
        SqlStore::open(DatabaseSettings::Postgres(PostgresSettings::at(self.url()))).await.unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for data in ["data", "restored"] {
            // One of them has been stopped, or was never started.
            let _ = self.shell(data).args(["pg_ctl", "--mode=immediate", "--wait", "stop"]).output();
        }
    }
}

/// Whether this process may hand files to other users: a new file belongs to its user.
fn is_root() -> bool {
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// The folder of the newest server programs.
fn programs() -> PathBuf {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let newest =
        debian.map(|version| version.unwrap().path().join("bin")).filter(|bin| bin.join("initdb").exists()).max();
    newest.unwrap_or_else(|| {
        let named = Command::new("pg_config").arg("--bindir").output().expect("PostgreSQL's programs are installed");
        PathBuf::from(String::from_utf8(named.stdout).unwrap().trim())
    })
}

#[tokio::test]
async fn a_postgres_server_is_recovered_to_a_point_in_time_as_the_page_on_backups_says() {
    let cluster = Cluster::start();
    let store = cluster.store().await;
    store.migrate().await.unwrap();
    let scene = Scene::founded(&store, 1).await;
    scene.item(&store, 4).await;
    cluster.run("data", &cluster.on_page("pg_basebackup"));
    scene.item(&store, 4).await;
    let db = sea_orm::Database::connect(cluster.url()).await.unwrap();
    let until = column(&db, 0, "SELECT clock_timestamp()::text").await.remove(0);
    scene.item(&store, 4).await;
    db.execute_unprepared("SELECT pg_switch_wal()").await.unwrap();
    store.close().await.unwrap();
    db.close().await.unwrap();
    cluster.run("data", "pg_ctl --mode=fast --wait stop");
    let mut recovering = cluster.shell("restored");
    recovering.env("RECOVER_TO", until);
    run(recovering, &cluster.on_page("recovery_target_time"));
    let store = cluster.store().await;
    while store.check_ready().await.is_err() {
        tokio::task::yield_now().await;
    }
    check(&store, &scene, 2).await;
    store.close().await.unwrap();
}

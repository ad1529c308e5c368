//! PostgreSQL servers of a test's own, in folders of their own: to be cut off, killed and promoted. Their programs are those of the server
//! that the tests were given.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, DbBackend, Statement};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::harness::url_of;

/// Every commit is on the disk when it is acknowledged, and little is enough to make it write its pages.
const SETTINGS: [&str; 10] = [
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "shared_buffers=16MB",
    "max_wal_size=4MB",
    "min_wal_size=2MB",
    "bgwriter_delay=10ms",
    "max_connections=60",
    "wal_level=replica",
    "listen_addresses='127.0.0.1'",
];

/// A server that runs now and then.
pub(super) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    server: Option<Child>,
}

impl Cluster {
    /// One with nothing in it, that does not run yet.
    pub(super) async fn new() -> Self {
        let cluster = Self::at(programs().await);
        let options =
            ["-U", "app", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums", "--wal-segsize=1"];
        cluster.run("initdb", &options).await;
        let lines = SETTINGS.map(str::to_owned).join("\n");
        let sockets = format!("unix_socket_directories='{}'", cluster.folder.path().display());
        let configuration = cluster.data().join("postgresql.conf");
        let defaults = fs::read_to_string(&configuration).unwrap();
        fs::write(configuration, format!("{defaults}\n{lines}\n{sockets}\n")).unwrap();
        cluster
    }

    /// A standby that follows this one, which runs.
    pub(super) async fn standby(&self) -> Self {
        let standby = Self::at(self.programs.clone());
        let port = self.port.to_string();
        let options = ["-h", "127.0.0.1", "-p", &port, "-U", "app", "-R", "-X", "stream", "--checkpoint=fast"];
        standby.run("pg_basebackup", &options).await;
        standby
    }

    fn at(programs: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        if is_root() {
            let owned = std::process::Command::new("chown").arg("postgres").arg(folder.path()).status();
            assert!(owned.unwrap().success());
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, programs, port, server: None }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://app@127.0.0.1:{}/postgres", self.port)
    }

    /// A program of the server, run by who owns the folder: the server refuses to be root's.
    pub(super) fn program(&self, name: &str) -> Command {
        self.as_owner(&self.programs.join(name))
    }

    /// Any program, run by who owns the folder.
    pub(super) fn as_owner(&self, program: &Path) -> Command {
        let mut command = Command::new(if is_root() { Path::new("setpriv") } else { program });
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
        }
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        command.env_clear().env("PATH", path).env("LC_ALL", "C.UTF-8").current_dir(self.folder.path());
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    async fn run(&self, name: &str, options: &[&str]) {
        let output = self.program(name).args(options).arg("-D").arg(self.data()).output().await.unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// How the server is started.
    pub(super) fn command(&self) -> Command {
        let mut command = self.program("postgres");
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        command.arg("-D").arg(self.data()).args(["-p", &self.port.to_string()]).stdout(Stdio::null()).stderr(log);
        command
    }

    /// Starts it; whether it answered before it ended.
    pub(super) async fn start(&mut self, command: &mut Command) -> bool {
        let url = self.url();
        let server = self.server.insert(command.spawn().unwrap());
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        loop {
            looks.tick().await;
            if server.try_wait().unwrap().is_some() {
                return false;
            }
            if let Ok(connection) = Database::connect(Self::options(&url)).await {
                connection.close().await.unwrap();
                return true;
            }
        }
    }

    pub(super) async fn connect(&self) -> DatabaseConnection {
        Database::connect(Self::options(&self.url())).await.unwrap()
    }

    fn options(url: &str) -> sea_orm::ConnectOptions {
        let mut options = sea_orm::ConnectOptions::new(url);
        options.max_connections(1).sqlx_logging(false).connect_timeout(Duration::from_secs(2));
        options
    }

    /// Waits until the server has ended by itself, and kills its other processes.
    ///
    /// # Panics
    /// When it still runs after a minute. Without this, a power cut that never comes hangs the test.
    pub(super) async fn ended(&mut self) {
        let ended = timeout(Duration::from_mins(1), self.server.as_mut().unwrap().wait()).await;
        ended.unwrap_or_else(|_| panic!("the server still runs: {}", self.log())).unwrap();
        self.kill().await;
    }

    /// Kills every process of the server. Some would wait for ever for what another one held that was killed.
    pub(super) async fn kill(&mut self) {
        // It may have ended by itself just now.
        drop(self.server.take().unwrap().kill().await);
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            // A process may end before the signal reaches it.
            drop(Command::new("kill").arg("-KILL").args(left).stderr(Stdio::null()).status().await);
            looks.tick().await;
        }
    }

    /// Stops the server as an operator does.
    pub(super) async fn stop(&mut self) {
        let mut server = self.server.take().unwrap();
        let id = server.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
        assert!(server.wait().await.unwrap().success(), "{}", self.log());
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// The processes that work in the data folder, as each of a server's does.
    pub(super) fn processes(&self) -> Vec<String> {
        let data = self.data();
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let own = processes.filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == data));
        own.filter_map(|process| process.file_name().into_string().ok()).collect()
    }
}

/// The folder with the server's programs.
async fn programs() -> PathBuf {
    let server = Database::connect(Cluster::options(&url_of("postgres"))).await.unwrap();
    let asked = Statement::from_string(DbBackend::Postgres, "SELECT pg_backend_pid()");
    let process: i32 = server.query_one_raw(asked).await.unwrap().unwrap().try_get_by_index(0).unwrap();
    let program = fs::read_link(format!("/proc/{process}/exe"));
    server.close().await.unwrap();
    let program = program.expect("the server of the tests runs on this machine, for this user or this user is root");
    program.parent().unwrap().to_owned()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

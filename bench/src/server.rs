//! Server processes: started on a free port, watched through `/proc`, ended by their id. It knows how each receives
//! the address of its database, and nothing of what it is asked.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::load::{Database, Places, ROOT_SECRET};

/// The owner whom the product makes at its first start.
pub(crate) const OWNER_EMAIL: &str = "owner@tradepost.example";
/// The key that the product creates at its first start. It opens nothing but databases that are made here.
pub(crate) const API_KEY: &str = "tpk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd1tEW6X";
pub(crate) const PASSWORD: &str = "copper lantern under seven bridges";
/// Until a server must take connections.
const PATIENCE: Duration = Duration::from_secs(60);
/// Of `/proc/PID/stat`: what `getconf CLK_TCK` gives on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;
/// Limits that no measurement is to reach.
const RAISED: [&str; 9] = [
    "unauthenticated",
    "password",
    "password_address",
    "password_network",
    "read",
    "list",
    "write",
    "workspace",
    "observation",
];

/// How often people may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignUps {
    /// As often as by default.
    Limited,
    /// As often as they ask.
    Unlimited,
}

/// A server to start.
pub(crate) struct Server {
    name: &'static str,
    command: Command,
    address: SocketAddr,
    output: PathBuf,
}

/// A server that runs; killed when dropped.
pub(crate) struct Running {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    child: Child,
    output: PathBuf,
}

impl Server {
    /// `tradepost serve` as it is by default, but for raised limits and a log that goes to a file.
    pub(crate) fn tradepost(places: &Places, database: &Database) -> Self {
        Self::with_settings(places, database, &settings(database))
    }

    /// The same where people sign up by themselves.
    pub(crate) fn open_to_strangers(places: &Places, database: &Database, sign_ups: SignUps) -> Self {
        let mails = database.folder.join("mail");
        let more = format!("\n[bot_check]\nprovider = \"development\"\n\n[mail]\ndirectory = {mails:?}\n");
        let limit = if sign_ups == SignUps::Unlimited { raised("sign_up") } else { String::new() };
        Self::with_settings(places, database, &[settings(database), more, limit].concat())
    }

    fn with_settings(places: &Places, database: &Database, settings: &str) -> Self {
        let (address, file) = (free_address(), database.folder.join("tradepost.toml"));
        // A file that cannot be written shows when the server does not start.
        let _ = fs::write(&file, settings);
        let mut command = Command::new(&places.tradepost);
        command.arg("serve").arg("--config").arg(file).arg("--listen").arg(address.to_string());
        Self { name: "tradepost", command, address, output: database.folder.join("tradepost.out") }
    }

    /// The hand-written server that runs the given statement.
    pub(crate) fn bare(places: &Places, database: &Database, statement: &str) -> Self {
        let address = free_address();
        let mut command = Command::new(&places.own);
        command.args(["bare", "--listen", &address.to_string(), "--database", &database.url, "--statement", statement]);
        Self { name: "bare axum", command, address, output: database.folder.join("bare.out") }
    }

    /// The Node server.
    pub(crate) fn node(folder: &Path, database: &Database, statement: &str) -> Self {
        let address = free_address();
        let mut command = Command::new("node");
        command.current_dir(folder).args(["server.mjs", &address.port().to_string(), &database.url, statement]);
        Self { name: "Node connect", command, address, output: database.folder.join("node.out") }
    }

    /// Starts it and returns at once.
    pub(crate) fn spawn(mut self) -> anyhow::Result<Running> {
        let output = File::create(&self.output)?;
        self.command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = self.command.spawn().with_context(|| format!("cannot start {}", self.name))?;
        Ok(Running { name: self.name, address: self.address, child, output: self.output })
    }

    /// Starts it and waits until it takes connections.
    pub(crate) fn start(self) -> anyhow::Result<Running> {
        let begun = Instant::now();
        let mut running = self.spawn()?;
        while TcpStream::connect(running.address).is_err() {
            let ended = running.child.try_wait()?;
            if ended.is_some() || begun.elapsed() > PATIENCE {
                let said = fs::read_to_string(&running.output).unwrap_or_default();
                anyhow::bail!("{} did not start: {said}", running.name);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(running)
    }
}

impl Running {
    /// Processor time used so far, in seconds.
    pub(crate) fn processor_seconds(&self) -> anyhow::Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, after_name) = stat.rsplit_once(')').context("/proc/PID/stat has no name")?;
        let mut ticks = after_name.split_ascii_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
        let (user, system) = (ticks.next().context("no user time")?, ticks.next().context("no system time")?);
        Ok((user + system) / TICKS_PER_SECOND)
    }

    /// Memory that is backed by no file, in MB.
    pub(crate) fn anonymous_megabytes(&self) -> anyhow::Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).context("no RssAnon")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kilobytes * 1_024.0 / 1_000_000.0)
    }

    /// Asks it to end and waits until it has.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let ended = self.child.wait()?;
        anyhow::ensure!(ended.success() || ended.code().is_none(), "{} ended with {ended}", self.name);
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; that is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The settings file of a server on this database.
fn settings(database: &Database) -> String {
    let text = format!(
        "[server]\nmax_connections = 24000\nmax_connections_per_network = 24000\n\n[database]\nurl = {:?}\n\n[secret]\nroot_file = {:?}\n\n[log]\nfile = {:?}\n\n[bootstrap]\nkey = {API_KEY:?}\npassword = {PASSWORD:?}\n",
        database.url,
        database.folder.join(ROOT_SECRET),
        database.folder.join("tradepost.log"),
    );
    let waiters = "\n[limits.waiters]\nin_process = 4096\nin_workspace = 4096\nof_caller = 4096\n";
    text + waiters + &RAISED.map(raised).concat()
}

/// The setting of a limit that is not reached.
fn raised(class: &str) -> String {
    format!("\n[limits.{class}]\ncalls = 1000000\nwindow_seconds = 1\nburst = 1000000\n")
}

/// An address whose port was free a moment ago; port 0, which no server announces here, if none was found.
fn free_address() -> SocketAddr {
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    TcpListener::bind(any).and_then(|probe| probe.local_addr()).unwrap_or(any)
}

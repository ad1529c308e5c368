//! What other callers notice of a client that misuses the server: a well-behaved client asks for purchases at a steady pace, first in
//! quiet and then during each kind of abuse. Everything goes to loopback and ends with the measurement.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::drive::{GET_PURCHASE, get_purchase};
use crate::http::Client;
use crate::load::Database;
use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit};
use crate::server::{OWNER_EMAIL, PASSWORD, Running, Server, SignUps};

/// Between two calls of the well-behaved client.
const PACE: Duration = Duration::from_millis(5);
const HALF_OPEN: u32 = 10_000;
const SLOW_CLIENTS: u32 = 200;
const BOMBERS: u32 = 4;
const SIGN_INS: u32 = 1_000;
/// Connections from one address that ask for an account, and how often each does.
const SIGN_UPS: u32 = 200;
const SIGN_UP_EVERY: Duration = Duration::from_millis(250);
/// How many sign-ins of others are enough for a p99.
const OTHERS_SIGN_INS: usize = 500;
/// Descriptors for the connections that this process or the server holds, and for everything else.
const DESCRIPTORS: u32 = 15_000;
/// One password check at a time on two cores, 64 MiB each, and 100 MB for everything else.
const MOST_MEGABYTES: f64 = 64.0 * 1.048_576 + 100.0;

/// What the abuser does to a server until the measurement ends.
type Abuse = fn(SocketAddr, &AtomicBool) -> anyhow::Result<()>;

const ABUSES: [(&str, Abuse); 4] = [
    ("200 clients that send a byte every 100 ms", slow_clients),
    ("10,000 connections with half a request", half_open_connections),
    ("bodies that decompress to a thousand times their size", bombs),
    ("1,000 sign-ins at once", sign_ins),
];

pub(super) fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    raise_descriptors()?;
    measure_sign_ins(run, database, report)?;
    for (what, abuse) in ABUSES {
        let server = Server::tradepost(&run.places, database).start()?;
        let quiet = p99(run, database, &server)?.0;
        let over = AtomicBool::new(false);
        let (during, memory) = thread::scope(|scope| {
            let abuser = scope.spawn(|| abuse(server.address, &over));
            let measured = p99(run, database, &server);
            over.store(true, Ordering::Relaxed);
            let abused = abuser.join().map_err(|_| anyhow::anyhow!("the abuser panicked"))?;
            abused.with_context(|| what.to_owned())?;
            measured
        })?;
        server.stop()?;
        let name = database.backend.name();
        report.add(Figure {
            what: format!("{name}: p99 of others alongside {what}"),
            target: Target::AtMost(2.0 * quiet + 20.0),
            value: during,
            unit: Unit::Milliseconds,
            details: format!("{quiet:.1} ms in quiet"),
        });
        report.add(Figure {
            what: format!("{name}: anonymous memory under {what}"),
            target: Target::AtMost(MOST_MEGABYTES),
            value: memory,
            unit: Unit::Megabytes,
            details: String::new(),
        });
    }
    Ok(())
}

/// What others who sign in feel of an address that asks for accounts with passwords that are costly to estimate: where the limit of
/// sign-ups is the default one, and where each call gets as far as the estimate.
fn measure_sign_ins(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    for (limit, sign_ups) in [("", SignUps::Limited), (", as often as they ask", SignUps::Unlimited)] {
        let server = Server::open_to_strangers(&run.places, database, sign_ups).start()?;
        let quiet = p99_of_sign_ins(run, server.address)?;
        let (over, answers) = (AtomicBool::new(false), SignUpAnswers::default());
        let during = thread::scope(|scope| {
            let abuser = scope.spawn(|| sign_ups_until(server.address, &over, &answers));
            let measured = p99_of_sign_ins(run, server.address);
            over.store(true, Ordering::Relaxed);
            abuser.join().map_err(|_| anyhow::anyhow!("the abuser panicked"))??;
            measured
        })?;
        server.stop()?;
        let name = database.backend.name();
        report.add(Figure {
            what: format!("{name}: p99 of others' sign-ins alongside 200 connections that sign up{limit}"),
            target: Target::AtMost(2.0 * quiet + 50.0),
            value: during,
            unit: Unit::Milliseconds,
            details: format!("{quiet:.1} ms in quiet; {}", answers.checked()?),
        });
    }
    Ok(())
}

/// The 99th percentile of how long a sign-in takes, in milliseconds.
fn p99_of_sign_ins(run: &Run, address: SocketAddr) -> anyhow::Result<f64> {
    let request = json_request("SignIn", &format!(r#"{{"email":"{OWNER_EMAIL}","password":"{PASSWORD}"}}"#));
    let (until, mut waited) = (Instant::now() + run.time, Vec::new());
    while Instant::now() < until || waited.len() < OTHERS_SIGN_INS {
        let begun = Instant::now();
        let answer = ask(address, request.as_bytes())?;
        anyhow::ensure!(answer.starts_with("HTTP/1.1 200"), "a sign-in was refused: {answer}");
        waited.push(begun.elapsed().as_secs_f64() * 1e3);
        thread::sleep(PACE);
    }
    waited.sort_by(f64::total_cmp);
    waited.get(waited.len() * 99 / 100).copied().context("nothing was measured")
}

/// How calls to sign up were answered.
#[derive(Debug, Default)]
struct SignUpAnswers {
    accepted: AtomicU64,
    limited: AtomicU64,
    busy: AtomicU64,
}

impl SignUpAnswers {
    /// Counts an answer. Any other would show that the calls do not get as far as a sign-up.
    fn count(&self, answer: &str) -> anyhow::Result<()> {
        let reason = answer.lines().find_map(|line| line.strip_prefix("x-error-reason: "));
        let counter = match reason {
            None if answer.starts_with("HTTP/1.1 200") => &self.accepted,
            Some("RATE_LIMITED") => &self.limited,
            Some("BUSY") => &self.busy,
            None | Some(_) => anyhow::bail!("a sign-up was answered otherwise: {answer}"),
        };
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// The numbers in words, if any call was accepted: then people can sign up at all.
    fn checked(&self) -> anyhow::Result<String> {
        let [accepted, limited, busy] =
            [&self.accepted, &self.limited, &self.busy].map(|counter| counter.load(Ordering::Relaxed));
        anyhow::ensure!(accepted > 0, "no sign-up was accepted, {limited} were limited, {busy} met a busy server");
        Ok(format!("of the sign-ups {accepted} accepted, {limited} limited, {busy} busy"))
    }
}

fn sign_ups_until(address: SocketAddr, over: &AtomicBool, answers: &SignUpAnswers) -> anyhow::Result<()> {
    let password: String = "4@8({[<369!1|0$5+7%2".chars().cycle().take(120).collect();
    let body = format!(
        r#"{{"email":"nobody@example.com","password":"{password}","displayName":"Nobody","botCheckToken":"development"}}"#
    );
    let request = json_request("SignUp", &body);
    in_threads(SIGN_UPS, || {
        while !over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            answers.count(&ask(address, request.as_bytes())?)?;
            thread::sleep(SIGN_UP_EVERY.saturating_sub(begun.elapsed()));
        }
        Ok(())
    })
}

fn json_request(method: &str, body: &str) -> String {
    format!(
        "POST /accounts.v1.Accounts/{method} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The 99th percentile of how long a well-behaved client waits, in milliseconds, and the most memory in that time.
pub(super) fn p99(run: &Run, database: &Database, server: &Running) -> anyhow::Result<(f64, f64)> {
    let mut client = Client::connect(server.address)?;
    let until = Instant::now() + run.time;
    let (mut waited, mut memory) = (Vec::new(), 0.0_f64);
    let mut number = 0;
    while Instant::now() < until {
        let begun = Instant::now();
        client.call(&get_purchase(database.workspace, number % run.sizes.purchases))?;
        waited.push(begun.elapsed().as_secs_f64() * 1e3);
        memory = memory.max(server.anonymous_megabytes()?);
        number += 7;
        thread::sleep(PACE.saturating_sub(begun.elapsed()));
    }
    waited.sort_by(f64::total_cmp);
    Ok((waited.get(waited.len() * 99 / 100).copied().context("nothing was measured")?, memory))
}

pub(super) fn raise_descriptors() -> anyhow::Result<()> {
    let own = std::process::id().to_string();
    let raised = Command::new("prlimit").args(["--pid", &own, &format!("--nofile={DESCRIPTORS}")]).status()?;
    anyhow::ensure!(raised.success(), "this process may not have {DESCRIPTORS} open files");
    Ok(())
}

fn slow_clients(address: SocketAddr, over: &AtomicBool) -> anyhow::Result<()> {
    let head = format!("POST /{GET_PURCHASE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");
    let mut clients = (0..SLOW_CLIENTS).map(|_| TcpStream::connect(address)).collect::<Result<Vec<_>, _>>()?;
    for client in &mut clients {
        client.write_all(head.as_bytes())?;
    }
    while !over.load(Ordering::Relaxed) {
        // The server may hang up on them; that is its right.
        clients.retain_mut(|client| client.write_all(b" ").is_ok());
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn half_open_connections(address: SocketAddr, over: &AtomicBool) -> anyhow::Result<()> {
    let mut held = Vec::new();
    for _ in 0..HALF_OPEN {
        let mut connection = TcpStream::connect(address)?;
        connection.write_all(format!("POST /{GET_PURCHASE} HTTP/1.1\r\nHost: localhost\r\n").as_bytes())?;
        held.push(connection);
        if over.load(Ordering::Relaxed) {
            break;
        }
    }
    wait_for(over);
    Ok(())
}

/// 60 KB of gzip that hold 60 MB: as much as the limit on bodies lets through before it looks inside.
fn bombs(address: SocketAddr, over: &AtomicBool) -> anyhow::Result<()> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 60_000_000])?;
    let bomb = packer.finish()?;
    let head = format!(
        "POST /{GET_PURCHASE} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        crate::server::API_KEY,
        bomb.len()
    );
    let request = [head.as_bytes(), &bomb].concat();
    in_threads(BOMBERS, || {
        while !over.load(Ordering::Relaxed) {
            let refusal = ask(address, &request)?;
            anyhow::ensure!(!refusal.starts_with("HTTP/1.1 200"), "the bomb was taken");
        }
        Ok(())
    })
}

fn sign_ins(address: SocketAddr, over: &AtomicBool) -> anyhow::Result<()> {
    let request = json_request("SignIn", r#"{"email":"nobody@example.com","password":"not the password of anybody"}"#);
    while !over.load(Ordering::Relaxed) {
        in_threads(SIGN_INS, || ask(address, request.as_bytes()).map(drop))?;
    }
    Ok(())
}

fn in_threads(threads: u32, work: impl Fn() -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    thread::scope(|scope| {
        let working: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        working.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow::anyhow!("a thread panicked"))?)
    })
}

/// Sends a request on a connection of its own; the beginning of the answer, with its headers.
fn ask(address: SocketAddr, request: &[u8]) -> anyhow::Result<String> {
    let mut connection = TcpStream::connect(address)?;
    connection.set_read_timeout(Some(Duration::from_secs(30)))?;
    // The server may have refused and hung up before it has read everything.
    let _ = connection.write_all(request);
    let mut beginning = [0; 2_048];
    let read = connection.read(&mut beginning).unwrap_or(0);
    Ok(String::from_utf8_lossy(beginning.get(..read).unwrap_or_default()).into_owned())
}

fn wait_for(over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
    }
}

//! What calls that wait for the next change cost: the memory of as many as a process takes, and what another caller notices of them.

use std::thread;
use std::time::Duration;

use anyhow::Context as _;

use crate::drive::get_purchase;
use crate::http::{self, Client};
use crate::load::Database;
use crate::measure::Run;
use crate::measure::abuse::{p99, raise_descriptors};
use crate::report::{Figure, Report, Target, Unit};
use crate::server::{Running, Server};

/// As many as a process takes by default.
const WAITERS: usize = 4_096;
/// The longest wait of a call.
const WAIT_SECONDS: u32 = 25;
/// Sent at once. Until it waits a call is one of the 64 of its workspace that work.
const AT_ONCE: usize = 16;
/// Until calls that were sent at once wait.
const PAUSE: Duration = Duration::from_millis(50);
/// 16 kB for each.
const MOST_MEGABYTES: f64 = 65.5;

pub(super) fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    raise_descriptors()?;
    let server = Server::tradepost(&run.places, database).start()?;
    let quiet = p99(run, database, &server)?.0;
    let mut clients = connected(database, &server)?;
    let (_, without) = p99(run, database, &server)?;
    let request = waiting_call(database, &mut clients)?;
    for some in clients.chunks_mut(AT_ONCE) {
        some.iter_mut().try_for_each(|client| client.send(&request))?;
        thread::sleep(PAUSE);
    }
    let (during, memory) = p99(run, database, &server)?;
    let answers = clients.iter_mut().map(changes).collect::<anyhow::Result<Vec<_>>>()?;
    anyhow::ensure!(answers.iter().all(|changes| *changes == 0), "a call did not wait until its time was over");
    server.stop()?;
    let name = database.backend.name();
    report.add(Figure {
        what: format!("{name}: additional anonymous memory of {WAITERS} waiting calls"),
        target: Target::AtMost(MOST_MEGABYTES),
        value: memory - without,
        unit: Unit::Megabytes,
        details: format!("{memory:.0} MB; {without:.0} MB with as many connections that had one call each"),
    });
    report.add(Figure {
        what: format!("{name}: p99 of others alongside {WAITERS} waiting calls"),
        target: Target::AtMost(2.0 * quiet + 20.0),
        value: during,
        unit: Unit::Milliseconds,
        details: format!("{quiet:.1} ms in quiet"),
    });
    Ok(())
}

/// Connections, each of which had a call: the memory of a connection is not that of a call that waits.
fn connected(database: &Database, server: &Running) -> anyhow::Result<Vec<Client>> {
    let request = get_purchase(database.workspace, 0);
    (0..WAITERS)
        .map(|_| {
            let mut client = Client::connect(server.address)?;
            client.call(&request)?;
            Ok(client)
        })
        .collect()
}

/// The call that waits for what comes after the present end.
fn waiting_call(database: &Database, clients: &mut [Client]) -> anyhow::Result<Vec<u8>> {
    let workspace = http::wire(database.workspace);
    let watch = |fields: &str| {
        let body = format!(r#"{{"workspaceId":"{workspace}",{fields}}}"#);
        http::request("contracts.v1.Contracts/WatchTransitions", &body)
    };
    let end = clients.first_mut().context("no connection")?.json(&watch(r#""fromEnd":true"#))?;
    let after = end.get("lastTransitionId").and_then(|id| id.as_str()).unwrap_or_default();
    Ok(watch(&format!(r#""afterTransitionId":"{after}","waitSeconds":{WAIT_SECONDS}"#)))
}

/// How many changes the awaited answer has.
fn changes(client: &mut Client) -> anyhow::Result<usize> {
    let answer: serde_json::Value = serde_json::from_slice(client.receive()?)?;
    Ok(answer.get("transitions").and_then(|changes| changes.as_array()).map_or(0, Vec::len))
}

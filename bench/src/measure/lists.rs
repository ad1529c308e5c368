//! What must not depend on how much there is: the last page of a list, and the counters.

use std::time::Instant;

use anyhow::Context as _;

use crate::data::{MOST_FREQUENT, Sizes};
use crate::http::{self, Client};
use crate::load::Database;
use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::Server;

const PAGE: usize = 100;
/// Pairs of calls in a round.
const CALLS: u32 = 200;
/// "Does not grow", with room for noise.
pub(super) const SAME: Target = Target::AtMost(1.5);

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let server = Server::tradepost(&run.places, database).start()?;
    let mut client = Client::connect(server.address)?;
    let (first, last, pages) = pages(&mut client, database)?;
    let (ratio, micros) = compare(run, |which| client.call(if which == 0 { &first } else { &last }).map(drop))?;
    report.add(Figure {
        what: format!("{}: ListPurchases by status, last page against first", database.backend.name()),
        target: Target::AtMost(1.5),
        value: ratio,
        unit: Unit::Ratio,
        details: format!("{:.0} µs; first page {:.0} µs; {pages} pages of {PAGE}", micros[1], micros[0]),
    });
    counters(run, database, &mut client, report).await?;
    server.stop()
}

/// The requests of the first and of the last full page, and how many pages there are.
fn pages(client: &mut Client, database: &Database) -> anyhow::Result<(Vec<u8>, Vec<u8>, u32)> {
    let workspace = http::wire(database.workspace);
    let page = |cursor: &str| {
        let body = format!(
            r#"{{"workspaceId":"{workspace}","limit":{PAGE},"status":"PURCHASE_STATUS_{MOST_FREQUENT}","cursor":"{cursor}"}}"#
        );
        http::request("contracts.v1.Contracts/ListPurchases", &body)
    };
    let first = page("");
    let (mut last, mut pages) = (first.clone(), 0);
    let mut next = first.clone();
    loop {
        let answer = client.json(&next)?;
        let ids = answer.get("purchaseIds").and_then(|ids| ids.as_array()).context("no purchaseIds")?;
        if ids.len() == PAGE {
            last = next;
        }
        pages += 1;
        match answer.get("nextCursor").and_then(|cursor| cursor.as_str()) {
            Some(cursor) if !cursor.is_empty() => next = page(cursor),
            _ => return Ok((first, last, pages)),
        }
    }
}

async fn counters(run: &Run, full: &Database, client: &mut Client, report: &mut Report) -> anyhow::Result<()> {
    let small = Database::prepared(&run.places, full.backend, Sizes::SMALL).await?.copied(&run.places).await?;
    let server = Server::tradepost(&run.places, &small).start()?;
    let mut little = Client::connect(server.address)?;
    for (operation, scoped, target) in [
        ("accounts.v1.Accounts/CountMemberships", false, SAME),
        ("accounts.v1.Accounts/CountAPIKeys", true, Target::AtMost(1.1)),
        ("contracts.v1.Contracts/CountPurchases", true, SAME),
    ] {
        let request = |database: &Database| {
            let workspace = http::wire(database.workspace);
            let body = if scoped { format!(r#"{{"workspaceId":"{workspace}"}}"#) } else { "{}".to_owned() };
            http::request(operation, &body)
        };
        let (on_little, on_much) = (request(&small), request(full));
        let (ratio, micros) =
            compare(
                run,
                |which| {
                    if which == 0 { little.call(&on_little).map(drop) } else { client.call(&on_much).map(drop) }
                },
            )?;
        let name = operation.rsplit('/').next().unwrap_or(operation);
        report.add(Figure {
            what: format!("{}: {name} on all data against {} purchases", full.backend.name(), small.sizes.purchases),
            target,
            value: ratio,
            unit: Unit::Ratio,
            details: format!("{:.0} µs; on little data {:.0} µs", micros[1], micros[0]),
        });
    }
    server.stop()
}

/// How much longer call 1 takes than call 0, and how long each takes in microseconds: medians of rounds in which they take
/// turns.
pub(super) fn compare(run: &Run, mut call: impl FnMut(usize) -> anyhow::Result<()>) -> anyhow::Result<(f64, [f64; 2])> {
    let mut rounds = Vec::new();
    for _ in 0..run.rounds {
        let mut took = [Vec::new(), Vec::new()];
        for _ in 0..CALLS {
            for (which, took) in took.iter_mut().enumerate() {
                let begun = Instant::now();
                call(which)?;
                took.push(begun.elapsed().as_secs_f64() * 1e6);
            }
        }
        rounds.push(took.map(median));
    }
    let ratio = median(rounds.iter().map(|[zero, one]| one / zero));
    Ok((ratio, [0, 1].map(|which| median(rounds.iter().map(|round| round[which])))))
}

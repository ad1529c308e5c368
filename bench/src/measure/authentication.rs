//! What finding out who calls costs, of a key that was seen lately, compared with what a whole GetPurchase costs.

use std::time::Instant;

use anyhow::Context as _;
use tradepost::Tradepost;

use crate::load::{Database, ROOT_SECRET};
use crate::measure::{Run, get};
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::API_KEY;

const CALLS: u32 = 200_000;

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let whole = get::micros_per_request(run, database)?;
    let app = Tradepost::builder()
        .database_url(&database.url)
        .root_secret_file(database.folder.join(ROOT_SECRET))
        .build()
        .await
        .context("the database does not open in process")?;
    let mut part = Vec::new();
    for _ in 0..run.rounds {
        app.operations().authenticate(API_KEY, None).await?;
        let begun = Instant::now();
        for _ in 0..CALLS {
            app.operations().authenticate(API_KEY, None).await?;
        }
        part.push(begun.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
    }
    app.shutdown().await?;
    let part = median(part);
    report.add(Figure {
        what: format!("{}: finding out who calls, of GetPurchase", database.backend.name()),
        target: Target::AtMost(0.05),
        value: part / whole,
        unit: Unit::Ratio,
        details: format!("{part:.2} µs of {whole:.0} µs of processor"),
    });
    Ok(())
}

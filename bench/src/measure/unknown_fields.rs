//! What the refusal of unknown fields costs a GetPurchase: the check of the JSON, which runs before the JSON is decoded, as a part of the whole
//! call. In process, because the header that accepts unknown fields skips no part of the check.

use std::hint::black_box;
use std::time::Instant;

use tradepost::transport::has_only_known_names;

use crate::drive::{GET_PURCHASE, get_purchase_body};
use crate::load::Database;
use crate::measure::{Run, get};
use crate::report::{Figure, Report, Target, Unit, median};

/// Different ones, so that the processor does not learn one by heart.
const BODIES: u32 = 1_000;
/// How often each is checked in a round.
const REPEATS: u32 = 200;

pub(super) fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let whole = get::micros_per_request(run, database)?;
    let path = format!("/{GET_PURCHASE}");
    let bodies: Vec<String> = (0..BODIES).map(|number| get_purchase_body(database.workspace, number)).collect();
    anyhow::ensure!(!has_only_known_names(&path, br#"{"workspace":""}"#), "an unknown field is not found");
    let mut part = Vec::new();
    for _ in 0..run.rounds {
        let begun = Instant::now();
        for body in (0..REPEATS).flat_map(|_| &bodies) {
            anyhow::ensure!(
                has_only_known_names(black_box(path.as_str()), black_box(body.as_bytes())),
                "refused: {body}"
            );
        }
        part.push(begun.elapsed().as_secs_f64() * 1e6 / f64::from(BODIES * REPEATS));
    }
    let part = median(part);
    report.add(Figure {
        what: format!("{}: GetPurchase with the refusal of unknown fields against without", database.backend.name()),
        target: Target::AtLeast(0.95),
        value: (whole - part) / whole,
        unit: Unit::Ratio,
        details: format!("{part:.2} µs of {whole:.0} µs of processor; 0.95 and more is within the noise of two runs"),
    });
    Ok(())
}

//! `tradepost sim`: the simulated marketplace and game platform, as a process of its own or for one run of a scenario.

mod foreign_currency;
mod report;
mod run;
pub(crate) mod scenarios;

use std::path::Path;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use tradepost_adapters_simulator::{Beginning, FolderError, ServiceError, Settings, WorldCommand, WorldFolder, serve};

use crate::banner::Banner;
use crate::cli::Console;
use crate::cli::sim::{Sim, SimAction, SimRun, SimServe};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;
use crate::process::{host, log, signals};
use crate::settings::Loaded;

use report::Report;
use run::Run;
use scenarios::SCENARIOS;

/// The seed of a world for which none is asked.
const SEED: u64 = 42;

/// Does what is asked of the simulator.
pub(crate) async fn run(loaded: Loaded, sim: Sim, console: Console) -> Outcome {
    match sim.action {
        SimAction::Serve(wanted) => {
            let deeds = check(&wanted)?;
            let _log = log::begin(&loaded)?;
            signals::heed(|stop| serve_world(wanted, deeds, console.quiet, stop)).await
        }
        // Nothing of it is for a log.
        SimAction::Run(wanted) => signals::heed(|stop| run_scenario(wanted, console, stop)).await,
        SimAction::Scenarios => {
            let rows = SCENARIOS.iter().map(|one| vec![one.name.to_owned(), one.about.to_owned()]).collect();
            let named = SCENARIOS.iter().map(|one| json!({ "name": one.name, "about": one.about }));
            output_format::print(
                console.output,
                &["NAME", "WHAT GOES WRONG"],
                rows,
                &json!({ "scenarios": named.collect::<Vec<_>>() }),
            );
            Ok(())
        }
    }
}

/// Whether it could be served so, as far as that can be checked before anything is opened or made. Gives the scenario.
fn check(wanted: &SimServe) -> Outcome<Vec<WorldCommand>> {
    if !wanted.listen.ip().is_loopback() {
        return Err(Failure::new(Exit::Usage, format!("a simulated world is not served on {}", wanted.listen))
            .because("every client that reaches it can change it, so it serves only this machine")
            .with_try(format!("tradepost sim serve --listen 127.0.0.1:{}", wanted.listen.port())));
    }
    wanted.scenario.as_deref().map_or_else(|| Ok(Vec::new()), scenario)
}

/// Trades, prints what came of it, and fails if ledger and marketplace differ.
async fn run_scenario(wanted: SimRun, console: Console, stop: CancellationToken) -> Outcome {
    let folder = tempfile::Builder::new().prefix("tradepost-sim-").tempdir();
    let folder = folder.map_err(|error| Failure::new(Exit::Failed, "cannot make a temporary folder").because(error))?;
    let mut run = Run::open(folder.path(), &wanted).await?;
    let traded = run.trade(&wanted, console.quiet, &stop).await;
    let report = match traded {
        Ok(()) => Report::of(&run, &wanted).await,
        Err(failure) => Err(failure),
    };
    let ended = host::end(&run.app).await;
    let report = report?;
    report.print(console.output);
    ended.and(report.verdict())
}

/// Serves a world until it is asked to stop.
async fn serve_world(wanted: SimServe, deeds: Vec<WorldCommand>, quiet: bool, stop: CancellationToken) -> Outcome {
    let elsewhere = |address| format!("tradepost sim serve --listen {address}");
    let listener = host::bind_or_advise(wanted.listen, elsewhere).await?;
    let address = host::address_of(&listener)?;
    let folder = open(&wanted, deeds)?;
    let url = format!("http://{address}");
    tracing::info!(%url, seed = folder.seed(), speed = wanted.speed, "serving a simulated world");
    announce(&wanted, &folder, &url, quiet);
    serve(listener, folder, wanted.speed, stop.cancelled_owned()).await.map_err(|error| match error {
        ServiceError::Folder(error) => unusable(&wanted.data, &error),
        ServiceError::NotLoopback(_) | ServiceError::Listener(_) => {
            Failure::new(Exit::Failed, "the simulator failed").because(error)
        }
    })
}

fn scenario(file: &Path) -> Outcome<Vec<WorldCommand>> {
    let text = std::fs::read(file).map_err(|error| {
        Failure::new(Exit::Usage, format!("cannot read the scenario {}: {error}", file.display()))
            .with_try("name a file that this user may read: --scenario FILE")
    })?;
    serde_json::from_slice(&text).map_err(|error| {
        Failure::new(Exit::Usage, format!("{} is not a scenario", file.display()))
            .because(error)
            .with_try("a JSON list, as tradepost sim serve --help shows it")
    })
}

fn open(wanted: &SimServe, deeds: Vec<WorldCommand>) -> Outcome<WorldFolder> {
    let seed = wanted.seed.unwrap_or(SEED);
    let usual = Settings::default();
    let settings = Settings { start: wanted.start.unwrap_or(usual.start), ..usual };
    let beginning = Beginning { seed, settings, deeds };
    let folder = WorldFolder::open(&wanted.data, &beginning).map_err(|error| unusable(&wanted.data, &error))?;
    if wanted.seed.is_some_and(|seed| seed != folder.seed()) {
        let what = format!("the world in {} has the seed {}", wanted.data.display(), folder.seed());
        return Err(Failure::new(Exit::Usage, what)
            .because("the seed of a world is that with which it began")
            .with_try("leave --seed out to go on with this world")
            .with_try("or begin another one in another folder: --data DIR"));
    }
    if wanted.scenario.is_some() && !folder.is_new() {
        tracing::info!("the world began before, so the scenario is left out");
    }
    Ok(folder)
}

fn unusable(data: &Path, error: &FolderError) -> Failure {
    let failure = Failure::new(Exit::Unavailable, format!("cannot use the world in {}", data.display())).because(error);
    match error {
        FolderError::Taken(_) => failure.with_try("stop the other process, or name another folder: --data DIR"),
        FolderError::Unusable { .. } | FolderError::Closed(_) => {
            failure.with_try("check that the disk has room and that this user may write there")
        }
        FolderError::Damaged { .. } => {
            failure.with_try("put a copy of the folder in its place, or begin another world: --data DIR")
        }
    }
}

fn announce(wanted: &SimServe, folder: &WorldFolder, url: &str, quiet: bool) {
    let now = folder.world().now().to_string();
    let mut banner = Banner::default();
    banner.fact("data", &wanted.data.display().to_string());
    banner.fact("world", &format!("seed {}, {} times as fast as the clock, at {now}", folder.seed(), wanted.speed));
    banner.fact("url", &format!("{url}/call  /time  /health"));
    banner.text("Stop: Ctrl-C");
    let line = json!({ "baseUrl": url, "seed": folder.seed(), "speed": wanted.speed, "now": now });
    banner.show(quiet, &line);
}

//! The `tradepost` binary: reads flags and settings, runs one command, and ends with an exit code that scripts can read.
//!
//! Everything process-wide lives here and not in the library: the environment, signals, the log, the metrics recorder.

mod assembly;
mod banner;
mod bootstrap;
mod call;
mod cli;
mod demo;
mod failure;
mod host;
mod log;
mod metrics;
mod serve;
mod settings;
mod signals;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use cli::{Cli, Command};
use failure::{Exit, Failure, Outcome};
use settings::Environment;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            anstream::eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

fn run(cli: Cli) -> Outcome {
    if let Some(Command::Completions { shell }) = cli.command {
        clap_complete::generate(shell, &mut Cli::command(), "tradepost", &mut io::stdout());
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Failed, "cannot start").because(error))?;
    runtime.block_on(perform(cli))
}

async fn perform(mut cli: Cli) -> Outcome {
    let flags = cli.settings();
    let load = || settings::load(cli.global.config.clone(), flags, &Environment::of_process());
    match cli.command.take().unwrap_or(Command::Serve(cli::Serve::default())) {
        Command::Serve(_) => serve::run(load()?, cli.global.quiet).await,
        Command::Demo(demo) => demo::run(load()?, demo, cli.global.quiet).await,
        Command::Call(call) => call::run(call).await,
        _ => Ok(()),
    }
}

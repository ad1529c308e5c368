//! The `tradepost` binary: reads flags and settings, runs one command, and ends with an exit code that scripts can read.
//!
//! Everything process-wide lives here and not in the library: the environment, signals, the log, the metrics recorder.

mod assembly;
mod backup;
mod banner;
mod bootstrap;
mod breached;
mod call;
mod cli;
mod client;
mod demo;
mod doctor;
mod failure;
mod keys;
mod live_display;
mod migrate;
mod output_format;
mod process;
mod progress;
mod sample_records;
mod serve;
mod settings;
mod sim;
mod simulated;
mod trading;
mod users;

use std::process::ExitCode;

use cli::webhook::Webhook;
use cli::{Cli, Command, Console};
use failure::{Exit, Failure, Outcome};
use settings::Environment;

/// Most of what is allocated for a call is freed by another thread, that of the database driver among them; the
/// allocator of the C library makes them wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Err(error) = process::core_dumps::forbid() {
        anstream::eprintln!("warning: a crash may leave secrets in a core file: {error}");
    }
    match run(Cli::read()).and_then(|()| output_format::written()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            anstream::eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

fn run(cli: Cli) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Failed, "cannot start").because(error))?;
    let done = runtime.block_on(perform(cli));
    // What was dropped half done, such as hashing a password, must not hold up the end.
    runtime.shutdown_background();
    done
}

async fn perform(mut cli: Cli) -> Outcome {
    let command = cli.command.take().unwrap_or(Command::Serve(cli.serve));
    let flags = cli.global.settings(&command);
    let has_database = cli.global.database.is_some();
    let config = cli.global.config;
    let console = Console { output: cli.global.output, quiet: cli.global.quiet };
    let Console { output, quiet } = console;
    let load = move || settings::load(config.clone(), flags.clone(), &Environment::of_process());
    match command {
        Command::Serve(_) => serve::run(load, quiet).await,
        Command::Demo(_) if has_database => Err(Failure::new(Exit::Usage, "the demo takes no --database")
            .because("it makes a database of its own and never touches another")
            .with_try("keep that one: tradepost demo --keep DIR")),
        Command::Demo(demo) => demo::run(load()?, demo, quiet).await,
        Command::Migrate => migrate::run(load()?, output).await,
        Command::Key(key) => keys::run(load()?, key, output).await,
        Command::User(user) => users::run(load()?, user, output).await,
        Command::BreachedPasswords(list) => breached::run(&list, console),
        Command::Backup(backup) => backup::run(load()?, backup, console).await,
        Command::Restore(restore) => backup::restore::run(load()?, restore, output).await,
        Command::Move(command) => backup::moving::run(load()?, command, console).await,
        Command::Doctor(doctor) => doctor::run(load()?, doctor.deep, console).await,
        Command::Healthcheck(healthcheck) => client::healthcheck::run(load, healthcheck, quiet).await,
        Command::Sim(sim) => sim::run(load()?, sim, console).await,
        Command::Call(call) => call::run(call).await,
        Command::Webhook(command) => match *command {
            Webhook::Listen(listen) => client::listen(listen, output).await,
            Webhook::Verify(verify) => client::webhook::verify(&verify, output),
        },
        Command::Client(command) => client::run(*command, output).await,
        Command::Schema => {
            output_format::line(&client::desk::schema::text());
            Ok(())
        }
        Command::Records(call) => client::perform(*call, output).await,
        Command::Man { folder } => cli::manual::write_pages(&folder),
        Command::Completions { shell } => cli::manual::print_completions(shell),
    }
}

//! `tradepost move`: moves all data from a SQLite file into the PostgreSQL database that the settings name.

use std::path::{Path, PathBuf};

use serde_json::json;
use tradepost::SystemClock;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::store::StoreError;
use tradepost::sql::{DatabaseSettings, Move, MoveError, MoveProgress, Moved, SqliteSettings, moved_away};

use crate::cli::{Console, MoveFile};
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Loaded;
use crate::{assembly, output_format, progress};

/// Moves, and says what was done and what comes next.
pub(crate) async fn run(loaded: Loaded, command: MoveFile, console: Console) -> Outcome {
    let DatabaseSettings::Postgres(target) = assembly::database(&loaded)? else { return Err(not_on_postgres()) };
    let file = existing(&command.file)?;
    let _lock = assembly::lock_for_replacing(&file)?;
    let moving = Move {
        source: SqliteSettings::at(file),
        target,
        fingerprints: super::fingerprints(&loaded)?,
        at: SystemClock.now(),
    };
    let bar = progress::bar(console.quiet, 0, "  {bar:40} {human_pos} of {human_len} rows {msg}");
    let moved = moving.run(|come_to| {
        let (rows, of, message) = match come_to {
            MoveProgress::Copied { rows, of } => (rows, of, "copied".to_owned()),
            MoveProgress::Checked { rows, of, indexes } => (rows, of, format!("compared, {indexes} indexes built")),
            MoveProgress::Renamed => return,
        };
        bar.set_message(message);
        bar.set_length(of);
        bar.set_position(rows);
    });
    let moved = moved.await;
    drop(bar);
    let moved = moved.map_err(|error| failed(&loaded, &moving, error))?;
    output_format::say(console.output, &sentence(&moving, &moved), &described(&moving, &moved));
    if console.output.is_for_people() {
        anstream::eprintln!("Check it with tradepost doctor --deep, then start the server: tradepost");
        anstream::eprintln!("Keep the root secret: it is the same one. Remove the old file once nothing needs it.");
    }
    Ok(())
}

/// The file itself, behind links: its real name is the one that is taken from it.
fn existing(file: &Path) -> Outcome<PathBuf> {
    if let Some(file) = file.canonicalize().ok().filter(|file| file.is_file()) {
        return Ok(file);
    }
    let missing = Failure::new(Exit::Unavailable, format!("there is no database {}", file.display()));
    Err(match moved_away(file) {
        Some(moved) => missing
            .because("a move has renamed it already")
            .with_try(format!("if the new database is not usable yet, continue: tradepost move {}", moved.display())),
        None => missing.with_try("name the SQLite file, which is data/tradepost.db unless you chose another"),
    })
}

fn sentence(moving: &Move, moved: &Moved) -> String {
    let resumed = match moved.resumed_at {
        Some(rows) => format!(" An earlier move had copied {rows} of them."),
        None => String::new(),
    };
    format!(
        "Moved {} rows of {} tables from {}, and compared each.{resumed}\nThe old file is {}.",
        moved.rows,
        moved.tables,
        moving.source.path.display(),
        moved.kept.display()
    )
}

fn described(moving: &Move, moved: &Moved) -> serde_json::Value {
    json!({
        "file": moving.source.path.display().to_string(),
        "tables": moved.tables,
        "rows": moved.rows,
        "resumedAt": moved.resumed_at,
        "kept": moved.kept.display().to_string(),
    })
}

fn not_on_postgres() -> Failure {
    Failure::new(Exit::Usage, "move needs a PostgreSQL database to move the data into")
        .because("the setting database.url names a SQLite file")
        .with_try("name the new database: TRADEPOST_DATABASE__URL_FILE=/etc/tradepost/database-url")
        .with_try("the whole procedure is in docs/how-to/use-postgresql.md")
}

fn failed(loaded: &Loaded, moving: &Move, error: MoveError) -> Failure {
    let file = moving.source.path.display();
    let again = format!("run the same command again; it continues where it ended: tradepost move {file}");
    let refused = || Failure::new(Exit::Failed, format!("{file} was not moved"));
    let unavailable = || Failure::new(Exit::Unavailable, format!("{file} was not moved"));
    match error {
        MoveError::Target(
            error @ (StoreError::Unavailable(_)
            | StoreError::Unknown(_)
            | StoreError::Conflict
            | StoreError::Overloaded),
        ) => assembly::storage_failure(loaded, &error).with_try(again),
        MoveError::Target(_) => refused()
            .because(error)
            .with_try("the file has all data: drop the new database, and start the server on the file")
            .with_try("report this with the words above"),
        MoveError::Source(_) => unavailable()
            .because(error)
            .with_try("end other tradepost commands that have the file open")
            .with_try(format!("check the file: tradepost doctor --deep --database sqlite://{file}")),
        MoveError::Empty => refused().because(error).with_try("name the SQLite file of the server"),
        MoveError::SourceSchema(_) => refused()
            .because(error)
            .with_try(format!("bring its schema up to date first: tradepost migrate --database sqlite://{file}")),
        MoveError::OtherRootSecret(_) => refused()
            .because(format!("{error}: without it keys and sealed secrets would not open"))
            .with_try("name that root secret with the setting secret.root_file"),
        MoveError::TargetSchema(_) => {
            refused().because(error).with_try("make an empty database with createdb, and name it in database.url")
        }
        MoveError::NotEmpty(_) => refused()
            .because(error)
            .with_try("make an empty database with createdb, and name it in database.url")
            .with_try("start no server on it before the move"),
        MoveError::Busy => {
            unavailable().because(error).with_try("wait for it, or end it and run the same command again")
        }
        MoveError::SourceChanged(_) => refused()
            .because(format!("{error}: a server ran on the file in between"))
            .with_try("drop the new database, make it again with createdb, and run the same command again"),
        MoveError::Differs(_) => refused()
            .because(format!("{error}: the server, or its disk, changed what it was sent"))
            .with_try("drop the new database, check the server, and move into a new one"),
        MoveError::Renaming { .. } => {
            Failure::new(Exit::Failed, "the old file still has its name").because(error).with_try(format!(
                "make its folder writable for this user, and run the same command again: tradepost move {file}"
            ))
        }
    }
}

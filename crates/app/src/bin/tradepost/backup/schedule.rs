//! Backups that `serve` makes by itself: when, into which folder, how many are kept, and the command that copies each off the
//! machine. A failure is logged, counted and found by `doctor`; the server goes on.

use std::process::Stdio;
use std::time::Duration as StdDuration;
use std::time::UNIX_EPOCH;

use time::Duration;
use tokio::process::Command;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tradepost::SystemClock;
use tradepost::domain::time::Timestamp;
use tradepost::ports::clock::Clock as _;
use tradepost::sql::{BackupFolder, ScheduledBackup};

use crate::assembly;
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::{Environment, Loaded, span};

/// How often it is checked whether a backup is due.
const LOOKING: StdDuration = StdDuration::from_mins(1);
/// How long after a failure the next attempt is made.
const RETRY_AFTER: Duration = Duration::minutes(10);
/// How long the command may take.
const COPIED_WITHIN: StdDuration = StdDuration::from_hours(1);
/// How much of what the command wrote to stderr is shown.
const SHOWN: usize = 500;
/// The last success, as seconds since 1970.
const LAST_SUCCESS: &str = "tradepost_backup_last_success_timestamp_seconds";
/// Failures by step: `backup` or `copy`.
const FAILURES: &str = "tradepost_backup_failures_total";
/// 1 while the latest backup is not copied off the machine, else 0.
const NOT_COPIED: &str = "tradepost_backup_not_copied";

/// When backups are made, and what is done with them.
pub(crate) struct Schedule {
    pub(crate) folder: BackupFolder,
    pub(crate) every: Duration,
    pub(crate) after: Option<String>,
    keep: usize,
}

impl Schedule {
    /// The schedule that the settings name, if they name one.
    pub(crate) fn of(loaded: &Loaded) -> Outcome<Option<Self>> {
        let backup = &loaded.settings.backup;
        let Some(folder) = &backup.folder else { return Ok(None) };
        let Some(database) = loaded.settings.database.sqlite_file() else {
            let rule = "has an effect on SQLite only";
            return Err(loaded.wrong(
                "backup.folder",
                rule,
                "remove it, and back PostgreSQL up as docs/backups.md says",
            ));
        };
        let every = span::parse(&backup.every).filter(|every| *every >= Duration::minutes(1)).ok_or_else(|| {
            let rule = format!("cannot be {:?}: it is a number and d, h or m", backup.every);
            loaded.wrong("backup.every", rule, "give it as 24h, 30m or 7d; the shortest is 1m")
        })?;
        if backup.keep == 0 {
            return Err(loaded.wrong(
                "backup.keep",
                "must be at least 1",
                "give the number of backups to keep, such as 14",
            ));
        }
        if backup.after.as_ref().is_some_and(|command| !command.contains("$1")) {
            let advice = r#"use it as the shell does: backup.after = 'rclone copy "$1" offsite:tradepost'"#;
            return Err(loaded.wrong("backup.after", r#"must name the backup as "$1""#, advice));
        }
        let keep = usize::try_from(backup.keep).unwrap_or(usize::MAX);
        Ok(Some(Self { folder: BackupFolder::new(folder, &database), every, after: backup.after.clone(), keep }))
    }

    fn is_due(&self, now: Timestamp) -> Outcome<bool> {
        let made = self.folder.list().map_err(|error| unusable(&error))?;
        Ok(made.last().is_none_or(|newest| newest.is_at_or_before(now.plus(-self.every))))
    }

    /// Makes one, verifies it, and removes the oldest beyond those that are kept.
    async fn make(&self, loaded: &Loaded) -> Outcome<ScheduledBackup> {
        assembly::make_folder(loaded.settings.backup.folder.as_deref())?;
        self.folder.clear_unfinished().map_err(|error| unusable(&error))?;
        let store = super::open(loaded).await?;
        let backup = self.folder.at(SystemClock.now());
        let made = store.backup_to(backup.path(), |_| ()).await;
        let closed = store.close().await.map_err(|error| assembly::storage_failure(loaded, &error));
        let made = made.map_err(|error| super::failed(loaded, error))?;
        closed?;
        super::check_root_secret(loaded, &made)?;
        tracing::info!(file = %backup.path().display(), items = made.chains.items, "backup made and verified");
        for old in self.folder.rotate(self.keep).map_err(|error| unusable(&error))? {
            tracing::info!(file = %old.display(), "old backup removed");
        }
        Ok(backup)
    }

    /// Has the backup copied off the machine. Until that has succeeded it is noted in the folder.
    async fn copy_off(&self, backup: &ScheduledBackup) {
        let Some(command) = &self.after else { return };
        let copied = match backup.note_not_copied("the command has not ended") {
            Ok(()) => run(command, backup).await,
            Err(error) => Err(error.to_string()),
        };
        let noted = match &copied {
            Ok(()) => backup.note_copied(),
            Err(reason) => backup.note_not_copied(reason),
        };
        let file = backup.path().display();
        match copied.and_then(|()| noted.map_err(|error| error.to_string())) {
            Ok(()) => tracing::info!(%file, "backup copied off the machine"),
            Err(reason) => {
                metrics::counter!(FAILURES, "step" => "copy").increment(1);
                tracing::error!(%file, reason, "backup not copied off the machine");
            }
        }
    }

    /// Copies the latest backup where an earlier process did not.
    async fn catch_up(&self) -> Outcome {
        let made = self.folder.list().map_err(|error| unusable(&error))?;
        let Some(newest) = made.last() else { return Ok(()) };
        if newest.why_not_copied().map_err(|error| unusable(&error))?.is_some() {
            self.copy_off(newest).await;
        }
        Ok(())
    }

    fn publish_metrics(&self) -> Outcome {
        let made = self.folder.list().map_err(|error| unusable(&error))?;
        let Some(newest) = made.last() else { return Ok(()) };
        let modified = newest.path().metadata().and_then(|file| file.modified()).map_err(|error| unusable(&error))?;
        metrics::gauge!(LAST_SUCCESS).set(modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64());
        let not_copied = newest.why_not_copied().map_err(|error| unusable(&error))?.is_some();
        metrics::gauge!(NOT_COPIED).set(u8::from(not_copied));
        Ok(())
    }
}

/// Makes backups by the schedule until stopped. One that is being made by then is abandoned, and cleared away by the next.
pub(crate) async fn follow(loaded: &Loaded, stop: CancellationToken) -> Outcome {
    let Some(schedule) = Schedule::of(loaded)? else { return Ok(()) };
    let making = async {
        log(schedule.catch_up().await);
        let mut ticks = interval(LOOKING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut not_before = Timestamp::MIN;
        loop {
            ticks.tick().await;
            let now = SystemClock.now();
            let due = if now < not_before { Ok(false) } else { schedule.is_due(now) };
            let made = match due {
                Ok(true) => schedule.make(loaded).await.map(Some),
                Ok(false) => Ok(None),
                Err(failure) => Err(failure),
            };
            if let Ok(Some(backup)) = &made {
                schedule.copy_off(backup).await;
            }
            if let Err(failure) = made.and_then(|_| schedule.publish_metrics()) {
                not_before = now.plus(RETRY_AFTER);
                log(Err(failure));
            }
        }
    };
    stop.run_until_cancelled(Box::pin(making)).await;
    Ok(())
}

fn log(done: Outcome) {
    if let Err(failure) = done {
        metrics::counter!(FAILURES, "step" => "backup").increment(1);
        tracing::error!(failure = failure.in_short(), advice = failure.first_try(), "backup failed");
    }
}

fn unusable(error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot use the folder of backups: {error}"))
        .with_try("let this user write to the folder that backup.folder names")
}

/// Runs the command with the file. It gets the environment of the server without its settings, some of which are secrets.
async fn run(command: &str, backup: &ScheduledBackup) -> Result<(), String> {
    let file = std::path::absolute(backup.path()).map_err(|error| error.to_string())?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command, "sh"]).arg(file);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    for (setting, _) in Environment::of_process().starting_with("TRADEPOST_") {
        shell.env_remove(setting);
    }
    let ended = timeout(COPIED_WITHIN, shell.output()).await;
    let ended = ended.map_err(|_| format!("the command took more than {} s", COPIED_WITHIN.as_secs()))?;
    let ended = ended.map_err(|error| format!("the command cannot be run: {error}"))?;
    if ended.status.success() {
        return Ok(());
    }
    let words: String = String::from_utf8_lossy(&ended.stderr).trim().chars().take(SHOWN).collect();
    Err(format!("the command ended with {}: {words}", ended.status))
}

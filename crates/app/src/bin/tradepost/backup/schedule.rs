//! Backups that `serve` makes by itself: when, into which folder, how many are kept, and the command that copies each off the
//! machine. A failure is logged, counted and found by `doctor`; the server goes on.

use std::process::Stdio;
use std::time::Duration as StdDuration;
use std::time::UNIX_EPOCH;

use time::Duration;
use tokio::process::Command;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tradepost::SystemClock;
use tradepost::domain::time::Timestamp;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::metrics::{BACKUP_FAILURES, BACKUP_LAST_SUCCESS, BACKUP_NOT_COPIED};
use tradepost::sql::{Backup, BackupFolder, ScheduledBackup, SqlStore};

use crate::assembly;
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::{Environment, Loaded, span};

/// How often it is checked whether a backup is due.
const LOOKING: StdDuration = StdDuration::from_mins(1);
/// The time from a failed backup or copy to the next attempt.
const RETRY_AFTER: StdDuration = StdDuration::from_mins(10);
/// How long the command may take.
const COPIED_WITHIN: StdDuration = StdDuration::from_hours(1);
/// How much of what the command wrote to stderr is shown.
const SHOWN: usize = 500;

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
                "remove it, and back PostgreSQL up as docs/how-to/back-up-and-restore.md says",
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

    /// Makes a backup if the latest that the root secret opens is older than the interval.
    async fn back_up_if_due(&self, loaded: &Loaded) -> Outcome {
        let now = SystemClock.now();
        let latest = self.folder.latest(now).map_err(|error| unusable(&error))?;
        if latest.is_some_and(|latest| self.is_recent(&latest, now)) {
            return Ok(());
        }
        let made = self.make(loaded).await?;
        if self.after.is_some() {
            made.note_not_copied("it was just made").map_err(|error| unusable(&error))?;
        }
        Ok(())
    }

    /// Whether no other backup is due after this one.
    fn is_recent(&self, backup: &ScheduledBackup, now: Timestamp) -> bool {
        !backup.is_at_or_before(now.plus(-self.every))
    }

    /// Makes one, verifies it, and removes the oldest beyond those that are kept.
    async fn make(&self, loaded: &Loaded) -> Outcome<ScheduledBackup> {
        assembly::make_folder(loaded.settings.backup.folder.as_deref())?;
        self.folder.clear_unfinished().map_err(|error| unusable(&error))?;
        let store = super::open(loaded).await?;
        let now = SystemClock.now();
        let backup = self.folder.at(now);
        let made = self.copy(loaded, &store, &backup).await;
        let closed = store.close().await.map_err(|error| assembly::storage_failure(loaded, &error));
        let made = made?;
        closed?;
        if let Err(failure) = super::check_root_secret(loaded, made.fingerprint.as_deref()) {
            let aside = self.folder.set_aside(&backup).map_err(|error| unusable(&error))?;
            tracing::warn!(file = %aside.path().display(), "backup set aside: the root secret of the settings does not open it");
            return Err(failure);
        }
        tracing::info!(file = %backup.path().display(), items = made.chains.items, "backup made and verified");
        for old in self.folder.rotate(self.keep, now).map_err(|error| unusable(&error))? {
            tracing::info!(file = %old.display(), "old backup removed");
        }
        Ok(backup)
    }

    /// Copies the database into the folder. While the root secret opens no copy, there is one in an interval, as of backups that count.
    async fn copy(&self, loaded: &Loaded, store: &SqlStore, backup: &ScheduledBackup) -> Outcome<Backup> {
        let now = SystemClock.now();
        let aside = self.folder.latest_set_aside(now).map_err(|error| unusable(&error))?;
        if aside.is_some_and(|aside| self.is_recent(&aside, now)) {
            let needed = store.canary().await.map_err(|error| assembly::storage_failure(loaded, &error))?;
            super::check_root_secret(loaded, needed.as_deref())?;
        }
        store.backup_to(backup.path(), |_| ()).await.map_err(|error| super::failed(loaded, error))
    }

    /// Has the latest backup copied off the machine, if it was not. Returns whether it is there then.
    async fn copy_latest(&self) -> Outcome<bool> {
        let latest = self.folder.latest(SystemClock.now()).map_err(|error| unusable(&error))?;
        let (Some(command), Some(latest)) = (&self.after, latest) else { return Ok(true) };
        if latest.why_not_copied().map_err(|error| unusable(&error))?.is_none() {
            return Ok(true);
        }
        let file = latest.path().display();
        if let Err(reason) = run(command, &latest).await {
            metrics::counter!(BACKUP_FAILURES.name, "step" => "copy").increment(1);
            tracing::error!(%file, reason, "backup not copied off the machine");
            latest.note_not_copied(&reason).map_err(|error| unusable(&error))?;
            return Ok(false);
        }
        latest.note_copied().map_err(|error| unusable(&error))?;
        tracing::info!(%file, "backup copied off the machine");
        Ok(true)
    }

    fn publish_metrics(&self) -> Outcome {
        let latest = self.folder.latest(SystemClock.now()).map_err(|error| unusable(&error))?;
        let Some(latest) = latest else { return Ok(()) };
        let modified = latest.path().metadata().and_then(|file| file.modified()).map_err(|error| unusable(&error))?;
        metrics::gauge!(BACKUP_LAST_SUCCESS.name)
            .set(modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64());
        let not_copied = latest.why_not_copied().map_err(|error| unusable(&error))?.is_some();
        metrics::gauge!(BACKUP_NOT_COPIED.name).set(u8::from(not_copied));
        Ok(())
    }
}

/// Makes backups by the schedule until stopped. One that is being made by then is abandoned, and cleared away by the next.
pub(crate) async fn follow(loaded: &Loaded, stop: CancellationToken) -> Outcome {
    let Some(schedule) = Schedule::of(loaded)? else { return Ok(()) };
    let making = async {
        let mut ticks = interval(LOOKING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut backup_from, mut copy_from) = (Instant::now(), Instant::now());
        loop {
            ticks.tick().await;
            let now = Instant::now();
            if now >= backup_from
                && let Err(failure) = schedule.back_up_if_due(loaded).await
            {
                backup_from = now + RETRY_AFTER;
                log(&failure);
            }
            if now >= copy_from {
                let copied = schedule.copy_latest().await;
                let is_copied = copied.and_then(|is_copied| schedule.publish_metrics().map(|()| is_copied));
                if !is_copied.unwrap_or_else(|failure| {
                    log(&failure);
                    false
                }) {
                    copy_from = now + RETRY_AFTER;
                }
            }
        }
    };
    stop.run_until_cancelled(making).await;
    Ok(())
}

fn log(failure: &Failure) {
    metrics::counter!(BACKUP_FAILURES.name, "step" => "backup").increment(1);
    tracing::error!(failure = failure.in_short(), advice = failure.first_try(), "backup failed");
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tradepost::auth::RootSecret;

    use super::*;
    use crate::backup::fingerprint;
    use crate::settings;

    /// The settings of a server with a schedule, whose database belongs to the root secret in the folder.
    async fn installed(folder: &Path) -> Loaded {
        let path = |name: &str| folder.join(name).display().to_string();
        let environment = Environment::from([
            ("TRADEPOST_DATABASE__URL", format!("sqlite://{}", path("tradepost.db")).as_str()),
            ("TRADEPOST_BACKUP__FOLDER", path("backups").as_str()),
        ]);
        let loaded = settings::load(None, Vec::new(), &environment).unwrap();
        let root = assembly::root_secret(&loaded).unwrap();
        let store = SqlStore::open(assembly::database(&loaded).unwrap()).await.unwrap();
        store.migrate().await.unwrap();
        assert!(store.keep_canary(root.canary()).await.unwrap());
        store.close().await.unwrap();
        loaded
    }

    /// The folder with a backup that was made an interval ago, so that the next one is due.
    async fn with_one_that_is_due(loaded: &Loaded) -> Schedule {
        let schedule = Schedule::of(loaded).unwrap().unwrap();
        schedule.back_up_if_due(loaded).await.unwrap();
        let now = SystemClock.now();
        let first = schedule.folder.latest(now).unwrap().unwrap();
        std::fs::rename(first.path(), schedule.folder.at(now.plus(-schedule.every)).path()).unwrap();
        schedule
    }

    /// Puts another root secret in the file; what was in it.
    fn replace_root_secret(folder: &Path) -> Vec<u8> {
        let file = folder.join("root-secret");
        let before = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        RootSecret::create(&file).unwrap();
        before
    }

    fn names(folder: &Path) -> Vec<String> {
        let files = std::fs::read_dir(folder.join("backups")).unwrap();
        let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_backup_fails_with_its_reason_once_another_root_secret_is_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = installed(folder.path()).await;
        let needed = assembly::existing_root_secret(&loaded).unwrap().canary();
        let schedule = with_one_that_is_due(&loaded).await;
        replace_root_secret(folder.path());
        let failure = schedule.back_up_if_due(&loaded).await.unwrap_err();
        let reason = format!(
            "the backup does not open under the root secret that the settings name: it belongs to the one with the \
             fingerprint {}",
            fingerprint(&needed)
        );
        assert_eq!(failure.in_short(), reason);
        let advice = "put that root secret back (setting secret.root_file), and keep a copy of it";
        assert_eq!(failure.first_try(), Some(advice));
    }

    #[tokio::test]
    async fn a_backup_that_the_root_secret_does_not_open_is_set_aside_and_displaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = installed(folder.path()).await;
        let schedule = with_one_that_is_due(&loaded).await;
        let good = names(folder.path());
        let before = replace_root_secret(folder.path());
        schedule.back_up_if_due(&loaded).await.unwrap_err();
        let with_one_aside = names(folder.path());
        assert_eq!((with_one_aside.len(), &with_one_aside[..1]), (2, good.as_slice()), "{with_one_aside:?}");
        assert!(with_one_aside[1].ends_with("Z.other-root-secret.db"), "{with_one_aside:?}");
        let latest = schedule.folder.latest(SystemClock.now()).unwrap().unwrap();
        assert!(latest.path().ends_with(&good[0]), "{latest:?}");

        // The next attempt fails as well, and makes no other copy of the same database.
        schedule.back_up_if_due(&loaded).await.unwrap_err();
        assert_eq!(names(folder.path()), with_one_aside);

        std::fs::write(folder.path().join("root-secret"), before).unwrap();
        schedule.back_up_if_due(&loaded).await.unwrap();
        assert_eq!(names(folder.path()).len(), 3, "{:?}", names(folder.path()));
        let latest = schedule.folder.latest(SystemClock.now()).unwrap().unwrap();
        let aside = schedule.folder.latest_set_aside(SystemClock.now()).unwrap().unwrap();
        assert!(!latest.path().ends_with(&good[0]) && !aside.is_after(&latest), "{latest:?}");
    }

    #[tokio::test]
    async fn one_backup_that_was_set_aside_stays_until_a_later_one_is_the_oldest() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = installed(folder.path()).await;
        let schedule = Schedule::of(&loaded).unwrap().unwrap();
        let now = SystemClock.now();
        let days_ago = |days| schedule.folder.at(now.plus(-Duration::days(days)));
        std::fs::create_dir(folder.path().join("backups")).unwrap();
        let write = |days| {
            let backup = days_ago(days);
            std::fs::write(backup.path(), "old").unwrap();
            backup
        };
        for days in [6, 5] {
            schedule.folder.set_aside(&write(days)).unwrap();
        }
        assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
        for days in [4, 3, 2] {
            write(days);
        }
        assert_eq!(schedule.folder.rotate(3, now).unwrap().len(), 1, "the oldest that stays is younger");
        write(1);
        assert_eq!(schedule.folder.rotate(3, now).unwrap(), [days_ago(4).path()]);
    }
}

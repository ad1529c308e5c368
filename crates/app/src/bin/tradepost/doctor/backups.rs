//! Whether scheduled backups are made, open under the root secret, and are copied off the machine.

use tradepost::SystemClock;
use tradepost::ports::clock::Clock as _;
use tradepost::sql::ScheduledBackup;

use super::Check;
use crate::backup::schedule::Schedule;
use crate::settings::Loaded;

const NAME: &str = "backups";

/// The check, where backups are scheduled. A schedule that is wrong is a matter of the settings.
pub(super) fn latest(loaded: &Loaded) -> Option<Check> {
    let schedule = Schedule::of(loaded).ok().flatten()?;
    let unreadable = |error: std::io::Error| {
        Check::fail(
            NAME,
            format!("cannot be listed: {error}"),
            "let this user read the folder that backup.folder names",
        )
    };
    let now = SystemClock.now();
    let folder = &schedule.folder;
    let found = folder.list().and_then(|there| Ok((there.len(), folder.latest(now)?, folder.latest_set_aside(now)?)));
    let (count, latest, aside) = match found {
        Ok(found) => found,
        Err(error) => return Some(unreadable(error)),
    };
    let is_later = |aside: &ScheduledBackup| latest.as_ref().is_none_or(|latest| aside.is_after(latest));
    if let Some(aside) = aside.filter(is_later) {
        return Some(not_restorable(&aside, latest.as_ref()));
    }
    let Some(newest) = latest else {
        let fix = "wait a moment if the server was just started, else start it: it makes the first backup at once, or logs why it cannot";
        return Some(Check::warn(NAME, "there is none yet", fix));
    };
    let name = newest.path().display();
    let two_intervals: time::Duration = schedule.every * 2;
    if newest.is_at_or_before(now.plus(-two_intervals)) {
        let fix = "start the server, or find \"backup failed\" in its log";
        return Some(Check::fail(NAME, format!("the latest, {name}, is older than two intervals"), fix));
    }
    Some(match newest.why_not_copied() {
        Err(error) => unreadable(error),
        Ok(Some(reason)) if schedule.after.is_some() => {
            let found = format!("{name} was not copied off the machine: {reason}");
            Check::fail(
                NAME,
                found,
                "correct what the command reports, or the setting backup.after: the server retries every 10 min, and when it starts",
            )
        }
        Ok(_) => Check::ok(NAME, format!("{count}, the latest {name}")),
    })
}

/// A backup that the root secret of the settings did not open, made after all that it opens.
fn not_restorable(aside: &ScheduledBackup, latest: Option<&ScheduledBackup>) -> Check {
    let opens = match latest {
        Some(latest) => format!("the latest that it opens is {}", latest.path().display()),
        None => "it opens none of them".to_owned(),
    };
    let found = format!("{} cannot be restored with the root secret of the settings; {opens}", aside.path().display());
    let fix = "put the root secret of this database back (setting secret.root_file): the server then makes a backup within 10 min";
    Check::fail(NAME, found, fix)
}

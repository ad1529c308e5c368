//! The checks, from the settings up to the laws of the chains. What a check needs and does not have ends the row.

use std::path::{Path, PathBuf};

use time::Duration;
use tradepost::SystemClock;
use tradepost::domain::time::Timestamp;
use tradepost::ports::clock::Clock as _;
use tradepost::sql::{MigrateError, SqlStore};
use tradepost_adapters_price_feeds::Source;

use super::walk::Walk;
use super::{Check, backups, files, latest, root_secrets};
use crate::assembly::{self, RESTORE, SteamReach};
use crate::settings::Loaded;
use crate::{backup, serve};

const MIB: u64 = 1 << 20;
/// Below this, the write-ahead log alone may fill the disk.
const TOO_LITTLE: u64 = 300 * MIB;
const LITTLE: u64 = 2_048 * MIB;
/// This program was not made before this time: 2026-01-01T00:00:00Z.
const MADE_AFTER_MICROS: i64 = 1_767_225_600_000_000;
/// How far clocks of several machines may differ.
const SKEW: Duration = Duration::minutes(2);
/// How long after it is over something may still be stored.
const CLEARED_WITHIN: Duration = Duration::hours(1);

/// Every check, in order: those that answer at once however much there is, and where it is asked for, those that look at everything.
pub(super) async fn all(loaded: &Loaded, walk: Option<&Walk>) -> Vec<Check> {
    let mut checks = vec![settings(loaded), disk(loaded)];
    checks.extend(browsers(loaded));
    checks.push(outside(loaded));
    checks.extend(files::modes(loaded));
    checks.extend(files::mails(loaded));
    checks.extend(backups::latest(loaded));
    let store = match backup::open(loaded).await {
        Ok(store) => store,
        Err(failure) => {
            checks.push(Check::failed("database", &failure));
            return checks;
        }
    };
    checks.push(Check::ok("database", "answers"));
    checks.extend(sessions(loaded, &store).await);
    checks.extend(standby(&store).await);
    let schema = schema(&store).await;
    let fits = schema.fix.is_none();
    checks.push(schema);
    if fits {
        checks.extend(root_secrets::all(loaded, &store, walk.is_some()).await);
        checks.push(clock(&store).await);
        checks.push(clearing(&store).await);
    }
    match walk {
        Some(walk) => {
            checks.push(walk.integrity(&store).await);
            if fits {
                checks.extend(walk.everything(loaded, &store).await);
            }
        }
        None if fits => {
            checks.push(latest::records(&store).await);
        }
        None => {}
    }
    if let Err(error) = store.close().await {
        checks.push(Check::warn("database", error.to_string(), "run the check again while no server writes"));
    }
    checks
}

fn settings(loaded: &Loaded) -> Check {
    if let Err(failure) = serve::check(loaded) {
        return Check::failed("settings", &failure);
    }
    let file = loaded.file.as_ref().map_or_else(|| "no file".to_owned(), |file| file.display().to_string());
    match loaded.warnings.first() {
        None => Check::ok("settings", file),
        Some(first) => Check::warn("settings", first, "correct the name of the variable, or remove it"),
    }
}

/// Whether browsers keep a session. They do by TLS, and by plain HTTP on the machine itself.
fn browsers(loaded: &Loaded) -> Option<Check> {
    let server = &loaded.settings.server;
    let has_tls =
        server.tls_cert.is_some() || server.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    let is_out_of_reach = server.listen.ip().is_loopback();
    (!has_tls && !is_out_of_reach).then(|| {
        let found = "no TLS: users can sign in to the console on the machine itself alone";
        let fix = "set server.tls_cert and server.tls_key, or server.public_url of a proxy that speaks TLS";
        Check::warn("browsers", found, fix)
    })
}

/// Which hosts the server would call by itself. It calls none of them here.
fn outside(loaded: &Loaded) -> Check {
    let egress = assembly::egress(loaded);
    let (mut called, mut not_called) = (Vec::new(), Vec::new());
    for source in Source::ALL {
        match egress.admit(assembly::source_address(loaded, source)) {
            Ok(address) => called.push(address.to_string()),
            Err(reason) => not_called.push(format!("not {}, because {reason}", source.title())),
        }
    }
    let mut found = Vec::new();
    if !called.is_empty() {
        found.push(format!("prices are read at {}", called.join(", ")));
    }
    match assembly::steam_reach(loaded) {
        SteamReach::Called { api, community } => {
            found.push(format!("trading accounts are signed in and read at {api}, {community}"));
        }
        SteamReach::NotCalled { reason, is_partly_admitted } => {
            let not_steam = format!("not Steam for trading accounts, because {reason}");
            // One of its hosts has the prices of its market, too.
            if is_partly_admitted && !found.is_empty() {
                found.push(not_steam);
            } else {
                not_called.push(not_steam);
            }
        }
    }
    if !found.is_empty() {
        return Check::ok("outside", found.join("; "));
    }
    // Without the first word of the operator the reason is one for all.
    if !loaded.settings.outside.real {
        not_called.truncate(1);
    }
    Check::ok("outside", format!("no service is called; {}", not_called.join("; ")))
}

fn disk(loaded: &Loaded) -> Check {
    let folder = loaded.settings.database.folder();
    let existing = folder.ancestors().find(|folder| folder.is_dir()).map_or_else(|| PathBuf::from("."), PathBuf::from);
    match fs4::available_space(&existing) {
        Ok(free) => room(free, &existing),
        Err(error) => Check::warn("disk", error.to_string(), "let this user look at the folder of the database"),
    }
}

/// Whether so many free bytes are enough.
fn room(free: u64, folder: &Path) -> Check {
    let found = format!("{} MiB free at {}", free / MIB, folder.display());
    let fix = "make room on this disk, or move the database to another one";
    match free {
        ..TOO_LITTLE => Check::fail("disk", found, fix),
        TOO_LITTLE..LITTLE => Check::warn("disk", found, fix),
        LITTLE.. => Check::ok("disk", found),
    }
}

/// Whether the address for sessions answers, where there is one: without it no server starts.
async fn sessions(loaded: &Loaded, store: &SqlStore) -> Option<Check> {
    loaded.settings.database.session_url.as_ref()?;
    Some(match store.check_sessions().await {
        Ok(()) => Check::ok("sessions", "the address for sessions answers"),
        Err(error) => {
            let fix = "check that the server of database.session_url runs and that name and password are right";
            Check::fail("sessions", error.to_string(), fix)
        }
    })
}

/// Whether lists and reports can be read from the standby, where there is one. Without it they are read from the primary.
async fn standby(store: &SqlStore) -> Option<Check> {
    match store.check_standby().await {
        Ok(lag) => Some(Check::ok("standby", format!("is {:.1} s behind the primary", lag?.as_secs_f64()))),
        Err(error) => {
            let fix = "check that database.read_url names a standby of the primary that runs and keeps up; until then lists \
                and reports are read from the primary";
            Some(Check::warn("standby", error.to_string(), fix))
        }
    }
}

async fn schema(store: &SqlStore) -> Check {
    match store.check_schema().await {
        Ok(()) => Check::ok("schema", "up to date"),
        Err(error @ MigrateError::Behind { .. }) => Check::fail("schema", error.to_string(), "tradepost migrate"),
        Err(error @ MigrateError::Newer { .. }) => {
            Check::fail("schema", error.to_string(), "install the newer program")
        }
        Err(error @ MigrateError::Moving) => Check::fail("schema", error.to_string(), "tradepost move FILE"),
        Err(error) => Check::fail("schema", error.to_string(), RESTORE),
    }
}

async fn clock(store: &SqlStore) -> Check {
    match (store.clock().await, store.latest_change().await) {
        (Ok(servers), Ok(latest)) => times(SystemClock.now(), servers, latest),
        (Err(error), _) | (_, Err(error)) => Check::unreadable("clock", &error),
    }
}

/// Whether the time of this machine is right, by the database's time and that of the latest change in it.
fn times(now: Timestamp, servers: Timestamp, latest: Option<Timestamp>) -> Check {
    let made_after = Timestamp::from_micros(MADE_AFTER_MICROS).unwrap_or(Timestamp::MIN);
    let found = if now < made_after {
        format!("says {now}, before this program was made")
    } else if apart(now, servers) > SKEW {
        format!("says {now}, the database's says {servers}")
    } else if let Some(latest) = latest.filter(|latest| now < latest.plus(-SKEW)) {
        format!("says {now}, before the latest change in the database ({latest})")
    } else {
        return Check::ok("clock", now.to_string());
    };
    Check::fail("clock", found, "set the clock, and keep it right with NTP: timedatectl set-ntp true")
}

/// How far two clocks differ.
fn apart(one: Timestamp, other: Timestamp) -> Duration {
    Duration::microseconds(one.as_micros().saturating_sub(other.as_micros()).saturating_abs())
}

/// Whether servers clear away what is over. They begin to once a minute.
async fn clearing(store: &SqlStore) -> Check {
    match store.clearing_backlog(SystemClock.now().plus(-CLEARED_WITHIN)).await {
        Ok(backlogs) => match backlogs.first() {
            None => Check::ok("clearing", "nothing is overdue"),
            Some(first) => {
                let found =
                    format!("rows of {} that are overdue for more than an hour: {}", first.table, first.overdue);
                let fix = "a server clears them once it runs; where one does, its log says what keeps it from that";
                Check::warn("clearing", found, fix)
            }
        },
        Err(error) => Check::unreadable("clearing", &error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn a_disk_is_full_below_300_mib_and_nearly_full_below_2_gib() {
        for (free, expected) in [
            (0, Verdict::Fail),
            (300 * MIB - 1, Verdict::Fail),
            (300 * MIB, Verdict::Warn),
            (2_048 * MIB - 1, Verdict::Warn),
            (2_048 * MIB, Verdict::Ok),
        ] {
            let check = room(free, Path::new("data"));
            assert_eq!((check.verdict, check.fix.is_some()), (expected, expected != Verdict::Ok), "{}", check.found);
        }
    }

    const MOMENT: Duration = Duration::microseconds(1);

    fn made_after() -> Timestamp {
        Timestamp::from_micros(MADE_AFTER_MICROS).unwrap()
    }

    fn assert_wrong(check: &Check, found: &str) {
        assert!(check.verdict == Verdict::Fail && check.found.contains(found), "{check:?}");
        assert!(check.fix.as_ref().is_some_and(|fix| fix.starts_with("set the clock")), "{check:?}");
    }

    #[test]
    fn a_clock_before_the_program_was_made_is_wrong() {
        let early = made_after().plus(-MOMENT);
        assert_wrong(&times(early, early, None), "before this program was made");
        assert_eq!(times(made_after(), made_after(), None).verdict, Verdict::Ok);
    }

    #[test]
    fn a_clock_more_than_two_minutes_from_that_of_the_database_is_wrong() {
        let now = made_after().plus(Duration::days(1));
        for away in [SKEW, -SKEW] {
            assert_eq!(times(now, now.plus(away), None).verdict, Verdict::Ok, "{away}");
            let further = if away.is_negative() { away - MOMENT } else { away + MOMENT };
            assert_wrong(&times(now, now.plus(further), None), "the database's says");
        }
    }

    #[test]
    fn a_clock_more_than_two_minutes_before_the_latest_change_is_wrong() {
        let now = made_after().plus(Duration::days(1));
        for latest in [None, Some(now.plus(-Duration::days(1))), Some(now.plus(SKEW))] {
            assert_eq!(times(now, now, latest).verdict, Verdict::Ok, "{latest:?}");
        }
        assert_wrong(&times(now, now, Some(now.plus(SKEW + MOMENT))), "before the latest change in the database");
    }
}

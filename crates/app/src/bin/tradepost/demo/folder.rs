//! Where the demo keeps its files, and whether they are a demo already: one that was killed goes on, one that was killed while it was
//! filled is filled again, and foreign files are not touched.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;
use tradepost::sql::{ServeLock, ServeLockError};

use crate::cli::Demo;
use crate::failure::{Exit, Failure, Outcome};

/// The seed of sample data for which none is asked.
const SEED: u64 = 42;
/// How many days of sample data there are unless others are asked for.
const DAYS: u16 = 90;
/// What is known of a demo that is filled: its seed, and the line for programs.
const FILLED: &str = "demo.json";
/// Exists from the beginning until the demo is filled. The demo made all other files of its folder.
const BEGUN: &str = "demo.json.new";
const DATABASE: &str = "tradepost.db";

/// A folder that no other process serves.
pub(super) struct Folder {
    place: Place,
    _lock: ServeLock,
    pub(super) seed: u64,
    /// How many days its sample data covers.
    pub(super) days: u16,
    /// The line of a demo that was filled before.
    line: Option<Value>,
}

enum Place {
    Kept(PathBuf),
    Passing(TempDir),
}

/// What is in a folder.
enum Found {
    Nothing,
    Begun,
    Filled,
    Others,
}

impl Folder {
    pub(super) fn open(demo: &Demo) -> Outcome<Self> {
        let place = match demo.keep.clone() {
            Some(path) => {
                // What reads the printed paths runs in other folders.
                let absolute = std::path::absolute(&path).map_err(|error| unwritable(&path, &error))?;
                fs::create_dir_all(&absolute).map_err(|error| unwritable(&absolute, &error))?;
                Place::Kept(absolute)
            }
            None => Place::Passing(passing()?),
        };
        let path = place.path();
        let found = look(path).map_err(|error| unwritable(path, &error))?;
        if let Found::Others = found {
            return Err(of_others(path));
        }
        if let Found::Nothing = found {
            write_private(&path.join(BEGUN), "").map_err(|error| unwritable(path, &error))?;
        }
        let lock = take_lock(path)?;
        if let Found::Begun = found {
            clear(path).map_err(|error| unwritable(path, &error))?;
        }
        let line = if let Found::Filled = found { Some(read(path)?) } else { None };
        let known = |name: &str| line.as_ref().and_then(|filled| filled.get(name)).and_then(Value::as_u64);
        let days = known("days").and_then(|days| u16::try_from(days).ok());
        let seed = Asked { name: "the seed", flag: "--seed", value: demo.seed }.agreed(path, known("seed"), SEED)?;
        let days = Asked { name: "the number of days", flag: "--days", value: demo.days }.agreed(path, days, DAYS)?;
        let line = line.and_then(|filled| filled.get("line").cloned());
        Ok(Self { place, _lock: lock, seed, days, line })
    }

    /// The line of a demo that was filled before.
    pub(super) fn line(&self) -> Option<&Value> {
        self.line.as_ref()
    }

    /// From now on the demo is filled, and the next start goes on with it.
    pub(super) fn filled(&self, line: &Value) -> Outcome {
        let path = self.path();
        let text = json!({ "seed": self.seed, "days": self.days, "line": line }).to_string();
        let noted = write_private(&path.join(BEGUN), &text)
            .and_then(|()| fs::rename(path.join(BEGUN), path.join(FILLED)))
            .and_then(|()| fs::File::open(path)?.sync_all());
        noted.map_err(|error| unwritable(path, &error))
    }

    /// A folder that is kept holds no whole demo, if filling it was cut short.
    pub(super) fn warn_if_incomplete(&self) {
        if let Place::Kept(path) = &self.place {
            tracing::warn!(path = %path.display(), "the sample data is not complete; the next start creates it again");
        }
    }

    /// The time that its sample data covers.
    pub(super) fn length(&self) -> Duration {
        Duration::days(i64::from(self.days))
    }

    pub(super) fn path(&self) -> &Path {
        self.place.path()
    }

    pub(super) fn database(&self) -> PathBuf {
        self.path().join(DATABASE)
    }

    pub(super) fn mail(&self) -> PathBuf {
        self.path().join("mail")
    }

    pub(super) fn world(&self) -> PathBuf {
        self.path().join("world")
    }
}

impl Place {
    fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Passing(folder) => folder.path(),
        }
    }
}

fn passing() -> Outcome<TempDir> {
    let made = tempfile::Builder::new().prefix("tradepost-demo-").tempdir();
    let failed = |error| Failure::new(Exit::Failed, "cannot make a temporary folder").because(error);
    made.map_err(|error| failed(error).with_try("name a folder: --keep DIR"))
}

fn look(path: &Path) -> io::Result<Found> {
    if path.join(FILLED).try_exists()? {
        return Ok(Found::Filled);
    }
    if path.join(BEGUN).try_exists()? {
        return Ok(Found::Begun);
    }
    Ok(if fs::read_dir(path)?.next().is_none() { Found::Nothing } else { Found::Others })
}

/// Removes what was made before the demo was killed, but for the lock, which is ours, and the mark.
fn clear(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == BEGUN || name.to_string_lossy().ends_with(".lock") {
            continue;
        }
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

fn read(path: &Path) -> Outcome<Value> {
    let file = path.join(FILLED);
    let text = fs::read(&file).map_err(|error| unwritable(path, &error))?;
    serde_json::from_slice(&text).map_err(|error| {
        Failure::new(Exit::Failed, format!("{} is damaged", file.display()))
            .because(error)
            .with_try("begin another demo in another folder: --keep DIR")
    })
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn take_lock(path: &Path) -> Outcome<ServeLock> {
    ServeLock::take(&path.join(DATABASE)).map_err(|error| match error {
        ServeLockError::Taken(_) => {
            Failure::new(Exit::Unavailable, format!("the demo in {} is served already", path.display()))
                .because("another process has it open")
                .with_try("stop the other one, or name another folder: --keep DIR")
        }
        ServeLockError::Unusable { source, .. } => unwritable(path, &source),
    })
}

fn of_others(path: &Path) -> Failure {
    Failure::new(Exit::Usage, format!("the folder {} is not empty, and has no demo", path.display()))
        .because("the demo never mixes its data with other files")
        .with_try("name another folder, or empty this one")
}

/// What a demo may be asked to be made with.
struct Asked<T> {
    name: &'static str,
    flag: &'static str,
    value: Option<T>,
}

impl<T: Copy + PartialEq + Display> Asked<T> {
    /// What the demo was made with, or else what is asked for. A demo that was made with something else is not another one.
    fn agreed(&self, path: &Path, known: Option<T>, default: T) -> Outcome<T> {
        let Self { name, flag, value } = self;
        match (known, *value) {
            (Some(known), Some(asked)) if known != asked => {
                Err(Failure::new(Exit::Usage, format!("the demo in {} has {name} {known}", path.display()))
                    .because(format!("a demo keeps {name} with which it was made"))
                    .with_try(format!("leave {flag} out to go on with this demo"))
                    .with_try("or make another one in another folder: --keep DIR"))
            }
            (known, asked) => Ok(known.or(asked).unwrap_or(default)),
        }
    }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot use the folder {}: {error}", path.display()))
        .with_try("name a folder in which this user may write: --keep DIR")
}

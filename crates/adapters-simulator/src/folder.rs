//! A world that is kept in a folder: a snapshot, and the requests since. What they come to is known by doing them again.
//!
//! A request is written before it is carried out, and so before it is answered: whatever was answered is there again after the
//! process was killed. Nothing is waited for until it is on the disk, so a power cut can take the last requests away. What only
//! reads is not written.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::time::Timestamp;

use crate::call::{Answer, Request, WorldCommand};
use crate::settings::Settings;
use crate::world::World;

/// After so many lines of the journal a new snapshot is taken.
const LINES: u32 = 20_000;
/// The form in which worlds are written down. One of another form is not opened.
const FORM: u32 = 1;
const SNAPSHOT: &str = "world.json";

/// How a world begins where there is none yet.
#[derive(Debug, Clone)]
pub struct Beginning {
    /// What chance is drawn from.
    pub seed: u64,
    /// What the world is like.
    pub settings: Settings,
    /// What is done to it before anything else.
    pub deeds: Vec<WorldCommand>,
}

/// Why a folder gives no world, or keeps it no longer.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process has it open.
    #[error("another process has the world in {} open", .0.display())]
    Taken(PathBuf),
    /// A file or the folder cannot be used.
    #[error("{} cannot be used: {source}", path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file has what nothing here has written.
    #[error("{} is damaged: {why}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// In which way.
        why: String,
    },
    /// A write failed before, and the journal may differ from the world: only opening the folder again shows that.
    #[error("the world in {} could not be written, and has to be opened again", .0.display())]
    Closed(PathBuf),
}

/// A world in a folder that no other process has open.
#[derive(Debug)]
pub struct WorldFolder {
    folder: PathBuf,
    _lock: File,
    is_new: bool,
    seed: u64,
    world: World,
    generation: u64,
    journal: File,
    /// The length of the journal up to the last whole line.
    length: u64,
    lines: u32,
    /// Time that has passed in the world and is not in the journal yet.
    unwritten: Duration,
    is_closed: bool,
}

/// A world as its snapshot has it, read and written.
#[derive(Serialize, Deserialize)]
struct Snapshot<W> {
    form: u32,
    seed: u64,
    /// Which journal goes on from here.
    generation: u64,
    world: W,
}

/// The one field that a snapshot has in every form.
#[derive(Deserialize)]
struct Form {
    form: u32,
}

impl WorldFolder {
    /// Opens the world in a folder, or begins one where there is none.
    ///
    /// # Errors
    /// [`FolderError`]; never [`FolderError::Closed`].
    pub fn open(folder: &Path, beginning: &Beginning) -> Result<Self, FolderError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| unusable(folder, error))?;
        let lock = lock(folder)?;
        let is_new = !folder.join(SNAPSHOT).try_exists().map_err(|error| unusable(folder, error))?;
        if is_new {
            begin(folder, beginning)?;
        }
        let snapshot = read_snapshot(&folder.join(SNAPSHOT))?;
        let journal = journal_of(folder, snapshot.generation);
        remove_leftovers(folder, &journal)?;
        let (file, text) = read_journal(&journal).map_err(|error| unusable(&journal, error))?;
        let mut opened = Self {
            folder: folder.to_owned(),
            _lock: lock,
            is_new,
            seed: snapshot.seed,
            world: snapshot.world,
            generation: snapshot.generation,
            journal: file,
            length: 0,
            lines: 0,
            unwritten: Duration::ZERO,
            is_closed: false,
        };
        opened.replay(&text)?;
        Ok(opened)
    }

    /// Whether the world began when it was opened.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// What chance is drawn from in this world.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The world as it is, to be looked at.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Lets time pass. It is written before the next answer, so that no caller sees a time that can be lost.
    pub fn pass(&mut self, by: Duration) {
        self.world.advance(by);
        self.unwritten = self.unwritten.saturating_add(by);
    }

    /// What time it is in the world.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be written.
    pub fn now(&mut self) -> Result<Timestamp, FolderError> {
        self.write(None)?;
        Ok(self.world.now())
    }

    /// Carries out a request, and returns its answer.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be written. It was not done then, but may be once the folder is opened again.
    pub fn answer(&mut self, request: &Request) -> Result<Answer, FolderError> {
        self.write(Some(request))?;
        let answer = self.world.answer(request);
        if self.lines >= LINES
            && let Err(error) = self.take_snapshot()
        {
            // The journal goes on as it is, and the next time is soon.
            tracing::warn!(%error, "no snapshot of the simulated world could be taken");
            self.lines = 0;
        }
        Ok(answer)
    }

    /// Writes the world down whole, so that opening it takes no time.
    ///
    /// # Errors
    /// [`FolderError`]; what is kept is as good as before.
    pub fn take_snapshot(&mut self) -> Result<(), FolderError> {
        self.write(None)?;
        let generation = self.generation + 1;
        let path = journal_of(&self.folder, generation);
        let (journal, _) = read_journal(&path).map_err(|error| unusable(&path, error))?;
        write_snapshot(&self.folder, &Snapshot { form: FORM, seed: self.seed, generation, world: &self.world })?;
        let former = journal_of(&self.folder, self.generation);
        (self.generation, self.journal, self.length, self.lines) = (generation, journal, 0, 0);
        // Whatever stays is removed when the folder is opened.
        if let Err(error) = fs::remove_file(&former) {
            tracing::debug!(%error, "a former journal of the simulated world is still there");
        }
        Ok(())
    }

    /// Writes time that has passed, and a request that changes the world, in one go.
    fn write(&mut self, request: Option<&Request>) -> Result<(), FolderError> {
        if self.is_closed {
            return Err(FolderError::Closed(self.folder.clone()));
        }
        let micros = u64::try_from(self.unwritten.whole_microseconds()).unwrap_or(u64::MAX);
        let passed = (micros > 0).then_some(Request::World(WorldCommand::Advance { micros }));
        let changing = request.filter(|request| self.world.is_changed_by(request));
        let mut text = Vec::new();
        for request in passed.iter().chain(changing) {
            serde_json::to_writer(&mut text, request).map_err(|error| self.unusable_journal(error.into()))?;
            text.push(b'\n');
            self.lines += 1;
        }
        if text.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.journal.write_all(&text) {
            // Half a line must not come before a whole one. Nothing is written again where it cannot be removed.
            self.is_closed = self.journal.set_len(self.length).is_err();
            return Err(self.unusable_journal(error));
        }
        self.length += u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.unwritten = Duration::ZERO;
        Ok(())
    }

    fn unusable_journal(&self, error: io::Error) -> FolderError {
        unusable(&journal_of(&self.folder, self.generation), error)
    }

    /// Does again what the journal says. A last line without its end was never answered, and is cut off.
    fn replay(&mut self, text: &[u8]) -> Result<(), FolderError> {
        for line in text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            self.lines += 1;
            let request: Request = serde_json::from_slice(line).map_err(|error| {
                let path = journal_of(&self.folder, self.generation);
                FolderError::Damaged { path, why: format!("line {}: {error}", self.lines) }
            })?;
            self.world.answer(&request);
            self.length += u64::try_from(line.len()).unwrap_or(u64::MAX);
        }
        self.journal.set_len(self.length).map_err(|error| self.unusable_journal(error))
    }
}

fn unusable(path: &Path, source: io::Error) -> FolderError {
    FolderError::Unusable { path: path.to_owned(), source }
}

fn journal_of(folder: &Path, generation: u64) -> PathBuf {
    folder.join(format!("calls-{generation}.jsonl"))
}

/// The operating system gives the lock back even when the process is killed.
fn lock(folder: &Path) -> Result<File, FolderError> {
    let path = folder.join("lock");
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = opened.map_err(|error| unusable(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Taken(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(&path, error)),
    }
}

/// Writes the first snapshot, in which everything that belongs to the beginning has been done.
fn begin(folder: &Path, beginning: &Beginning) -> Result<(), FolderError> {
    let mut world = World::new(beginning.seed, beginning.settings.clone());
    for deed in &beginning.deeds {
        world.answer(&Request::World(deed.clone()));
    }
    write_snapshot(folder, &Snapshot { form: FORM, seed: beginning.seed, generation: 0, world: &world })
}

/// Written to another file and renamed: there is a whole one at any moment, after a power cut as well.
fn write_snapshot(folder: &Path, snapshot: &Snapshot<&World>) -> Result<(), FolderError> {
    let (temporary, path) = (folder.join("world.json.new"), folder.join(SNAPSHOT));
    let written = File::create(&temporary).and_then(|file| {
        let mut writer = io::BufWriter::new(file);
        serde_json::to_writer(&mut writer, snapshot)?;
        writer.into_inner()?.sync_all()?;
        fs::rename(&temporary, &path)?;
        // Before the former journal is removed.
        File::open(folder)?.sync_all()
    });
    written.map_err(|error| unusable(&path, error))
}

fn read_snapshot(path: &Path) -> Result<Snapshot<World>, FolderError> {
    let text = fs::read(path).map_err(|error| unusable(path, error))?;
    let damaged = |why: String| FolderError::Damaged { path: path.to_owned(), why };
    let Form { form } = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    if form != FORM {
        return Err(damaged(format!("it has the form {form}, and this version reads {FORM}")));
    }
    serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))
}

fn read_journal(path: &Path) -> io::Result<(File, Vec<u8>)> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok((file, text))
}

/// What a process that was killed while it took a snapshot has left there.
fn remove_leftovers(folder: &Path, journal: &Path) -> Result<(), FolderError> {
    for entry in fs::read_dir(folder).map_err(|error| unusable(folder, error))? {
        let path = entry.map_err(|error| unusable(folder, error))?.path();
        let is_journal = path.extension().is_some_and(|extension| extension == "jsonl");
        if (is_journal && path != journal) || path.ends_with("world.json.new") {
            fs::remove_file(&path).map_err(|error| unusable(&path, error))?;
        }
    }
    Ok(())
}

//! What was written and never flushed when the power failed, as `shim/power_cut_server.c` has kept it, and the loss of any part of it.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

pub(super) const SECTOR: usize = 512;
const WRITTEN: u64 = 1;
const FLUSHED: u64 = 2;
const FORGOTTEN: u64 = 3;
const ALL_FLUSHED: u64 = 4;

/// What a sector held when its file was last flushed.
struct Before {
    sector: u64,
    bytes: [u8; SECTOR],
}

/// Of one file.
#[derive(Default)]
struct Unflushed {
    /// In the order in which the sectors were first written.
    befores: Vec<Before>,
    known: HashSet<u64>,
    flushed_length: u64,
}

/// Chance from a seed.
struct Chance(u64);

impl Chance {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// How many sectors were lost and kept.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Loss {
    pub(super) dropped: usize,
    pub(super) kept: usize,
}

/// Which sectors are restored to what they held before.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// A part of the unflushed sectors, drawn from a seed, as an honest disk loses them.
    Drawn(u64),
    /// All unflushed sectors.
    Unflushed,
    /// All sectors that were written, flushed or not, as a disk loses them that ignores flushes.
    Written,
}

/// Drops a part of what the journal recorded, in the files of a folder.
pub(super) fn lose(journal: &Path, folder: &Path, part: Part) -> Loss {
    let mut unflushed = read(journal, !matches!(part, Part::Written));
    let mut chance =
        Chance(if let Part::Drawn(seed) = part { seed } else { 0 }.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let drawn = (0..8).map(|_| chance.draw()).last().unwrap() % 4;
    let way = if matches!(part, Part::Drawn(_)) { drawn } else { 0 };
    let mut loss = Loss::default();
    let mut files = files(folder);
    files.sort_by_key(|(inode, _)| *inode);
    for (inode, path) in files {
        let Some(of_file) = unflushed.remove(&inode) else { continue };
        let dropped = of_file.lose_in(&path, way, &mut chance);
        loss.dropped += dropped;
        loss.kept += of_file.befores.len() - dropped;
    }
    loss
}

impl Unflushed {
    fn lose_in(&self, path: &Path, way: u64, chance: &mut Chance) -> usize {
        let file = OpenOptions::new().write(true).open(path).unwrap();
        let length = file.metadata().unwrap().len();
        let point = usize::try_from(chance.draw()).unwrap() % (self.befores.len() + 1);
        let mut dropped = 0;
        for (number, before) in self.befores.iter().enumerate() {
            let is_lost = match way {
                // All is lost; or what came after some moment; or any sector; or any sector of the older half.
                0 => true,
                1 => number >= point,
                2 => chance.draw().is_multiple_of(2),
                _ => number < point && chance.draw().is_multiple_of(2),
            };
            if is_lost {
                file.write_all_at(&before.bytes, before.sector * SECTOR as u64).unwrap();
                dropped += 1;
            }
        }
        // The last sector that was put back may be longer than the file was.
        file.set_len(if way == 0 { self.flushed_length.min(length) } else { length }).unwrap();
        dropped
    }
}

/// The sectors of each file that were written, and not flushed since where flushes count.
fn read(journal: &Path, flushes_count: bool) -> HashMap<u64, Unflushed> {
    let mut unflushed: HashMap<u64, Unflushed> = HashMap::new();
    let mut journal = BufReader::new(File::open(journal).unwrap());
    let mut record = [0; 32 + SECTOR];
    while journal.read_exact(&mut record).is_ok() {
        let number = |at: usize| u64::from_ne_bytes(record[at..at + 8].try_into().unwrap());
        let (kind, inode, sector, length) = (number(0), number(8), number(16), number(24));
        match kind {
            WRITTEN => {
                let of_file = unflushed.entry(inode).or_default();
                if of_file.befores.is_empty() {
                    of_file.flushed_length = length;
                }
                if of_file.known.insert(sector) {
                    of_file.befores.push(Before { sector, bytes: record[32..].try_into().unwrap() });
                }
            }
            FLUSHED | ALL_FLUSHED if !flushes_count => {}
            FLUSHED | FORGOTTEN => drop(unflushed.remove(&inode)),
            ALL_FLUSHED => unflushed.clear(),
            _ => panic!("a record of kind {kind}"),
        }
    }
    unflushed
}

/// The files of a folder and of those in it, by their numbers.
fn files(folder: &Path) -> Vec<(u64, PathBuf)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files(&entry.path()));
        } else if kind.is_file() {
            found.push((entry.metadata().unwrap().ino(), entry.path()));
        }
    }
    found
}

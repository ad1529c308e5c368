//! A list of passwords that were stolen somewhere, small enough to be held in memory. It must not know what is done about one
//! that is on it.
//!
//! The list is a binary fuse filter of 16 bits (Graf and Lemire, 2022): 2.25 bytes a password, no stolen password is missed, and
//! of others one in 65,536 is taken for stolen. It is made from the published lists of SHA-1 digests, "Pwned Passwords" among
//! them, and makes no call.

use std::fs::{self, File};
use std::io::{self, BufRead, Write as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256};
use secrecy::{ExposeSecret as _, SecretString};
use xorf::{BinaryFuse16, Descriptor, Filter as _};

const MAGIC: &[u8] = b"tradepost breached passwords 1\n";
const CHECKSUM: usize = 32;
const DESCRIPTOR: usize = Descriptor::DMA_LEN;

/// Passwords that were stolen somewhere.
pub struct BreachedPasswords(BinaryFuse16);

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
pub enum BreachedPasswordsError {
    /// The file system refused.
    #[error("cannot {attempt} {path}: {source}")]
    File {
        /// What was tried.
        attempt: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is not a list that was made here, or is incomplete.
    #[error(
        "{0} is not a list of breached passwords, or is damaged; make it again with `tradepost breached-passwords`"
    )]
    Malformed(PathBuf),
    /// A line of a published list that has another form.
    #[error("line {number} is not a SHA-1 digest of 40 hexadecimal digits, with or without : and a count behind it")]
    Line {
        /// Its number, from 1.
        number: u64,
    },
    /// No line was left.
    #[error("there is no password in the list that was seen often enough")]
    Empty,
    /// The filter cannot be made; with distinct digests this does not happen.
    #[error("the list cannot be made: {0}")]
    Unmakeable(&'static str),
}

impl BreachedPasswords {
    /// A list of the digests in `source`, a line each, `SHA1` or `SHA1:COUNT`. Those with a count below `seen_at_least` are left
    /// out. Takes 8 bytes of memory a digest, and about 24 for a moment.
    ///
    /// # Errors
    /// [`BreachedPasswordsError`] says which line is none, or that none is left.
    pub fn from_digests(source: impl BufRead, seen_at_least: u64) -> Result<Self, BreachedPasswordsError> {
        let mut keys = Vec::new();
        for (line, number) in source.lines().zip(1..) {
            let wrong = BreachedPasswordsError::Line { number };
            let Ok(line) = line else { return Err(wrong) };
            let Some((key, count)) = parse(line.trim()) else { return Err(wrong) };
            if count.is_none_or(|count| count >= seen_at_least) {
                keys.push(key);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        if keys.is_empty() {
            return Err(BreachedPasswordsError::Empty);
        }
        BinaryFuse16::try_from(&keys).map(Self).map_err(BreachedPasswordsError::Unmakeable)
    }

    /// Reads a list that [`Self::write`] wrote. It is held in memory whole.
    ///
    /// # Errors
    /// [`BreachedPasswordsError::File`] and [`BreachedPasswordsError::Malformed`].
    pub fn open(path: &Path) -> Result<Self, BreachedPasswordsError> {
        let content = fs::read(path).map_err(failed("read", path))?;
        let filter = decode(&content).ok_or_else(|| BreachedPasswordsError::Malformed(path.to_owned()))?;
        Ok(Self(filter))
    }

    /// Writes the list to a new file.
    ///
    /// # Errors
    /// [`BreachedPasswordsError::File`], also when the file is there already.
    pub fn write(&self, path: &Path) -> Result<(), BreachedPasswordsError> {
        let failed = failed("write", path);
        let mut file = File::create_new(path).map_err(&failed)?;
        file.write_all(&encode(&self.0)).and_then(|()| file.sync_all()).map_err(&failed)
    }

    /// Whether the password is on the list.
    pub fn contains(&self, password: &SecretString) -> bool {
        let digest = digest::digest(&SHA1_FOR_LEGACY_USE_ONLY, password.expose_secret().as_bytes());
        digest.as_ref().first_chunk().is_some_and(|beginning| self.0.contains(&u64::from_be_bytes(*beginning)))
    }
}

/// The first 64 bits of a digest, and how often its password was seen.
fn parse(line: &str) -> Option<(u64, Option<u64>)> {
    let (digest, count) = match line.split_once(':') {
        Some((digest, count)) => (digest, Some(count.parse().ok()?)),
        None => (line, None),
    };
    let is_digest = digest.len() == 40 && digest.bytes().all(|digit| digit.is_ascii_hexdigit());
    let key = u64::from_str_radix(digest.get(..16).filter(|_| is_digest)?, 16).ok()?;
    Some((key, count))
}

fn encode(filter: &BinaryFuse16) -> Vec<u8> {
    let Descriptor { seed, segment_length, segment_length_mask, segment_count_length } = filter.descriptor;
    let mut body = seed.to_le_bytes().to_vec();
    for length in [segment_length, segment_length_mask, segment_count_length] {
        body.extend(length.to_le_bytes());
    }
    body.extend(filter.fingerprints.iter().flat_map(|fingerprint| fingerprint.to_le_bytes()));
    [MAGIC, digest::digest(&SHA256, &body).as_ref(), &body].concat()
}

/// The filter in the content of a file. Its lengths are used unchecked once the checksum is right.
fn decode(content: &[u8]) -> Option<BinaryFuse16> {
    let (checksum, body) = content.strip_prefix(MAGIC)?.split_at_checked(CHECKSUM)?;
    if digest::digest(&SHA256, body).as_ref() != checksum {
        return None;
    }
    let (descriptor, fingerprints) = body.split_at_checked(DESCRIPTOR)?;
    let (seed, lengths) = descriptor.split_first_chunk()?;
    let (lengths, []) = lengths.as_chunks() else { return None };
    let [segment_length, segment_length_mask, segment_count_length] = lengths else { return None };
    let descriptor = Descriptor {
        seed: u64::from_le_bytes(*seed),
        segment_length: u32::from_le_bytes(*segment_length),
        segment_length_mask: u32::from_le_bytes(*segment_length_mask),
        segment_count_length: u32::from_le_bytes(*segment_count_length),
    };
    let (fingerprints, []) = fingerprints.as_chunks() else { return None };
    Some(BinaryFuse16 {
        descriptor,
        fingerprints: fingerprints.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect(),
    })
}

fn failed(attempt: &'static str, path: &Path) -> impl Fn(io::Error) -> BreachedPasswordsError {
    let path = path.to_owned();
    move |source| BreachedPasswordsError::File { attempt, path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-1 digests of `password`, seen often, and of `correct horse battery staple`, seen twice.
    const PUBLISHED: &str =
        "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:10434004\nabf7aad6438836dbe526aa231abde2d0eef74d42:2\n";

    fn list(seen_at_least: u64) -> BreachedPasswords {
        BreachedPasswords::from_digests(PUBLISHED.as_bytes(), seen_at_least).unwrap()
    }

    #[test]
    fn a_password_is_found_by_its_digest() {
        let list = list(1);
        assert!(list.contains(&"password".into()));
        assert!(list.contains(&"correct horse battery staple".into()));
        assert!(!list.contains(&"copper lantern under seven bridges".into()));
    }

    #[test]
    fn a_password_that_was_seen_too_seldom_is_left_out() {
        assert!(!list(3).contains(&"correct horse battery staple".into()));
        assert!(list(3).contains(&"password".into()));
    }

    #[test]
    fn a_list_that_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("breached");
        list(1).write(&path).unwrap();
        let read = BreachedPasswords::open(&path).unwrap();
        assert!(read.contains(&"password".into()));
        assert!(!read.contains(&"copper lantern under seven bridges".into()));
        assert!(matches!(list(1).write(&path), Err(BreachedPasswordsError::File { .. })), "nothing is overwritten");
    }

    #[test]
    fn a_file_with_one_byte_changed_or_missing_is_refused() {
        let whole = encode(&list(1).0);
        assert!(decode(&whole).is_some());
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(decode(&damaged).is_none(), "byte {place}");
            assert!(decode(&whole[..place]).is_none(), "the first {place} bytes");
        }
    }

    #[test]
    fn a_line_that_is_no_digest_is_named() {
        for wrong in
            ["password", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:x"]
        {
            let source = format!("{PUBLISHED}{wrong}\n");
            let refused = BreachedPasswords::from_digests(source.as_bytes(), 1).err().unwrap();
            assert!(matches!(refused, BreachedPasswordsError::Line { number: 3 }), "{wrong}: {refused}");
        }
        let empty = BreachedPasswords::from_digests(PUBLISHED.as_bytes(), u64::MAX);
        assert!(matches!(empty, Err(BreachedPasswordsError::Empty)));
    }
}

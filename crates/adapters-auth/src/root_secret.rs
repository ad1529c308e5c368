//! The one secret of an installation, and the keys derived from it. It must not know what the keys are used on.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use tradepost_domain::accounts::api_key::PepperId;
use zeroize::Zeroizing;

use crate::random;

const LENGTH: usize = 32;
/// More bytes than any form of the file has, so that a wrong file is not read whole.
const MOST_READ: usize = 128;
/// Group and others: none of them may read, write or execute.
const OTHERS: u32 = 0o077;

/// The 32 bytes from which every key of the installation is derived.
///
/// A lost one loses the API keys, the sealed second factors and the open codes; an attacker who has it and the
/// database can open what is sealed there. A second node must be given the same one.
pub struct RootSecret(Zeroizing<[u8; LENGTH]>);

/// Why there is no root secret to start with.
#[derive(Debug, thiserror::Error)]
pub enum RootSecretError {
    /// The file is not there.
    #[error(
        "there is no root secret at {path}: put the file of this installation there; only the first start of a new installation makes one"
    )]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file is there already.
    #[error("there is a root secret at {path} already: it is never overwritten")]
    Exists {
        /// Where one was to be made.
        path: PathBuf,
    },
    /// Others than the owner may read or change the file.
    #[error("the root secret {path} is open to others (mode {mode:04o}): run `chmod 600 {path}`")]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The content is not a root secret.
    #[error(
        "{origin} is not a root secret: it must be 32 bytes, or the same as 64 hexadecimal digits; restore it from a copy"
    )]
    Malformed {
        /// The file or setting.
        origin: String,
    },
    /// The file system refused.
    #[error("cannot {attempt} the root secret {path}: {source}; the user that runs tradepost needs access to it")]
    File {
        /// What was tried.
        attempt: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl RootSecret {
    /// The root secret with these bytes. They must come from a generator of secrets, never from a password.
    pub fn from_bytes(bytes: [u8; LENGTH]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The root secret in a setting, as 64 hexadecimal digits; `openssl rand -hex 32` makes one.
    ///
    /// # Errors
    /// [`RootSecretError::Malformed`], naming `origin`, which is the setting's name.
    pub fn from_hex(text: &str, origin: &str) -> Result<Self, RootSecretError> {
        parse_hex(text.trim()).map(Self).ok_or_else(|| RootSecretError::Malformed { origin: origin.to_owned() })
    }

    /// Reads the file at `path`: 32 bytes, or 64 hexadecimal digits.
    ///
    /// # Errors
    /// [`RootSecretError`]; a file that others than its owner can use is refused unread.
    pub fn load(path: &Path) -> Result<Self, RootSecretError> {
        let failed = |source| RootSecretError::File { attempt: "read", path: path.to_owned(), source };
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RootSecretError::Missing { path: path.to_owned() });
            }
            opened => opened.map_err(failed)?,
        };
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o7777;
        if mode & OTHERS != 0 {
            return Err(RootSecretError::Exposed { path: path.to_owned(), mode });
        }
        let mut content = Zeroizing::new(Vec::with_capacity(MOST_READ));
        file.take(MOST_READ as u64).read_to_end(&mut content).map_err(failed)?;
        parse(&content).map(Self).ok_or_else(|| RootSecretError::Malformed { origin: path.display().to_string() })
    }

    /// Makes a root secret from the operating system's generator and keeps it at `path`, readable by its owner alone.
    ///
    /// The file appears whole or not at all, and is on the disk when this returns. The folder must exist.
    ///
    /// # Errors
    /// [`RootSecretError::Exists`] if a file is there, [`RootSecretError::File`] if it cannot be written.
    pub fn create(path: &Path) -> Result<Self, RootSecretError> {
        let secret = Self::from_bytes(random::bytes());
        match secret.write(path) {
            Ok(()) => Ok(secret),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(RootSecretError::Exists { path: path.to_owned() })
            }
            Err(source) => Err(RootSecretError::File { attempt: "write", path: path.to_owned(), source }),
        }
    }

    /// Reads the file at `path`, or makes it if there is none. Two processes that start at once get the same secret.
    ///
    /// # Errors
    /// [`RootSecretError`] as of [`RootSecret::load`] and [`RootSecret::create`].
    pub fn load_or_create(path: &Path) -> Result<Self, RootSecretError> {
        let created = match Self::load(path) {
            Err(RootSecretError::Missing { .. }) => Self::create(path),
            loaded => return loaded,
        };
        match created {
            Err(RootSecretError::Exists { .. }) => Self::load(path),
            made => made,
        }
    }

    /// A fingerprint that distinguishes root secrets and reveals nothing. Kept in the database, it shows at start that
    /// the secret is the one with which the database was written.
    pub fn canary(&self) -> [u8; 16] {
        let mut canary = [0; 16];
        canary.copy_from_slice(&self.derive("canary")[..16]);
        canary
    }

    /// Which pepper is derived from it.
    pub fn pepper(&self) -> PepperId {
        let mut mark = [0; 4];
        mark.copy_from_slice(&self.derive("pepper id")[..4]);
        PepperId(i32::from_be_bytes(mark))
    }

    /// The key for one purpose, by HKDF-SHA256 (RFC 5869) with the purpose as `info`.
    #[expect(clippy::expect_used, reason = "HKDF-SHA256 fails only for more than 8,160 bytes of output")]
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; LENGTH]> {
        let mut key = Zeroizing::new([0; LENGTH]);
        Salt::new(HKDF_SHA256, b"tradepost root secret v1")
            .extract(self.0.as_slice())
            .expand(&[purpose.as_bytes()], HKDF_SHA256)
            .and_then(|output| output.fill(key.as_mut_slice()))
            .expect("32 bytes can be derived");
        key
    }

    /// Writes a draft next to `path` and links it there: a link, unlike a renaming, never replaces a file.
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut draft = path.as_os_str().to_owned();
        draft.push(format!(".{:016x}.new", u64::from_le_bytes(random::bytes())));
        let draft = PathBuf::from(draft);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        let placed =
            file.write_all(self.0.as_slice()).and_then(|()| file.sync_all()).and_then(|()| fs::hard_link(&draft, path));
        fs::remove_file(&draft)?;
        placed?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }
}

impl fmt::Debug for RootSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RootSecret(..)")
    }
}

/// Either form of a file's content. The two cannot be mistaken for each other, as they differ in length.
fn parse(content: &[u8]) -> Option<Zeroizing<[u8; LENGTH]>> {
    match content.try_into() {
        Ok(bytes) => Some(Zeroizing::new(bytes)),
        Err(_) => parse_hex(std::str::from_utf8(content).ok()?.trim()),
    }
}

fn parse_hex(text: &str) -> Option<Zeroizing<[u8; LENGTH]>> {
    if text.len() != 2 * LENGTH {
        return None;
    }
    let mut bytes = Zeroizing::new([0; LENGTH]);
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digit = |character: u8| char::from(character).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(digits[0])? << 4 | digit(digits[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;

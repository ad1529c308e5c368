//! Secrets of the installation: tokens, digests, sealing. All keys behind it come from one root secret.

use secrecy::{SecretSlice, SecretString};
use tradepost_domain::accounts::api_key::{PepperId, TokenDigest};

/// What a token is for; its first characters say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `tpk_`: an API key.
    ApiKey,
    /// `tps_`: a session.
    Session,
    /// `tpe_`: a link sent by e-mail.
    EmailLink,
    /// `tpi_`: an invitation into a workspace.
    Invitation,
}

/// A token that was just made. The secret is shown once and never stored.
#[derive(Debug)]
pub struct IssuedToken {
    /// The whole token.
    pub secret: SecretString,
    /// Its first 12 characters.
    pub prefix: String,
    /// What is stored of it.
    pub digest: TokenDigest,
}

/// The text is no token of this installation: wrong form, wrong kind or wrong checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a token")]
pub struct NotAToken;

/// The sealed bytes do not open: they were changed, moved to another place, or sealed under another root secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("sealed value does not open: changed, moved, or sealed under another root secret")]
pub struct UnsealError;

/// The root secret whose key made an authenticator of the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditKeySource {
    /// The current root secret.
    Current,
    /// The former root secret, which is still available.
    Former,
    /// A root secret that was removed. Only the key that verifies its events remains.
    Removed,
}

/// Keys and randomness of the installation.
///
/// While a former root secret is at hand, what was made under it is accepted, too. Everything is made under the newest alone.
///
/// A token has the form `tpk_` + 40 base62 characters from the operating system's generator + 6 base62 characters of the
/// CRC-32 (IEEE) of all before; the digest is HMAC-SHA-256 under a key derived from the root secret.
pub trait Secrets: Send + Sync {
    /// Makes a token.
    fn issue(&self, kind: TokenKind) -> IssuedToken;

    /// The digest by which a presented token is looked up. Form and checksum are checked first, without any storage.
    ///
    /// # Errors
    /// [`NotAToken`] when it cannot be one.
    fn digest(&self, kind: TokenKind, token: &str) -> Result<TokenDigest, NotAToken>;

    /// The digest that the same token has under the former pepper; `None` where no former root secret is at hand.
    fn former_digest(&self, kind: TokenKind, token: &str) -> Option<TokenDigest>;

    /// Which pepper digests are made under.
    fn pepper(&self) -> PepperId;

    /// A random code of eight decimal digits, for mails.
    fn numeric_code(&self) -> SecretString;

    /// A recovery code of 120 random bits: 24 characters of Crockford's base 32.
    fn recovery_code(&self) -> SecretString;

    /// The digest of a low-entropy code, bound to what it belongs to.
    fn code_digest(&self, belongs_to: &[u8], code: &str) -> [u8; 32];

    /// Whether a digest is one of this code. Takes the same time for every digest.
    fn is_code(&self, belongs_to: &[u8], code: &str, digest: &[u8; 32]) -> bool;

    /// An eight-byte authenticator of page cursors.
    fn cursor_mac(&self, cursor: &[u8]) -> [u8; 8];

    /// Whether an authenticator is one of this cursor.
    fn is_cursor_mac(&self, cursor: &[u8], mac: &[u8; 8]) -> bool;

    /// Says that this installation wrote these bytes of the audit log.
    fn audit_mac(&self, canonical: &[u8]) -> [u8; 32];

    /// Who says so; `None` for an authenticator that no root secret of this installation made. Compares in constant time.
    fn audit_key_source(&self, canonical: &[u8], mac: &[u8; 32]) -> Option<AuditKeySource>;

    /// Stands for these parts, in this order, to whoever knows them; keyed, so that nobody else can guess them from it.
    fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32];

    /// What stood for them under the former root secret; `None` where none is at hand.
    fn former_fingerprint(&self, parts: &[&[u8]]) -> Option<[u8; 32]>;

    /// Encrypts a value so that only whoever presents `holder` again can read it.
    fn seal_for(&self, holder: &SecretSlice<u8>, plain: &[u8]) -> Vec<u8>;

    /// Decrypts a value sealed for this holder.
    ///
    /// # Errors
    /// [`UnsealError`] for anything else.
    fn open_for(&self, holder: &SecretSlice<u8>, sealed: &[u8]) -> Result<Vec<u8>, UnsealError>;

    /// Encrypts a value; `place` names the one table, column and row where it may be opened.
    fn seal(&self, place: &str, plain: &[u8]) -> Vec<u8>;

    /// Decrypts a value sealed for `place`.
    ///
    /// # Errors
    /// [`UnsealError`] for anything else.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, UnsealError>;
}

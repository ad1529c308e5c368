//! Secrets of the installation: tokens, digests, sealing. All keys behind it come from one root secret.

use secrecy::{SecretSlice, SecretString};
use tradepost_domain::accounts::api_key::{PepperId, TokenDigest};

/// The use of a token; its first characters show it.
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

/// A newly created token. The secret is shown once and never stored.
#[derive(Debug)]
pub struct IssuedToken {
    /// The whole token.
    pub secret: SecretString,
    /// Its first 12 characters.
    pub prefix: String,
    /// The digest that is stored.
    pub digest: TokenDigest,
}

/// The text is not a valid token of this installation: wrong form, wrong kind or wrong checksum.
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
/// While a former root secret is available, everything that was created under it is accepted, too. Everything new is created under the
/// newest alone.
///
/// A token has the form `tpk_` + 40 base62 characters from the operating system's generator + 6 base62 characters of the CRC-32 (IEEE) of
/// all before. The digest is HMAC-SHA-256 under a key derived from the root secret.
pub trait Secrets: Send + Sync {
    /// Creates a token.
    fn issue(&self, kind: TokenKind) -> IssuedToken;

    /// Returns the digest by which a presented token is looked up. Form and checksum are checked first, without any storage.
    ///
    /// # Errors
    /// [`NotAToken`] when the text cannot be a token.
    fn digest(&self, kind: TokenKind, token: &str) -> Result<TokenDigest, NotAToken>;

    /// Returns the digest of the same token under the former pepper; `None` if no former root secret is available.
    fn former_digest(&self, kind: TokenKind, token: &str) -> Option<TokenDigest>;

    /// Returns the id of the pepper under which digests are made.
    fn pepper(&self) -> PepperId;

    /// Returns a random code of eight decimal digits, for mails.
    fn numeric_code(&self) -> SecretString;

    /// Returns a recovery code of 120 random bits: 24 characters of Crockford's base 32.
    fn recovery_code(&self) -> SecretString;

    /// Returns a secret that signs webhooks: `whsec_` and the base64 form of 32 random bytes.
    fn webhook_secret(&self) -> SecretString;

    /// Returns the digest of a low-entropy code, bound to its owner.
    fn code_digest(&self, belongs_to: &[u8], code: &str) -> [u8; 32];

    /// Returns whether a digest is one of this code. Takes the same time for every digest.
    fn is_code(&self, belongs_to: &[u8], code: &str, digest: &[u8; 32]) -> bool;

    /// Returns an eight-byte authenticator of page cursors.
    fn cursor_mac(&self, cursor: &[u8]) -> [u8; 8];

    /// Returns whether an authenticator is one of this cursor.
    fn is_cursor_mac(&self, cursor: &[u8], mac: &[u8; 8]) -> bool;

    /// Returns an authenticator that this installation wrote these bytes of the audit log.
    fn audit_mac(&self, canonical: &[u8]) -> [u8; 32];

    /// Returns the key that made the authenticator; `None` if no root secret of this installation made it. Compares in constant time.
    fn audit_key_source(&self, canonical: &[u8], mac: &[u8; 32]) -> Option<AuditKeySource>;

    /// Returns a digest of these parts, in this order. It is keyed, so that no one can guess the parts from it.
    fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32];

    /// Returns their fingerprint under the former root secret; `None` if none is available.
    fn former_fingerprint(&self, parts: &[&[u8]]) -> Option<[u8; 32]>;

    /// Encrypts a value so that only a caller that presents `holder` again can read it.
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

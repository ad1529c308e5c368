//! Secrets that anyone can compute: for tests only, which need the same tokens in every run.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::api_key::{PepperId, TokenDigest};

use tradepost_ports::secrets::{AuditKeySource, IssuedToken, NotAToken, Secrets, TokenKind, UnsealError};

/// Counted tokens and codes, digests under a root secret that is a number, and sealing that hides nothing but keeps values in their place.
#[derive(Debug, Default)]
pub struct FakeSecrets {
    issued: AtomicU64,
    root: i32,
    former: Option<i32>,
    gone: Option<i32>,
}

impl FakeSecrets {
    /// Returns those of an installation in which one root secret replaced another, which is still available.
    pub fn replacing(former: i32, root: i32) -> Self {
        Self { former: Some(former), ..Self::of(root) }
    }

    /// Returns the same after the former one was removed.
    pub fn replaced(gone: i32, root: i32) -> Self {
        Self { gone: Some(gone), ..Self::of(root) }
    }

    /// Counts from a number that no other installation of a test uses.
    fn of(root: i32) -> Self {
        Self { issued: AtomicU64::new(u64::from(root.unsigned_abs()) * 10_000), root, former: None, gone: None }
    }

    fn count(&self) -> u64 {
        self.issued.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn at_hand(&self) -> impl Iterator<Item = i32> {
        [Some(self.root), self.former].into_iter().flatten()
    }
}

impl Secrets for FakeSecrets {
    fn issue(&self, kind: TokenKind) -> IssuedToken {
        let secret = format!("{}{:08}{:038}", prefix(kind), self.count(), 0);
        let digest = digest_under(self.root, &secret);
        IssuedToken { prefix: secret[..12].to_owned(), digest, secret: secret.into() }
    }

    fn digest(&self, kind: TokenKind, token: &str) -> Result<TokenDigest, NotAToken> {
        let body = token.strip_prefix(prefix(kind)).ok_or(NotAToken)?;
        let is_whole = body.len() == 46 && body.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_whole { Ok(digest_under(self.root, token)) } else { Err(NotAToken) }
    }

    fn former_digest(&self, kind: TokenKind, token: &str) -> Option<TokenDigest> {
        self.digest(kind, token).ok()?;
        self.former.map(|former| digest_under(former, token))
    }

    fn pepper(&self) -> PepperId {
        PepperId(self.root)
    }

    fn numeric_code(&self) -> SecretString {
        format!("{:08}", 10_000_000 + self.count()).into()
    }

    fn recovery_code(&self) -> SecretString {
        format!("{:024}", self.count()).into()
    }

    fn webhook_secret(&self) -> SecretString {
        format!("whsec_{:043}=", self.count()).into()
    }

    fn code_digest(&self, belongs_to: &[u8], code: &str) -> [u8; 32] {
        spread(&(self.root, belongs_to, code))
    }

    fn is_code(&self, belongs_to: &[u8], code: &str, digest: &[u8; 32]) -> bool {
        self.at_hand().any(|root| *digest == spread(&(root, belongs_to, code)))
    }

    fn cursor_mac(&self, cursor: &[u8]) -> [u8; 8] {
        cursor_mac_under(self.root, cursor)
    }

    fn is_cursor_mac(&self, cursor: &[u8], mac: &[u8; 8]) -> bool {
        self.at_hand().any(|root| *mac == cursor_mac_under(root, cursor))
    }

    fn audit_mac(&self, canonical: &[u8]) -> [u8; 32] {
        audit_mac_under(self.root, canonical)
    }

    fn audit_key_source(&self, canonical: &[u8], mac: &[u8; 32]) -> Option<AuditKeySource> {
        let roots = [
            (AuditKeySource::Current, Some(self.root)),
            (AuditKeySource::Former, self.former),
            (AuditKeySource::Removed, self.gone),
        ];
        let made_it = |root: i32| *mac == audit_mac_under(root, canonical);
        roots.into_iter().find(|(_, root)| root.is_some_and(made_it)).map(|(key_source, _)| key_source)
    }

    fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32] {
        spread(&(self.root, parts))
    }

    fn former_fingerprint(&self, parts: &[&[u8]]) -> Option<[u8; 32]> {
        self.former.map(|former| spread(&(former, parts)))
    }

    fn seal_for(&self, holder: &SecretSlice<u8>, plain: &[u8]) -> Vec<u8> {
        spread(holder.expose_secret()).into_iter().chain(plain.iter().map(|byte| !byte)).collect()
    }

    fn open_for(&self, holder: &SecretSlice<u8>, sealed: &[u8]) -> Result<Vec<u8>, UnsealError> {
        let flipped = sealed.strip_prefix(&spread(holder.expose_secret())).ok_or(UnsealError)?;
        Ok(flipped.iter().map(|byte| !byte).collect())
    }

    fn seal(&self, place: &str, plain: &[u8]) -> Vec<u8> {
        let flipped = plain.iter().map(|byte| !byte);
        spread(place).into_iter().chain(flipped).collect()
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, UnsealError> {
        let flipped = sealed.strip_prefix(&spread(place)).ok_or(UnsealError)?;
        Ok(flipped.iter().map(|byte| !byte).collect())
    }
}

fn digest_under(root: i32, token: &str) -> TokenDigest {
    TokenDigest(spread(&(root, token)))
}

fn cursor_mac_under(root: i32, cursor: &[u8]) -> [u8; 8] {
    let mut mac = [0; 8];
    mac.copy_from_slice(&spread(&(root, cursor))[..8]);
    mac
}

fn audit_mac_under(root: i32, canonical: &[u8]) -> [u8; 32] {
    spread(&("audit", root, canonical))
}

const fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::ApiKey => "tpk_",
        TokenKind::Session => "tps_",
        TokenKind::EmailLink => "tpe_",
        TokenKind::Invitation => "tpi_",
    }
}

/// Returns 32 bytes that follow from a value.
fn spread(value: &(impl Hash + ?Sized)) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (round, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        let mut hasher = DefaultHasher::new();
        (round, value).hash(&mut hasher);
        chunk.copy_from_slice(&hasher.finish().to_be_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_the_digest_it_was_issued_with() {
        let secrets = FakeSecrets::default();
        let token = secrets.issue(TokenKind::ApiKey);
        assert_eq!(secrets.digest(TokenKind::ApiKey, token.secret.expose_secret()), Ok(token.digest));
        assert_eq!(secrets.digest(TokenKind::EmailLink, token.secret.expose_secret()), Err(NotAToken));
    }

    #[test]
    fn a_sealed_value_opens_only_in_its_place() {
        let secrets = FakeSecrets::default();
        let sealed = secrets.seal("totp.secret", b"seed");
        assert_ne!(sealed, b"seed");
        assert_eq!(secrets.open("totp.secret", &sealed), Ok(b"seed".to_vec()));
        assert_eq!(secrets.open("totp.other", &sealed), Err(UnsealError));
    }
}

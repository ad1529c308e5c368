//! The keys that are derived from one root secret, each for one purpose. It must not know which root secret is the newest.

use aws_lc_rs::aead::{AES_256_GCM, RandomizedNonceKey};
use aws_lc_rs::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::api_key::{PepperId, TokenDigest};

use crate::root_secret::RootSecret;

/// The purpose of the key that authenticates the audit log.
pub(super) const AUDIT: &str = "audit log";

/// The pepper of token digests, the key of code digests, of page cursors, of the audit log and of fingerprints, and the key that
/// sealed before there was a data key.
pub(super) struct Keys {
    pepper: hmac::Key,
    pub(super) pepper_id: PepperId,
    codes: hmac::Key,
    pub(super) cursors: hmac::Key,
    pub(super) audit: hmac::Key,
    fingerprints: hmac::Key,
    pub(super) sealing: RandomizedNonceKey,
}

impl Keys {
    #[expect(clippy::expect_used, reason = "AES-256-GCM takes every key of 32 bytes")]
    pub(super) fn of(root: &RootSecret) -> Self {
        let hmac_key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, root.derive(purpose).as_slice());
        Self {
            pepper: hmac_key("token digests"),
            pepper_id: root.pepper(),
            codes: hmac_key("code digests"),
            cursors: hmac_key("page cursors"),
            audit: hmac_key(AUDIT),
            fingerprints: hmac_key("fingerprints"),
            sealing: RandomizedNonceKey::new(&AES_256_GCM, root.derive("sealing").as_slice())
                .expect("a key of 32 bytes"),
        }
    }

    pub(super) fn token(&self, token: &str) -> TokenDigest {
        TokenDigest(leading(&hmac::sign(&self.pepper, token.as_bytes())))
    }

    pub(super) fn code(&self, belongs_to: &[u8], read: &SecretString) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.codes);
        // The length keeps owner and code apart: no owner's end can be taken for a code's beginning.
        context.update(&(belongs_to.len() as u64).to_be_bytes());
        context.update(belongs_to);
        context.update(read.expose_secret().as_bytes());
        leading(&context.sign())
    }

    pub(super) fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.fingerprints);
        for part in parts {
            // The length keeps the parts apart.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        leading(&context.sign())
    }
}

/// The first bytes of an HMAC-SHA-256, which has 32.
pub(super) fn leading<const N: usize>(tag: &hmac::Tag) -> [u8; N] {
    std::array::from_fn(|position| tag.as_ref()[position])
}

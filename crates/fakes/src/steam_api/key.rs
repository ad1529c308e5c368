//! The key by which clients encrypt passwords.

use aws_lc_rs::encoding::{AsDer as _, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeySize, Pkcs1PrivateDecryptingKey, PrivateDecryptingKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The bytes of the modulus.
const MODULUS: usize = 256;
/// The public exponent, 65537, and how a document of a key ends with it.
const EXPONENT: [u8; 3] = [1, 0, 1];
const ENDS_WITH: [u8; 5] = [2, 3, 1, 0, 1];

/// A pair of keys.
#[derive(Debug)]
pub(crate) struct SteamKey {
    private: Pkcs1PrivateDecryptingKey,
    /// The modulus in hexadecimal digits.
    pub(super) modulus: String,
    /// The exponent in hexadecimal digits.
    pub(super) exponent: String,
}

impl SteamKey {
    pub(crate) fn generated() -> Option<Self> {
        let key = PrivateDecryptingKey::generate(KeySize::Rsa2048).ok()?;
        let document: PublicKeyX509Der<'static> = key.public_key().as_der().ok()?;
        let modulus = modulus(document.as_ref())?;
        let private = Pkcs1PrivateDecryptingKey::new(key).ok()?;
        Some(Self { private, modulus: hex(modulus), exponent: hex(&EXPONENT) })
    }

    /// What was encrypted by the public key, from base 64.
    pub(super) fn decrypted(&self, text: &str) -> Option<String> {
        let sealed = STANDARD.decode(text).ok()?;
        let mut plain = vec![0; self.private.min_output_size()];
        let plain = self.private.decrypt(&sealed, &mut plain).ok()?;
        String::from_utf8(plain.to_vec()).ok()
    }
}

/// The modulus of a key, which its document has before the exponent.
fn modulus(document: &[u8]) -> Option<&[u8]> {
    let rest = document.strip_suffix(&ENDS_WITH)?;
    let (_, modulus) = rest.split_at_checked(rest.len().checked_sub(MODULUS)?)?;
    Some(modulus)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

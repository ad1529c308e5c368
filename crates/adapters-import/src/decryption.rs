//! The encryption of the Steam Desktop Authenticator: a key derived from the passphrase by PBKDF2 with HMAC-SHA1 and 50,000
//! rounds, and AES-256 in CBC mode.

use std::num::NonZeroU32;

use aws_lc_rs::cipher::{AES_256, DecryptionContext, PaddedBlockDecryptingKey, UnboundCipherKey};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::pbkdf2::{PBKDF2_HMAC_SHA1, derive};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

const ROUNDS: NonZeroU32 = match NonZeroU32::new(50_000) {
    Some(rounds) => rounds,
    None => NonZeroU32::MIN,
};
/// Most bytes of a salt. The program writes 8.
const LONGEST_SALT: usize = 64;

/// What a manifest says of an encrypted file.
pub(crate) struct Encryption {
    pub(crate) salt: Vec<u8>,
    pub(crate) iv: [u8; 16],
}

impl Encryption {
    /// Returns the encryption of a manifest's texts, if they can be ones.
    pub(crate) fn of(salt: &str, iv: &str) -> Option<Self> {
        let salt = STANDARD.decode(salt).ok().filter(|salt| (1..=LONGEST_SALT).contains(&salt.len()))?;
        Some(Self { salt, iv: STANDARD.decode(iv).ok()?.try_into().ok()? })
    }

    /// Returns the text of a file; `None` where the passphrase is not its own, or the file is damaged.
    pub(crate) fn open(&self, sealed: &str, passphrase: &SecretString) -> Option<Zeroizing<String>> {
        let mut bytes = Zeroizing::new(STANDARD.decode(sealed.trim()).ok()?);
        let mut key = Zeroizing::new([0_u8; 32]);
        derive(PBKDF2_HMAC_SHA1, ROUNDS, &self.salt, passphrase.expose_secret().as_bytes(), key.as_mut());
        let key = UnboundCipherKey::new(&AES_256, key.as_ref()).ok()?;
        let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).ok()?;
        let context = DecryptionContext::Iv128(FixedLength::from(&self.iv));
        let plain = key.decrypt(bytes.as_mut(), context).ok()?;
        std::str::from_utf8(plain).ok().map(|text| Zeroizing::new(text.to_owned()))
    }
}

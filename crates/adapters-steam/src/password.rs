//! The key by which Steam wants a password encrypted: RSA with the padding of PKCS #1 version 1.5.

use aws_lc_rs::rsa::{Pkcs1PublicEncryptingKey, PublicEncryptingKey, PublicKeyComponents};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

/// A key that Steam gave for one password.
#[derive(Debug)]
pub(crate) struct PasswordKey(Pkcs1PublicEncryptingKey);

impl PasswordKey {
    /// Reads a key of hexadecimal digits; `None` for what is not a key of at least 2,048 bits.
    pub(crate) fn read(modulus: &str, exponent: &str) -> Option<Self> {
        let components = PublicKeyComponents { n: number(modulus)?, e: number(exponent)? };
        let key: PublicEncryptingKey = components.try_into().ok()?;
        Pkcs1PublicEncryptingKey::new(key).ok().map(Self)
    }

    /// Returns a password, encrypted, in base64; `None` for one that is too long for the key.
    pub(crate) fn encrypt(&self, password: &SecretString) -> Option<String> {
        let mut space = vec![0; self.0.ciphertext_size()];
        let encrypted = self.0.encrypt(password.expose_secret().as_bytes(), &mut space).ok()?;
        Some(STANDARD.encode(encrypted))
    }
}

/// The bytes of a number in hexadecimal digits, without the zeros before it.
fn number(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_start_matches('0');
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let padding = if digits.len().is_multiple_of(2) { "" } else { "0" };
    let digits = format!("{padding}{digits}");
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    digits.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::encoding::{AsDer as _, PublicKeyX509Der};
    use aws_lc_rs::rsa::{KeySize, Pkcs1PrivateDecryptingKey, PrivateDecryptingKey};

    use super::*;

    const EXPONENT: &str = "010001";

    /// A key pair, as the private key and the modulus in hexadecimal digits.
    fn pair() -> (Pkcs1PrivateDecryptingKey, String) {
        let private = PrivateDecryptingKey::generate(KeySize::Rsa2048).unwrap();
        let document: PublicKeyX509Der<'_> = private.public_key().as_der().unwrap();
        let der: &[u8] = document.as_ref();
        // It ends with the 256 bytes of the modulus, and with the exponent: two bytes that announce it, and three of its own.
        let (rest, exponent) = der.split_at(der.len() - 5);
        assert_eq!(exponent, [2, 3, 1, 0, 1]);
        let (_, modulus) = rest.split_at(rest.len() - 256);
        let modulus = modulus.iter().map(|byte| format!("{byte:02x}")).collect();
        (Pkcs1PrivateDecryptingKey::new(private).unwrap(), modulus)
    }

    #[test]
    fn a_password_is_encrypted_so_that_the_owner_of_the_key_reads_it() {
        let (private, modulus) = pair();
        let password = "correct horse, b\u{e4}ttery";
        for modulus in [modulus.clone(), modulus.to_uppercase(), format!("00{modulus}")] {
            let key = PasswordKey::read(&modulus, EXPONENT).unwrap();
            let encrypted = STANDARD.decode(key.encrypt(&SecretString::from(password)).unwrap()).unwrap();
            let mut space = vec![0; private.min_output_size()];
            assert_eq!(private.decrypt(&encrypted, &mut space).unwrap(), password.as_bytes());
        }
    }

    #[test]
    fn a_password_that_is_longer_than_the_key_takes_is_not_encrypted() {
        let (_, modulus) = pair();
        let key = PasswordKey::read(&modulus, EXPONENT).unwrap();
        assert!(key.encrypt(&SecretString::from("a".repeat(245))).is_some());
        assert!(key.encrypt(&SecretString::from("a".repeat(246))).is_none());
    }

    #[test]
    fn what_is_not_a_key_is_not_taken_for_one() {
        let (_, modulus) = pair();
        let (short, _) = modulus.split_at(256);
        for (modulus, exponent) in
            [("", EXPONENT), (&modulus, ""), (short, EXPONENT), ("+f", EXPONENT), ("zz", EXPONENT)]
        {
            assert!(PasswordKey::read(modulus, exponent).is_none(), "{modulus} {exponent}");
        }
    }

    #[test]
    fn digits_become_the_bytes_of_their_number() {
        assert_eq!(number("010001"), Some(vec![1, 0, 1]));
        assert_eq!(number("10001"), Some(vec![1, 0, 1]));
        assert_eq!(number("00fF"), Some(vec![255]));
        assert_eq!(number("0"), Some(vec![]));
        assert_eq!(number("0x10"), None);
    }
}

//! RFC 6238 and the codes of Steam Guard by `totp-rs`, and the keys of mobile confirmations. It must not know which steps were used; the store
//! of the steps decides that.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::{ConfirmationKey, ConfirmationTag};
use tradepost_ports::totp::{LoginCode, TotpCodes, TotpSetup};
use zeroize::Zeroizing;

use crate::random;

/// Under this name the authenticator app lists the secret.
const ISSUER: &str = "tradepost";
const MICROS_PER_SECOND: i64 = 1_000_000;
/// The seconds of a code.
const STEP: u64 = 30;
/// The bytes of each secret of a mobile authenticator of the game platform.
const AUTHENTICATOR_SECRET: usize = 20;

/// Codes of six digits by HMAC-SHA-1, one every 30 s, taken one step early or late. These are the values that every
/// authenticator app knows; some ignore others without saying so.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rfc6238;

impl Rfc6238 {
    /// The code that an authenticator app shows for a secret in base 32; `None` for a text that is none.
    pub fn code(secret_base32: &str, at: Timestamp) -> Option<SecretString> {
        let secret = Secret::try_from_base32(secret_base32).ok()?;
        let second = u64::try_from(at.as_micros().div_euclid(MICROS_PER_SECOND)).ok()?;
        Some(SecretString::from(totp(secret.as_bytes(), ISSUER).generate(second).to_string()))
    }
}

impl TotpCodes for Rfc6238 {
    #[expect(clippy::expect_used, reason = "an address is refused only for an account without name or with a colon")]
    fn setup(&self, account: &str) -> TotpSetup {
        // 160 bits, the length of an HMAC-SHA-1 (RFC 4226 §4).
        let secret: [u8; 20] = random::bytes();
        let totp = totp(&secret, &label(account));
        TotpSetup {
            secret_base32: SecretString::from(totp.secret().to_base32()),
            otpauth_url: SecretString::from(totp.to_url().expect("the label is an account's name")),
            secret: SecretSlice::from(secret.to_vec()),
        }
    }

    fn step_of(&self, secret: &[u8], code: &str, at: Timestamp) -> Option<u64> {
        let second = u64::try_from(at.as_micros().div_euclid(MICROS_PER_SECOND)).ok()?;
        totp(secret, ISSUER).check(code, second)
    }

    fn login_code(&self, shared_secret: &SecretString, at: Timestamp) -> Option<LoginCode> {
        let secret = of_authenticator(shared_secret)?;
        let second = u64::try_from(at.as_micros().div_euclid(MICROS_PER_SECOND)).ok()?;
        let next = i64::try_from((second / STEP + 1) * STEP).ok()?.checked_mul(MICROS_PER_SECOND)?;
        let code = Builder::new_steam().with_secret(secret.as_slice()).build_noncompliant().generate(second);
        Some(LoginCode { code: SecretString::from(code.to_string()), valid_until: Timestamp::from_micros(next).ok()? })
    }

    fn confirmation_key(
        &self,
        identity_secret: &SecretString,
        account: PlatformUserId,
        at: Timestamp,
        tag: ConfirmationTag,
    ) -> Option<ConfirmationKey> {
        let secret = of_authenticator(identity_secret)?;
        let second = u64::try_from(at.as_micros().div_euclid(MICROS_PER_SECOND)).ok()?;
        let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret));
        context.update(&second.to_be_bytes());
        context.update(tag.word().as_bytes());
        Some(ConfirmationKey {
            device_id: device_id(account),
            key: SecretString::from(STANDARD.encode(context.sign())),
        })
    }
}

/// The bytes of a secret of a mobile authenticator; `None` for a text that is none.
fn of_authenticator(secret: &SecretString) -> Option<Zeroizing<Vec<u8>>> {
    let secret = Zeroizing::new(STANDARD.decode(secret.expose_secret().trim()).ok()?);
    (secret.len() == AUTHENTICATOR_SECRET).then_some(secret)
}

/// The name of an account's authenticator, where its own is not known: the SHA-1 of the account's number, in the form of a UUID.
fn device_id(account: PlatformUserId) -> String {
    let digest = digest(&SHA1_FOR_LEGACY_USE_ONLY, account.to_string().as_bytes());
    let grouped = digest.as_ref().iter().take(16).enumerate().map(|(place, byte)| {
        let separator = if [4, 6, 8, 10].contains(&place) { "-" } else { "" };
        format!("{separator}{byte:02x}")
    });
    format!("android:{}", grouped.collect::<String>())
}

fn totp(secret: &[u8], account: &str) -> Totp {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_step_duration(STEP)
        .with_skew(1)
        .with_secret(secret)
        .with_issuer(Some(ISSUER))
        .with_account_name(account)
        .build_noncompliant()
}

/// The account as the app shows it. A colon parts issuer and account there, so an account cannot have one.
fn label(account: &str) -> String {
    let label = account.replace(':', " ");
    if label.is_empty() { ISSUER.to_owned() } else { label }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    fn second(second: i64) -> Timestamp {
        Timestamp::from_micros(second * MICROS_PER_SECOND).unwrap()
    }

    /// The last six digits of RFC 6238, appendix B, SHA-1, with the step that the appendix names.
    #[test]
    fn the_codes_of_the_standard_are_found_at_their_steps() {
        for (time, step, code) in [
            (59, 0x1, "287082"),
            (1_111_111_109, 0x0235_23EC, "081804"),
            (1_111_111_111, 0x0235_23ED, "050471"),
            (1_234_567_890, 0x0273_EF07, "005924"),
            (2_000_000_000, 0x03F9_40AA, "279037"),
            (20_000_000_000, 0x27BC_86AA, "353130"),
        ] {
            assert_eq!(Rfc6238.step_of(SECRET, code, second(time)), Some(step), "at {time}");
        }
    }

    #[test]
    fn a_code_is_taken_one_step_early_or_late_and_no_further() {
        let code_of_step_two = totp(SECRET, ISSUER).generate(60).to_string();
        for (time, found) in [(29, None), (30, Some(2)), (60, Some(2)), (119, Some(2)), (120, None)] {
            assert_eq!(Rfc6238.step_of(SECRET, &code_of_step_two, second(time)), found, "at {time}");
        }
    }

    #[test]
    fn anything_but_the_six_digits_is_wrong() {
        for code in ["", "28708", "2870820", "287083", "+87082", " 287082", "２８７０８２"] {
            assert_eq!(Rfc6238.step_of(SECRET, code, second(59)), None, "{code:?}");
        }
    }

    #[test]
    fn before_1970_there_are_no_steps() {
        assert_eq!(Rfc6238.step_of(SECRET, "287082", second(-1)), None);
    }

    #[test]
    fn a_setup_names_issuer_account_and_secret() {
        let setup = Rfc6238.setup("ada@example.com");
        let base32 = setup.secret_base32.expose_secret();
        let expected = format!("otpauth://totp/tradepost:ada%40example.com?secret={base32}&issuer=tradepost");
        assert_eq!(setup.otpauth_url.expose_secret(), expected);
        assert_eq!((setup.secret.expose_secret().len(), base32.len()), (20, 32));
    }

    #[test]
    fn a_code_of_the_secret_that_was_set_up_is_taken() {
        let setup = Rfc6238.setup("ada@example.com");
        let secret = setup.secret.expose_secret();
        let code = totp(secret, ISSUER).generate(1_000_000_000).to_string();
        assert_eq!(Rfc6238.step_of(secret, &code, second(1_000_000_000)), Some(33_333_333));
    }

    /// The example of steamguard-cli (src/token.rs), whose codes the game platform accepts.
    #[test]
    fn a_login_code_is_the_one_that_the_game_platform_expects() {
        let secret = SecretString::from("zvIayp3JPvtvX/QGHqsqKBk/44s=");
        let login = Rfc6238.login_code(&secret, second(1_616_374_841)).unwrap();
        assert_eq!((login.code.expose_secret(), login.valid_until), ("2F9J5", second(1_616_374_860)));
        let same = Rfc6238.login_code(&secret, second(1_616_374_859)).unwrap();
        assert_eq!(same.code.expose_secret(), "2F9J5");
        let next = Rfc6238.login_code(&secret, second(1_616_374_860)).unwrap();
        assert_ne!(next.code.expose_secret(), "2F9J5");
    }

    #[test]
    fn a_text_that_is_no_shared_secret_has_no_login_code() {
        for text in ["", "zvIayp3JPvtvX/QGHqsqKBk=", "zvIayp3JPvtvX/QGHqsqKBk/44s", "not base 64 in any alphabet!"] {
            assert!(Rfc6238.login_code(&SecretString::from(text), second(59)).is_none(), "{text:?}");
        }
    }

    fn account() -> PlatformUserId {
        PlatformUserId::new(76_561_197_960_265_729.try_into().unwrap())
    }

    /// The example of steamguard-cli, whose keys the game platform accepts.
    #[test]
    fn a_key_of_confirmations_is_the_one_that_the_game_platform_expects_for_its_time_and_its_call() {
        let secret = SecretString::from("GQP46b73Ws7gr8GmZFR0sDuau5c=");
        let key = |at, tag| Rfc6238.confirmation_key(&secret, account(), second(at), tag).unwrap();
        let made = key(1_617_591_917, ConfirmationTag::List);
        assert_eq!(made.key.expose_secret(), "NaL8EIMhfy/7vBounJ0CvpKbrPk=");
        assert_eq!(made.device_id, "android:8007b97d-f21a-4c7f-fd82-de8057efbec2");
        let others = [
            key(1_617_591_918, ConfirmationTag::List),
            key(1_617_591_917, ConfirmationTag::Allow),
            key(1_617_591_917, ConfirmationTag::Deny),
        ];
        assert!(others.iter().all(|other| other.key.expose_secret() != made.key.expose_secret()));
        assert_ne!(others[1].key.expose_secret(), others[2].key.expose_secret());
        assert_eq!(format!("{made:?}"), "ConfirmationKey");
    }

    #[test]
    fn a_text_that_is_no_identity_secret_makes_no_key_and_there_is_none_before_1970() {
        for text in ["", "GQP46b73Ws7gr8GmZFR0sDuau5c", "GQP46b73Ws7gr8GmZFR0sA==", "not base 64 in any alphabet!"] {
            let secret = SecretString::from(text);
            let none = Rfc6238.confirmation_key(&secret, account(), second(59), ConfirmationTag::List);
            assert!(none.is_none(), "{text:?}");
        }
        let secret = SecretString::from("GQP46b73Ws7gr8GmZFR0sDuau5c=");
        let at = |at| Rfc6238.confirmation_key(&secret, account(), at, ConfirmationTag::List);
        assert!(at(second(-1)).is_none() && at(Timestamp::MAX).is_some());
    }

    #[test]
    fn every_setup_has_its_own_secret() {
        let secrets = [Rfc6238.setup("a@example.com"), Rfc6238.setup("a@example.com")];
        assert_ne!(secrets[0].secret.expose_secret(), secrets[1].secret.expose_secret());
    }

    #[test]
    fn any_account_name_gives_an_address() {
        for account in ["", ":", "a:b", "Ada Lovelace", "é/?&="] {
            assert!(Rfc6238.setup(account).otpauth_url.expose_secret().starts_with("otpauth://totp/tradepost:"));
        }
    }
}

//! What is promised of digests, codes, cursors and sealed values.

use proptest::prelude::*;

use super::*;

fn vault() -> Vault {
    Vault::new(&RootSecret::from_bytes([1; 32]))
}

fn vault_of_another_installation() -> Vault {
    Vault::new(&RootSecret::from_bytes([2; 32]))
}

#[test]
fn an_issued_token_is_found_by_the_digest_that_was_stored() {
    for kind in [TokenKind::ApiKey, TokenKind::Session, TokenKind::EmailLink, TokenKind::Invitation] {
        let issued = vault().issue(kind);
        assert_eq!(vault().digest(kind, issued.secret.expose_secret()), Ok(issued.digest));
        assert_eq!(issued.prefix, issued.secret.expose_secret()[..12]);
    }
}

#[test]
fn another_installation_has_another_digest_of_the_same_token() {
    let issued = vault().issue(TokenKind::ApiKey);
    let elsewhere = vault_of_another_installation().digest(TokenKind::ApiKey, issued.secret.expose_secret());
    assert_ne!(elsewhere, Ok(issued.digest));
}

#[test]
fn an_api_key_is_no_link_and_a_link_no_api_key() {
    let link = vault().issue(TokenKind::EmailLink);
    assert_eq!(vault().digest(TokenKind::ApiKey, link.secret.expose_secret()), Err(NotAToken));
}

#[test]
fn a_code_has_another_digest_for_everything_it_belongs_to() {
    assert_ne!(vault().code_digest(b"one", "12345678"), vault().code_digest(b"other", "12345678"));
    assert_ne!(vault().code_digest(b"one1", "2345678"), vault().code_digest(b"one", "12345678"));
    assert_eq!(vault().code_digest(b"one", "12345678"), vault().code_digest(b"one", "12345678"));
}

#[test]
fn another_code_has_another_digest() {
    assert_ne!(vault().code_digest(b"one", "12345678"), vault().code_digest(b"one", "12345679"));
}

#[test]
fn a_recovery_code_may_be_typed_as_people_type() {
    let digest = vault().code_digest(b"user", "0123456789ABCDEFGHJKMNPQ");
    for typed in ["0123-4567-89AB-CDEF-GHJK-MNPQ", "oi23 4567 89ab cdef ghjk mnpq", "Ol23456789abcdefghjkmnpq"] {
        assert_eq!(vault().code_digest(b"user", typed), digest, "{typed}");
    }
}

#[test]
fn codes_have_the_promised_form() {
    let code = vault().numeric_code();
    assert!(code.expose_secret().len() == 8 && code.expose_secret().bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(vault().recovery_code().expose_secret().len(), 24);
    let secret = vault().webhook_secret();
    assert!(secret.expose_secret().starts_with("whsec_") && secret.expose_secret().len() == 50);
}

#[test]
fn a_digest_is_one_of_a_code_only_when_every_bit_is() {
    let digest = vault().code_digest(b"user", "12345678");
    assert!(vault().is_code(b"user", "12345678", &digest));
    for position in 0..32 {
        let mut changed = digest;
        changed[position] ^= 1;
        assert!(!vault().is_code(b"user", "12345678", &changed));
    }
}

#[test]
fn a_cursor_of_another_text_or_installation_has_another_authenticator() {
    assert_eq!(vault().cursor_mac(b"page 2"), vault().cursor_mac(b"page 2"));
    assert_ne!(vault().cursor_mac(b"page 2"), vault().cursor_mac(b"page 3"));
    assert_ne!(vault().cursor_mac(b"page 2"), vault_of_another_installation().cursor_mac(b"page 2"));
}

#[test]
fn a_sealed_value_opens_only_in_its_place() {
    let sealed = vault().seal("totp.secret.1", b"plain");
    assert_eq!(vault().open("totp.secret.1", &sealed), Ok(b"plain".to_vec()));
    assert_eq!(vault().open("totp.secret.2", &sealed), Err(UnsealError));
}

#[test]
fn a_sealed_value_does_not_open_in_another_installation() {
    let sealed = vault().seal("place", b"plain");
    assert_eq!(vault_of_another_installation().open("place", &sealed), Err(UnsealError));
}

#[test]
fn a_changed_bit_anywhere_keeps_a_sealed_value_shut() {
    let sealed = vault().seal("place", b"plain");
    for position in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[position] ^= 1;
        assert_eq!(vault().open("place", &changed), Err(UnsealError), "at {position}");
    }
}

#[test]
fn a_shortened_value_stays_shut() {
    let sealed = vault().seal("place", b"plain");
    for length in 0..sealed.len() {
        assert_eq!(vault().open("place", &sealed[..length]), Err(UnsealError), "{length} bytes");
    }
}

#[test]
fn what_was_sealed_before_there_was_a_data_key_still_opens() {
    let before = vault().seal("place", b"plain");
    let vault = vault().with_data_key(1, AesEnvelopes.new_key());
    let after = vault.seal("place", b"plain");
    assert_eq!((before.first(), after.first()), (Some(&1), Some(&2)));
    assert_eq!(vault.open("place", &before), Ok(b"plain".to_vec()));
    assert_eq!(vault.open("place", &after), Ok(b"plain".to_vec()));
}

#[test]
fn what_is_sealed_under_a_data_key_opens_in_its_place_and_under_that_key_alone() {
    let under = |number, key: &DataKey| vault().with_data_key(number, DataKey::new(Box::new(*key.expose_secret())));
    let [key, other] = [AesEnvelopes.new_key(), AesEnvelopes.new_key()];
    let sealed = under(1, &key).seal("place", b"plain");
    assert_eq!(under(1, &key).open("place", &sealed), Ok(b"plain".to_vec()));
    assert_eq!(under(1, &key).open("elsewhere", &sealed), Err(UnsealError));
    assert_eq!(under(2, &key).open("place", &sealed), Err(UnsealError));
    assert_eq!(under(1, &other).open("place", &sealed), Err(UnsealError));
    assert_eq!(vault().open("place", &sealed), Err(UnsealError));
}

#[test]
fn sealing_the_same_value_twice_gives_different_bytes() {
    assert_ne!(vault().seal("place", b"plain"), vault().seal("place", b"plain"));
}

#[test]
fn debug_output_of_a_token_and_the_vault_holds_no_secret() {
    let issued = vault().issue(TokenKind::ApiKey);
    assert!(!format!("{issued:?}").contains(issued.secret.expose_secret()));
    assert_eq!(format!("{:?}", vault()), "Vault(..)");
}

proptest! {
    #[test]
    fn whatever_is_sealed_comes_back(place in ".{0,40}", plain in proptest::collection::vec(any::<u8>(), 0..200)) {
        let sealed = vault().seal(&place, &plain);
        prop_assert_eq!(sealed.len(), 1 + 12 + plain.len() + 16);
        prop_assert_eq!(vault().open(&place, &sealed), Ok(plain));
    }
}

fn held(text: &str) -> SecretSlice<u8> {
    text.as_bytes().to_vec().into()
}

#[test]
fn what_is_sealed_for_a_holder_opens_for_nobody_else() {
    let sealed = vault().seal_for(&held("token and key"), b"plain");
    assert_eq!(vault().open_for(&held("token and key"), &sealed), Ok(b"plain".to_vec()));
    assert_eq!(vault().open_for(&held("token and quay"), &sealed), Err(UnsealError));
    assert_eq!(vault().open("held by its caller", &sealed), Err(UnsealError));
}

#[test]
fn a_fingerprint_tells_parts_and_installations_apart() {
    let whole = vault().fingerprint(&[b"ab", b"c"]);
    assert_eq!(whole, vault().fingerprint(&[b"ab", b"c"]));
    assert_ne!(whole, vault().fingerprint(&[b"a", b"bc"]));
    assert_ne!(whole, vault_of_another_installation().fingerprint(&[b"ab", b"c"]));
}

/// The vault of the installation whose root secret took the place of [`vault`]'s, which is still at hand.
fn successor() -> Vault {
    vault_of_another_installation().with_former(&RootSecret::from_bytes([1; 32]))
}

#[test]
fn a_token_of_before_is_found_by_its_former_digest() {
    let issued = vault().issue(TokenKind::Session);
    let token = issued.secret.expose_secret();
    assert_eq!(successor().former_digest(TokenKind::Session, token), Some(issued.digest));
    assert_ne!(successor().digest(TokenKind::Session, token), Ok(issued.digest));
    assert_eq!(successor().former_digest(TokenKind::ApiKey, token), None);
    assert_eq!(vault().former_digest(TokenKind::Session, token), None);
}

#[test]
fn everything_is_made_under_the_newest_root_secret() {
    let (newest, successor) = (vault_of_another_installation(), successor());
    let token = newest.issue(TokenKind::ApiKey).secret;
    let digest = |vault: &Vault| vault.digest(TokenKind::ApiKey, token.expose_secret());
    assert_eq!((digest(&successor), successor.pepper()), (digest(&newest), newest.pepper()));
    assert_ne!(successor.pepper(), vault().pepper());
    assert_eq!(successor.code_digest(b"user", "1"), newest.code_digest(b"user", "1"));
    assert_eq!(successor.cursor_mac(b"page 2"), newest.cursor_mac(b"page 2"));
    assert_eq!(successor.audit_mac(b"event"), newest.audit_mac(b"event"));
    assert_eq!(successor.fingerprint(&[b"call"]), newest.fingerprint(&[b"call"]));
    assert_eq!(newest.open("place", &successor.seal("place", b"plain")), Ok(b"plain".to_vec()));
}

#[test]
fn what_was_made_under_the_former_root_secret_is_accepted_with_the_newest() {
    let successor = successor();
    for made_by in [vault(), vault_of_another_installation()] {
        assert!(successor.is_code(b"user", "12345678", &made_by.code_digest(b"user", "12345678")));
        assert!(successor.is_cursor_mac(b"page 2", &made_by.cursor_mac(b"page 2")));
        assert_eq!(successor.open("place", &made_by.seal("place", b"plain")), Ok(b"plain".to_vec()));
    }
    let third = Vault::new(&RootSecret::from_bytes([3; 32]));
    assert!(!successor.is_code(b"user", "12345678", &third.code_digest(b"user", "12345678")));
    assert!(!successor.is_cursor_mac(b"page 2", &third.cursor_mac(b"page 2")));
    assert_eq!(successor.open("place", &third.seal("place", b"plain")), Err(UnsealError));
    assert_eq!(successor.former_fingerprint(&[b"call"]), Some(vault().fingerprint(&[b"call"])));
    assert_eq!(vault().former_fingerprint(&[b"call"]), None);
}

#[test]
fn an_event_says_which_root_secret_it_was_written_under() {
    let data_key = || DataKey::new(Box::new([5; 32]));
    let sealed = successor().with_data_key(1, data_key()).seal_audit_key_of(&RootSecret::from_bytes([1; 32]));
    let mut after = vault_of_another_installation().with_data_key(1, data_key());
    let by = |vault: &Vault, writer: &Vault| vault.audit_key_source(b"event", &writer.audit_mac(b"event"));
    assert_eq!(by(&after, &vault()), None);
    after.accept_audit_key(&sealed).unwrap();
    assert_eq!(by(&after, &vault()), Some(AuditKeySource::Removed));
    assert_eq!(by(&successor(), &vault()), Some(AuditKeySource::Former));
    assert_eq!(by(&successor(), &vault_of_another_installation()), Some(AuditKeySource::Current));
    assert_eq!(after.audit_key_source(b"another event", &vault().audit_mac(b"event")), None);
    assert_eq!(after.accept_audit_key(&after.seal("elsewhere", &[1; 32])), Err(UnsealError));
}

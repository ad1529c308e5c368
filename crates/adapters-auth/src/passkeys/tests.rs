//! Registrations with a software authenticator.

mod asking;

use tradepost_domain::id::UserId;
use webauthn_authenticator_rs::WebauthnAuthenticator as _;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

use super::*;

const ORIGIN: &str = "https://trade.example.com";
const OTHER_ORIGIN: &str = "https://app.example.com:8443";

fn party() -> RelyingParty {
    RelyingParty::new("example.com", &[ORIGIN.to_owned(), OTHER_ORIGIN.to_owned()]).unwrap()
}

fn begin_excluding(exclude: Vec<Vec<u8>>) -> PasskeyChallenge {
    let user_id = UserId::from_bytes([7; 16]);
    party().begin(&Registrant { user_id, account_name: "ada@example.com", display_name: "Ada", exclude }).unwrap()
}

fn begin() -> PasskeyChallenge {
    begin_excluding(Vec::new())
}

/// What an authenticator on this site answers. The software authenticator has no discoverable credentials, so it is not
/// asked for one; it claims to have verified the user.
fn answer_on(origin: &str, options: &str) -> RegisterPublicKeyCredential {
    answer_by(&mut SoftPasskey::new(true), origin, options)
}

fn answer_by(authenticator: &mut SoftPasskey, origin: &str, options: &str) -> RegisterPublicKeyCredential {
    let mut options: Value = serde_json::from_str(options).unwrap();
    options["publicKey"]["authenticatorSelection"]["residentKey"] = json!("discouraged");
    options["publicKey"]["authenticatorSelection"]["requireResidentKey"] = json!(false);
    let options = serde_json::from_value(options).unwrap();
    authenticator.do_registration(Url::parse(origin).unwrap(), options).unwrap()
}

fn json_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn the_options_ask_for_a_discoverable_credential_and_a_verified_user() {
    let options: Value = serde_json::from_str(&begin().options).unwrap();
    let selection = &options["publicKey"]["authenticatorSelection"];
    assert_eq!(selection["residentKey"], "required");
    assert_eq!(selection["requireResidentKey"], true);
    assert_eq!(selection["userVerification"], "required");
    assert_eq!(options["publicKey"]["rp"], json!({ "id": "example.com", "name": "tradepost" }));
}

#[test]
fn the_options_name_the_user_by_id_and_not_by_address() {
    let options: Value = serde_json::from_str(&begin().options).unwrap();
    let user = json!({ "id": "BwcHBwcHBwcHBwcHBwcHBw", "name": "ada@example.com", "displayName": "Ada" });
    assert_eq!(options["publicKey"]["user"], user);
}

#[test]
fn credentials_that_the_user_has_are_excluded() {
    let options: Value = serde_json::from_str(&begin_excluding(vec![vec![1, 2, 3]]).options).unwrap();
    assert_eq!(options["publicKey"]["excludeCredentials"][0]["id"], "AQID");
}

#[test]
fn a_registration_is_finished_on_every_origin() {
    for origin in [ORIGIN, OTHER_ORIGIN] {
        let begun = begin();
        let answer = answer_on(origin, &begun.options);
        let registered = party().finish(&begun.state, &json_of(&answer)).unwrap();
        assert_eq!(registered.credential_id, answer.raw_id.as_slice(), "{origin}");
        assert!(!registered.backed_up);
        assert_eq!(registered.authenticator, None, "the software authenticator does not tell its kind");
    }
}

#[test]
fn an_authenticator_that_tells_its_kind_is_known_by_it() {
    let authenticator_data = [[1; 37].as_slice(), &[2; 16], &[3; 20]].concat();
    let attested = attestation_object(serde_cbor_2::Value::Bytes(authenticator_data));
    assert_eq!(made_by(&attested), Aaguid::reported([2; 16]));
    for unreadable in [Vec::new(), attestation_object(serde_cbor_2::Value::Bytes(vec![1; 52])), attested[1..].to_vec()]
    {
        assert_eq!(made_by(&unreadable), None);
    }
}

fn attestation_object(authenticator_data: serde_cbor_2::Value) -> Vec<u8> {
    let text = |text: &str| serde_cbor_2::Value::Text(text.to_owned());
    let fields = [(text("fmt"), text("none")), (text("authData"), authenticator_data)];
    serde_cbor_2::to_vec(&serde_cbor_2::Value::Map(fields.into())).unwrap()
}

#[test]
fn an_answer_from_another_site_is_refused() {
    let begun = begin();
    let answer = answer_on("https://phish.example.com", &begun.options);
    assert_eq!(party().finish(&begun.state, &json_of(&answer)).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn an_answer_to_another_registration_is_refused() {
    let answer = answer_on(ORIGIN, &begin().options);
    assert_eq!(party().finish(&begin().state, &json_of(&answer)).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn an_answer_for_another_domain_is_refused() {
    let other = RelyingParty::new("example.org", &["https://example.org".to_owned()]).unwrap();
    let begun = begin();
    let answer = answer_on(ORIGIN, &begun.options);
    assert_eq!(other.finish(&begun.state, &json_of(&answer)).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn an_answer_without_a_verified_user_is_refused() {
    let begun = begin();
    let unverified = begun.options.replace(r#""userVerification":"required""#, r#""userVerification":"discouraged""#);
    assert_ne!(unverified, begun.options);
    let answer = answer_on(ORIGIN, &unverified);
    assert_eq!(party().finish(&begun.state, &json_of(&answer)).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn a_credential_that_was_excluded_is_refused() {
    let options = begin().options;
    let answer = answer_on(ORIGIN, &options);
    let excluding = begin_excluding(vec![answer.raw_id.clone()]);
    // The same challenge, so that nothing else is wrong with the answer.
    let challenge = |options: &str| serde_json::from_str::<Value>(options).unwrap()["publicKey"]["challenge"].clone();
    let (own, theirs) = (challenge(&excluding.options), challenge(&options));
    let state = excluding.state.replace(own.as_str().unwrap(), theirs.as_str().unwrap());
    assert_ne!(state, excluding.state);
    assert_eq!(party().finish(&state, &json_of(&answer)).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn an_answer_that_is_none_is_malformed() {
    let begun = begin();
    let mut cut = serde_json::to_value(answer_on(ORIGIN, &begun.options)).unwrap();
    cut["response"]["attestationObject"] = json!("AAAA");
    for answer in ["", "{}", "null", r#"{"id":"a"}"#, &cut.to_string()] {
        assert_eq!(party().finish(&begun.state, answer).unwrap_err(), PasskeyError::Malformed, "{answer}");
    }
}

#[test]
fn a_state_that_is_none_is_our_own_fault() {
    let answer = json_of(&answer_on(ORIGIN, &begin().options));
    assert!(matches!(party().finish("{}", &answer), Err(PasskeyError::State(_))));
}

#[test]
fn settings_that_no_browser_would_accept_are_refused() {
    let refused = |id: &str, origins: &[&str]| {
        let origins: Vec<String> = origins.iter().map(|&origin| origin.to_owned()).collect();
        RelyingParty::new(id, &origins).err().unwrap().to_string()
    };
    assert_eq!(refused("example.com", &[]), RelyingPartyError::NoOrigin.to_string());
    assert!(refused("example.com", &["trade.example.com"]).contains("is not an address"));
    assert!(refused("example.com", &[ORIGIN, "https://example.org"]).contains("https://example.org"));
    assert!(refused("192.0.2.1", &["https://192.0.2.1"]).contains("must lie on the domain"));
    assert!(refused("example.com", &["https://myexample.com"]).contains("must lie on the domain"));
}

#[test]
fn one_computer_can_use_localhost() {
    assert!(RelyingParty::new("localhost", &["http://localhost:8080".to_owned()]).is_ok());
}

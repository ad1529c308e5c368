//! Asking for a passkey, and what a software authenticator answers.

use super::*;

/// An authenticator with a passkey, as both sides keep it.
struct Held {
    authenticator: SoftPasskey,
    kept: String,
    id: Vec<u8>,
    /// The same as the authenticator writes it.
    name: String,
}

impl Held {
    fn new() -> Self {
        let begun = begin();
        let mut authenticator = SoftPasskey::new(true);
        let answer = answer_by(&mut authenticator, ORIGIN, &begun.options);
        let registered = party().finish(&begun.state, &json_of(&answer)).unwrap();
        Self { authenticator, kept: registered.credential, id: registered.credential_id, name: answer.id }
    }

    fn ask(&self) -> PasskeyChallenge {
        party().ask(std::slice::from_ref(&self.kept)).unwrap()
    }

    fn prove_on(&mut self, origin: &str, options: &str) -> String {
        let options = serde_json::from_str(options).unwrap();
        json_of(&self.authenticator.do_authentication(Url::parse(origin).unwrap(), options).unwrap())
    }

    fn prove(&mut self, options: &str) -> String {
        self.prove_on(ORIGIN, options)
    }

    /// What it answers to options that name no credential: the software authenticator is given the one to find, and the user
    /// that it would have kept with it.
    fn found(&mut self, options: &str) -> String {
        let mut options: Value = serde_json::from_str(options).unwrap();
        options["publicKey"]["allowCredentials"] = json!([{ "type": "public-key", "id": self.name }]);
        let mut answer: Value = serde_json::from_str(&self.prove(&options.to_string())).unwrap();
        answer["response"]["userHandle"] = json!("BwcHBwcHBwcHBwcHBwcHBw");
        answer.to_string()
    }
}

#[test]
fn the_options_name_the_credentials_and_ask_for_a_verified_user() {
    let held = Held::new();
    let options: Value = serde_json::from_str(&held.ask().options).unwrap();
    assert_eq!(options["publicKey"]["userVerification"], "required");
    assert_eq!(options["publicKey"]["rpId"], "example.com");
    assert_eq!(options["publicKey"]["allowCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options.as_object().unwrap().len(), 1, "a button asks, not the autofill of a form: {options}");
}

#[test]
fn the_passkey_that_is_asked_for_proves_its_user() {
    let mut held = Held::new();
    let begun = held.ask();
    let answer = held.prove(&begun.options);
    assert_eq!(party().named_by(&answer).unwrap(), held.id);
    let proved = party().verify(&begun.state, &answer, &held.kept).unwrap();
    assert_ne!(proved.credential, held.kept, "the counter is kept");
    assert!(!proved.backed_up);
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let mut held = Held::new();
    let answer = held.prove(&held.ask().options);
    let other = held.ask();
    assert_eq!(party().verify(&other.state, &answer, &held.kept).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn a_proof_from_another_site_is_refused() {
    let mut held = Held::new();
    let begun = held.ask();
    let answer = held.prove_on("https://phish.example.com", &begun.options);
    assert_eq!(party().verify(&begun.state, &answer, &held.kept).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn a_proof_without_a_verified_user_is_refused() {
    let mut held = Held::new();
    let begun = held.ask();
    let unverified = begun.options.replace(r#""userVerification":"required""#, r#""userVerification":"discouraged""#);
    assert_ne!(unverified, begun.options);
    let answer = held.prove(&unverified);
    assert_eq!(party().verify(&begun.state, &answer, &held.kept).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn a_passkey_proves_nobody_but_its_user() {
    let (mut held, other) = (Held::new(), Held::new());
    let begun = held.ask();
    let answer = held.prove(&begun.options);
    assert_eq!(party().verify(&begun.state, &answer, &other.kept).unwrap_err(), PasskeyError::Refused);
    let asked_of_other = other.ask();
    assert_eq!(party().verify(&asked_of_other.state, &answer, &other.kept).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn a_counter_that_does_not_go_up_shows_a_copy() {
    let mut held = Held::new();
    let (first, second) = (held.ask(), held.ask());
    let [early, late] = [&first, &second].map(|begun| held.prove(&begun.options));
    let kept = party().verify(&second.state, &late, &held.kept).unwrap().credential;
    assert_eq!(party().verify(&first.state, &early, &kept).unwrap_err(), PasskeyError::Copied);
}

#[test]
fn the_library_sees_a_copy_by_what_was_kept_when_it_asked() {
    let mut held = Held::new();
    let (first, second) = (held.ask(), held.ask());
    let [early, late] = [&first, &second].map(|begun| held.prove(&begun.options));
    held.kept = party().verify(&second.state, &late, &held.kept).unwrap().credential;
    let asked_later = held.ask();
    // The same challenge, so that nothing but the counter is wrong with the answer.
    let challenge = |options: &str| serde_json::from_str::<Value>(options).unwrap()["publicKey"]["challenge"].clone();
    let (own, theirs) = (challenge(&asked_later.options), challenge(&first.options));
    let state = asked_later.state.replace(own.as_str().unwrap(), theirs.as_str().unwrap());
    assert_eq!(party().verify(&state, &early, &held.kept).unwrap_err(), PasskeyError::Copied);
}

#[test]
fn a_proof_that_is_none_is_malformed() {
    for answer in ["", "{}", "null", r#"{"id":"a"}"#] {
        assert_eq!(party().named_by(answer).unwrap_err(), PasskeyError::Malformed, "{answer}");
    }
}

#[test]
fn any_user_is_asked_by_a_button_and_without_a_name() {
    let options: Value = serde_json::from_str(&party().ask(&[]).unwrap().options).unwrap();
    assert_eq!(options["publicKey"]["userVerification"], "required");
    assert_eq!(options["publicKey"]["allowCredentials"], json!([]));
    assert_eq!(options.as_object().unwrap().len(), 1, "a button asks, not the autofill of a form: {options}");
}

#[test]
fn a_passkey_that_was_found_tells_its_user_and_proves_it() {
    let mut held = Held::new();
    let begun = party().ask(&[]).unwrap();
    let answer = held.found(&begun.options);
    assert_eq!(party().user_named_by(&answer).unwrap(), UserId::from_bytes([7; 16]));
    assert!(party().verify(&begun.state, &answer, &held.kept).is_ok());
    let other = Held::new();
    assert_eq!(party().verify(&begun.state, &answer, &other.kept).unwrap_err(), PasskeyError::Refused);
}

#[test]
fn an_answer_without_its_user_is_malformed() {
    let mut held = Held::new();
    let answer = held.prove(&held.ask().options);
    assert_eq!(party().user_named_by(&answer).unwrap_err(), PasskeyError::Malformed);
}

#[test]
fn nothing_to_ask_with_is_our_own_fault() {
    assert!(matches!(party().ask(&["{}".to_owned()]), Err(PasskeyError::State(_))));
}

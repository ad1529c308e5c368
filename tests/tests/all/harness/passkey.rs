//! A software authenticator that stands in for a browser's.

use serde_json::{Value, json};
use webauthn_authenticator_rs::WebauthnAuthenticator as _;
use webauthn_authenticator_rs::prelude::Url;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

/// What an authenticator on this site answers to creation options, as JSON text. The software one has no discoverable
/// credentials, so it is not asked for one; it claims to have verified the user.
pub(crate) fn register_with_software(origin: &str, options: &str) -> String {
    let mut options: Value = serde_json::from_str(options).unwrap();
    options["publicKey"]["authenticatorSelection"]["residentKey"] = json!("discouraged");
    options["publicKey"]["authenticatorSelection"]["requireResidentKey"] = json!(false);
    let options = serde_json::from_value(options).unwrap();
    let answer = SoftPasskey::new(true).do_registration(Url::parse(origin).unwrap(), options).unwrap();
    serde_json::to_string(&answer).unwrap()
}

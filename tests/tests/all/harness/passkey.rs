//! A software authenticator that stands in for a browser's.

use serde_json::{Value, json};
use webauthn_authenticator_rs::WebauthnAuthenticator as _;
use webauthn_authenticator_rs::prelude::Url;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

/// An authenticator with the passkeys that it has made.
pub(crate) struct Authenticator(SoftPasskey);

impl Default for Authenticator {
    /// It claims to have verified the user.
    fn default() -> Self {
        Self(SoftPasskey::new(true))
    }
}

impl Authenticator {
    /// What it answers on this site to creation options, as JSON text. It has no discoverable credentials, so it is not
    /// asked for one.
    pub(crate) fn register(&mut self, origin: &str, options: &str) -> String {
        let mut options: Value = serde_json::from_str(options).unwrap();
        options["publicKey"]["authenticatorSelection"]["residentKey"] = json!("discouraged");
        options["publicKey"]["authenticatorSelection"]["requireResidentKey"] = json!(false);
        let options = serde_json::from_value(options).unwrap();
        let answer = self.0.do_registration(Url::parse(origin).unwrap(), options).unwrap();
        serde_json::to_string(&answer).unwrap()
    }

    /// What it answers on this site to request options, as JSON text.
    pub(crate) fn prove(&mut self, origin: &str, options: &str) -> String {
        let options = serde_json::from_str(options).unwrap();
        let answer = self.0.do_authentication(Url::parse(origin).unwrap(), options).unwrap();
        serde_json::to_string(&answer).unwrap()
    }
}

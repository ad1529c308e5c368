//! An authenticator in software, as a browser would talk to one.

use serde_json::{Value, json};
use webauthn_authenticator_rs::WebauthnAuthenticator as _;
use webauthn_authenticator_rs::prelude::Url;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

/// An authenticator with the passkeys that it has made.
pub(crate) struct Authenticator {
    soft: SoftPasskey,
    /// Identifier and user of the latest passkey, as WebAuthn's JSON has them.
    latest: [Value; 2],
}

impl Default for Authenticator {
    /// It claims to have verified the user wherever that is required.
    fn default() -> Self {
        Self { soft: SoftPasskey::new(true), latest: [Value::Null, Value::Null] }
    }
}

impl Authenticator {
    /// What it answers on this site to creation options, as JSON text. It finds no passkey by itself, so it is not asked for
    /// one that can be found.
    pub(crate) fn register(&mut self, origin: &str, options: &str) -> String {
        let mut options: Value = serde_json::from_str(options).unwrap();
        let user = options["publicKey"]["user"]["id"].clone();
        options["publicKey"]["authenticatorSelection"]["residentKey"] = json!("discouraged");
        options["publicKey"]["authenticatorSelection"]["requireResidentKey"] = json!(false);
        let options = serde_json::from_value(options).unwrap();
        let answer = self.soft.do_registration(Url::parse(origin).unwrap(), options).unwrap();
        let answer = serde_json::to_value(&answer).unwrap();
        self.latest = [answer["rawId"].clone(), user];
        answer.to_string()
    }

    /// What it answers on this site to request options, as JSON text.
    pub(crate) fn prove(&mut self, origin: &str, options: &str) -> String {
        let options = serde_json::from_str(options).unwrap();
        let answer = self.soft.do_authentication(Url::parse(origin).unwrap(), options).unwrap();
        serde_json::to_string(&answer).unwrap()
    }

    /// The same to options that name no credential, by the latest passkey, which names its user, as one does that was found.
    pub(crate) fn sign_in(&mut self, origin: &str, options: &str) -> String {
        let [id, user] = self.latest.clone();
        let options = changed(options, |options| {
            options["publicKey"]["allowCredentials"] = json!([{ "type": "public-key", "id": id }]);
        });
        changed(&self.prove(origin, &options), |answer| answer["response"]["userHandle"] = user.clone())
    }
}

/// Options or an answer, tampered with.
pub(crate) fn changed(json: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::from_str(json).unwrap();
    change(&mut value);
    value.to_string()
}

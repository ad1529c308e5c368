//! Signing in by messages, with a password that is encrypted as a client encrypts it.

use aws_lc_rs::rsa::{Pkcs1PublicEncryptingKey, PublicEncryptingKey, PublicKeyComponents};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard};
use tradepost_domain::trading::trade::PlatformUserId;

use super::super::{BEGIN, CODE, KEY, POLL, RENEW, REVOKE, answer, messages};
use crate::facade::{Asked, Reply};
use crate::protobuf::Field;
use crate::state::Fakes;

pub(super) const PASSWORD: &str = "copper lantern";
/// The example of steamguard-cli (src/token.rs).
pub(super) const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";
const LOGIN_NAME: &str = "ada";

/// An account that needs a sign-in.
pub(super) struct Scene {
    pub(super) fakes: Fakes,
    pub(super) user: PlatformUserId,
}

pub(super) fn text(of: &Value, name: &str) -> String {
    of[name].as_str().unwrap().to_owned()
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

impl Scene {
    pub(super) fn of(guard: SimulatedGuard) -> Self {
        let fakes = Fakes::of_seed(1).unwrap();
        let by = AccountSignIn { login_name: LOGIN_NAME.to_owned(), password: PASSWORD.to_owned(), guard };
        let user = fakes.simulator().world(|world| {
            let user = world.open_account("desk").user;
            world.require_sign_in(user, by).unwrap();
            user
        });
        Self { fakes, user }
    }

    pub(super) fn ask(&self, route: &'static str, message: &Value, fields: &[Field]) -> Reply {
        answer(&self.fakes, &messages::request(route, message, fields))
    }

    pub(super) fn begin(&self, password: &str) -> Reply {
        let key = self.ask(KEY, &json!({ "account_name": LOGIN_NAME }), messages::KEY_REQUEST).body;
        let [n, e] = ["publickey_mod", "publickey_exp"].map(|name| from_hex(&text(&key, name)));
        let public: PublicEncryptingKey = PublicKeyComponents { n, e }.try_into().unwrap();
        let public = Pkcs1PublicEncryptingKey::new(public).unwrap();
        let mut sealed = vec![0; public.ciphertext_size()];
        let sealed = public.encrypt(password.as_bytes(), &mut sealed).unwrap();
        let message = json!({
            "account_name": LOGIN_NAME,
            "encrypted_password": STANDARD.encode(sealed),
            "encryption_timestamp": key["timestamp"],
            "device_details": { "device_friendly_name": "a client", "platform_type": 3 },
        });
        self.ask(BEGIN, &message, messages::BEGIN_REQUEST)
    }

    pub(super) fn give(&self, begun: &Value, code_type: u32, code: &str) -> Reply {
        let message = json!({
            "client_id": begun["client_id"], "steamid": self.user.number(), "code": code, "code_type": code_type,
        });
        self.ask(CODE, &message, messages::CODE_REQUEST)
    }

    pub(super) fn poll(&self, begun: &Value) -> Reply {
        let message = json!({ "client_id": begun["client_id"], "request_id": begun["request_id"] });
        self.ask(POLL, &message, messages::POLL_REQUEST)
    }

    pub(super) fn renew(&self, refresh: &str, renewal_type: u32) -> Reply {
        let message = json!({ "refresh_token": refresh, "steamid": self.user.number(), "renewal_type": renewal_type });
        self.ask(RENEW, &message, messages::RENEWAL_REQUEST)
    }

    pub(super) fn revoke(&self, refresh: &str) -> Reply {
        self.ask(REVOKE, &json!({ "token": refresh, "revoke_action": 1 }), messages::REVOCATION_REQUEST)
    }
}

#[test]
fn a_sign_in_names_its_account_and_what_it_is_asked_for() {
    let types = |guard| {
        let scene = Scene::of(guard);
        let begun = scene.begin(PASSWORD).body;
        assert_eq!(begun["steamid"], scene.user.number().get());
        assert_eq!(begun["interval"], 5.0);
        let all = begun["allowed_confirmations"].as_array().unwrap().clone();
        all.iter().map(|one| one["confirmation_type"].as_u64().unwrap()).collect::<Vec<u64>>()
    };
    assert_eq!(types(SimulatedGuard::None), [1]);
    assert_eq!(types(SimulatedGuard::EmailCode), [2, 6]);
    assert_eq!(types(SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() }), [3]);
    assert_eq!(types(SimulatedGuard::Approval), [4]);
}

#[test]
fn a_refusal_has_the_number_that_steam_gives_it() {
    let scene = Scene::of(SimulatedGuard::EmailCode);
    let begun = scene.begin(PASSWORD).body;
    assert_eq!(scene.give(&begun, 2, "-----").eresult(), Some(65));
    assert_eq!(scene.give(&begun, 3, "-----").eresult(), Some(8), "a code that it does not ask for");
    assert_eq!(scene.give(&json!({ "client_id": 7 }), 2, "-----").eresult(), Some(9));
    scene.fakes.advance(Duration::minutes(10));
    assert_eq!(scene.give(&begun, 2, "-----").eresult(), Some(27));
    assert_eq!(scene.poll(&begun).eresult(), Some(9));
    let numbers: Vec<Option<u32>> = (0..6).map(|_| scene.begin(PASSWORD).eresult()).collect();
    assert_eq!(numbers, [1, 1, 1, 1, 1, 84].map(Some));
    let asked = Scene::of(SimulatedGuard::Approval);
    let begun = asked.begin(PASSWORD).body;
    assert_eq!(asked.poll(&begun).body, json!({ "had_remote_interaction": false }));
    assert!(asked.fakes.simulator().world(|world| world.approve_sign_in(asked.user, false)));
    assert_eq!(asked.poll(&begun).eresult(), Some(15));
}

#[test]
fn tokens_name_the_account_and_end_when_those_of_the_world_end() {
    let scene = Scene::of(SimulatedGuard::None);
    let begun = scene.begin(PASSWORD).body;
    let tokens = scene.poll(&begun).body;
    assert_eq!(tokens["account_name"], LOGIN_NAME);
    let payload = |name: &str| -> Value {
        let token = text(&tokens, name);
        let payload = token.split('.').nth(1).unwrap();
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
    };
    let now = scene.fakes.now().as_micros() / 1_000_000;
    for (name, days) in [("access_token", 1), ("refresh_token", 200)] {
        let payload = payload(name);
        assert_eq!(payload["sub"], scene.user.to_string());
        assert_eq!(payload["exp"], now + days * 86_400);
    }
    assert_eq!(payload("refresh_token")["per"], 1);
}

#[test]
fn a_message_that_cannot_be_read_is_refused_by_its_number() {
    let scene = Scene::of(SimulatedGuard::None);
    for route in [BEGIN, CODE, POLL, RENEW, REVOKE] {
        let asked = Asked { route, body: "input_protobuf_encoded=%2B".into(), ..Asked::default() };
        assert_eq!(answer(&scene.fakes, &asked).eresult(), Some(8), "{route}");
        let asked = Asked { route, ..Asked::default() };
        assert_eq!(answer(&scene.fakes, &asked).eresult(), Some(8), "{route}");
    }
}

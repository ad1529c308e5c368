//! The list of confirmations: whom it is shown to, and what it shows.

use aws_lc_rs::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tradepost_adapters_simulator::Fault;
use tradepost_domain::trading::trade::PlatformUserId;

use super::super::{ANSWER, CONFIRMATIONS, answer};
use super::scene::{asked, bearer, user_of};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::seconds;

const SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";
const DEVICE: &str = "android:00000000-0000-4000-8000-00000000000a";

/// An account with an authenticator.
struct Owner {
    fakes: Fakes,
    user: PlatformUserId,
}

impl Owner {
    fn new() -> Self {
        let fakes = Fakes::of_seed(1).unwrap();
        let user = user_of(&fakes);
        fakes.set_identity_secret(user, SECRET);
        Self { fakes, user }
    }

    fn now(&self) -> i64 {
        seconds(self.fakes.now())
    }

    /// A request that the owner of the secret has signed for this time.
    fn signed(&self, time: i64) -> Asked {
        self.signed_for(CONFIRMATIONS, "conf", time)
    }

    /// The same of another route and tag.
    fn signed_for(&self, route: &'static str, tag: &str, time: i64) -> Asked {
        let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &STANDARD.decode(SECRET).unwrap());
        let key = STANDARD.encode(sign(&key, &[&time.to_be_bytes()[..], tag.as_bytes()].concat()));
        let (user, time) = (self.user.to_string(), time.to_string());
        let query = [
            ("p", DEVICE),
            ("a", user.as_str()),
            ("k", key.as_str()),
            ("t", time.as_str()),
            ("m", "react"),
            ("tag", tag),
        ];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Asked { route, query, ..asked(&self.fakes, self.user, &bearer(self.user)) }
    }

    /// The same with another value of a parameter.
    fn with(&self, name: &str, value: &str) -> Value {
        let mut asked = self.signed(self.now());
        asked.query.insert(name.to_owned(), value.to_owned());
        answer(&self.fakes, &asked).body
    }

    fn list(&self) -> Reply {
        answer(&self.fakes, &self.signed(self.now()))
    }
}

impl Owner {
    /// An answer to what the list shows first, signed for this time.
    fn answering(&self, op: &str, time: i64) -> Asked {
        let shown = self.list().body["conf"][0].clone();
        let mut asked = self.signed_for(ANSWER, op, time);
        let names = [("op", op), ("cid", shown["id"].as_str().unwrap()), ("ck", shown["nonce"].as_str().unwrap())];
        asked.query.extend(names.map(|(name, value)| (name.to_owned(), value.to_owned())));
        asked
    }
}

/// Every answer to an answer: one that is taken, one that is not, and one of an account that is signed out.
pub(super) fn every_answer() -> Vec<Reply> {
    let owner = Owner::new();
    owner.fakes.simulator().world(|world| world.inject(Fault::StrangeConfirmation { number: 9 }));
    let denied = owner.answering("cancel", owner.now());
    let headers = Asked::default().headers;
    let signed_out = Asked { headers, ..owner.answering("cancel", owner.now() + 1) };
    let replies = [denied, owner.answering("allow", 0), signed_out].map(|asked| answer(&owner.fakes, &asked));
    let are_taken: Vec<bool> = replies.iter().map(|reply| reply.body["success"] == true).collect();
    assert_eq!(are_taken, [true, false, false]);
    replies.into()
}

#[test]
fn an_answer_is_taken_once_a_second_for_what_it_names_and_for_what_it_was_signed_for() {
    let owner = Owner::new();
    let is_taken = |asked: &Asked| answer(&owner.fakes, asked).body["success"] == true;
    for _ in 0..2 {
        owner.fakes.simulator().world(|world| world.inject(Fault::StrangeConfirmation { number: 9 }));
    }
    let now = owner.now();
    let with = |name: &str, value: &str| {
        let mut asked = owner.answering("cancel", now);
        asked.query.insert(name.to_owned(), value.to_owned());
        asked
    };
    for (name, value) in [("ck", "1"), ("cid", "1"), ("op", "allow"), ("tag", "conf"), ("k", "AAAA"), ("op", "done")] {
        owner.fakes.advance(time::Duration::SECOND);
        assert!(!is_taken(&with(name, value)), "{name}={value}");
    }
    owner.fakes.advance(time::Duration::SECOND);
    let now = owner.now();
    assert!(is_taken(&owner.answering("cancel", now)));
    assert!(!is_taken(&owner.answering("cancel", now)), "the second was used");
    assert!(is_taken(&owner.answering("cancel", now + 1)));
    assert_eq!(owner.list().body["conf"], json!([]));
}

/// Every answer: a list with a confirmation and one without, and two that are no list.
pub(super) fn every_reply() -> Vec<Reply> {
    let owner = Owner::new();
    let mut replies = vec![owner.list()];
    owner.fakes.simulator().world(|world| world.inject(Fault::StrangeConfirmation { number: 9 }));
    replies.push(owner.list());
    let refused = Asked { query: owner.signed(0).query, ..owner.signed(owner.now()) };
    let signed_out = Asked { headers: Asked::default().headers, ..owner.signed(owner.now()) };
    replies.extend([refused, signed_out].map(|asked| answer(&owner.fakes, &asked)));
    let are_lists: Vec<bool> = replies.iter().map(|reply| reply.body["success"] == true).collect();
    assert_eq!(are_lists, [true, true, false, false]);
    replies
}

#[test]
fn a_confirmation_is_shown_with_its_kind_and_a_number_that_stays() {
    let owner = Owner::new();
    assert_eq!(owner.list().body, json!({ "success": true, "conf": [] }));
    owner.fakes.simulator().world(|world| world.inject(Fault::StrangeConfirmation { number: 9 }));
    let [first, again] = [owner.list(), owner.list()].map(|reply| reply.body["conf"][0].clone());
    assert_eq!((&first["type"], &first["creation_time"]), (&json!(9), &json!(owner.now())));
    assert!(first["nonce"].as_str().unwrap().parse::<u64>().is_ok());
    assert_eq!(first, again);
}

#[test]
fn a_call_is_refused_unless_the_owner_of_the_secret_has_signed_it_now() {
    let owner = Owner::new();
    for (name, value) in [
        ("k", "AAAA"),
        ("k", "?"),
        ("p", "android:1"),
        ("p", DEVICE.trim_start_matches("android:")),
        ("m", "android"),
        ("tag", "list"),
        ("t", "x"),
    ] {
        assert_eq!(owner.with(name, value)["message"], "Invalid protobuf", "{name}={value}");
    }
    for (offset, is_accepted) in [(600, true), (-600, true), (601, false), (-601, false)] {
        let body = answer(&owner.fakes, &owner.signed(owner.now() + offset)).body;
        assert_eq!(body["success"], is_accepted, "{offset}");
    }
    owner.fakes.set_identity_secret(owner.user, "no base 64");
    assert_eq!(owner.list().body["message"], "Invalid authenticator");
}

#[test]
fn the_cookie_of_another_account_signs_no_one_in() {
    let owner = Owner::new();
    let other = user_of(&owner.fakes);
    let needs_auth = json!({ "success": false, "needauth": true });
    assert_eq!(owner.with("a", &other.to_string()), needs_auth);
    for named in [owner.user, other] {
        let headers = asked(&owner.fakes, named, &bearer(other)).headers;
        let reply = answer(&owner.fakes, &Asked { headers, ..owner.signed(owner.now()) });
        assert_eq!(reply.body, needs_auth);
    }
}

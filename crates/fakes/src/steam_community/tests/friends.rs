//! The forms about other accounts: whom they are taken from, and what they do in the world.

use axum::http::{HeaderValue, header};
use serde_json::{Value, json};
use tradepost_adapters_simulator::{Settings, Simulator, SocialCall, World};
use tradepost_domain::trading::friend::{FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;

use super::super::{ADD_FRIEND, BLOCK, IGNORE_REQUEST, REMOVE_FRIEND, answer};
use super::scene::{asked, bearer, user_of};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

const ADD: (&str, &str) = ("accept_invite", "0");
const ACCEPT: (&str, &str) = ("accept_invite", "1");

/// Two accounts that need no sign-in, in a world in which an account has two friends and requests at most.
struct Two {
    fakes: Fakes,
    us: PlatformUserId,
    them: PlatformUserId,
}

impl Two {
    fn new() -> Self {
        let settings = Settings { most_friends: 2, ..Settings::default() };
        let fakes = Fakes::new(Simulator::new(World::new(1, settings))).unwrap();
        let (us, them) = (user_of(&fakes), user_of(&fakes));
        Self { fakes, us, them }
    }

    /// A form of the first account about another one, from the page of its profile.
    fn form(&self, route: &'static str, other: PlatformUserId, field: Option<(&str, &str)>) -> Asked {
        let other = other.to_string();
        let mut form = form_urlencoded::Serializer::new(String::new());
        let form = form.append_pair("sessionID", "0a").append_pair("steamid", &other).extend_pairs(field);
        let body = form.finish();
        let mut asked = Asked { route, body: body.into(), ..asked(&self.fakes, self.us, &bearer(self.us)) };
        asked.headers.insert(header::ORIGIN, HeaderValue::from_static("https://steamcommunity.com"));
        let page = HeaderValue::from_static("https://steamcommunity.com/profiles/7");
        asked.headers.insert(header::REFERER, page);
        asked
    }

    fn ask(&self, asked: &Asked) -> Reply {
        answer(&self.fakes, asked)
    }

    /// The answer to a form of the first account about the second.
    fn sent(&self, route: &'static str, field: Option<(&str, &str)>) -> Reply {
        self.ask(&self.form(route, self.them, field))
    }

    /// Gives the first account this relation to the second.
    fn relate(&self, relation: FriendRelation) {
        self.fakes.simulator().world(|world| world.relate_to(self.us, self.them, relation));
    }

    fn relation(&self) -> FriendRelation {
        let friends: Vec<ShownFriend> = bearer(self.us).ask_social(&self.fakes, SocialCall::Friends).unwrap();
        friends.iter().find(|friend| friend.user == self.them).map_or(FriendRelation::None, |friend| friend.relation)
    }

    /// The number of the result with which a request failed.
    fn result(reply: &Reply) -> &Value {
        &reply.body["failed_invites_result"][0]
    }
}

/// Every answer of every form.
pub(super) fn every_reply() -> Vec<Reply> {
    let two = Two::new();
    let unknown = PlatformUserId::new(std::num::NonZeroU64::MIN);
    let mut replies = vec![
        two.sent(ADD_FRIEND, Some(ADD)),
        two.sent(ADD_FRIEND, Some(ADD)),
        two.ask(&two.form(ADD_FRIEND, unknown, Some(ADD))),
        two.sent(REMOVE_FRIEND, None),
        two.sent(REMOVE_FRIEND, None),
        two.sent(IGNORE_REQUEST, None),
    ];
    two.relate(FriendRelation::TheyAsked);
    replies.push(two.sent(IGNORE_REQUEST, None));
    replies.extend([two.sent(BLOCK, Some(("block", "1"))), two.sent(BLOCK, Some(("block", "1")))]);
    let mut signed_out = two.form(ADD_FRIEND, two.them, Some(ADD));
    signed_out.headers.remove(header::COOKIE);
    replies.push(two.ask(&signed_out));
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 400, 200, 200, 200, 200, 200, 400, 302]);
    replies
}

#[test]
fn a_request_is_made_and_accepted_by_one_form() {
    let two = Two::new();
    let added = two.sent(ADD_FRIEND, Some(ADD)).body;
    assert_eq!(added, json!({ "invited": [two.them.to_string()], "success": 1 }));
    assert_eq!(two.relation(), FriendRelation::WeAsked);
    two.relate(FriendRelation::TheyAsked);
    assert_eq!(two.sent(ADD_FRIEND, Some(ACCEPT)).body, true);
    assert_eq!(two.relation(), FriendRelation::Friend);
}

#[test]
fn a_request_that_fails_names_its_result() {
    let two = Two::new();
    two.relate(FriendRelation::Friend);
    assert_eq!(Two::result(&two.sent(ADD_FRIEND, Some(ADD))), 41);
    two.relate(FriendRelation::Blocked);
    assert_eq!(Two::result(&two.sent(ADD_FRIEND, Some(ADD))), 11);
    two.relate(FriendRelation::None);
    two.fakes.simulator().world(|world| world.relate_to(two.them, two.us, FriendRelation::Blocked));
    assert_eq!(Two::result(&two.sent(ADD_FRIEND, Some(ADD))), 40);
    for _ in 0..2 {
        let stranger = two.fakes.simulator().world(|world| world.befriend(two.us));
        two.fakes.simulator().world(|world| world.relate_to(stranger, two.us, FriendRelation::Friend));
    }
    let other = user_of(&two.fakes);
    assert_eq!(Two::result(&two.ask(&two.form(ADD_FRIEND, other, Some(ADD)))), 25);
}

#[test]
fn each_form_ends_the_relations_that_it_is_for() {
    let two = Two::new();
    for (relation, refusing, ending) in [
        (FriendRelation::TheyAsked, REMOVE_FRIEND, IGNORE_REQUEST),
        (FriendRelation::WeAsked, IGNORE_REQUEST, REMOVE_FRIEND),
        (FriendRelation::Friend, IGNORE_REQUEST, REMOVE_FRIEND),
    ] {
        two.relate(relation);
        assert_eq!((two.sent(refusing, None).body, two.relation()), (json!(false), relation));
        assert_eq!((two.sent(ending, None).status, two.relation()), (200, FriendRelation::None), "{relation:?}");
    }
}

#[test]
fn an_account_is_blocked_and_unblocked_by_one_form() {
    let two = Two::new();
    two.sent(BLOCK, Some(("block", "1")));
    assert_eq!(two.relation(), FriendRelation::Blocked);
    two.sent(BLOCK, Some(("block", "0")));
    assert_eq!(two.relation(), FriendRelation::None);
    assert_eq!(two.sent(BLOCK, Some(("block", "7"))).status, 400);
}

#[test]
fn a_form_from_another_site_or_without_the_number_of_the_session_does_nothing() {
    let two = Two::new();
    let mut foreign = two.form(ADD_FRIEND, two.them, Some(ADD));
    foreign.headers.insert(header::ORIGIN, HeaderValue::from_static("https://example.com"));
    let mut without_page = two.form(ADD_FRIEND, two.them, Some(ADD));
    without_page.headers.remove(header::REFERER);
    let mut other_session = two.form(ADD_FRIEND, two.them, Some(ADD));
    other_session.body = format!("sessionID=0b&steamid={}&accept_invite=0", two.them).into();
    let mut other_name = two.form(ADD_FRIEND, two.them, Some(ADD));
    other_name.body = format!("sessionid=0a&steamid={}&accept_invite=0", two.them).into();
    let statuses = [foreign, without_page, other_session, other_name].map(|asked| two.ask(&asked).status);
    assert_eq!((statuses, two.relation()), ([403, 403, 302, 302], FriendRelation::None));
}

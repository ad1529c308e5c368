//! The forms of trade offers: whom they are taken from, and what they do in the world.

use axum::http::{HeaderValue, header};
use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{Answer, Fault, PlatformCall, Request};
use tradepost_domain::asset::AssetId;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::game_platform::{Confirmation, ConfirmationAnswer};

use super::super::{ACCEPT, CANCEL, DECLINE, OFFER_PAGE, SEND, answer};
use super::scene::{asked, bearer};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

/// Two accounts that need no sign-in: any token of theirs is accepted.
struct Two {
    fakes: Fakes,
    us: TradeAddress,
    them: TradeAddress,
}

impl Two {
    fn new() -> Self {
        let fakes = Fakes::of_seed(1).unwrap();
        let [us, them] = fakes.simulator().world(|world| [world.open_account("desk"), world.open_account("desk")]);
        Self { fakes, us, them }
    }

    fn item_of(&self, account: &TradeAddress) -> AssetId {
        self.fakes.simulator().world(|world| world.give_item(account.user)).unwrap()
    }

    /// A form from a page of the community, with the number of the session.
    fn form(&self, route: &'static str, user: PlatformUserId, id: &str, fields: &[(&str, &str)]) -> Asked {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let body = form.append_pair("sessionid", "0a").extend_pairs(fields).finish();
        let mut asked = Asked { route, body: body.into(), ..asked(&self.fakes, user, &bearer(user)) };
        id.clone_into(&mut asked.segment);
        asked.headers.insert(header::ORIGIN, HeaderValue::from_static("https://steamcommunity.com"));
        let page = HeaderValue::from_static("https://steamcommunity.com/tradeoffer/new/");
        asked.headers.insert(header::REFERER, page);
        asked
    }

    /// The form of an offer of the first account to the second.
    fn new_offer(&self, give: &[AssetId], receive: &[AssetId]) -> Asked {
        let side = |assets: &[AssetId]| {
            let item = |id: &AssetId| json!({ "appid": 730, "contextid": "2", "amount": 1, "assetid": id.as_str() });
            json!({ "assets": assets.iter().map(item).collect::<Vec<Value>>(), "currency": [], "ready": false })
        };
        let (me, them) = (side(give), side(receive));
        let trade = json!({ "newversion": true, "version": give.len() + receive.len() + 1, "me": me, "them": them });
        let address = json!({ "trade_offer_access_token": self.them.token.as_str() }).to_string();
        let (trade, partner) = (trade.to_string(), self.them.user.to_string());
        let fields = [
            ("serverid", "1"),
            ("partner", partner.as_str()),
            ("tradeoffermessage", "hi"),
            ("json_tradeoffer", trade.as_str()),
            ("captcha", ""),
            ("trade_offer_create_params", address.as_str()),
        ];
        self.form(SEND, self.us.user, "send", &fields)
    }

    fn ask(&self, asked: &Asked) -> Reply {
        answer(&self.fakes, asked)
    }

    /// Sends an offer, and returns its id.
    fn sent(&self, give: &[AssetId], receive: &[AssetId]) -> String {
        let reply = self.ask(&self.new_offer(give, receive));
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.body["tradeofferid"].as_str().unwrap().to_owned()
    }

    /// The same, confirmed.
    fn gift(&self) -> String {
        let id = self.sent(&[self.item_of(&self.us)], &[]);
        self.fakes.advance(Duration::seconds(10));
        let waiting: Vec<Confirmation> = self.act(PlatformCall::Confirmations);
        for Confirmation { id, .. } in waiting {
            self.act::<()>(PlatformCall::Answer { id, answer: ConfirmationAnswer::Allow });
        }
        id
    }

    fn act<T: TryFrom<Answer, Error = Answer>>(&self, call: PlatformCall) -> T {
        let request = Request::Platform { account: self.us.user, token: None, call };
        T::try_from(self.fakes.simulator().world(|world| world.answer(&request))).unwrap()
    }

    fn accepting(&self, id: &str) -> Asked {
        let partner = self.us.user.to_string();
        let fields = [("serverid", "1"), ("tradeofferid", id), ("partner", partner.as_str()), ("captcha", "")];
        self.form(ACCEPT, self.them.user, id, &fields)
    }
}

/// The page of an offer, as an account asks for it.
fn page(two: &Two, user: PlatformUserId, id: &str) -> Asked {
    Asked { route: OFFER_PAGE, segment: id.to_owned(), ..asked(&two.fakes, user, &bearer(user)) }
}

/// Takes the account out of a request.
fn signed_out(mut asked: Asked) -> Asked {
    asked.headers.remove(header::COOKIE);
    asked
}

/// Every answer of every form, and of the page of an offer.
pub(super) fn every_reply() -> Vec<Reply> {
    let two = Two::new();
    let ours = two.item_of(&two.us);
    let missing = AssetId::new("7").unwrap();
    let [to_cancel, to_decline] = [two.sent(&[], &[two.item_of(&two.them)]), two.sent(&[], &[two.item_of(&two.them)])];
    let (to_accept, gift) = (two.sent(&[], &[two.item_of(&two.them)]), two.gift());
    let cancel = |id: &str| two.form(CANCEL, two.us.user, id, &[]);
    let decline = |id: &str| two.form(DECLINE, two.them.user, id, &[]);
    let asked = [
        page(&two, two.them.user, &to_accept),
        page(&two, two.us.user, &to_accept),
        signed_out(page(&two, two.them.user, &to_accept)),
        two.new_offer(&[ours], &[]),
        two.new_offer(&[missing], &[]),
        signed_out(two.new_offer(&[], &[])),
        two.accepting(&to_accept),
        two.accepting(&gift),
        two.accepting("99"),
        signed_out(two.accepting(&to_accept)),
        cancel(&to_cancel),
        cancel(&to_cancel),
        decline(&to_decline),
        decline(&to_decline),
    ];
    let replies = asked.map(|asked| two.ask(&asked));
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 302, 200, 500, 401, 200, 200, 500, 403, 200, 500, 200, 500]);
    replies.into()
}

#[test]
fn an_offer_is_sent_as_its_form_says_and_moves_its_items_once_it_is_accepted() {
    let two = Two::new();
    let id = two.gift();
    let accepted = two.ask(&two.accepting(&id));
    assert!(accepted.body["tradeid"].is_string(), "{}", accepted.body);
    let again = two.ask(&two.accepting(&id)).body["strError"].clone();
    assert!(again.as_str().unwrap().ends_with("(11)"), "{again}");
}

#[test]
fn the_page_of_an_offer_has_the_days_of_its_hold_for_its_recipient_until_it_has_ended() {
    let two = Two::new();
    two.fakes.simulator().world(|world| world.inject(Fault::Escrow { hours: 25, rolled_back: false }));
    let id = two.gift();
    let shown = |user, id: &str| two.ask(&page(&two, user, id)).body.as_str().unwrap().to_owned();
    let to_recipient = shown(two.them.user, &id);
    for days in ["g_daysMyEscrow = 2;", "g_daysTheirEscrow = 2;", "g_daysBothEscrow = 2;"] {
        assert!(to_recipient.contains(days), "{to_recipient}");
    }
    assert!(!shown(two.us.user, &id).contains("Escrow"), "it was sent by this account");
    assert!(!shown(two.them.user, "99").contains("Escrow"), "there is none");
    assert_eq!(two.ask(&two.accepting(&id)).status, 200);
    assert!(!shown(two.them.user, &id).contains("Escrow"), "it was accepted");
}

#[test]
fn a_form_from_another_site_or_without_the_number_of_the_session_does_nothing() {
    let two = Two::new();
    let item = [two.item_of(&two.us)];
    let mut foreign = two.new_offer(&item, &[]);
    foreign.headers.insert(header::ORIGIN, HeaderValue::from_static("https://example.com"));
    let mut without_page = two.new_offer(&item, &[]);
    without_page.headers.remove(header::REFERER);
    let mut other_session = two.new_offer(&item, &[]);
    other_session.body = "sessionid=0b".into();
    let statuses = [foreign, without_page, other_session].map(|asked| two.ask(&asked).status);
    assert_eq!(statuses, [403, 403, 401]);
    assert_eq!(two.ask(&two.new_offer(&item, &[])).status, 200, "the item was not offered before");
}

#[test]
fn an_item_whose_id_is_a_number_is_not_taken() {
    let two = Two::new();
    let id: u64 = two.item_of(&two.us).as_str().parse().unwrap();
    let item = json!([{ "appid": 730, "contextid": "2", "amount": 1, "assetid": id }]);
    let trade = json!({ "newversion": true, "version": 2, "me": { "assets": item }, "them": { "assets": [] } });
    let address = json!({ "trade_offer_access_token": two.them.token.as_str() }).to_string();
    let (trade, partner) = (trade.to_string(), two.them.user.to_string());
    let fields = [
        ("serverid", "1"),
        ("partner", partner.as_str()),
        ("json_tradeoffer", trade.as_str()),
        ("trade_offer_create_params", address.as_str()),
    ];
    assert_eq!(two.ask(&two.form(SEND, two.us.user, "send", &fields)).status, 500);
}

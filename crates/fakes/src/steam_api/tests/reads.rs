//! What accounts read that trade with each other: pages, locks, and the ids of items that have moved.

use std::collections::BTreeSet;
use std::slice::from_ref;

use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{Answer, Fault, PlatformCall, Request};
use tradepost_domain::asset::AssetId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_ports::game_platform::{Acceptance, AccountState, Confirmation, ConfirmationAnswer, NewOffer, Offer};

use super::super::account::{shown_authenticator, shown_bans};
use super::super::{HOLDS, INVENTORY, OFFERS, TRADE_TOKEN, TRADES, answer, messages};
use super::signing_in::text;
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, TokenKind};

/// What a client asks for that wants all of it.
pub(super) const READ: [(&str, &str); 8] = [
    ("get_sent_offers", "1"),
    ("get_received_offers", "1"),
    ("get_descriptions", "1"),
    ("active_only", "1"),
    ("time_historical_cutoff", "0"),
    ("max_trades", "100"),
    ("include_failed", "1"),
    ("language", "english"),
];

/// Two accounts that need no sign-in: any token of theirs is accepted.
pub(super) struct Two {
    pub(super) fakes: Fakes,
    pub(super) us: TradeAddress,
    pub(super) them: TradeAddress,
}

impl Two {
    pub(super) fn new() -> Self {
        let fakes = Fakes::of_seed(1).unwrap();
        let [us, them] = fakes.simulator().world(|world| [world.open_account("desk"), world.open_account("desk")]);
        Self { fakes, us, them }
    }

    pub(super) fn token(&self, user: PlatformUserId) -> String {
        let now = self.fakes.now();
        Bearer { user, token: "any".to_owned() }.written(TokenKind::Access, now.plus(Duration::DAY), now)
    }

    pub(super) fn ask(&self, user: PlatformUserId, route: &'static str, query: &[(&str, &str)]) -> Reply {
        let own = ("access_token".to_owned(), self.token(user));
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).chain([own]);
        answer(&self.fakes, &Asked { route, query: query.collect(), ..Asked::default() })
    }

    /// How long a trade of the first account with the second would be held, by this token of its trade URL.
    pub(super) fn hold(&self, token: &str) -> Reply {
        let target = self.them.user.to_string();
        let query = [("steamid_target", target.as_str()), ("trade_offer_access_token", token)];
        self.ask(self.us.user, HOLDS, &query)
    }

    pub(super) fn post(&self, user: PlatformUserId, route: &'static str, message: &Value) -> Reply {
        let mut asked = messages::request(route, message, messages::AUTHENTICATOR_REQUEST);
        asked.query.insert("access_token".to_owned(), self.token(user));
        answer(&self.fakes, &asked)
    }

    pub(super) fn inventory(&self, user: PlatformUserId, context: &str, after: Option<&str>) -> Reply {
        let user_id = user.to_string();
        let mut query = vec![
            ("steamid", user_id.as_str()),
            ("appid", "730"),
            ("contextid", context),
            ("get_descriptions", "1"),
            ("get_asset_properties", "1"),
            ("count", "2000"),
        ];
        query.extend(after.map(|after| ("start_assetid", after)));
        self.ask(user, INVENTORY, &query)
    }

    pub(super) fn item_of(&self, user: PlatformUserId) -> AssetId {
        self.fakes.simulator().world(|world| world.give_item(user)).unwrap()
    }

    fn act<T: TryFrom<Answer, Error = Answer>>(&self, account: PlatformUserId, call: PlatformCall) -> T {
        let request = Request::Platform { account, token: None, call };
        T::try_from(self.fakes.simulator().world(|world| world.answer(&request))).unwrap()
    }

    fn send(&self, give: Vec<AssetId>, receive: Vec<AssetId>) -> ExternalId {
        let offer = NewOffer { to: self.them.clone(), give, receive, message: None };
        self.act::<Offer>(self.us.user, PlatformCall::Send { offer }).id
    }

    /// Gives an item of the first account to the second. Returns the offer.
    pub(super) fn gift(&self) -> ExternalId {
        let id = self.send(vec![self.item_of(self.us.user)], Vec::new());
        self.fakes.advance(Duration::seconds(10));
        let waiting: Vec<Confirmation> = self.act(self.us.user, PlatformCall::Confirmations);
        for Confirmation { id, .. } in waiting {
            self.act::<()>(self.us.user, PlatformCall::Answer { id, answer: ConfirmationAnswer::Allow });
        }
        let accepted: Acceptance = self.act(self.them.user, PlatformCall::Accept { id: id.clone() });
        assert!(matches!(accepted, Acceptance::Begun { .. }), "{accepted:?}");
        id
    }

    /// The pages of an inventory.
    fn inventory_pages(&self, user: PlatformUserId, context: &str) -> Vec<Value> {
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let page = self.inventory(user, context, after.as_deref()).body["response"].clone();
            after = page["last_assetid"].as_str().map(str::to_owned);
            pages.push(page);
            if after.is_none() {
                return pages;
            }
        }
    }

    /// The pages of offers.
    fn offer_pages(&self, user: PlatformUserId) -> Vec<Value> {
        let (mut pages, mut cursor) = (Vec::new(), 0);
        loop {
            let text = cursor.to_string();
            let query = [&READ[..], &[("cursor", text.as_str())]].concat();
            let page = self.ask(user, OFFERS, &query).body["response"].clone();
            cursor = page["next_cursor"].as_u64().unwrap_or_default();
            pages.push(page);
            if cursor == 0 {
                return pages;
            }
        }
    }

    /// The pages of trades.
    fn trade_pages(&self, user: PlatformUserId) -> Vec<Vec<Value>> {
        let (mut pages, mut after) = (Vec::new(), ("0".to_owned(), "0".to_owned()));
        loop {
            let (time, id) = (after.0.as_str(), after.1.as_str());
            let query = [&READ[..], &[("start_after_time", time), ("start_after_tradeid", id)]].concat();
            let page = self.ask(user, TRADES, &query).body["response"].clone();
            let trades = page["trades"].as_array().unwrap().clone();
            if let Some(last) = trades.last() {
                after = (last["time_init"].to_string(), text(last, "tradeid"));
            }
            pages.push(trades);
            if page["more"] == false {
                return pages;
            }
        }
    }
}

fn lengths(pages: &[Value], list: &str) -> Vec<usize> {
    pages.iter().map(|page| page[list].as_array().map_or(0, Vec::len)).collect()
}

#[test]
fn an_inventory_has_three_items_a_page_and_says_on_each_how_many_there_are() {
    let two = Two::new();
    let owned: BTreeSet<String> = (0..7).map(|_| two.item_of(two.us.user).to_string()).collect();
    let pages = two.inventory_pages(two.us.user, "2");
    assert_eq!(lengths(&pages, "assets"), [3, 3, 1]);
    assert!(pages.iter().all(|page| page["total_inventory_count"] == 7));
    let more: Vec<bool> = pages.iter().map(|page| page["more_items"] == 1).collect();
    assert_eq!(more, [true, true, false]);
    let shown = pages.iter().flat_map(|page| page["assets"].as_array().unwrap());
    let shown: Vec<String> = shown.map(|asset| text(asset, "assetid")).collect();
    assert!(shown.is_sorted_by(|one, next| one > next), "{shown:?}");
    assert_eq!(shown.into_iter().collect::<BTreeSet<_>>(), owned);
}

#[test]
fn a_part_of_an_inventory_is_counted_as_a_part() {
    let two = Two::new();
    (0..2).for_each(|_| drop(two.item_of(two.us.user)));
    two.fakes.simulator().world(|world| world.inject(Fault::PartialInventory));
    let page = two.inventory(two.us.user, "2", None).body["response"].clone();
    assert_eq!((lengths(from_ref(&page), "assets"), &page["total_inventory_count"]), (vec![1], &json!(2)));
}

#[test]
fn an_item_that_is_protected_shows_its_owner_until_when() {
    let two = Two::new();
    two.gift();
    let page = two.inventory(two.them.user, "16", None).body["response"].clone();
    let description = &page["descriptions"][0];
    assert_eq!((&description["tradable"], &page["assets"][0]["contextid"]), (&json!(0), &json!("16")));
    let until = two.fakes.now().plus(Duration::days(7)).as_micros() / 1_000_000;
    let line = text(&description["owner_descriptions"][1], "value");
    assert!(line.ends_with(&format!(" [date]{until}[/date]")), "{line}");
    assert_eq!(two.inventory(two.them.user, "2", None).body, json!({ "response": { "total_inventory_count": 0 } }));
}

#[test]
fn no_account_sees_the_inventory_of_another_one() {
    let two = Two::new();
    let other = two.them.user.to_string();
    let query = [("steamid", other.as_str()), ("appid", "730"), ("contextid", "2")];
    assert_eq!(two.ask(two.us.user, INVENTORY, &query).status, 401);
}

#[test]
fn offers_come_in_pages_of_three_with_the_last_change_first() {
    let two = Two::new();
    assert_eq!(two.offer_pages(two.us.user), [json!({})]);
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(two.send(Vec::new(), vec![two.item_of(two.them.user)]).to_string());
        two.fakes.advance(Duration::SECOND);
    }
    sent.reverse();
    for (user, list, items) in [
        (two.us.user, "trade_offers_sent", "items_to_receive"),
        (two.them.user, "trade_offers_received", "items_to_give"),
    ] {
        let pages = two.offer_pages(user);
        assert_eq!(lengths(&pages, list), [3, 2]);
        let shown: Vec<&Value> = pages.iter().flat_map(|page| page[list].as_array().unwrap()).collect();
        assert_eq!(shown.iter().map(|offer| text(offer, "tradeofferid")).collect::<Vec<_>>(), sent);
        assert!(shown.iter().all(|offer| offer[items].as_array().is_some_and(|items| items.len() == 1)));
    }
    let partner = two.offer_pages(two.us.user)[0]["trade_offers_sent"][0]["accountid_other"].as_u64();
    assert_eq!(partner.map(|number| number + 76_561_197_960_265_728), Some(two.them.user.number().get()));
}

#[test]
fn an_offer_that_has_ended_is_shown_if_it_changed_after_the_cutoff() {
    let two = Two::new();
    let id = two.send(Vec::new(), vec![two.item_of(two.them.user)]);
    two.act::<()>(two.us.user, PlatformCall::Cancel { id });
    let shown = |cutoff: i64| {
        let cutoff = (two.fakes.now().as_micros() / 1_000_000 + cutoff).to_string();
        let query = [("get_sent_offers", "1"), ("active_only", "1"), ("time_historical_cutoff", cutoff.as_str())];
        lengths(from_ref(&two.ask(two.us.user, OFFERS, &query).body["response"]), "trade_offers_sent")
    };
    assert_eq!((shown(0), shown(1)), (vec![1], vec![0]));
}

#[test]
fn trades_come_in_pages_of_three_with_the_newest_first() {
    let two = Two::new();
    (0..4).for_each(|_| drop(two.gift()));
    let pages = two.trade_pages(two.them.user);
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
    let trades: Vec<&Value> = pages.iter().flatten().collect();
    let begun: Vec<u64> = trades.iter().map(|trade| trade["time_init"].as_u64().unwrap()).collect();
    assert!(begun.is_sorted_by(|one, next| one > next), "{begun:?}");
    let moved = &trades[0]["assets_received"][0];
    assert_eq!((&moved["contextid"], &moved["new_contextid"]), (&json!("2"), &json!("16")));
    assert_ne!(moved["assetid"], moved["new_assetid"]);
    assert!(trades[0].get("assets_given").is_none(), "{}", trades[0]);
}

#[test]
fn a_trade_that_was_reversed_and_its_reversal_name_each_other() {
    let two = Two::new();
    two.gift();
    two.fakes.advance(Duration::hours(1));
    two.fakes.simulator().world(|world| world.reverse_trades_of(two.us.user));
    let pages = two.trade_pages(two.us.user);
    let [reversal, reversed] = pages[0].as_slice() else { panic!("two trades: {pages:?}") };
    assert_eq!((&reversal["status"], &reversed["status"]), (&json!(3), &json!(12)));
    assert_eq!(reversal["rollback_trade"], reversed["tradeid"]);
    assert_eq!(reversed["rollback_trade"], reversal["tradeid"]);
    let (back, given) = (&reversal["assets_received"][0], &reversed["assets_given"][0]);
    assert_eq!(back["assetid"], given["new_assetid"]);
    assert_eq!(back["new_assetid"], given["rollback_new_assetid"]);
    assert_eq!((&back["contextid"], &back["new_contextid"]), (&json!("16"), &json!("2")));
}

#[test]
fn a_trade_token_stays_unless_a_new_one_is_wanted() {
    let two = Two::new();
    let token = |renew: &str| {
        let body = two.ask(two.us.user, TRADE_TOKEN, &[("generate_new_token", renew)]).body;
        text(&body["response"], "trade_offer_access_token")
    };
    assert_eq!(token("false"), two.us.token.as_str());
    assert_eq!(token("0"), two.us.token.as_str());
    assert_ne!(token("true"), two.us.token.as_str());
}

#[test]
fn a_hold_of_the_next_trade_is_shown_to_who_has_the_token_of_the_partner() {
    let two = Two::new();
    let seconds = |side: &str| {
        let reply = two.hold(two.them.token.as_str());
        reply.body["response"][side]["escrow_end_duration_seconds"].as_i64()
    };
    let sides = ["my_escrow", "their_escrow", "both_escrow"];
    assert_eq!(sides.map(seconds), [Some(0); 3]);
    two.fakes.simulator().world(|world| world.inject(Fault::Escrow { hours: 360, rolled_back: false }));
    assert_eq!(sides.map(seconds), [Some(1_296_000); 3]);
    assert_eq!(two.hold("wrong").body, json!({ "response": {} }));
}

#[test]
fn bans_and_authenticators_follow_from_the_state_of_the_account() {
    let two = Two::new();
    let usual: AccountState = two.act(two.us.user, PlatformCall::Account);
    let held = AccountLock { reason: LockReason::TradeHold, until: Timestamp::MAX };
    let states = [
        (usual.clone(), (false, "none")),
        (AccountState { restriction: Some(held), ..usual.clone() }, (false, "probation")),
        (AccountState { is_banned: true, ..usual.clone() }, (true, "banned")),
    ];
    for (state, (is_banned, economy)) in states {
        let shown = shown_bans(two.us.user, &state);
        assert_eq!((&shown["CommunityBanned"], &shown["EconomyBan"]), (&json!(is_banned), &json!(economy)));
    }
    let since = usual.authenticator_since.unwrap().as_micros() / 1_000_000;
    let shown = shown_authenticator(&usual);
    assert_eq!((&shown["state"], &shown["time_transferred"]), (&json!(1), &json!(since)));
    assert_eq!(shown_authenticator(&AccountState { authenticator_since: None, ..usual })["state"], 0);
}

//! The facade against its cards, and what it adds to the world: messages, tokens of its own, and pages.

mod reads;
mod signing_in;
mod social;

use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side, SimulatedGuard};

use super::*;
use crate::facade::tests::hold_to_cards;
use crate::protobuf;
use reads::{READ, Two};
use signing_in::{Scene, text};

/// Every answer of a sign-in, and a sign-in that is over.
fn of_signing_in(scene: &Scene) -> (Vec<Reply>, Value) {
    let mut replies = vec![
        scene.ask(KEY, &json!({ "account_name": "ada" }), messages::KEY_REQUEST),
        scene.ask(KEY, &json!({}), messages::KEY_REQUEST),
        scene.begin("wrong"),
        scene.begin(signing_in::PASSWORD),
    ];
    let begun = replies.last().unwrap().body.clone();
    replies.extend([scene.give(&begun, 3, "-----"), scene.poll(&begun)]);
    let code = scene.fakes.simulator().world(|world| world.device_code(scene.user)).unwrap();
    replies.extend([scene.give(&begun, 3, &code), scene.poll(&begun), scene.poll(&begun)]);
    let numbers: Vec<Option<u32>> = replies.iter().map(Reply::eresult).collect();
    assert_eq!(numbers, [1, 8, 5, 1, 88, 1, 1, 1, 9].map(Some));
    let tokens = replies[7].body.clone();
    (replies, tokens)
}

/// Every answer about tokens, at the end of which they are revoked.
fn of_tokens(scene: &Scene, tokens: &Value) -> Vec<Reply> {
    let refresh = text(tokens, "refresh_token");
    let mut replies = vec![scene.renew(&refresh, 0), scene.renew(&refresh, 1), scene.renew(&refresh, 0)];
    let refresh = text(&replies[1].body, "refresh_token");
    replies.extend([scene.revoke(&refresh), scene.revoke(&refresh)]);
    let numbers: Vec<Option<u32>> = replies.iter().map(Reply::eresult).collect();
    assert_eq!(numbers, [1, 1, 15, 1, 15].map(Some));
    replies
}

/// Every answer of a read that works or finds nothing.
fn of_reads(two: &Two) -> Vec<Reply> {
    let (us, them) = (two.us.user, two.them.user);
    let offer = two.gift();
    two.fakes.advance(Duration::seconds(10));
    let trades = two.ask(them, TRADES, &READ);
    let trade = text(&trades.body["response"]["trades"][0], "tradeid");
    two.item_of(us);
    let (our_id, their_id) = (us.to_string(), them.to_string());
    let status = json!({ "steamid": us.number() });
    vec![
        trades,
        two.inventory(us, "2", None),
        two.inventory(them, "16", None),
        two.inventory(us, "16", None),
        two.ask(us, OFFERS, &READ),
        two.ask(us, OFFERS, &[]),
        two.ask(them, OFFER, &[&READ[..], &[("tradeofferid", offer.as_str())]].concat()),
        two.ask(us, OFFER, &[("tradeofferid", "no-such-thing")]),
        two.ask(us, OFFER, &[]),
        two.ask(us, TRADE, &[&READ[..], &[("tradeid", trade.as_str())]].concat()),
        two.ask(us, TRADE, &[("tradeid", "999999999999")]),
        two.ask(us, TRADE_TOKEN, &[("generate_new_token", "false")]),
        two.hold(two.them.token.as_str()),
        two.hold("wrong"),
        two.ask(us, HOLDS, &[]),
        two.ask(us, BANS, &[("steamids", our_id.as_str())]),
        two.ask(us, BANS, &[("steamids", their_id.as_str())]),
        two.post(us, AUTHENTICATOR, &status),
        two.post(them, AUTHENTICATOR, &status),
        answer(&two.fakes, &Asked { route: TIME, ..Asked::default() }),
        answer(&two.fakes, &Asked { route: OFFERS, ..Asked::default() }),
    ]
}

#[test]
fn every_answer_has_the_shape_of_a_card_and_every_card_is_used() {
    let scene = Scene::of(SimulatedGuard::DeviceCode { shared_secret: signing_in::SHARED_SECRET.to_owned() });
    let (mut replies, tokens) = of_signing_in(&scene);
    replies.extend(of_tokens(&scene, &tokens));
    replies.extend(of_reads(&Two::new()));
    replies.extend(social::every_reply());
    let begun = scene.begin(signing_in::PASSWORD).body;
    let unanswered = Fault::TimeoutAfterCommit { call: Call::GiveCode };
    scene.fakes.simulator().world(|world| world.inject(unanswered));
    let code = scene.fakes.simulator().world(|world| world.device_code(scene.user)).unwrap();
    replies.push(scene.give(&begun, 3, &code));
    let storm = Fault::RateLimitStorm { side: Side::Platform, seconds: 60 };
    scene.fakes.simulator().world(|world| world.inject(storm));
    replies.push(answer(&scene.fakes, &Asked { route: TIME, ..Asked::default() }));
    let last: Vec<u16> = replies.iter().rev().take(2).map(|reply| reply.status).collect();
    assert_eq!(last, [429, 502]);
    hold_to_cards(&FACADE, &scene.fakes, replies);
}

#[test]
fn the_samples_of_messages_are_read_as_they_are_written() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut count = 0;
    for card in fakes.facts().cards().filter(|card| card.id.starts_with("steam-api.")) {
        let Form::Protobuf(fields) = form(&card.route, card.status) else { continue };
        for sample in &card.samples {
            let sample: Value = serde_json::from_str(sample).unwrap();
            let read = protobuf::decode(&protobuf::encode(&sample, fields), fields).unwrap();
            assert_eq!(read, if sample.is_null() { json!({}) } else { sample }, "{}", card.id);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_sample_of_a_refusal_has_the_number_that_its_card_gives_it() {
    let fakes = Fakes::of_seed(1).unwrap();
    let number = |card: &str, at: usize| Reply::sample(fakes.facts(), card, at).eresult();
    let refused: Vec<Option<u32>> = (0..5).map(|at| number("steam-api.begin.refused", at)).collect();
    assert_eq!(refused, [Some(5), Some(18), Some(84), Some(8), None]);
    assert_eq!([0, 3].map(|at| number("steam-api.offers", at)), [Some(1); 2]);
}

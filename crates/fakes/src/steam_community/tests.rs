//! The facade against its cards.

mod confirmations;
mod friends;
mod offers;
mod scene;

use std::time::Duration;

use tradepost_adapters_simulator::{AccountSignIn, Fault, Side, SimulatedGuard};
use tradepost_ports::external::Effect;

use super::*;
use crate::facade::tests::hold_to_cards;
use scene::{asked, bearer, user_of};

#[test]
fn every_answer_has_the_shape_of_a_card_and_every_card_is_used() {
    let fakes = Fakes::of_seed(1).unwrap();
    let (user, other) = (user_of(&fakes), user_of(&fakes));
    let mut replies = vec![
        answer(&fakes, &asked(&fakes, user, &bearer(user))),
        answer(&fakes, &asked(&fakes, other, &bearer(user))),
        answer(&fakes, &Asked { route: API_KEY, ..Asked::default() }),
    ];
    replies.extend(confirmations::every_reply());
    let by = AccountSignIn { login_name: "ada".to_owned(), password: "any".to_owned(), guard: SimulatedGuard::None };
    fakes.simulator().world(|world| world.require_sign_in(other, by)).unwrap();
    replies.push(answer(&fakes, &asked(&fakes, other, &bearer(other))));
    let usual: AccountState = bearer(user).ask(&fakes, PlatformCall::Account).unwrap();
    replies.push(shown(&bearer(user), &AccountState { is_api_key_ours: Some(false), ..usual.clone() }));
    replies.push(shown(&bearer(user), &AccountState { is_banned: true, ..usual }));
    replies.push(failed(&ExternalError::Unknown("lost".to_owned())));
    let storm = Fault::RateLimitStorm { side: Side::Platform, seconds: 60 };
    fakes.simulator().world(|world| world.inject(storm));
    replies.push(answer(&fakes, &asked(&fakes, user, &bearer(user))));
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 302, 302, 200, 200, 200, 200, 200, 200, 200, 502, 429]);
    replies.extend(confirmations::every_answer());
    replies.extend(offers::every_reply());
    replies.extend(friends::every_reply());
    hold_to_cards(&FACADE, &fakes, replies);
}

#[test]
fn a_page_shows_the_account_and_whether_it_has_a_key() {
    let fakes = Fakes::of_seed(1).unwrap();
    let user = user_of(&fakes);
    let without = answer(&fakes, &asked(&fakes, user, &bearer(user))).body;
    let without = without.as_str().unwrap();
    assert!(without.contains("Register for a new Steam Web API Key") && without.contains(&user.to_string()));
    let usual: AccountState = bearer(user).ask(&fakes, PlatformCall::Account).unwrap();
    let with = shown(&bearer(user), &AccountState { is_api_key_ours: Some(false), ..usual }).body;
    assert!(with.as_str().unwrap().contains(&format!("<p>Key: {KEY}</p>")));
}

#[test]
fn a_visitor_is_sent_to_sign_in_or_sees_that_no_account_is_signed_in() {
    let fakes = Fakes::of_seed(1).unwrap();
    let visitor = answer(&fakes, &Asked { route: API_KEY, ..Asked::default() });
    assert!(visitor.headers.iter().any(|(name, to)| *name == "location" && to.starts_with("/login")));
    let ended = failed(&ExternalError::AuthLost { effect: Effect::Nothing });
    assert!(ended.body.as_str().unwrap().contains("g_steamID = false;"));
    let retry_after = Duration::from_millis(10);
    let limited = failed(&ExternalError::RateLimited { retry_after, effect: Effect::Nothing });
    assert!(limited.headers.contains(&("retry-after", "1".to_owned())));
}

//! Trading accounts that a customer opens under numbers of its own.

use std::num::NonZeroU64;

use tradepost_adapters_simulator::{Settings, TakenNumber, World};
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_testkit::samples::text;

fn address(number: u64, token: &str) -> TradeAddress {
    TradeAddress { user: PlatformUserId::new(NonZeroU64::new(number).unwrap()), token: text(token) }
}

#[test]
fn an_account_is_opened_under_the_number_and_the_token_that_its_customer_names_and_again_changes_nothing() {
    let mut world = World::new(1, Settings::default());
    let wanted = address(76_561_198_000_000_001, "first");
    assert_eq!(world.open_account_at("desk", &wanted), Ok(wanted.clone()));
    assert_eq!(world.open_account_at("desk", &address(76_561_198_000_000_001, "other")), Ok(wanted));
}

#[test]
fn a_number_belongs_to_one_customer() {
    let mut world = World::new(1, Settings::default());
    let wanted = address(76_561_198_000_000_001, "first");
    world.open_account_at("desk", &wanted).unwrap();
    assert_eq!(world.open_account_at("thief", &wanted), Err(TakenNumber(wanted.user)));
}

#[test]
fn a_number_that_the_world_would_give_out_next_is_skipped() {
    let mut world = World::new(1, Settings::default());
    let next = world.clone().open_account("other").user;
    let wanted = TradeAddress { user: next, token: text("first") };
    world.open_account_at("desk", &wanted).unwrap();
    assert_ne!(world.open_account("other").user, next);
}

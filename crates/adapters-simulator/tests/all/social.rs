//! What partners of trades do by themselves, and that friends leave the market of a seed as it is.

use time::Duration;
use tradepost_adapters_simulator::{Settings, World};
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::social::Social as _;

use crate::desk::Desk;

async fn relation(desk: &Desk, user: PlatformUserId) -> FriendRelation {
    let friends = desk.simulator.social().friends(desk.account.user).await.unwrap();
    friends.into_iter().find(|shown| shown.user == user).map_or(FriendRelation::None, |shown| shown.relation)
}

/// Strangers who are asked, and how many of them have accepted after an hour.
async fn accepted(seed: u64, asked: usize) -> usize {
    let desk = Desk::over(World::new(seed, Settings::default()));
    let mut strangers = Vec::new();
    for _ in 0..asked {
        let stranger = desk.simulator.world(|world| {
            let stranger = world.befriend(desk.account.user);
            world.relate_to(stranger, desk.account.user, FriendRelation::None);
            stranger
        });
        desk.simulator.social().add(desk.account.user, stranger).await.unwrap();
        strangers.push(stranger);
    }
    desk.pass(Duration::hours(1));
    let mut accepted = 0;
    for stranger in strangers {
        accepted += usize::from(relation(&desk, stranger).await == FriendRelation::Friend);
    }
    accepted
}

#[tokio::test]
async fn most_strangers_accept_and_those_of_a_seed_are_the_same() {
    let (one, again) = (accepted(5, 20).await, accepted(5, 20).await);
    assert!((5..20).contains(&one), "{one}");
    assert_eq!(one, again);
}

#[tokio::test]
async fn friends_leave_the_market_as_it_is() {
    let listings = async |with_friends: bool| {
        let desk = Desk::lively(11);
        if with_friends {
            let stranger = desk.simulator.world(|world| world.befriend(desk.account.user));
            desk.simulator.social().accept(desk.account.user, stranger).await.unwrap();
        }
        desk.pass(Duration::hours(6));
        let mut prices: Vec<i64> = desk.listings().await.iter().map(|listing| listing.offered.price.get()).collect();
        prices.sort_unstable();
        prices
    };
    assert_eq!(listings(false).await, listings(true).await);
}

#[test]
fn a_world_that_was_written_down_goes_on_with_its_friends_and_messages() {
    let mut world = World::new(7, Settings::default());
    let account = world.open_account("desk").user;
    let stranger = world.befriend(account);
    world.write_to(account, stranger, "hi");
    let again: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    assert_eq!(again.said_between(account, stranger), ["hi"]);
}

#[test]
fn a_world_from_before_there_were_friends_is_opened() {
    let mut plain = serde_json::to_value(World::new(7, Settings::default())).unwrap();
    plain.as_object_mut().unwrap().remove("social");
    plain["settings"].as_object_mut().unwrap().remove("most_friends");
    assert!(serde_json::from_value::<World>(plain).is_ok());
}

//! A customer that makes random calls through the ports, with random faults and at random times.

use proptest::prelude::*;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _};
use tradepost_ports::marketplace::{ListingQuery, Marketplace as _, SellRequest};

use crate::desk::{CUSTOMER, Desk, cents};

/// One thing to do. Numbers choose among what there is.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Buy { listing: usize, key: u64 },
    List { price: i64 },
    Reprice { price: i64 },
    Delist,
    SellOwn,
    Deliver,
    Answer(ConfirmationAnswer),
    Accept { offer: usize },
    Decline { offer: usize },
    Cancel { offer: usize },
    Pass { minutes: u32 },
    Fault(Fault),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..60)
}

fn step() -> impl Strategy<Value = Step> {
    let answer = prop_oneof![4 => Just(ConfirmationAnswer::Allow), 1 => Just(ConfirmationAnswer::Deny)];
    prop_oneof![
        6 => (any::<usize>(), 0..40_u64).prop_map(|(listing, key)| Step::Buy { listing, key }),
        2 => (0..20_000_i64).prop_map(|price| Step::List { price }),
        1 => (0..20_000_i64).prop_map(|price| Step::Reprice { price }),
        1 => Just(Step::Delist),
        2 => Just(Step::SellOwn),
        3 => Just(Step::Deliver),
        3 => answer.prop_map(Step::Answer),
        6 => any::<usize>().prop_map(|offer| Step::Accept { offer }),
        1 => any::<usize>().prop_map(|offer| Step::Decline { offer }),
        1 => any::<usize>().prop_map(|offer| Step::Cancel { offer }),
        6 => prop_oneof![3 => 1..20_u32, 1 => 60..3_000_u32].prop_map(|minutes| Step::Pass { minutes }),
        5 => fault().prop_map(Step::Fault),
    ]
}

fn fault() -> impl Strategy<Value = Fault> {
    let call = prop::sample::select(vec![
        Call::Buy,
        Call::List,
        Call::Reprice,
        Call::Delist,
        Call::Send,
        Call::Accept,
        Call::Decline,
        Call::Cancel,
        Call::Answer,
    ]);
    let side = prop::sample::select(vec![Side::Marketplace, Side::Platform]);
    prop_oneof![
        call.clone().prop_map(|call| Fault::TimeoutBeforeCommit { call }),
        call.prop_map(|call| Fault::TimeoutAfterCommit { call }),
        (side.clone(), 0..600_u32).prop_map(|(side, seconds)| Fault::RateLimitStorm { side, seconds }),
        (side, 0..600_u32).prop_map(|(side, seconds)| Fault::SessionLost { side, seconds }),
        Just(Fault::SoldAlready),
        (0..300_u16).prop_map(|percent| Fault::PriceMoved { percent }),
        (0..3_600_u32).prop_map(|seconds| Fault::LateLookup { seconds }),
        (0..3_600_u32).prop_map(|seconds| Fault::DelayedPurchase { seconds }),
        (0..3_600_u32).prop_map(|seconds| Fault::LateDelivery { seconds }),
        (0..48_u32).prop_map(|hours| Fault::LateRefund { hours }),
        (0..3_600_u32).prop_map(|seconds| Fault::OfferVanishes { seconds }),
        (0..3_600_u32).prop_map(|seconds| Fault::GlitchedOffer { seconds }),
        Just(Fault::ItemSwapped),
        (0..3_600_u32).prop_map(|seconds| Fault::LateBuyer { seconds }),
        Just(Fault::FailedTrade),
        Just(Fault::FailedInPlace),
        (0..100_u32, any::<bool>()).prop_map(|(hours, rolled_back)| Fault::Escrow { hours, rolled_back }),
        (0..100_u32).prop_map(|hours| Fault::RollbackFailed { hours }),
        (0..200_u32).prop_map(|hours| Fault::Reversal { hours }),
        (0..100_u32).prop_map(|hours| Fault::TradesHeld { hours }),
        (any::<u32>(), 0..3_600_u32).prop_map(|(number, seconds)| Fault::UnknownState { number, seconds }),
        Just(Fault::LostConfirmation),
        (0..12_u32).prop_map(|number| Fault::StrangeConfirmation { number }),
        (0..3_600_u32).prop_map(|seconds| Fault::ListingVanishes { seconds }),
        Just(Fault::PartialInventory),
        (0..3_600_u32).prop_map(|seconds| Fault::ItemWithheld { seconds }),
        (0..1_000_u16, 0..3_600_u32).prop_map(|(percent, seconds)| Fault::FakeAsk { percent, seconds }),
        (0..1_000_u16, 0..9_999_u32).prop_map(|(percent, count)| Fault::WashSales { percent, count }),
        (-2_000_000..2_000_000_i64).prop_map(|cents| Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents }),
    ]
}

/// Takes a step and returns its outcome, which may be a refusal; nothing where there was nothing to choose from.
pub(crate) async fn take(desk: &Desk, step: &Step) -> Option<String> {
    let us = desk.account.user;
    Some(match step {
        Step::Buy { listing, key } => {
            let query = ListingQuery { market_hash_name: None, max_price: None, limit: 100 };
            let listings = desk.market.listings(&query, None).await.ok()?.items;
            let request = desk.request(one_of(&listings, *listing)?, &key.to_string());
            format!("{:?}", desk.market.buy(&request).await)
        }
        Step::List { price } => {
            let request = SellRequest { owner: us, asset_id: desk.own_item(), price: cents(*price) };
            format!("{:?}", desk.market.list(&request).await)
        }
        Step::Reprice { price } => format!("{:?}", desk.market.reprice(&own_listing(desk).await?, cents(*price)).await),
        Step::Delist => format!("{:?}", desk.market.delist(&own_listing(desk).await?).await),
        Step::SellOwn => {
            let listing = own_listing(desk).await?;
            format!("{:?}", desk.simulator.world(|world| world.sell_to_stranger(&listing)))
        }
        Step::Deliver => deliver(desk).await?,
        Step::Answer(answer) => {
            let waiting = desk.platform.confirmations(us).await.ok()?;
            format!("{:?}", desk.platform.answer(us, waiting.first()?, *answer).await)
        }
        Step::Accept { offer } => format!("{:?}", desk.platform.accept(us, &offer_id(desk, *offer).await?).await),
        Step::Decline { offer } => format!("{:?}", desk.platform.decline(us, &offer_id(desk, *offer).await?).await),
        Step::Cancel { offer } => format!("{:?}", desk.platform.cancel(us, &offer_id(desk, *offer).await?).await),
        Step::Pass { minutes } => {
            desk.pass(Duration::minutes(i64::from(*minutes)));
            format!("{:?}", desk.platform.trades(us, Timestamp::MIN).await)
        }
        Step::Fault(fault) => {
            desk.inject(fault.clone());
            format!("{fault:?}")
        }
    })
}

fn one_of<T>(choices: &[T], at: usize) -> Option<&T> {
    choices.get(at.checked_rem(choices.len())?)
}

async fn own_listing(desk: &Desk) -> Option<ExternalId> {
    let own = desk.market.own_listings().await.ok()?;
    own.into_iter().next().map(|listing| listing.id)
}

async fn offer_id(desk: &Desk, at: usize) -> Option<ExternalId> {
    let offers = desk.platform.offers(desk.account.user, Timestamp::MIN).await.ok()?;
    one_of(&offers, at).map(|offer| offer.id.clone())
}

/// Sends the last buyer what was bought, or where that is not there something else.
async fn deliver(desk: &Desk) -> Option<String> {
    let sales = desk.market.sales(Timestamp::MIN).await.ok()?;
    let ours = desk.platform.inventory(desk.account.user, AppId::CS2, ContextId::ORDINARY).await.ok()?.assets;
    let sale = sales.last()?;
    let item = ours.iter().find(|item| item.asset_id == sale.asset_id).or(ours.first())?;
    Some(format!("{:?}", desk.send(sale, &item.asset_id).await))
}

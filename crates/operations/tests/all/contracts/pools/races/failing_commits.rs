//! Commits of several purchases that storage refuses or does not answer, that another process overtakes, or whose callers are dropped.

use futures::poll;
use tradepost_domain::idempotency::Execution;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_ports::changes::VersionGuard;

use super::*;
use crate::harness::Gate;

/// Longer than anything takes on a busy machine.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);

impl Desk {
    /// The caller under the idempotency key of this number.
    fn under_key(&self, number: u8) -> Caller {
        let once = Execution::begun(Id::from_bytes([number; 16]), [number; 32], self.world.clock.now());
        Caller { once: Some(once), ..self.trader.clone() }
    }

    /// Expects that this much of the pool's 50.00 is reserved.
    async fn assert_reserved(&self, pool_id: PoolId, cents: i64) {
        let held = self.held(pool_id).await;
        let of = |account| held.get(&account).copied().unwrap_or(0);
        assert_eq!([of(Account::Available), of(Account::Reserved)], [5_000 - cents, cents]);
        let booked = self.postings().await.into_iter().filter(|posting| *posting == Posting::Reserved).count();
        assert_eq!(booked * 1_500, usize::try_from(cents).unwrap());
    }
}

#[tokio::test]
async fn purchases_of_a_commit_without_an_answer_are_unknown_and_bought_once() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 4).await;
    let (desk, store) = desk.scripted([Fate::Unanswered]);
    let (unknown, not_tried) = (Err("OUTCOME_UNKNOWN"), Err("STORAGE_UNAVAILABLE"));
    assert_eq!(desk.at_once(&buyers, &[1, 2, 1, 2]).await, [unknown, unknown, not_tried, not_tried]);
    assert_eq!(store.commits(), 1);
    for (key, number) in [(1, 1), (2, 2)] {
        let again = desk.operations().record_purchase(&desk.under_key(key), desk.listing(number)).await;
        assert_eq!(outcome(again), Err("LISTING_TAKEN"));
    }
    desk.assert_reserved(pool_id, 3_000).await;
}

#[tokio::test]
async fn storage_that_takes_no_commit_is_tried_once_for_all_purchases_that_wait() {
    for (error, reason) in [
        (StoreError::Overloaded, "OVERLOADED"),
        (StoreError::Unavailable("a test stops it".to_owned()), "STORAGE_UNAVAILABLE"),
    ] {
        let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
        let buyers = desk.buyers(pool_id, 4).await;
        let (desk, store) = desk.scripted([Fate::Refused(error)]);
        assert_eq!(desk.at_once(&buyers, &[1, 2, 1, 2]).await, [Err(reason); 4]);
        assert_eq!(store.commits(), 1);
        desk.assert_reserved(pool_id, 0).await;
    }
}

#[tokio::test]
async fn a_caller_whose_rights_changed_ends_no_other_purchase_of_its_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 2).await;
    let (desk, store) = desk.scripted([]);
    let newer = |guard: &VersionGuard| VersionGuard { version: guard.version + 1, ..*guard };
    let changed = Caller { guards: desk.trader.guards.iter().map(newer).collect(), ..desk.trader.clone() };
    let on = desk.operations();
    let (one, other) = tokio::join!(
        on.record_purchase(&changed, RecordPurchase { contract_id: buyers[0], ..desk.listing(1) }),
        on.record_purchase(&desk.trader, RecordPurchase { contract_id: buyers[1], ..desk.listing(2) }),
    );
    assert_eq!([outcome(one), outcome(other)], [Err("CALLER_CHANGED"), Ok(())]);
    assert_eq!(store.commits(), 3, "together, and each by itself");
    desk.assert_reserved(pool_id, 1_500).await;
}

#[tokio::test]
async fn a_halt_during_a_commit_refuses_all_of_its_purchases_after_one_try() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 4).await;
    let gate = Arc::new(Gate::default());
    let (buying, store) = desk.scripted([Fate::Held(Arc::clone(&gate))]);
    let halt = async {
        gate.reached().await;
        let halt = SetTradingHalt { workspace_id: desk.workspace_id(), halted: true, reason: "checking".to_owned() };
        desk.operations().set_trading_halt(&desk.trader, halt).await.unwrap();
        gate.open();
    };
    let (outcomes, ()) = tokio::join!(buying.at_once(&buyers, &[1, 2, 3, 4]), halt);
    assert_eq!(outcomes, [Err("TRADING_HALTED"); 4]);
    assert_eq!(store.commits(), 1);
    desk.assert_reserved(pool_id, 0).await;
}

#[tokio::test(start_paused = true)]
async fn callers_read_everything_again_after_a_conflict_on_the_same_version_of_the_pool() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 2).await;
    let (desk, store) = desk.scripted([Fate::Refused(StoreError::Conflict)]);
    assert_eq!(desk.at_once(&buyers, &[1, 2]).await, [Ok(()); 2]);
    assert_eq!(store.commits(), 2, "they meet again");
    desk.assert_reserved(pool_id, 3_000).await;
}

#[tokio::test(start_paused = true)]
async fn purchases_that_another_process_overtakes_are_decided_on_again_together() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 4).await;
    let (desk, store) = desk.scripted(std::iter::repeat_n(Fate::Overtaken(desk.scope(), pool_id), 4));
    let refused = Err("POOL_FUNDS_TOO_LOW");
    assert_eq!(desk.at_once(&buyers, &[1, 2, 3, 4]).await, [Ok(()), Ok(()), Ok(()), refused]);
    assert_eq!(store.commits(), 5);
    desk.assert_reserved(pool_id, 4_500).await;
}

#[tokio::test(start_paused = true)]
async fn a_purchase_that_loses_every_race_is_refused_after_a_hundred_commits() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let (desk, store) = desk.scripted(std::iter::repeat_n(Fate::Overtaken(desk.scope(), pool_id), 200));
    let recorded = desk.operations().record_purchase(&desk.trader, desk.listing(1)).await;
    assert_eq!(outcome(recorded), Err("CONFLICT"));
    assert_eq!(store.commits(), 100, "5 in each of 20 attempts");
    desk.assert_reserved(pool_id, 0).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_before_its_commit_buys_nothing_and_ends_its_turn() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let mut call = Box::pin(desk.operations().record_purchase(&desk.trader, desk.listing(1)));
    assert!(poll!(&mut call).is_pending());
    drop(call);
    desk.buy(2).await;
    desk.assert_reserved(pool_id, 1_500).await;
    desk.buy(1).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_during_its_commit_buys_and_keeps_its_turn_until_then() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let gate = Arc::new(Gate::default());
    let (desk, _) = desk.scripted([Fate::Held(Arc::clone(&gate))]);
    let mut call = Box::pin(desk.operations().record_purchase(&desk.trader, desk.listing(1)));
    assert!(poll!(&mut call).is_pending());
    gate.reached().await;
    drop(call);
    let mut next = Box::pin(desk.operations().record_purchase(&desk.trader, desk.listing(2)));
    assert!(poll!(&mut next).is_pending());
    gate.open();
    // The change of status is announced although its caller is not there.
    tokio::time::timeout(PATIENCE, desk.operations().transition_written()).await.unwrap();
    desk.assert_reserved(pool_id, 1_500).await;
    next.await.unwrap();
    desk.assert_reserved(pool_id, 3_000).await;
}

#[tokio::test]
async fn a_call_under_a_key_buys_by_itself_among_purchases_that_share_a_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 3).await;
    let (desk, store) = desk.scripted([]);
    let (caller, listing) = (desk.under_key(1), RecordPurchase { contract_id: buyers[2], ..desk.listing(3) });
    let keyed = desk.operations().record_purchase(&caller, listing);
    let (shared, keyed) = tokio::join!(desk.at_once(&buyers, &[1, 2]), keyed);
    assert_eq!((shared, outcome(keyed)), (vec![Ok(()), Ok(())], Ok(())));
    assert_eq!(store.commits(), 2);
    desk.assert_reserved(pool_id, 4_500).await;
}

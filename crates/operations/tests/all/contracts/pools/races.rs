//! Purchases that race for a pool's money.

use super::*;

#[tokio::test]
async fn of_many_who_race_for_a_budget_as_many_win_as_it_covers() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let desk = desk.buying_from(pool_id, BuyingLimits { target_quantity: Some(100), ..buying_limits() }).await;
    desk.activate().await.unwrap();
    let mut racing = tokio::task::JoinSet::new();
    for number in 0..64 {
        let (operations, trader) = (desk.world.operations.clone(), desk.trader.clone());
        let listing = desk.listing(number);
        racing.spawn(async move {
            operations.record_purchase(&trader, listing).await.map_err(|error| error.reason.as_str())
        });
    }
    let outcomes = racing.join_all().await;
    let refused: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert_eq!((outcomes.len(), refused.len()), (64, 61));
    assert!(refused.iter().all(|reason| **reason == "POOL_FUNDS_TOO_LOW"), "{refused:?}");
    assert_eq!(desk.held(pool_id).await.get(&Account::Available), Some(&500));
}

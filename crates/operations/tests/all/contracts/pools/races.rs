//! Purchases that race for a pool's money.

mod failing_commits;

use std::sync::Arc;

use futures::future::join_all;
use tokio::task::JoinSet;
use tradepost_domain::id::ContractId;
use tradepost_operations::Operations;
use tradepost_ports::store::StoreError;

use super::*;
use crate::harness::Fate;

type Outcome = Result<(), &'static str>;

fn outcome<T>(recorded: OpResult<T>) -> Outcome {
    recorded.map(drop).map_err(|error| error.reason.as_str())
}

impl Desk {
    /// Active contracts that buy from a pool.
    async fn buyers(&self, pool_id: PoolId, number: usize) -> Vec<ContractId> {
        let mut buyers = Vec::new();
        for _ in 0..number {
            let limits = BuyingLimits { budget_cents: Some(10_000), ..buying_limits() };
            let terms = ContractTerms::Buying(limits);
            let drafted = CreateContract { pool_id: Some(pool_id), ..draft(self.workspace_id(), terms) };
            let contract_id = self.operations().create_contract(&self.trader, drafted).await.unwrap().value.id;
            let command = ActivateContract { workspace_id: self.workspace_id(), contract_id, expected_version: None };
            self.operations().activate_contract(&self.trader, command).await.unwrap();
            buyers.push(contract_id);
        }
        buyers
    }

    /// Has 64 purchases recorded at once, by each of the contracts in turn; eight in each of the processes in turn.
    async fn race(&self, processes: &[Arc<Operations>], buyers: &[ContractId]) -> Vec<Outcome> {
        let mut racing = JoinSet::new();
        for number in 0..64_u32 {
            let operations = Arc::clone(&processes[number as usize / 8 % processes.len()]);
            let contract_id = buyers[number as usize % buyers.len()];
            let (trader, listing) = (self.trader.clone(), RecordPurchase { contract_id, ..self.listing(number) });
            racing.spawn(async move { outcome(operations.record_purchase(&trader, listing).await) });
        }
        racing.join_all().await
    }

    /// Has the contracts record a purchase each, all of them at once. Two or four of them are decided on together.
    async fn at_once(&self, buyers: &[ContractId], numbers: &[u32]) -> Vec<Outcome> {
        self.record_at_once(buyers, numbers.iter().map(|number| self.listing(*number))).await
    }

    async fn record_at_once(
        &self,
        buyers: &[ContractId],
        listings: impl IntoIterator<Item = RecordPurchase>,
    ) -> Vec<Outcome> {
        let purchases = buyers.iter().zip(listings).map(|(buyer, listing)| {
            let purchase = RecordPurchase { contract_id: *buyer, ..listing };
            self.operations().record_purchase(&self.trader, purchase)
        });
        join_all(purchases).await.into_iter().map(outcome).collect()
    }

    async fn pool_version(&self, pool_id: PoolId) -> i64 {
        let get = GetPool { workspace_id: self.workspace_id(), pool_id };
        self.operations().get_pool(&self.trader, get).await.unwrap().version
    }
}

fn assert_winners(outcomes: &[Outcome], number: usize) {
    let refused: Vec<&str> = outcomes.iter().filter_map(|outcome| outcome.err()).collect();
    assert_eq!((outcomes.len(), refused.len()), (64, 64 - number), "{refused:?}");
    assert!(refused.iter().all(|reason| *reason == "POOL_FUNDS_TOO_LOW"), "{refused:?}");
}

#[tokio::test]
async fn of_many_who_race_for_a_budget_as_many_win_as_it_covers() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let desk = desk.buying_from(pool_id, BuyingLimits { target_quantity: Some(100), ..buying_limits() }).await;
    desk.activate().await.unwrap();
    assert_winners(&desk.race(std::slice::from_ref(&desk.world.operations), &[desk.contract_id]).await, 3);
    assert_eq!(desk.held(pool_id).await.get(&Account::Available), Some(&500));
}

#[tokio::test]
async fn purchases_of_many_contracts_share_a_commit_of_their_pool() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 16).await;
    let before = desk.pool_version(pool_id).await;
    assert_winners(&desk.race(std::slice::from_ref(&desk.world.operations), &buyers).await, 3);
    assert_eq!(desk.pool_version(pool_id).await, before + 1);
    let expected = [(Account::Available, 500), (Account::Reserved, 4_500), (Account::Capital, -5_000)];
    assert_eq!(desk.held(pool_id).await, expected.into());
    let booked = [Posting::FundsAdjusted, Posting::Reserved, Posting::Reserved, Posting::Reserved];
    assert_eq!(desk.postings().await, booked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_buy_from_one_pool_at_once_overdraw_nothing() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 8).await;
    let processes = [desk.world.operations.clone(), desk.world.restarted(|_| {}).operations];
    assert_winners(&desk.race(&processes, &buyers).await, 3);
    let expected = [(Account::Available, 500), (Account::Reserved, 4_500), (Account::Capital, -5_000)];
    assert_eq!(desk.held(pool_id).await, expected.into());
}

#[tokio::test]
async fn a_purchase_that_storage_refuses_ends_no_other_of_its_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 2).await;
    desk.buy(1).await;
    assert_eq!(desk.at_once(&buyers, &[1, 2]).await, [Err("LISTING_TAKEN"), Ok(())]);
}

#[tokio::test]
async fn money_that_a_refused_purchase_did_not_take_is_there_for_the_next_one() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 2).await;
    desk.buy(1).await;
    desk.adjust(pool_id, -2_000).await.unwrap();
    assert_eq!(desk.at_once(&buyers, &[1, 2]).await, [Err("LISTING_TAKEN"), Ok(())]);
    assert_eq!(desk.at_once(&buyers, &[3, 4]).await, [Err("POOL_FUNDS_TOO_LOW"); 2]);
}

#[tokio::test]
async fn money_for_forty_of_many_buys_forty_although_commits_are_lost() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    desk.limit(pool_id, LimitsOfPool { budget_cents: 100_000, ..NO_LIMITS }).await.unwrap();
    desk.adjust(pool_id, 55_500).await.unwrap();
    let buyers = desk.buyers(pool_id, 16).await;
    let (overtaken, lost) = (Fate::Overtaken(desk.scope(), pool_id), Fate::Refused(StoreError::Conflict));
    let script =
        [Fate::Made, overtaken.clone(), overtaken.clone(), lost.clone(), Fate::Made, lost, overtaken, Fate::Made];
    let (desk, store) = desk.scripted(script);
    assert_winners(&desk.race(std::slice::from_ref(&desk.world.operations), &buyers).await, 40);
    assert!(store.commits() >= 8, "the script was not played: {}", store.commits());
    let expected = [(Account::Available, 500), (Account::Reserved, 60_000), (Account::Capital, -60_500)];
    assert_eq!(desk.held(pool_id).await, expected.into());
}

#[tokio::test]
async fn purchases_that_share_a_commit_reach_the_limits_of_their_pool_and_no_cent_beyond() {
    for cents in [2_999, 3_000] {
        let limits = [
            (LimitsOfPool { max_exposure_per_item_cents: Some(cents), ..NO_LIMITS }, "POOL_ITEM_EXPOSURE"),
            (LimitsOfPool { daily_limit_cents: Some(cents), ..NO_LIMITS }, "POOL_DAILY_LIMIT"),
        ];
        for (limits, reason) in limits {
            let (desk, pool_id) = Desk::pooled(limits).await;
            let (buyers, before) = (desk.buyers(pool_id, 4).await, desk.pool_version(pool_id).await);
            let refused = Err(reason);
            let second = if cents == 3_000 { Ok(()) } else { refused };
            assert_eq!(desk.at_once(&buyers, &[1, 2, 3, 4]).await, [Ok(()), second, refused, refused]);
            assert_eq!(desk.pool_version(pool_id).await, before + 1);
        }
    }
}

#[tokio::test]
async fn purchases_of_two_names_that_share_a_commit_count_for_the_exposure_of_their_own_name() {
    let limits = LimitsOfPool { max_exposure_per_item_cents: Some(1_500), ..NO_LIMITS };
    let (desk, pool_id) = Desk::pooled(limits).await;
    let buyers = desk.buyers(pool_id, 4).await;
    let case = |number| RecordPurchase { market_hash_name: "Operation Bravo Case".to_owned(), ..desk.listing(number) };
    let refused = Err("POOL_ITEM_EXPOSURE");
    let listings = [desk.listing(1), case(2), desk.listing(3), case(4)];
    assert_eq!(desk.record_at_once(&buyers, listings).await, [Ok(()), Ok(()), refused, refused]);
    let other = RecordPurchase { market_hash_name: "Operation Hydra Case".to_owned(), ..desk.listing(8) };
    let listings = [desk.listing(5), case(6), desk.listing(7), other];
    assert_eq!(desk.record_at_once(&buyers, listings).await, [refused, refused, refused, Ok(())]);
}

#[tokio::test]
async fn a_purchase_above_the_maximum_of_its_pool_ends_no_other_of_its_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 4).await;
    desk.limit(pool_id, LimitsOfPool { max_per_purchase_cents: Some(1_400), ..NO_LIMITS }).await.unwrap();
    let at_most = |number, cents| RecordPurchase { max_buy_price_cents: cents, ..desk.listing(number) };
    let listings = [at_most(1, 1_400), at_most(2, 1_401), at_most(3, 1_400), at_most(4, 1_500)];
    let refused = Err("POOL_PURCHASE_LIMIT");
    assert_eq!(desk.record_at_once(&buyers, listings).await, [Ok(()), refused, Ok(()), refused]);
}

#[tokio::test]
async fn the_second_purchase_of_a_listing_waits_for_the_next_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let buyers = desk.buyers(pool_id, 4).await;
    let (desk, store) = desk.scripted([]);
    let taken = Err("LISTING_TAKEN");
    assert_eq!(desk.at_once(&buyers, &[1, 1, 2, 2]).await, [Ok(()), taken, Ok(()), taken]);
    // The first listings in one commit. The pool has money for one of the others at a time, and storage refuses both.
    assert_eq!(store.commits(), 3);
}

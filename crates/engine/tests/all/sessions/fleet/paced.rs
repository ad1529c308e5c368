//! A fleet at a platform that is called slowly: reading its accounts holds up neither renewals nor leases, and each account has its turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration as Std;

use async_trait::async_trait;
use time::Duration;
use tokio::time::Instant;
use tradepost_adapters_simulator::{
    Answer, PlatformCall, Request, SimulatedPlatform, Simulator, WorldTransport, WorldTransportError,
};
use tradepost_domain::trading::lease::Work;
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_engine::{Engine, EngineTimings};
use tradepost_operations::Caller;
use tradepost_operations::trading::{EndAccountSession, OfferReadings, RefreshTradeOffers};

use super::Fleet;
use crate::nodes::holders;
use crate::slow_calls::pass;

/// The accounts, whose states take two minutes to read.
const SIZE: usize = 60;
const READ_TAKES: Std = Std::from_secs(2);
/// How late a renewal may begin, and how far ahead of it a pass begins.
const ON_TIME: Duration = Duration::seconds(20);
const AHEAD: Duration = Duration::seconds(3);

/// The way to the platform, on which each read of the state of an account takes its time.
#[derive(Clone)]
struct Paced {
    simulator: Simulator,
    /// Whose state was read.
    read: Arc<Mutex<Vec<PlatformUserId>>>,
}

#[async_trait]
impl WorldTransport for Paced {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        if let Request::Platform { account, call: PlatformCall::Account, .. } = &request {
            self.read.lock().unwrap().push(*account);
            pass(READ_TAKES).await;
            self.simulator.advance(Duration::try_from(READ_TAKES).unwrap());
        }
        self.simulator.ask(request).await
    }
}

impl Paced {
    fn engine(&self, fleet: &Fleet) -> Engine {
        let platform = SimulatedPlatform::new(self.clone()).with_vault(fleet.desk.vault());
        fleet.engine_over("node-1", Arc::new(platform))
    }

    fn read(&self) -> Vec<PlatformUserId> {
        self.read.lock().unwrap().clone()
    }
}

/// A fleet whose accounts are signed in.
async fn signed_in(size: usize) -> (Fleet, Paced) {
    let fleet = Fleet::of(size, Duration::minutes(1)).await;
    let mut engine = fleet.engine();
    for _ in 0..size + 5 {
        engine.pass().await;
        fleet.desk.simulator.advance(fleet.desk.step);
    }
    engine.end().await.unwrap();
    fleet.assert_works(0).await;
    let paced = Paced { simulator: fleet.desk.simulator.clone(), read: Arc::default() };
    (fleet, paced)
}

#[tokio::test(start_paused = true)]
async fn accounts_that_take_long_to_read_are_read_in_turn_by_short_passes() {
    let (fleet, paced) = signed_in(SIZE).await;
    let mut engine = paced.engine(&fleet);
    let longest = EngineTimings::default().accounts_within + READ_TAKES;
    while paced.read().len() < 2 * SIZE {
        let begun = Instant::now();
        engine.pass().await;
        let taken = begun.elapsed();
        assert!(taken <= longest, "a pass took {taken:?}");
    }
    let read = paced.read();
    let mut accounts = read[..SIZE].to_vec();
    assert_eq!(read[SIZE..2 * SIZE], accounts, "the second time in the same order");
    accounts.sort_unstable();
    accounts.dedup();
    assert_eq!(accounts.len(), SIZE);
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_falls_due_while_accounts_are_read_is_made_on_time() {
    let (fleet, paced) = signed_in(SIZE).await;
    let now = || fleet.desk.simulator.world(|world| world.now());
    let renewals = fleet.desk.renewals(RenewalKind::AccessToken).await;
    let due_at = renewals.iter().map(|renewal| renewal.due_at).min().unwrap();
    fleet.desk.simulator.advance(due_at.since(now()) - AHEAD);
    let mut engine = paced.engine(&fleet);
    while fleet.counted.renewed.lock().unwrap().is_empty() {
        engine.pass().await;
        let late = now().since(due_at);
        assert!(late <= ON_TIME, "{late} late");
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_reads_many_accounts_keeps_its_leases() {
    let (fleet, paced) = signed_in(SIZE).await;
    let platform = fleet.desk.simulator.platform().with_vault(fleet.desk.vault());
    let (mut one, mut other) = (paced.engine(&fleet), fleet.engine_over("node-2", Arc::new(platform)));
    one.pass().await;
    let reads = async {
        for _ in 0..10 {
            one.pass().await;
        }
    };
    let waits = async {
        for _ in 0..60 {
            pass(Std::from_secs(1)).await;
            other.pass().await;
        }
    };
    tokio::join!(reads, waits);
    assert_eq!(holders(&fleet.desk).await, BTreeMap::from([(Work::Inventory, "node-1".to_owned())]));
}

#[tokio::test]
async fn offers_that_cannot_be_read_for_a_person_keep_no_other_account_from_its_turn() {
    let (fleet, _) = signed_in(2).await;
    let (on, workspace_id, system) = (&fleet.desk.operations, fleet.desk.workspace_id, Caller::system());
    let [signed_out, other] = fleet.members.as_slice() else { panic!("two accounts") };
    let account_session_id = fleet.sessions_of(signed_out).await[0].id;
    let end = EndAccountSession { workspace_id, account_session_id, revoke: false, expected_version: None };
    on.end_account_session(&system, end).await.unwrap();
    let refresh = RefreshTradeOffers { workspace_id, account_id: signed_out.id };
    on.refresh_trade_offers(&system, refresh).await.unwrap();
    fleet.desk.live(&mut fleet.engine(), Duration::minutes(15)).await;
    let ask = OfferReadings { workspace_id, account_ids: vec![other.id] };
    let read_at = on.offer_readings(&system, ask).await.unwrap()[0].read_at.unwrap();
    let age = fleet.desk.simulator.world(|world| world.now()).since(read_at);
    assert!(age <= Duration::minutes(6), "read {age} ago");
}

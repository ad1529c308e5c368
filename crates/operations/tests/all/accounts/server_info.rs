//! What the server reports to pages before anyone has signed in, and the time of a simulated market.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_operations::accounts::GetWorkspace;
use tradepost_operations::{Code, Operations, SimulatedTime};
use tradepost_ports::bot_check::WidgetKind;
use tradepost_ports::clock::{Clock as _, RealMarket};
use tradepost_testkit::fakes::{FakeSecrets, FixedClock};

use crate::harness::{World, refusal};

#[tokio::test]
async fn the_server_reports_its_time_and_the_ways_to_sign_in() {
    let world = World::new().await;
    world.advance(Duration::hours(1));
    let info = world.operations.get_server_info();
    assert_eq!(info.now, world.clock.now());
    assert!(info.sign_up_open && !info.is_demo);
    assert_eq!(info.bot_check.map(|widget| widget.kind), Some(WidgetKind::Other));
    assert_eq!(info.linked_platforms, [Provider::Discord, Provider::Steam]);
    assert_eq!(info.passkey_origins, ["https://trade.example.com"]);
}

#[tokio::test]
async fn a_server_without_sign_up_and_one_with_sample_data_report_it() {
    assert!(!World::closed().await.operations.get_server_info().sign_up_open);
    assert!(World::made(|_| {}, Operations::with_sample_data).await.operations.get_server_info().is_demo);
}

#[tokio::test]
async fn the_mark_of_an_installation_follows_its_root_secret() {
    let world = World::new().await;
    let mark = world.operations.installation_marks();
    assert_eq!((mark.current.len(), &mark.former), (8, &None));
    let replacing = world.restarted(|ports| ports.secrets = Arc::new(FakeSecrets::replacing(0, 1)));
    let after = replacing.operations.installation_marks();
    assert_eq!(after.former, Some(mark.current.clone()));
    assert_ne!(after.current, mark.current);
}

#[tokio::test]
async fn only_a_simulated_market_has_a_clock_of_its_own() {
    let world = World::new().await;
    let (caller, command) = (world.full_key().await, GetWorkspace { workspace_id: world.workspace_id });
    let time = || world.operations.get_simulated_time(&caller, command);
    assert_eq!(time().unwrap(), None);
    let market = Arc::new(FixedClock::default());
    market.advance(Duration::days(30));
    world.operations.trade_by(world.workspace_id, market.clone()).await.unwrap();
    assert_eq!(time().unwrap(), Some(SimulatedTime { now: market.now(), speed: 0 }));
}

#[tokio::test]
async fn the_real_market_has_the_time_of_the_server() {
    let world = World::new().await;
    let real = Arc::new(RealMarket(world.clock.clone()));
    world.operations.trade_by(world.workspace_id, real).await.unwrap();
    let command = GetWorkspace { workspace_id: world.workspace_id };
    assert_eq!(world.operations.get_simulated_time(&world.full_key().await, command).unwrap(), None);
}

#[tokio::test]
async fn the_time_of_another_workspace_is_not_reported() {
    let world = World::new().await;
    let (workspace_id, _, _) = world.other_workspace().await;
    let asked = world.operations.get_simulated_time(&world.full_key().await, GetWorkspace { workspace_id });
    assert_eq!(refusal(asked), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

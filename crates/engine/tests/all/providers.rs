//! The providers that an engine works with: what it records of them, how it tests them, and which it does not use.

use time::Duration;
use tradepost_adapters_simulator::{Fault, Side};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::provider::{BreakerState, ProviderCheckCode, ProviderKind, ProviderReport};
use tradepost_domain::money::VenueCents;
use tradepost_operations::Caller;
use tradepost_operations::markets::{
    CreateProvider, DisableProvider, EnableProvider, GetProviderHealth, ProviderCredentials, TestProvider,
};

use crate::desk::{Desk, MARKET};

impl Desk {
    pub(crate) async fn provider(&self, kind: ProviderKind, name: &str) -> ProviderId {
        self.operations.offer_driver(tradepost_adapters_simulator::driver().unwrap());
        let command = CreateProvider {
            workspace_id: self.workspace_id,
            kind,
            driver: "simulator".to_owned(),
            name: name.to_owned(),
            currency: "USD".to_owned(),
            settings: Vec::new(),
            credentials: ProviderCredentials::default(),
        };
        self.operations.create_provider(&Caller::system(), command).await.unwrap().provider.value.id
    }

    async fn report(&self, provider_id: ProviderId) -> Option<ProviderReport> {
        let command = GetProviderHealth { workspace_id: self.workspace_id, provider_id };
        self.operations.get_provider_health(&Caller::system(), command).await.unwrap()
    }

    async fn failed_checks(&self, provider_id: ProviderId) -> Vec<ProviderCheckCode> {
        let command = TestProvider { workspace_id: self.workspace_id, provider_id };
        let checks = self.operations.test_provider(&Caller::system(), command).await.unwrap();
        assert!(checks.len() >= 3, "{checks:?}");
        checks.into_iter().filter(|check| !check.ok).map(|check| check.code).collect()
    }
}

#[tokio::test]
async fn observations_of_providers_are_written_to_their_records() {
    let desk = Desk::lively(7).await;
    let (market, index) = (
        desk.provider(ProviderKind::Marketplace, MARKET).await,
        desk.provider(ProviderKind::PriceSource, "index").await,
    );
    let mut engine = desk.engine();
    engine.pass().await;
    let seen = desk.report(market).await.unwrap();
    assert_eq!(
        (seen.breaker, seen.error_rate.get(), seen.last_success_at),
        (BreakerState::Closed, 0, Some(seen.seen_at))
    );
    assert_eq!(seen.balance.map(VenueCents::get), Some(1_000_000));
    assert_eq!(seen.fees.as_ref().map(|fees| fees.selling.share.get()), Some(200));
    assert_eq!(desk.report(index).await.unwrap().breaker, BreakerState::Closed);
    desk.simulator.world(|world| world.inject(Fault::RateLimitStorm { side: Side::Marketplace, seconds: 60 }));
    engine.pass().await;
    desk.simulator.advance(Duration::seconds(1));
    engine.pass().await;
    let failed = desk.report(market).await.unwrap();
    assert_eq!((failed.breaker, failed.remaining, failed.balance), (BreakerState::Open, Some(0), seen.balance));
    desk.simulator.advance(Duration::seconds(120));
    engine.pass().await;
    assert_eq!(desk.report(market).await.unwrap().breaker, BreakerState::Closed);
}

#[tokio::test]
async fn a_marketplace_that_is_silent_for_minutes_is_a_problem_until_it_answers() {
    let desk = Desk::lively(7).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    let mut engine = desk.engine();
    engine.pass().await;
    desk.simulator.world(|world| world.inject(Fault::RateLimitStorm { side: Side::Marketplace, seconds: 600 }));
    for opened in [0, 0, 0, 1] {
        desk.simulator.advance(Duration::minutes(2));
        engine.pass().await;
        assert_eq!(desk.remediations(RemediationKind::ProviderDown).await, vec![RemediationStatus::Open; opened]);
    }
    desk.simulator.advance(Duration::minutes(10));
    engine.pass().await;
    assert_eq!(desk.remediations(RemediationKind::ProviderDown).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_platform_that_refuses_this_client_is_a_problem_at_once_until_it_answers() {
    let desk = Desk::lively(7).await;
    let platform = desk.provider(ProviderKind::GamePlatform, "steam").await;
    let (mut engine, moody, _) = desk.moody_engine();
    desk.operations.offer_probe(engine.provider_probe());
    engine.pass().await;
    assert_eq!(desk.remediations(RemediationKind::ProviderDown).await, []);
    moody.mood.lock().unwrap().refuses_client = Some("reads: it refuses this client".to_owned());
    for _ in 0..2 {
        desk.simulator.advance(Duration::minutes(2));
        engine.pass().await;
        assert_eq!(desk.remediations(RemediationKind::ProviderDown).await, [RemediationStatus::Open]);
        assert_eq!(desk.failed_checks(platform).await, [ProviderCheckCode::RateLimit]);
    }
    moody.mood.lock().unwrap().refuses_client = None;
    desk.simulator.advance(Duration::minutes(2));
    engine.pass().await;
    assert_eq!(desk.remediations(RemediationKind::ProviderDown).await, [RemediationStatus::Resolved]);
    assert_eq!(desk.failed_checks(platform).await, []);
}

#[tokio::test]
async fn providers_are_tested_through_the_engine_that_works_with_them() {
    let desk = Desk::lively(7).await;
    let market = desk.provider(ProviderKind::Marketplace, MARKET).await;
    let index = desk.provider(ProviderKind::PriceSource, "index").await;
    let platform = desk.provider(ProviderKind::GamePlatform, "steam").await;
    desk.operations.offer_probe(desk.engine().provider_probe());
    for provider in [market, index, platform] {
        assert_eq!(desk.failed_checks(provider).await, []);
    }
    desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Marketplace, seconds: 60 }));
    let of_session = [ProviderCheckCode::Credentials, ProviderCheckCode::Fees, ProviderCheckCode::Balance];
    assert_eq!(desk.failed_checks(market).await, of_session);
    assert_eq!(desk.failed_checks(platform).await, []);
}

#[tokio::test]
async fn a_disabled_marketplace_completes_open_trades_and_starts_none() {
    let mut desk = Desk::lively(7).await;
    let provider_id = desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(5).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |purchases, _| !purchases.is_empty()).await;
    let workspace_id = desk.workspace_id;
    let disable = DisableProvider { workspace_id, provider_id, reason: None, expected_version: None };
    desk.operations.disable_provider(&Caller::system(), disable).await.unwrap();
    let begun = desk.purchases().await.len();
    desk.selling().await;
    desk.live(&mut engine, Duration::hours(3)).await;
    desk.step = Duration::hours(6);
    desk.live(&mut engine, Duration::days(8)).await;
    desk.step = Duration::minutes(10);
    let (purchases, items) = (desk.purchases().await, desk.items().await);
    assert_eq!(purchases.len(), begun);
    assert!(purchases.iter().all(|purchase| purchase.status == PurchaseStatus::Settled), "{purchases:#?}");
    assert!(items.iter().all(|item| item.status == ItemStatus::InInventory), "{items:#?}");
    let enable = EnableProvider { workspace_id, provider_id, expected_version: None };
    desk.operations.enable_provider(&Caller::system(), enable).await.unwrap();
    desk.live_until(&mut engine, |_, items| items.iter().any(|item| item.status != ItemStatus::InInventory)).await;
    desk.assert_sound().await;
}

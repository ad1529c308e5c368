//! Providers: made, tested, disabled, and what is kept of what was seen of them.

use std::sync::Arc;
use tradepost_ports::store::Records;

use secrecy::ExposeSecret as _;
use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::provider::{
    ProviderCheck, ProviderCheckCode, ProviderKind, ProviderReport, ProviderStatus,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::markets::{
    CreateProvider, DeleteProvider, DisableProvider, EnableProvider, EstimateSale, ForSale, GetProvider,
    GetProviderHealth, GetProviders, ListProviderDrivers, ListProviders, ProviderCredentials, ReadProviderCredentials,
    RecordProviderHealth, ShownProvider, TestProvider, UpdateProvider,
};
use tradepost_operations::rules::{RULES, Rule};
use tradepost_operations::trading::{AccountSecrets, CreateAccount, LimitsOfAccount};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::{FakeProbe, example_driver};
use tradepost_testkit::samples::text;

use super::{Market, named};

const KEY: &str = "the key of a marketplace";

/// How an operation refuses.
async fn refusal<T: std::fmt::Debug>(answer: impl Future<Output = OpResult<T>>) -> (Code, &'static str) {
    crate::harness::refusal(answer.await)
}

fn credentials(secret: &str) -> ProviderCredentials {
    ProviderCredentials(vec![("apiKey".to_owned(), secret.into())])
}

impl Market {
    /// A world whose server has the driver `example`.
    async fn with_driver() -> Self {
        let market = Self::open().await;
        market.world.operations.offer_driver(example_driver());
        market.world.acknowledge_risks().await;
        market
    }

    fn wanted(&self, name: &str) -> CreateProvider {
        CreateProvider {
            workspace_id: self.world.workspace_id,
            kind: ProviderKind::Marketplace,
            driver: "example".to_owned(),
            name: name.to_owned(),
            currency: "EUR".to_owned(),
            settings: vec![("customer".to_owned(), "desk".to_owned())],
            credentials: credentials(KEY),
        }
    }

    async fn make(&self, name: &str) -> ShownProvider {
        self.world.operations.create_provider(&Caller::system(), self.wanted(name)).await.unwrap()
    }

    async fn shown(&self, provider_id: ProviderId) -> ShownProvider {
        let command = GetProvider { workspace_id: self.world.workspace_id, provider_id };
        self.world.operations.get_provider(&self.watcher, command).await.unwrap()
    }

    async fn disable(&self, provider_id: ProviderId) -> OpResult<ShownProvider> {
        let (workspace_id, reason) = (self.world.workspace_id, Some("its fees went up".to_owned()));
        let command = DisableProvider { workspace_id, provider_id, reason, expected_version: None };
        self.world.operations.disable_provider(&self.watcher, command).await
    }

    fn report(&self) -> ProviderReport {
        self.samples.good_report(self.world.clock.now())
    }

    async fn record_health(&self, name: &str, report: ProviderReport) -> bool {
        let (workspace_id, kind) = (self.world.workspace_id, ProviderKind::Marketplace);
        let command = RecordProviderHealth { workspace_id, kind, name: text(name), report };
        self.world.operations.record_provider_health(&Caller::system(), command).await.unwrap()
    }

    fn estimate(&self, item: &str, price_cents: i64) -> EstimateSale {
        EstimateSale {
            workspace_id: self.world.workspace_id,
            what: ForSale::Variant(named(item)),
            marketplace: "market".to_owned(),
            price_cents,
        }
    }
}

#[tokio::test]
async fn a_provider_is_made_as_its_driver_takes_it_and_is_worked_with() {
    let market = Market::with_driver().await;
    let made = market.make("market").await;
    let provider = &made.provider.value;
    assert_eq!((provider.status, provider.has_credentials), (ProviderStatus::Enabled, true));
    assert_eq!(provider.currency.to_string(), "EUR");
    assert_eq!(made.driver, Some(example_driver()));
    assert_eq!(market.shown(provider.id).await, made);
    let (operations, wanted) = (&market.world.operations, || market.wanted("other"));
    let field = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let refused = [
        CreateProvider { settings: Vec::new(), ..wanted() },
        CreateProvider { settings: [field("customer", "a"), field("customer", "b")].concat(), ..wanted() },
        CreateProvider { settings: [field("customer", "a"), field("address", "b")].concat(), ..wanted() },
        CreateProvider { credentials: ProviderCredentials::default(), ..wanted() },
        CreateProvider { credentials: credentials(""), ..wanted() },
        CreateProvider { kind: ProviderKind::GamePlatform, ..wanted() },
        CreateProvider { currency: "eur".to_owned(), ..wanted() },
    ];
    for command in refused {
        let refusal = refusal(operations.create_provider(&Caller::system(), command.clone())).await;
        assert_eq!(refusal, (Code::InvalidArgument, "INVALID_FIELD"), "{command:?}");
    }
    let unknown = CreateProvider { driver: "unknown".to_owned(), ..wanted() };
    let refusal_of = async |command| refusal(operations.create_provider(&Caller::system(), command)).await;
    assert_eq!(refusal_of(unknown).await, (Code::FailedPrecondition, "UNKNOWN_DRIVER"));
    assert_eq!(refusal_of(market.wanted("market")).await, (Code::AlreadyExists, "PROVIDER_EXISTS"));
    let source = CreateProvider { kind: ProviderKind::PriceSource, ..market.wanted("market") };
    operations.create_provider(&Caller::system(), source).await.unwrap();
}

#[tokio::test]
async fn credentials_are_sealed_and_given_to_the_process_alone() {
    let market = Market::with_driver().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let provider_id = market.make("market").await.provider.value.id;
    let wanted = ReadProviderCredentials { workspace_id, provider_id };
    let read = async || {
        let found = operations.read_provider_credentials(&Caller::system(), wanted).await.unwrap();
        found.map(|found| found.0.into_iter().map(|(name, secret)| (name, secret.expose_secret().to_owned())))
    };
    assert_eq!(read().await.unwrap().collect::<Vec<_>>(), [("apiKey".to_owned(), KEY.to_owned())]);
    let denied = refusal(operations.read_provider_credentials(&market.watcher, wanted)).await;
    assert_eq!(denied, (Code::PermissionDenied, "PERMISSION_DENIED"));
    let update = UpdateProvider {
        workspace_id,
        provider_id,
        settings: None,
        credentials: credentials("another"),
        expected_version: Some(1),
    };
    let unproven = refusal(operations.update_provider(&market.watcher, update.clone())).await;
    assert_eq!(unproven, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    operations.update_provider(&Caller::system(), update).await.unwrap();
    assert_eq!(read().await.unwrap().collect::<Vec<_>>(), [("apiKey".to_owned(), "another".to_owned())]);
    let delete = DeleteProvider { workspace_id, provider_id, expected_version: Some(2) };
    operations.delete_provider(&market.watcher, delete).await.unwrap();
    assert!(read().await.is_none());
}

#[tokio::test]
async fn other_settings_need_a_second_factor_where_credentials_are_kept() {
    let market = Market::with_driver().await;
    let (workspace_id, provider_id) = (market.world.workspace_id, market.make("market").await.provider.value.id);
    let settings = Some(vec![("customer".to_owned(), "another desk".to_owned())]);
    let credentials = ProviderCredentials::default();
    let command = UpdateProvider { workspace_id, provider_id, settings, credentials, expected_version: None };
    let unproven = refusal(market.world.operations.update_provider(&market.watcher, command)).await;
    assert_eq!(unproven, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_setting_that_the_driver_does_not_require_can_be_taken_away() {
    let market = Market::with_driver().await;
    let mut driver = example_driver();
    driver.settings.retain(|field| !field.is_required);
    market.world.operations.offer_driver(driver);
    let region = vec![("region".to_owned(), "north".to_owned())];
    let wanted = CreateProvider { settings: region, ..market.wanted("market") };
    let made = market.world.operations.create_provider(&Caller::system(), wanted).await.unwrap().provider.value;
    assert_eq!(made.settings.len(), 1);
    let update = async |settings| {
        let (workspace_id, provider_id) = (market.world.workspace_id, made.id);
        let credentials = ProviderCredentials::default();
        let command = UpdateProvider { workspace_id, provider_id, settings, credentials, expected_version: None };
        market.world.operations.update_provider(&Caller::system(), command).await
    };
    assert_eq!(refusal(update(None)).await, (Code::InvalidArgument, "INVALID_FIELD"));
    let bare = update(Some(Vec::new())).await.unwrap().provider.value;
    assert!(bare.settings.is_empty() && bare.has_credentials);
    // Not with a driver that requires one.
    market.world.operations.offer_driver(example_driver());
    assert_eq!(refusal(update(Some(Vec::new()))).await, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn a_provider_is_disabled_and_enabled_once_and_each_step_is_logged() {
    let market = Market::with_driver().await;
    let (workspace_id, provider_id) = (market.world.workspace_id, market.make("market").await.provider.value.id);
    let disabled = market.disable(provider_id).await.unwrap().provider;
    let said = disabled.value.status_reason.as_ref().map(ToString::to_string);
    assert_eq!((disabled.value.status, said.as_deref()), (ProviderStatus::Disabled, Some("its fees went up")));
    assert_eq!(refusal(market.disable(provider_id)).await, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let enable = EnableProvider { workspace_id, provider_id, expected_version: Some(2) };
    let enabled = market.world.operations.enable_provider(&market.watcher, enable).await.unwrap().provider;
    assert_eq!((enabled.value.status, enabled.version), (ProviderStatus::Enabled, 3));
    let scope = Principal::System.enter(workspace_id, PolicySet::EVERY).unwrap();
    let log = market.world.store.transitions().list_of(scope, Subject::Provider(provider_id), 9).await.unwrap();
    let steps: Vec<_> = log.iter().map(|step| (step.from, step.to, step.trigger)).collect();
    let expected = [
        (None, "ENABLED", "created"),
        (Some("ENABLED"), "DISABLED", "disabled"),
        (Some("DISABLED"), "ENABLED", "enabled"),
    ];
    assert_eq!(steps, expected);
}

#[tokio::test]
async fn a_provider_that_something_names_is_not_deleted() {
    let market = Market::with_driver().await;
    let mut driver = example_driver();
    let platform = tradepost_domain::markets::provider::Served {
        kind: ProviderKind::GamePlatform,
        capabilities: [tradepost_domain::markets::provider::ProviderCapability::Inventory].into(),
    };
    driver.serves.push(platform);
    market.world.operations.offer_driver(driver);
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let steam = CreateProvider { kind: ProviderKind::GamePlatform, ..market.wanted("steam") };
    let provider_id = operations.create_provider(&Caller::system(), steam).await.unwrap().provider.value.id;
    let account = CreateAccount {
        workspace_id,
        name: "trader-1".to_owned(),
        platform: "steam".to_owned(),
        platform_user_id: "76561198000000001".to_owned(),
        trade_token: None,
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    operations.create_account(&Caller::system(), account).await.unwrap();
    let delete = DeleteProvider { workspace_id, provider_id, expected_version: None };
    let refused = refusal(operations.delete_provider(&market.watcher, delete)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "PROVIDER_IN_USE"));
    // Nor can it become another account's, where nothing that is open here would be found.
    let change = |customer: &str, region: &str| UpdateProvider {
        workspace_id,
        provider_id,
        settings: Some(vec![("customer".to_owned(), customer.to_owned()), ("region".to_owned(), region.to_owned())]),
        credentials: ProviderCredentials::default(),
        expected_version: None,
    };
    let refused = refusal(operations.update_provider(&Caller::system(), change("other", "north"))).await;
    assert_eq!(refused, (Code::FailedPrecondition, "PROVIDER_IN_USE"));
    operations.update_provider(&Caller::system(), change("desk", "north")).await.unwrap();
}

#[tokio::test]
async fn what_is_seen_of_a_provider_is_kept_when_it_matters() {
    let market = Market::with_driver().await;
    assert!(!market.record_health("market", market.report()).await, "there is no record");
    let provider = market.make("market").await.provider;
    let health = async || {
        let (workspace_id, provider_id) = (market.world.workspace_id, provider.value.id);
        let command = GetProviderHealth { workspace_id, provider_id };
        market.world.operations.get_provider_health(&market.watcher, command).await.unwrap()
    };
    assert_eq!(health().await, None);
    let first = market.report();
    assert!(market.record_health("market", first.clone()).await);
    market.world.advance(Duration::minutes(1));
    assert!(!market.record_health("market", market.report()).await, "nothing has changed");
    assert_eq!(health().await, Some(first.clone()));
    let failed = ProviderReport {
        breaker: tradepost_domain::markets::provider::BreakerState::Open,
        last_success_at: None,
        fees: None,
        balance: None,
        ..market.report()
    };
    assert!(market.record_health("market", failed.clone()).await);
    let known = health().await.unwrap();
    assert_eq!((known.breaker, known.last_success_at), (failed.breaker, first.last_success_at));
    assert_eq!((known.fees, known.balance), (first.fees, first.balance));
    assert_eq!(market.shown(provider.value.id).await.provider, provider, "no decision is disturbed");
}

#[tokio::test]
async fn a_provider_is_tested_by_the_latest_probe_offered_for_it() {
    let market = Market::with_driver().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let provider_id = market.make("market").await.provider.value.id;
    let test = async || operations.test_provider(&market.watcher, TestProvider { workspace_id, provider_id }).await;
    assert_eq!(refusal(test()).await, (Code::FailedPrecondition, "PROVIDER_NOT_CONNECTED"));
    let check = |ok| ProviderCheck { code: ProviderCheckCode::Connection, ok, detail: "as reported".to_owned() };
    operations.offer_probe(Arc::new(FakeProbe::of("elsewhere", Vec::new())));
    operations.offer_probe(Arc::new(FakeProbe::of("market", vec![check(false)])));
    assert_eq!(test().await.unwrap(), [check(false)]);
    operations.offer_probe(Arc::new(FakeProbe::of("market", vec![check(true)])));
    market.disable(provider_id).await.unwrap();
    assert_eq!(test().await.unwrap(), [check(true)], "the latest, and of a disabled one, too");
}

#[tokio::test]
async fn an_estimate_rounds_the_fee_up_and_knows_the_fees_of_single_items() {
    let market = Market::with_driver().await;
    market.make("market").await;
    let operations = &market.world.operations;
    let redline = || market.estimate(super::REDLINE, 1_234);
    let ask = async |command| operations.estimate_sale(&market.watcher, command).await;
    assert_eq!(refusal(ask(redline())).await, (Code::FailedPrecondition, "FEES_UNKNOWN"));
    let seen_at = market.world.clock.now();
    market.record_health("market", market.report()).await;
    // 2 % of 12.34 is 24.68 cents.
    let estimate = ask(redline()).await.unwrap();
    assert_eq!((estimate.fee.get(), estimate.net.get(), estimate.fees_seen_at), (25, 1_209, seen_at));
    assert_eq!(estimate.currency.to_string(), "EUR");
    let free = ask(market.estimate("AWP | Asiimov (Field-Tested)", 1_234)).await.unwrap();
    assert_eq!((free.fee.get(), free.net.get()), (0, 1_234));
    let least = ask(market.estimate(super::REDLINE, 1)).await.unwrap();
    assert_eq!((least.fee.get(), least.net.get()), (1, 0), "no less than the least fee");
    let unknown = EstimateSale { marketplace: "nowhere".to_owned(), ..redline() };
    assert_eq!(refusal(ask(unknown)).await, (Code::NotFound, "NOT_FOUND"));
    assert_eq!(refusal(ask(market.estimate(super::REDLINE, 0))).await, (Code::InvalidArgument, "INVALID_FIELD"));
    let item = EstimateSale { what: ForSale::Item(market.samples.id()), ..redline() };
    assert_eq!(refusal(ask(item.clone())).await, (Code::PermissionDenied, "PERMISSION_DENIED"), "no right to trade");
    let unknown = refusal(operations.estimate_sale(&Caller::system(), item)).await;
    assert_eq!(unknown, (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn lists_and_batches_show_providers_of_the_workspace() {
    let market = Market::with_driver().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let first = market.make("first").await.provider.value.id;
    let source = CreateProvider { kind: ProviderKind::PriceSource, ..market.wanted("second") };
    let second = operations.create_provider(&Caller::system(), source).await.unwrap().provider.value.id;
    let list = |kind| ListProviders { workspace_id, limit: 0, cursor: String::new(), kind };
    let listed = async |kind| operations.list_providers(&market.watcher, list(kind)).await.unwrap().entries;
    assert_eq!(listed(None).await, [second, first]);
    assert_eq!(listed(Some(ProviderKind::PriceSource)).await, [second]);
    let unknown = market.samples.id();
    let get = GetProviders { workspace_id, provider_ids: vec![first, unknown, second] };
    let found = operations.get_providers(&market.watcher, get).await.unwrap();
    let ids: Vec<_> = found.found.iter().map(|shown| shown.provider.value.id).collect();
    assert_eq!((ids, found.missing), (vec![first, second], vec![unknown]));
    let drivers = operations.list_provider_drivers(&market.watcher, ListProviderDrivers { workspace_id }).unwrap();
    assert_eq!(drivers, [example_driver()]);
}

#[tokio::test]
async fn who_holds_analytics_sees_providers_and_changes_none() {
    let market = Market::with_driver().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let provider_id = market.make("market").await.provider.value.id;
    let of = |rule: &&Rule| rule.method.contains("Provider");
    assert_eq!(RULES.iter().filter(of).count(), 11);
    for (policy, sees) in [(Policy::Analytics, true), (Policy::Trading, false), (Policy::Accounts, false)] {
        let caller = market.world.key(PolicySet::of(&[policy])).await;
        let get = GetProvider { workspace_id, provider_id };
        assert_eq!(operations.get_provider(&caller, get).await.is_ok(), sees, "{}", policy.name());
        let enable = EnableProvider { workspace_id, provider_id, expected_version: None };
        let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
        assert_eq!(refusal(operations.enable_provider(&caller, enable)).await, denied);
        let delete = DeleteProvider { workspace_id, provider_id, expected_version: None };
        assert_eq!(refusal(operations.delete_provider(&caller, delete)).await, denied);
        let test = TestProvider { workspace_id, provider_id };
        assert_eq!(refusal(operations.test_provider(&caller, test)).await, denied);
        assert_eq!(refusal(operations.create_provider(&caller, market.wanted("other"))).await, denied);
    }
}

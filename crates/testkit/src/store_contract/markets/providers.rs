//! Promises about providers and their health.

use tradepost_domain::contracts::contract::{
    BasisPoints, ClosingReason, Contract, ContractEvent, PriceReference, PriceStatistic,
};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::markets::provider::{
    Baseline, BreakerState, Provider, ProviderChange, ProviderHealth, ProviderKind, ProviderReport, ProviderStatus,
    ProviderUses,
};
use tradepost_domain::money::Cents;
use tradepost_ports::store::{PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, remove, value, values};

pub async fn a_provider_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for kind in ProviderKind::ALL {
        let settings = [(text("customer"), text("desk \"one\"")), (text("baseUrl"), text("https://example.com"))];
        let change = ProviderChange { settings: Some(settings.into()), credentials: true };
        let plain = scene.samples.provider(scene.id(), *kind);
        let full = scene.samples.provider(scene.id(), *kind).change(change, minute(1));
        let full = full.disable(Some(text("fees went up")), minute(2)).unwrap();
        for provider in [plain, full] {
            insert(store, [provider.clone().into()]).await.unwrap();
            assert_eq!(value(store.providers().find(scene.scope(), provider.id).await.unwrap()), Some(provider));
        }
    }
}

pub async fn what_was_seen_of_a_provider_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let health =
        |report| ProviderHealth { provider_id: scene.samples.id(), workspace_id: scene.id(), report, baseline: None };
    // The payments are higher than the rest of the balance.
    let baseline = Baseline::new(minute(1), Cents::new(10).unwrap(), 250).ok();
    let well = ProviderHealth { baseline, ..health(scene.samples.good_report(minute(1))) };
    let ill = health(ProviderReport {
        seen_at: start(),
        last_success_at: None,
        latency_millis: None,
        error_rate: BasisPoints::MAX,
        remaining: None,
        breaker: BreakerState::Open,
        fees: None,
        balance: None,
        standing: None,
    });
    insert(store, [well.clone().into(), ill.clone().into()]).await.unwrap();
    let ids = [ill.provider_id, scene.samples.id(), well.provider_id];
    let mut found = values(store.providers().find_healths(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|health| health.provider_id);
    assert_eq!(found, [well.clone(), ill]);
    let abroad = Scene::founded(store, 2).await;
    assert_eq!(values(store.providers().find_healths(abroad.scope(), &[well.provider_id]).await.unwrap()), []);
}

pub async fn providers_of_a_driver_are_listed_over_all_workspaces(store: &dyn Store) {
    let scenes = [Scene::founded(store, 1).await, Scene::founded(store, 2).await, Scene::founded(store, 3).await];
    let of = |scene: &Scene, driver: &str, name: &str| Provider {
        driver: text(driver),
        name: text(name),
        ..scene.samples.provider(scene.id(), ProviderKind::PriceSource)
    };
    let [one, two, off] = [0, 1, 2].map(|place| of(&scenes[place], "feed", "source"));
    let off = off.disable(None, minute(1)).unwrap();
    let others = [of(&scenes[0], "feed", "other"), of(&scenes[1], "other", "another")];
    for provider in [&one, &two, &off].into_iter().chain(&others) {
        insert(store, [provider.clone().into()]).await.unwrap();
    }
    let mut expected = vec![one, two];
    expected.sort_by_key(|provider| provider.id);
    let list = |after, most| async move {
        let (driver, name) = (text("feed"), text("source"));
        values(store.providers().list_of_driver(&driver, &name, after, most).await.unwrap())
    };
    assert_eq!(list(None, 10).await, expected);
    assert_eq!(list(None, 1).await, expected[..1]);
    assert_eq!(list(Some(expected[0].id), 10).await, expected[1..]);
}

pub async fn providers_of_a_kind_are_listed_over_all_workspaces_enabled_or_not(store: &dyn Store) {
    let scenes = [Scene::founded(store, 1).await, Scene::founded(store, 2).await];
    let of = |scene: &Scene, driver: &str, kind| Provider {
        driver: text(driver),
        ..scene.samples.provider(scene.id(), kind)
    };
    let [one, two] = [0, 1].map(|place| of(&scenes[place], "platforms", ProviderKind::GamePlatform));
    let off = two.disable(None, minute(1)).unwrap();
    let others =
        [of(&scenes[0], "platforms", ProviderKind::Marketplace), of(&scenes[1], "other", ProviderKind::GamePlatform)];
    for provider in [&one, &off].into_iter().chain(&others) {
        insert(store, [provider.clone().into()]).await.unwrap();
    }
    let mut expected = vec![one, off];
    expected.sort_by_key(|provider| provider.id);
    let list = |after, most| async move {
        let (driver, kind) = (text("platforms"), ProviderKind::GamePlatform);
        values(store.providers().list_of_kind(&driver, kind, after, most).await.unwrap())
    };
    assert_eq!(list(None, 10).await, expected);
    assert_eq!(list(None, 1).await, expected[..1]);
    assert_eq!(list(Some(expected[0].id), 10).await, expected[1..]);
}

pub async fn one_reads_price_sources_at_a_time(store: &dyn Store) {
    let turn = store.quotes().begin_reading().await.unwrap().unwrap();
    assert!(store.quotes().begin_reading().await.unwrap().is_none());
    drop(turn);
    // A database server notices only a moment later that the connection which held the turn is closed.
    for _ in 0..5_000 {
        if store.quotes().begin_reading().await.unwrap().is_some() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the turn never ended");
}

pub async fn providers_are_found_and_listed_by_kind_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let market = home.samples.provider(home.id(), ProviderKind::Marketplace);
    let source = home.samples.provider(home.id(), ProviderKind::PriceSource);
    insert(store, [market.clone().into(), source.clone().into()]).await.unwrap();
    assert_eq!(value(store.providers().find(abroad.scope(), market.id).await.unwrap()), None);
    let named = async |scene: &Scene, kind| {
        value(store.providers().find_named(scene.scope(), kind, &market.name).await.unwrap())
    };
    assert_eq!(named(&home, ProviderKind::Marketplace).await, Some(market.clone()));
    assert_eq!(named(&home, ProviderKind::PriceSource).await, None);
    assert_eq!(named(&abroad, ProviderKind::Marketplace).await, None);
    let several = [source.id, home.samples.id()];
    assert_eq!(
        values(store.providers().find_many(home.scope(), &several).await.unwrap()),
        std::slice::from_ref(&source)
    );
    assert_eq!(values(store.providers().find_many(abroad.scope(), &several).await.unwrap()), []);
    let listed = async |scene: &Scene, kind| {
        store.providers().list(scene.scope(), kind, PageRequest { before: None, limit: 5 }).await.unwrap().ids
    };
    assert_eq!(listed(&home, None).await, [source.id, market.id]);
    assert_eq!(listed(&home, Some(ProviderKind::Marketplace)).await, [market.id]);
    assert_eq!(listed(&home, Some(ProviderKind::GamePlatform)).await, []);
    assert_eq!(listed(&abroad, None).await, []);
}

pub async fn a_name_belongs_to_one_provider_of_a_kind(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let first = home.samples.provider(home.id(), ProviderKind::Marketplace);
    insert(store, [first.clone().into()]).await.unwrap();
    let named = |scene: &Scene, kind| Provider { name: first.name.clone(), ..scene.samples.provider(scene.id(), kind) };
    let taken = insert(store, [named(&home, ProviderKind::Marketplace).into()]).await;
    assert_eq!(taken, Err(StoreError::Duplicate(Unique::ProviderName)));
    insert(store, [named(&home, ProviderKind::PriceSource).into()]).await.unwrap();
    insert(store, [named(&abroad, ProviderKind::Marketplace).into()]).await.unwrap();
    let seen = store.providers().find(home.scope(), first.id).await.unwrap().unwrap();
    assert_eq!(seen.peek().status, ProviderStatus::Enabled);
    remove(store, seen).await.unwrap();
    insert(store, [named(&home, ProviderKind::Marketplace).into()]).await.unwrap();
}

pub async fn what_names_a_provider_is_counted_by_its_kind(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let reference = PriceReference {
        sources: vec![text("index")],
        statistic: PriceStatistic::Median,
        max_age_seconds: 60,
        min_confidence: BasisPoints::MAX,
    };
    let valued = |contract: Contract| {
        let mut parts = contract.into_parts();
        parts.price_reference = Some(reference.clone());
        Contract::restore(parts).unwrap()
    };
    let over = home.samples.contract(home.id()).apply(ContractEvent::Closed(ClosingReason::Cancelled), minute(1));
    let over = over.unwrap().apply(ContractEvent::Finished, minute(1)).unwrap();
    insert(store, [valued(home.samples.contract(home.id())).into(), valued(over).into()]).await.unwrap();
    home.purchase(store, PurchaseStatus::Paid).await;
    home.purchase(store, PurchaseStatus::Settled).await;
    home.item_in(store, ItemStatus::Listed).await;
    home.item_in(store, ItemStatus::Sold).await;
    home.item_in(store, ItemStatus::Settled).await;
    abroad.purchase(store, PurchaseStatus::Paid).await;
    insert(store, [home.samples.new_account(home.id()).into()]).await.unwrap();
    let uses = async |kind, name| store.providers().count_uses(home.scope(), kind, &text(name)).await.unwrap();
    let none = ProviderUses::default();
    let named = ProviderUses { contracts: 2, purchases: 1, ..none };
    assert_eq!(uses(ProviderKind::Marketplace, "csfloat").await, named);
    assert_eq!(uses(ProviderKind::Marketplace, "skinport").await, ProviderUses { items: 2, ..none });
    assert_eq!(uses(ProviderKind::PriceSource, "index").await, ProviderUses { contracts: 1, ..none });
    assert_eq!(uses(ProviderKind::GamePlatform, "steam").await, ProviderUses { accounts: 1, ..none });
    for kind in ProviderKind::ALL {
        assert_eq!(uses(*kind, "nobody, at \"all\"").await, none);
    }
}

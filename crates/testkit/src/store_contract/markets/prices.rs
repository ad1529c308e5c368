//! Promises about price overrides by operators, and about the rules of workspaces.

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{BasisPoints, PriceReference, PriceStatistic};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::transition::Actor;
use tradepost_ports::store::{PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, text, variant};
use crate::store_contract::{insert, remove, revise, value, values};

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

pub async fn a_price_override_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let plain = scene.samples.price_override(scene.id(), variant(REDLINE), 100);
    let of_phase = Variant { phase: Some(text("Phase 1")), app_id: AppId::new(440).unwrap(), ..variant(REDLINE) };
    let given_by = Actor::ApiKey { key: scene.key.id, user: scene.user.id };
    let other = scene.samples.price_override(scene.id(), of_phase, 10_000_000_000_000);
    let other = VariantOverride { given_by, updated_at: minute(5), ..other };
    for given in [plain, other] {
        insert(store, [given.clone().into()]).await.unwrap();
        assert_eq!(value(store.prices().find_override(scene.scope(), given.id).await.unwrap()), Some(given));
    }
}

pub async fn price_overrides_are_found_and_listed_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let first = home.samples.price_override(home.id(), variant(REDLINE), 1);
    let second = home.samples.price_override(home.id(), variant("AWP | Asiimov (Field-Tested)"), 2);
    insert(store, [first.clone().into(), second.clone().into()]).await.unwrap();
    let named = async |scene: &Scene| {
        values(store.prices().find_overrides_of(scene.scope(), &[text(REDLINE), text("unknown")]).await.unwrap())
    };
    assert_eq!(named(&home).await, std::slice::from_ref(&first));
    assert_eq!(named(&abroad).await, []);
    let page = |before| PageRequest { before, limit: 1 };
    let newest = store.prices().list_overrides(home.scope(), page(None)).await.unwrap();
    assert_eq!((newest.ids.as_slice(), newest.more), ([second.id].as_slice(), true));
    let next = store.prices().list_overrides(home.scope(), page(Some(second.id))).await.unwrap();
    assert_eq!((next.ids.as_slice(), next.more), ([first.id].as_slice(), false));
    assert_eq!(store.prices().list_overrides(abroad.scope(), page(None)).await.unwrap().ids, []);
    let several = [second.id, home.samples.id()];
    assert_eq!(values(store.prices().find_overrides(home.scope(), &several).await.unwrap()), [second]);
    assert_eq!(value(store.prices().find_override(abroad.scope(), first.id).await.unwrap()), None);
}

pub async fn a_variant_is_given_one_value_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let first = scene.samples.price_override(scene.id(), variant(REDLINE), 1);
    insert(store, [first.clone().into()]).await.unwrap();
    let second = scene.samples.price_override(scene.id(), variant(REDLINE), 2);
    let refused = insert(store, [second.clone().into()]).await;
    assert_eq!(refused, Err(StoreError::Duplicate(Unique::OverriddenVariant)));
    let of_phase = Variant { phase: Some(text("Phase 1")), ..variant(REDLINE) };
    insert(store, [scene.samples.price_override(scene.id(), of_phase, 3).into()]).await.unwrap();
    let seen = store.prices().find_override(scene.scope(), first.id).await.unwrap().unwrap();
    remove(store, seen).await.unwrap();
    insert(store, [second.into()]).await.unwrap();
}

pub async fn a_workspace_has_one_set_of_pricing_rules(store: &dyn Store) {
    let (scene, other) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    assert_eq!(value(store.prices().find_rules(scene.scope()).await.unwrap()), None);
    let rules = PricingRules { workspace_id: scene.id(), reference: PriceReference::default(), updated_at: minute(1) };
    insert(store, [rules.clone().into()]).await.unwrap();
    assert_eq!(insert(store, [rules.into()]).await, Err(StoreError::Duplicate(Unique::Address)));
    let reference = PriceReference {
        sources: vec![text("one"), text("another")],
        statistic: PriceStatistic::Sales7d,
        max_age_seconds: 60,
        min_confidence: BasisPoints::MAX,
    };
    let changed = PricingRules { workspace_id: scene.id(), reference, updated_at: minute(2) };
    let seen = store.prices().find_rules(scene.scope()).await.unwrap().unwrap();
    revise(store, seen, |_| changed.clone()).await.unwrap();
    assert_eq!(value(store.prices().find_rules(scene.scope()).await.unwrap()), Some(changed));
    assert_eq!(value(store.prices().find_rules(other.scope()).await.unwrap()), None);
}

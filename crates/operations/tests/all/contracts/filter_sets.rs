//! Filter sets: their versions, what may name them, and how rules are tried.

use tradepost_domain::contracts::contract::{Contract, ContractStatus};
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetVersion};
use tradepost_domain::id::{FilterSetId, Id, ObservationId};
use tradepost_domain::markets::listing::{Category, Exterior, Rarity};
use tradepost_domain::money::Currency;
use tradepost_operations::contracts::{
    ActivateContract, CountFilterSets, CreateContract, CreateFilterSet, DeleteFilterSet, FilterFeatures, FilterRules,
    FilterSticker, GetFilterSet, GetFilterSets, ListFilterSets, SampleListing, TestFilterSet, TriedRules,
    UpdateFilterSet,
};
use tradepost_operations::markets::Subscriber;
use tradepost_operations::{Code, OpError, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_testkit::samples::{Samples, variant};

use super::{Desk, buying, draft};
use crate::harness::refusal;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Rules that ask for weapons.
fn weapons(weapons: &[&str]) -> FilterRules {
    FilterRules {
        features: FilterFeatures { weapons: words(weapons), ..FilterFeatures::default() },
        ..FilterRules::default()
    }
}

fn redline() -> SampleListing {
    SampleListing {
        id: "one".to_owned(),
        market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
        rarity: Some(Rarity::Classified),
        float_value: Some("0.2".to_owned()),
        price_cents: Some(1_200),
        ..SampleListing::default()
    }
}

impl Desk {
    fn creation(&self, rules: FilterRules) -> CreateFilterSet {
        CreateFilterSet { workspace_id: self.workspace_id(), name: "Rifles".to_owned(), rules }
    }

    async fn filter_set(&self) -> FilterSet {
        let creation = self.creation(weapons(&["M4A4", "AK-47"]));
        self.operations().create_filter_set(&self.trader, creation).await.unwrap()
    }

    fn change(&self, filter_set_id: FilterSetId) -> UpdateFilterSet {
        UpdateFilterSet {
            workspace_id: self.workspace_id(),
            filter_set_id,
            name: None,
            rules: Some(weapons(&["AWP"])),
            expected_version: None,
        }
    }

    async fn filtered(&self, filter_set_id: FilterSetId) -> OpResult<Versioned<Contract>> {
        let command = CreateContract { filter_set_id: Some(filter_set_id), ..draft(self.workspace_id(), buying()) };
        self.operations().create_contract(&self.trader, command).await
    }

    async fn get(&self, filter_set_id: FilterSetId, version: Option<i64>) -> OpResult<FilterSet> {
        let command = GetFilterSet { workspace_id: self.workspace_id(), filter_set_id, version };
        self.operations().get_filter_set(&self.trader, command).await
    }

    async fn delete(&self, filter_set_id: FilterSetId) -> OpResult<()> {
        let command = DeleteFilterSet { workspace_id: self.workspace_id(), filter_set_id };
        self.operations().delete_filter_set(&self.trader, command).await
    }

    async fn version(&self, set: &FilterSet, version: u32) -> Option<FilterSetVersion> {
        self.world.store.filter_sets().find_version(self.scope(), set.id, version).await.unwrap()
    }

    /// What rules say of listings.
    async fn tried(&self, rules: FilterRules, sample: Vec<SampleListing>) -> OpResult<Vec<(String, String)>> {
        let (found, _) = self.tried_on(rules, sample, Vec::new()).await?;
        Ok(found)
    }

    /// What rules say of listings and of what was observed, and which observations are not there.
    async fn tried_on(
        &self,
        rules: FilterRules,
        sample: Vec<SampleListing>,
        observation_ids: Vec<ObservationId>,
    ) -> OpResult<(Vec<(String, String)>, Vec<ObservationId>)> {
        let command = TestFilterSet { workspace_id: self.workspace_id(), rules, sample, observation_ids };
        let TriedRules { verdicts, missing } = self.operations().test_filter_set(&self.trader, command).await?;
        let rule_of = |failed: Option<_>| {
            failed
                .map_or_else(String::new, |rule: tradepost_domain::contracts::filter_set::FailedRule| rule.to_string())
        };
        Ok((verdicts.into_iter().map(|verdict| (verdict.id, rule_of(verdict.failed))).collect(), missing))
    }
}

#[tokio::test]
async fn a_filter_set_begins_with_its_first_version() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    assert_eq!((set.version, set.contracts, set.name.as_str()), (1, 0, "Rifles"));
    let kept: Vec<_> = set.rules.features.weapons.iter().map(ToString::to_string).collect();
    assert_eq!(kept, ["AK-47", "M4A4"]);
    assert_eq!(desk.get(set.id, None).await.unwrap(), set);
    assert_eq!(desk.version(&set, 1).await, Some(set.current()));
}

#[tokio::test]
async fn a_change_is_a_new_version_and_the_old_one_can_still_be_seen() {
    let desk = Desk::open().await;
    let first = desk.filter_set().await;
    desk.advance_clock(time::Duration::minutes(1));
    let renamed = UpdateFilterSet { name: Some("Snipers".to_owned()), ..desk.change(first.id) };
    let second = desk.operations().update_filter_set(&desk.trader, renamed).await.unwrap();
    assert_eq!((second.version, second.name.as_str()), (2, "Snipers"));
    assert_eq!(desk.get(first.id, None).await.unwrap(), second);
    assert_eq!(desk.get(first.id, Some(2)).await.unwrap(), second);
    assert_eq!(desk.get(first.id, Some(1)).await.unwrap(), first);
    for unknown in [3, i64::MAX] {
        assert_eq!(refusal(desk.get(first.id, Some(unknown)).await), (Code::NotFound, "NOT_FOUND"));
    }
    assert_eq!(refusal(desk.get(first.id, Some(0)).await), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn a_change_of_the_name_alone_keeps_the_rules() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    let rename = UpdateFilterSet { name: Some("Others".to_owned()), rules: None, ..desk.change(set.id) };
    let renamed = desk.operations().update_filter_set(&desk.trader, rename).await.unwrap();
    assert_eq!((renamed.version, renamed.name.as_str(), renamed.rules), (2, "Others", set.rules));
}

#[tokio::test]
async fn a_change_of_nothing_is_refused() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    let nothing = UpdateFilterSet { rules: None, ..desk.change(set.id) };
    let update = desk.operations().update_filter_set(&desk.trader, nothing);
    desk.refused(update, Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_filter_set_that_changed_since_it_was_seen_is_not_changed() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    desk.operations().update_filter_set(&desk.trader, desk.change(set.id)).await.unwrap();
    let stale = UpdateFilterSet { expected_version: Some(1), ..desk.change(set.id) };
    desk.forbidden(desk.operations().update_filter_set(&desk.trader, stale.clone()), "VERSION_MISMATCH").await;
    let seen = UpdateFilterSet { expected_version: Some(2), ..stale };
    assert_eq!(desk.operations().update_filter_set(&desk.trader, seen).await.unwrap().version, 3);
}

#[tokio::test]
async fn a_contract_that_names_a_set_changes_no_version_of_it() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    let contract = desk.filtered(set.id).await.unwrap();
    assert_eq!((contract.value.filter_set_id, contract.value.status), (Some(set.id), ContractStatus::Draft));
    let named = desk.get(set.id, None).await.unwrap();
    assert_eq!(named, FilterSet { contracts: 1, ..set.clone() });
    let seen = UpdateFilterSet { expected_version: Some(1), ..desk.change(set.id) };
    assert_eq!(desk.operations().update_filter_set(&desk.trader, seen).await.unwrap().version, 2);
    assert_eq!(desk.get(set.id, Some(1)).await.unwrap(), named);
}

#[tokio::test]
async fn a_contract_names_no_set_of_another_workspace_and_none_that_never_was() {
    let desk = Desk::open().await;
    let (workspace_id, _, stranger) = desk.world.other_workspace().await;
    let creation = CreateFilterSet { workspace_id, ..desk.creation(weapons(&["AWP"])) };
    let foreign = desk.operations().create_filter_set(&stranger, creation).await.unwrap().id;
    for unknown in [foreign, Id::from_bytes([9; 16])] {
        desk.refused(desk.filtered(unknown), Code::NotFound, "NOT_FOUND").await;
    }
}

#[tokio::test]
async fn a_set_is_deleted_unless_a_contract_names_it() {
    let desk = Desk::open().await;
    let (named, unused) = (desk.filter_set().await, desk.filter_set().await);
    desk.filtered(named.id).await.unwrap();
    desk.forbidden(desk.delete(named.id), "FILTER_SET_IN_USE").await;
    desk.delete(unused.id).await.unwrap();
    assert_eq!(refusal(desk.get(unused.id, None).await), (Code::NotFound, "NOT_FOUND"));
    assert_eq!(refusal(desk.get(unused.id, Some(1)).await), (Code::NotFound, "NOT_FOUND"));
    desk.refused(desk.filtered(unused.id), Code::NotFound, "NOT_FOUND").await;
    assert_eq!(desk.version(&unused, 1).await, Some(unused.current()));
}

#[tokio::test]
async fn sets_are_listed_counted_and_given_together() {
    let desk = Desk::open().await;
    let (first, second, third) = (desk.filter_set().await, desk.filter_set().await, desk.filter_set().await);
    desk.delete(third.id).await.unwrap();
    let (on, workspace_id) = (desk.operations(), desk.workspace_id());
    let list = |cursor: String| on.list_filter_sets(&desk.trader, ListFilterSets { workspace_id, limit: 1, cursor });
    let page = list(String::new()).await.unwrap();
    assert_eq!(page.entries, [second.id]);
    let rest = list(page.next_cursor).await.unwrap();
    assert_eq!((rest.entries, rest.next_cursor), (vec![first.id], String::new()));
    assert_eq!(on.count_filter_sets(&desk.trader, CountFilterSets { workspace_id }).await.unwrap(), 2);
    let wanted = vec![second.id, third.id, first.id, second.id];
    let several = GetFilterSets { workspace_id, filter_set_ids: wanted };
    let batch = on.get_filter_sets(&desk.trader, several).await.unwrap();
    let found: Vec<_> = batch.found.into_iter().map(|found| found.value).collect();
    assert_eq!((found, batch.missing), (vec![second, first], vec![third.id]));
}

#[tokio::test]
async fn a_listing_meets_the_rules_or_the_first_failed_one_is_reported() {
    let desk = Desk::open().await;
    let rules = FilterRules {
        float_max: Some("0.25".to_owned()),
        price_max_cents: Some(1_500),
        exclude: FilterFeatures { exteriors: vec![Exterior::BattleScarred], ..FilterFeatures::default() },
        ..weapons(&["AK-47"])
    };
    let named = |id: &str, listing: SampleListing| SampleListing { id: id.to_owned(), ..listing };
    let scarred = "AK-47 | Redline (Battle-Scarred)".to_owned();
    let sample = vec![
        redline(),
        named("worn", SampleListing { float_value: Some("0.2500001".to_owned()), ..redline() }),
        named("expensive", SampleListing { price_cents: Some(1_501), ..redline() }),
        named("scarred", SampleListing { market_hash_name: scarred, price_cents: Some(9_999), ..redline() }),
        named("", SampleListing { market_hash_name: "AWP | Asiimov (Field-Tested)".to_owned(), ..redline() }),
    ];
    let results = desk.tried(rules, sample).await.unwrap();
    let results: Vec<_> = results.iter().map(|(id, failed)| (id.as_str(), failed.as_str())).collect();
    let expected = [
        ("one", ""),
        ("worn", "floatMax"),
        ("expensive", "priceMaxCents"),
        ("scarred", "exclude.exteriors"),
        ("", "weapons"),
    ];
    assert_eq!(results, expected);
}

#[tokio::test]
async fn rules_are_tried_on_what_was_observed_as_it_was_recorded() {
    let (desk, samples) = (Desk::open().await, Samples::seeded(9));
    let seen = |name, price| samples.on_offer(variant(name), price, desk.world.clock.now());
    let sightings = vec![seen("AK-47 | Redline (Field-Tested)", 1_200), seen("AWP | Asiimov (Field-Tested)", 900)];
    let recorded = desk.operations().record_listings(&desk.trader, desk.workspace_id(), sightings).await.unwrap();
    let known: Vec<ObservationId> = recorded.into_iter().filter_map(|outcome| outcome.observation_id).collect();
    let [rifle, sniper] = known[..] else { panic!("{known:?}") };
    let unknown = Id::from_bytes([9; 16]);
    let asked = vec![sniper, unknown, rifle, sniper];
    let (results, missing) = desk.tried_on(weapons(&["AK-47"]), vec![redline()], asked).await.unwrap();
    let results: Vec<_> = results.iter().map(|(id, failed)| (id.as_str(), failed.as_str())).collect();
    let (rifle, sniper) = (rifle.to_string(), sniper.to_string());
    assert_eq!(results, [("one", ""), (sniper.as_str(), "weapons"), (rifle.as_str(), "")]);
    assert_eq!(missing, [unknown]);
    let too_many = desk.tried_on(weapons(&["AK-47"]), vec![redline(); 100], vec![unknown; 101]).await;
    assert!(message(too_many).starts_with("sample must have 1 to 200"));
}

#[tokio::test]
async fn rules_that_match_everything_are_refused_wherever_they_are_given() {
    let desk = Desk::open().await;
    let set = desk.filter_set().await;
    let exclude = FilterFeatures { weapons: words(&["P250"]), ..FilterFeatures::default() };
    let everything = FilterFeatures { categories: Category::ALL.to_vec(), ..FilterFeatures::default() };
    for rules in [
        FilterRules::default(),
        FilterRules { exclude, ..FilterRules::default() },
        FilterRules { features: everything, price_min_cents: Some(1), ..FilterRules::default() },
    ] {
        let refused = (Code::InvalidArgument, "MATCHES_EVERYTHING");
        let creation = desk.creation(rules.clone());
        desk.refused(desk.operations().create_filter_set(&desk.trader, creation), refused.0, refused.1).await;
        let update = UpdateFilterSet { rules: Some(rules.clone()), ..desk.change(set.id) };
        desk.refused(desk.operations().update_filter_set(&desk.trader, update), refused.0, refused.1).await;
        assert_eq!(refusal(desk.tried(rules, vec![redline()]).await), refused);
    }
}

fn message(refused: OpResult<impl std::fmt::Debug>) -> String {
    let OpError { code, reason, message, .. } = refused.unwrap_err();
    assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "INVALID_FIELD"));
    message
}

#[tokio::test]
async fn a_rule_that_cannot_be_is_named() {
    let desk = Desk::open().await;
    let plain = || weapons(&["AWP"]);
    let with = |features| FilterRules { features, ..FilterRules::default() };
    let stickers = |count| FilterSticker { name: "Crown (Foil)".to_owned(), min_count: Some(count), max_wear: None };
    let many: Vec<String> = (0..501).map(|number| format!("weapon {number}")).collect();
    let excluded = FilterFeatures { paint_seeds: vec![1, -1], ..FilterFeatures::default() };
    let cases = [
        ("rules.floatMin must", FilterRules { float_min: Some("1.5".to_owned()), ..plain() }),
        ("rules.floatMax must", FilterRules { float_max: Some("7%".to_owned()), ..plain() }),
        (
            "rules.floatMax must not be below",
            FilterRules { float_min: Some("0.2".to_owned()), float_max: Some("0.1".to_owned()), ..plain() },
        ),
        ("rules.priceMinCents must", FilterRules { price_min_cents: Some(-1), ..plain() }),
        (
            "rules.priceMaxCents must not be below",
            FilterRules { price_min_cents: Some(2), price_max_cents: Some(1), ..plain() },
        ),
        ("rules.tradeLockMaxDays must", FilterRules { trade_lock_max_days: Some(-1), ..plain() }),
        ("rules.weapons names AWP twice", weapons(&["AWP", "AK-47", "AWP"])),
        ("rules.weapons must not be empty", weapons(&[""])),
        ("rules.weapons must have at most 500", with(FilterFeatures { weapons: many, ..FilterFeatures::default() })),
        (
            "rules.nameContains must have at least 2",
            with(FilterFeatures { name_contains: words(&["|"]), ..FilterFeatures::default() }),
        ),
        (
            "rules.rarities names COVERT twice",
            with(FilterFeatures { rarities: vec![Rarity::Covert; 2], ..FilterFeatures::default() }),
        ),
        (
            "rules.stickers[1].minCount must be from 1 to 5",
            with(FilterFeatures { stickers: vec![stickers(1), stickers(6)], ..FilterFeatures::default() }),
        ),
        ("rules.exclude.paintSeeds must", FilterRules { exclude: excluded, ..plain() }),
    ];
    for (expected, rules) in cases {
        let refused = desk.operations().create_filter_set(&desk.trader, desk.creation(rules)).await;
        let message = message(refused);
        assert!(message.starts_with(expected), "{expected}: {message}");
    }
}

#[tokio::test]
async fn a_listing_that_cannot_be_is_named_by_its_place() {
    let desk = Desk::open().await;
    let stuck = |wear: &str| ("Crown (Foil)".to_owned(), Some(wear.to_owned()));
    let cases = [
        ("sample must have 1 to 200", vec![]),
        ("sample must have 1 to 200", vec![redline(); 201]),
        ("sample[1].priceCents is required", vec![redline(), SampleListing { price_cents: None, ..redline() }]),
        ("sample[0].marketHashName", vec![SampleListing { market_hash_name: String::new(), ..redline() }]),
        ("sample[0].id must", vec![SampleListing { id: "x".repeat(129), ..redline() }]),
        ("sample[0].floatValue must", vec![SampleListing { float_value: Some("two".to_owned()), ..redline() }]),
        ("sample[0].stickers[1].wear", vec![SampleListing { stickers: vec![stuck("0.5"), stuck("-1")], ..redline() }]),
        ("sample[0].stickers must", vec![SampleListing { stickers: vec![stuck("0"); 6], ..redline() }]),
        ("sample[0].charms must", vec![SampleListing { charms: words(&["a charm"; 6]), ..redline() }]),
        ("sample[0].tradeLockDays must", vec![SampleListing { trade_lock_days: -1, ..redline() }]),
    ];
    for (expected, sample) in cases {
        let message = message(desk.tried(weapons(&["AK-47"]), sample).await);
        assert!(message.starts_with(expected), "{expected}: {message}");
    }
}

#[tokio::test]
async fn the_names_of_items_and_of_the_filters_of_active_contracts_are_watched_once_each() {
    let desk = Desk::open().await;
    let redline = "AK-47 | Redline (Field-Tested)";
    let asiimov = "AWP | Asiimov (Field-Tested)";
    let features = FilterFeatures { market_hash_names: words(&[asiimov, redline]), ..FilterFeatures::default() };
    let creation = desk.creation(FilterRules { features, ..FilterRules::default() });
    let set = desk.operations().create_filter_set(&desk.trader, creation).await.unwrap();
    let contract_id = desk.filtered(set.id).await.unwrap().value.id;
    desk.item(1).await;
    let (workspace_id, currency) = (desk.workspace_id(), Currency::new("USD").unwrap());
    let of = Subscriber { workspace_id, provider_id: Id::from_bytes([7; 16]), version: 1, currency };
    let watched = async || {
        let names = desk.operations().list_watched_names(&of).await.unwrap();
        names.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(watched().await, [redline], "a draft is not active");
    let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
    desk.operations().activate_contract(&desk.trader, activate).await.unwrap();
    assert_eq!(watched().await, [redline, asiimov]);
}

#[tokio::test]
async fn the_names_of_the_filters_of_active_contracts_are_wanted_and_those_of_items_are_not() {
    let desk = Desk::open().await;
    let asiimov = "AWP | Asiimov (Field-Tested)";
    let features = FilterFeatures { market_hash_names: words(&[asiimov]), ..FilterFeatures::default() };
    let creation = desk.creation(FilterRules { features, ..FilterRules::default() });
    let set = desk.operations().create_filter_set(&desk.trader, creation).await.unwrap();
    let contract_id = desk.filtered(set.id).await.unwrap().value.id;
    desk.item(1).await;
    let (workspace_id, currency) = (desk.workspace_id(), Currency::new("USD").unwrap());
    let of = Subscriber { workspace_id, provider_id: Id::from_bytes([7; 16]), version: 1, currency };
    assert_eq!(desk.operations().list_wanted_names(&of).await.unwrap(), Vec::new(), "a draft is not active");
    let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
    desk.operations().activate_contract(&desk.trader, activate).await.unwrap();
    let names = desk.operations().list_wanted_names(&of).await.unwrap();
    assert_eq!(names.iter().map(ToString::to_string).collect::<Vec<_>>(), [asiimov]);
}

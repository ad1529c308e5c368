//! Promises about evaluations: they are read back as they were written, only at home, and old ones are deleted.

use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::evaluation::{Decision, Evaluated, EvaluationFigures, EvaluationRecord};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::store::{EvaluationFilter, PageRequest, Store, StoreError, Unique, Worlds};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::system;

pub async fn an_evaluation_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let cents = |amount| Some(Cents::new(amount).unwrap());
    let plain = scene.samples.evaluation(scene.id(), scene.contract.id, Decision::Skip);
    let Evaluated::Listing { variant, price, .. } = plain.about.clone() else { panic!("it is about a listing") };
    let full = EvaluationRecord {
        id: scene.samples.id(),
        about: Evaluated::Listing {
            listing_id: Some(text("listing-1")),
            variant: Variant { phase: Some(text("Phase \"2\"")), ..variant },
            price,
        },
        filter_set_version: Some(7),
        decision: Decision::Buy,
        sums: EvaluationFigures {
            fair_value: cents(1_700),
            confidence: Some(BasisPoints::MAX),
            asking_price: cents(1_690),
            all_in_cost: cents(1_230),
            expected_net: cents(1_500),
            expected_margin: Some(-17),
        },
        ..plain.clone()
    };
    let of_item = EvaluationRecord {
        id: scene.samples.id(),
        about: Evaluated::Item(scene.samples.id()),
        decision: Decision::Hold,
        reasons: Vec::new(),
        ..plain.clone()
    };
    for evaluation in [plain, full, of_item] {
        keep(store, &evaluation).await.unwrap();
        assert_eq!(store.evaluations().find_many(scene.scope(), &[evaluation.id]).await.unwrap(), [evaluation]);
    }
}

pub async fn evaluations_are_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let evaluation = home.samples.evaluation(home.id(), home.contract.id, Decision::Buy);
    keep(store, &evaluation).await.unwrap();
    let ids = [home.samples.id(), evaluation.id];
    assert_eq!(store.evaluations().find_many(abroad.scope(), &ids).await.unwrap(), []);
    assert_eq!(store.evaluations().find_many(home.scope(), &ids).await.unwrap(), [evaluation]);
    let page = PageRequest { before: None, limit: 9 };
    let listed = store.evaluations().list(abroad.scope(), EvaluationFilter::default(), page).await.unwrap();
    assert_eq!(listed.ids, []);
}

pub async fn an_evaluation_is_never_written_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let evaluation = scene.samples.evaluation(scene.id(), scene.contract.id, Decision::Buy);
    keep(store, &evaluation).await.unwrap();
    let other = EvaluationRecord { decision: Decision::Skip, ..evaluation.clone() };
    assert_eq!(keep(store, &other).await, Err(StoreError::Duplicate(Unique::Address)));
    assert_eq!(store.evaluations().find_many(scene.scope(), &[evaluation.id]).await.unwrap(), [evaluation]);
}

pub async fn evaluations_are_listed_by_contract_and_decision(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (here, elsewhere) = (scene.contract.id, scene.samples.id());
    let mut ids = Vec::new();
    for (contract, decision) in [(here, Decision::Buy), (here, Decision::Skip), (elsewhere, Decision::Skip)] {
        let evaluation = scene.samples.evaluation(scene.id(), contract, decision);
        keep(store, &evaluation).await.unwrap();
        ids.push(evaluation.id);
    }
    let listed = async |contract_id, decision, limit| {
        let (filter, page) =
            (EvaluationFilter { contract_id, decision, listing_id: None }, PageRequest { before: None, limit });
        let page = store.evaluations().list(scene.scope(), filter, page).await.unwrap();
        (page.ids, page.more)
    };
    assert_eq!(listed(None, None, 9).await, (vec![ids[2], ids[1], ids[0]], false));
    assert_eq!(listed(None, None, 2).await, (vec![ids[2], ids[1]], true));
    assert_eq!(listed(Some(here), None, 9).await, (vec![ids[1], ids[0]], false));
    assert_eq!(listed(None, Some(Decision::Skip), 9).await, (vec![ids[2], ids[1]], false));
    assert_eq!(listed(Some(here), Some(Decision::Buy), 9).await, (vec![ids[0]], false));
    let (filter, page) = (EvaluationFilter::default(), PageRequest { before: Some(ids[1]), limit: 9 });
    assert_eq!(store.evaluations().list(scene.scope(), filter, page).await.unwrap().ids, [ids[0]]);
}

pub async fn evaluations_are_listed_by_listing(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut ids = Vec::new();
    for listing_id in [Some("listing-1"), Some("listing-2"), None, Some("listing-1")] {
        let evaluation = scene.samples.evaluation(scene.id(), scene.contract.id, Decision::Skip);
        let Evaluated::Listing { variant, price, .. } = evaluation.about else { panic!("it is about a listing") };
        let about = Evaluated::Listing { listing_id: listing_id.map(text), variant, price };
        let evaluation = EvaluationRecord { about, ..evaluation };
        keep(store, &evaluation).await.unwrap();
        ids.push(evaluation.id);
    }
    let listed = async |listing_id: &str, decision| {
        let (listing_id, contract_id) = (text(listing_id), Some(scene.contract.id));
        let filter = EvaluationFilter { contract_id, decision, listing_id: Some(&listing_id) };
        let page = PageRequest { before: None, limit: 9 };
        store.evaluations().list(scene.scope(), filter, page).await.unwrap().ids
    };
    assert_eq!(listed("listing-1", None).await, [ids[3], ids[0]]);
    assert_eq!(listed("listing-2", Some(Decision::Skip)).await, [ids[1]]);
    assert_eq!(listed("listing-2", Some(Decision::Buy)).await, []);
    assert_eq!(listed("listing-3", None).await, []);
}

pub async fn old_evaluations_are_forgotten_in_bounded_steps(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut kept = Vec::new();
    for decision in [Decision::Skip, Decision::Skip, Decision::Skip, Decision::Buy] {
        let evaluation = scene.samples.evaluation(scene.id(), scene.contract.id, decision);
        keep(store, &evaluation).await.unwrap();
        kept.push(evaluation.id);
    }
    let forget =
        async |decision, before, most| store.evaluations().forget(Worlds::Real, decision, before, most).await.unwrap();
    assert_eq!(forget(Decision::Skip, start(), 9).await, 0);
    assert_eq!(forget(Decision::Skip, minute(1), 2).await, 2);
    assert_eq!(store.evaluations().find_many(scene.scope(), &kept[..2]).await.unwrap(), []);
    assert_eq!(forget(Decision::Skip, minute(1), 2).await, 1);
    assert_eq!(forget(Decision::Skip, minute(1), 2).await, 0);
    assert_eq!(store.evaluations().find_many(scene.scope(), &kept).await.unwrap().len(), 1);
    assert_eq!(forget(Decision::Buy, minute(1), 2).await, 1);
}

async fn keep(store: &dyn Store, evaluation: &EvaluationRecord) -> tradepost_ports::store::StoreResult<()> {
    let mut changes = system();
    changes.append(AppendedRow::Evaluation(evaluation.clone()));
    store.commit(changes).await.map(drop)
}

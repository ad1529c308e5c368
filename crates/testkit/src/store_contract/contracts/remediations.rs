//! Promises about remediations: they are read back as written, only at home, and a problem of a record is open once.

use tradepost_domain::contracts::purchase::{Absence, ListingOutcome, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{
    Evidence, Remediation, RemediationEvent, RemediationKind, RemediationParts, RemediationStatus, Severity,
};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{PageRequest, RemediationFilter, Store, StoreError, Unique, Worlds};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn a_remediation_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in RemediationStatus::ALL {
        let remediation = kept(store, scene.samples.remediation_in(scene.id(), *status)).await;
        let read = value(store.remediations().find(scene.scope(), remediation.id).await.unwrap());
        assert_eq!(read, Some(remediation), "{status}");
    }
}

pub async fn a_remediation_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for kind in RemediationKind::ALL {
        let opened = scene.samples.remediation(scene.id(), *kind, scene.samples.troubled(*kind));
        let parts = RemediationParts { evidence: Evidence::default(), ..(*opened).clone() };
        let remediation = Remediation::restore(parts).unwrap().seen_again(minute(2));
        kept(store, remediation.clone()).await;
        let read = value(store.remediations().find(scene.scope(), remediation.id).await.unwrap());
        assert_eq!(read, Some(remediation), "{kind}");
    }
}

pub async fn a_remediation_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let one = kept(store, opened(&home, RemediationKind::Overpaid)).await;
    let other = kept(store, opened(&home, RemediationKind::Overpaid)).await;
    let ids = [other.id, home.samples.id(), one.id];
    assert_eq!(value(store.remediations().find(abroad.scope(), one.id).await.unwrap()), None);
    assert_eq!(values(store.remediations().find_many(abroad.scope(), &ids).await.unwrap()), []);
    assert_eq!(values(store.remediations().list_live_of(abroad.scope(), one.subject).await.unwrap()), []);
    let mut found = values(store.remediations().find_many(home.scope(), &ids).await.unwrap());
    found.sort_by_key(|remediation| remediation.id);
    assert_eq!(found, [one, other]);
}

pub async fn remediations_are_listed_by_status_kind_and_severity(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let overpaid = kept(store, opened(&scene, RemediationKind::Overpaid)).await.id;
    let missing = kept(store, opened(&scene, RemediationKind::MissingItem)).await.id;
    let resolved = kept(store, scene.samples.remediation_in(scene.id(), RemediationStatus::Resolved)).await.id;
    let listed = async |status, kind, severity| {
        let page = PageRequest { before: None, limit: 9 };
        store.remediations().list(scene.scope(), RemediationFilter { status, kind, severity }, page).await.unwrap().ids
    };
    let (open, of_kind) = (Some(RemediationStatus::Open), Some(RemediationKind::MissingItem));
    let critical = Some(Severity::Critical);
    assert_eq!(listed(None, None, None).await, [resolved, missing, overpaid]);
    assert_eq!(listed(open, None, None).await, [missing]);
    assert_eq!(listed(None, of_kind, None).await, [resolved, missing]);
    assert_eq!(listed(None, None, Some(Severity::Warning)).await, [overpaid]);
    assert_eq!(listed(open, of_kind, None).await, [missing]);
    assert_eq!(listed(open, None, critical).await, [missing]);
    assert_eq!(listed(open, of_kind, critical).await, [missing]);
    assert_eq!(listed(Some(RemediationStatus::NeedsOperator), of_kind, None).await, []);
}

pub async fn a_problem_of_a_record_is_open_once(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let held = kept(store, opened(&home, RemediationKind::Overpaid)).await;
    let again = |scene: &Scene, kind| scene.samples.remediation(scene.id(), kind, held.subject);
    let same = again(&home, RemediationKind::Overpaid);
    assert_eq!(insert(store, [same.clone().into()]).await, Err(StoreError::Duplicate(Unique::OpenRemediation)));
    let other = kept(store, again(&home, RemediationKind::FeeMismatch)).await;
    kept(store, again(&abroad, RemediationKind::Overpaid)).await;
    assert_eq!(live(store, &home, held.subject).await, [held.clone(), other.clone()]);
    step(store, &home, &held, RemediationEvent::Dismissed { reason: text("a favour") }).await;
    assert_eq!(live(store, &home, held.subject).await, std::slice::from_ref(&other));
    let same = kept(store, same).await;
    assert_eq!(live(store, &home, held.subject).await, [same, other]);
}

pub async fn the_problem_of_a_record_that_was_dismissed_last_is_found(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (kind, subject) = (RemediationKind::MissingItem, home.samples.troubled(RemediationKind::MissingItem));
    let dismissed = |scene: &Scene, kind, subject, at| {
        let event = RemediationEvent::Dismissed { reason: text("known") };
        scene.samples.remediation(scene.id(), kind, subject).apply(event, minute(at)).unwrap()
    };
    let last = kept(store, dismissed(&home, kind, subject, 5)).await;
    kept(store, dismissed(&home, kind, subject, 3)).await;
    // None of these is it: it is open or resolved, of another kind, of another record, or of another workspace.
    let resolved = home.samples.remediation(home.id(), kind, subject).apply(RemediationEvent::Cleared, minute(7));
    kept(store, resolved.unwrap()).await;
    kept(store, home.samples.remediation(home.id(), kind, subject)).await;
    kept(store, dismissed(&home, RemediationKind::ListingMismatch, subject, 7)).await;
    let other = kept(store, dismissed(&home, kind, home.samples.troubled(kind), 7)).await;
    kept(store, dismissed(&abroad, kind, subject, 7)).await;
    let found = async |of, kind| value(store.remediations().find_last_dismissed(home.scope(), of, kind).await.unwrap());
    assert_eq!(found(subject, kind).await, Some(last));
    assert_eq!(found(other.subject, kind).await, Some(other));
    assert_eq!(found(subject, RemediationKind::TraitsDiffer).await, None);
}

pub async fn remediations_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let held = kept(store, opened(&scene, RemediationKind::MissingItem)).await;
    kept(store, opened(&scene, RemediationKind::MissingItem)).await;
    step(store, &scene, &held, RemediationEvent::Cleared).await;
    let mut counts = store.counters().by_status(scene.scope(), Kind::Remediation, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(RemediationStatus::Open.code(), 1), (RemediationStatus::Resolved.code(), 1)]);
}

pub async fn uncertain_purchases_are_found_by_age_until_they_are_reported(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let late = home.purchase(store, PurchaseStatus::Uncertain).await;
    let other = abroad.purchase(store, PurchaseStatus::Uncertain).await;
    home.purchase(store, PurchaseStatus::Submitted).await;
    let found = async |since: Timestamp, most| {
        let mut found = values(store.purchases().list_undecided(Worlds::Real, since, most).await.unwrap());
        found.sort_by_key(|purchase| purchase.terms.id);
        found
    };
    assert_eq!(found(start(), 9).await, []);
    let mut both = vec![late.clone(), other.clone()];
    both.sort_by_key(|purchase| purchase.terms.id);
    assert_eq!(found(late.updated_at, 9).await, both);
    assert_eq!(found(late.updated_at, 1).await.len(), 1);
    let subject = Subject::Purchase(late.terms.id);
    kept(store, home.samples.remediation(home.id(), RemediationKind::FeeMismatch, subject)).await;
    assert_eq!(found(late.updated_at, 9).await, both);
    let reported = kept(store, home.samples.remediation(home.id(), RemediationKind::OutcomeUnknown, subject)).await;
    assert_eq!(found(late.updated_at, 9).await, std::slice::from_ref(&other));
    // The store does not report a dismissed problem again.
    step(store, &home, &reported, RemediationEvent::Dismissed { reason: text("known") }).await;
    assert_eq!(found(late.updated_at, 9).await, std::slice::from_ref(&other));
    let absence = Absence {
        first_lookup_at: start(),
        last_lookup_at: minute(1),
        listing: ListingOutcome::NotSold,
        charge_excluded: true,
        balances: None,
    };
    let seen = store.purchases().find(abroad.scope(), other.terms.id).await.unwrap().unwrap();
    revise(store, seen, |purchase| purchase.apply(PurchaseEvent::OrderAbsent(absence), minute(2)).unwrap())
        .await
        .unwrap();
    assert_eq!(found(late.updated_at, 9).await, []);
}

fn opened(scene: &Scene, kind: RemediationKind) -> Remediation {
    scene.samples.remediation(scene.id(), kind, scene.samples.troubled(kind))
}

async fn kept(store: &dyn Store, remediation: Remediation) -> Remediation {
    insert(store, [remediation.clone().into()]).await.unwrap();
    remediation
}

async fn live(store: &dyn Store, scene: &Scene, subject: Subject) -> Vec<Remediation> {
    let mut found = values(store.remediations().list_live_of(scene.scope(), subject).await.unwrap());
    found.sort_by_key(|remediation| (remediation.kind.code(), remediation.id));
    found
}

async fn step(store: &dyn Store, scene: &Scene, remediation: &Remediation, event: RemediationEvent) {
    let seen = store.remediations().find(scene.scope(), remediation.id).await.unwrap().unwrap();
    revise(store, seen, |remediation| remediation.apply(event, minute(1)).unwrap()).await.unwrap();
}

//! Promises about the log of status changes: it is read back as it was written, by time and in the order of its commits.

use tradepost_domain::id::TransitionId;
use tradepost_domain::transition::{Actor, Subject, SubjectKind, Transition};
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::store::{MOST_LOOKED_AT, PageRequest, StatusCounts, Store, StoreError, TransitionFilter, Unique};

use crate::samples::{Scene, minute};
use crate::store_contract::system;

pub async fn transitions_are_read_back_oldest_first(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let subject = Subject::Contract(home.contract.id);
    let plain = |version| Transition { version, ..home.samples.transition(home.id(), subject) };
    let actor = Actor::ApiKey { key: home.key.id, user: home.user.id };
    let second = Transition { from: Some("PENDING"), to: "SUBMITTED", trigger: "submitted", actor, ..plain(2) };
    let third = Transition { actor: Actor::User(home.user.id), reason: None, evidence: None, ..plain(3) };
    let first = plain(1);
    let elsewhere = home.samples.transition(home.id(), Subject::Purchase(home.samples.id()));
    let mut changes = system();
    for step in [third.clone(), first.clone(), elsewhere, second.clone()] {
        changes.append(AppendedRow::Transition(step));
    }
    store.commit(changes).await.unwrap();
    let of_subject =
        async |scene: &Scene, limit| store.transitions().list_of(scene.scope(), subject, limit).await.unwrap();
    assert_eq!(of_subject(&home, 9).await, [first.clone(), second.clone(), third]);
    assert_eq!(of_subject(&home, 2).await, [first, second]);
    assert_eq!(of_subject(&abroad, 9).await, []);
}

pub async fn a_transition_is_never_written_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let subject = Subject::Contract(scene.contract.id);
    let first = scene.samples.transition(scene.id(), subject);
    let mut changes = system();
    changes.append(AppendedRow::Transition(first.clone()));
    store.commit(changes).await.unwrap();
    let mut changes = system();
    changes.append(AppendedRow::Transition(Transition { trigger: "withdrawn", ..first.clone() }));
    assert_eq!(store.commit(changes).await, Err(StoreError::Duplicate(Unique::Address)));
    assert_eq!(store.transitions().list_of(scene.scope(), subject, 9).await.unwrap(), [first]);
}

pub async fn transitions_are_found_by_id_and_kind_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [contract, key] = [Subject::Contract(home.contract.id), Subject::ApiKey(home.key.id)];
    let steps = written(store, &home, &[contract, key]).await;
    let ids = [steps[1].id, home.samples.id(), steps[0].id];
    let found = async |scene: &Scene, kinds: &[SubjectKind]| {
        let mut found = store.transitions().find_many(scene.scope(), kinds, &ids).await.unwrap();
        found.sort_by_key(|step| step.id);
        found
    };
    assert_eq!(found(&home, SubjectKind::ALL).await, steps);
    assert_eq!(found(&home, &[SubjectKind::ApiKey]).await, steps[1..]);
    assert_eq!(found(&abroad, SubjectKind::ALL).await, []);
}

pub async fn transitions_are_listed_by_kind_record_and_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let subjects = [
        Subject::Contract(scene.contract.id),
        Subject::Purchase(scene.samples.id()),
        Subject::Purchase(scene.samples.id()),
    ];
    let [contract, one, other] = written(store, &scene, &subjects).await.try_into().unwrap();
    let all = TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: None, to: None };
    let purchases = TransitionFilter { kinds: &[SubjectKind::Purchase], ..all };
    let of_one = Some(one.subject.id_bytes());
    for (filter, expected) in [
        (all, vec![other.id, one.id, contract.id]),
        (TransitionFilter { kinds: &[SubjectKind::Contract, SubjectKind::ApiKey], ..all }, vec![contract.id]),
        (purchases, vec![other.id, one.id]),
        (TransitionFilter { subject_id: of_one, ..purchases }, vec![one.id]),
        (TransitionFilter { subject_id: of_one, ..all }, vec![one.id]),
        (TransitionFilter { kinds: &[SubjectKind::Contract], subject_id: of_one, ..all }, vec![]),
        (TransitionFilter { from: Some(contract.at), ..all }, vec![other.id, one.id, contract.id]),
        (TransitionFilter { to: Some(contract.at), ..all }, vec![]),
        (TransitionFilter { from: Some(minute(1_000_000)), ..all }, vec![]),
    ] {
        let page = store.transitions().list(scene.scope(), filter, PageRequest { before: None, limit: 9 }).await;
        assert_eq!(page.unwrap().ids, expected, "{filter:?}");
    }
}

pub async fn transitions_are_counted_by_kind_record_and_time(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [contract, purchase, other] = [
        Subject::Contract(home.contract.id),
        Subject::Purchase(home.samples.id()),
        Subject::Purchase(home.samples.id()),
    ];
    let [first, of_one, _, _] = written(store, &home, &[contract, purchase, other, purchase]).await.try_into().unwrap();
    let all = TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: None, to: None };
    let purchases = TransitionFilter { kinds: &[SubjectKind::Purchase], ..all };
    let [contracts, bought] = [SubjectKind::Contract.code(), SubjectKind::Purchase.code()];
    for (filter, expected) in [
        (all, vec![(contracts, 1), (bought, 3)]),
        (purchases, vec![(bought, 3)]),
        (TransitionFilter { subject_id: Some(of_one.subject.id_bytes()), ..all }, vec![(bought, 2)]),
        (TransitionFilter { from: Some(first.at), ..purchases }, vec![(bought, 3)]),
        (TransitionFilter { to: Some(first.at), ..all }, vec![]),
    ] {
        let mut counted = store.transitions().count(home.scope(), filter).await.unwrap();
        counted.counts.sort_unstable();
        assert_eq!(counted, StatusCounts { counts: expected, truncated: false }, "{filter:?}");
    }
    let elsewhere = store.transitions().count(abroad.scope(), all).await.unwrap();
    assert_eq!(elsewhere, StatusCounts { counts: vec![], truncated: false });
}

pub async fn no_more_transitions_are_counted_than_may_be_looked_at(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let most = usize::try_from(MOST_LOOKED_AT).unwrap();
    let contract = Subject::Contract(scene.contract.id);
    written(store, &scene, &[Subject::ApiKey(scene.key.id)]).await;
    let all = TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: None, to: None };
    let counted = async || store.transitions().count(scene.scope(), all).await.unwrap();
    let contracts = vec![(SubjectKind::Contract.code(), i64::from(MOST_LOOKED_AT))];
    // Those of the contract are newer than that of the key.
    for _ in 0..10 {
        commit(store, &steps(&scene, contract, most / 10)).await;
    }
    assert_eq!(counted().await, StatusCounts { counts: contracts, truncated: true });
}

pub async fn transitions_follow_each_other_as_they_were_committed(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let early = home.samples.transition(home.id(), Subject::Contract(home.contract.id));
    let late = home.samples.transition(home.id(), Subject::ApiKey(home.key.id));
    let elsewhere = abroad.samples.transition(abroad.id(), Subject::Contract(abroad.contract.id));
    // The one with the smaller id is committed last.
    for step in [&late, &elsewhere, &early] {
        commit(store, std::slice::from_ref(step)).await;
        store.transitions().place().await.unwrap();
    }
    let after = async |position, kinds: &[SubjectKind], limit| {
        store.transitions().list_after(home.scope(), kinds, position, limit).await.unwrap()
    };
    let (all, contracts) = (SubjectKind::ALL, &[SubjectKind::Contract]);
    assert_eq!(after(0, all, 9).await, [late.clone(), early.clone()]);
    assert_eq!(after(0, all, 1).await, std::slice::from_ref(&late));
    assert_eq!(after(0, contracts, 9).await, std::slice::from_ref(&early));
    let place = store.transitions().find_place(home.scope(), late.id).await.unwrap().unwrap();
    assert_eq!(after(place, all, 9).await, std::slice::from_ref(&early));
    let last = store.transitions().find_place(home.scope(), early.id).await.unwrap().unwrap();
    assert_eq!(after(last, all, 9).await, []);
    assert_eq!(store.transitions().find_last(home.scope(), all).await.unwrap(), Some(early.id));
    assert_eq!(store.transitions().find_last(home.scope(), &[SubjectKind::ApiKey]).await.unwrap(), Some(late.id));
}

pub async fn a_transition_that_never_was_has_no_place(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [step] = written(store, &home, &[Subject::Contract(home.contract.id)]).await.try_into().unwrap();
    let place =
        async |scene: &Scene, id: TransitionId| store.transitions().find_place(scene.scope(), id).await.unwrap();
    assert!(place(&home, step.id).await.is_some());
    assert_eq!(place(&home, home.samples.id()).await, None);
    assert_eq!(place(&abroad, step.id).await, None);
    assert_eq!(store.transitions().find_last(abroad.scope(), SubjectKind::ALL).await.unwrap(), None);
}

pub async fn the_last_place_grows_with_what_is_committed(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let before = store.transitions().place().await.unwrap();
    assert_eq!(store.transitions().place().await.unwrap(), before);
    written(store, &scene, &[Subject::Contract(scene.contract.id)]).await;
    assert!(store.transitions().place().await.unwrap() > before);
}

pub async fn transitions_since_a_time_follow_each_other_as_they_were_committed(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [contract, key] = [Subject::Contract(home.contract.id), Subject::ApiKey(home.key.id)];
    let at = |subject, minutes| home.samples.transition_at(home.id(), subject, minute(minutes));
    let [old, early, late] = [at(contract, 1), at(contract, 11), at(key, 12)];
    // The one with the smaller id is committed last.
    for step in [&old, &late, &early] {
        placed(store, step).await;
    }
    let since = async |scene: &Scene, minutes, kinds: &[SubjectKind], limit| {
        store.transitions().list_since(scene.scope(), kinds, minute(minutes), limit).await.unwrap()
    };
    let (all, contracts) = (SubjectKind::ALL, &[SubjectKind::Contract]);
    assert_eq!(since(&home, 10, all, 9).await, [late.clone(), early.clone()]);
    assert_eq!(since(&home, 11, contracts, 9).await, std::slice::from_ref(&early));
    assert_eq!(since(&home, 12, all, 9).await, std::slice::from_ref(&late));
    assert_eq!(since(&home, 0, all, 2).await, [old, late]);
    assert_eq!(since(&abroad, 0, all, 9).await, []);
}

pub async fn old_places_are_forgotten_but_for_the_last_of_each_kind_of_record(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [contract, key] = [Subject::Contract(home.contract.id), Subject::ApiKey(home.key.id)];
    let at = |subject, minutes| home.samples.transition_at(home.id(), subject, minute(minutes));
    let elsewhere = abroad.samples.transition_at(abroad.id(), contract, minute(2));
    let [one, two, three] = [at(contract, 1), at(key, 3), at(contract, 4)];
    let kept = [at(contract, 5), at(key, 6), at(contract, 20), at(key, 21)];
    for step in [&one, &elsewhere, &two, &three].into_iter().chain(&kept) {
        placed(store, step).await;
    }
    let last = store.transitions().place().await.unwrap();
    let (mut after, mut forgotten) = (0, Vec::new());
    for _ in 0..4 {
        let (up_to, many) = store.transitions().forget_places(after, minute(10), 2).await.unwrap();
        after = up_to;
        forgotten.push(many);
    }
    // The first two are the first of their kinds. With the next two, one of them is over. The changes after the sixth are too recent.
    assert_eq!(forgotten, [0, 1, 2, 0]);
    let is_placed = async |scene: &Scene, step: &Transition| {
        store.transitions().find_place(scene.scope(), step.id).await.unwrap().is_some()
    };
    for step in [&one, &two, &three] {
        assert!(!is_placed(&home, step).await, "{step:?}");
    }
    assert!(is_placed(&abroad, &elsewhere).await);
    assert_eq!(store.transitions().list_after(home.scope(), SubjectKind::ALL, 0, 9).await.unwrap(), kept);
    // The changes themselves remain, and no position is assigned again.
    assert_eq!(store.transitions().list_of(home.scope(), contract, 9).await.unwrap().len(), 4);
    assert_eq!(store.transitions().place().await.unwrap(), last);
    // From the beginning nothing is left to delete. Later the earlier last ones are as old as the rest.
    assert_eq!(store.transitions().forget_places(0, minute(10), 9).await.unwrap(), (after, 0));
    assert_eq!(store.transitions().forget_places(after, minute(30), 9).await.unwrap(), (last, 2));
}

fn steps(scene: &Scene, subject: Subject, many: usize) -> Vec<Transition> {
    (0..many).map(|_| scene.samples.transition(scene.id(), subject)).collect()
}

/// Commits a transition and assigns its position.
async fn placed(store: &dyn Store, step: &Transition) {
    commit(store, std::slice::from_ref(step)).await;
    store.transitions().place().await.unwrap();
}

/// Returns transitions of these records, committed together and placed.
async fn written(store: &dyn Store, scene: &Scene, subjects: &[Subject]) -> Vec<Transition> {
    let steps: Vec<_> = subjects.iter().map(|subject| scene.samples.transition(scene.id(), *subject)).collect();
    commit(store, &steps).await;
    store.transitions().place().await.unwrap();
    steps
}

async fn commit(store: &dyn Store, steps: &[Transition]) {
    let mut changes = system();
    for step in steps {
        changes.append(AppendedRow::Transition(step.clone()));
    }
    store.commit(changes).await.unwrap();
}

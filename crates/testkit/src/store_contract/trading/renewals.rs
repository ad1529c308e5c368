//! Promises about renewals: they are read back as they were written, only at home, an account has one of a kind that is not over, and those
//! that are due or end are found the earliest first.

use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{PageRequest, RenewalFilter, Store, StoreError, Unique};

use crate::samples::{Scene, minute};
use crate::store_contract::{insert, values};

/// The statuses of renewals that are over.
const OVER: [RenewalStatus; 3] = [RenewalStatus::Succeeded, RenewalStatus::Exhausted, RenewalStatus::Cancelled];

async fn kept(store: &dyn Store, renewal: Renewal) -> Renewal {
    insert(store, [renewal.clone().into()]).await.unwrap();
    renewal
}

pub async fn a_renewal_in_every_status_and_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let kinds = || RenewalKind::ALL.iter();
    for (status, kind) in RenewalStatus::ALL.iter().flat_map(|status| kinds().map(move |kind| (status, kind))) {
        let made = || scene.samples.renewal_of(scene.id(), scene.samples.id(), *kind, *status);
        let plain = kept(store, made()).await;
        let full = kept(store, Renewal { attempts: u16::MAX, is_requested: true, ..made() }).await;
        for renewal in [plain, full] {
            assert_eq!((renewal.status, renewal.kind), (*status, *kind));
            let found = store.renewals().find_renewals(scene.scope(), &[renewal.id]).await.unwrap();
            assert_eq!(values(found), [renewal], "{status} {kind}");
        }
    }
}

pub async fn a_renewal_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let over = kept(store, home.samples.renewal_in(home.id(), RenewalStatus::Succeeded)).await;
    let (account, kind) = (over.account_id, over.kind);
    let open = kept(store, home.samples.renewal_of(home.id(), account, kind, RenewalStatus::Scheduled)).await;
    let (ids, late) = ([open.id, home.samples.id(), over.id], minute(100_000));
    for (scope, both) in [(home.scope(), vec![over, open]), (abroad.scope(), Vec::new())] {
        let renewals = store.renewals();
        let mut found = values(renewals.find_renewals(scope, &ids).await.unwrap());
        found.sort_by_key(|renewal| renewal.id);
        assert_eq!(found, both);
        let page = PageRequest { before: None, limit: 9 };
        let listed = renewals.list_renewals(scope, RenewalFilter::default(), page).await.unwrap();
        assert_eq!(listed.ids.len(), both.len());
        let open: Vec<Renewal> = both.into_iter().filter(Renewal::is_open).collect();
        assert_eq!(values(renewals.list_open_renewals_of(scope, account).await.unwrap()), open);
        assert_eq!(values(renewals.list_open_renewals_of(scope, home.samples.id()).await.unwrap()), []);
        assert_eq!(values(renewals.list_due_renewals(scope, late, 9).await.unwrap()), open);
        assert_eq!(values(renewals.list_ending_renewals(scope, kind, late, 9).await.unwrap()), open);
    }
}

pub async fn renewals_are_listed_by_account_kind_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    let make = async |kind, status| kept(store, scene.samples.renewal_of(scene.id(), account, kind, status)).await.id;
    let done = make(RenewalKind::AccessToken, RenewalStatus::Succeeded).await;
    let access = make(RenewalKind::AccessToken, RenewalStatus::Scheduled).await;
    let refresh = make(RenewalKind::RefreshToken, RenewalStatus::Scheduled).await;
    let elsewhere = kept(store, scene.samples.renewal_in(scene.id(), RenewalStatus::Scheduled)).await.id;
    let listed = async |filter| {
        let page = PageRequest { before: None, limit: 9 };
        store.renewals().list_renewals(scene.scope(), filter, page).await.unwrap().ids
    };
    let (all, account_id) = (RenewalFilter::default(), Some(account));
    let (kind, status) = (Some(RenewalKind::AccessToken), Some(RenewalStatus::Scheduled));
    assert_eq!(listed(all).await, [elsewhere, refresh, access, done]);
    assert_eq!(listed(RenewalFilter { account_id, ..all }).await, [refresh, access, done]);
    assert_eq!(listed(RenewalFilter { kind, ..all }).await, [elsewhere, access, done]);
    assert_eq!(listed(RenewalFilter { status, ..all }).await, [elsewhere, refresh, access]);
    assert_eq!(listed(RenewalFilter { kind, status, ..all }).await, [elsewhere, access]);
    assert_eq!(listed(RenewalFilter { account_id, kind, ..all }).await, [access, done]);
    assert_eq!(listed(RenewalFilter { account_id, status, ..all }).await, [refresh, access]);
    assert_eq!(listed(RenewalFilter { account_id, kind, status, ..all }).await, [access]);
}

pub async fn renewals_that_are_not_over_are_listed_by_the_time_before_which_they_are_due(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let account = scene.samples.id();
    let due = async |status, kind, due_at| {
        let renewal = scene.samples.renewal_of(scene.id(), account, kind, status);
        kept(store, Renewal { due_at, ..renewal }).await.id
    };
    let (access, refresh) = (RenewalKind::AccessToken, RenewalKind::RefreshToken);
    let early = due(RenewalStatus::Retrying, access, minute(5)).await;
    let late = due(RenewalStatus::Scheduled, refresh, minute(9)).await;
    for status in OVER {
        due(status, access, minute(1)).await;
    }
    let uncertain = scene.samples.renewal_in(scene.id(), RenewalStatus::Uncertain);
    let elsewhere = kept(store, Renewal { due_at: minute(6), ..uncertain }).await.id;
    let foreign = abroad.samples.renewal_in(abroad.id(), RenewalStatus::Scheduled);
    kept(store, Renewal { due_at: minute(1), ..foreign }).await;
    let page = async |filter, before, limit| {
        store.renewals().list_renewals(scene.scope(), filter, PageRequest { before, limit }).await.unwrap()
    };
    let listed = async |filter| page(filter, None, 9).await.ids;
    let before = |due_at| RenewalFilter { due_before: Some(due_at), ..RenewalFilter::default() };
    assert_eq!(listed(before(minute(10))).await, [elsewhere, late, early]);
    assert_eq!(listed(before(minute(9))).await, [elsewhere, early], "the time itself is not before it");
    assert_eq!(listed(before(minute(5))).await, []);
    assert_eq!(listed(RenewalFilter { account_id: Some(account), ..before(minute(10)) }).await, [late, early]);
    assert_eq!(listed(RenewalFilter { kind: Some(refresh), ..before(minute(10)) }).await, [late]);
    assert_eq!(listed(RenewalFilter { status: Some(RenewalStatus::Retrying), ..before(minute(10)) }).await, [early]);
    let over = Some(RenewalStatus::Succeeded);
    assert_eq!(listed(RenewalFilter { status: over, ..before(minute(10)) }).await, [], "what is over is not due");
    let first = page(before(minute(10)), None, 2).await;
    assert_eq!((first.ids, first.more), (vec![elsewhere, late], true));
    let second = page(before(minute(10)), Some(late), 2).await;
    assert_eq!((second.ids, second.more), (vec![early], false));
}

pub async fn an_account_has_one_renewal_of_a_kind_that_is_not_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (access, refresh) = (RenewalKind::AccessToken, RenewalKind::RefreshToken);
    for status in RenewalStatus::ALL {
        let account = scene.samples.id();
        let of = |kind, status| scene.samples.renewal_of(scene.id(), account, kind, status);
        let other = kept(store, of(refresh, RenewalStatus::Scheduled)).await;
        let first = kept(store, of(access, *status)).await;
        let second = of(access, RenewalStatus::Scheduled);
        let refused = insert(store, [second.clone().into()]).await.err();
        let taken = Some(StoreError::Duplicate(Unique::OpenRenewal));
        let (expected, open) = if status.is_terminal() { (None, second) } else { (taken, first) };
        assert_eq!(refused, expected, "{status}");
        let found = store.renewals().list_open_renewals_of(scene.scope(), account).await.unwrap();
        assert_eq!(values(found), [open, other], "{status}");
    }
}

pub async fn renewals_that_are_due_are_read_the_earliest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let due = |status, at| Renewal { due_at: minute(at), ..scene.samples.renewal_in(scene.id(), status) };
    let last = kept(store, due(RenewalStatus::Scheduled, 9)).await;
    let second = kept(store, due(RenewalStatus::Running, 5)).await;
    let third = kept(store, due(RenewalStatus::Retrying, 5)).await;
    let first = kept(store, due(RenewalStatus::Uncertain, 3)).await;
    for status in OVER {
        kept(store, due(status, 1)).await;
    }
    let found = async |at, most| values(store.renewals().list_due_renewals(scene.scope(), at, most).await.unwrap());
    let all = [first, second, third, last];
    assert_eq!(found(minute(9), 9).await, all);
    assert_eq!(found(minute(8), 9).await, all[..3]);
    assert_eq!(found(minute(9), 2).await, all[..2]);
    assert_eq!(found(minute(2), 9).await, []);
}

pub async fn renewals_of_tokens_that_end_are_read_by_kind_the_earliest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (access, refresh) = (RenewalKind::AccessToken, RenewalKind::RefreshToken);
    let ending = |kind, status, at| {
        let renewal = scene.samples.renewal_of(scene.id(), scene.samples.id(), kind, status);
        Renewal { expires_at: minute(at), ..renewal }
    };
    let last = kept(store, ending(refresh, RenewalStatus::Scheduled, 9)).await;
    let second = kept(store, ending(refresh, RenewalStatus::Running, 5)).await;
    let third = kept(store, ending(refresh, RenewalStatus::Retrying, 5)).await;
    let first = kept(store, ending(refresh, RenewalStatus::Uncertain, 3)).await;
    let other = kept(store, ending(access, RenewalStatus::Scheduled, 4)).await;
    for status in OVER {
        kept(store, ending(refresh, status, 1)).await;
    }
    let found = async |kind, before, most| {
        values(store.renewals().list_ending_renewals(scene.scope(), kind, before, most).await.unwrap())
    };
    let all = [first, second, third, last];
    assert_eq!(found(refresh, minute(10), 9).await, all);
    assert_eq!(found(refresh, minute(9), 9).await, all[..3]);
    assert_eq!(found(refresh, minute(10), 2).await, all[..2]);
    assert_eq!(found(refresh, minute(3), 9).await, []);
    assert_eq!(found(access, minute(10), 9).await, [other]);
}

pub async fn renewals_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [RenewalStatus::Scheduled, RenewalStatus::Scheduled, RenewalStatus::Cancelled] {
        kept(store, scene.samples.renewal_in(scene.id(), status)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::Renewal, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(RenewalStatus::Scheduled.code(), 2), (RenewalStatus::Cancelled.code(), 1)]);
}

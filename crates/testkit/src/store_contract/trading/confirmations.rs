//! Promises about confirmations: they are read back as they were written, only at home, and an account has one of the platform once.

use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationKind, ConfirmationStatus};
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{ConfirmationFilter, PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, confirmation: Confirmation) -> Confirmation {
    insert(store, [confirmation.clone().into()]).await.unwrap();
    confirmation
}

pub async fn a_confirmation_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in ConfirmationStatus::ALL {
        let confirmation = kept(store, scene.samples.confirmation_in(scene.id(), *status)).await;
        let about = confirmation.clone().about(scene.samples.id(), Some(scene.samples.id()), minute(9));
        let other = Confirmation { id: scene.samples.id(), shown: scene.samples.shown_confirmation(9), ..about };
        let other = kept(store, other.missing(minute(9))).await;
        for confirmation in [confirmation, other] {
            let read = value(store.confirmations().find(scene.scope(), confirmation.id).await.unwrap());
            assert_eq!(read, Some(confirmation), "{status}");
        }
    }
}

pub async fn a_confirmation_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let confirmation = kept(store, home.samples.confirmation_in(home.id(), ConfirmationStatus::Seen)).await;
    let ended = kept(store, home.samples.confirmation_in(home.id(), ConfirmationStatus::Allowed)).await;
    let list = ConfirmationList::unread(home.id(), home.samples.id()).requested(minute(1)).read(minute(0));
    insert(store, [list.into()]).await.unwrap();
    for (scope, found) in [(home.scope(), Some(confirmation.clone())), (abroad.scope(), None)] {
        let (all, confirmations): (Vec<Confirmation>, _) = (found.clone().into_iter().collect(), store.confirmations());
        assert_eq!(value(confirmations.find(scope, confirmation.id).await.unwrap()), found);
        assert_eq!(values(confirmations.find_many(scope, &[confirmation.id]).await.unwrap()), all);
        assert_eq!(values(confirmations.list_open_of(scope, &confirmation.account_name).await.unwrap()), all);
        assert_eq!(values(confirmations.list_open_of(scope, &text("other")).await.unwrap()), []);
        assert_eq!(values(confirmations.list_open(scope, 9).await.unwrap()), all);
        let (name, platform_id) = (&confirmation.account_name, &confirmation.shown.platform_id);
        assert_eq!(value(confirmations.find_seen(scope, name, platform_id).await.unwrap()), found);
        assert_eq!(value(confirmations.find_seen(scope, &text("other"), platform_id).await.unwrap()), None);
        let lists = values(confirmations.find_lists(scope, &[list.account_id, home.samples.id()]).await.unwrap());
        assert_eq!(lists, if found.is_some() { vec![list] } else { Vec::new() });
    }
    let read = value(store.confirmations().find(home.scope(), ended.id).await.unwrap());
    assert_eq!(read, Some(ended), "one that has ended is kept and not open");
}

pub async fn confirmations_are_listed_by_account_status_and_kind(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (text("trader-1"), text("trader-2"));
    let make =
        async |name: &str, number| kept(store, scene.samples.confirmation(scene.id(), text(name), number)).await.id;
    let (first, second, third) = (make("trader-1", 2).await, make("trader-1", 9).await, make("trader-2", 2).await);
    let seen = Some(ConfirmationStatus::Seen);
    let listed = async |account_name, status, kind| {
        let (page, filter) =
            (PageRequest { before: None, limit: 9 }, ConfirmationFilter { account_name, status, kind });
        store.confirmations().list(scene.scope(), filter, page).await.unwrap().ids
    };
    assert_eq!(listed(None, None, None).await, [third, second, first]);
    assert_eq!(listed(Some(&one), None, None).await, [second, first]);
    assert_eq!(listed(Some(&one), seen, Some(ConfirmationKind::TradeOffer)).await, [first]);
    assert_eq!(listed(None, seen, Some(ConfirmationKind::TradeOffer)).await, [third, first]);
    assert_eq!(listed(Some(&other), Some(ConfirmationStatus::Denied), None).await, []);
    assert_eq!(listed(None, None, Some(ConfirmationKind::ApiKey)).await, [second]);
}

pub async fn an_account_has_a_confirmation_of_the_platform_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let first = kept(store, scene.samples.confirmation_in(scene.id(), ConfirmationStatus::Seen)).await;
    let again = |name| Confirmation { id: scene.samples.id(), account_name: text(name), ..first.clone() };
    let refused = insert(store, [again("trader-1").into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::SeenConfirmation));
    kept(store, again("trader-2")).await;
}

pub async fn confirmations_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [ConfirmationStatus::Seen, ConfirmationStatus::Seen, ConfirmationStatus::Denied] {
        kept(store, scene.samples.confirmation_in(scene.id(), status)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::Confirmation, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(ConfirmationStatus::Seen.code(), 2), (ConfirmationStatus::Denied.code(), 1)]);
}

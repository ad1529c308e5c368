//! Promises about asset-id chains: the laws of the domain hold in storage, for every writer and for any number at once.

use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, Evidence, Source, verify};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendLink, AppendedRow, Committed, Seen};
use tradepost_ports::store::{Store, StoreError, StoreResult, Unique};

use crate::samples::{Scene, minute};
use crate::store_contract::{revise, system};

pub async fn a_link_takes_the_next_step(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 2).await;
    let wanted = scene.samples.next_link(&item);
    let link = AssetIdLink {
        id: wanted.id,
        workspace_id: item.workspace_id,
        inventory_item_id: item.id,
        purchase_id: item.purchase_id,
        step: 2,
        asset_id: wanted.asset_id.clone(),
        previous: Some(item.current_asset_id().clone()),
        source: Source::Inventory,
        source_id: wanted.source_id.clone(),
        created_at: wanted.at,
    };
    assert_eq!(append(store, wanted).await, Ok(Committed::Applied { links: vec![link.clone()] }));
    assert_eq!(links(store, &scene, &item).await, [chain, vec![link]].concat());
}

pub async fn a_link_moves_the_items_tip_and_version(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for (status, source) in [(ItemStatus::InInventory, Source::Transfer), (ItemStatus::Listed, Source::Inventory)] {
        let (item, _) = scene.item_in(store, status).await;
        let wanted = AppendLink { source, ..scene.samples.next_link(&item) };
        append(store, wanted.clone()).await.unwrap();
        let (read, version) = find(store, &scene, &item).await.into_display();
        let (expected, _) = item.append(evidence(&wanted), None, wanted.at).unwrap();
        assert_eq!((read, version), (expected, 2));
    }
}

pub async fn a_link_is_taken_exactly_where_the_domain_takes_it(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut taken = 0;
    for (item, _) in items_of_every_kind(store, &scene).await {
        for source in Source::ALL {
            let seen = find(store, &scene, &item).await;
            let wanted = AppendLink { source: *source, ..scene.samples.next_link(&item) };
            let moved = seen.peek().clone().append(evidence(&wanted), None, wanted.at);
            let legal = moved.is_ok() && ItemStatus::unmoved_by(*source).contains(&seen.peek().status);
            let outcome = append(store, wanted).await;
            let from = (seen.peek().status, seen.peek().head.source, source);
            match outcome {
                Ok(Committed::Applied { links }) => assert!(legal && links.len() == 1, "{from:?} was taken"),
                outcome => assert_eq!((outcome, legal), (Err(StoreError::LinkRefused), false), "{from:?}"),
            }
            taken += u32::from(legal);
        }
        assert_whole(store, &scene, &item).await;
    }
    assert!(taken > 10, "{taken} links were legal");
}

pub async fn a_closed_item_takes_no_link(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [ItemStatus::Settled, ItemStatus::Reverted, ItemStatus::WrittenOff] {
        let (item, chain) = scene.item_in(store, status).await;
        let outcome = append(store, scene.samples.next_link(&item)).await;
        assert_eq!(outcome, Err(StoreError::LinkRefused), "{status}");
        assert_eq!(links(store, &scene, &item).await, chain);
    }
}

pub async fn a_trade_must_change_the_asset_id(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let asset_id = item.current_asset_id().clone();
    let kept = AppendLink { asset_id, source: Source::Transfer, ..scene.samples.next_link(&item) };
    assert_eq!(append(store, kept.clone()).await, Err(StoreError::LinkRefused));
    assert!(append(store, AppendLink { source: Source::Inventory, ..kept }).await.is_ok(), "a snapshot may keep it");
}

pub async fn an_asset_id_may_come_back_in_a_chain(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 3).await;
    let earlier = chain.get(1).unwrap().asset_id.clone();
    append(store, AppendLink { asset_id: earlier.clone(), ..scene.samples.next_link(&item) }).await.unwrap();
    assert_eq!(*find(store, &scene, &item).await.peek().current_asset_id(), earlier);
}

pub async fn an_expected_step_is_held_to(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 3).await;
    for expected in [0, 2, 4] {
        let wanted = AppendLink { expected_step: Some(expected), ..scene.samples.next_link(&item) };
        assert_eq!(append(store, wanted).await, Err(StoreError::LinkRefused), "step {expected}");
    }
    let wanted = AppendLink { expected_step: Some(3), ..scene.samples.next_link(&item) };
    assert!(append(store, wanted).await.is_ok());
}

pub async fn a_link_is_never_dated_before_its_predecessor(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let [late, early] = [minute(9), minute(-9)].map(|at| AppendLink { at, ..scene.samples.next_link(&item) });
    append(store, late).await.unwrap();
    append(store, early).await.unwrap();
    assert_eq!(links(store, &scene, &item).await.last().unwrap().created_at, minute(9));
    assert_eq!(find(store, &scene, &item).await.peek().updated_at, minute(9));
}

pub async fn evidence_recorded_before_answers_its_link(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 4).await;
    let recorded = chain.get(2).unwrap().clone();
    // Even with a step that is long past, because the fact is the same.
    let again = AppendLink {
        asset_id: recorded.asset_id.clone(),
        source_id: recorded.source_id.clone(),
        expected_step: Some(1),
        ..scene.samples.next_link(&item)
    };
    let subject = Subject::InventoryItem(item.id);
    let mut changes = system();
    changes.append_link(again).put(scene.samples.totp(scene.user.id));
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), subject)));
    assert_eq!(store.commit(changes).await, Ok(Committed::AlreadyRecorded(recorded)));
    assert_eq!(links(store, &scene, &item).await, chain);
    assert_eq!(find(store, &scene, &item).await.into_display(), (item, 3), "nothing was written");
    assert_eq!(store.transitions().list_of(scene.scope(), subject, 9).await.unwrap(), []);
    assert!(store.second_factors().find_totp(scene.user.id).await.unwrap().is_none());
}

pub async fn evidence_recorded_with_another_asset_id_is_refused(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 3).await;
    let source_id = chain.last().unwrap().source_id.clone();
    let other = AppendLink { source_id, ..scene.samples.next_link(&item) };
    assert_eq!(append(store, other).await, Err(StoreError::LinkRefused));
    assert_eq!(links(store, &scene, &item).await, chain);
}

pub async fn the_same_evidence_counts_for_each_item(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, chain) = scene.item(store, 3).await;
    let (other, _) = scene.item(store, 2).await;
    let source_id = chain.last().unwrap().source_id.clone();
    let shared = AppendLink { source_id, ..scene.samples.next_link(&other) };
    assert!(append(store, shared).await.is_ok(), "one snapshot shows many items");
    assert_eq!(links(store, &scene, &one).await, chain);
}

pub async fn an_item_that_is_not_there_takes_no_link(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (item, chain) = home.item(store, 2).await;
    let foreign = AppendLink { workspace_id: abroad.id(), ..home.samples.next_link(&item) };
    assert_eq!(append(store, foreign).await, Err(StoreError::LinkRefused));
    let unknown = AppendLink { inventory_item_id: home.samples.id(), ..home.samples.next_link(&item) };
    assert_eq!(append(store, unknown).await, Err(StoreError::LinkRefused));
    assert_eq!(links(store, &home, &item).await, chain);
}

pub async fn an_asset_id_of_another_live_item_is_refused(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (item, _) = home.item(store, 2).await;
    let (rival, _) = home.item(store, 2).await;
    let (foreign, _) = abroad.item(store, 2).await;
    let known_as = |asset_id: &AssetId| AppendLink { asset_id: asset_id.clone(), ..home.samples.next_link(&item) };
    let outcome = append(store, known_as(rival.current_asset_id())).await;
    assert_eq!(outcome, Err(StoreError::Duplicate(Unique::LiveAsset)));
    assert!(append(store, known_as(foreign.current_asset_id())).await.is_ok(), "in another workspace");
}

pub async fn links_to_several_items_are_appended_together(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [(one, _), (other, _)] = [scene.item(store, 2).await, scene.item(store, 3).await];
    let mut changes = system();
    changes.append_link(scene.samples.next_link(&other)).append_link(scene.samples.next_link(&one));
    let Ok(Committed::Applied { links }) = store.commit(changes).await else { panic!("the links were refused") };
    let steps: Vec<_> = links.iter().map(|link| (link.inventory_item_id, link.step)).collect();
    assert_eq!(steps, [(other.id, 3), (one.id, 2)]);
}

pub async fn one_refused_link_refuses_the_set(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [(open, chain), (closed, _)] = [scene.item(store, 2).await, scene.item_in(store, ItemStatus::Settled).await];
    let mut changes = system();
    changes.append_link(scene.samples.next_link(&open)).append_link(scene.samples.next_link(&closed));
    changes.put(scene.samples.totp(scene.user.id));
    assert_eq!(store.commit(changes).await, Err(StoreError::LinkRefused));
    assert_eq!(links(store, &scene, &open).await, chain);
    assert!(store.second_factors().find_totp(scene.user.id).await.unwrap().is_none());
}

pub async fn a_link_that_moves_the_item_is_written_with_its_revision(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let wanted = AppendLink { source: Source::SaleTrade, ..scene.samples.next_link(&item) };
    assert_eq!(append(store, wanted.clone()).await, Err(StoreError::LinkRefused));
    let mut changes = system();
    let mut added = None;
    let moved = changes.revise(find(store, &scene, &item).await, |item| {
        let (item, link) = item.append(evidence(&wanted), None, wanted.at)?;
        added = Some(link.of(item.chain_owner(), wanted.id));
        Ok::<_, tradepost_domain::contracts::inventory_item::ItemError>(item)
    });
    changes.append(AppendedRow::Link(added.unwrap()));
    store.commit(changes).await.unwrap();
    assert_eq!(*find(store, &scene, &item).await.peek(), moved.unwrap().value);
    assert_whole(store, &scene, &item).await;
}

pub async fn an_append_makes_what_was_seen_before_stale(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let stale = find(store, &scene, &item).await;
    append(store, scene.samples.next_link(&item)).await.unwrap();
    assert_eq!(revise(store, stale, |item| item).await, Err(StoreError::Conflict));
}

pub async fn links_are_listed_from_a_step_on(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 5).await;
    scene.item(store, 3).await;
    for (from, limit) in [(0, 50), (0, 2), (2, 2), (4, 1), (5, 9)] {
        let expected: Vec<AssetIdLink> = chain.iter().skip(from as usize).take(limit as usize).cloned().collect();
        let listed = store.items().list_links(scene.scope(), item.id, from, limit).await.unwrap();
        assert_eq!(listed, Some(expected), "from {from}, {limit} of them");
    }
}

/// Writes an item in every status, and one for each other source at its head that no status decides.
async fn items_of_every_kind(store: &dyn Store, scene: &Scene) -> Vec<(InventoryItem, Vec<AssetIdLink>)> {
    let mut items = Vec::new();
    for status in ItemStatus::ALL {
        items.push(scene.item_in(store, *status).await);
    }
    let purchase = scene.purchase(store, PurchaseStatus::Traded).await;
    let (returned, chain) = scene.samples.returned_item(&purchase);
    scene.keep(store, &returned, &chain).await;
    items.push((returned, chain));
    for source in [Source::Inventory, Source::Transfer] {
        let item = scene.item(store, 2).await;
        append(store, AppendLink { source, ..scene.samples.next_link(&item.0) }).await.unwrap();
        items.push(item);
    }
    items
}

/// Appends one link.
pub(crate) async fn append(store: &dyn Store, link: AppendLink) -> StoreResult<Committed> {
    let mut changes = system();
    changes.append_link(link);
    store.commit(changes).await
}

/// Returns the whole chain of an item.
pub(crate) async fn links(store: &dyn Store, scene: &Scene, item: &InventoryItem) -> Vec<AssetIdLink> {
    store.items().list_links(scene.scope(), item.id, 0, 1_000).await.unwrap().unwrap()
}

/// Checks a stored chain by every law of the domain.
pub(crate) async fn assert_whole(store: &dyn Store, scene: &Scene, item: &InventoryItem) {
    let item = find(store, scene, item).await.into_display().0;
    let problems = verify(&links(store, scene, &item).await, item.chain_owner(), &item.head);
    assert_eq!(problems, []);
}

async fn find(store: &dyn Store, scene: &Scene, item: &InventoryItem) -> Seen<InventoryItem> {
    store.items().find(scene.scope(), item.id).await.unwrap().unwrap()
}

fn evidence(link: &AppendLink) -> Evidence {
    Evidence { asset_id: link.asset_id.clone(), source: link.source, source_id: link.source_id.clone() }
}

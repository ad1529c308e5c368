//! Promises about lists with filters: each filter and each two of them give what meets them, page by page, in the order of the list.

use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, Lock, LockKind};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{Id, InventoryItemId, PurchaseId};
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::store::{
    AFTER_ALL_NAMES, ItemFilter, ItemLock, NameFilter, NameList, NameQuery, NamedRecord, Page, PageRequest,
    PurchaseFilter, StatusCounts, Store, StoreResult,
};

use crate::samples::{Scene, minute, text};
use crate::store_contract::insert;

const NAMES: [&str; 3] = ["AK-47 | Redline (Field-Tested)", "AK-47 | Redline (Minimal Wear)", "Gallery Case"];
const PENDING: &[PurchaseStatus] = &[PurchaseStatus::Pending];
const OPEN: &[PurchaseStatus] = &[PurchaseStatus::Pending, PurchaseStatus::Paid, PurchaseStatus::Traded];

/// Purchases of three names, two marketplaces, two accounts, two contracts and three statuses. Those that were written last were not
/// recorded last: the market's clock is not the server's.
async fn purchases(store: &dyn Store, scene: &Scene) -> Vec<Purchase> {
    let other = scene.samples.contract(scene.id());
    insert(store, [other.clone().into()]).await.unwrap();
    let mut made = Vec::new();
    for number in 0..18_usize {
        let contract = if number % 3 == 0 { other.id } else { scene.contract.id };
        let status = OPEN[number % OPEN.len()];
        let mut parts = scene.samples.purchase(scene.id(), contract, status).into_parts();
        parts.terms.market_hash_name = text(NAMES[number / 2 % NAMES.len()]);
        parts.terms.marketplace = text(if number % 2 == 0 { "csfloat" } else { "skinport" });
        parts.terms.account_name = text(if number % 5 < 3 { "trader-1" } else { "trader-2" });
        // Two purchases of the same time are in the order of their ids.
        parts.created_at = minute(i64::try_from(number * 7 % 18 / 2).unwrap());
        parts.updated_at = minute(100);
        let purchase = Purchase::restore(parts).unwrap();
        insert(store, [purchase.clone().into()]).await.unwrap();
        made.push(purchase);
    }
    made
}

/// The filters by one thing, each with what it accepts.
fn parts<'a>(
    scene: &Scene,
    names: &'a [MarketHashName],
    search: &'a NameSearch,
    texts: &'a [tradepost_domain::text::Marketplace; 2],
) -> Vec<PurchaseFilter<'a>> {
    let all = PurchaseFilter::default();
    vec![
        all,
        PurchaseFilter { contract_id: Some(scene.contract.id), ..all },
        PurchaseFilter { statuses: PENDING, ..all },
        PurchaseFilter { statuses: OPEN, ..all },
        PurchaseFilter { names: NameFilter::OneOf(&names[..1]), ..all },
        PurchaseFilter { names: NameFilter::OneOf(names), ..all },
        PurchaseFilter { names: NameFilter::OneOf(&[]), ..all },
        PurchaseFilter { names: NameFilter::Containing(search), ..all },
        PurchaseFilter { marketplace: Some(&texts[0]), ..all },
        PurchaseFilter { account_name: Some(&texts[1]), ..all },
        PurchaseFilter { from: Some(minute(3)), ..all },
        PurchaseFilter { to: Some(minute(6)), ..all },
        PurchaseFilter { from: Some(minute(2)), to: Some(minute(5)), ..all },
    ]
}

fn both<'a>(one: PurchaseFilter<'a>, other: PurchaseFilter<'a>) -> PurchaseFilter<'a> {
    PurchaseFilter {
        contract_id: one.contract_id.or(other.contract_id),
        statuses: if one.statuses.is_empty() { other.statuses } else { one.statuses },
        names: if one.names == NameFilter::Any { other.names } else { one.names },
        marketplace: one.marketplace.or(other.marketplace),
        account_name: one.account_name.or(other.account_name),
        from: one.from.or(other.from),
        to: one.to.or(other.to),
    }
}

pub async fn purchases_are_listed_and_counted_by_every_two_filters(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut made = purchases(store, &scene).await;
    let abroad = Scene::founded(store, 2).await;
    insert(store, [abroad.new_purchase(PurchaseStatus::Pending).into()]).await.unwrap();
    let (names, search) = (NAMES[1..].iter().map(|name| text(name)).collect::<Vec<_>>(), search("redline ak"));
    let texts = [text("csfloat"), text("trader-2")];
    let parts = parts(&scene, &names, &search, &texts);
    for filter in parts.iter().flat_map(|one| parts.iter().map(|other| both(*one, *other))) {
        made.sort_by_key(|purchase| {
            let at = filter.is_by_time().then_some(purchase.created_at);
            std::cmp::Reverse((at, purchase.terms.id))
        });
        let wanted = |purchase: &&Purchase| filter.is_met_by(purchase);
        let expected: Vec<PurchaseId> = made.iter().filter(wanted).map(|purchase| purchase.terms.id).collect();
        let listed = pages(async |page| store.purchases().list(scene.scope(), filter, page).await).await;
        assert_eq!(listed, expected, "{filter:?}");
        let counts = store.purchases().count(scene.scope(), filter).await.unwrap();
        let statuses = made.iter().filter(wanted).map(|purchase| purchase.status.code());
        assert_eq!(sorted(counts), (counted(statuses), false), "{filter:?}");
    }
}

pub async fn items_are_listed_and_counted_by_every_two_filters(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut made = items(store, &scene).await;
    let (names, search) = (NAMES[1..].iter().map(|name| text(name)).collect::<Vec<_>>(), search("case"));
    let (place, account, all) = (text("skinport"), text("trader-2"), ItemFilter::default());
    let listed = &[ItemStatus::Listing, ItemStatus::Listed];
    let parts = [
        all,
        ItemFilter { contract_id: Some(scene.contract.id), ..all },
        ItemFilter { statuses: listed, ..all },
        ItemFilter { names: NameFilter::OneOf(&names), ..all },
        ItemFilter { names: NameFilter::Containing(&search), ..all },
        ItemFilter { account_name: Some(&account), ..all },
        ItemFilter { sale_marketplace: Some(&place), ..all },
        ItemFilter { lock: Some(ItemLock::LockedAt(minute(5))), ..all },
        ItemFilter { lock: Some(ItemLock::FreeAt(minute(5))), ..all },
    ];
    for (one, other) in parts.iter().flat_map(|one| parts.iter().map(move |other| (one, other))) {
        let filter = ItemFilter {
            contract_id: one.contract_id.or(other.contract_id),
            statuses: if one.statuses.is_empty() { other.statuses } else { one.statuses },
            names: if one.names == NameFilter::Any { other.names } else { one.names },
            account_name: one.account_name.or(other.account_name),
            sale_marketplace: one.sale_marketplace.or(other.sale_marketplace),
            lock: one.lock.or(other.lock),
        };
        made.sort_by_key(|item| {
            let until = item.lock.filter(|_| filter.is_by_lock()).map(|lock| lock.until);
            std::cmp::Reverse((until, item.id))
        });
        let wanted = |item: &&InventoryItem| filter.is_met_by(item);
        let expected: Vec<InventoryItemId> = made.iter().filter(wanted).map(|item| item.id).collect();
        let listed = pages(async |page| store.items().list(scene.scope(), filter, page).await).await;
        assert_eq!(listed, expected, "{filter:?}");
        let counts = store.items().count(scene.scope(), filter).await.unwrap();
        let statuses = made.iter().filter(wanted).map(|item| item.status.code());
        assert_eq!(sorted(counts), (counted(statuses), false), "{filter:?}");
    }
}

/// Items of three names in four statuses, of which some are or were locked.
async fn items(store: &dyn Store, scene: &Scene) -> Vec<InventoryItem> {
    let statuses = [ItemStatus::InInventory, ItemStatus::Listing, ItemStatus::Listed, ItemStatus::Sold];
    let mut made = Vec::new();
    for number in 0..16_usize {
        let mut parts = scene.new_purchase(PurchaseStatus::Traded).into_parts();
        parts.terms.market_hash_name = text(NAMES[number % NAMES.len()]);
        parts.terms.account_name = text(if number % 5 < 3 { "trader-1" } else { "trader-2" });
        let purchase = Purchase::restore(parts).unwrap();
        insert(store, [purchase.clone().into()]).await.unwrap();
        let (item, chain) = scene.samples.item_in(&purchase, statuses[number / 2 % statuses.len()]);
        let mut parts = item.into_parts();
        let until = minute(i64::try_from(number * 5 % 16).unwrap());
        parts.lock = (number % 4 != 0).then_some(Lock { kind: LockKind::TradeProtection, until });
        let item = InventoryItem::restore(parts).unwrap();
        scene.keep(store, &item, &chain).await;
        made.push(item);
    }
    made
}

pub async fn names_of_records_are_read_once_each_in_their_order(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    purchases(store, &scene).await;
    items(store, &scene).await;
    let (ak, ak_too, case) = (text(NAMES[0]), text(NAMES[1]), text(NAMES[2]));
    let list = async |of, from, before, search: Option<&str>, most| {
        let search = search.map(|text| NameSearch::new(text).unwrap());
        let query = NameQuery { from, before, begins: None, search: search.as_ref(), most };
        store.item_names().list_names(scene.scope(), of, query).await.unwrap()
    };
    let all = |names: Vec<MarketHashName>| NameList { names, complete: true };
    let every = all(vec![ak.clone(), ak_too.clone(), case.clone()]);
    for of in [NamedRecord::Purchase, NamedRecord::Item] {
        assert_eq!(list(of, "", AFTER_ALL_NAMES, None, 50).await, every, "{of:?}");
        assert_eq!(list(of, "", AFTER_ALL_NAMES, None, 3).await, every, "{of:?}");
        let first = NameList { names: vec![ak.clone(), ak_too.clone()], complete: false };
        assert_eq!(list(of, "", AFTER_ALL_NAMES, None, 2).await, first, "{of:?}");
        assert_eq!(list(of, "", AFTER_ALL_NAMES, Some("MINIMAL ak"), 1).await, all(vec![ak_too.clone()]), "{of:?}");
        assert_eq!(list(of, "B", "H", None, 50).await, all(vec![case.clone()]), "{of:?}");
        assert_eq!(list(of, "", AFTER_ALL_NAMES, Some("karambit"), 50).await, all(vec![]), "{of:?}");
    }
    let query = NameQuery { from: "G", before: "H", begins: Some("gallery c"), search: None, most: 1 };
    let list_of_prefix = store.item_names().list_names(scene.scope(), NamedRecord::Item, query).await.unwrap();
    assert_eq!(list_of_prefix, all(vec![case]));
    assert_eq!(list(NamedRecord::Quote, "", AFTER_ALL_NAMES, None, 50).await, all(vec![]));
    assert_eq!(list(NamedRecord::Candle, "", AFTER_ALL_NAMES, None, 50).await, all(vec![]));
}

fn search(text: &str) -> NameSearch {
    NameSearch::new(text).unwrap()
}

/// Returns what all pages have together.
async fn pages<K>(list: impl AsyncFn(PageRequest<K>) -> StoreResult<Page<K>>) -> Vec<Id<K>> {
    let (mut before, mut all) = (None, Vec::new());
    for _ in 0..50 {
        let page = list(PageRequest { before, limit: 4 }).await.unwrap();
        before = page.next();
        all.extend(page.ids);
        if before.is_none() {
            return all;
        }
    }
    panic!("fifty pages, and still more");
}

fn sorted(mut counted: StatusCounts) -> (Vec<(i16, i64)>, bool) {
    counted.counts.retain(|(_, count)| *count > 0);
    counted.counts.sort_unstable();
    (counted.counts, counted.truncated)
}

fn counted(statuses: impl Iterator<Item = i16>) -> Vec<(i16, i64)> {
    let mut counts = std::collections::BTreeMap::new();
    statuses.for_each(|status| *counts.entry(status).or_default() += 1);
    counts.into_iter().collect()
}

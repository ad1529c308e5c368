//! Promises about contracts, purchases and items: they are read back as they were written, and only at home.

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{
    ApprovalMode, BasisPoints, BuyingTerms, ClosingReason, Contract, ContractParts, ContractStatus, ContractType,
    Counters, PriceReference, PriceStatistic, SellingTerms, Terms, Undercut,
};
use tradepost_domain::contracts::intent::{Intent, IntentTerms, ListingTarget, Moment, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemParts, ItemStatus, Traits};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus, PurchaseTerms};
use tradepost_domain::markets::listing::{Rarity, Sticker};
use tradepost_domain::money::Cents;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{ContractFilter, ItemFilter, NameFilter, PageRequest, PurchaseFilter, Store};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, value, values};

pub async fn a_contract_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in ContractStatus::ALL {
        let contract = contract_in(&scene, *status);
        insert(store, [contract.clone().into()]).await.unwrap();
        let read = value(store.contracts().find(scene.scope(), contract.id).await.unwrap());
        assert_eq!(read, Some(contract), "{status}");
    }
}

pub async fn a_contract_with_every_field_set_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for terms in [Terms::Buying(buying_in_full()), Terms::Selling(selling_in_full())] {
        let price_reference = PriceReference {
            sources: vec![text("skinport"), text("csfloat")],
            statistic: PriceStatistic::Sales7d,
            max_age_seconds: 900,
            min_confidence: BasisPoints::MAX,
        };
        let parts = ContractParts {
            terms,
            filter_set_id: Some(scene.samples.id()),
            pool_id: Some(scene.samples.id()),
            approval_mode: ApprovalMode::DryRun,
            marketplaces: vec![text("dmarket"), text("csfloat")],
            price_reference: Some(price_reference),
            starts_at: Some(minute(1)),
            ends_at: Some(minute(2)),
            counters: Counters { filled_quantity: 1, open_quantity: 2, spent: cents(3), reserved: cents(4) },
            updated_at: minute(3),
            ..scene.samples.contract(scene.id()).into_parts()
        };
        let contract = Contract::restore(parts).unwrap();
        insert(store, [contract.clone().into()]).await.unwrap();
        assert_eq!(value(store.contracts().find(scene.scope(), contract.id).await.unwrap()), Some(contract));
    }
}

pub async fn a_purchase_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in PurchaseStatus::ALL {
        let purchase = scene.purchase(store, *status).await;
        let read = value(store.purchases().find(scene.scope(), purchase.terms.id).await.unwrap());
        assert_eq!(read, Some(purchase), "{status}");
    }
}

pub async fn a_purchase_for_an_intent_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let intent_id = Some(scene.samples.id());
    let terms = PurchaseTerms { intent_id, ..scene.samples.purchase_terms(scene.id(), scene.contract.id) };
    let purchase = Purchase::record(terms, start()).unwrap();
    insert(store, [purchase.clone().into()]).await.unwrap();
    assert_eq!(value(store.purchases().find(scene.scope(), purchase.terms.id).await.unwrap()), Some(purchase));
}

pub async fn an_asset_id_is_found_in_its_chain(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (item, chain) = home.item(store, 3).await;
    for link in &chain {
        let found = store.items().find_link_of_asset(home.scope(), &link.asset_id).await.unwrap();
        assert_eq!(found, Some((item.id, link.step)));
        assert_eq!(store.items().find_link_of_asset(abroad.scope(), &link.asset_id).await.unwrap(), None);
    }
    assert_eq!(store.items().find_link_of_asset(home.scope(), &home.samples.asset_id()).await.unwrap(), None);
}

pub async fn an_imported_item_is_read_back_whole_and_counted_by_no_contract(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for price in [None, Some(0), Some(1_190)] {
        let records = scene.samples.imported_item(scene.id(), price);
        insert(store, [records.purchase.clone().into()]).await.unwrap();
        scene.keep(store, &records.item, std::slice::from_ref(&records.link)).await;
        let (purchase, item) = (records.purchase.terms.id, records.item.id);
        let read = value(store.purchases().find(scene.scope(), purchase).await.unwrap());
        assert_eq!(read, Some(records.purchase), "{price:?}");
        assert_eq!(value(store.items().find(scene.scope(), item).await.unwrap()), Some(records.item));
        assert_eq!(store.items().list_links(scene.scope(), item, 0, 9).await.unwrap(), Some(vec![records.link]));
    }
    for kind in [Kind::Purchase, Kind::InventoryItem] {
        let counted = store.counters().by_status(scene.scope(), kind, None).await.unwrap();
        assert_eq!(counted.iter().map(|(_, many)| *many).sum::<i64>(), 3);
    }
}

pub async fn an_item_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in ItemStatus::ALL {
        let (item, chain) = scene.item_in(store, *status).await;
        let id = item.id;
        assert_eq!(value(store.items().find(scene.scope(), id).await.unwrap()), Some(item), "{status}");
        assert_eq!(store.items().list_links(scene.scope(), id, 0, 50).await.unwrap(), Some(chain), "{status}");
    }
}

pub async fn an_item_with_every_trait_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let purchase = scene.purchase(store, PurchaseStatus::Traded).await;
    let wear = tradepost_domain::asset::Wear::new("0.071234567890123456").unwrap();
    let sticker = |name, wear: Option<&str>| Sticker { name: text(name), wear: wear.map(|wear| wear.parse().unwrap()) };
    let traits = Traits {
        wear: Some(wear),
        paint_seed: Some(u32::MAX),
        phase: Some(text("Phase 2")),
        rarity: Some(Rarity::Covert),
        paint_index: Some(u32::MAX),
        stickers: Some(vec![sticker("Sticker | Crown (Foil)", Some("0.25")), sticker("Sticker | Nelu the Bear", None)]),
        charms: Some(Vec::new()),
    };
    let parts = ItemParts { traits: traits.clone(), lock: None, ..scene.samples.item(&purchase).0.into_parts() };
    let item = InventoryItem::restore(parts).unwrap();
    insert(store, [item.clone().into()]).await.unwrap();
    assert_eq!(value(store.items().find(scene.scope(), item.id).await.unwrap()), Some(item));
    let app_id = AppId::new(252_490).unwrap();
    let listed = scene.samples.purchase_terms(scene.id(), scene.contract.id);
    let terms = PurchaseTerms { app_id, traits: Box::new(traits.clone()), ..listed };
    let purchase = Purchase::record(terms, start()).unwrap();
    insert(store, [purchase.clone().into()]).await.unwrap();
    assert_eq!(value(store.purchases().find(scene.scope(), purchase.terms.id).await.unwrap()), Some(purchase));
    let listing = ListingTarget { traits: Box::new(traits), ..scene.samples.listing_target() };
    let terms =
        IntentTerms { target: Target::Listing(listing), ..scene.samples.intent_terms(scene.id(), scene.contract.id) };
    let intent = Intent::propose(terms, Moment::of(start())).unwrap();
    insert(store, [intent.clone().into()]).await.unwrap();
    assert_eq!(value(store.intents().find(scene.scope(), intent.terms.id).await.unwrap()), Some(intent));
}

pub async fn an_item_is_found_by_its_purchase(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (item, _) = home.item(store, 2).await;
    home.item(store, 2).await;
    let pending = home.purchase(store, PurchaseStatus::Pending).await;
    let found = store.items().find_of_purchase(home.scope(), item.purchase_id).await.unwrap();
    assert_eq!(value(found), Some(item.clone()));
    assert_eq!(value(store.items().find_of_purchase(home.scope(), pending.terms.id).await.unwrap()), None);
    assert_eq!(value(store.items().find_of_purchase(abroad.scope(), item.purchase_id).await.unwrap()), None);
}

pub async fn a_purchase_is_found_by_its_order(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    home.purchase(store, PurchaseStatus::Pending).await;
    let paid = home.purchase(store, PurchaseStatus::Paid).await;
    let order_id = &paid.progress.order.as_ref().unwrap().id;
    let found = async |scene: &Scene, marketplace: &str, order_id| {
        value(store.purchases().find_of_order(scene.scope(), &text(marketplace), order_id).await.unwrap())
    };
    let (marketplace, unknown) = (paid.terms.marketplace.as_str(), text("unknown"));
    assert_eq!(found(&home, marketplace, order_id).await, Some(paid.clone()));
    assert_eq!(found(&home, "elsewhere", order_id).await, None);
    assert_eq!(found(&home, marketplace, &unknown).await, None);
    assert_eq!(found(&abroad, marketplace, order_id).await, None);
}

pub async fn trading_records_of_another_workspace_are_never_seen(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (item, _) = abroad.item(store, 3).await;
    let (scope, contract, purchase) = (home.scope(), abroad.contract.id, item.purchase_id);
    assert_eq!(value(store.contracts().find(scope, contract).await.unwrap()), None);
    assert_eq!(value(store.purchases().find(scope, purchase).await.unwrap()), None);
    assert_eq!(value(store.items().find(scope, item.id).await.unwrap()), None);
    assert_eq!(store.items().list_links(scope, item.id, 0, 50).await.unwrap(), None);
    assert_eq!(values(store.contracts().find_many(scope, &[contract]).await.unwrap()), []);
    assert_eq!(values(store.purchases().find_many(scope, &[purchase]).await.unwrap()), []);
    assert_eq!(values(store.items().find_many(scope, &[item.id]).await.unwrap()), []);
    let of_contract = PurchaseFilter { contract_id: Some(contract), ..PurchaseFilter::default() };
    assert_eq!(store.purchases().list(scope, of_contract, all()).await.unwrap().ids, []);
    let of_contract = ItemFilter { contract_id: Some(contract), ..ItemFilter::default() };
    assert_eq!(store.items().list(scope, of_contract, all()).await.unwrap().ids, []);
}

pub async fn unknown_trading_records_are_none(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (scope, samples) = (scene.scope(), &scene.samples);
    assert_eq!(value(store.contracts().find(scope, samples.id()).await.unwrap()), None);
    assert_eq!(value(store.purchases().find(scope, samples.id()).await.unwrap()), None);
    assert_eq!(value(store.items().find(scope, samples.id()).await.unwrap()), None);
    assert_eq!(store.items().list_links(scope, samples.id(), 0, 50).await.unwrap(), None);
}

pub async fn several_trading_records_leave_out_what_is_not_there(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [one, other] = [scene.item(store, 2).await.0, scene.item(store, 2).await.0];
    let (scope, samples) = (scene.scope(), &scene.samples);
    let mut items = values(store.items().find_many(scope, &[other.id, samples.id(), one.id]).await.unwrap());
    items.sort_by_key(|item| item.id);
    assert_eq!(items, [one.clone(), other.clone()]);
    let ids = [other.purchase_id, samples.id(), one.purchase_id];
    let purchases = values(store.purchases().find_many(scope, &ids).await.unwrap());
    let mut found: Vec<_> = purchases.iter().map(|purchase| purchase.terms.id).collect();
    found.sort_unstable();
    assert_eq!(found, [one.purchase_id, other.purchase_id]);
    let contracts = values(store.contracts().find_many(scope, &[samples.id(), scene.contract.id]).await.unwrap());
    assert_eq!(contracts, [scene.contract]);
    assert_eq!(values(store.items().find_many(scope, &[]).await.unwrap()), []);
}

pub async fn contracts_are_listed_by_type_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut made = vec![scene.contract.clone()];
    for status in [ContractStatus::Draft, ContractStatus::Active, ContractStatus::Cancelled] {
        made.push(contract_in(&scene, status));
    }
    made.push(scene.samples.selling_contract(scene.id()));
    for contract in made.iter().skip(1) {
        insert(store, [contract.clone().into()]).await.unwrap();
    }
    for contract_type in [None, Some(ContractType::Buying), Some(ContractType::Selling)] {
        for status in [None, Some(ContractStatus::Draft), Some(ContractStatus::Active), Some(ContractStatus::Expired)] {
            let wanted = |contract: &&Contract| {
                contract_type.is_none_or(|wanted| contract.contract_type() == wanted)
                    && status.is_none_or(|wanted| contract.status == wanted)
            };
            let newest_first: Vec<_> = made.iter().rev().filter(wanted).map(|contract| contract.id).collect();
            let listed = store.contracts().list(scene.scope(), ContractFilter { contract_type, status }, all()).await;
            assert_eq!(listed.unwrap().ids, newest_first, "{contract_type:?} {status:?}");
        }
    }
}

pub async fn purchases_are_listed_by_contract_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other = scene.samples.contract(scene.id());
    insert(store, [other.clone().into()]).await.unwrap();
    let mut made = Vec::new();
    for contract in [scene.contract.id, other.id, scene.contract.id] {
        for status in [PurchaseStatus::Pending, PurchaseStatus::Settled] {
            let purchase = scene.samples.purchase(scene.id(), contract, status);
            insert(store, [purchase.clone().into()]).await.unwrap();
            made.push(purchase);
        }
    }
    for contract_id in [None, Some(scene.contract.id), Some(other.id), Some(scene.samples.id())] {
        for status in [None, Some(PurchaseStatus::Pending), Some(PurchaseStatus::Settled), Some(PurchaseStatus::Failed)]
        {
            let wanted = |purchase: &&Purchase| {
                contract_id.is_none_or(|wanted| purchase.terms.contract_id == Some(wanted))
                    && status.is_none_or(|wanted| purchase.status == wanted)
            };
            let newest_first: Vec<_> = made.iter().rev().filter(wanted).map(|purchase| purchase.terms.id).collect();
            let filter = PurchaseFilter { contract_id, statuses: status.as_slice(), ..PurchaseFilter::default() };
            let listed = store.purchases().list(scene.scope(), filter, all()).await;
            assert_eq!(listed.unwrap().ids, newest_first, "{contract_id:?} {status:?}");
        }
    }
}

pub async fn items_are_listed_by_contract_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other = scene.samples.contract(scene.id());
    insert(store, [other.clone().into()]).await.unwrap();
    let mut made = Vec::new();
    for contract in [scene.contract.id, other.id] {
        for status in [ItemStatus::InInventory, ItemStatus::Sold] {
            let purchase = scene.samples.purchase(scene.id(), contract, PurchaseStatus::Traded);
            insert(store, [purchase.clone().into()]).await.unwrap();
            let (item, chain) = scene.samples.item_in(&purchase, status);
            scene.keep(store, &item, &chain).await;
            made.push(item);
        }
    }
    for contract_id in [None, Some(scene.contract.id), Some(other.id), Some(scene.samples.id())] {
        for status in [None, Some(ItemStatus::InInventory), Some(ItemStatus::Sold), Some(ItemStatus::Missing)] {
            let wanted = |item: &&InventoryItem| {
                contract_id.is_none_or(|wanted| item.contract_id == Some(wanted))
                    && status.is_none_or(|wanted| item.status == wanted)
            };
            let newest_first: Vec<_> = made.iter().rev().filter(wanted).map(|item| item.id).collect();
            let filter = ItemFilter { contract_id, statuses: status.as_slice(), ..ItemFilter::default() };
            let listed = store.items().list(scene.scope(), filter, all()).await;
            assert_eq!(listed.unwrap().ids, newest_first, "{contract_id:?} {status:?}");
        }
    }
}

pub async fn items_are_listed_by_name_and_account(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let names = [text("AK-47 | Redline (Field-Tested)"), text("Gallery Case")];
    let accounts = [text("trader-1"), text("trader-2")];
    let mut made = Vec::new();
    for name in &names {
        for account in &accounts {
            let mut parts = scene.new_purchase(PurchaseStatus::Traded).into_parts();
            (parts.terms.market_hash_name, parts.terms.account_name) = (name.clone(), account.clone());
            let purchase = Purchase::restore(parts).unwrap();
            insert(store, [purchase.clone().into()]).await.unwrap();
            let (item, chain) = scene.samples.item(&purchase);
            scene.keep(store, &item, &chain).await;
            made.push(item);
        }
    }
    let (unknown_name, unknown_account) = (text("Gallery"), text("trader-3"));
    for market_hash_name in names.iter().chain([&unknown_name]).map(Some).chain([None]) {
        for account_name in accounts.iter().chain([&unknown_account]).map(Some).chain([None]) {
            let wanted = |item: &&InventoryItem| {
                market_hash_name.is_none_or(|wanted| item.market_hash_name == *wanted)
                    && account_name.is_none_or(|wanted| item.account_name == *wanted)
            };
            let newest_first: Vec<_> = made.iter().rev().filter(wanted).map(|item| item.id).collect();
            let names = market_hash_name.map_or(NameFilter::Any, |name| NameFilter::OneOf(std::slice::from_ref(name)));
            let filter = ItemFilter { names, account_name, ..ItemFilter::default() };
            let listed = store.items().list(scene.scope(), filter, all()).await;
            assert_eq!(listed.unwrap().ids, newest_first, "{market_hash_name:?} {account_name:?}");
        }
    }
}

fn all<K>() -> PageRequest<K> {
    PageRequest { before: None, limit: 50 }
}

fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

fn contract_in(scene: &Scene, status: ContractStatus) -> Contract {
    use ContractStatus as Is;
    let closing_reason = match status {
        Is::Draft | Is::Active | Is::Paused | Is::Suspended => None,
        Is::Closing | Is::Cancelled => Some(ClosingReason::Cancelled),
        Is::Completed => Some(ClosingReason::QuantityReached),
        Is::Expired => Some(ClosingReason::Ended),
    };
    let status_reason = matches!(status, Is::Paused | Is::Suspended).then(|| text("prices are stale"));
    let parts = scene.samples.contract(scene.id()).into_parts();
    Contract::restore(ContractParts { status, status_reason, closing_reason, ..parts }).unwrap()
}

fn buying_in_full() -> BuyingTerms {
    let share = |points| Some(BasisPoints::new(points).unwrap());
    BuyingTerms {
        target_quantity: u32::MAX,
        max_buy_price: cents(1_500),
        budget: Cents::MAX,
        daily_budget: Some(cents(9_000)),
        max_daily_loss: Some(cents(900)),
        min_discount: share(1),
        min_expected_margin: share(2),
        max_per_item_name: Some(3),
        max_open_purchases: Some(4),
        cooldown_seconds: Some(5),
        max_trade_lock_days: Some(6),
        min_liquidity_score: Some(7),
        min_seller_success: share(8),
    }
}

fn selling_in_full() -> SellingTerms {
    SellingTerms {
        floor_price: cents(900),
        min_margin: Some(BasisPoints::MAX),
        undercut: Some(Undercut::Amount(cents(1))),
        ceiling_price: Some(cents(901)),
        reprice_interval_seconds: Some(60),
        max_listings: Some(10),
        max_below_value: Some(BasisPoints::new(400).unwrap()),
        max_above_value: Some(BasisPoints::MAX),
    }
}

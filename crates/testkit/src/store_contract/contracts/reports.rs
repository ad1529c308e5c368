//! Promises about the sums of the ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::contracts::inventory_item::{ItemStatus, Proceeds, SaleElsewhere, SalePlace};
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::posting::of_sale_elsewhere;
use tradepost_domain::contracts::ledger::report::{
    Attribution, Figures, GroupKey, Grouping, ReportFilter, Span, ZoneDays, day_of,
};
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting, Trade};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::ContractId;
use tradepost_domain::money::{Cents, SignedCents};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::store::{FlowQuery, ReportQuery, Store};

use crate::fakes::SequentialIds;
use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, system};

const DAY: i64 = 24 * 60;

/// Returns an entry that settles a sale, with every field by which reports separate their rows.
fn settled(scene: &Scene, at: Timestamp, realised: i64, of: impl FnOnce(&mut Trade)) -> LedgerEntry {
    let settled = scene.samples.settled(&scene.new_purchase(PurchaseStatus::Traded), realised, at);
    let mut trade = settled.trade.unwrap();
    of(&mut trade);
    LedgerEntry { trade: Some(trade), ..settled }
}

/// Returns entries of several days, contracts, pools, accounts, marketplaces and items.
fn entries(scene: &Scene) -> Vec<LedgerEntry> {
    let (contract, seller): (ContractId, ContractId) = (scene.samples.id(), scene.samples.id());
    let place = |marketplace: &str, contract_id| Some(SalePlace { marketplace: text(marketplace), contract_id });
    let pool = Some(scene.samples.id());
    vec![
        settled(scene, minute(0), 205, |trade| trade.sale = place("skinport", Some(seller))),
        settled(scene, minute(1), 10, |trade| trade.sale = place("skinport", None)),
        settled(scene, minute(2), -70, |trade| trade.account_name = text("trader-2")),
        settled(scene, minute(DAY), 15, |trade| trade.market_hash_name = text("AWP | Asiimov (Battle-Scarred)")),
        settled(scene, minute(DAY + 1), 40, |trade| trade.contract_id = Some(contract)),
        settled(scene, minute(DAY + 2), 33, |trade| trade.contract_id = None),
        LedgerEntry { pool_id: pool, ..settled(scene, minute(2 * DAY), 500, |_| ()) },
        settled(scene, minute(2 * DAY), 7, |trade| trade.marketplace = text("dmarket")),
        scene.samples.booked(pool, &scene.new_purchase(PurchaseStatus::WrittenOff)),
        scene.samples.booked(None, &scene.new_purchase(PurchaseStatus::Pending)),
        scene.samples.ledger_entry(scene.id(), pool),
    ]
}

async fn write(store: &dyn Store, entries: &[LedgerEntry]) {
    // Some together and some alone, as in commits.
    for several in entries.chunks(3) {
        let mut changes = system();
        for entry in several {
            changes.append(AppendedRow::Ledger(entry.clone()));
        }
        store.commit(changes).await.unwrap();
    }
}

/// Returns the sums of the entries of some days, by the moments at which these begin.
fn added_up(entries: &[LedgerEntry], query: ReportQuery<'_>) -> Vec<(GroupKey, Figures)> {
    let (begins, ends) = (query.start_of(query.from_day), query.start_of(query.to_day));
    let mut sums: BTreeMap<GroupKey, Figures> = BTreeMap::new();
    for entry in entries {
        let Some(of) = Attribution::of(entry).filter(|of| query.filter.takes(of)) else { continue };
        let figures = Figures::of(entry);
        let counted =
            if entry.at < begins { Figures { pending: figures.pending, ..Figures::default() } } else { figures };
        if entry.at < ends {
            let sum = sums.entry(of.key(query.grouping)).or_default();
            *sum = sum.plus(counted);
        }
    }
    sums.retain(|_, sum| *sum != Figures::default());
    sums.into_iter().collect()
}

fn query(grouping: Grouping, filter: &ReportFilter, days: Range<i64>) -> ReportQuery<'_> {
    let first = day_of(minute(0));
    let breakdown = filter.breakdown(grouping).unwrap();
    ReportQuery { breakdown, grouping, filter, from_day: first + days.start, to_day: first + days.end, starts: &[] }
}

const SPANS: [Range<i64>; 6] = [-9..9, 0..1, 1..2, 1..9, -3..0, 3..9];

pub async fn days_come_to_what_their_entries_do(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let entries = entries(&home);
    write(store, &entries).await;
    write(store, &[settled(&abroad, minute(0), 1_000_000, |_| ())]).await;
    let all = ReportFilter::default();
    for grouping in Grouping::ALL {
        for days in SPANS {
            let query = query(*grouping, &all, days.clone());
            let reported = store.reports().sum_figures(home.scope(), query, 100).await.unwrap();
            assert_eq!(reported, added_up(&entries, query), "{grouping} {days:?}");
        }
    }
    let by_account = query(Grouping::Account, &all, -9..9);
    let first = store.reports().sum_figures(home.scope(), by_account, 1).await.unwrap();
    assert_eq!(first, added_up(&entries, by_account)[..1], "as many as are asked for, the first by their keys");
    earned_is_what_entries_say(store, &home, &entries).await;
}

/// Checks that the final profit of each contract on a day is the sum of its entries.
async fn earned_is_what_entries_say(store: &dyn Store, scene: &Scene, entries: &[LedgerEntry]) {
    let contracts: BTreeSet<ContractId> =
        entries.iter().filter_map(|entry| entry.trade.as_ref()).filter_map(|trade| trade.contract_id).collect();
    let mut signs = BTreeSet::new();
    for contract in &contracts {
        for day in 0..4 {
            let filter = ReportFilter { contract_id: Some(*contract), ..ReportFilter::default() };
            let query = query(Grouping::Nothing, &filter, day..day + 1);
            let expected = added_up(entries, query).first().map_or(0, |(_, figures)| figures.earned());
            let reported = store.reports().sum_earned(scene.scope(), *contract, query.from_day).await.unwrap();
            assert_eq!(reported, expected, "day {day}");
            signs.insert(expected.signum());
        }
    }
    assert_eq!((contracts.len(), signs.len()), (2, 3), "two contracts with profits, losses and days without either");
}

pub async fn a_sale_elsewhere_counts_for_its_day_and_not_for_what_its_contract_earned(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (own, _) = scene.item_in(store, ItemStatus::Settled).await;
    let purchase = scene.purchase(store, PurchaseStatus::Traded).await;
    let (item, mut chain) = scene.samples.item_in(&purchase, ItemStatus::InInventory);
    let [sell_price, sale_fee] = [300, 15].map(|cents| Cents::new(cents).unwrap());
    let sale = SaleElsewhere {
        marketplace: text("skinport"),
        proceeds: Proceeds::new(sell_price, sale_fee).unwrap(),
        order_id: None,
        sold_at: minute(8 * DAY),
    };
    let (sold, ended) = item.sell_elsewhere(&sale, scene.samples.external_id(), minute(9 * DAY)).unwrap();
    chain.push(ended.of(sold.chain_owner(), scene.samples.id()));
    scene.keep(store, &sold, &chain).await;
    let elsewhere = of_sale_elsewhere(&sold, &purchase).unwrap().into_iter().map(|booking| LedgerEntry {
        posting: booking.posting,
        amounts: booking.amounts,
        pending: booking.pending,
        trade: Some(booking.trade),
        reason: None,
        ..scene.samples.ledger_entry_at(scene.id(), None, sale.sold_at)
    });
    let own = settled(&scene, minute(8 * DAY + 1), -70, |trade| trade.inventory_item_id = Some(own.id));
    let entries: Vec<LedgerEntry> = elsewhere.chain([own]).collect();
    write(store, &entries).await;
    let filter = ReportFilter { contract_id: Some(scene.contract.id), ..ReportFilter::default() };
    let query = query(Grouping::Nothing, &filter, 8..9);
    let reported = store.reports().sum_figures(scene.scope(), query, 100).await.unwrap();
    assert_eq!(reported, added_up(&entries, query));
    assert!(reported.iter().all(|(_, figures)| figures.sold == 2 && figures.earned() < -70), "{reported:?}");
    let earned = async |day| store.reports().sum_earned(scene.scope(), scene.contract.id, day).await.unwrap();
    assert_eq!((earned(query.from_day).await, earned(query.to_day).await), (-70, 0));
}

pub async fn what_was_paid_and_received_at_a_marketplace_is_what_its_entries_say(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let purchase = |status, at| LedgerEntry { at, ..home.samples.booked(None, &home.new_purchase(status)) };
    let paid_out = |marketplace: &str, amount, at| {
        let (posting, amounts) = (Posting::PaidOut, moved(Account::Receivable, Account::Available, amount));
        let sale = Some(SalePlace { marketplace: text(marketplace), contract_id: None });
        LedgerEntry { posting, amounts, ..settled(&home, at, 0, |trade| trade.sale = sale) }
    };
    let refund = |amount, at| {
        let (posting, amounts) = (Posting::Refunded, moved(Account::RefundDue, Account::Available, amount));
        LedgerEntry { posting, amounts, ..purchase(PurchaseStatus::RefundPending, at) }
    };
    let payment = |amount, at| {
        let (posting, amounts) = (Posting::Paid, moved(Account::Reserved, Account::PaidInTransit, amount));
        LedgerEntry { posting, amounts, ..purchase(PurchaseStatus::Paid, at) }
    };
    let mut entries = entries(&home);
    entries.extend([payment(1_000, minute(0)), refund(300, minute(3)), payment(50, minute(5))]);
    entries.extend([paid_out("csfloat", 70, minute(7)), paid_out("skinport", 900, minute(7))]);
    let ids = SequentialIds::seeded(9);
    for entry in &mut entries {
        entry.id = ids.mint(entry.at);
    }
    write(store, &entries).await;
    write(store, &[settled(&abroad, minute(0), 1_000_000, |_| ())]).await;
    let ask = async |scene: &Scene, since, late| {
        let query = FlowQuery { marketplace: &text("csfloat"), since, late };
        store.ledger().sum_flow(scene.scope(), query).await.unwrap()
    };
    let added = |since| {
        let counted = entries.iter().filter(|entry| entry.at >= since);
        counted.map(|entry| Flow::of(entry, &text("csfloat"))).fold(Flow::default(), Flow::plus)
    };
    for (since, late) in [(minute(-9), minute(3)), (minute(3), minute(5)), (minute(6), minute(8))] {
        assert_eq!(ask(&home, since, late).await, (added(since), added(late)));
    }
    assert_eq!(added(minute(3)), Flow { spent: 50, received: 370, movements: 3, refunds: 1 });
    assert_eq!(ask(&abroad, minute(-9), minute(-9)).await, (Flow::default(), Flow::default()));
}

fn moved(from: Account, to: Account, amount: i64) -> Balanced {
    Balanced::moved(from, to, SignedCents::new(amount).unwrap()).unwrap()
}

pub async fn a_report_is_filtered_and_grouped_by_every_attribute(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let entries = entries(&scene);
    write(store, &entries).await;
    let of: Vec<Attribution> = entries.iter().filter_map(Attribution::of).collect();
    let plain = ReportFilter::default;
    let mut filters = vec![plain(), ReportFilter { contract_id: Some(scene.samples.id()), ..plain() }];
    for of in of {
        filters.extend([
            ReportFilter { contract_id: of.contract_id, ..plain() },
            ReportFilter { selling_contract_id: of.selling_contract_id, ..plain() },
            ReportFilter { pool_id: of.pool_id, ..plain() },
            ReportFilter { account_name: Some(of.account_name.clone()), ..plain() },
            ReportFilter { buy_marketplace: Some(of.buy_marketplace.clone()), ..plain() },
            ReportFilter { sell_marketplace: of.sell_marketplace.clone(), pool_id: of.pool_id, ..plain() },
            ReportFilter {
                contract_id: of.contract_id,
                market_hash_name: Some(of.market_hash_name.clone()),
                ..plain()
            },
        ]);
    }
    filters.dedup();
    for filter in filters {
        for grouping in Grouping::ALL {
            if filter.breakdown(*grouping).is_ok() {
                let query = query(*grouping, &filter, 0..2);
                let reported = store.reports().sum_figures(scene.scope(), query, 100).await.unwrap();
                assert_eq!(reported, added_up(&entries, query), "{grouping} {filter:?}");
            }
        }
    }
}

pub async fn a_series_begins_with_what_was_pending_before(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let entries = entries(&scene);
    write(store, &entries).await;
    let (all, named) = (ReportFilter::default(), entries[0].trade.clone().unwrap().market_hash_name);
    let of_name = ReportFilter { market_hash_name: Some(named), ..ReportFilter::default() };
    for filter in [all, of_name] {
        for days in SPANS {
            let query = query(Grouping::Nothing, &filter, days.clone());
            let sum = |from_day, to_day| {
                let reported = added_up(&entries, ReportQuery { from_day, to_day, ..query });
                reported.first().map(|(_, figures)| *figures).unwrap_or_default()
            };
            let change = |day: i64| {
                let (before, after) = (sum(day, day), sum(day, day + 1));
                (day, Figures { pending: after.pending - before.pending, ..after })
            };
            let mut expected: Vec<_> = (query.from_day..query.to_day).map(change).collect();
            expected.retain(|(_, figures)| *figures != Figures::default());
            let (pending, reported) = store.reports().list_changes(scene.scope(), query, Span::Day).await.unwrap();
            assert_eq!((pending, reported), (sum(query.from_day, query.from_day).pending, expected), "{days:?}");
        }
    }
}

/// Returns entries of five months, in no order of time, as many commits and nodes may have written them.
fn entries_of_months(scene: &Scene) -> Vec<LedgerEntry> {
    let contracts: [ContractId; 2] = [scene.contract.id, scene.samples.id()];
    let entry = |number: i64| {
        settled(scene, minute(number * 37 % 140 * DAY + number), number * 53 % 400 - 150, |trade| {
            trade.contract_id = Some(contracts[usize::from(number % 3 == 0)]);
            trade.account_name = text(&format!("trader-{}", number % 4));
            trade.market_hash_name = text(&format!("AK-47 | Number {}", number % 5));
            let marketplace = text(["skinport", "dmarket"][usize::from(number % 7 < 3)]);
            trade.sale = Some(SalePlace { marketplace, contract_id: None });
        })
    };
    (0..90).map(entry).collect()
}

pub async fn a_report_is_the_same_wherever_its_days_lie_in_months(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let entries = entries_of_months(&scene);
    write(store, &entries).await;
    let first = day_of(minute(0));
    let month = |number: i64| Span::Month.first_day(first + 31 * number) - first;
    let whole = (0..4).flat_map(|from| (from + 1..6).map(move |to| month(from)..month(to)));
    let cut = (0..20).map(|number| number * 29 % 150 - 20..number * 29 % 150 - 19 + number * 17 % 70);
    let all = ReportFilter::default();
    for days in whole.chain(cut) {
        for grouping in [Grouping::Nothing, Grouping::SellMarketplace, Grouping::Account, Grouping::ItemName] {
            let query = query(grouping, &all, days.clone());
            let reported = store.reports().sum_figures(scene.scope(), query, 100).await.unwrap();
            assert_eq!(reported, added_up(&entries, query), "{grouping} {days:?}");
        }
        let query = query(Grouping::Nothing, &all, days.clone());
        let changed = |entry: &LedgerEntry| (day_of(entry.at), Figures::of(entry));
        let within = entries.iter().map(changed).filter(|(day, _)| (query.from_day..query.to_day).contains(day));
        let within: Vec<(i64, Figures)> = within.collect();
        let before = entries.iter().map(changed).filter(|(day, _)| *day < query.from_day);
        let before: i64 = before.map(|(_, figures)| figures.pending).sum();
        for span in Span::ALL {
            let reported = store.reports().list_changes(scene.scope(), query, *span).await.unwrap();
            assert_eq!(reported, (before, query.by_span(*span, within.iter().copied())), "{span} {days:?}");
        }
    }
}

/// Zones on both sides of UTC, one with a part of an hour, and two whose clocks are changed between the entries.
const ZONES: [&str; 4] = ["America/Los_Angeles", "Europe/Zurich", "Asia/Kathmandu", "Pacific/Kiritimati"];

fn zones() -> impl Iterator<Item = ZoneDays> {
    ZONES.into_iter().map(|zone| ZoneDays::of(TimeZone::new(zone).unwrap()))
}

/// Returns entries of all hours of half a year, some of them at the midnights of the zones to the microsecond.
fn entries_of_hours(scene: &Scene) -> Vec<LedgerEntry> {
    let first = day_of(minute(0));
    let midnights = zones().flat_map(|zone| [1, 2, 31, 90].map(|day| zone.start_of(first + day)));
    let hours = (0..80).map(|number| minute(number * 53 % 180 * DAY + number * 457 % DAY));
    let numbered = (0_i64..).zip(midnights.chain(hours));
    let entry = |(number, at): (i64, Timestamp)| {
        let entry = settled(scene, at, number * 53 % 400 - 150, |trade| {
            trade.account_name = text(&format!("trader-{}", number % 3));
            let sold_on = |marketplace: &str| SalePlace { marketplace: text(marketplace), contract_id: None };
            trade.sale = ["skinport", "dmarket"].get(usize::try_from(number % 4).unwrap()).copied().map(sold_on);
        });
        LedgerEntry { pool_id: (number % 5 == 0).then(|| scene.samples.id()), ..entry }
    };
    numbered.map(entry).collect()
}

pub async fn days_of_a_time_zone_come_to_what_their_entries_do(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let entries = [entries(&home), entries_of_hours(&home)].concat();
    write(store, &entries).await;
    write(store, &[settled(&abroad, minute(-60), 1_000_000, |_| ())]).await;
    let (all, contract_id) = (ReportFilter::default(), entries[0].trade.as_ref().and_then(|trade| trade.contract_id));
    let of_contract = ReportFilter { contract_id, ..ReportFilter::default() };
    for zone in zones() {
        for days in [-9..9, 0..1, 1..2, 20..95, 31..32, 80..200] {
            for (filter, grouping) in Grouping::ALL.iter().flat_map(|by| [(&all, *by), (&of_contract, *by)]) {
                let of_utc = query(grouping, filter, days.clone());
                let starts = zone.starts([of_utc.from_day, of_utc.to_day]);
                let query = ReportQuery { starts: &starts, ..of_utc };
                let reported = store.reports().sum_figures(home.scope(), query, 100).await.unwrap();
                assert_eq!(reported, added_up(&entries, query), "{grouping} {days:?} of {}", zone.zone());
            }
        }
    }
}

pub async fn a_series_by_days_of_a_time_zone_has_what_their_entries_come_to(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let entries = entries_of_hours(&scene);
    write(store, &entries).await;
    let all = ReportFilter::default();
    let sum = |times: Range<Timestamp>| {
        let counted = entries.iter().filter(|entry| times.contains(&entry.at)).map(Figures::of);
        counted.fold(Figures::default(), Figures::plus)
    };
    for zone in zones() {
        for days in [-9..9, 1..2, 20..95] {
            for span in Span::ALL {
                let of_utc = query(Grouping::Nothing, &all, days.clone());
                let begins = |day: &i64| *day == of_utc.from_day || span.first_day(*day) == *day;
                let mut limits: Vec<i64> = (of_utc.from_day..of_utc.to_day).filter(begins).collect();
                limits.push(of_utc.to_day);
                let starts = zone.starts(limits.iter().copied());
                let query = ReportQuery { starts: &starts, ..of_utc };
                let point = |days: &[i64]| (days[0], sum(zone.start_of(days[0])..zone.start_of(days[1])));
                let mut expected: Vec<_> = limits.windows(2).map(point).collect();
                expected.retain(|(_, figures)| *figures != Figures::default());
                let before = sum(Timestamp::MIN..zone.start_of(query.from_day)).pending;
                let reported = store.reports().list_changes(scene.scope(), query, *span).await.unwrap();
                assert_eq!(reported, (before, expected), "{span} {days:?} of {}", zone.zone());
            }
        }
    }
}

pub async fn a_date_that_a_time_zone_never_had_changes_nothing_in_a_series(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    // Samoa had no 30 December 2011. The 29th ended at 10:00 of UTC, and the 31st began.
    let skipped = day_of("2011-12-30T00:00:00Z".parse().unwrap());
    let times = [("2011-12-30T09:00:00Z", 3), ("2011-12-30T11:00:00Z", 40), ("2011-12-31T11:00:00Z", 500)];
    let entry = |(at, realised): (&str, i64)| settled(&scene, at.parse().unwrap(), realised, |_| ());
    write(store, &times.map(entry)).await;
    let (filter, zone) = (ReportFilter::default(), ZoneDays::of(TimeZone::new("Pacific/Apia").unwrap()));
    let (from_day, to_day) = (skipped - 1, skipped + 3);
    let starts = zone.starts(from_day..=to_day);
    let of_utc = query(Grouping::Nothing, &filter, 0..1);
    let query = ReportQuery { from_day, to_day, starts: &starts, ..of_utc };
    let (before, changes) = store.reports().list_changes(scene.scope(), query, Span::Day).await.unwrap();
    let changes: Vec<_> = changes.into_iter().map(|(day, figures)| (day - skipped, figures.realised)).collect();
    assert_eq!((before, changes), (0, vec![(-1, 3), (1, 40), (2, 500)]));
}

pub async fn open_items_are_summed_by_variant_with_their_cost(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut costs = 0;
    let mut listed = None;
    for status in ItemStatus::ALL {
        let purchase = scene.new_purchase(PurchaseStatus::Traded);
        let (item, _) = scene.samples.item_in(&purchase, *status);
        if status.is_open() {
            costs += purchase.cost().get();
        }
        if *status == ItemStatus::Listed {
            listed = item.sale_place.clone().and_then(|place| Some((place.contract_id?, purchase.cost().get())));
        }
        insert(store, [purchase.into(), item.into()]).await.unwrap();
    }
    let all = ReportFilter::default();
    let open = ItemStatus::ALL.iter().filter(|status| status.is_open()).count();
    for grouping in Grouping::ALL {
        let reported = store.reports().sum_positions(scene.scope(), *grouping, &all).await.unwrap();
        let sums =
            reported.iter().fold((0, 0), |(items, cost), position| (items + position.items, cost + position.cost));
        assert_eq!(sums, (i64::try_from(open).unwrap(), costs), "{grouping}");
    }
    let (seller, cost) = listed.unwrap();
    let filter = ReportFilter { selling_contract_id: Some(seller), ..ReportFilter::default() };
    let reported = store.reports().sum_positions(scene.scope(), Grouping::SellMarketplace, &filter).await.unwrap();
    let reported: Vec<_> = reported.into_iter().map(|position| (position.key, position.items, position.cost)).collect();
    assert_eq!(reported, [(GroupKey::Name("skinport".to_owned()), 1, cost)]);
}

pub async fn items_of_unknown_cost_are_counted_and_cost_nothing(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for price in [None, Some(1_000), None] {
        let records = scene.samples.imported_item(scene.id(), price);
        insert(store, [records.purchase.into(), records.item.into()]).await.unwrap();
    }
    let all = ReportFilter::default();
    for grouping in Grouping::ALL {
        let reported = store.reports().sum_positions(scene.scope(), *grouping, &all).await.unwrap();
        let sums = reported.iter().fold((0, 0, 0), |(items, uncosted, cost), position| {
            (items + position.items, uncosted + position.uncosted, cost + position.cost)
        });
        assert_eq!(sums, (3, 2, 1_030), "{grouping}");
    }
    let by_contract = store.reports().sum_positions(scene.scope(), Grouping::Contract, &all).await.unwrap();
    assert!(by_contract.iter().all(|position| position.key == GroupKey::None), "they are of no contract");
}

pub async fn the_entries_of_a_purchase_are_listed_oldest_first(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let first = settled(&home, minute(0), 1, |_| ());
    let purchase = first.trade.as_ref().map(|trade| trade.purchase_id).unwrap();
    let second = settled(&home, minute(1), 2, |trade| trade.purchase_id = purchase);
    let other = settled(&home, minute(2), 3, |_| ());
    write(store, &[first.clone(), other, second.clone()]).await;
    assert_eq!(store.ledger().list_of_purchase(home.scope(), purchase).await.unwrap(), [first, second]);
    assert_eq!(store.ledger().list_of_purchase(abroad.scope(), purchase).await.unwrap(), []);
}

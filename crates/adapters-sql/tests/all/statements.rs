//! How much is said to the database: one statement for a get, a list, a look-up, and on PostgreSQL for a commit.

use tradepost_domain::contracts::assignment::Assignee;
use tradepost_domain::contracts::intent::{IntentStatus, Moment};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::report::{Breakdown, Grouping, ReportFilter, Span};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{
    AccountFilter, ActivityQuery, AssignmentFilter, AuditFilter, AuditLogs as _, AuditScope, ContractFilter,
    EvaluationFilter, Evaluations as _, FilterSets as _, FlowQuery, IntentFilter, Intents as _, ItemFilter,
    Leases as _, LedgerFilter, Markets as _, ObservationSpan, OpenRecordReads as _, PageRequest, Pools as _,
    ProposalQuery, Proposals, Providers as _, PurchaseFilter, RecordBatch, RemediationFilter, Remediations as _,
    ReportQuery, Reports as _, Sessions as _, Store as _, TradeOfferFilter, TradeOffers as _, Trading as _,
    TradingAccounts as _, TransitionFilter, TransitionLog as _, Users as _, Workspaces as _, Worlds,
};
use tradepost_testkit::samples::Scene;
use tradepost_testkit::samples::{minute, text};

use crate::support::{Heard, TestStore, observed, postgres, sqlite};

macro_rules! one_statement {
    ($heard:ident: $($read:expr),* $(,)?) => {$(
        $read.await.unwrap();
        assert_eq!($heard.take().len(), 1, "{}", stringify!($read));
    )*};
}

async fn every_read_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (item, _) = scene.item(&store, 3).await;
    let (scope, workspace) = (scene.scope(), scene.workspace.clone());
    let session = scene.samples.session(scene.user.id);
    let filter_set = scene.samples.id();
    let mut changes = Changes::by(&Caller::system());
    changes.insert(session.clone());
    store.commit(changes).await.unwrap();
    heard.take();
    let transitions = TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: None, to: None };
    one_statement![heard:
        store.find_user(scene.user.id),
        store.find_workspace(scope),
        store.find_key_by_digest(&scene.key.digest),
        store.find_session_by_digest(&session.digest),
        store.list_sessions(scene.user.id),
        store.list_own_workspaces(scene.user.id),
        store.list_keys(scope, workspace.created_at),
        store.count_keys(scope, workspace.created_at),
        store.list_memberships(scope, None, PageRequest { before: None, limit: 100 }),
        store.find_purchase(scope, item.purchase_id),
        store.find_purchases(scope, &[item.purchase_id]),
        store.list_contracts(scope, ContractFilter::default(), PageRequest { before: None, limit: 100 }),
        store.find_filter_set(scope, filter_set),
        store.find_filter_sets(scope, &[filter_set]),
        store.find_filter_set_version(scope, filter_set, 1),
        store.list_filter_sets(scope, PageRequest { before: None, limit: 100 }),
        store.find_pool(scope, scene.samples.id()),
        store.find_pools(scope, &[scene.samples.id()]),
        store.list_pools(scope, None, PageRequest { before: None, limit: 100 }),
        store.count_live_contracts_of(scope, scene.samples.id()),
        store.find_exposure(scope, scene.samples.id(), &item.market_hash_name),
        store.find_ledger_entries(scope, &[scene.samples.id()]),
        store.list_ledger_entries(scope, LedgerFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_purchases(scope, PurchaseFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_items(scope, ItemFilter::default(), PageRequest { before: Some(item.id), limit: 100 }),
        store.find_items(scope, &[item.id]),
        store.list_links(scope, item.id, 0, 100),
        store.list_transitions(scope, Subject::InventoryItem(item.id), 100),
        store.find_transitions(scope, SubjectKind::ALL, &[scene.samples.id()]),
        store.list_transition_ids(scope, transitions, PageRequest { before: None, limit: 100 }),
        store.find_transition_place(scope, scene.samples.id()),
        store.list_transitions_after(scope, SubjectKind::ALL, 0, 100),
        store.list_transitions_since(scope, SubjectKind::ALL, minute(0), 100),
        store.find_last_transition(scope, SubjectKind::ALL),
        store.place_transitions(),
        store.count_by_status(scope, Kind::Purchase, None),
        store.list_audit_events(scope, AuditFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_own_audit_events(scene.user.id, PageRequest { before: None, limit: 100 }),
        store.list_audit_links(AuditScope::Workspace(scope), 0, 100),
        store.find_audit_state(AuditScope::Workspace(scope)),
        store.list_waiting_audit_events(None, 100),
    ];
}

async fn every_read_of_accounts_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, group_id) = (scene.scope(), Some(scene.samples.id()));
    heard.take();
    one_statement![heard:
        store.find_account(scope, scene.samples.id()),
        store.find_accounts(scope, &[scene.samples.id()]),
        store.find_account_named(scope, &text("trader-1")),
        store.list_accounts(scope, AccountFilter { status: None, group_id }, PageRequest { before: None, limit: 100 }),
        store.find_account_loads(scope, &[text("trader-1")]),
        store.find_account_groups(scope, &[scene.samples.id()]),
        store.list_account_groups(scope, PageRequest { before: None, limit: 100 }),
        store.list_groups_of_account(scope, scene.samples.id()),
        store.find_assignments(scope, &[scene.samples.id()]),
        store.list_assignments(scope, AssignmentFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_assignments_to(scope, scene.samples.id()),
        store.count_assignments_of(scope, Assignee::Account(scene.samples.id())),
    ];
}

fn proposed(item_name: &MarketHashName) -> ProposalQuery<'_> {
    ProposalQuery { which: Proposals::Waiting, open_since: minute(0), today: minute(0), item_name }
}

async fn every_read_of_what_is_followed_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, place, name) = (scene.scope(), text("csfloat"), text("AK-47 | Redline (Field-Tested)"));
    let every_part = ActivityQuery {
        spent_since: Some(minute(0)),
        of_item_name: Some((&name, 9)),
        last_purchase: true,
        before: Some(minute(1)),
    };
    heard.take();
    one_statement![heard:
        store.list_open_purchases(scope, &place, PurchaseStatus::Paid, RecordBatch { after: None, most: 100 }),
        store.list_items_in(scope, ItemStatus::Listed, RecordBatch { after: None, most: 100 }),
        store.list_items_on_sale(scope, &place, ItemStatus::Listed, RecordBatch { after: None, most: 100 }),
        store.list_items_of(scope, &text("trader-1"), RecordBatch { after: None, most: 100 }),
        store.list_contracts_at_work(scope, RecordBatch { after: None, most: 100 }),
        store.find_activity(scope, scene.contract.id, every_part),
    ];
}

async fn every_read_of_decisions_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (item, _) = scene.item(&store, 2).await;
    let scope = scene.scope();
    heard.take();
    let (filter, grouping) = (ReportFilter::default(), Grouping::Contract);
    let span = ObservationSpan { from: minute(0), to: minute(1), after: None, limit: 100 };
    let query = ReportQuery { breakdown: Breakdown::Places, grouping, filter: &filter, from_day: 0, to_day: 1 };
    one_statement![heard:
        store.sum_figures(scope, query, 100),
        store.sum_earned(scope, scene.contract.id, 0),
        store.list_changes(scope, query, Span::Month),
        store.sum_positions(scope, grouping, &filter),
        store.list_entries_of(scope, item.purchase_id),
        store.sum_flow(scope, FlowQuery { marketplace: &text("csfloat"), since: minute(0), late: minute(1) }),
        store.find_intent(scope, scene.samples.id()),
        store.find_intents(scope, &[scene.samples.id()]),
        store.list_intents(scope, IntentFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_intents_in(scope, IntentStatus::Approved, None, 100),
        store.list_waiting_intents_of(scope, scene.contract.id, 100),
        store.list_overdue_intents(Worlds::Real, Moment::of(minute(1)), 100),
        store.list_overdue_contracts(Worlds::Real, minute(1), 100),
        store.find_leases(scope),
        store.list_marketplace_leases(),
        store.list_active_contracts(None, 100),
        store.list_stranded_intents(100),
        store.sum_proposed_purchases(scope, scene.contract.id, proposed(&text("AK-47 | Redline (Field-Tested)"))),
        store.count_proposed_listings(scope, scene.contract.id, Proposals::Dry, item.id),
        store.find_link_of_asset(scope, item.current_asset_id()),
        store.find_evaluations(scope, &[scene.samples.id()]),
        store.list_evaluations(scope, EvaluationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.find_remediation(scope, scene.samples.id()),
        store.find_remediations(scope, &[scene.samples.id()]),
        store.list_remediations(scope, RemediationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_live_remediations_of(scope, Subject::InventoryItem(item.id)),
        store.list_undecided_purchases(Worlds::Real, minute(1), 100),
        store.find_trade_offer(scope, scene.samples.id()),
        store.find_trade_offers(scope, &[scene.samples.id()]),
        store.find_trade_offer_seen(scope, &text("trader-1"), &text("offer-1")),
        store.find_trade_offer_of_trade(scope, &text("trade-1")),
        store.list_trade_offers(scope, TradeOfferFilter::default(), PageRequest { before: None, limit: 100 }),
        store.list_open_trade_offers_of(scope, OfferOwner::Item(item.id)),
        store.find_observation_then(scope, scene.samples.id()),
        store.replay_observations(scope, span),
    ];
}

async fn every_read_of_providers_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, kind) = (scene.scope(), ProviderKind::Marketplace);
    heard.take();
    one_statement![heard:
        store.find_provider(scope, scene.samples.id()),
        store.find_providers(scope, &[scene.samples.id()]),
        store.find_provider_named(scope, kind, &text("csfloat")),
        store.list_providers(scope, Some(kind), PageRequest { before: None, limit: 100 }),
        store.find_provider_healths(scope, &[scene.samples.id()]),
        store.count_provider_uses(scope, kind, &text("csfloat")),
        store.count_provider_uses(scope, ProviderKind::PriceSource, &text("csfloat")),
        store.count_provider_uses(scope, ProviderKind::GamePlatform, &text("csfloat")),
    ];
}

#[tokio::test]
async fn every_read_is_one_statement_on_sqlite() {
    every_read_is_one_statement(sqlite().await).await;
    every_read_of_decisions_is_one_statement(sqlite().await).await;
    every_read_of_accounts_is_one_statement(sqlite().await).await;
    every_read_of_providers_is_one_statement(sqlite().await).await;
    every_read_of_what_is_followed_is_one_statement(sqlite().await).await;
}

#[tokio::test]
async fn every_read_is_one_statement_on_postgres() {
    every_read_is_one_statement(postgres().await).await;
    every_read_of_decisions_is_one_statement(postgres().await).await;
    every_read_of_accounts_is_one_statement(postgres().await).await;
    every_read_of_providers_is_one_statement(postgres().await).await;
    every_read_of_what_is_followed_is_one_statement(postgres().await).await;
}

#[tokio::test]
async fn an_append_with_all_that_belongs_to_it_is_one_statement_on_postgres() {
    let test = postgres().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (item, _) = scene.item(&store, 2).await;
    let key = store.find_key_by_digest(&scene.key.digest).await.unwrap().unwrap();
    let guards = vec![key.key.stamp(), key.membership.stamp(), key.owner.stamp()];
    heard.take();
    let mut changes = Changes::by(&Caller { guards, ..Caller::system() });
    changes.append_link(scene.samples.next_link(&item));
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), Subject::InventoryItem(item.id))));
    store.commit(changes).await.unwrap();
    assert_eq!(heard.take().len(), 1);
}

#[tokio::test]
async fn a_commit_of_many_writes_is_one_statement_on_postgres() {
    let test = postgres().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let purchase = scene.new_purchase(PurchaseStatus::Traded);
    let (item, links) = scene.samples.item_in(&purchase, ItemStatus::InInventory);
    let contract = store.find_contract(scene.scope(), scene.contract.id).await.unwrap().unwrap();
    heard.take();
    let mut changes = Changes::by(&Caller::system());
    let counted = changes.revise(contract, |contract| contract.count(None, &purchase, minute(9)));
    counted.unwrap();
    changes.insert(purchase).insert(item);
    for link in links {
        changes.append(AppendedRow::Link(link));
    }
    store.commit(changes).await.unwrap();
    assert_eq!(heard.take().len(), 1);
}

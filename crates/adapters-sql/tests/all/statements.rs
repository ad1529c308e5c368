//! How much is said to the database: one statement for a get, a list, a look-up, and on PostgreSQL for a commit.

use tradepost_domain::alerts::channel::ChannelStatus;
use tradepost_domain::alerts::message::MessageState;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::assignment::Assignee;
use tradepost_domain::contracts::intent::{IntentStatus, Moment};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::report::{Breakdown, DayStart, Grouping, ReportFilter, Span};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::DeliveryState;
use tradepost_domain::id::RecordKey;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::trading::import::ImportStatus;
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_domain::trading::snapshot::SnapshotStatus;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::store::Records;
use tradepost_ports::store::{
    AFTER_ALL_NAMES, AccountFilter, AccountSessionFilter, ActivityQuery, AlertChannelFilter, AlertMessageFilter,
    AssignmentFilter, AuditFilter, AuditScope, ConfirmationFilter, ContractFilter, ConversationFilter, DeliveryFilter,
    EvaluationFilter, FlowQuery, FriendFilter, GivenQuery, IntentFilter, InventoryChangeFilter, ItemFilter,
    LedgerFilter, NameQuery, NamedRecord, ObservationSpan, PageRequest, ProposalQuery, Proposals, PurchaseFilter,
    RecordBatch, RemediationFilter, RenewalFilter, ReportQuery, SecretColumn, SnapshotFilter, Store as _,
    TradeOfferFilter, TransitionFilter, Worlds, WouldBuyFilter,
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
        store.users().find(scene.user.id),
        store.workspaces().find(scope),
        store.api_keys().find_by_digest(&scene.key.digest),
        store.sessions().find_by_digest(&session.digest),
        store.sessions().list(scene.user.id),
        store.workspaces().list_own(scene.user.id),
        store.api_keys().list(scope, workspace.created_at),
        store.api_keys().count(scope, workspace.created_at),
        store.memberships().list(scope, None, PageRequest { before: None, limit: 100 }),
        store.purchases().find(scope, item.purchase_id),
        store.purchases().find_many(scope, &[item.purchase_id]),
        store.contracts().list(scope, ContractFilter::default(), PageRequest { before: None, limit: 100 }),
        store.contract_versions().find_many(scope, &[scene.samples.id()]),
        store.contract_versions().list(scope, scene.contract.id, PageRequest { before: None, limit: 100 }),
        store.filter_sets().find(scope, filter_set),
        store.filter_sets().find_many(scope, &[filter_set]),
        store.filter_sets().find_version(scope, filter_set, 1),
        store.filter_sets().list(scope, PageRequest { before: None, limit: 100 }),
        store.pools().find(scope, scene.samples.id()),
        store.pools().find_many(scope, &[scene.samples.id()]),
        store.pools().list(scope, None, PageRequest { before: None, limit: 100 }),
        store.contracts().count_live_of_pool(scope, scene.samples.id()),
        store.pools().find_exposure(scope, scene.samples.id(), &item.market_hash_name),
        store.pools().find_exposures(scope, scene.samples.id(), std::slice::from_ref(&item.market_hash_name)),
        store.ledger().find_many(scope, &[scene.samples.id()]),
        store.ledger().list(scope, LedgerFilter::default(), PageRequest { before: None, limit: 100 }),
        store.purchases().list(scope, PurchaseFilter::default(), PageRequest { before: None, limit: 100 }),
        store.items().list(scope, ItemFilter::default(), PageRequest { before: Some(item.id), limit: 100 }),
        store.items().find_many(scope, &[item.id]),
        store.items().list_links(scope, item.id, 0, 100),
        store.transitions().list_of(scope, Subject::InventoryItem(item.id), 100),
        store.transitions().find_many(scope, SubjectKind::ALL, &[scene.samples.id()]),
        store.transitions().list(scope, transitions, PageRequest { before: None, limit: 100 }),
        store.transitions().find_place(scope, scene.samples.id()),
        store.transitions().list_after(scope, SubjectKind::ALL, 0, 100),
        store.transitions().list_since(scope, SubjectKind::ALL, minute(0), 100),
        store.transitions().find_last(scope, SubjectKind::ALL),
        store.transitions().place(),
        store.counters().by_status(scope, Kind::Purchase, None),
        store.audit_logs().list_events(scope, AuditFilter::default(), PageRequest { before: None, limit: 100 }),
        store.audit_logs().list_own_events(scene.user.id, PageRequest { before: None, limit: 100 }),
        store.audit_logs().list_links(AuditScope::Workspace(scope), 0, 100),
        store.audit_logs().find_state(AuditScope::Workspace(scope)),
        store.audit_logs().list_waiting_events(None, 100),
    ];
}

async fn every_read_of_accounts_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, group_id) = (scene.scope(), Some(scene.samples.id()));
    let search = NameSearch::new("trader 1").unwrap();
    let names = NameQuery { from: "", before: AFTER_ALL_NAMES, begins: None, search: None, most: 50 };
    heard.take();
    one_statement![heard:
        store.purchases().count(scope, PurchaseFilter::default()),
        store.items().count(scope, ItemFilter::default()),
        store.item_names().list_names(scope, NamedRecord::Purchase, names),
        store.pools().sum_balances(scope),
        store.searches().search_purchases(scope, &text("listing-1"), 20),
        store.searches().search_items(scope, &text("listing-1"), 20),
        store.searches().search_contracts(scope, &search, 20),
        store.searches().search_accounts(scope, &search, 20),
        store.searches().search_members(scope, &search, 20),
        store.trading_accounts().find(scope, scene.samples.id()),
        store.trading_accounts().find_many(scope, &[scene.samples.id()]),
        store.trading_accounts().find_named(scope, &text("trader-1")),
        store.trading_accounts().list(scope, AccountFilter { status: None, group_id }, PageRequest { before: None, limit: 100 }),
        store.trading_accounts().find_loads(scope, &[text("trader-1")]),
        store.trading_accounts().list_to_refresh(scope, 100),
        store.account_groups().find_many(scope, &[scene.samples.id()]),
        store.account_groups().list(scope, PageRequest { before: None, limit: 100 }),
        store.account_groups().list_of_account(scope, scene.samples.id()),
        store.assignments().find_many(scope, &[scene.samples.id()]),
        store.assignments().list(scope, AssignmentFilter::default(), PageRequest { before: None, limit: 100 }),
        store.assignments().list_to(scope, scene.samples.id()),
        store.assignments().count_of(scope, Assignee::Account(scene.samples.id())),
    ];
}

async fn every_read_of_imports_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, platform, status) = (scene.scope(), text("steam"), Some(ImportStatus::Checked));
    let numbers = [scene.samples.new_account(scene.id()).platform_user_id];
    heard.take();
    one_statement![heard:
        store.imports().find_imports(scope, &[scene.samples.id()]),
        store.imports().find_import_rows(scope, scene.samples.id()),
        store.imports().list_imports(scope, status, PageRequest { before: None, limit: 100 }),
        store.imports().list_overdue_imports(minute(0), 100),
        store.trading_accounts().find_all_named(scope, &[text("trader-1")]),
        store.trading_accounts().find_numbered(scope, &platform, &numbers),
        store.trading_accounts().list_elsewhere(scope, &platform, &numbers),
    ];
}

async fn every_read_of_friends_and_chats_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, user) = (scene.scope(), scene.samples.platform_user());
    let (account, friend) = (scene.samples.id(), scene.samples.id());
    let (conversation, message) = (scene.samples.id(), scene.samples.id());
    let texts = SecretColumn { table: "chat_messages", column: "text" };
    heard.take();
    one_statement![heard:
        store.friends().find(scope, friend),
        store.friends().find_many(scope, &[friend]),
        store.friends().find_user(scope, account, user),
        store.friends().list(scope, FriendFilter::default(), PageRequest { before: None, limit: 100 }),
        store.friends().list_of(scope, account),
        store.friends().list_open(scope, 100),
        store.friends().find_reading(scope, account),
        store.friends().list_readings(scope),
        store.confirmations().find(scope, scene.samples.id()),
        store.confirmations().find_many(scope, &[scene.samples.id()]),
        store.confirmations().list(scope, ConfirmationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.confirmations().find_seen(scope, &text("trader-1"), &ExternalId::from(1)),
        store.confirmations().list_open_of(scope, &text("trader-1")),
        store.confirmations().list_open(scope, 100),
        store.confirmations().find_lists(scope, &[account]),
        store.chats().find(scope, conversation),
        store.chats().find_many(scope, &[conversation]),
        store.chats().find_with(scope, account, &[user]),
        store.chats().list(scope, ConversationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.chats().list_unreported(scope, 100),
        store.chats().find_message(scope, message),
        store.chats().find_messages(scope, &[message]),
        store.chats().list_messages(scope, conversation, PageRequest { before: None, limit: 100 }),
        store.chats().list_open(scope, 100),
        store.chats().list_sought(scope, conversation),
        store.chats().list_places(scope, conversation, minute(0)),
        store.workspace_secrets().find_rows(scope, texts, &[[1; 16]]),
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
        store.purchases().list_open(scope, &place, PurchaseStatus::Paid, RecordBatch { after: None, most: 100 }),
        store.items().list_in(scope, ItemStatus::Listed, RecordBatch { after: None, most: 100 }),
        store.items().list_on_sale(scope, &place, ItemStatus::Listed, RecordBatch { after: None, most: 100 }),
        store.items().list_of_account(scope, &text("trader-1"), RecordBatch { after: None, most: 100 }),
        store.contracts().list_at_work(scope, RecordBatch { after: None, most: 100 }),
        store.contracts().find_activity(scope, scene.contract.id, every_part),
    ];
}

async fn every_read_of_reports_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let scope = scene.scope();
    heard.take();
    let (filter, grouping, breakdown) = (ReportFilter::default(), Grouping::Contract, Breakdown::Places);
    let query = ReportQuery { breakdown, grouping, filter: &filter, from_day: 0, to_day: 1, starts: &[] };
    let of_zone = ReportQuery { starts: &[DayStart { day: 0, at: minute(0) }], ..query };
    one_statement![heard:
        store.reports().sum_figures(scope, query, 100),
        store.reports().sum_figures(scope, of_zone, 100),
        store.reports().sum_earned(scope, scene.contract.id, 0),
        store.reports().list_changes(scope, query, Span::Month),
        store.reports().list_changes(scope, of_zone, Span::Month),
        store.reports().sum_positions(scope, grouping, &filter),
    ];
}

async fn every_read_of_decisions_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (item, _) = scene.item(&store, 2).await;
    let scope = scene.scope();
    heard.take();
    let span = ObservationSpan { from: minute(0), to: minute(1), after: None, limit: 100 };
    one_statement![heard:
        store.ledger().list_of_purchase(scope, item.purchase_id),
        store.ledger().sum_flow(scope, FlowQuery { marketplace: &text("csfloat"), since: minute(0), late: minute(1) }),
        store.intents().find(scope, scene.samples.id()),
        store.intents().find_many(scope, &[scene.samples.id()]),
        store.intents().list(scope, IntentFilter::default(), PageRequest { before: None, limit: 100 }),
        store.intents().list_in(scope, IntentStatus::Approved, None, 100),
        store.intents().list_waiting_of(scope, scene.contract.id, 100),
        store.intents().list_overdue(Worlds::Real, Moment::of(minute(1)), 100),
        store.contracts().list_overdue(Worlds::Real, minute(1), 100),
        store.leases().find_many(scope),
        store.leases().list_of_marketplaces(),
        store.contracts().list_active(None, 100),
        store.intents().list_stranded(100),
        store.intents().list_would_buys(scope, None, PageRequest { before: None, limit: 100 }),
        store.intents().list_would_buys(scope, Some(scene.contract.id), PageRequest { before: None, limit: 100 }),
        store.intents().list_to_follow_up(scope, &text("csfloat"), minute(20), 100),
        store.intents().sum_would_buys(scope, WouldBuyFilter { contract_id: None, from: minute(0), to: minute(20) }),
        store.intents().sum_would_buys(scope, WouldBuyFilter { contract_id: Some(scene.contract.id), from: minute(0), to: minute(20) }),
        store.intents().sum_proposed_purchases(scope, scene.contract.id, proposed(&text("AK-47 | Redline (Field-Tested)"))),
        store.intents().count_proposed_listings(scope, scene.contract.id, Proposals::Dry, item.id),
        store.items().find_link_of_asset(scope, item.current_asset_id()),
        store.evaluations().find_many(scope, &[scene.samples.id()]),
        store.evaluations().list(scope, EvaluationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.remediations().find(scope, scene.samples.id()),
        store.remediations().find_many(scope, &[scene.samples.id()]),
        store.remediations().list(scope, RemediationFilter::default(), PageRequest { before: None, limit: 100 }),
        store.remediations().list_live_of(scope, Subject::InventoryItem(item.id)),
        store.remediations().find_last_dismissed(scope, Subject::InventoryItem(item.id), RemediationKind::MissingItem),
        store.purchases().list_undecided(Worlds::Real, minute(1), 100),
        store.purchases().find_of_order(scope, &text("csfloat"), &text("order-1")),
        store.trade_offers().find(scope, scene.samples.id()),
        store.trade_offers().find_many(scope, &[scene.samples.id()]),
        store.trade_offers().find_seen(scope, &text("trader-1"), &text("offer-1")),
        store.trade_offers().find_of_trade(scope, &text("trade-1")),
        store.trade_offers().list(scope, TradeOfferFilter::default(), PageRequest { before: None, limit: 100 }),
        store.trade_offers().list_open_of(scope, OfferOwner::Item(item.id)),
        store.trade_offers().sum_given(
            scope,
            GivenQuery { account_name: &text("trader-1"), at: minute(0), except: None, waiting_up_to: None },
        ),
        store.observations().find_with_prices(scope, scene.samples.id()),
        store.observations().replay(scope, span),
    ];
}

async fn every_read_of_offers_and_providers_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, kind) = (scene.scope(), ProviderKind::Marketplace);
    heard.take();
    one_statement![heard:
        store.trade_offers().list_unsent(scope, &text("trader-1")),
        store.trade_offers().list_unowned(scope, &text("trader-1")),
        store.trade_offers().list_requested(scope, 100),
        store.trade_offers().find_readings(scope, &[scene.samples.id()]),
        store.providers().find(scope, scene.samples.id()),
        store.providers().find_many(scope, &[scene.samples.id()]),
        store.providers().find_named(scope, kind, &text("csfloat")),
        store.providers().list(scope, Some(kind), PageRequest { before: None, limit: 100 }),
        store.providers().find_healths(scope, &[scene.samples.id()]),
        store.providers().list_of_driver(&text("skinport"), &text("skinport"), None, 100),
        store.providers().list_of_kind(&text("steam"), ProviderKind::GamePlatform, None, 100),
        store.providers().count_uses(scope, kind, &text("csfloat")),
        store.providers().count_uses(scope, ProviderKind::PriceSource, &text("csfloat")),
        store.providers().count_uses(scope, ProviderKind::GamePlatform, &text("csfloat")),
    ];
}

async fn every_read_of_webhooks_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, endpoint_id, page) = (scene.scope(), scene.samples.id(), PageRequest { before: None, limit: 100 });
    let key = RecordKey { workspace_id: scene.id(), id: endpoint_id };
    let (state, event_type) = (Some(DeliveryState::Pending), Some(EventType::EndpointTest));
    let filter = DeliveryFilter { endpoint_id, state, event_type, from: Some(minute(0)), to: Some(minute(1)) };
    heard.take();
    one_statement![heard:
        store.webhooks().find_endpoint(scope, endpoint_id),
        store.webhooks().find_endpoints(scope, &[endpoint_id]),
        store.webhooks().find_all_endpoints(scope),
        store.webhooks().list_endpoints(scope, None, PageRequest { before: None, limit: 100 }),
        store.webhooks().find_progress(scope, &[endpoint_id]),
        store.webhooks().find_deliveries(scope, &[scene.samples.id()]),
        store.webhooks().list_deliveries(scope, filter, page),
        store.webhooks().list_active_endpoints(Some(key), 100),
        store.webhooks().list_due_endpoints(minute(0), 100),
        store.webhooks().list_due_deliveries(key, minute(0), 4),
    ];
}

async fn every_read_of_alerts_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, channel_id) = (scene.scope(), scene.samples.id());
    let key = RecordKey { workspace_id: scene.id(), id: channel_id };
    let channels = AlertChannelFilter { user_id: Some(scene.samples.id()), status: Some(ChannelStatus::Active) };
    let (state, topic) = (Some(MessageState::Waiting), Some(AlertTopic::Halt));
    let messages = AlertMessageFilter { channel_id, state, topic };
    heard.take();
    one_statement![heard:
        store.alerts().find_channels(scope, &[channel_id]),
        store.alerts().find_channels_of(scope, None),
        store.alerts().list_channels(scope, channels, PageRequest { before: None, limit: 100 }),
        store.alerts().find_alert_progress(scope, &[channel_id]),
        store.alerts().find_rules(scope, &[scene.samples.id()]),
        store.alerts().find_rules_of(scope, channel_id),
        store.alerts().list_rules(scope, channel_id, PageRequest { before: None, limit: 100 }),
        store.alerts().find_messages(scope, &[scene.samples.id()]),
        store.alerts().find_problems(scope, channel_id, &[text("one"), text("two")]),
        store.alerts().list_messages(scope, messages, PageRequest { before: None, limit: 100 }),
        store.alerts().list_active_channels(Some(key), 100),
        store.alerts().list_due_channels(minute(0), 100),
        store.alerts().list_due_messages(key, minute(0), 4),
    ];
}

async fn every_read_of_inventories_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, account, snapshot) = (scene.scope(), scene.samples.id(), scene.samples.id());
    let (taken, changed) = (SnapshotFilter::default(), InventoryChangeFilter::default());
    heard.take();
    one_statement![heard:
        store.snapshots().find_snapshots(scope, &[snapshot]),
        store.snapshots().list_snapshots(scope, taken, PageRequest { before: None, limit: 100 }),
        store.snapshots().list_snapshots_in(scope, SnapshotStatus::Taking, RecordBatch { after: None, most: 100 }),
        store.snapshots().list_snapshots_of(scope, account, RecordBatch { after: None, most: 100 }),
        store.snapshots().find_complete_before(scope, account, 2),
        store.snapshots().last_snapshot_number(scope, account),
        store.snapshots().list_items_at(scope, (account, 1), RecordBatch { after: None, most: 100 }),
        store.snapshots().list_unshown_items(scope, account, 100),
        store.inventory_changes().find_inventory_changes(scope, &[scene.samples.id()]),
        store.inventory_changes().list_inventory_changes(scope, changed, PageRequest { before: None, limit: 100 }),
        store.inventory_changes().list_changes_to(scope, snapshot, RecordBatch { after: None, most: 100 }),
        store.inventory_changes().list_unreported_orphans(scope, minute(0), 100),
    ];
}

async fn every_read_of_sessions_and_renewals_is_one_statement(test: TestStore) {
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, account, kind) = (scene.scope(), scene.samples.id(), RenewalKind::AccessToken);
    let (sessions, renewals) = (AccountSessionFilter::default(), RenewalFilter::default());
    let due = RenewalFilter { due_before: Some(minute(0)), ..renewals };
    heard.take();
    one_statement![heard:
        store.account_sessions().find_account_sessions(scope, &[scene.samples.id()]),
        store.account_sessions().list_account_sessions(scope, sessions, PageRequest { before: None, limit: 100 }),
        store.account_sessions().list_live_account_sessions(scope, RecordBatch { after: None, most: 100 }),
        store.account_sessions().find_live_account_session(scope, account),
        store.renewals().find_renewals(scope, &[scene.samples.id()]),
        store.renewals().list_renewals(scope, renewals, PageRequest { before: None, limit: 100 }),
        store.renewals().list_renewals(scope, due, PageRequest { before: None, limit: 100 }),
        store.renewals().list_open_renewals_of(scope, account),
        store.renewals().list_due_renewals(scope, minute(0), 100),
        store.renewals().list_ending_renewals(scope, kind, minute(0), 100),
    ];
}

#[tokio::test]
async fn every_read_is_one_statement_on_sqlite() {
    every_read_is_one_statement(sqlite().await).await;
    every_read_of_reports_is_one_statement(sqlite().await).await;
    every_read_of_decisions_is_one_statement(sqlite().await).await;
    every_read_of_accounts_is_one_statement(sqlite().await).await;
    every_read_of_imports_is_one_statement(sqlite().await).await;
    every_read_of_friends_and_chats_is_one_statement(sqlite().await).await;
    every_read_of_offers_and_providers_is_one_statement(sqlite().await).await;
    every_read_of_webhooks_is_one_statement(sqlite().await).await;
    every_read_of_alerts_is_one_statement(sqlite().await).await;
    every_read_of_inventories_is_one_statement(sqlite().await).await;
    every_read_of_sessions_and_renewals_is_one_statement(sqlite().await).await;
    every_read_of_what_is_followed_is_one_statement(sqlite().await).await;
}

#[tokio::test]
async fn every_read_is_one_statement_on_postgres() {
    every_read_is_one_statement(postgres().await).await;
    every_read_of_reports_is_one_statement(postgres().await).await;
    every_read_of_decisions_is_one_statement(postgres().await).await;
    every_read_of_accounts_is_one_statement(postgres().await).await;
    every_read_of_imports_is_one_statement(postgres().await).await;
    every_read_of_friends_and_chats_is_one_statement(postgres().await).await;
    every_read_of_offers_and_providers_is_one_statement(postgres().await).await;
    every_read_of_webhooks_is_one_statement(postgres().await).await;
    every_read_of_alerts_is_one_statement(postgres().await).await;
    every_read_of_inventories_is_one_statement(postgres().await).await;
    every_read_of_sessions_and_renewals_is_one_statement(postgres().await).await;
    every_read_of_what_is_followed_is_one_statement(postgres().await).await;
}

#[tokio::test]
async fn an_append_with_all_that_belongs_to_it_is_one_statement_on_postgres() {
    let test = postgres().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (item, _) = scene.item(&store, 2).await;
    let key = store.api_keys().find_by_digest(&scene.key.digest).await.unwrap().unwrap();
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
    let contract = store.contracts().find(scene.scope(), scene.contract.id).await.unwrap().unwrap();
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

//! The statements that read or change rows of several homes, each by a part of its text, and why it does.

use std::collections::BTreeSet;

use tradepost_adapters_sql::SqlStore;
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::Moment;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, VersionGuard};
use tradepost_ports::record::Record as _;
use tradepost_ports::store::Records as _;
use tradepost_ports::store::{Aged, PageRequest, Store as _, UnmarkedQuery, Worlds};
use tradepost_testkit::samples::{Scene, minute, text};

use super::statement::{guarded_elsewhere, scattered};
use super::{home_columns, listed};
use crate::support::{Heard, observed, postgres};

const BY_DIGEST: &str = "a call brings a secret and names no workspace";
const OF_A_USER: &str = "a user is a member of several workspaces";
const FOR_ALL: &str = "one process looks for the work of all workspaces";
const AGED: &str = "one process deletes what is over in all workspaces";
const POSITIONS: &str = "the positions of changes are one sequence over all workspaces";

/// A new statement belongs here only if no workspace is known where it is asked.
pub(super) const EXCEPTIONS: &[(&str, &str)] = &[
    ("FROM api_keys k JOIN users u", BY_DIGEST),
    ("FROM memberships WHERE invitation_digest = $1", BY_DIGEST),
    ("FROM memberships WHERE user_id = $1", OF_A_USER),
    ("FROM memberships m JOIN workspaces w", OF_A_USER),
    ("FROM memberships m WHERE m.user_id = u.id", OF_A_USER),
    ("LEFT JOIN memberships m ON m.user_id = s.user_id", OF_A_USER),
    ("FROM audit_events WHERE actor_user_id = $1", "what a user did is in several logs"),
    ("FROM audit_heads WHERE $1 IS NULL", "the check of all logs begins with the end of each"),
    ("FROM trading_accounts WHERE platform = $3", "an import reports accounts that other workspaces have"),
    ("FROM alert_channels c JOIN workspaces w", FOR_ALL),
    ("FROM alert_messages m JOIN workspaces w", FOR_ALL),
    ("FROM api_keys WHERE remind_at <= $1", FOR_ALL),
    ("FROM audit_waiting w", FOR_ALL),
    ("FROM contracts WHERE ends_at <= $1", FOR_ALL),
    ("FROM contracts WHERE id > $1", FOR_ALL),
    ("FROM imports WHERE status IN (2, 3)", FOR_ALL),
    ("FROM intents i WHERE status IN (1, 2) AND contract_id IS NOT NULL", FOR_ALL),
    ("FROM intents i WHERE status IN (1, 2) AND workspace_id NOT IN", FOR_ALL),
    ("FROM leases WHERE work_kind = 2", FOR_ALL),
    ("FROM market_counts WHERE hour < $1", FOR_ALL),
    ("FROM market_counts WHERE hour >= $1", FOR_ALL),
    ("FROM memberships WHERE status = 1 AND expires_at <= $1", FOR_ALL),
    ("FROM providers WHERE driver = $1 AND kind = $2", FOR_ALL),
    ("FROM providers WHERE driver = $1 AND name = $2", FOR_ALL),
    ("FROM purchases p WHERE status = ", FOR_ALL),
    ("FROM webhook_deliveries d JOIN workspaces w", FOR_ALL),
    ("FROM webhook_endpoints e JOIN workspaces w", FOR_ALL),
    ("FROM workspace_keys WHERE status < 3", FOR_ALL),
    ("FROM workspace_keys k WHERE k.status = 2", FOR_ALL),
    ("FROM workspaces WHERE deleted_at IS NOT NULL", FOR_ALL),
    ("FROM workspaces w WHERE w.id > $1", FOR_ALL),
    ("DELETE FROM alert_messages WHERE ctid", AGED),
    ("DELETE FROM chat_messages WHERE ctid", AGED),
    ("DELETE FROM evaluations WHERE (workspace_id, id) IN", AGED),
    ("DELETE FROM usage_counts WHERE ctid", AGED),
    ("DELETE FROM webhook_deliveries WHERE ctid", AGED),
    ("DELETE FROM workspace_secrets WHERE ctid", AGED),
    ("DELETE FROM transition_places WHERE position IN", POSITIONS),
    ("FROM transition_places AS p JOIN transitions AS t", POSITIONS),
    ("FROM transitions_waiting w USING turn", POSITIONS),
];

const OF_CALLERS: &str = "the right of a caller depends on records of its user, who is in several workspaces";

/// The tables without a home whose rows a commit into one may guard.
pub(super) const GUARDS: &[(&str, &str)] = &[("sessions", OF_CALLERS), ("users", OF_CALLERS)];

/// Calls what is asked by a secret, or for a user.
async fn ask_for_users(store: &SqlStore, scene: &Scene) {
    let (user, page) = (scene.user.id, PageRequest { before: None, limit: 1 });
    store.api_keys().find_by_digest(&scene.key.digest).await.unwrap();
    store.memberships().find_invitation(&scene.key.digest).await.unwrap();
    store.memberships().list_own(user).await.unwrap();
    store.workspaces().list_own(user).await.unwrap();
    store.users().find_fellows(user, &[scene.scope()], &[user]).await.unwrap();
    store.sessions().find_by_digest(&scene.key.digest).await.unwrap();
    store.audit_logs().list_own_events(user, page).await.unwrap();
    let numbers = [scene.samples.platform_user()];
    store.trading_accounts().list_elsewhere(scene.scope(), &text("steam"), &numbers).await.unwrap();
}

/// Calls what a process asks for all workspaces.
async fn ask_for_all(store: &SqlStore) {
    let (at, real) = (minute(0), Worlds::Real);
    store.alerts().list_active_channels(None, 1).await.unwrap();
    store.alerts().list_due_channels(at, 1).await.unwrap();
    store.audit_logs().list_heads(None, 1).await.unwrap();
    store.audit_logs().list_waiting_events(None, 1).await.unwrap();
    store.candles().form(real, at, at).await.unwrap();
    store.contracts().list_active(None, 1).await.unwrap();
    store.contracts().list_overdue(real, at, 1).await.unwrap();
    let query = UnmarkedQuery { worlds: real, day: 0, after: None, most: 1 };
    store.equity_marks().list_unmarked(query).await.unwrap();
    store.expired_records().list_deleted_workspaces(at, 1).await.unwrap();
    store.expired_records().list_keys_to_remind_of(at, 1).await.unwrap();
    store.expired_records().list_overdue_invitations(at, 1).await.unwrap();
    store.imports().list_overdue_imports(at, 1).await.unwrap();
    store.intents().list_overdue(real, Moment::of(at), 1).await.unwrap();
    store.intents().list_stranded(1).await.unwrap();
    store.leases().list_of_marketplaces().await.unwrap();
    store.providers().list_of_driver(&text("skinport"), &text("skinport"), None, 1).await.unwrap();
    store.providers().list_of_kind(&text("steam"), ProviderKind::GamePlatform, None, 1).await.unwrap();
    store.purchases().list_undecided(real, at, 1).await.unwrap();
    store.webhooks().list_active_endpoints(None, 1).await.unwrap();
    store.webhooks().list_due_endpoints(at, 1).await.unwrap();
    store.workspace_keys().list_all(None, 1).await.unwrap();
    store.workspace_keys().list_retired_in_use(None, 1).await.unwrap();
}

/// Calls what deletes rows that are over.
async fn forget(store: &SqlStore) {
    let (at, real) = (minute(0), Worlds::Real);
    for aged in [Aged::Deliveries, Aged::AlertMessages, Aged::ChatMessages, Aged::ChatTexts] {
        store.expired_records().forget_aged(aged, at, 1).await.unwrap();
    }
    store.evaluations().forget(real, Decision::Skip, at, 1).await.unwrap();
    store.observations().forget(real, at, 1).await.unwrap();
    store.usage().forget(0, 1).await.unwrap();
}

/// Gives a change its position, and forgets it.
async fn number_changes(store: &SqlStore, scene: &Scene) {
    let mut changes = Changes::by(&Caller::system());
    let subject = Subject::Contract(scene.contract.id);
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), subject)));
    store.commit(changes).await.unwrap();
    store.transitions().place().await.unwrap();
    store.transitions().forget_places(0, Timestamp::MAX, 1).await.unwrap();
}

/// Commits into a workspace for a caller with a session.
async fn act_with_a_session(store: &SqlStore, scene: &Scene) {
    let session = scene.samples.session(scene.user.id);
    let mut changes = Changes::by(&Caller::system());
    changes.insert(session.clone());
    store.commit(changes).await.unwrap();
    let user = store.users().find(scene.user.id).await.unwrap().unwrap();
    let guards = vec![VersionGuard { address: session.address(), version: 1 }, user.stamp()];
    let mut changes = Changes::by(&Caller { guards, ..Caller::system() });
    let subject = Subject::Contract(scene.contract.id);
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), subject)));
    store.commit(changes).await.unwrap();
}

#[tokio::test]
async fn every_exception_is_a_statement_that_is_not_of_one_home() {
    let (test, heard) = (postgres().await, Heard::default());
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    ask_for_users(&store, &scene).await;
    ask_for_all(&store).await;
    forget(&store).await;
    number_changes(&store, &scene).await;
    act_with_a_session(&store, &scene).await;
    let columns = home_columns(&test.place.connect().await).await;
    let said = heard.take();
    let exceptional = said.iter().filter(|text| !scattered(text, &columns).is_empty());
    let found: BTreeSet<&str> = exceptional.flat_map(|text| listed(text)).collect();
    for (part, why) in EXCEPTIONS {
        assert!(found.contains(part), "no statement needs this exception now, so remove it: {part} ({why})");
    }
    let guarded: BTreeSet<&str> = said.iter().flat_map(|text| guarded_elsewhere(text, &columns)).collect();
    for (table, why) in GUARDS {
        assert!(guarded.contains(table), "no commit guards its rows now, so remove it: {table} ({why})");
    }
}

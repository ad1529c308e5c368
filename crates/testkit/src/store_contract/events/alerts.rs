//! Promises about alert channels, their rules and progress, and messages.

use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelDisabledReason, ChannelKind, ChannelStatus};
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::{AlertRule, RuleTerms};
use tradepost_domain::alerts::schedule::{Pace, QuietHours, Schedule};
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::remediation::{RemediationKind, Severity};
use tradepost_domain::events::health::Health;
use tradepost_domain::id::{AlertChannelId, RecordKey};
use tradepost_domain::transition::Subject;
use tradepost_ports::store::{AlertChannelFilter, AlertMessageFilter, PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, revise, values};

pub async fn alert_channels_are_read_back_whole_and_listed_by_owner(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = home.samples.id();
    let shared = home.samples.alert_channel(home.id());
    let plain = AlertChannel { user_id: Some(user), kind: ChannelKind::Mail, ..home.samples.alert_channel(home.id()) };
    let own = AlertChannel { target: None, secret_hint: None, ..plain };
    let own = own.disable(ChannelDisabledReason::Failing, minute(1)).unwrap();
    insert(store, [shared.clone().into(), own.clone().into()]).await.unwrap();
    let alerts = store.alerts();
    let mut found = values(alerts.find_channels(home.scope(), &[own.id, shared.id]).await.unwrap());
    found.sort_by_key(|channel| channel.id);
    assert_eq!(found, [shared.clone(), own.clone()]);
    assert_eq!(values(alerts.find_channels(abroad.scope(), &[own.id]).await.unwrap()), []);
    assert_eq!(values(alerts.find_channels_of(home.scope(), None).await.unwrap()), std::slice::from_ref(&shared));
    assert_eq!(values(alerts.find_channels_of(home.scope(), Some(user)).await.unwrap()), std::slice::from_ref(&own));
    let page = PageRequest { before: None, limit: 5 };
    let listed = async |user_id, status| {
        alerts.list_channels(home.scope(), AlertChannelFilter { user_id, status }, page).await.unwrap().ids
    };
    assert_eq!(listed(None, None).await, [shared.id]);
    assert_eq!(listed(Some(user), Some(ChannelStatus::Disabled)).await, [own.id]);
    assert_eq!(listed(Some(user), Some(ChannelStatus::Active)).await, []);
}

pub async fn the_rules_of_an_alert_channel_are_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let channel = scene.samples.alert_channel(scene.id());
    let plain = scene.samples.alert_rule(&channel);
    let schedule = Schedule {
        zone: TimeZone::new("Europe/Zurich").unwrap(),
        pace: Pace::Daily,
        quiet: QuietHours::new("22:00".parse().unwrap(), "07:30".parse().unwrap()).ok(),
        daily_at: "09:15".parse().unwrap(),
    };
    let terms = RuleTerms {
        topics: vec![AlertTopic::Problem, AlertTopic::Halt],
        urgent: vec![AlertTopic::Halt],
        kinds: vec![RemediationKind::MissingItem],
        min_severity: Some(Severity::Critical),
        silent_minutes: 1_440,
        schedule,
    };
    let full = AlertRule { user_id: Some(scene.samples.id()), terms, ..scene.samples.alert_rule(&channel) };
    let other = scene.samples.alert_rule(&scene.samples.alert_channel(scene.id()));
    insert(store, [plain.clone().into(), full.clone().into(), other.clone().into()]).await.unwrap();
    let alerts = store.alerts();
    assert_eq!(values(alerts.find_rules_of(scene.scope(), channel.id).await.unwrap()), [plain.clone(), full.clone()]);
    assert_eq!(values(alerts.find_rules(scene.scope(), &[other.id]).await.unwrap()), [other]);
    let page = PageRequest { before: None, limit: 5 };
    assert_eq!(alerts.list_rules(scene.scope(), channel.id, page).await.unwrap().ids, [full.id, plain.id]);
}

pub async fn the_progress_of_alert_channels_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let new = AlertProgress::new(scene.samples.id(), scene.id(), None, minute(0));
    let moved = AlertProgress::new(scene.samples.id(), scene.id(), None, minute(0)).moved_to(scene.samples.id());
    let counted = moved.with_halt(Some(minute(1))).count([AlertTopic::Problem], minute(2)).unwrap();
    let moved = counted.beat(minute(3)).unwrap();
    let moved = moved.with_health(Health::default().succeeded(minute(1)).failed(minute(2)).failed(minute(3)));
    insert(store, [new.into(), moved.into()]).await.unwrap();
    let ids = [moved.channel_id, scene.samples.id(), new.channel_id];
    let mut found = values(store.alerts().find_alert_progress(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|progress| progress.channel_id);
    assert_eq!(found, [new, moved]);
}

pub async fn an_alert_channel_has_one_message_of_a_problem(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, two) = (scene.samples.id(), scene.samples.id());
    let message = |channel| AlertMessage { problem: text("halt"), ..scene.samples.alert_message(scene.id(), channel) };
    let first = message(one);
    insert(store, [first.clone().into(), message(two).into()]).await.unwrap();
    let again = insert(store, [message(one).into()]).await;
    assert_eq!(again, Err(StoreError::Duplicate(Unique::AlertProblem)));
    let keys = [text("other"), text("halt")];
    assert_eq!(values(store.alerts().find_problems(scene.scope(), one, &keys).await.unwrap()), [first]);
    assert_eq!(values(store.alerts().find_problems(scene.scope(), one, &[]).await.unwrap()), []);
}

pub async fn alert_messages_are_read_back_whole_and_listed_by_state_and_topic(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let channel: AlertChannelId = scene.samples.id();
    let made = || scene.samples.alert_message(scene.id(), channel);
    let waiting = made().asked_for(scene.samples.id(), minute(5)).resolved(minute(2));
    let subject = Some(Subject::Remediation(scene.samples.id()));
    let sent = made().claim(minute(0)).unwrap().sent(minute(1));
    let sent = AlertMessage { subject, detail: Some(text("more")), user_id: Some(scene.samples.id()), ..sent };
    let halt = AlertMessage { topic: AlertTopic::Halt, ..made().dropped(text("disabled"), minute(3)) };
    let all = [waiting.clone(), sent.clone(), halt.clone()];
    insert(store, all.clone().map(Into::into)).await.unwrap();
    let ids: Vec<_> = all.iter().map(|message| message.id).collect();
    let mut found = values(store.alerts().find_messages(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|message| message.id);
    assert_eq!(found, all);
    let filter = AlertMessageFilter { channel_id: channel, state: None, topic: None };
    let listed = async |filter| {
        let page = PageRequest { before: None, limit: 5 };
        store.alerts().list_messages(scene.scope(), filter, page).await.unwrap().ids
    };
    assert_eq!(listed(filter).await, [halt.id, sent.id, waiting.id]);
    assert_eq!(listed(AlertMessageFilter { state: Some(MessageState::Sent), ..filter }).await, [sent.id]);
    assert_eq!(listed(AlertMessageFilter { topic: Some(AlertTopic::Halt), ..filter }).await, [halt.id]);
    assert_eq!(listed(AlertMessageFilter { channel_id: scene.samples.id(), ..filter }).await, []);
}

pub async fn active_and_due_alert_channels_of_every_workspace_are_listed(store: &dyn Store) {
    let (one, two) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (first, second) = (one.samples.alert_channel(one.id()), two.samples.alert_channel(two.id()));
    let disabled = one.samples.alert_channel(one.id()).disable(ChannelDisabledReason::Person, minute(1)).unwrap();
    let due = |scene: &Scene, channel: &AlertChannel| scene.samples.alert_message(scene.id(), channel.id);
    let late = due(&two, &second);
    let of_disabled = due(&one, &disabled);
    let channels = [first.clone().into(), second.clone().into(), disabled.clone().into()];
    insert(store, channels).await.unwrap();
    insert(store, [late.into(), of_disabled.into()]).await.unwrap();
    let alerts = store.alerts();
    let mut expected = [key(&first), key(&second)].to_vec();
    expected.sort_by_key(|key| (key.workspace_id, key.id));
    assert_eq!(alerts.list_active_channels(None, 5).await.unwrap(), expected);
    assert_eq!(alerts.list_active_channels(expected.first().copied(), 5).await.unwrap(), expected[1..]);
    let mut found = alerts.list_due_channels(minute(0), 5).await.unwrap();
    found.sort_by_key(|key| key.id);
    let mut waiting = [key(&second), key(&disabled)];
    waiting.sort_by_key(|key| key.id);
    assert_eq!(found, waiting);
    let workspace = store.workspaces().find(two.scope()).await.unwrap().unwrap();
    revise(store, workspace, |workspace| Workspace { deleted_at: Some(minute(1)), ..workspace }).await.unwrap();
    assert_eq!(alerts.list_active_channels(None, 5).await.unwrap(), [key(&first)]);
    assert_eq!(alerts.list_due_channels(minute(0), 5).await.unwrap(), [key(&disabled)]);
}

pub async fn due_messages_of_an_alert_channel_come_by_how_long_they_have_waited(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let channel = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
    let due = |at| scene.samples.alert_message(scene.id(), channel.id).postponed(minute(at));
    let (second, first, third) = (due(2), due(1), due(3));
    let done = due(1).dropped(text("disabled"), minute(1));
    let other = scene.samples.alert_message(scene.id(), scene.samples.id());
    let all = [second.clone().into(), first.clone().into(), third.into(), done.into(), other.into()];
    insert(store, all).await.unwrap();
    let found = async |limit| values(store.alerts().list_due_messages(channel, minute(2), limit).await.unwrap());
    assert_eq!(found(5).await, [first.clone(), second]);
    assert_eq!(found(1).await, [first]);
}

fn key(channel: &AlertChannel) -> RecordKey<AlertChannelId> {
    RecordKey { workspace_id: channel.workspace_id, id: channel.id }
}

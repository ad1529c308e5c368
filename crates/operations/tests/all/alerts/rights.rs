//! The callers that may read and change alert channels of the workspace.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_operations::alerts::{
    CountAlertChannels, CountAlertRules, CreateAlertRule, DeleteAlertChannel, DeleteAlertRule, DisableAlertChannel,
    EnableAlertChannel, GetAlertChannel, GetAlertChannels, GetAlertMessages, GetAlertRule, GetAlertRules,
    ListAlertChannels, ListAlertMessages, ListAlertRules, SendTestAlert, UpdateAlertChannel, UpdateAlertRule,
};
use tradepost_operations::rules::RULES;
use tradepost_operations::{Caller, Code, OpError, OpResult};

use super::{created, terms, webhook};
use crate::harness::World;

type Refusals = Vec<(&'static str, Option<OpError>)>;

fn of<T>(method: &'static str, answer: OpResult<T>) -> (&'static str, Option<OpError>) {
    (method, answer.err())
}

/// The ids that a table asks for.
struct Table<'a> {
    world: &'a World,
    workspace_id: WorkspaceId,
    channel: [u8; 16],
    rule: [u8; 16],
}

impl Table<'_> {
    async fn reads(&self, caller: &Caller) -> Refusals {
        let (on, workspace_id, cursor) = (&self.world.operations, self.workspace_id, String::new());
        let (channel_id, rule_id, own) = (Id::from_bytes(self.channel), Id::from_bytes(self.rule), false);
        let list = ListAlertChannels { workspace_id, limit: 0, cursor: cursor.clone(), own, status: None };
        let rules = ListAlertRules { workspace_id, channel_id, limit: 0, cursor: cursor.clone() };
        let messages = ListAlertMessages { workspace_id, channel_id, limit: 0, cursor, state: None, topic: None };
        let channels = GetAlertChannels { workspace_id, channel_ids: vec![channel_id] };
        let found = GetAlertMessages { workspace_id, message_ids: vec![Id::from_bytes([9; 16])] };
        let several = GetAlertRules { workspace_id, rule_ids: vec![rule_id] };
        let count = CountAlertChannels { workspace_id, own };
        vec![
            of("ListAlertChannels", on.list_alert_channels(caller, list).await),
            of("GetAlertChannel", on.get_alert_channel(caller, GetAlertChannel { workspace_id, channel_id }).await),
            of("GetAlertChannels", on.get_alert_channels(caller, channels).await),
            of("CountAlertChannels", on.count_alert_channels(caller, count).await),
            of("ListAlertRules", on.list_alert_rules(caller, rules).await),
            of("GetAlertRule", on.get_alert_rule(caller, GetAlertRule { workspace_id, rule_id }).await),
            of("GetAlertRules", on.get_alert_rules(caller, several).await),
            of("CountAlertRules", on.count_alert_rules(caller, CountAlertRules { workspace_id, channel_id }).await),
            of("ListAlertMessages", on.list_alert_messages(caller, messages).await),
            of("GetAlertMessages", on.get_alert_messages(caller, found).await),
        ]
    }

    async fn writes(&self, caller: &Caller) -> Refusals {
        let (on, workspace_id, expected_version) = (&self.world.operations, self.workspace_id, None);
        let (channel_id, rule_id) = (Id::from_bytes(self.channel), Id::from_bytes(self.rule));
        let (name, terms) = (Some("office".to_owned()), terms(&[AlertTopic::Halt]));
        let (target, secret, new_signing_secret) = (None, None, false);
        let update =
            UpdateAlertChannel { workspace_id, channel_id, name, target, secret, new_signing_secret, expected_version };
        let create = CreateAlertRule { workspace_id, channel_id, terms: terms.clone() };
        let replace = UpdateAlertRule { workspace_id, rule_id, terms, expected_version };
        let remove = DeleteAlertRule { workspace_id, rule_id, expected_version };
        let disable = DisableAlertChannel { workspace_id, channel_id, expected_version };
        let enable = EnableAlertChannel { workspace_id, channel_id, expected_version };
        let delete = DeleteAlertChannel { workspace_id, channel_id, expected_version };
        vec![
            of("CreateAlertChannel", on.create_alert_channel(caller, webhook(workspace_id)).await),
            of("UpdateAlertChannel", on.update_alert_channel(caller, update).await),
            of("SendTestAlert", on.send_test_alert(caller, SendTestAlert { workspace_id, channel_id }).await),
            of("CreateAlertRule", on.create_alert_rule(caller, create).await),
            of("UpdateAlertRule", on.update_alert_rule(caller, replace).await),
            of("DeleteAlertRule", on.delete_alert_rule(caller, remove).await),
            of("DisableAlertChannel", on.disable_alert_channel(caller, disable).await),
            of("EnableAlertChannel", on.enable_alert_channel(caller, enable).await),
            of("DeleteAlertChannel", on.delete_alert_channel(caller, delete).await),
        ]
    }
}

async fn of_channel(world: &World) -> Table<'_> {
    let (workspace_id, system) = (world.workspace_id, Caller::system());
    let channel_id = created(world, &system, webhook(workspace_id)).await;
    let rule = CreateAlertRule { workspace_id, channel_id, terms: terms(&[AlertTopic::Halt]) };
    let rule = world.operations.create_alert_rule(&system, rule).await.unwrap().value.id;
    Table { world, workspace_id, channel: channel_id.to_bytes(), rule: rule.to_bytes() }
}

fn denied(refusals: &Refusals) -> usize {
    let is_denied = |error: &Option<OpError>| error.as_ref().is_some_and(|error| error.code == Code::PermissionDenied);
    refusals.iter().filter(|(_, error)| is_denied(error)).count()
}

#[tokio::test]
async fn every_operation_of_alerts_is_in_this_table() {
    let world = World::new().await;
    let table = of_channel(&world).await;
    let (reads, writes) = (table.reads(&Caller::system()).await, table.writes(&Caller::system()).await);
    let here: Vec<_> = reads.iter().chain(&writes).map(|(method, _)| *method).collect();
    for rule in RULES.iter().filter(|rule| rule.service == "alerts.v1.Alerts") {
        assert!(here.contains(&rule.method), "{}", rule.method);
    }
}

#[tokio::test]
async fn readers_of_trading_read_channels_of_the_workspace_and_workspace_changes_them() {
    for policy in Policy::ALL {
        let world = World::new().await;
        let table = of_channel(&world).await;
        let caller = world.key(PolicySet::of(&[policy])).await;
        let (reads, writes) = (table.reads(&caller).await, table.writes(&caller).await);
        let expected = match policy {
            Policy::Workspace => (0, 0),
            Policy::Analytics | Policy::Trading => (0, writes.len()),
            Policy::Accounts | Policy::Markets | Policy::Identity => (reads.len(), writes.len()),
        };
        assert_eq!((denied(&reads), denied(&writes)), expected, "{}", policy.name());
    }
}

#[tokio::test]
async fn alerts_of_another_workspace_are_denied_whether_it_exists_or_not() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let (existing, _, _) = world.other_workspace().await;
    for workspace_id in [existing, Id::from_bytes([9; 16])] {
        let table = Table { world: &world, workspace_id, channel: [9; 16], rule: [9; 16] };
        let (reads, writes) = (table.reads(&caller).await, table.writes(&caller).await);
        assert_eq!((denied(&reads), denied(&writes)), (reads.len(), writes.len()));
    }
}

#[tokio::test]
async fn an_unknown_channel_rule_or_message_is_not_found() {
    let world = World::new().await;
    let workspace_id = world.workspace_id;
    let table = Table { world: &world, workspace_id, channel: [9; 16], rule: [9; 16] };
    let (reads, writes) = (table.reads(&Caller::system()).await, table.writes(&Caller::system()).await);
    let name_none = [
        "ListAlertChannels",
        "GetAlertChannels",
        "CountAlertChannels",
        "GetAlertRules",
        "GetAlertMessages",
        "CreateAlertChannel",
    ];
    for (method, refusal) in reads.into_iter().chain(writes) {
        let expected = if name_none.contains(&method) { None } else { Some(Code::NotFound) };
        assert_eq!(refusal.map(|error| error.code), expected, "{method}");
    }
}

//! Creating and changing rules.

use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::schedule::Pace;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_operations::accounts::UpdateWorkspace;
use tradepost_operations::alerts::{
    AlertRuleTerms, CountAlertRules, CreateAlertChannel, CreateAlertRule, DeleteAlertChannel, DeleteAlertRule,
    GetAlertRule, ListAlertRules, UpdateAlertRule,
};
use tradepost_operations::{Caller, Code};

use super::{created, terms, webhook};
use crate::harness::{World, refusal, unchanged};

#[tokio::test]
async fn a_rule_says_what_it_was_given_until_it_is_replaced_or_deleted() {
    let world = World::new().await;
    let (workspace_id, system) = (world.workspace_id, Caller::system());
    let channel_id = created(&world, &system, webhook(workspace_id)).await;
    let create = CreateAlertRule { workspace_id, channel_id, terms: terms(&[AlertTopic::Halt, AlertTopic::Problem]) };
    let rule = world.operations.create_alert_rule(&system, create).await.unwrap().value;
    assert_eq!(rule.terms.topics, [AlertTopic::Problem, AlertTopic::Halt]);
    assert_eq!((rule.terms.silent_minutes, rule.terms.schedule.pace), (10, Pace::AtOnce));
    let night = AlertRuleTerms {
        pace: Some(Pace::Hourly),
        time_zone: "europe/zurich".to_owned(),
        quiet_from: "22:00".to_owned(),
        quiet_to: "07:00".to_owned(),
        urgent: vec![AlertTopic::Halt],
        ..terms(&[AlertTopic::Halt])
    };
    let (rule_id, expected_version) = (rule.id, Some(1));
    let replace = UpdateAlertRule { workspace_id, rule_id, terms: night, expected_version };
    let replaced = world.operations.update_alert_rule(&system, replace.clone()).await.unwrap();
    let schedule = &replaced.value.terms.schedule;
    assert_eq!((schedule.zone.as_str(), schedule.quiet.unwrap().to().to_string()), ("Europe/Zurich", "07:00".into()));
    let stale = world.operations.update_alert_rule(&system, replace).await;
    assert_eq!(refusal(stale), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    let list = ListAlertRules { workspace_id, channel_id, limit: 0, cursor: String::new() };
    assert_eq!(world.operations.list_alert_rules(&system, list).await.unwrap().entries, [rule_id]);
    let delete = DeleteAlertRule { workspace_id, rule_id, expected_version: None };
    world.operations.delete_alert_rule(&system, delete).await.unwrap();
    let get = GetAlertRule { workspace_id, rule_id };
    assert_eq!(refusal(world.operations.get_alert_rule(&system, get).await), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_rule_without_a_time_zone_takes_that_of_the_workspace() {
    let world = World::new().await;
    let (workspace_id, system) = (world.workspace_id, Caller::system());
    let channel_id = created(&world, &system, webhook(workspace_id)).await;
    let zone = async || {
        let create = CreateAlertRule { workspace_id, channel_id, terms: terms(&[AlertTopic::Halt]) };
        world.operations.create_alert_rule(&system, create).await.unwrap().value.terms.schedule.zone.to_string()
    };
    assert_eq!(zone().await, "UTC");
    let moved = UpdateWorkspace { time_zone: Some("Asia/Shanghai".to_owned()), ..unchanged(workspace_id) };
    world.operations.update_workspace(&system, moved).await.unwrap();
    assert_eq!(zone().await, "Asia/Shanghai");
}

#[tokio::test]
async fn a_rule_that_makes_no_sense_is_rejected_by_its_field() {
    let world = World::new().await;
    let (workspace_id, system) = (world.workspace_id, Caller::system());
    let channel_id = created(&world, &system, webhook(workspace_id)).await;
    let halt = || terms(&[AlertTopic::Halt]);
    let text = |text: &str| text.to_owned();
    let refused = [
        (terms(&[]), "topics"),
        (terms(&[AlertTopic::Test]), "topics"),
        (AlertRuleTerms { urgent: vec![AlertTopic::Sold], ..halt() }, "urgentTopics"),
        (AlertRuleTerms { silent_minutes: 1, ..halt() }, "silentMinutes"),
        (AlertRuleTerms { silent_minutes: -1, ..halt() }, "silentMinutes"),
        (AlertRuleTerms { time_zone: text("Mars/Base"), ..halt() }, "timeZone"),
        (AlertRuleTerms { quiet_from: text("22:00"), ..halt() }, "quietTo"),
        (AlertRuleTerms { quiet_from: text("22"), quiet_to: text("07:00"), ..halt() }, "quietFrom"),
        (AlertRuleTerms { quiet_from: text("07:00"), quiet_to: text("07:00"), ..halt() }, "quietTo"),
        (AlertRuleTerms { daily_at: text("24:00"), ..halt() }, "dailyAt"),
    ];
    for (terms, field) in refused {
        let create = CreateAlertRule { workspace_id, channel_id, terms };
        let error = world.operations.create_alert_rule(&system, create).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument, "{field}");
        assert!(error.message.starts_with(field), "{field}: {}", error.message);
    }
}

#[tokio::test]
async fn a_channel_has_twenty_rules_which_go_with_it_and_a_heartbeat_has_none() {
    let world = World::new().await;
    let (workspace_id, system) = (world.workspace_id, Caller::system());
    let channel_id = created(&world, &system, webhook(workspace_id)).await;
    let create = |channel_id| CreateAlertRule { workspace_id, channel_id, terms: terms(&[AlertTopic::Halt]) };
    for _ in 0..20 {
        world.operations.create_alert_rule(&system, create(channel_id)).await.unwrap();
    }
    let one_more = world.operations.create_alert_rule(&system, create(channel_id)).await;
    assert_eq!(refusal(one_more), (Code::FailedPrecondition, "ALERT_LIMIT"));
    let count = CountAlertRules { workspace_id, channel_id };
    assert_eq!(world.operations.count_alert_rules(&system, count).await.unwrap(), 20);
    let delete = DeleteAlertChannel { workspace_id, channel_id, expected_version: None };
    world.operations.delete_alert_channel(&system, delete).await.unwrap();
    assert!(!format!("{:?}", world.store).contains("AlertRule("));
    let heartbeat = CreateAlertChannel {
        kind: Some(ChannelKind::Heartbeat),
        target: String::new(),
        secret: "https://beat.example.com/1".into(),
        ..webhook(workspace_id)
    };
    let heartbeat = created(&world, &system, heartbeat).await;
    let refused = world.operations.create_alert_rule(&system, create(heartbeat)).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}

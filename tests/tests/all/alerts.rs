//! An alert from a problem to the person: the server follows the log, sends the message, and its link opens the problem.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::transition::Subject;
use tradepost_operations::Caller;
use tradepost_operations::contracts::OpenRemediation;
use tradepost_ports::alerts::AlertTarget;
use tradepost_testkit::fakes::FakeAlertSender;

use crate::harness::{Key, ORIGIN, Setup, World, on_both_databases};

on_both_databases! {
    async fn a_problem_arrives_as_one_message_whose_link_opens_it(database) {
        let sender = Arc::new(FakeAlertSender::default());
        let world = World::made_with(database, Setup { alerts: sender.clone(), ..Setup::default() }).await;
        let workspace_id = world.desk.workspace_id;
        let with = |fields: Value| crate::cases::merged(json!({ "workspaceId": workspace_id.to_string() }), &fields);
        let url = "https://alert.example.com/desk";
        let create = with(json!({ "kind": "ALERT_CHANNEL_KIND_WEBHOOK", "name": "desk", "target": url }));
        let created = world.call(Key::Full, "CreateAlertChannel", &create).await.ok();
        assert!(created["secret"].as_str().unwrap().starts_with("whsec_"), "{created}");
        let channel_id = created["channel"]["id"].clone();
        let rule = with(json!({ "channelId": channel_id, "topics": ["ALERT_TOPIC_PROBLEM"] }));
        world.call(Key::Full, "CreateAlertRule", &rule).await.ok();

        let problem = OpenRemediation {
            workspace_id,
            kind: RemediationKind::TradeReversed,
            subject: Subject::Purchase(world.desk.purchase),
            evidence: Evidence::default(),
        };
        let opened = world.app.operations().open_remediation(&Caller::system(), problem).await.unwrap().value;
        let sent = with(json!({ "channelId": channel_id, "state": "ALERT_MESSAGE_STATE_SENT" }));
        let message_ids = loop {
            let listed = world.call(Key::Reader, "ListAlertMessages", &sent).await.ok()["messageIds"].clone();
            if listed.as_array().is_some_and(|ids| !ids.is_empty()) {
                break listed;
            }
            tokio::task::yield_now().await;
        };

        let [received] = &sender.received()[..] else { panic!("{:?}", sender.received()) };
        assert!(matches!(&received.target, AlertTarget::Webhook { url: to, secrets } if to == url && secrets.len() == 1));
        assert_eq!(received.text.title, "The trade that brought an item was reversed");
        let page = URL_SAFE_NO_PAD.encode(opened.id.to_bytes());
        let workspace = URL_SAFE_NO_PAD.encode(workspace_id.to_bytes());
        let link = format!("{ORIGIN}/problems/{page}?workspace={workspace}");
        assert_eq!(received.text.link.as_deref(), Some(link.as_str()));
        let messages = world.call(Key::Reader, "GetAlertMessages", &with(json!({ "messageIds": message_ids }))).await.ok();
        assert_eq!(messages["messages"][0]["subjectId"], json!(opened.id.to_string()));
        let problem = with(json!({ "remediationId": opened.id.to_string() }));
        let shown = world.call(Key::Reader, "GetRemediation", &problem).await.ok();
        assert_eq!(shown["remediation"]["status"], "REMEDIATION_STATUS_WAITING");
    }
}

//! Processes that send alerts are killed, over and over: what happened is sent, and nothing becomes two messages.

use futures::future::join_all;
use secrecy::SecretString;
use tradepost::Tradepost;
use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_operations::Caller;
use tradepost_operations::alerts::{AlertRuleTerms, CreateAlertChannel, CreateAlertRule};

use super::killed::Engine;
use super::receiver::{Receiver, number, open};
use crate::harness::{Database, Place, Settled, on_both_databases};

const KILLS: i64 = 6;
/// Longer than a channel that is full makes a message wait, and than a process owns a message that it has claimed.
const POSTPONED: time::Duration = time::Duration::hours(2);

on_both_databases! {
    long on_postgresql;

    async fn alerts_of_processes_that_are_killed_are_sent_and_nothing_becomes_two_messages(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let root_secret = folder.path().join("root-secret");
        let settled = Settled::at(&place, &root_secret).await;
        let mut receiver = Receiver::start().await;
        let app = open(&place, &root_secret, time::Duration::ZERO).await;
        while app.operations().place_transitions().await.unwrap() {}
        report_purchases(&app, &settled, &receiver).await;
        app.shutdown().await.unwrap();
        let connection = place.connect().await;
        let before = number(&connection, BOUGHT).await;

        // A file of SQLite has one process, a server of PostgreSQL has nodes that send at the same time.
        let processes = match database {
            Database::Sqlite => 1,
            Database::Postgres => 2,
        };
        for round in 0..KILLS {
            let recorded = number(&connection, MESSAGES).await;
            let engines = join_all((0..processes).map(|_| Engine::start(&place, &folder, Some(&settled)))).await;
            while number(&connection, MESSAGES).await <= recorded + 5 * round {
                tokio::task::yield_now().await;
            }
            for mut engine in engines {
                engine.process.kill().await.unwrap();
            }
        }

        let app = open(&place, &root_secret, POSTPONED).await;
        // PostgreSQL may carry out a commit whose process was killed just then.
        while number(&connection, SENT).await < number(&connection, BOUGHT).await - before {
            tokio::task::yield_now().await;
        }
        app.shutdown().await.unwrap();
        let bought = number(&connection, BOUGHT).await - before;
        assert_eq!(number(&connection, MESSAGES).await, bought);
        assert_eq!(number(&connection, PURCHASES).await, bought);
        receiver.wait_for(1).await;
        connection.close().await.unwrap();
    }
}

/// 4 is a purchase.
const BOUGHT: &str = "SELECT count(*) AS n FROM transitions WHERE subject_kind = 4 AND to_status = 'PAID'";
const MESSAGES: &str = "SELECT count(*) AS n FROM alert_messages";
const SENT: &str = "SELECT count(*) AS n FROM alert_messages WHERE state = 2";
const PURCHASES: &str = "SELECT count(DISTINCT subject_id) AS n FROM alert_messages";

/// Makes a channel that gets a message for each purchase.
async fn report_purchases(app: &Tradepost, settled: &Settled, receiver: &Receiver) {
    let (operations, system, workspace_id) = (app.operations(), Caller::system(), settled.workspace_id);
    let channel = CreateAlertChannel {
        workspace_id,
        own: false,
        kind: Some(ChannelKind::Webhook),
        name: "the desk".to_owned(),
        target: receiver.url.clone(),
        secret: SecretString::default(),
    };
    let created = operations.create_alert_channel(&system, channel).await.unwrap();
    let terms = AlertRuleTerms { topics: vec![AlertTopic::Bought], ..AlertRuleTerms::default() };
    let rule = CreateAlertRule { workspace_id, channel_id: created.channel.channel.value.id, terms };
    operations.create_alert_rule(&system, rule).await.unwrap();
}

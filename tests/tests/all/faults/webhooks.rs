//! Processes that deliver webhooks are killed, over and over: each event arrives, and none becomes two deliveries.

use futures::future::join_all;
use tradepost_operations::Caller;
use tradepost_operations::events::CreateWebhookEndpoint;

use super::killed::Engine;
use super::receiver::{Receiver, number, open};
use crate::harness::{Database, Place, Settled, on_both_databases};

const KILLS: usize = 6;
/// Longer than a process owns a delivery that it has claimed.
const CLAIMED: time::Duration = time::Duration::minutes(2);

on_both_databases! {
    long on_postgresql;

    async fn webhooks_of_processes_that_are_killed_arrive_and_none_is_delivered_twice(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let root_secret = folder.path().join("root-secret");
        let settled = Settled::at(&place, &root_secret).await;
        let mut receiver = Receiver::start().await;
        let app = open(&place, &root_secret, time::Duration::ZERO).await;
        let command = CreateWebhookEndpoint {
            workspace_id: settled.workspace_id,
            url: receiver.url.clone(),
            description: String::new(),
            types: vec!["purchase.*".to_owned()],
            disabled: false,
        };
        while app.operations().place_transitions().await.unwrap() {}
        app.operations().create_webhook_endpoint(&Caller::system(), command).await.unwrap();
        app.shutdown().await.unwrap();
        let connection = place.connect().await;
        let before = number(&connection, PURCHASE_STEPS).await;

        // A file of SQLite has one process, a server of PostgreSQL has nodes that deliver at the same time.
        let processes = match database {
            Database::Sqlite => 1,
            Database::Postgres => 2,
        };
        for round in 0..KILLS {
            let engines = join_all((0..processes).map(|_| Engine::start(&place, &folder, Some(&settled)))).await;
            receiver.wait_for(receiver.count() + 1 + 5 * round).await;
            for mut engine in engines {
                engine.process.kill().await.unwrap();
            }
        }

        let app = open(&place, &root_secret, CLAIMED).await;
        let expected = number(&connection, PURCHASE_STEPS).await - before;
        receiver.wait_for(usize::try_from(expected).unwrap()).await;
        while number(&connection, PENDING).await > 0 {
            tokio::task::yield_now().await;
        }
        app.shutdown().await.unwrap();
        assert_eq!(number(&connection, DELIVERIES).await, expected);
        assert_eq!(number(&connection, EVENTS).await, expected);
        assert_eq!(receiver.count(), usize::try_from(expected).unwrap());
        connection.close().await.unwrap();
    }
}

/// 4 is a purchase.
const PURCHASE_STEPS: &str = "SELECT count(*) AS n FROM transitions WHERE subject_kind = 4";
const DELIVERIES: &str = "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 2";
const EVENTS: &str = "SELECT count(DISTINCT event_id) AS n FROM webhook_deliveries";
const PENDING: &str = "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 1";

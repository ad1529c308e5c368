//! Processes that deliver webhooks are killed, over and over, or stop at any point of following and delivering: each event arrives, and
//! none becomes two deliveries.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::{FutureExt as _, join_all};
use sea_orm::DatabaseConnection;
use tradepost::sql::SqlStore;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Name;
use tradepost_operations::accounts::BootstrapWorkspace;
use tradepost_operations::contracts::{CreatePool, LimitsOfPool};
use tradepost_operations::events::CreateWebhookEndpoint;
use tradepost_operations::{Caller, Operations};
use tradepost_ports::webhooks::{UnusableUrl, WebhookAnswer, WebhookError, WebhookMessage, WebhookSender};
use tradepost_testkit::fakes::{FakePorts, FakeReceiver, FixedClock};

use super::killed::Engine;
use super::receiver::{Receiver, number, open};
use super::unanswered::drop_after;
use crate::harness::{Database, OWNER, Place, Settled, on_both_databases, registered};

const KILLS: usize = 6;
const ROUNDS: usize = 100;
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

on_both_databases! {
    async fn events_dropped_at_any_point_of_delivery_arrive_as_one_delivery_each(database) {
        let place = Place::new(database).await;
        let office = Office::at(&place).await;
        let (mut polls, mut to_the_end) = (0, 0);
        for round in 1..=ROUNDS {
            polls += 1;
            office.record_event(round).await;
            let followed = drop_after(polls, office.operations.follow_events().boxed()).await.transpose().unwrap();
            office.follow().await;
            let due = office.operations.list_due_endpoints().await.unwrap()[0];
            let delivered = drop_after(polls, office.operations.deliver_due(due).boxed()).await.transpose().unwrap();
            office.clock.advance(CLAIMED);
            office.deliver().await;
            office.assert_one_delivery_each(round).await;
            if followed.is_some() && delivered.is_some() {
                // Every point has had its turn.
                (polls, to_the_end) = (0, to_the_end + 1);
            }
        }
        assert!(to_the_end > 0, "nothing was ever let to its end");
        let times = office.times_received();
        assert!(times.values().all(|times| *times <= 2), "{times:?}");
        assert!(times.values().any(|times| *times == 2), "no try was dropped between its answer and the record of it");
        office.close().await;
    }
}

/// 4 is a purchase.
const PURCHASE_STEPS: &str = "SELECT count(*) AS n FROM transitions WHERE subject_kind = 4";
const DELIVERIES: &str = "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 2";
const EVENTS: &str = "SELECT count(DISTINCT event_id) AS n FROM webhook_deliveries";
const ALL: &str = "SELECT count(*) AS n FROM webhook_deliveries";
const PENDING: &str = "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 1";

/// A receiver that has a message before its answer arrives, so that a try can end in between.
struct Distant(Arc<FakeReceiver>);

#[async_trait]
impl WebhookSender for Distant {
    fn check_url(&self, url: &str) -> Result<(), UnusableUrl> {
        self.0.check_url(url)
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, WebhookError> {
        let answer = self.0.send(message).await;
        tokio::task::yield_now().await;
        answer
    }
}

/// A workspace with an endpoint, in a database in which only the test follows and delivers.
struct Office {
    operations: Operations,
    store: Arc<SqlStore>,
    connection: DatabaseConnection,
    clock: Arc<FixedClock>,
    receiver: Arc<FakeReceiver>,
    workspace_id: WorkspaceId,
}

impl Office {
    async fn at(place: &Place) -> Self {
        let store = Arc::new(SqlStore::open(place.settings()).await.unwrap());
        store.migrate().await.unwrap();
        let fakes = FakePorts::default();
        let mut ports = fakes.ports();
        ports.store = store.clone();
        ports.webhooks = Arc::new(Distant(fakes.receiver.clone()));
        let operations = Operations::new(ports, "https://trade.example.com");
        let first = BootstrapWorkspace {
            owner_id: registered(&operations, OWNER).await,
            name: Name::new("Desk").unwrap(),
            description: None,
            base_currency: Currency::USD,
        };
        let workspace_id = operations.bootstrap_workspace(&Caller::system(), first).await.unwrap().workspace.id;
        let endpoint = CreateWebhookEndpoint {
            workspace_id,
            url: "https://hook.example.com/tradepost".to_owned(),
            description: String::new(),
            types: vec!["pool.*".to_owned()],
            disabled: false,
        };
        operations.create_webhook_endpoint(&Caller::system(), endpoint).await.unwrap();
        let connection = place.connect().await;
        Self { operations, store, connection, clock: fakes.clock, receiver: fakes.receiver, workspace_id }
    }

    async fn record_event(&self, round: usize) {
        let limits = LimitsOfPool {
            budget_cents: 10_000,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: None,
        };
        let (workspace_id, name, currency) = (self.workspace_id, format!("pool-{round}"), "USD".to_owned());
        let command = CreatePool { workspace_id, name, currency, limits };
        self.operations.create_pool(&Caller::system(), command).await.unwrap();
        while self.operations.place_transitions().await.unwrap() {}
    }

    async fn follow(&self) {
        while self.operations.follow_events().await.unwrap() {}
    }

    async fn deliver(&self) {
        loop {
            let due = self.operations.list_due_endpoints().await.unwrap();
            if due.is_empty() {
                return;
            }
            for endpoint in due {
                while self.operations.deliver_due(endpoint).await.unwrap() {}
            }
        }
    }

    /// How often the receiver got each event.
    fn times_received(&self) -> BTreeMap<String, usize> {
        let mut times = BTreeMap::new();
        for message in self.receiver.received() {
            *times.entry(message.id).or_default() += 1;
        }
        times
    }

    async fn assert_one_delivery_each(&self, events: usize) {
        let expected = i64::try_from(events).unwrap();
        for what in [ALL, DELIVERIES, EVENTS] {
            assert_eq!(number(&self.connection, what).await, expected, "{what}");
        }
        assert_eq!(self.times_received().len(), events, "an event never arrived");
    }

    async fn close(self) {
        self.connection.close().await.unwrap();
        self.store.close().await.unwrap();
    }
}

//! What receives the webhooks and alerts of processes that are killed, and the process that sends what they left.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tradepost::Tradepost;
use tradepost::auth::PasswordCost;
use tradepost::outside::{AlertSettings, Alerts, ClientLimits, Reach, WebhookSettings, Webhooks};
use tradepost_ports::alerts::AlertKind;
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;

use crate::harness::{Place, generous};

/// The number `n` of a statement.
pub(super) async fn number(connection: &DatabaseConnection, text: &str) -> i64 {
    let statement = Statement::from_string(connection.get_database_backend(), text);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get("", "n").unwrap()
}

/// Opens the database in this process, on a clock that is ahead.
pub(super) async fn open(place: &Place, root_secret: &Path, ahead: time::Duration) -> Tradepost {
    let alerts = AlertSettings { kinds: vec![AlertKind::Webhook], calls: to_loopback() };
    Tradepost::builder()
        .database(place.settings())
        .root_secret_file(root_secret)
        .quotas(generous())
        .clock(Arc::new(FixedClock::at(tradepost::SystemClock.now().plus(ahead))))
        .webhooks(Arc::new(Webhooks::new(to_loopback()).unwrap()))
        .alerts(Arc::new(Alerts::new(alerts).unwrap()))
        .password_cost(PasswordCost::INSECURE)
        .build()
        .await
        .unwrap()
}

/// Receivers are on this machine, and get as much as there is.
fn to_loopback() -> WebhookSettings {
    WebhookSettings {
        reach: Reach::public_and(vec!["127.0.0.0/8".parse().unwrap()]),
        allow_http: true,
        limits: ClientLimits { gap: Duration::ZERO, ..ClientLimits::default() },
    }
}

/// A receiver that keeps the ids of the messages that it got.
pub(super) struct Receiver {
    pub(super) url: String,
    known: Arc<Mutex<BTreeSet<String>>>,
    news: watch::Receiver<usize>,
}

impl Receiver {
    pub(super) async fn start() -> Self {
        let (known, (announce, news)) = (Arc::<Mutex<BTreeSet<String>>>::default(), watch::channel(0));
        let keep = Arc::clone(&known);
        let hook = post(move |headers: HeaderMap| async move {
            let id = headers["webhook-id"].to_str().unwrap().to_owned();
            let mut known = keep.lock().unwrap();
            known.insert(id);
            announce.send_replace(known.len());
            StatusCode::NO_CONTENT
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/hook", hook)).await });
        Self { url, known, news }
    }

    /// The number of different messages.
    pub(super) fn count(&self) -> usize {
        self.known.lock().unwrap().len()
    }

    pub(super) async fn wait_for(&mut self, count: usize) {
        self.news.wait_for(|known| *known >= count).await.unwrap();
    }
}

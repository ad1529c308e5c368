//! A running server with everything that the tests need in its database. The clock does not advance and ids count, so that
//! the same world is the same on every run and on both databases.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{OnceCell, oneshot};
use tokio::task::JoinHandle;
use tradepost::Tradepost;
use tradepost::auth::{LocalKeyEncryption, PasswordCost, RootSecret};
use tradepost::limits::Quotas;
use tradepost::sql::DatabaseSettings;
use tradepost_adapters_botcheck::DevelopmentCheck;
use tradepost_adapters_mail::DirectoryMailer;
use tradepost_domain::id::Id;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderCheckCode};
use tradepost_ports::alerts::AlertSender;
use tradepost_ports::bot_check::BotCheck;
use tradepost_ports::clock::RandomIds;
use tradepost_ports::envelope::KeyEncryption;
use tradepost_ports::limiter::{Quota, RateClass};
use tradepost_ports::linking::Linking;
use tradepost_ports::webhooks::WebhookSender;
use tradepost_testkit::fakes::{
    FakeAlertSender, FakeLinking, FakeLookup, FakeProbe, FakeReceiver, FixedClock, SequentialIds, example_driver,
};

use super::contents::Reader;
use super::desk::Trading;
use super::people::{self, People};
use super::providers::plain_driver;
use super::{Answer, Audited, Client, Database, Desk, Key, Mailbox, Place};

/// Where passkeys are used in these tests.
pub(crate) const ORIGIN: &str = "https://trade.example.com";

/// The running server. It stops when this is dropped.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) people: People,
    pub(crate) desk: Desk,
    pub(crate) other_desk: Desk,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) mailbox: Mailbox,
    pub(crate) client: Client,
    pub(crate) app: Tradepost,
    served: Served,
    _mails: TempDir,
    reader: OnceCell<Reader>,
    // The last: the database goes once nothing uses it.
    pub(crate) place: Place,
}

/// What a world needs.
pub(super) struct Ground {
    pub(super) clock: Arc<FixedClock>,
    pub(super) ids: Arc<SequentialIds>,
    pub(super) mails: TempDir,
    pub(super) place: Place,
}

impl Ground {
    pub(super) async fn fresh(database: Database) -> Self {
        Self {
            clock: Arc::default(),
            ids: Arc::default(),
            mails: tempfile::tempdir().unwrap(),
            place: Place::new(database).await,
        }
    }

    pub(super) async fn app(&self, setup: Setup) -> Tradepost {
        let (mails, clock) = (self.mails.path().to_owned(), self.clock.clone());
        let mailer = DirectoryMailer::open(mails, clock.clone(), Arc::new(RandomIds::default()));
        let (domain, site) = setup.passkeys;
        let builder = Tradepost::builder()
            .database((setup.database)(self.place.settings()))
            .root_secret(RootSecret::from_bytes(people::ROOT_SECRET))
            .public_url(ORIGIN)
            .passkeys(domain, vec![site])
            .clock(clock)
            .ids(self.ids.clone())
            .mailer(Arc::new(mailer.unwrap()))
            .bot_check(setup.bot_check)
            .linking(setup.linking)
            .webhooks(setup.webhooks)
            .alerts(setup.alerts)
            .key_encryption(setup.key_encryption)
            .sign_up(setup.sign_up)
            .password_cost(PasswordCost::INSECURE)
            .quotas(setup.quotas);
        builder.build().await.unwrap()
    }
}

/// Who and what is in a world.
#[derive(Clone)]
pub(super) struct Settlers {
    people: People,
    desk: Desk,
    other_desk: Desk,
}

impl Settlers {
    pub(super) async fn arrive(app: &Tradepost, clock: &FixedClock) -> Self {
        let people = people::arrive(app, clock).await;
        let trading = |workspace_id| Trading { operations: app.operations(), clock, workspace_id };
        let desk = trading(people.workspace_id).open().await;
        let other_desk = trading(people.other_workspace_id).open().await;
        people.use_every_key(app.operations()).await;
        // Nothing is left for a server to clear away when it starts.
        app.operations().sweep().await.unwrap();
        Self { people, desk, other_desk }
    }
}

/// What a world is made with.
pub(crate) struct Setup {
    pub(crate) quotas: Quotas,
    /// The domain of passkeys, and the site on which they are used.
    pub(crate) passkeys: (String, String),
    /// From the settings of a place to those that the server gets.
    pub(crate) database: Box<dyn FnOnce(DatabaseSettings) -> DatabaseSettings + Send>,
    pub(crate) bot_check: Arc<dyn BotCheck>,
    /// The other platforms.
    pub(crate) linking: Arc<dyn Linking>,
    /// What receives webhooks.
    pub(crate) webhooks: Arc<dyn WebhookSender>,
    /// What receives alerts.
    pub(crate) alerts: Arc<dyn AlertSender>,
    pub(crate) key_encryption: Arc<dyn KeyEncryption>,
    /// Whether people can sign up.
    pub(crate) sign_up: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            quotas: generous(),
            passkeys: ("example.com".to_owned(), ORIGIN.to_owned()),
            database: Box::new(|settings| settings),
            bot_check: Arc::new(DevelopmentCheck),
            linking: Arc::new(FakeLinking::default()),
            webhooks: Arc::new(FakeReceiver::default()),
            alerts: Arc::new(FakeAlertSender::default()),
            key_encryption: Arc::new(LocalKeyEncryption::new(&RootSecret::from_bytes(people::ROOT_SECRET))),
            sign_up: true,
        }
    }
}

impl World {
    pub(crate) async fn new(database: Database) -> Self {
        Self::made_with(database, Setup::default()).await
    }

    pub(crate) async fn made_with(database: Database, setup: Setup) -> Self {
        let ground = Ground::fresh(database).await;
        let app = ground.app(setup).await;
        let settlers = Settlers::arrive(&app, &ground.clock).await;
        Self::served(ground, app, settlers).await
    }

    pub(super) async fn served(ground: Ground, app: Tradepost, settlers: Settlers) -> Self {
        app.operations().offer_lookup(Arc::new(FakeLookup::of("elsewhere")));
        app.operations().offer_driver(example_driver());
        app.operations().offer_driver(plain_driver());
        let answers = ProviderCheck { code: ProviderCheckCode::Connection, ok: true, detail: "it answers".to_owned() };
        app.operations().offer_probe(Arc::new(FakeProbe::of(super::TESTED, vec![answers])));
        let served = Served::by(&app).await;
        let mailbox = Mailbox::of(&app, ground.mails.path());
        let Settlers { people, desk, other_desk } = settlers;
        Self {
            people,
            desk,
            other_desk,
            clock: ground.clock,
            mailbox,
            client: served.client.clone(),
            app,
            served,
            _mails: ground.mails,
            reader: OnceCell::new(),
            place: ground.place,
        }
    }

    /// Every row of every table; see [`Reader::contents`].
    pub(crate) async fn contents(&self) -> BTreeMap<String, Vec<String>> {
        self.reader().await.contents().await
    }

    /// Every event of the audit log, in the order in which they were made.
    pub(crate) async fn audited(&self) -> Vec<Audited> {
        self.reader().await.audited().await
    }

    async fn reader(&self) -> &Reader {
        self.reader.get_or_init(|| Reader::of(&self.place)).await
    }

    /// Stops the server and closes the database, as a process that is stopped does.
    pub(crate) async fn end(self) {
        let Served { stop, ended, .. } = self.served;
        stop.send(()).unwrap();
        ended.await.unwrap();
        self.app.shutdown().await.unwrap();
    }

    /// Another process on the same database.
    pub(crate) async fn other_node(&self) -> Tradepost {
        self.node_at(&self.place).await
    }

    /// A process on another database with the same data.
    pub(crate) async fn node_at(&self, place: &Place) -> Tradepost {
        let builder = Tradepost::builder().database(place.settings()).clock(self.clock.clone());
        let builder = builder.root_secret(RootSecret::from_bytes(people::ROOT_SECRET)).quotas(generous());
        builder.password_cost(PasswordCost::INSECURE).build().await.unwrap()
    }

    pub(crate) fn token(&self, key: Key) -> &str {
        self.people.keys.token(key)
    }

    /// Calls an operation.
    pub(crate) async fn call(&self, key: Key, method: &str, body: &Value) -> Answer {
        self.client.call(Some(self.token(key)), method, body).await
    }

    /// Chains every event of the audit log that there is by now; nothing of a request comes of it.
    pub(crate) async fn chained(&self) -> Value {
        while !self.app.store().audit_logs().list_waiting_events(None, 1).await.unwrap().is_empty() {
            self.app.operations().chain_audit_events().await.unwrap();
        }
        json!({})
    }

    /// The code that the owner's authenticator app shows.
    pub(crate) fn totp_code(&self) -> String {
        self.people.totp_code(&self.clock).expose_secret().to_owned()
    }

    /// Begins a step-up of a key and answers what completes it.
    pub(crate) async fn step_up_answer(&self, key: Key, mailed_to: Option<&str>) -> Value {
        let begun = self.call(key, "BeginStepUp", &json!({})).await.ok();
        let code = mailed_to.map_or_else(|| self.totp_code(), |address| self.mailbox.code(address));
        json!({ "challengeId": begun["challengeId"], "method": begun["allowedMethods"][0], "code": code })
    }

    /// Steps a key up.
    pub(crate) async fn step_up(&self, key: Key, mailed_to: Option<&str>) {
        let answer = self.step_up_answer(key, mailed_to).await;
        self.call(key, "CompleteStepUp", &answer).await.ok();
    }
}

/// An identifier that no record has.
pub(crate) fn unknown_id() -> String {
    Id::<()>::from_bytes([0xee; 16]).to_string()
}

/// What has to be done over the wire before an operation can be called, and the fields of the request that it gives.
pub(crate) type Preparation = for<'w> fn(&'w World) -> BoxFuture<'w, Value>;

/// An application on a port of its own, until `stop` is dropped.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) client: Client,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) ended: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn by(app: &Tradepost) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client::of(format!("http://{}", listener.local_addr().unwrap()));
        let (stop, stopped) = oneshot::channel::<()>();
        let app = app.clone();
        let ended = tokio::spawn(async move {
            let pages = app.health_router();
            app.serve(listener, None, pages, async { drop(stopped.await) }).await.unwrap();
        });
        Self { client, stop, ended }
    }
}

/// Limits that no test reaches.
pub(crate) fn generous() -> Quotas {
    let quota = Quota { calls: 100_000, window: Duration::from_secs(1), burst: 100_000 };
    RateClass::ALL.into_iter().fold(Quotas::default(), |quotas, class| quotas.with(class, quota))
}

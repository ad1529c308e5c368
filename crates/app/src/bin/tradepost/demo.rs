//! `tradepost demo`: a server with sample data of some months, made through the operations as real data is, under a clock that
//! runs through them. It also shows that they work together. A demo whose folder is kept goes on where it was ended, or killed.

mod board;
mod catalogue;
mod clock;
mod first_screen;
mod folder;
mod history;
mod linked_only;
mod live;
mod people;
mod rng;
mod sample_marketplaces;
mod scenario;
mod trading;
mod venues;

use std::net::SocketAddr;
use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use time::Duration;
use tokio_util::sync::CancellationToken;
use tradepost::domain::contracts::equity::end_of;
use tradepost::domain::contracts::ledger::report::day_of;
use tradepost::domain::id::{MembershipId, WorkspaceId};
use tradepost::domain::time::Timestamp;
use tradepost::limits::Quotas;
use tradepost::operations::OpError;
use tradepost::ports::alerts::AlertKind;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::limiter::{Quota, RateClass};
use tradepost::sql::{DatabaseSettings, Durability, SqliteSettings};
use tradepost::{SystemClock, Tradepost};
use tradepost_adapters_botcheck::DevelopmentCheck;
use tradepost_adapters_mail::DirectoryMailer;
use tradepost_adapters_outside::{AlertSettings, Alerts, ClientError, WebhookSettings, Webhooks};

use crate::cli::Demo;
use crate::failure::{Exit, Failure, Outcome, chain};
use crate::process::host::{self, Ops, OpsPages};
use crate::process::log::{self, Start};
use crate::process::{descriptors, metrics, signals};
use crate::settings::Loaded;
use crate::{assembly, progress, simulated};

use clock::{DemoClock, SeededIds};
use first_screen::Shown;
use folder::{Folder, unwritable};
use history::PriceHistory;
use live::Live;
use people::People;
use rng::SeededRng;
use sample_marketplaces::SampleMarketplaces;
use trading::{ContractCounts, Desk, EventSchedule, Example, Period};

/// The last days, in which people do what must still be fresh.
const LATELY: Duration = Duration::days(2);
/// The end of it, before which everything was lost that is a problem by now.
const JUST_NOW: Duration = Duration::minutes(30);
/// The second workspace has one story for so many of the first.
const SMALL_SHARE: usize = 20;
/// The number of the first story of the second workspace; those of the first come before.
const SECOND_DESK: u64 = 10_000;

/// The demo's server, and what its sample data is made from.
struct DemoServer {
    app: Tradepost,
    folder: Folder,
    clock: Arc<DemoClock>,
    ids: Arc<SeededIds>,
}

/// What the demo reports about its data.
struct Filled {
    people: People,
    linked_only: SecretString,
    invited: MembershipId,
    example: Example,
}

/// Fills and serves.
pub(crate) async fn run(loaded: Loaded, demo: Demo, quiet: bool) -> Outcome {
    let log = log::begin(&loaded)?;
    let start = log.begin_start(&loaded, quiet)?;
    descriptors::raise();
    signals::heed(|stop| show(&loaded, demo, start, stop)).await
}

async fn show(loaded: &Loaded, demo: Demo, start: Start, stop: CancellationToken) -> Outcome {
    let metrics = metrics::record()?;
    let quiet = start.quiet;
    let listener = host::bind(loaded.settings.server.listen, "server.listen").await?;
    let address = host::address_of(&listener)?;
    let url = assembly::local_name_url(address, false);
    let server = DemoServer::build(Folder::open(&demo)?, address).await?;
    let folder = &server.folder;
    let mut line = if let Some(line) = folder.line() {
        line.clone()
    } else {
        let Some(filled) = stop.run_until_cancelled(server.fill(quiet, demo.still)).await else {
            folder.warn_if_incomplete();
            return host::end(&server.app).await;
        };
        let line = filled?.line();
        folder.filled(&line)?;
        line
    };
    line["baseUrl"] = json!(url);
    line["mailDir"] = json!(folder.mail().display().to_string());
    server.clock.run();
    server.app.sample_data_is_complete();
    tracing::info!(%url, version = env!("TRADEPOST_VERSION"), "listening");
    let opened = if demo.still {
        server.resume_time(&line).await?;
        None
    } else {
        Some(server.trade(&line, demo.speed).await?)
    };
    first_screen::banner(&Shown::of(&line, folder.path(), &demo)).show_anywhere(quiet, &line);
    start.end_with_display()?;
    if let Some(opened) = opened.filter(|_| !quiet) {
        tokio::spawn(board::show(server.app.clone(), opened, stop.clone()));
    }
    let ops = Ops { pages: OpsPages::OnMainPort { readers: Vec::new() }, metrics };
    host::serve(&server.app, listener, None, ops, stop).await
}

impl DemoServer {
    async fn build(folder: Folder, address: SocketAddr) -> Outcome<Self> {
        let began = SystemClock.now().plus(-folder.length());
        let clock = Arc::new(DemoClock::at(began));
        let ids = Arc::new(SeededIds::new(clock.clone(), folder.seed));
        let mailer = DirectoryMailer::open(
            folder.mail(),
            clock.clone(),
            Arc::new(tradepost::ports::clock::RandomIds::default()),
        );
        let mailer = mailer.map_err(|error| unwritable(&folder.mail(), &error))?;
        let no_calls =
            |error: ClientError| Failure::new(Exit::Failed, "the demo cannot make calls").because(error.to_string());
        let webhooks = Webhooks::new(WebhookSettings::default()).map_err(no_calls)?;
        let alerts = AlertSettings { kinds: AlertKind::ALL.to_vec(), ..AlertSettings::default() };
        let alerts = Alerts::new(alerts).map_err(no_calls)?;
        // A power cut loses sample data only.
        let database = SqliteSettings { durability: Durability::ProcessOnly, ..SqliteSettings::at(folder.database()) };
        let built = Tradepost::builder()
            .database(DatabaseSettings::Sqlite(database))
            .root_secret_file(folder.path().join("root-secret"))
            .public_url(assembly::local_name_url(address, false))
            .clock(clock.clone())
            .ids(ids.clone())
            .mailer(Arc::new(mailer))
            .bot_check(Arc::new(DevelopmentCheck))
            .webhooks(Arc::new(webhooks))
            .alerts(Arc::new(alerts))
            .sample_data()
            .quotas(quotas())
            .build();
        let failed = |error| Failure::new(Exit::Failed, "the demo cannot be built").because(chain(&error));
        let app = built.await.map_err(failed)?;
        simulated::offer_driver(&app)?;
        app.operations().offer_lookup(Arc::new(SampleMarketplaces));
        Ok(Self { app, folder, clock, ids })
    }

    /// Lives through the days of the sample data.
    async fn fill(&self, quiet: bool, is_still: bool) -> Outcome<Filled> {
        let Self { app, folder, clock, ids } = self;
        let operations = app.operations();
        let (began, now) = (clock.now(), clock.now().plus(folder.length()));
        let people = people::arrive(operations, began, now).await?;
        let linked_only = linked_only::arrive(app, people.workspace_id, ids.as_ref(), began).await?;
        // The capital is there from the first day, so that equity has all of it in every mark.
        simulated::fund(operations, people.workspace_id, Some(simulated::DAILY_LIMIT))
            .await
            .map_err(simulated::refused)?;
        let mut dice = SeededRng::of(folder.seed);
        let mut desk = Desk::open(operations, people.workspace_id, 0, ContractCounts { buying: 8, selling: 4 }).await?;
        let mut other =
            Desk::open(operations, people.other_workspace_id, SECOND_DESK, ContractCounts { buying: 2, selling: 1 })
                .await?;
        let period = Period { began, now };
        let mut course = desk.plan(&mut dice, period, 1, is_still)?;
        let mut other_course = other.plan(&mut dice, period, SMALL_SHARE, is_still)?;
        let bar = progress::bar(quiet, course.length() + other_course.length(), "  {bar:40} sample data, {eta} left");
        course.show_on(bar.clone());
        other_course.show_on(bar);
        let lately = now.plus(-LATELY);
        let mut prices = PriceHistory::of(folder.seed, period)?;
        self.live_until(lately, &mut course, &mut desk, &mut prices).await?;
        let invited = people.lately(operations).await?;
        let just_now = now.plus(-JUST_NOW);
        self.live_until(just_now, &mut course, &mut desk, &mut prices).await?;
        other_course.run(&mut other, operations, clock, just_now).await?;
        self.live_until(now, &mut course, &mut desk, &mut prices).await?;
        other_course.run(&mut other, operations, clock, now).await?;
        operations.form_candles().await.map_err(refused)?;
        operations.report_unknown_outcomes().await.map_err(refused)?;
        for desk in [&desk, &other] {
            desk.look_about(operations, now).await?;
        }
        live::prepare(operations, &folder.world(), people.workspace_id, folder.seed, now).await?;
        Ok(Filled { example: desk.example()?, people, linked_only, invited })
    }

    /// Lives day by day until this time: at the end of each day its prices are recorded and the mark of its equity is taken.
    async fn live_until(
        &self,
        until: Timestamp,
        course: &mut EventSchedule,
        desk: &mut Desk,
        prices: &mut PriceHistory,
    ) -> Outcome {
        let Self { app, clock, .. } = self;
        let operations = app.operations();
        while clock.now() < until {
            let midnight = end_of(day_of(clock.now()));
            let end = midnight.min(until);
            course.run(desk, operations, clock, end).await?;
            clock.set(end);
            prices.record(operations, desk.workspace_id, end).await?;
            if end == midnight {
                operations.take_equity_marks().await.map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Lets contracts trade from now on, on a simulated market whose clock is so many times as fast.
    async fn trade(&self, line: &Value, speed: u32) -> Outcome<Live> {
        let Self { app, folder, .. } = self;
        let workspace_id = workspace_in(line)?;
        let opened = Live::open(app, &folder.world(), workspace_id, folder.seed, SystemClock.now()).await?;
        opened.begin(app, speed).await?;
        Ok(opened)
    }

    /// Uses the clock of the market from now on, if it is ahead of the server's.
    ///
    /// By the server's clock the records of a market that ran fast would be of the future.
    async fn resume_time(&self, line: &Value) -> Outcome {
        let Self { app, folder, .. } = self;
        let workspace_id = workspace_in(line)?;
        if let Some(clock) = live::clock_ahead(&folder.world(), folder.seed, SystemClock.now())? {
            app.operations().trade_by(workspace_id, clock).await.map_err(refused)?;
        }
        Ok(())
    }
}

/// Wide enough to try things out, and still limits.
fn quotas() -> Quotas {
    let each_second = |calls, burst| Quota { calls, window: std::time::Duration::from_secs(1), burst };
    RateClass::ALL.into_iter().fold(Quotas::default(), |quotas, class| {
        let quota = match class {
            RateClass::Read | RateClass::List | RateClass::Write | RateClass::Trade | RateClass::Unauthenticated => {
                each_second(100, 1_000)
            }
            RateClass::FailedAuthentication
            | RateClass::Key
            | RateClass::Password
            | RateClass::PasswordAddress
            | RateClass::PasswordNetwork
            | RateClass::Code
            | RateClass::Mail
            | RateClass::MailDay
            | RateClass::MailAddress
            | RateClass::MailNetwork
            | RateClass::SignUp
            | RateClass::LeakReport
            | RateClass::LoginCode => each_second(50, 50),
            RateClass::Workspace => each_second(1_000, 10_000),
            RateClass::Observation => each_second(25_000, 50_000),
        };
        quotas.with(class, quota)
    })
}

impl Filled {
    /// The one line for programs, but for what changes from start to start.
    fn line(&self) -> Value {
        let people = &self.people;
        json!({
            "workspaceId": people.workspace_id.to_string(),
            "apiKey": people.api_key.expose_secret(),
            "readOnlyApiKey": people.read_only_api_key.expose_secret(),
            "linkedOnlyApiKey": self.linked_only.expose_secret(),
            "otherWorkspaceId": people.other_workspace_id.to_string(),
            "otherApiKey": people.other_api_key.expose_secret(),
            "invitedMembershipId": self.invited.to_string(),
            "contractId": self.example.contract.to_string(),
            "purchaseId": self.example.purchase.to_string(),
            "inventoryItemId": self.example.item.to_string(),
            "email": people::EMAIL,
            "password": people::PASSWORD,
            "totpSecret": people.totp_secret.expose_secret(),
        })
    }
}

/// The workspace of the line for programs.
fn workspace_in(line: &Value) -> Outcome<WorkspaceId> {
    sure(line["workspaceId"].as_str().unwrap_or_default().parse())
}

/// What the operations refuse while the sample data is made is a mistake in it.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` calls")]
fn refused(error: OpError) -> Failure {
    Failure::new(Exit::Failed, format!("the sample data was refused: {error}")).because(chain(&error))
}

/// The same for what the domain refuses.
fn sure<T, E: std::fmt::Display>(made: Result<T, E>) -> Outcome<T> {
    made.map_err(|error| Failure::new(Exit::Failed, "the sample data is wrong").because(error))
}

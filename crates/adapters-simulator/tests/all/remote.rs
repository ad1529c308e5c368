//! A world that is served over HTTP: the contracts of the three ports through the client, and what each failure of the line is
//! taken for.

mod connecting;
mod signing_in;

use std::net::SocketAddr;
use std::time::Duration;

use async_trait::async_trait;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tradepost_adapters_simulator::{
    Answer, Beginning, Call, ConnectError, Fault, RemoteSimulator, Request, ServiceError, Side, SimulatedMarketplace,
    SimulatedPlatform, SimulatedPrices, SimulatedRates, SimulatedSocial, WorldCommand, WorldFolder,
    WorldTransport as _, serve,
};
use tradepost_domain::asset::AssetId;
use tradepost_domain::money::Currency;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::exchange_rates::ExchangeRates;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::social::Social;
use tradepost_ports::marketplace::{BuyRequest, MarketTraits, Marketplace, MarketplaceResult, OrderIdentity};
use tradepost_ports::price_source::PriceSource;
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::exchange_rates::RatesFixture;
use tradepost_testkit::external::game_platform::PlatformFixture;
use tradepost_testkit::external::marketplace::MarketplaceFixture;
use tradepost_testkit::external::price_source::PriceSourceFixture;
use tradepost_testkit::external::social::SocialFixture;
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, cents, external, quiet};

/// A world that is served, until this is dropped or stopped.
struct Process {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<(), ServiceError>>,
}

impl Process {
    async fn start(place: &TempDir, address: &str, speed: u32) -> Self {
        let customer = CUSTOMER.to_owned();
        let account = WorldCommand::OpenAccount { customer: customer.clone() };
        let deeds = vec![WorldCommand::PayIn { customer, cents: cents(1_000_000) }, account.clone(), account];
        let folder = WorldFolder::open(place.path(), &Beginning { seed: 7, settings: quiet(), deeds }).unwrap();
        let listener = TcpListener::bind(address).await.unwrap();
        let (stop, stopped) = oneshot::channel();
        let address = listener.local_addr().unwrap();
        let serving = serve(listener, folder, speed, async move {
            let _ = stopped.await;
        });
        Self { address, stop, ended: tokio::spawn(serving) }
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// A customer with two accounts in a quiet world, whose clock is stopped, behind a real socket.
struct Far {
    remote: RemoteSimulator,
    market: SimulatedMarketplace<RemoteSimulator>,
    platform: SimulatedPlatform<RemoteSimulator>,
    rates: SimulatedRates<RemoteSimulator>,
    social: SimulatedSocial<RemoteSimulator>,
    accounts: [TradeAddress; 2],
    process: Process,
    place: TempDir,
}

impl Far {
    async fn at_speed(speed: u32) -> Self {
        let place = tempfile::tempdir().unwrap();
        let process = Process::start(&place, "127.0.0.1:0", speed).await;
        let remote = RemoteSimulator::connect(&process.url(), RemoteSimulator::TIMEOUT).await.unwrap();
        let accounts =
            remote.ask(Request::World(WorldCommand::Accounts { customer: CUSTOMER.to_owned() })).await.unwrap();
        let accounts: Vec<TradeAddress> = accounts.try_into().unwrap();
        let (market, platform, rates) = (remote.marketplace(CUSTOMER), remote.platform(), remote.rates());
        let social = remote.social();
        Self { remote, market, platform, rates, social, accounts: accounts.try_into().unwrap(), process, place }
    }

    async fn quiet() -> Self {
        Self::at_speed(0).await
    }

    async fn perform(&self, deed: WorldCommand) -> Answer {
        self.remote.ask(Request::World(deed)).await.unwrap()
    }

    async fn inject(&self, fault: Fault) {
        assert_eq!(self.perform(WorldCommand::Inject { fault }).await, Answer::Done);
    }

    async fn give_item(&self, account: PlatformUserId) -> AssetId {
        let given: Option<AssetId> = self.perform(WorldCommand::GiveItem { account }).await.try_into().unwrap();
        given.unwrap()
    }
}

#[async_trait]
impl FaultInjection for Far {
    async fn lose_next_answer(&self) {
        for call in [Call::Buy, Call::Accept, Call::RenewToken] {
            self.inject(Fault::TimeoutAfterCommit { call }).await;
        }
    }

    async fn limit_rate(&self) {
        for side in [Side::Marketplace, Side::Platform, Side::Rates] {
            self.inject(Fault::RateLimitStorm { side, seconds: 60 }).await;
        }
    }

    async fn lose_session(&self) {
        for side in [Side::Marketplace, Side::Platform] {
            self.inject(Fault::SessionLost { side, seconds: 60 }).await;
        }
    }
}

#[async_trait]
impl MarketplaceFixture for Far {
    fn marketplace(&self) -> &dyn Marketplace {
        &self.market
    }

    fn address(&self) -> TradeAddress {
        self.accounts[0].clone()
    }

    async fn own_item(&self) -> AssetId {
        self.give_item(self.accounts[0].user).await
    }

    async fn sell(&self, listing: &ExternalId) {
        assert_eq!(
            self.perform(WorldCommand::SellToStranger { listing: listing.clone() }).await,
            Answer::Whether(true)
        );
    }
}

#[async_trait]
impl PlatformFixture for Far {
    fn platform(&self) -> &dyn GamePlatform {
        &self.platform
    }

    fn accounts(&self) -> [TradeAddress; 2] {
        self.accounts.clone()
    }

    async fn item_of(&self, account: PlatformUserId) -> AssetId {
        self.give_item(account).await
    }

    async fn catch_up(&self) {
        assert_eq!(self.perform(WorldCommand::Advance { micros: 5_000_000 }).await, Answer::Done);
    }
}

#[async_trait]
impl SocialFixture for Far {
    fn social(&self) -> &dyn Social {
        &self.social
    }

    fn pair(&self) -> [PlatformUserId; 2] {
        [self.accounts[0].user, self.accounts[1].user]
    }

    fn unknown_user(&self) -> PlatformUserId {
        PlatformUserId::new(std::num::NonZeroU64::MIN)
    }

    async fn wait(&self) {
        PlatformFixture::catch_up(self).await;
    }

    async fn lose_next_friend_answer(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Befriend }).await;
    }

    async fn lose_next_message_answer(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Say }).await;
    }
}

/// The index of such a world.
struct FarIndex {
    far: Far,
    prices: SimulatedPrices<RemoteSimulator>,
}

impl FarIndex {
    async fn quiet() -> Self {
        let far = Far::quiet().await;
        let prices = far.remote.prices(text("index"));
        Self { far, prices }
    }
}

#[async_trait]
impl PriceSourceFixture for FarIndex {
    fn source(&self) -> &dyn PriceSource {
        &self.prices
    }

    async fn now(&self) -> Timestamp {
        self.far.platform.server_time().await.unwrap()
    }

    async fn pass_an_hour(&self) {
        assert_eq!(self.far.perform(WorldCommand::Advance { micros: 3_600_000_000 }).await, Answer::Done);
    }
}

#[async_trait]
impl RatesFixture for Far {
    fn rates(&self) -> &dyn ExchangeRates {
        &self.rates
    }

    fn pair(&self) -> (Currency, Currency) {
        (Currency::new("EUR").unwrap(), Currency::USD)
    }

    fn unknown(&self) -> Currency {
        Currency::new("XXX").unwrap()
    }

    fn now(&self) -> Timestamp {
        self.remote.clock().market_now()
    }
}

tradepost_testkit::marketplace_contract!(Far::quiet().await);
tradepost_testkit::price_source_contract!(FarIndex::quiet().await);
tradepost_testkit::game_platform_contract!(Far::quiet().await);
tradepost_testkit::social_contract!(Far::quiet().await);
tradepost_testkit::exchange_rates_contract!(Far::quiet().await);

/// A server that returns the time whenever it is asked, and answers other requests with the next of these texts. After the
/// last one it closes.
async fn answers(time: String, texts: Vec<String>) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answering = async move {
        let (mut has_told_time, mut texts) = (false, texts.into_iter());
        while !has_told_time || texts.len() > 0 {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut head = [0; 4_096];
            assert!(connection.read(&mut head).await.unwrap() > 0);
            let asks_time = head.starts_with(b"GET /time");
            has_told_time |= asks_time;
            let text = if asks_time { time.clone() } else { texts.next().unwrap() };
            connection.write_all(text.as_bytes()).await.unwrap();
        }
    };
    (url, tokio::spawn(answering))
}

fn http(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

const TIME: &str = r#"{"now":1767225600000000,"speed":60,"seed":7}"#;

fn purchase() -> BuyRequest {
    let user = PlatformUserId::new(std::num::NonZeroU64::MIN);
    let deliver_to = TradeAddress { user, token: external("token") };
    BuyRequest { key: external("key-1"), listing_id: external("1"), max_price: cents(100), deliver_to }
}

/// What comes of a purchase that is answered by this text.
async fn bought_with(text: String) -> MarketplaceResult<()> {
    let (url, answering) = answers(http("200 OK", TIME), vec![text]).await;
    let remote = RemoteSimulator::connect(&url, RemoteSimulator::TIMEOUT).await.unwrap();
    let market = remote.marketplace(CUSTOMER);
    let bought = market.buy(&purchase()).await.map(drop);
    answering.abort();
    bought
}

#[tokio::test]
async fn an_answer_that_breaks_off_or_makes_no_sense_leaves_unknown_what_was_done() {
    let whole = http("200 OK", r#"{"cents":1}"#);
    for text in [
        String::new(),
        whole[..20].to_owned(),
        whole[..whole.len() - 1].to_owned(),
        whole,
        http("200 OK", "no JSON"),
        http("200 OK", r#"{"order":{"id":"1"}}"#),
        http("500 Internal Server Error", "the disk is full"),
        http("503 Service Unavailable", ""),
        http("302 Found", ""),
    ] {
        let bought = bought_with(text.clone()).await;
        assert!(matches!(bought, Err(ExternalError::Unknown(_))), "{bought:?} after {text:?}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_time_leaves_unknown_what_was_done() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answering = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        assert!(first.read(&mut [0; 4_096]).await.unwrap() > 0);
        first.write_all(http("200 OK", TIME).as_bytes()).await.unwrap();
        let mut silent = Vec::new();
        loop {
            silent.push(listener.accept().await.unwrap());
        }
    });
    let remote = RemoteSimulator::connect(&url, Duration::from_millis(200)).await.unwrap();
    let bought = remote.marketplace(CUSTOMER).buy(&purchase()).await;
    assert!(matches!(bought, Err(ExternalError::Unknown(_))), "{bought:?}");
    answering.abort();
}

#[tokio::test]
async fn without_a_connection_nothing_was_done_and_it_can_be_asked_again() {
    let (url, answering) = answers(http("200 OK", TIME), Vec::new()).await;
    let remote = RemoteSimulator::connect(&url, RemoteSimulator::TIMEOUT).await.unwrap();
    answering.await.unwrap();
    let bought = remote.marketplace(CUSTOMER).buy(&purchase()).await;
    let retry_after = Duration::from_mins(1);
    assert_eq!(
        bought,
        Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }),
        "a second of ours at this speed"
    );
    let read = remote.platform().server_time().await;
    assert_eq!(read, Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }));
}

#[tokio::test]
async fn nobody_connects_to_what_is_no_world() {
    let connect = async |url: &str| RemoteSimulator::connect(url, RemoteSimulator::TIMEOUT).await.unwrap_err();
    assert!(matches!(connect("https://127.0.0.1:1").await, ConnectError::Url { .. }));
    assert!(matches!(connect("nowhere").await, ConnectError::Url { .. }));
    assert!(matches!(connect("http://127.0.0.1:1").await, ConnectError::WorldTransport(_)));
    let (url, _answering) = answers(http("200 OK", "{}"), Vec::new()).await;
    assert!(matches!(connect(&url).await, ConnectError::WorldTransport(_)));
}

#[tokio::test]
async fn a_world_that_is_served_again_is_the_same_for_who_had_it_before() {
    let far = Far::quiet().await;
    let given = far.give_item(far.accounts[0].user).await;
    let (address, time) = (far.process.address.to_string(), far.remote.clock().market_now());
    far.process.stop().await;
    let again = Process::start(&far.place, &address, 0).await;
    let read = async || {
        let (game, context) = (tradepost_domain::asset::AppId::CS2, tradepost_domain::asset::ContextId::ORDINARY);
        far.platform.inventory(far.accounts[0].user, game, context).await
    };
    // The client may find out by one request that its connection has ended.
    let read = match read().await {
        Ok(inventory) => inventory,
        Err(_) => read().await.unwrap(),
    };
    assert_eq!((&read.assets[0].asset_id, read.seen_at), (&given, time));
    again.stop().await;
}

#[tokio::test]
async fn a_clock_never_runs_ahead_of_its_world_and_never_back() {
    let far = Far::at_speed(1_000).await;
    let clock = far.remote.clock();
    let began = clock.market_now();
    let mut shown = began;
    while shown.since(began) < time::Duration::minutes(10) {
        let now = clock.market_now();
        let reported = far.platform.server_time().await.unwrap();
        assert!(shown <= now && now <= reported, "{shown} {now} {reported}");
        shown = now;
    }
}

#[tokio::test]
async fn two_who_trade_in_one_world_see_the_same() {
    let far = Far::quiet().await;
    let other = RemoteSimulator::connect(&far.process.url(), RemoteSimulator::TIMEOUT).await.unwrap();
    let given = far.give_item(far.accounts[1].user).await;
    let (game, context) = (tradepost_domain::asset::AppId::CS2, tradepost_domain::asset::ContextId::ORDINARY);
    let seen = other.platform().inventory(far.accounts[1].user, game, context).await.unwrap();
    assert_eq!(seen.assets[0].asset_id, given);
    assert_eq!(other.seed(), far.remote.seed());
    let prices =
        [&other, &far.remote].map(|remote| remote.prices(tradepost_domain::text::Marketplace::new("index").unwrap()));
    let reported = prices[0].quotes().await.unwrap();
    assert!(!reported.is_empty());
    assert_eq!(prices[1].quotes().await, Ok(reported));
}

#[tokio::test]
async fn a_world_is_served_to_this_machine_only() {
    let place = tempfile::tempdir().unwrap();
    let folder = WorldFolder::open(place.path(), &crate::story::beginning(7)).unwrap();
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let served = serve(listener, folder, 1, std::future::ready(())).await;
    assert!(matches!(served, Err(ServiceError::NotLoopback(_))), "{served:?}");
}

#[tokio::test]
async fn what_is_not_understood_is_not_done() {
    let far = Far::quiet().await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let post = async |body: &str| {
        let request = client.post(format!("{}/call", far.process.url())).header("content-type", "application/json");
        request.body(body.to_owned()).send().await.unwrap().status().as_u16()
    };
    assert_eq!(post(r#"{"to":"world","call":"give_item","account":"0"}"#).await, 422);
    assert_eq!(post(r#"{"to":"world","call":"end"}"#).await, 422);
    assert_eq!(post("{").await, 400);
    assert_eq!(post(r#"{"to":"world","call":"advance","micros":99999999999999}"#).await, 400);
    assert_eq!(post(r#"{"to":"world","call":"check_books"}"#).await, 200);
    let without_type = client.post(format!("{}/call", far.process.url())).body("{}").send().await.unwrap();
    assert_eq!(without_type.status().as_u16(), 415);
    let healthy = client.get(format!("{}/health", far.process.url())).send().await.unwrap();
    assert_eq!((healthy.status().as_u16(), healthy.text().await.unwrap().as_str()), (200, "ok\n"));
}

#[tokio::test]
async fn a_world_reports_how_its_marketplace_works_to_each_client() {
    let far = Far::quiet().await;
    assert_eq!(far.market.traits(), MarketTraits::default());
    let traits = MarketTraits { custody: true, orders: OrderIdentity::ByListing, ..MarketTraits::default() };
    assert_eq!(far.perform(WorldCommand::SetTraits { traits }).await, Answer::Done);
    assert_eq!(far.perform(WorldCommand::Traits).await, Answer::Traits(traits));
    let again = RemoteSimulator::connect(&far.process.url(), RemoteSimulator::TIMEOUT).await.unwrap();
    assert_eq!(again.marketplace(CUSTOMER).traits(), traits);
}

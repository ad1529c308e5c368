//! Input from outside, given to whatever reads it first. Each function takes any bytes and must neither panic nor make the server
//! answer that it is at fault. `fuzz_targets` gives them to libFuzzer; `tests/short.rs` runs each for a moment in CI.

mod server;

use std::sync::OnceLock;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use tokio::runtime::Runtime;
use tradepost_adapters_auth::{Argon2Passwords, PasswordCost, RelyingParty, RootSecret, Vault};
use tradepost_adapters_import::{read_content, read_holdings};
use tradepost_adapters_linking::{LinkingSettings, Platforms, SteamSettings};
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::password;
use tradepost_domain::contracts::imported_item::ImportedIds;
use tradepost_domain::id::{Id, UserId};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{AccountName, Description, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{
    HoldingFields, ImportedPurchase, MOST_ROWS, imported_item, imported_purchase, imported_sale,
};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::imports::{HoldingField, ImportContent, ImportFormat, ReadHolding};
use tradepost_ports::linking::{LinkResponse, Linking as _, Request, Returned};
use tradepost_ports::passkeys::{Passkeys as _, Registrant};
use tradepost_ports::passwords::Passwords as _;
use tradepost_ports::secrets::{Secrets as _, TokenKind};
use tradepost_testkit::fakes::FixedClock;

use server::Server;

/// A program for one function: the fuzzer where `cargo fuzz` builds it. Otherwise it gives the function the files that are named as
/// arguments, so that an input that was found can be looked at with any toolchain.
#[macro_export]
macro_rules! target {
    ($function:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$function(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            std::env::args_os().skip(1).try_for_each(|path| std::fs::read(path).map(|data| $crate::$function(&data)))
        }
    };
}

/// What is read as a token of each kind.
pub fn token(data: &[u8]) {
    static VAULT: OnceLock<Vault> = OnceLock::new();
    let vault = VAULT.get_or_init(|| Vault::new(&RootSecret::from_bytes([7; 32])));
    let text = String::from_utf8_lossy(data);
    for kind in [TokenKind::ApiKey, TokenKind::Session, TokenKind::EmailLink] {
        assert!(vault.digest(kind, &text).is_err(), "a checksum was guessed: {text:?}");
    }
}

/// What stands in an `Authorization` header.
pub fn authorization(data: &[u8]) {
    if let Ok(value) = http::HeaderValue::from_bytes(data) {
        let answer = Server::shared().call("ListPolicies", |request| request.header(AUTHORIZATION, value), "{}".into());
        assert_eq!(answer, 401, "{data:?} opened the door");
    }
}

/// What is given as the cursor of a list.
pub fn cursor(data: &[u8]) {
    let text: String =
        String::from_utf8_lossy(data).chars().filter(|c| !matches!(c, '"' | '\\') && !c.is_control()).collect();
    let server = Server::shared();
    let body = format!(r#"{{"workspaceId":"{}","cursor":"{text}"}}"#, server.workspace_id);
    let answer = server.call("ListMemberships", |request| request, body.into_bytes());
    assert!(answer == 400 || (answer == 200 && text.is_empty()), "{answer} for the cursor {text:?}");
}

/// What is taken for an e-mail address. One that passes is written as it reads itself again.
pub fn email(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(address) = EmailAddress::new(&text) {
        let again = EmailAddress::new(address.as_str());
        assert_eq!(again.map(|again| again.key().to_owned()), Ok(address.key().to_owned()), "{text:?}");
    }
}

/// What is chosen as a password, and the words of its account in the lines behind it.
pub fn password(data: &[u8]) {
    static PASSWORDS: OnceLock<(Runtime, Argon2Passwords)> = OnceLock::new();
    let (runtime, passwords) = PASSWORDS.get_or_init(|| {
        let passwords = Argon2Passwords::new(PasswordCost::INSECURE).expect("argon2 runs at its least cost");
        (Runtime::new().expect("a runtime starts"), passwords)
    });
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n').map(str::to_owned);
    let chosen = lines.next().unwrap_or_default();
    let words: Vec<String> = lines.take(20).collect();
    let is_too_short = chosen.chars().count() < password::SHORTEST;
    assert_eq!(password::check(&chosen, &words) == Err(password::PasswordError::TooShort), is_too_short, "{chosen:?}");
    let score = runtime.block_on(passwords.score(chosen.as_str().into(), words));
    assert!(matches!(score, Ok(0..=4)), "{score:?} for {chosen:?}");
}

/// What an authenticator is said to have answered when a passkey is registered.
pub fn passkey(data: &[u8]) {
    static BEGUN: OnceLock<(RelyingParty, String)> = OnceLock::new();
    let (party, state) = BEGUN.get_or_init(|| {
        let origin = "https://trade.example.com".to_owned();
        let party = RelyingParty::new("example.com", &[origin]).expect("the origin is of the domain");
        let registrant = Registrant {
            user_id: UserId::from_bytes([1; 16]),
            account_name: "ada@example.com",
            display_name: "Ada",
            exclude: Vec::new(),
        };
        let begun = party.begin(&registrant).expect("a registration begins");
        (party, begun.state)
    });
    let text = String::from_utf8_lossy(data);
    assert!(party.finish(state, &text).is_err(), "a passkey was made up: {text:?}");
}

/// What a browser is said to have brought back from a platform that speaks OpenID. The platform itself is not there: it would have
/// to be asked for anything to be proved.
pub fn openid(data: &[u8]) {
    static PLATFORMS: OnceLock<(Platforms, Runtime)> = OnceLock::new();
    let (platforms, runtime) = PLATFORMS.get_or_init(|| (platforms(), runtime()));
    let link = Id::from_bytes([1; 16]);
    let request = Request { provider: Provider::Steam, redirect_uri: REDIRECT, link };
    let asked = platforms.ask(&request).expect("the platform is offered");
    let state =
        asked.authorization_url.rsplit_once("state%3D").map_or("", |(_, rest)| rest.split('&').next().unwrap_or(""));
    let answer = LinkResponse::OpenId(String::from_utf8_lossy(data).into_owned());
    let returned = Returned { state: state.to_owned(), answer };
    let proven =
        runtime.block_on(platforms.check(Provider::Steam, &asked.state, returned, FixedClock::default().now()));
    assert!(proven.is_err(), "an identity was made up: {data:?}");
}

/// What is uploaded as the accounts of another program, or as holdings, in every format.
pub fn import(data: &[u8]) {
    for format in ImportFormat::ALL {
        let content = ImportContent { format: *format, bytes: data.to_vec().into(), passphrase: Some("copper".into()) };
        if let Ok(accounts) = read_content(&content) {
            assert!((1..=MOST_ROWS).contains(&accounts.len()), "{format}: {} accounts", accounts.len());
        }
        if let Ok(holdings) = read_holdings(&content) {
            assert!((1..=MOST_ROWS).contains(&holdings.len()), "{format}: {} holdings", holdings.len());
            holdings.into_iter().for_each(understand);
        }
    }
}

/// Understands a row as a holding, a purchase and a sale. What is refused has a reason, and a purchase that is not is recorded.
fn understand(read: ReadHolding) {
    let text = |(field, text): (HoldingField, String)| Some((field, Description::new(&text).ok()?));
    let fields: HoldingFields = read.fields.into_iter().filter_map(text).collect();
    // 2026-06-01.
    let now = Timestamp::from_micros(1_780_272_000_000_000).expect("a time of this century");
    if let Err(objections) = imported_item(&fields, Currency::USD, now) {
        assert!(!objections.is_empty(), "a holding is refused without a reason");
    }
    if let Err(objections) = imported_sale(&fields, Currency::USD, now) {
        assert!(!objections.is_empty(), "a sale is refused without a reason");
    }
    match imported_purchase(&fields, Currency::USD, now) {
        Ok(purchase) => record(&purchase, now),
        Err(objections) => assert!(!objections.is_empty(), "a purchase is refused without a reason"),
    }
}

/// Records a purchase with the sale of its item.
fn record(purchase: &ImportedPurchase, now: Timestamp) {
    let ids = ImportedIds {
        workspace_id: Id::from_bytes([1; 16]),
        purchase_id: Id::from_bytes([2; 16]),
        item_id: Id::from_bytes([3; 16]),
        link_id: Id::from_bytes([4; 16]),
    };
    let records = purchase.item.record(ids, AccountName::deleted(), ExternalId::from(7_u64), now);
    let records = records.unwrap_or_else(|error| panic!("{purchase:?}: {error}"));
    assert_eq!(purchase.difference(&AccountName::deleted(), &records.purchase), None, "{purchase:?}");
    if let Some(sale) = &purchase.sale {
        let sold = records.item.sell_elsewhere(sale, ExternalId::from(8_u64), now);
        let (sold, _) = sold.unwrap_or_else(|error| panic!("{purchase:?}: {error}"));
        assert_eq!(sale.difference(&sold), None, "{purchase:?}");
    }
}

const REDIRECT: &str = "https://trade.example.com/linked";

fn platforms() -> Platforms {
    let steam = SteamSettings {
        openid_url: "http://127.0.0.1:9/openid/login".to_owned(),
        identity_url: "http://127.0.0.1:9/openid/id/".to_owned(),
    };
    let settings = LinkingSettings {
        discord: None,
        steam: Some(steam),
        redirect_uris: vec![REDIRECT.to_owned()],
        connect_timeout: LinkingSettings::CONNECT_TIMEOUT,
        timeout: LinkingSettings::TIMEOUT,
    };
    Platforms::new(settings).expect("the settings are sound")
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// What is sent as the message of a call: JSON, binary, and binary within a frame of gRPC. A frame that is none is the fault of
/// whoever sent it, for which gRPC has no other word than INTERNAL; so frames are whole here.
pub fn message(data: &[u8]) {
    let server = Server::shared();
    let framed = [&[0], u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes().as_slice(), data].concat();
    for (content_type, body) in [
        ("application/json", data),
        ("application/proto", data),
        ("application/grpc", &framed),
        ("application/grpc-web+proto", &framed),
    ] {
        let with_type = |request: http::request::Builder| request.header(CONTENT_TYPE, content_type);
        let answer = server.call("CreateContract", with_type, body.to_vec());
        assert_ne!(answer, 500, "{content_type}: {data:?}");
    }
}

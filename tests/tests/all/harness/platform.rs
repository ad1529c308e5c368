//! Another platform on the loopback, of Discord's and of Steam's shape at once. It keeps both protocols to the letter, counts on
//! its clients to do the same, and misbehaves on demand.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Url;
use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tradepost_adapters_linking::{DiscordSettings, LinkingSettings, Platforms, SteamSettings};
use tradepost_domain::time::Timestamp;

/// Where browsers are sent back to.
pub(crate) const REDIRECT: &str = "https://trade.example.com/linked";
const CLIENT_ID: &str = "tradepost";
const CLIENT_SECRET: &str = "a secret of the operator";
const ISSUER: &str = "https://chat.example.com";

/// How the platform answers when it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As the protocols say.
    Honest,
    /// With no.
    Refusing,
    /// Not at all.
    Silent,
    /// With something that cannot be read as an answer.
    Senseless,
    /// With something that has no end.
    Endless,
    /// By pointing elsewhere.
    Redirecting,
}

/// The platform. It stops when this is dropped.
pub(crate) struct Platform {
    base: String,
    desk: Arc<Mutex<Desk>>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Desk {
    manner: Option<Manner>,
    issued: usize,
    /// Codes with the challenge and the address that they were asked for with, and whose they are.
    codes: BTreeMap<String, (String, String, String)>,
    /// Tokens, and whose they are.
    tokens: BTreeMap<String, String>,
    /// What was signed, by signature.
    signed: BTreeMap<String, BTreeMap<String, String>>,
    calls: usize,
}

impl Platform {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let desk = Arc::new(Mutex::new(Desk::default()));
        let routes = Router::new()
            .route("/token", post(token))
            .route("/user", get(user))
            .route("/openid/login", post(check_authentication))
            .with_state(desk.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { base, desk, serving }
    }

    /// The adapter that asks this platform, and waits for it only so long.
    pub(crate) fn client(&self, patience: Duration) -> Arc<Platforms> {
        let settings = LinkingSettings {
            discord: Some(DiscordSettings {
                client_id: CLIENT_ID.to_owned(),
                client_secret: CLIENT_SECRET.into(),
                authorize_url: format!("{}/authorize", self.base),
                token_url: format!("{}/token", self.base),
                user_url: format!("{}/user", self.base),
                issuer: ISSUER.to_owned(),
            }),
            steam: Some(SteamSettings { openid_url: self.openid_url(), identity_url: self.identity("") }),
            redirect_uris: vec![REDIRECT.to_owned()],
            connect_timeout: patience,
            timeout: patience,
        };
        Arc::new(Platforms::new(settings).unwrap())
    }

    pub(crate) fn behave(&self, manner: Manner) {
        self.desk.lock().unwrap().manner = Some(manner);
    }

    /// How often the platform was called.
    pub(crate) fn calls(&self) -> usize {
        self.desk.lock().unwrap().calls
    }

    /// The person agrees on the page of OAuth; the fields that their browser brings back.
    pub(crate) fn agree(&self, authorization_url: &str, subject: &str) -> Value {
        let asked = query_of(authorization_url);
        assert_eq!(asked["scope"], "identify", "no more is asked for than who somebody is");
        assert_eq!((asked["response_type"].as_str(), asked["code_challenge_method"].as_str()), ("code", "S256"));
        assert_eq!((asked["client_id"].as_str(), asked["redirect_uri"].as_str()), (CLIENT_ID, REDIRECT));
        let mut desk = self.desk.lock().unwrap();
        let code = desk.number("code");
        let bound = (asked["code_challenge"].clone(), asked["redirect_uri"].clone(), subject.to_owned());
        desk.codes.insert(code.clone(), bound);
        json!({ "state": asked["state"], "code": code, "iss": ISSUER })
    }

    /// The person agrees on the page of OpenID; the fields that their browser brings back.
    pub(crate) fn assert(&self, authorization_url: &str, subject: &str, nonce: &str) -> Value {
        let asked = query_of(authorization_url);
        assert_eq!(asked["openid.mode"], "checkid_setup");
        assert_eq!(asked["openid.realm"], "https://trade.example.com");
        self.sign(&asked["openid.return_to"], &self.identity(subject), nonce)
    }

    /// A positive assertion about any identity.
    pub(crate) fn sign(&self, return_to: &str, identity: &str, nonce: &str) -> Value {
        let mut desk = self.desk.lock().unwrap();
        let signature = desk.number("signature");
        let signed = "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle";
        let fields: BTreeMap<String, String> = [
            ("openid.ns", "http://specs.openid.net/auth/2.0"),
            ("openid.mode", "id_res"),
            ("openid.op_endpoint", &self.openid_url()),
            ("openid.claimed_id", identity),
            ("openid.identity", identity),
            ("openid.return_to", return_to),
            ("openid.response_nonce", nonce),
            ("openid.assoc_handle", "1234567890"),
            ("openid.signed", signed),
            ("openid.sig", &signature),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        desk.signed.insert(signature, fields.clone());
        let mut url = Url::parse(return_to).unwrap();
        url.query_pairs_mut().extend_pairs(&fields);
        json!({ "state": query_of(return_to)["state"], "openIdParams": url.query().unwrap() })
    }

    /// The page on which people are asked about OpenID.
    pub(crate) fn openid_url(&self) -> String {
        format!("{}/openid/login", self.base)
    }

    /// An identity of this platform.
    pub(crate) fn identity(&self, subject: &str) -> String {
        format!("{}/openid/id/{subject}", self.base)
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A nonce that was made at a time; `salt` distinguishes those of one second.
pub(crate) fn nonce(at: Timestamp, salt: &str) -> String {
    let at = time::OffsetDateTime::from_unix_timestamp(at.as_micros() / 1_000_000).unwrap();
    format!("{}{salt}", at.format(&Rfc3339).unwrap())
}

/// The parameters of an address.
pub(crate) fn query_of(url: &str) -> BTreeMap<String, String> {
    Url::parse(url).unwrap().query_pairs().into_owned().collect()
}

impl Desk {
    fn number(&mut self, what: &str) -> String {
        self.issued += 1;
        format!("{what}-{}", self.issued)
    }
}

type Shared = State<Arc<Mutex<Desk>>>;

/// What comes instead of an honest answer.
async fn mannered(desk: &Arc<Mutex<Desk>>, refusal: Response) -> Option<Response> {
    let manner = {
        let mut desk = desk.lock().unwrap();
        desk.calls += 1;
        desk.manner.unwrap_or(Manner::Honest)
    };
    match manner {
        Manner::Honest => None,
        Manner::Refusing => Some(refusal),
        Manner::Silent => pending().await,
        Manner::Senseless => Some("<html>Come back later</html>".into_response()),
        Manner::Endless => Some("x".repeat(1_000_000).into_response()),
        Manner::Redirecting => {
            let elsewhere = [(header::LOCATION, "/user")];
            Some((StatusCode::TEMPORARY_REDIRECT, elsewhere).into_response())
        }
    }
}

async fn token(State(desk): Shared, headers: HeaderMap, body: String) -> Response {
    let denied = || as_json(StatusCode::BAD_REQUEST, &json!({ "error": "invalid_grant" }));
    if let Some(answer) = mannered(&desk, denied()).await {
        return answer;
    }
    let login = format!("Basic {}", STANDARD.encode(format!("{CLIENT_ID}:{}", CLIENT_SECRET.replace(' ', "+"))));
    assert_eq!(headers[header::AUTHORIZATION], login);
    let given = query_of(&format!("http://localhost/?{body}"));
    let mut desk = desk.lock().unwrap();
    // A code is good once.
    let Some((challenge, redirect, subject)) = desk.codes.remove(&given["code"]) else { return denied() };
    let proved = URL_SAFE_NO_PAD.encode(digest(&SHA256, given["code_verifier"].as_bytes()));
    if proved != challenge || given["redirect_uri"] != redirect {
        return denied();
    }
    let token = desk.number("token");
    desk.tokens.insert(token.clone(), subject);
    let granted = json!({ "access_token": token, "token_type": "bearer", "expires_in": 60, "scope": "identify" });
    as_json(StatusCode::OK, &granted)
}

async fn user(State(desk): Shared, headers: HeaderMap) -> Response {
    let denied = StatusCode::UNAUTHORIZED.into_response();
    if let Some(answer) = mannered(&desk, denied).await {
        return answer;
    }
    let token = headers[header::AUTHORIZATION].to_str().unwrap().strip_prefix("Bearer ").unwrap();
    let subject = desk.lock().unwrap().tokens[token].clone();
    let user = json!({ "id": subject, "username": "ada", "global_name": "Ada", "email": "ada@example.com" });
    as_json(StatusCode::OK, &user)
}

async fn check_authentication(State(desk): Shared, body: String) -> Response {
    let says = |valid: bool| format!("ns:http://specs.openid.net/auth/2.0\nis_valid:{valid}\n").into_response();
    if let Some(answer) = mannered(&desk, says(false)).await {
        return answer;
    }
    let mut given = query_of(&format!("http://localhost/?{body}"));
    assert_eq!(given.insert("openid.mode".to_owned(), "id_res".to_owned()).as_deref(), Some("check_authentication"));
    let desk = desk.lock().unwrap();
    says(desk.signed.get(&given["openid.sig"]) == Some(&given))
}

fn as_json(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

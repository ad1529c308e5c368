//! Chromium without a window, spoken to in WebDriver (<https://www.w3.org/TR/webdriver2/>), with an authenticator that is
//! part of it (<https://www.w3.org/TR/webauthn-3/#sctn-automation>).

use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// The browser requests nothing from the network but the page.
const ARGUMENTS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A browser with one authenticator. It ends when this is closed, and with the test at the latest.
pub(super) struct Browser {
    session: String,
    authenticator: String,
    http: reqwest::Client,
    _driver: Child,
    _profile: TempDir,
}

impl Browser {
    pub(super) async fn open() -> Self {
        let (driver, port) = driver().await;
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        let arguments: Vec<&str> = ARGUMENTS.into_iter().chain([folder.as_str()]).collect();
        let wanted = json!({ "webauthn:virtualAuthenticators": true, "goog:chromeOptions": { "args": arguments } });
        let mut browser = Self {
            session: format!("http://127.0.0.1:{port}/session"),
            authenticator: String::new(),
            http: reqwest::Client::new(),
            _driver: driver,
            _profile: profile,
        };
        let session = browser.post("", &json!({ "capabilities": { "alwaysMatch": wanted } })).await;
        browser.session = format!("{}/{}", browser.session, session["sessionId"].as_str().unwrap());
        let authenticator = browser
            .post(
                "/webauthn/authenticator",
                &json!({
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": true,
                    "hasUserVerification": true,
                    "isUserConsenting": true,
                    "isUserVerified": true,
                }),
            )
            .await;
        authenticator.as_str().unwrap().clone_into(&mut browser.authenticator);
        browser
    }

    pub(super) async fn visit(&self, url: &str) {
        self.post("/url", &json!({ "url": url })).await;
    }

    /// What a function of the page comes to; what it throws fails the test.
    pub(super) async fn run(&self, function: &str, arguments: &[&str]) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             {function}(...[...arguments].slice(0, -1)).then(value => done({{ value }}), error => done({{ error: `${{error}}` }}))"
        );
        let came = self.post("/execute/async", &json!({ "script": script, "args": arguments })).await;
        assert_eq!(came.get("error"), None, "{function} failed in the page");
        came["value"].clone()
    }

    /// The passkeys that the authenticator holds.
    pub(super) async fn passkeys(&self) -> Vec<Value> {
        let url = format!("{}/webauthn/authenticator/{}/credentials", self.session, self.authenticator);
        let listed: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        listed["value"].as_array().unwrap().clone()
    }

    pub(super) async fn close(self) {
        self.http.delete(&self.session).send().await.unwrap();
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.http.post(format!("{}{path}", self.session)).json(body).send().await.unwrap();
        let (status, mut answer) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert!(status.is_success(), "the browser refused {path}: {answer}");
        answer["value"].take()
    }
}

/// A driver on a port of its own choice.
async fn driver() -> (Child, u16) {
    let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).kill_on_drop(true).spawn();
    let mut driver = started.expect("chromedriver does not start: this test needs Chromium and its driver");
    let mut said = BufReader::new(driver.stdout.take().unwrap()).lines();
    while let Some(line) = said.next_line().await.unwrap() {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return (driver, port.trim_end_matches('.').parse().unwrap());
        }
    }
    panic!("chromedriver ended without a word of its port")
}

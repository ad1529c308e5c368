//! A running server, reached as any HTTP client would: operations in, JSON out, rejections as failures.

use std::fs;
use std::io::{IsTerminal as _, Read as _, stdin};
use std::path::Path;
use std::sync::Mutex;

mod once;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::{Value, json};

use super::stored::Stored;
use super::{ids, remedies, view};
use crate::cli::client::Connection;
use crate::failure::{Exit, Failure, Outcome, chain};
use crate::settings::Environment;

/// The operation by which a key finds the workspace that it is bound to.
const LIST_KEYS: &str = "accounts.v1.Accounts/ListAPIKeys";
const GET_WORKSPACE: &str = "accounts.v1.Accounts/GetWorkspace";
/// Where a server is by default.
const HERE: &str = "http://127.0.0.1:8080";

/// Where the server is, and the key with which it is called.
pub(crate) struct Server {
    client: Client,
    url: String,
    key: Option<String>,
    /// The code of an authenticator app that the command was given, for one use.
    pub(super) code: Mutex<Option<String>>,
    stored: Stored,
}

impl Server {
    /// The server and the key that flags and variables name, or else those of a login.
    pub(crate) fn of(connection: &Connection) -> Outcome<Self> {
        let stored = Stored::read(&Environment::of_process())?;
        let url = connection.url.as_deref().or(stored.server()).unwrap_or(HERE).trim_end_matches('/').to_owned();
        let key = match (&connection.key_file, &connection.key) {
            (Some(file), _) => Some(key_of(file)?),
            (None, Some(key)) => Some(key.clone()),
            (None, None) => stored.key(&url).map(str::to_owned),
        };
        let code = Mutex::new(connection.totp_code.clone());
        Ok(Self { client: Client::new(), url, key, code, stored })
    }

    /// The address of an operation.
    pub(crate) fn address(&self, operation: &str) -> String {
        format!("{}/{operation}", self.url)
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The response to a request, as it came. Where the server wants a second factor, the user is asked for one.
    pub(crate) async fn send(&self, operation: &str, request: String) -> Outcome<String> {
        self.send_in(operation, request, None).await
    }

    async fn send_in(&self, operation: &str, request: String, workspace: Option<&str>) -> Outcome<String> {
        self.with_step_up(operation, || self.with_risks(&request, || self.post(operation, request.clone(), workspace)))
            .await
    }

    /// The outcome of a call, which is repeated once a second factor was confirmed where the server wants one.
    async fn with_step_up<T, F>(&self, operation: &str, call: impl Fn() -> F) -> Outcome<T>
    where
        F: Future<Output = Outcome<T>>,
    {
        match call().await {
            Err(failure) if failure.has_reason("STEP_UP_REQUIRED") => {
                self.step_up(operation).await?;
                call().await
            }
            done => done,
        }
    }

    /// The outcome of a call, which is repeated once the risks were acknowledged where the server wants them read.
    async fn with_risks<T, F>(&self, request: &str, call: impl Fn() -> F) -> Outcome<T>
    where
        F: Future<Output = Outcome<T>>,
    {
        match call().await {
            Err(failure) if failure.has_reason("RISKS_NOT_ACKNOWLEDGED") => {
                self.acknowledge_risks(request, failure).await?;
                call().await
            }
            done => done,
        }
    }

    /// A call with the key, to be sent.
    fn call(&self, operation: &str, request: String) -> RequestBuilder {
        let call = self.client.post(self.address(operation)).header(CONTENT_TYPE, "application/json").body(request);
        match &self.key {
            Some(key) => call.header(AUTHORIZATION, format!("Bearer {key}")),
            None => call,
        }
    }

    async fn post(&self, operation: &str, request: String, workspace: Option<&str>) -> Outcome<String> {
        let mut call = self.call(operation, request);
        if let Some(workspace) = workspace {
            call = call.header("x-workspace-id", workspace);
        }
        let answer = call.send().await.map_err(|error| self.unreachable(&error))?;
        let status = answer.status();
        let reason = header(&answer, "x-error-reason");
        let body = answer.text().await.map_err(|error| self.unreachable(&error))?;
        if status.is_success() { Ok(body) } else { Err(self.rejected(operation, status, &body, reason)) }
    }

    /// The response to a request.
    pub(crate) async fn ask(&self, operation: &str, request: &Value) -> Outcome<Value> {
        self.ask_in(operation, request, None).await
    }

    /// The response to a request that names its workspace in a header.
    pub(super) async fn ask_in(&self, operation: &str, request: &Value, workspace: Option<&str>) -> Outcome<Value> {
        let body = self.send_in(operation, request.to_string(), workspace).await?;
        self.read(operation, &body)
    }

    /// The response to a request that no second factor is asked for.
    pub(super) async fn ask_plainly(&self, operation: &str, request: &Value) -> Outcome<Value> {
        let body = self.post(operation, request.to_string(), None).await?;
        self.read(operation, &body)
    }

    fn read(&self, operation: &str, body: &str) -> Outcome<Value> {
        serde_json::from_str(body).map_err(|error| {
            Failure::new(Exit::Failed, format!("{} returned no JSON", self.address(operation)))
                .because(error)
                .with_try("check that --url or TRADEPOST_URL names a tradepost")
        })
    }

    /// The workspace that is given by its id or its name, or the one that the key is bound to.
    pub(crate) async fn workspace(&mut self, given: Option<&str>) -> Outcome<String> {
        let Some(given) = given else { return self.own_workspace().await };
        if let Some(id) = ids::to_wire(given) {
            return Ok(id);
        }
        // A key works in one workspace and cannot list others.
        let id = self.own_workspace().await?;
        let answer = self.ask(GET_WORKSPACE, &json!({ "workspaceId": id })).await?;
        let own = view::plain(&answer["workspace"]["name"]);
        if own.eq_ignore_ascii_case(given) {
            return Ok(id);
        }
        Err(Failure::new(Exit::Usage, format!("--workspace: the key works in no workspace {given:?}"))
            .because(format!("its workspace is {own:?}"))
            .with_try("leave --workspace and TRADEPOST_WORKSPACE out, or give another key"))
    }

    /// The workspace that the key is bound to, which is looked up once.
    async fn own_workspace(&mut self) -> Outcome<String> {
        if let Some(known) = self.key.as_deref().and_then(|key| self.stored.workspace(key)) {
            return Ok(known.to_owned());
        }
        let workspace = self.look_up_workspace().await?;
        if let Some(key) = &self.key {
            self.stored.keep_workspace(key, &workspace);
        }
        Ok(workspace)
    }

    async fn look_up_workspace(&self) -> Outcome<String> {
        let advice = "give the id of the workspace with --workspace or TRADEPOST_WORKSPACE";
        // A key can list the keys of its workspace only, so the first key names the workspace.
        let listed = self.ask(LIST_KEYS, &json!({})).await;
        let lacks_right = |failure: &Failure| failure.has_reason("PERMISSION_DENIED");
        let keys = listed.map_err(|failure| if lacks_right(&failure) { failure.with_try(advice) } else { failure })?;
        let workspace = keys.pointer("/apiKeys/0/workspaceId").and_then(Value::as_str);
        workspace
            .map(str::to_owned)
            .ok_or_else(|| Failure::new(Exit::Failed, "the workspace of the key is not known").with_try(advice))
    }

    /// Stores the key for the commands that follow. Returns the file.
    pub(super) fn log_in(&mut self, workspace: &str) -> Outcome<String> {
        let key = self.key.clone().unwrap_or_default();
        self.stored.log_in(&self.url, &key, workspace).map(|file| file.display().to_string())
    }

    /// Removes the stored key. Returns whether there was one.
    pub(super) fn log_out(&mut self) -> Outcome<bool> {
        self.stored.log_out(&self.url)
    }

    pub(super) fn use_key(&mut self, key: String) {
        self.key = Some(key);
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let why = chain(error);
        let failure = Failure::new(Exit::Unavailable, format!("cannot reach {}", self.url)).because(&why);
        match remedy(&why) {
            Some(remedy) => failure.with_try(remedy),
            None => failure
                .with_try("start the server with: tradepost")
                .with_try("or name another one with --url or TRADEPOST_URL"),
        }
    }

    fn rejected(&self, operation: &str, status: StatusCode, body: &str, reason: Option<String>) -> Failure {
        if status == StatusCode::UNAUTHORIZED && self.key.is_none() {
            return with_remedies_of_a_key(Failure::new(Exit::Denied, "no API key was given"));
        }
        let is_unknown = reason.as_deref() == Some("UNIMPLEMENTED") || status == StatusCode::NOT_FOUND;
        let has_path = Url::parse(&self.url).is_ok_and(|url| url.path() != "/");
        if is_unknown && has_path {
            return Failure::new(Exit::Failed, format!("there is no tradepost at {}", self.url))
                .because(format!("the address has a path [HTTP {}]", status.as_u16()))
                .with_try("leave the path out of --url or TRADEPOST_URL");
        }
        rejection(operation, status, body, reason)
    }
}

/// What to do about an address at which something answers that cannot be talked to.
fn remedy(why: &str) -> Option<&'static str> {
    if why.contains("InvalidContentType") {
        Some("the server speaks HTTP: begin the address with http://")
    } else if why.contains("invalid HTTP version") {
        Some("the server speaks HTTPS: begin the address with https://")
    } else if why.contains("certificate") {
        Some("use the name that the certificate is for, and have this machine trust who issued it")
    } else {
        None
    }
}

fn with_remedies_of_a_key(failure: Failure) -> Failure {
    failure
        .with_try("store the key that the server printed: tradepost login; or set TRADEPOST_API_KEY or --key-file")
        .with_try("create a key where the database is: tradepost key create --name laptop --policy trading")
}

/// The key in a file, or on standard input.
fn key_of(file: &Path) -> Outcome<String> {
    if file == Path::new("-") {
        return key_of_input();
    }
    let text = fs::read_to_string(file).map_err(|error| {
        Failure::new(Exit::Usage, format!("cannot read {}", file.display()))
            .because(error)
            .with_try("name the file with --key-file FILE")
    })?;
    first_line(&text, &file.display().to_string())
}

/// The key on standard input, which is not shown on a terminal.
pub(super) fn key_of_input() -> Outcome<String> {
    let unread = |error| Failure::new(Exit::Failed, "cannot read the key").because(error);
    let mut text = String::new();
    if stdin().is_terminal() {
        anstream::eprint!("API key: ");
        text = console::Term::stderr().read_secure_line().map_err(unread)?;
    } else {
        stdin().read_to_string(&mut text).map_err(unread)?;
    }
    first_line(&text, "standard input")
}

fn first_line(text: &str, origin: &str) -> Outcome<String> {
    let key = text.lines().map(str::trim).find(|line| !line.is_empty());
    key.map(str::to_owned).ok_or_else(|| {
        Failure::new(Exit::Usage, format!("there is no key in {origin}"))
            .with_try("create one with: tradepost key create --name laptop --policy trading")
    })
}

/// A request that the server rejected.
fn rejection(operation: &str, status: StatusCode, body: &str, reason: Option<String>) -> Failure {
    let error: Value = serde_json::from_str(body).unwrap_or_default();
    let message = error.get("message").and_then(Value::as_str).unwrap_or("it gave no reason");
    let message = view::in_seconds(message);
    let exit = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Exit::Denied,
        StatusCode::INTERNAL_SERVER_ERROR
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Exit::Unavailable,
        _ => Exit::Failed,
    };
    let code = status.as_u16();
    let why = match &reason {
        Some(reason) => format!("{message} [{reason}, HTTP {code}]"),
        None => format!("{message} [HTTP {code}]"),
    };
    let method = operation.rsplit('/').next().unwrap_or(operation);
    let failure = Failure::new(exit, format!("the server rejected {method}")).because(why);
    let failure = match (status, reason.as_deref()) {
        (StatusCode::UNAUTHORIZED, _) => with_remedies_of_a_key(failure),
        (_, Some(reason)) => remedies::of(reason).iter().fold(failure, |failure, remedy| failure.with_try(*remedy)),
        (_, None) => failure,
    };
    failure.with_reason(reason)
}

fn header(answer: &Response, name: &str) -> Option<String> {
    answer.headers().get(name)?.to_str().ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_that_is_too_far_behind_learns_where_to_begin() {
        let body = json!({ "code": "failed_precondition", "message": "more than 31 days behind" }).to_string();
        let reason = Some("WATCH_EXPIRED".to_owned());
        assert_eq!(
            rejection("contracts.v1.Contracts/WatchTransitions", StatusCode::BAD_REQUEST, &body, reason).to_string(),
            "error: the server rejected WatchTransitions\n  why: more than 31 days behind [WATCH_EXPIRED, HTTP 400]\n  \
             try: begin with the changes of the last 31 days: tradepost transitions tail --all\n  \
             try: or with the next one: tradepost transitions tail"
        );
    }

    #[test]
    fn the_first_line_of_a_file_is_the_key() {
        assert_eq!(first_line("\n  tpk_1 \nmore\n", "file").unwrap(), "tpk_1");
        assert!(first_line("\n", "file").unwrap_err().is(Exit::Usage));
    }
}

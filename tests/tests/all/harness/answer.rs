//! Calling the server as a script would, by JSON over HTTP, and taking the answer apart.

use reqwest::header::HeaderMap;
use serde_json::Value;
use tradepost_operations::rules::Rule;

/// An HTTP client of one server.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) base: String,
    http: reqwest::Client,
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn of(base: impl Into<String>) -> Self {
        Self { base: base.into(), http: reqwest::Client::new() }
    }

    /// Calls an operation by its name.
    pub(crate) async fn call(&self, token: Option<&str>, method: &str, body: &Value) -> Answer {
        self.try_call(token, method, body).await.unwrap_or_else(|error| panic!("{method} got no answer: {error:?}"))
    }

    /// The same where the server may have ended.
    pub(crate) async fn try_call(
        &self,
        token: Option<&str>,
        method: &str,
        body: &Value,
    ) -> Result<Answer, reqwest::Error> {
        let request = self.http.post(self.url(method)).header("content-type", "application/json");
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        Answer::of(request.body(body.to_string()).send().await?).await
    }

    /// Calls an operation under an idempotency key.
    pub(crate) async fn call_under(&self, key: &str, token: &str, method: &str, body: &Value) -> Answer {
        self.try_call_under(key, token, method, body).await.unwrap()
    }

    /// The same where the server may have ended.
    pub(crate) async fn try_call_under(
        &self,
        key: &str,
        token: &str,
        method: &str,
        body: &Value,
    ) -> Result<Answer, reqwest::Error> {
        let request = self.http.post(self.url(method)).header("content-type", "application/json");
        let request = request.header("idempotency-key", key).bearer_auth(token).body(body.to_string());
        Answer::of(request.send().await?).await
    }

    /// Gets a page.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(self.http.get(format!("{}{path}", self.base)).send().await.unwrap()).await.unwrap()
    }

    /// Where an operation is called.
    pub(crate) fn url(&self, method: &str) -> String {
        let rule = Rule::of(method).unwrap_or_else(|| panic!("there is no operation {method}"));
        format!("{}/{}/{}", self.base, rule.service, rule.method)
    }
}

impl Answer {
    pub(crate) async fn of(response: reqwest::Response) -> Result<Self, reqwest::Error> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Self { status, headers, body: response.text().await? })
    }

    /// The body of a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("the body is no JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// Status, code and reason of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String, String) {
        let code = self.json()["code"].as_str().unwrap_or_default().to_owned();
        (self.status, code, self.header("x-error-reason").unwrap_or_default().to_owned())
    }

    /// The sentence of a refusal.
    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub(crate) fn assert_refused(&self, code: &str, reason: &str) {
        let (_, given_code, given_reason) = self.refusal();
        assert_eq!((given_code.as_str(), given_reason.as_str()), (code, reason), "{self:?}");
    }

    /// Everything that a caller sees of an answer but what differs from call to call.
    pub(crate) fn seen(&self) -> String {
        const CHANGING: [&str; 4] = ["date", "x-request-id", "ratelimit", "content-length"];
        let mut lines: Vec<String> = self
            .headers
            .iter()
            .filter(|(name, _)| !CHANGING.contains(&name.as_str()))
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        lines.sort();
        format!("{}\n{}\n{}", self.status, lines.join("\n"), self.body)
    }
}

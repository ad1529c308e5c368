//! Calls to a service that the operator names: within its budget, to the routes of a table, with headers that say who calls.

mod heard;
mod question;
mod refusal;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response};
use tokio::time::{Instant, sleep, timeout};
use tradepost_domain::time::Timestamp;

use crate::budget::{Budget, Pacer, Turn};
use crate::client::{CallError, ClientError, built, guarded, redacted};
use crate::egress::ServiceAddress;
use crate::resolver::{Names, SystemNames};

use heard::Heard;
pub use question::{Access, Method, Question, Route, WritePermission};
use refusal::Refusal;

const TOO_MANY_REQUESTS: u16 = 429;

/// The limits of calls to a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceLimits {
    /// How often it is called.
    pub budget: Budget,
    /// The time for a connection.
    pub connect: Duration,
    /// The time for the whole call, answer included.
    pub whole: Duration,
    /// The most bytes of an answer, once it is unpacked. A longer answer is an error.
    pub answer_bytes: usize,
    /// How long it is not called after it limited a call and did not say for how long.
    pub pause: Duration,
    /// How long a call waits for its turn. A call whose turn comes later is not made.
    pub patience: Duration,
}

/// An answer of any status but 429.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The headers that the question names, where the answer has them.
    pub headers: Vec<(&'static str, String)>,
    /// The time of the service, if it named one.
    pub date: Option<Timestamp>,
    /// The body, unpacked.
    pub body: Vec<u8>,
}

/// Why there is no answer. No text of it holds an address, a header or a body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// The route is not in the table of the service.
    #[error("{0} is not in the table of routes")]
    NotListed(&'static str),
    /// The route writes, and the call has no permission. Nothing was sent.
    #[error("{0} changes something at the service, and needs a permission")]
    Write(&'static str),
    /// The id of the question is missing, or cannot be part of a path. Nothing was sent.
    #[error("{0} needs an id of letters, digits, - and _ where its path has one")]
    Id(&'static str),
    /// A header of the question cannot be sent. Nothing was sent.
    #[error("the header {0} cannot be sent")]
    Header(&'static str),
    /// The budget has no call now. Nothing was sent.
    #[error("it is called again in {} s, to stay below its limit", .0.as_secs())]
    Paced(Duration),
    /// The service limits the rate of calls.
    #[error("it limits the rate of calls, and is called again in {} s", .0.as_secs())]
    Limited(Duration),
    /// The service answered 429 to the only call in the window, and named no time: it does not want this client.
    #[error("it refuses this client: it answered 429 to the first call in {} s, and named no time to wait", .0.as_secs())]
    RefusedAsClient(Duration),
    /// The answer is too long.
    #[error("its answer has more than {0} bytes")]
    TooLarge(usize),
    /// The call failed.
    #[error("{0}")]
    Call(#[from] CallError),
}

/// The client of one service. All tasks of a process share one, because they share its budget.
#[derive(Debug)]
pub struct ServiceClient {
    client: Client,
    address: ServiceAddress,
    routes: &'static [Route],
    limits: ServiceLimits,
    pacer: Pacer,
    refusal: Refusal,
}

impl ServiceClient {
    /// A client of a service with these routes.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(address: ServiceAddress, routes: &'static [Route], limits: ServiceLimits) -> Result<Self, ClientError> {
        Self::with_names(address, routes, limits, Arc::new(SystemNames))
    }

    /// The same with another resolver of names.
    ///
    /// # Errors
    /// As [`ServiceClient::new`].
    pub fn with_names(
        address: ServiceAddress,
        routes: &'static [Route],
        limits: ServiceLimits,
        names: Arc<dyn Names>,
    ) -> Result<Self, ClientError> {
        let headers = HeaderMap::from_iter([
            (ACCEPT, HeaderValue::from_static("application/json")),
            (ACCEPT_LANGUAGE, HeaderValue::from_static("en")),
        ]);
        // The features of reqwest add `Accept-Encoding: gzip, br`, and unpack what comes.
        let client = built(guarded(address.reach(), limits.connect, names).default_headers(headers))?;
        Ok(Self { client, address, routes, limits, pacer: Pacer::of(limits.budget), refusal: Refusal::default() })
    }

    /// Reads a route without headers or a body of its own, once.
    ///
    /// # Errors
    /// As [`ServiceClient::ask`].
    pub async fn get(&self, route: Route, query: &[(&str, &str)]) -> Result<ServiceAnswer, ServiceError> {
        self.ask(Question::of(route, query)).await
    }

    /// Returns a query as it is sent, for a service whose calls are signed.
    pub fn written(&self, query: &[(&str, &str)]) -> String {
        self.address.url("", query).query().unwrap_or_default().to_owned()
    }

    /// Returns the refusal of this client, as [`ServiceError::RefusedAsClient`], if the latest answers show that it lasts. It ends with the next
    /// answer other than 429, and 1 h after it was seen last. No call is made.
    pub fn refusal(&self) -> Option<ServiceError> {
        let refused = || ServiceError::RefusedAsClient(self.limits.budget.window);
        self.refusal.is_in_force(Instant::now()).then(refused)
    }

    /// Asks a question that changes nothing but a session, once, when its turn has come.
    ///
    /// # Errors
    /// [`ServiceError`]. A read has no effect, so that it can be repeated.
    pub async fn ask(&self, question: Question<'_>) -> Result<ServiceAnswer, ServiceError> {
        let route = self.listed(question.route)?;
        match route.access {
            Access::Read | Access::SignIn => self.call(question).await,
            Access::Write => Err(ServiceError::Write(route.path)),
        }
    }

    /// Makes a call that may change something, once, when its turn has come.
    ///
    /// # Errors
    /// [`ServiceError`]. Unless its text says that nothing was sent, the call may have had its effect.
    pub async fn write(&self, _: &WritePermission, question: Question<'_>) -> Result<ServiceAnswer, ServiceError> {
        self.listed(question.route)?;
        self.call(question).await
    }

    fn listed(&self, route: Route) -> Result<Route, ServiceError> {
        if self.routes.contains(&route) { Ok(route) } else { Err(ServiceError::NotListed(route.path)) }
    }

    async fn call(&self, question: Question<'_>) -> Result<ServiceAnswer, ServiceError> {
        let names = question.heard;
        let request = self.request(question)?;
        let turn = self.turn().await?;
        let calling = async {
            let response = request.send().await.map_err(redacted)?;
            let heard = Heard::of(response.headers());
            if response.status().as_u16() == TOO_MANY_REQUESTS {
                return Err(self.limited(turn, heard));
            }
            self.refusal.answered();
            if let Some(pause) = heard.spent_for {
                self.pacer.close(Instant::now(), pause);
            }
            let headers = named(response.headers(), names);
            let (status, body) = self.answer(response).await?;
            Ok(ServiceAnswer { status, headers, date: heard.date, body })
        };
        let whole = self.limits.whole;
        timeout(whole, calling).await.unwrap_or(Err(ServiceError::Call(CallError::TimedOut(whole))))
    }

    fn request(&self, question: Question<'_>) -> Result<RequestBuilder, ServiceError> {
        let path = question.path().ok_or(ServiceError::Id(question.route.path))?;
        let url = self.address.url(&path, question.query);
        let request = match question.route.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url).body(question.body),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in question.headers {
            let mut value = HeaderValue::from_str(&value).map_err(|_| ServiceError::Header(name))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(request.headers(headers))
    }

    /// Waits for the turn of a call, if it comes within the patience.
    async fn turn(&self) -> Result<Turn, ServiceError> {
        let begun = Instant::now();
        loop {
            let now = Instant::now();
            match self.pacer.take(now) {
                Ok(turn) => return Ok(turn),
                Err(wait) if now.duration_since(begun).saturating_add(wait) <= self.limits.patience => {
                    sleep(wait).await;
                }
                Err(wait) => return Err(ServiceError::Paced(wait)),
            }
        }
    }

    /// Closes the budget for as long as the service asks, and says what its 429 means.
    ///
    /// A limit names a time or follows other calls. A 429 that does neither is about the client, whatever its pace.
    fn limited(&self, turn: Turn, heard: Heard) -> ServiceError {
        let named = heard.retry_after.or(heard.spent_for);
        let (now, pause) = (Instant::now(), named.unwrap_or(self.limits.pause));
        self.pacer.close(now, pause);
        if named.is_none() {
            self.refusal.limited(now, turn.is_at_rest);
        }
        match named {
            None if turn.is_at_rest => ServiceError::RefusedAsClient(self.limits.budget.window),
            None | Some(_) => ServiceError::Limited(pause),
        }
    }

    async fn answer(&self, mut response: Response) -> Result<(u16, Vec<u8>), ServiceError> {
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(redacted)? {
            if body.len().saturating_add(chunk.len()) > self.limits.answer_bytes {
                return Err(ServiceError::TooLarge(self.limits.answer_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((status, body))
    }
}

/// The headers of these names that are there, and are text.
fn named(headers: &HeaderMap, names: &'static [&'static str]) -> Vec<(&'static str, String)> {
    let text = |name: &'static str| Some((name, headers.get(name)?.to_str().ok()?.to_owned()));
    names.iter().copied().filter_map(text).collect()
}

#[cfg(test)]
mod tests;

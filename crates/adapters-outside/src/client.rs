//! A call: one attempt, to a judged address, within a time, and with a bounded answer.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, redirect};
use serde::Serialize;
use tokio::time::timeout;

use crate::pacing::Pace;
use crate::reach::Reach;
use crate::resolver::{JudgedNames, Names, NotReachable, SystemNames};
use crate::target::Target;

/// The limits of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientLimits {
    /// The time for a connection.
    pub connect: Duration,
    /// The time for the whole call, answer included.
    pub whole: Duration,
    /// The bytes that are read of an answer; the rest is not read.
    pub answer_bytes: usize,
    /// The time between the beginnings of two calls of this process.
    pub gap: Duration,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            whole: Duration::from_secs(15),
            answer_bytes: 4 * 1_024,
            gap: Duration::from_millis(10),
        }
    }
}

/// A request with a body.
#[derive(Debug)]
pub struct Post {
    /// The address.
    pub target: Target,
    /// The headers in addition to `User-Agent`.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

/// An answer, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The seconds of `Retry-After`, if it has seconds.
    pub retry_after: Option<Duration>,
    /// The first bytes of the body.
    pub body: Vec<u8>,
}

/// Why a call has no answer. No text of it holds an address, a header or a body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No address of the host may be reached.
    #[error("{NotReachable}")]
    NotReachable,
    /// The time was over.
    #[error("no complete answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// It failed on the way.
    #[error("{0}")]
    OnTheWay(String),
}

/// The client cannot be set up, usually for want of the computer's certificates.
#[derive(Debug, thiserror::Error)]
#[error("calls that leave the server cannot be made: {0}")]
pub struct ClientError(String);

impl ClientError {
    /// The error of a driver that cannot be set up for a reason of its own.
    pub fn other(reason: &dyn Error) -> Self {
        Self(reason.to_string())
    }
}

/// The client.
#[derive(Debug)]
pub struct OutsideClient {
    client: Client,
    limits: ClientLimits,
    pace: Pace,
}

impl OutsideClient {
    /// A client that reaches these addresses.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(reach: &Reach, limits: ClientLimits) -> Result<Self, ClientError> {
        Self::with_names(reach, limits, Arc::new(SystemNames))
    }

    /// The same with another resolver of names.
    ///
    /// # Errors
    /// As [`OutsideClient::new`].
    pub fn with_names(reach: &Reach, limits: ClientLimits, names: Arc<dyn Names>) -> Result<Self, ClientError> {
        // An answer of a user's address is read up to a number of bytes of its own, and never unpacked.
        let client = built(guarded(reach, limits.connect, names).no_gzip().no_brotli())?;
        Ok(Self { client, limits, pace: Pace::of(limits.gap) })
    }

    /// Makes a call, once its turn has come.
    ///
    /// # Errors
    /// [`CallError`] when no answer came. Whether the request arrived is not known then.
    pub async fn post(&self, post: Post) -> Result<Answer, CallError> {
        let Post { target, headers, body } = post;
        self.call(self.client.post(target.url().clone()).headers(headers).body(body)).await
    }

    /// Sends a form, once the turn of the call has come.
    ///
    /// # Errors
    /// As [`OutsideClient::post`].
    pub async fn post_form(&self, target: &Target, form: &(impl Serialize + Sync)) -> Result<Answer, CallError> {
        self.call(self.client.post(target.url().clone()).form(form)).await
    }

    /// Makes a call without a body, with these headers in addition to `User-Agent`, once its turn has come.
    ///
    /// # Errors
    /// As [`OutsideClient::post`].
    pub async fn get(&self, target: &Target, headers: HeaderMap) -> Result<Answer, CallError> {
        self.call(self.client.get(target.url().clone()).headers(headers)).await
    }

    async fn call(&self, request: RequestBuilder) -> Result<Answer, CallError> {
        self.pace.turn().await;
        let calling = async {
            let response = request.send().await.map_err(redacted)?;
            self.answer(response).await
        };
        timeout(self.limits.whole, calling).await.unwrap_or(Err(CallError::TimedOut(self.limits.whole)))
    }

    async fn answer(&self, mut response: Response) -> Result<Answer, CallError> {
        let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
        let mut body = Vec::new();
        while body.len() < self.limits.answer_bytes {
            let Some(chunk) = response.chunk().await.map_err(redacted)? else { break };
            body.extend_from_slice(&chunk);
        }
        body.truncate(self.limits.answer_bytes);
        Ok(Answer { status, retry_after, body })
    }
}

/// What every client of this crate is made of.
pub(crate) fn guarded(reach: &Reach, connect: Duration, names: Arc<dyn Names>) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("tradepost/", env!("CARGO_PKG_VERSION")))
        // Both would make the call for the client, at an address that was not judged.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .retry(reqwest::retry::never())
        // A connection that stays would be used for a name that has another address by now.
        .pool_max_idle_per_host(0)
        .connect_timeout(connect)
        .dns_resolver(JudgedNames { names, reach: reach.clone() })
}

pub(crate) fn built(builder: ClientBuilder) -> Result<Client, ClientError> {
    builder.build().map_err(|error| ClientError(error.without_url().to_string()))
}

/// The seconds of `Retry-After`, if it has seconds.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// The error without the address, whose path and query may be secrets; with the last cause, which reqwest leaves out.
pub(crate) fn redacted(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    let mut cause: &(dyn Error + 'static) = &error;
    loop {
        if cause.is::<NotReachable>() {
            return CallError::NotReachable;
        }
        let Some(next) = cause.source() else { break };
        cause = next;
    }
    let cause = cause.to_string();
    let text = error.to_string();
    CallError::OnTheWay(if text == cause { text } else { format!("{text}: {cause}") })
}

#[cfg(test)]
mod tests;

//! The interceptor behind authentication: a call under an `idempotency-key` is carried out once. It works on messages, after
//! the protocols' framing and compression are off, so it is the same for all of them.
//!
//! What the call commits waits until the handler has made the answer. A race that is lost then, or a refusal of storage, is
//! found after the operation has ended: the call is made again, on fresh reads.

use std::sync::Arc;

use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{CodecFormat, ConnectError, ErrorCode, Interceptor, Next, Payload, RequestContext, Response};
use http::header::{AUTHORIZATION, CACHE_CONTROL};
use http::{HeaderMap, HeaderName, HeaderValue};
use tradepost_operations::calls::idempotency::{CallAnswer, IdempotentCall, Settled};
use tradepost_operations::rules::Rule;
use tradepost_operations::{Caller, OpError, OpResult, Operations};
use tradepost_ports::limiter::RateClass;

use crate::browser::{PageCall, SETS_COOKIES};
use crate::error::{internal, to_wire};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const MOST_BYTES: usize = 255;

/// The interceptor.
pub(crate) struct Idempotency(pub(crate) Arc<Operations>);

#[connectrpc::async_trait]
impl Interceptor for Idempotency {
    async fn intercept_unary(&self, request: UnaryRequest, next: Next<'_>) -> Result<UnaryResponse, ConnectError> {
        let Some(call) = asked(&request).map_err(to_wire)? else { return next.run(request).await };
        let format = request.payload.format();
        let mut caller: Caller =
            request.ctx.extensions().get().cloned().ok_or_else(|| internal("a call was not authenticated"))?;
        if let Some(answer) = self.0.once(&mut caller, &call).await.map_err(to_wire)? {
            return Ok(replayed(answer, format));
        }
        let mut run = 1;
        loop {
            let mut request = request.try_clone()?;
            request.ctx.extensions_mut().insert(caller.clone());
            let error = match next.clone().run(request).await {
                Ok(answer) => match self.settle(&caller, &call, &answer, run).await {
                    Ok(Settled::Stored) => return Ok(answer),
                    Ok(Settled::Replayed(answer)) => return Ok(replayed(answer, format)),
                    Ok(Settled::Again) => {
                        run = run.saturating_add(1);
                        continue;
                    }
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if error.code == ErrorCode::Internal {
                return Err(error);
            }
            // It may have failed because another call with the key was carried out in the meantime.
            return match self.0.once(&mut caller, &call).await {
                Ok(Some(answer)) => Ok(replayed(answer, format)),
                Ok(None) => Err(error),
                Err(spent) => Err(to_wire(spent)),
            };
        }
    }
}

impl Idempotency {
    /// Stores what the call did, with its answer.
    async fn settle(
        &self,
        caller: &Caller,
        call: &IdempotentCall,
        answer: &UnaryResponse,
        run: u64,
    ) -> Result<Settled, ConnectError> {
        let is_secret = answer.headers.contains_key(CACHE_CONTROL);
        let body = answer.body.encoded()?;
        self.0.settle(caller, call, CallAnswer { body: &body, is_secret }, run).await.map_err(to_wire)
    }
}

/// The call, if it is one that changes something and comes with a key.
fn asked(request: &UnaryRequest) -> OpResult<Option<IdempotentCall>> {
    let Some(rule) = request.ctx.path().and_then(Rule::of_path) else { return Ok(None) };
    let headers = request.ctx.headers();
    if matches!(rule.class, RateClass::Read | RateClass::List) || !headers.contains_key(&KEY) {
        return Ok(None);
    }
    let form = [if matches!(request.payload.format(), CodecFormat::Json) { b'j' } else { b'p' }];
    let workspace = headers.get("x-workspace-id").map(HeaderValue::as_bytes).unwrap_or_default();
    let whole: Vec<u8> = [&form, workspace, b"\0", request.payload.bytes()].concat();
    let holder = credential(&request.ctx).unwrap_or_else(|| whole.clone());
    if request.ctx.extensions().get::<PageCall>().is_some() && SETS_COOKIES.contains(&rule.method) {
        let rule = "must not be given where the answer sets a cookie: an answer that is replayed has none";
        return Err(OpError::invalid_field(KEY.as_str(), rule));
    }
    Ok(Some(IdempotentCall {
        operation: rule.method,
        key: key(headers)?,
        request: whole.into(),
        holder: holder.into(),
    }))
}

/// The credential of the call, wherever it is: the answer is sealed under it.
fn credential(context: &RequestContext) -> Option<Vec<u8>> {
    match context.extensions().get::<PageCall>() {
        Some(page) => page.token().map(|token| token.as_bytes().to_vec()),
        None => context.headers().get(AUTHORIZATION).map(|given| given.as_bytes().to_vec()),
    }
}

/// The one key.
fn key(headers: &HeaderMap) -> OpResult<String> {
    let mut values = headers.get_all(KEY).iter();
    let (value, None) = (values.next(), values.next()) else { return Err(invalid()) };
    let text = value.and_then(|value| value.to_str().ok()).ok_or_else(invalid)?;
    let is_key = (1..=MOST_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_key { Ok(text.to_owned()) } else { Err(invalid()) }
}

fn invalid() -> OpError {
    OpError::invalid_field(KEY.as_str(), "must be given once and have 1 to 255 visible ASCII characters")
}

fn replayed(answer: Vec<u8>, format: CodecFormat) -> UnaryResponse {
    let mut answer = Response::new(Payload::new(answer.into(), format));
    answer.headers.insert(REPLAYED, HeaderValue::from_static("true"));
    answer.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

//! Sessions of browsers: a cookie has the token, and counts only for a call that a page of this server makes.
//!
//! A page asks for the cookie by the header `tradepost-session: cookie`, which no form and no link can send. Without it no cookie is read,
//! so that a cookie that a browser adds by itself gives a foreign page nothing. Nothing here knows operations.

mod cookies;
mod origins;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, ORIGIN};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_operations::{OpError, OpResult, Reason};

use crate::error::to_wire;

use cookies::CookieValues;

pub(crate) use cookies::CookieNames;
pub(crate) use origins::{LocalOrigins, PageOrigins};

/// Asks for the cookie.
const SESSION: HeaderName = HeaderName::from_static("tradepost-session");
const IN_A_COOKIE: &str = "cookie";
/// The relation of the page to the server, as the browser states it.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SAME_ORIGIN: &str = "same-origin";
/// The bodies of calls. A form can send neither of them.
const BODIES: [&str; 2] = ["application/json", "application/proto"];

/// The operations whose answer sets a cookie. An answer that is replayed has none, so no idempotency key is accepted there.
pub(crate) const SETS_COOKIES: [&str; 6] =
    ["BeginLinkedSignIn", "CompleteSignIn", "CompleteStepUp", "FinishLinkedSignIn", "FinishPasskeySignIn", "SignIn"];

/// What is known of browsers.
#[derive(Debug, Clone)]
pub(crate) struct Browsers {
    pub(crate) names: Arc<CookieNames>,
    pub(crate) origins: PageOrigins,
}

/// A call of a page of this server. In the extensions of its request.
#[derive(Debug, Clone)]
pub(crate) struct PageCall {
    pub(crate) names: Arc<CookieNames>,
    cookies: CookieValues,
}

impl PageCall {
    /// The token of the session, if the browser has one.
    pub(crate) fn token(&self) -> Option<&str> {
        self.cookies.session.as_ref().map(SecretString::expose_secret)
    }

    /// Whether this browser began the sign-in with this id.
    pub(crate) fn began(&self, link_id: &str) -> bool {
        self.cookies.link.as_deref() == Some(link_id)
    }
}

/// The middleware around the protocol library. It removes the cookies of every request, so that no handler and no log has them.
pub(crate) async fn browser(State(browsers): State<Browsers>, mut request: Request, next: Next) -> Response {
    let call = browsers.call(&request);
    request.headers_mut().remove(COOKIE);
    match call {
        Ok(None) => {}
        Ok(Some(call)) => {
            request.extensions_mut().insert(call);
        }
        Err(refused) => return to_wire(refused).into_http_response(request.headers()).map(Body::new),
    }
    next.run(request).await
}

impl Browsers {
    /// The call of a page, if the request asks for the cookie.
    fn call(&self, request: &Request) -> OpResult<Option<PageCall>> {
        let headers = request.headers();
        if !asks_for_cookie(headers)? {
            return Ok(None);
        }
        let local = request.extensions().get::<LocalOrigins>();
        if request.method() != Method::POST
            || !is_of_a_page(headers)
            || !self.origins.admit(only(headers, &ORIGIN), local)
        {
            let message =
                "a session in a cookie is for the pages of this server; programs use the header authorization";
            return Err(OpError::permission_denied(Reason::OriginRefused, message));
        }
        if headers.contains_key(AUTHORIZATION) {
            return Err(OpError::invalid_field(AUTHORIZATION.as_str(), "must not be given with tradepost-session"));
        }
        Ok(Some(PageCall { names: Arc::clone(&self.names), cookies: self.names.read(headers) }))
    }
}

fn asks_for_cookie(headers: &HeaderMap) -> OpResult<bool> {
    match (headers.contains_key(&SESSION), only(headers, &SESSION)) {
        (false, _) => Ok(false),
        (true, Some(IN_A_COOKIE)) => Ok(true),
        (true, _) => Err(OpError::invalid_field(SESSION.as_str(), format_args!("must be {IN_A_COOKIE:?}, once"))),
    }
}

/// Whether a script can send this from a page of its own origin alone.
fn is_of_a_page(headers: &HeaderMap) -> bool {
    let media_type = only(headers, &CONTENT_TYPE).map(|given| given.split(';').next().unwrap_or(given).trim());
    let is_body_of_call = media_type.is_some_and(|media_type| BODIES.contains(&media_type));
    is_body_of_call && (!headers.contains_key(&SITE) || only(headers, &SITE) == Some(SAME_ORIGIN))
}

/// The value of a header that is given once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let (value, None) = (values.next(), values.next()) else { return None };
    value.and_then(|value: &HeaderValue| value.to_str().ok())
}

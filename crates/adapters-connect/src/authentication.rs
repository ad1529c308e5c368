//! The interceptor between the outcome and the codec: who calls, and whether they may call as often as they do.
//!
//! It runs before the message is decoded, so that a request without a credential costs no decoding. What the caller may do with
//! their rights is the operation's decision.

use std::net::IpAddr;
use std::sync::Arc;

use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{ConnectError, ErrorCode, Interceptor, Next, RequestContext};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::usage::Ended;
use tradepost_domain::id::WorkspaceId;
use tradepost_operations::rules::{Access, Rule};
use tradepost_operations::{AtWork, Caller, Charge, Code, OpError, OpResult, Operations};

use crate::browser::PageCall;
use crate::client_address::ClientAddress;
use crate::edge::RequestId;
use crate::error::{internal, to_wire};
use crate::outcome::Notes;
use crate::rate_limit;

/// The workspace that a session chooses for requests that name none.
const WORKSPACE: &str = "x-workspace-id";

/// Longer ones are no token and are not looked at.
const MOST_BYTES: usize = 256;

/// The interceptor.
pub(crate) struct Authentication(pub(crate) Arc<Operations>);

#[connectrpc::async_trait]
impl Interceptor for Authentication {
    async fn intercept_unary(&self, mut request: UnaryRequest, next: Next<'_>) -> Result<UnaryResponse, ConnectError> {
        let rule = request.ctx.path().and_then(Rule::of_path).ok_or_else(|| internal("a method has no rule"))?;
        let in_process = self.0.begin_call().map_err(to_wire)?;
        let client = request.ctx.extensions().get::<ClientAddress>().and_then(|address| address.0);
        let (mut caller, charge) = self.admit(rule, &request.ctx, client).await.map_err(to_wire)?;
        if let (Some(prefix), Some(notes)) = (caller.principal.token_prefix(), request.ctx.extensions().get::<Notes>())
        {
            notes.by_token(prefix);
        }
        caller.request = request.ctx.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
        let counted_as = self.0.called(&caller.principal, rule);
        let answer = match self.0.begin_call_of(&caller) {
            Ok(in_workspace) => {
                // Held by the call until it ends, or until it waits for something.
                request.ctx.extensions_mut().insert(AtWork::holding(in_process, in_workspace));
                request.ctx.extensions_mut().insert(caller);
                next.run(request).await
            }
            Err(busy) => {
                self.0.refund(&caller, rule).await;
                Err(to_wire(busy))
            }
        };
        self.0.count_call(counted_as, ended(&answer));
        match answer {
            Ok(mut answer) => {
                rate_limit::describe(&charge, &mut answer.headers);
                Ok(answer)
            }
            Err(mut error) => {
                // A limit that the operation itself found reached says more.
                if !error.response_headers().contains_key("retry-after") {
                    rate_limit::describe(&charge, error.response_headers_mut());
                }
                Err(error)
            }
        }
    }
}

impl Authentication {
    /// The caller, once the call is charged: to the key or session, or to the address where there is no valid one.
    async fn admit(
        &self,
        rule: &'static Rule,
        context: &RequestContext,
        client: Option<IpAddr>,
    ) -> OpResult<(Caller, Charge)> {
        let operations = &self.0;
        let (caller, charge) = match self.identify(rule, context, client).await {
            Ok(caller) if caller.principal.prover().is_some() => {
                let (caller, chosen) = with_workspace(caller, context.headers());
                let charge = operations.charge(&caller, rule).await;
                if !charge.verdict.allowed {
                    operations.count_call(operations.called(&caller.principal, rule), Ended::RateLimited);
                }
                (chosen.map(|()| caller), charge)
            }
            Err(error) if error.code != Code::Unauthenticated => return Err(error),
            Err(refused) if has_credential(context) => {
                (Err(refused), operations.charge_failed_authentication(client).await)
            }
            failed => (failed, operations.charge_unauthenticated(client).await),
        };
        if charge.verdict.allowed { Ok((caller?, charge)) } else { Err(OpError::rate_limited(charge)) }
    }

    async fn identify(&self, rule: &Rule, context: &RequestContext, client: Option<IpAddr>) -> OpResult<Caller> {
        match rule.access {
            Access::Public => Ok(Caller::anonymous(client)),
            Access::Key | Access::Member | Access::User | Access::Session | Access::AnyOf(_) | Access::ItselfOr(_) => {
                let token = token(context).ok_or_else(OpError::unauthenticated)?;
                self.0.authenticate(token, client).await
            }
        }
    }
}

/// How a call ended, for the counts of usage.
fn ended<T>(answer: &Result<T, ConnectError>) -> Ended {
    match answer {
        Ok(_) => Ended::Well,
        Err(error) if error.code == ErrorCode::ResourceExhausted => Ended::RateLimited,
        Err(_) => Ended::InError,
    }
}

/// The caller with the workspace that a session has chosen, and whether what it says is one. Keys have a workspace of their own.
fn with_workspace(mut caller: Caller, headers: &HeaderMap) -> (Caller, OpResult<()>) {
    let Principal::Session(session) = &mut caller.principal else { return (caller, Ok(())) };
    let Some(given) = headers.get(WORKSPACE) else { return (caller, Ok(())) };
    match given.to_str().ok().and_then(|text| text.trim().parse::<WorkspaceId>().ok()) {
        Some(chosen) => {
            session.chosen = Some(chosen);
            (caller, Ok(()))
        }
        None => (caller, Err(OpError::invalid_field(WORKSPACE, "must be the base64 form of 16 bytes"))),
    }
}

fn has_credential(context: &RequestContext) -> bool {
    match context.extensions().get::<PageCall>() {
        Some(page) => page.token().is_some(),
        None => context.headers().contains_key(AUTHORIZATION),
    }
}

/// The token that the call presents: in the cookie where a page asks for it, else in the header.
fn token(context: &RequestContext) -> Option<&str> {
    match context.extensions().get::<PageCall>() {
        Some(page) => page.token(),
        None => token_of(context.headers()),
    }
}

/// The token of the one `Authorization` header: `Bearer T`, `ApiKey T` or T alone.
fn token_of(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let value = value.to_str().ok().filter(|text| text.len() <= MOST_BYTES)?.trim();
    let token = match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("apikey") => {
            token
        }
        Some(_) => return None,
        None => value,
    };
    Some(token.trim_start()).filter(|token| !token.is_empty() && !token.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token_in(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, http::HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        token_of(&headers).map(str::to_owned)
    }

    #[test]
    fn a_token_is_taken_with_either_scheme_and_alone() {
        for value in ["Bearer tpk_x", "bearer tpk_x", "ApiKey tpk_x", "APIKEY  tpk_x", "tpk_x"] {
            assert_eq!(token_in(&[value]).as_deref(), Some("tpk_x"), "{value}");
        }
    }

    #[test]
    fn anything_else_is_no_token() {
        let long = "x".repeat(257);
        for values in [&[][..], &[""], &["tpk_x"; 2], &["Basic dTpw"], &["Bearer a b"], &["schlüssel"], &[&long]] {
            assert_eq!(token_in(values), None, "{values:?}");
        }
    }
}

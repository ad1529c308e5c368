//! Linking identities of other platforms, and signing in with them.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::account_link::LIFE;
use tradepost_operations::accounts::{self as operation, SignInAnswer};
use tradepost_operations::{OpError, Operations, Reason};

use super::sessions::{shown, user_agent};
use crate::convert::accounts as record;
use crate::convert::enums::{WireEnum, required_enum};
use crate::convert::{id, text_id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, page_of, secret_answer, session_answer, set_cookie};
use tradepost_proto::accounts::v1 as wire;

/// A foreign page could otherwise finish a sign-in of its own in this browser, which would then act in the account of another user.
const BEGUN_ELSEWHERE: &str = "the sign-in was not begun in this browser, or is over; begin again";

pub(super) async fn begin_account_link(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BeginAccountLinkRequest>,
) -> ServiceResult<wire::BeginAccountLinkResponse> {
    let caller = caller(context)?;
    let provider = required_enum("provider", request.provider)?;
    let command = operation::BeginLink { provider, redirect_uri: request.redirect_uri.to_owned() };
    let begun = operations.begin_account_link(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::BeginAccountLinkResponse {
        link_id: Some(begun.link_id.to_string()),
        authorization_url: Some(begun.authorization_url),
    }))
}

pub(super) async fn finish_account_link(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::FinishAccountLinkRequest>,
) -> ServiceResult<wire::FinishAccountLinkResponse> {
    let caller = caller(context)?;
    let answer = operation::FinishLink {
        link_id: text_id("linkId", request.link_id)?,
        state: request.state.to_owned(),
        code: request.code.to_owned(),
        issuer: request.iss.to_owned(),
        open_id_params: request.open_id_params.to_owned(),
    };
    let linked = operations.finish_account_link(caller, answer).await.map_err(to_wire)?;
    Response::ok(wire::FinishAccountLinkResponse { linked_account: record::linked_account(&linked).into() })
}

pub(super) async fn list_linked_accounts(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListLinkedAccountsRequest>,
) -> ServiceResult<wire::ListLinkedAccountsResponse> {
    let caller = caller(context)?;
    let linked = operations.list_linked_accounts(caller).await.map_err(to_wire)?;
    Response::ok(wire::ListLinkedAccountsResponse {
        linked_accounts: linked.iter().map(record::linked_account).collect(),
    })
}

pub(super) async fn unlink_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UnlinkAccountRequest>,
) -> ServiceResult<wire::UnlinkAccountResponse> {
    let caller = caller(context)?;
    let command = operation::UnlinkAccount { linked_account_id: id("linkedAccountId", request.linked_account_id)? };
    operations.unlink_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UnlinkAccountResponse::default())
}

pub(super) async fn begin_linked_sign_in(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BeginLinkedSignInRequest>,
) -> ServiceResult<wire::BeginLinkedSignInResponse> {
    let caller = caller(context)?;
    let provider = required_enum("provider", request.provider)?;
    let command = operation::BeginLink { provider, redirect_uri: request.redirect_uri.to_owned() };
    let begun = operations.begin_linked_sign_in(caller, command).await.map_err(to_wire)?;
    let link_id = begun.link_id.to_string();
    let cookie = page_of(context).map(|page| page.names.set_link(&link_id, LIFE.unsigned_abs()));
    let mut answer = secret_answer(wire::BeginLinkedSignInResponse {
        link_id: Some(link_id),
        authorization_url: Some(begun.authorization_url),
    });
    if let Some(cookie) = cookie {
        set_cookie(&mut answer, cookie)?;
    }
    Ok(answer)
}

pub(super) async fn finish_linked_sign_in(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::FinishLinkedSignInRequest>,
) -> ServiceResult<wire::FinishLinkedSignInResponse> {
    let caller = caller(context)?;
    let answer = operation::FinishLink {
        link_id: text_id("linkId", request.link_id)?,
        state: request.state.to_owned(),
        code: request.code.to_owned(),
        issuer: request.iss.to_owned(),
        open_id_params: request.open_id_params.to_owned(),
    };
    if page_of(context).is_some_and(|page| !page.began(&answer.link_id.to_string())) {
        return Err(to_wire(OpError::failed_precondition(Reason::LinkInvalid, BEGUN_ELSEWHERE)));
    }
    let command = operation::FinishLinkedSignIn { answer, user_agent: user_agent(context) };
    let signed_in = operations.finish_linked_sign_in(caller, command).await.map_err(to_wire)?;
    signed_in_by_link(operations, context, signed_in)
}

/// The answer to a page also ends the cookie of the sign-in that it had begun.
fn signed_in_by_link(
    operations: &Operations,
    context: &RequestContext,
    signed_in: SignInAnswer,
) -> ServiceResult<wire::FinishLinkedSignInResponse> {
    let expires_at = signed_in.expires_at();
    let answer = match signed_in {
        SignInAnswer::Open(signed_in) => wire::FinishLinkedSignInResponse {
            session_token: Some(signed_in.session_token.expose_secret().to_owned()),
            expires_at: wire_time(signed_in.expires_at).into(),
            user: record::user(&signed_in.user).into(),
            device_token: Some(shown(signed_in.device_token.as_ref())),
            challenge_id: Some(String::new()),
            passkey_options: Some(String::new()),
            ..Default::default()
        },
        SignInAnswer::Asked { challenge_id, allowed_methods, passkey_options } => wire::FinishLinkedSignInResponse {
            session_token: Some(String::new()),
            device_token: Some(String::new()),
            challenge_id: Some(challenge_id.to_string()),
            allowed_methods: allowed_methods.into_iter().map(WireEnum::to_wire).collect(),
            passkey_options: Some(passkey_options.unwrap_or_default()),
            ..Default::default()
        },
    };
    let mut answer = session_answer(operations, context, expires_at, answer)?;
    if let Some(page) = page_of(context) {
        set_cookie(&mut answer, page.names.clear_link())?;
    }
    Ok(answer)
}

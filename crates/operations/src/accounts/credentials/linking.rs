//! The shared part of linking an identity and signing in with one: asking the platform, and using its answer once.

use tradepost_domain::accounts::account_link::{AccountLink, ConsumedAssertion, Provider, Purpose};
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::linking::{LinkResponse, LinkedIdentityProof, LinkingError, Request, Returned};
use tradepost_ports::store::{StoreError, Unique};

use crate::{OpError, OpResult, Operations, Reason};

/// The platform to ask.
#[derive(Debug, Clone)]
pub struct BeginLink {
    /// The platform.
    pub provider: Provider,
    /// The address to which the browser returns; one of those that the operator allows.
    pub redirect_uri: String,
}

/// A link that was begun.
#[derive(Debug, Clone)]
pub struct BegunLink {
    /// The link, which the answer names.
    pub link_id: AccountLinkId,
    /// The address to which to send the browser.
    pub authorization_url: String,
}

/// The parameters with which the browser came back.
#[derive(Debug, Clone)]
pub struct FinishLink {
    /// The link that it finishes.
    pub link_id: AccountLinkId,
    /// The `state` that came back.
    pub state: String,
    /// OAuth 2: the code; else empty.
    pub code: String,
    /// OAuth 2: the issuer that was named.
    pub issuer: String,
    /// OpenID: the query of the address to which the browser came back; else empty.
    pub open_id_params: String,
}

/// An identity that was proved, and the platform's.
pub(crate) struct ProvenAt {
    pub(crate) provider: Provider,
    pub(crate) proven: LinkedIdentityProof,
}

async fn open_link(
    operations: &Operations,
    id: AccountLinkId,
    purpose: Purpose,
    at: Timestamp,
) -> OpResult<Seen<AccountLink>> {
    let link = operations.ports.store.account_links().find(id).await?;
    link.filter(|link| link.peek().is_open(purpose, at)).ok_or_else(invalid)
}

/// Adds a link to the changes and commits them.
pub(crate) async fn begin_link(
    operations: &Operations,
    caller: &Caller,
    mut changes: Changes,
    command: BeginLink,
    purpose: Purpose,
) -> OpResult<BegunLink> {
    let BeginLink { provider, redirect_uri } = command;
    let created_at = operations.now();
    let link_id = operations.mint();
    let request = Request { provider, redirect_uri: &redirect_uri, link: link_id };
    let asked = operations.ports.linking.ask(&request).map_err(refusal)?;
    let sealed_state = operations.ports.secrets.seal(&place(link_id), &asked.state);
    changes.insert(AccountLink { id: link_id, provider, purpose, sealed_state, created_at });
    operations.commit(caller, changes).await?;
    Ok(BegunLink { link_id, authorization_url: asked.authorization_url })
}

/// Has the platform's answer checked. Nothing is written, so that the link stays for another answer if this one is rejected.
pub(crate) async fn prove_identity(
    operations: &Operations,
    answer: &FinishLink,
    purpose: Purpose,
) -> OpResult<ProvenAt> {
    let returned = read(answer)?;
    let at = operations.now();
    let link = open_link(operations, answer.link_id, purpose, at).await?;
    let AccountLink { provider, sealed_state, .. } = link.peek();
    let state = operations.ports.secrets.open(&place(answer.link_id), sealed_state);
    let state = state.map_err(|error| OpError::internal(format!("state of link {}: {error}", answer.link_id)))?;
    let proven = operations.ports.linking.check(*provider, &state, returned, at).await.map_err(refusal)?;
    Ok(ProvenAt { provider: *provider, proven })
}

/// Uses up the link and the answer, in the same changes as what comes of them.
pub(crate) async fn use_up(
    operations: &Operations,
    link: AccountLinkId,
    purpose: Purpose,
    proven: &LinkedIdentityProof,
    changes: &mut Changes,
) -> OpResult<()> {
    let at = operations.now();
    changes.remove(open_link(operations, link, purpose, at).await?);
    if let Some(digest) = proven.replay {
        changes.insert(ConsumedAssertion { digest, spent_at: at });
    }
    Ok(())
}

/// Names the case in which the same answer, or another one for the same link, was faster.
pub(crate) fn used_up(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::Address)) => invalid(),
        Some(_) | None => error,
    }
}

fn read(answer: &FinishLink) -> OpResult<Returned> {
    let answered = match (answer.code.as_str(), answer.open_id_params.as_str()) {
        ("", "") => return Err(OpError::invalid_field("code", "or openIdParams is required")),
        ("", query) => LinkResponse::OpenId(query.to_owned()),
        (code, "") => LinkResponse::Code { code: code.to_owned(), issuer: answer.issuer.clone() },
        (_, _) => return Err(OpError::invalid_field("openIdParams", "must be empty with a code")),
    };
    match answer.state.as_str() {
        "" => Err(OpError::invalid_field("state", "is required")),
        state => Ok(Returned { state: state.to_owned(), answer: answered }),
    }
}

fn refusal(error: LinkingError) -> OpError {
    match error {
        LinkingError::NotOffered(provider) => OpError::failed_precondition(
            Reason::ProviderNotOffered,
            format!("{provider} is not offered here; the operator has not set it up"),
        ),
        LinkingError::RedirectNotAllowed => {
            OpError::invalid_field("redirectUri", "must be one of the addresses that the operator has allowed")
        }
        LinkingError::Unfit(why) => {
            tracing::info!(why, "an answer of another platform was refused");
            invalid()
        }
        LinkingError::Denied(why) => {
            tracing::info!(why, "another platform denied an identity");
            let message = "the platform did not confirm the identity, or the person did not agree; begin again";
            OpError::failed_precondition(Reason::ProviderDenied, message)
        }
        LinkingError::Unavailable(why) => {
            tracing::error!(why, "another platform did not answer");
            OpError::outage(Reason::ProviderUnavailable)
        }
        LinkingError::State(why) => OpError::internal(why),
    }
}

fn invalid() -> OpError {
    let message = "the link is unknown, used or expired, or the answer does not belong to it; begin again";
    OpError::failed_precondition(Reason::LinkInvalid, message)
}

/// Returns where the state of a link may be opened.
fn place(link: AccountLinkId) -> String {
    format!("account_links.sealed_state of {link}")
}

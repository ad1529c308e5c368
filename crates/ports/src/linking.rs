//! Proof that somebody has an identity of another platform.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;

/// What a platform is to be asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The platform.
    pub provider: Provider,
    /// Where the browser is sent back to; one of the addresses that the operator has allowed.
    pub redirect_uri: &'a str,
    /// The link that the answer belongs to.
    pub link: AccountLinkId,
}

/// A question that can be put to a platform.
#[derive(Debug, Clone)]
pub struct LinkRequest {
    /// Where to send the browser.
    pub authorization_url: String,
    /// What the answer will be checked against. Secret.
    pub state: Vec<u8>,
}

/// What the browser brought back.
#[derive(Debug, Clone)]
pub struct Returned {
    /// The `state` that went out with the question.
    pub state: String,
    /// What the platform gave.
    pub answer: LinkResponse,
}

/// What a platform gives.
#[derive(Debug, Clone)]
pub enum LinkResponse {
    /// OAuth 2: a code, with the issuer that it names (RFC 9207).
    Code {
        /// The code.
        code: String,
        /// The issuer; may be empty.
        issuer: String,
    },
    /// OpenID 2.0: the query of the address to which the browser came back.
    OpenId(String),
}

/// An identity that was proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedIdentityProof {
    /// The identity. Never an e-mail address.
    pub subject: Name,
    /// The name that the platform shows for it, where it tells one.
    pub display_name: Option<Name>,
    /// Digest of what makes the answer unique, for platforms that count on us never to accept it twice.
    pub replay: Option<[u8; 16]>,
}

/// Why no identity was proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkingError {
    /// The operator has not set this platform up.
    #[error("{0} is not set up")]
    NotOffered(Provider),
    /// The browser may not be sent there.
    #[error("the address is not one of those that are allowed")]
    RedirectNotAllowed,
    /// The answer belongs to another question or platform, or was made up.
    #[error("the answer does not fit: {0}")]
    Unfit(&'static str),
    /// The platform says no.
    #[error("the platform says no: {0}")]
    Denied(String),
    /// The platform did not answer, or not with sense.
    #[error("the platform did not answer: {0}")]
    Unavailable(String),
    /// What was kept of the question does not parse.
    #[error("the state that was kept is unusable: {0}")]
    State(String),
}

/// Asks other platforms who somebody is.
#[async_trait]
pub trait Linking: Send + Sync {
    /// Makes a question. Nobody is contacted.
    ///
    /// # Errors
    /// [`LinkingError::NotOffered`], [`LinkingError::RedirectNotAllowed`].
    fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError>;

    /// Checks an answer at `at`, with the platform's help. The caller must see to it that a question is answered once, and
    /// that no [`LinkedIdentityProof::replay`] is accepted twice within [`tradepost_domain::accounts::account_link::LIFE`].
    ///
    /// # Errors
    /// [`LinkingError`] says why no identity is proved.
    async fn check(
        &self,
        provider: Provider,
        state: &[u8],
        returned: Returned,
        at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError>;
}

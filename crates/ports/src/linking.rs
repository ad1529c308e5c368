//! Proof that a user has an identity of another platform.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;

/// The parameters of a question to a platform.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The platform.
    pub provider: Provider,
    /// The address to which the browser returns; one of the addresses that the operator has allowed.
    pub redirect_uri: &'a str,
    /// The link that the answer belongs to.
    pub link: AccountLinkId,
}

/// A question to a platform.
#[derive(Debug, Clone)]
pub struct LinkRequest {
    /// The address to which the server sends the browser.
    pub authorization_url: String,
    /// The state for checking the answer. Secret.
    pub state: Vec<u8>,
}

/// The parameters with which the browser returned.
#[derive(Debug, Clone)]
pub struct Returned {
    /// The `state` that was sent with the question.
    pub state: String,
    /// The platform's answer.
    pub answer: LinkResponse,
}

/// The answer of a platform.
#[derive(Debug, Clone)]
pub enum LinkResponse {
    /// OAuth 2: a code, with the issuer that it names (RFC 9207).
    Code {
        /// The code.
        code: String,
        /// The issuer; may be empty.
        issuer: String,
    },
    /// OpenID 2.0: the query of the address to which the browser returned.
    OpenId(String),
}

/// An identity that was proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedIdentityProof {
    /// The identity. Never an e-mail address.
    pub subject: Name,
    /// The name that the platform shows for it, if it reports one.
    pub display_name: Option<Name>,
    /// Digest of the unique part of the answer, for platforms that rely on us to accept it only once.
    pub replay: Option<[u8; 16]>,
}

/// The reason why no identity was proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkingError {
    /// The operator has not set up this platform.
    #[error("{0} is not set up")]
    NotOffered(Provider),
    /// The browser may not be sent to this address.
    #[error("the address is not one of those that are allowed")]
    RedirectNotAllowed,
    /// The answer belongs to another question or platform, or was forged.
    #[error("the answer does not fit: {0}")]
    Unfit(&'static str),
    /// The platform answered no.
    #[error("the platform says no: {0}")]
    Denied(String),
    /// The platform did not answer, or its answer makes no sense.
    #[error("the platform did not answer: {0}")]
    Unavailable(String),
    /// The stored state of the question does not parse.
    #[error("the state that was kept is unusable: {0}")]
    State(String),
}

/// Verifies identities at other platforms.
#[async_trait]
pub trait Linking: Send + Sync {
    /// Returns the platforms that are set up.
    fn offered(&self) -> Vec<Provider>;

    /// Builds a question. It contacts no platform.
    ///
    /// # Errors
    /// [`LinkingError::NotOffered`], [`LinkingError::RedirectNotAllowed`].
    fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError>;

    /// Checks an answer at `at`, with the platform's help. The caller must ensure that a question is answered once, and that no
    /// [`LinkedIdentityProof::replay`] is accepted twice within [`tradepost_domain::accounts::account_link::LIFE`].
    ///
    /// # Errors
    /// [`LinkingError`] with the reason why no identity is proved.
    async fn check(
        &self,
        provider: Provider,
        state: &[u8],
        returned: Returned,
        at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError>;
}

//! Another platform that believes what it is told.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;

use tradepost_ports::linking::{
    LinkRequest, LinkResponse, LinkedIdentityProof, Linking, LinkingError, Request, Returned,
};

const CODE_OF: &str = "the code of ";

/// Takes the identity that an answer names, and knows a few answers that are no identity. Sends browsers to
/// [`FakeLinking::REDIRECT`] only.
#[derive(Debug, Default)]
pub struct FakeLinking {
    asked: AtomicU64,
}

impl FakeLinking {
    /// The one address to which browsers are sent back.
    pub const REDIRECT: &str = "https://trade.example.com/linked";
    /// An answer by which the platform says no.
    pub const NO: &str = "no";
    /// An answer on which the platform falls silent.
    pub const SILENCE: &str = "silence";

    /// The code by which the platform proves that somebody has this identity.
    pub fn code_of(identity: &str) -> String {
        format!("{CODE_OF}{identity}")
    }

    /// The `state` in the address of a question.
    ///
    /// # Panics
    /// When the address is none of this platform's.
    pub fn state_of(authorization_url: &str) -> String {
        authorization_url.split_once("state=").unwrap().1.to_owned()
    }
}

#[async_trait]
impl Linking for FakeLinking {
    fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError> {
        if request.redirect_uri != Self::REDIRECT {
            return Err(LinkingError::RedirectNotAllowed);
        }
        let state = format!("state-{}", self.asked.fetch_add(1, Ordering::SeqCst) + 1);
        let authorization_url = format!("https://{}.example.com/?state={state}", request.provider.as_str());
        Ok(LinkRequest { authorization_url, state: state.into_bytes() })
    }

    async fn check(
        &self,
        _provider: Provider,
        state: &[u8],
        returned: Returned,
        _at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError> {
        if returned.state.as_bytes() != state {
            return Err(LinkingError::Unfit("state"));
        }
        let (identity, replay) = match returned.answer {
            LinkResponse::Code { code, .. } => (code.strip_prefix(CODE_OF).unwrap_or(&code).to_owned(), None),
            LinkResponse::OpenId(query) => {
                let digest =
                    std::array::from_fn(|position| query.as_bytes().get(position).copied().unwrap_or_default());
                (query, Some(digest))
            }
        };
        match identity.as_str() {
            Self::NO => Err(LinkingError::Denied("so it was told".to_owned())),
            Self::SILENCE => Err(LinkingError::Unavailable("so it was told".to_owned())),
            _ => {
                let subject = Name::new(&identity).map_err(|_| LinkingError::Unfit("identity"))?;
                Ok(LinkedIdentityProof { display_name: Some(subject.clone()), subject, replay })
            }
        }
    }
}

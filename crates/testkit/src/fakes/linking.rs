//! A fake of another platform that accepts every claimed identity.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;

use tradepost_ports::linking::{
    LinkRequest, LinkResponse, LinkedIdentityProof, Linking, LinkingError, Request, Returned,
};

const CODE_OF: &str = "the code of ";

/// Accepts the identity that an answer names, and knows a few answers that prove none. Sends browsers to [`FakeLinking::REDIRECT`] only.
#[derive(Debug, Default)]
pub struct FakeLinking {
    asked: AtomicU64,
}

impl FakeLinking {
    /// The one address to which browsers return.
    pub const REDIRECT: &str = "https://trade.example.com/linked";
    /// An answer by which the platform says no.
    pub const NO: &str = "no";
    /// An answer after which the platform does not respond.
    pub const SILENCE: &str = "silence";

    /// Returns the code by which the platform proves that a user has this identity.
    pub fn code_of(identity: &str) -> String {
        format!("{CODE_OF}{identity}")
    }

    /// Returns the `state` in the address of a question.
    ///
    /// # Panics
    /// When the address is not one of this platform.
    pub fn state_of(authorization_url: &str) -> String {
        authorization_url.split_once("state=").unwrap().1.to_owned()
    }
}

#[async_trait]
impl Linking for FakeLinking {
    fn offered(&self) -> Vec<Provider> {
        vec![Provider::Discord, Provider::Steam]
    }

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

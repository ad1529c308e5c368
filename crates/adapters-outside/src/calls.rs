//! The client with the operator's rules for addresses: what webhooks and alerts call with.

use reqwest::header::HeaderMap;

use crate::client::{Answer, CallError, ClientError, ClientLimits, OutsideClient, Post};
use crate::reach::Reach;
use crate::target::{Target, TargetError};

/// Why there is no answer. No text of it holds an address, a header or a body.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unanswered {
    /// The address breaks a rule.
    #[error("the address {0}")]
    Target(#[from] TargetError),
    /// The call failed.
    #[error("{0}")]
    Call(#[from] CallError),
}

/// Makes calls to addresses that are judged.
#[derive(Debug)]
pub(crate) struct Calls {
    client: OutsideClient,
    reach: Reach,
    allow_http: bool,
}

impl Calls {
    pub(crate) fn new(reach: Reach, allow_http: bool, limits: ClientLimits) -> Result<Self, ClientError> {
        Ok(Self { client: OutsideClient::new(&reach, limits)?, reach, allow_http })
    }

    /// Checks the text of an address.
    pub(crate) fn check(&self, url: &str) -> Result<(), TargetError> {
        self.target(url).map(drop)
    }

    pub(crate) async fn post(&self, url: &str, headers: HeaderMap, body: Vec<u8>) -> Result<Answer, Unanswered> {
        let target = self.target(url)?;
        Ok(self.client.post(Post { target, headers, body }).await?)
    }

    pub(crate) async fn get(&self, url: &str) -> Result<Answer, Unanswered> {
        Ok(self.client.get(&self.target(url)?, HeaderMap::new()).await?)
    }

    fn target(&self, url: &str) -> Result<Target, TargetError> {
        Target::parse(url, &self.reach, self.allow_http)
    }
}

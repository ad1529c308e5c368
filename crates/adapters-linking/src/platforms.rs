//! The platforms that are set up, behind the port: which one is asked, and where a browser may be sent back to.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::time::Timestamp;
use tradepost_ports::linking::{
    LinkRequest, LinkResponse, LinkedIdentityProof, Linking, LinkingError, Request, Returned,
};

use crate::calls;
use crate::kept::kept;
use crate::oauth::OAuth;
use crate::openid::OpenId;
use crate::settings::{self, InvalidLinkingSettings, LinkingSettings};

/// The platforms that people can be asked at.
pub struct Platforms {
    discord: Option<OAuth>,
    steam: Option<OpenId>,
    redirect_uris: Vec<String>,
}

impl Platforms {
    /// The platforms with these settings. No call is made yet.
    ///
    /// # Errors
    /// [`InvalidLinkingSettings`] says which setting cannot be used.
    pub fn new(settings: LinkingSettings) -> Result<Self, InvalidLinkingSettings> {
        if settings.redirect_uris.is_empty() {
            return Err(InvalidLinkingSettings::NoRedirects);
        }
        for uri in &settings.redirect_uris {
            settings::url("redirect_uris", uri)?;
        }
        let client = || calls::client(&settings);
        let discord = settings.discord.clone().map(|discord| OAuth::new(discord, client()?)).transpose()?;
        let steam = settings.steam.clone().map(|steam| OpenId::new(steam, client()?)).transpose()?;
        Ok(Self { discord, steam, redirect_uris: settings.redirect_uris })
    }
}

#[async_trait]
impl Linking for Platforms {
    fn offered(&self) -> Vec<Provider> {
        let discord = self.discord.is_some().then_some(Provider::Discord);
        discord.into_iter().chain(self.steam.is_some().then_some(Provider::Steam)).collect()
    }

    fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError> {
        let not_offered = || LinkingError::NotOffered(request.provider);
        let is_allowed = self.redirect_uris.iter().any(|allowed| allowed == request.redirect_uri);
        match request.provider {
            Provider::Discord => {
                let discord = self.discord.as_ref().ok_or_else(not_offered)?;
                if is_allowed { discord.ask(request.redirect_uri) } else { Err(LinkingError::RedirectNotAllowed) }
            }
            Provider::Steam => {
                let steam = self.steam.as_ref().ok_or_else(not_offered)?;
                if is_allowed { steam.ask(request) } else { Err(LinkingError::RedirectNotAllowed) }
            }
        }
    }

    async fn check(
        &self,
        provider: Provider,
        state: &[u8],
        returned: Returned,
        at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError> {
        let not_offered = || LinkingError::NotOffered(provider);
        let given = &returned.state;
        match (provider, returned.answer) {
            (Provider::Discord, LinkResponse::Code { code, issuer }) => {
                let discord = self.discord.as_ref().ok_or_else(not_offered)?;
                discord.check(kept(state)?, given, code, &issuer).await
            }
            (Provider::Steam, LinkResponse::OpenId(query)) => {
                let steam = self.steam.as_ref().ok_or_else(not_offered)?;
                steam.check(kept(state)?, given, &query, at).await
            }
            (Provider::Discord, LinkResponse::OpenId(_)) | (Provider::Steam, LinkResponse::Code { .. }) => {
                Err(LinkingError::Unfit("it is of the other kind of platform"))
            }
        }
    }
}

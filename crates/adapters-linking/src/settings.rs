//! Where the platforms are and who we are to them. A platform that is not named is not offered.

use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;

/// Which platforms are offered, and where they may send a browser back to.
#[derive(Debug, Clone)]
pub struct LinkingSettings {
    /// Discord, or a platform of its shape.
    pub discord: Option<DiscordSettings>,
    /// Steam, or a platform of its shape.
    pub steam: Option<SteamSettings>,
    /// The addresses to which a browser may be sent back, compared character by character.
    pub redirect_uris: Vec<String>,
    /// How long reaching a platform may take.
    pub connect_timeout: Duration,
    /// How long one call to a platform may take in all.
    pub timeout: Duration,
}

impl LinkingSettings {
    /// The usual for [`LinkingSettings::connect_timeout`].
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
    /// The usual for [`LinkingSettings::timeout`].
    pub const TIMEOUT: Duration = Duration::from_secs(5);
}

/// A platform that speaks OAuth 2 as Discord does.
#[derive(Debug, Clone)]
pub struct DiscordSettings {
    /// The name under which we are registered there.
    pub client_id: String,
    /// The secret that it gave us.
    pub client_secret: SecretString,
    /// Where people are asked.
    pub authorize_url: String,
    /// Where a code becomes a token.
    pub token_url: String,
    /// The address that returns the identity behind a token.
    pub user_url: String,
    /// What it calls itself in its answers (RFC 9207).
    pub issuer: String,
}

impl DiscordSettings {
    /// Discord's own [`DiscordSettings::authorize_url`].
    pub const AUTHORIZE_URL: &str = "https://discord.com/oauth2/authorize";
    /// Discord's own [`DiscordSettings::token_url`].
    pub const TOKEN_URL: &str = "https://discord.com/api/oauth2/token";
    /// Discord's own [`DiscordSettings::user_url`].
    pub const USER_URL: &str = "https://discord.com/api/users/@me";
    /// Discord's own [`DiscordSettings::issuer`].
    pub const ISSUER: &str = "https://discord.com";
}

/// A platform that speaks OpenID 2.0 as Steam does.
#[derive(Debug, Clone)]
pub struct SteamSettings {
    /// Where people are asked and answers confirmed; what it calls itself in its answers, too.
    pub openid_url: String,
    /// What its identities begin with; 17 digits follow.
    pub identity_url: String,
}

impl SteamSettings {
    /// Steam's own [`SteamSettings::openid_url`].
    pub const OPENID_URL: &str = "https://steamcommunity.com/openid/login";
    /// Steam's own [`SteamSettings::identity_url`].
    pub const IDENTITY_URL: &str = "https://steamcommunity.com/openid/id/";
}

/// No platform can be asked with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLinkingSettings {
    /// Browsers could not come back.
    #[error("linking needs the addresses to which a browser may be sent back")]
    NoRedirects,
    /// An address is none.
    #[error("the address {url:?} {rule}")]
    Url {
        /// The setting.
        key: &'static str,
        /// What was given.
        url: String,
        /// The rule that it breaks.
        rule: String,
    },
    /// The HTTP client cannot be set up, usually for want of the computer's certificates.
    #[error("linking cannot make HTTPS requests: {0}")]
    Client(String),
}

/// The address of a setting to which a browser is sent.
pub(crate) fn url(key: &'static str, url: &str) -> Result<Url, InvalidLinkingSettings> {
    let invalid = |rule: &str| InvalidLinkingSettings::Url { key, url: url.to_owned(), rule: rule.to_owned() };
    let parsed = Url::parse(url).map_err(|_| invalid("must be a URL such as https://trade.example.com/linked"))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(invalid("must begin with https:// or http://"));
    }
    if parsed.fragment().is_some() {
        return Err(invalid("must have no #"));
    }
    Ok(parsed)
}

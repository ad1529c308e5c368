//! The parts that reach the outside world: mail, the bot check, other platforms, passkeys.

use std::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use ipnet::IpNet;
use secrecy::SecretString;
use tradepost::SystemClock;
use tradepost::auth::{RelyingParty, RelyingPartyError};
use tradepost::ports::alerts::{AlertKind, AlertSender};
use tradepost::ports::bot_check::BotCheck;
use tradepost::ports::clock::{Clock, Ids};
use tradepost::ports::linking::Linking;
use tradepost::ports::mailer::Mailer;
use tradepost::ports::marketplace::ListingFeed;
use tradepost::ports::price_source::PriceFeed;
use tradepost::ports::webhooks::WebhookSender;
use tradepost_adapters_botcheck::{
    DevelopmentCheck, InvalidSiteVerifySettings, SiteVerify, SiteVerifyService, SiteVerifySettings,
};
use tradepost_adapters_linking::{DiscordSettings, InvalidLinkingSettings, LinkingSettings, Platforms, SteamSettings};
use tradepost_adapters_mail::{DirectoryMailer, InvalidSmtpSettings, SmtpLogin, SmtpMailer, SmtpSettings, SmtpTls};
use tradepost_adapters_outside::{AlertSettings, Alerts, Egress, EgressError, Reach, WebhookSettings, Webhooks};
use tradepost_adapters_price_feeds::{DMarketKey, Feed, ListingSettings, MarketListings, OperatorKeys, Source};

use crate::failure::{Failure, Outcome};
use crate::settings::{Addresses, BotCheckProvider, Loaded, MailTransport, SmtpEncryption};

/// Whether mail, bot check and passkeys can be used as the settings say. Makes nothing and makes no call.
pub(super) fn check(loaded: &Loaded, public_url: &str, port: u16) -> Outcome {
    match loaded.settings.mail.transport {
        MailTransport::Directory => {}
        MailTransport::Smtp => drop(smtp(loaded)?),
    }
    bot_check(loaded)?;
    linking(loaded)?;
    webhooks(loaded)?;
    alerts(loaded)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    price_feeds(loaded, &clock)?;
    listing_feeds(loaded, &clock)?;
    let (domain, origins) = passkeys(loaded, public_url, port);
    RelyingParty::new(&domain, &origins).map(drop).map_err(|error| no_passkeys(loaded, &error))
}

/// What sends mail.
pub(super) fn mailer(loaded: &Loaded, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Outcome<Arc<dyn Mailer>> {
    let Some(folder) = mail_folder(loaded) else { return Ok(Arc::new(smtp(loaded)?)) };
    let mailer = DirectoryMailer::open(folder.clone(), clock, ids).map_err(|error| {
        let rule = format!("names {}, which cannot be used: {error}", folder.display());
        loaded.wrong("mail.directory", rule, "name a folder of this user alone, or set mail.transport = \"smtp\"")
    })?;
    Ok(Arc::new(mailer))
}

/// The folder of the mails, if they become files.
pub(crate) fn mail_folder(loaded: &Loaded) -> Option<PathBuf> {
    let mail = &loaded.settings.mail;
    let folder = || mail.directory.clone().unwrap_or_else(|| loaded.settings.database.folder().join("mail"));
    (mail.transport == MailTransport::Directory).then(folder)
}

/// What sends webhooks; `None` if the settings forbid it.
pub(super) fn webhooks(loaded: &Loaded) -> Outcome<Option<Arc<dyn WebhookSender>>> {
    if !loaded.settings.notifications.webhooks {
        return Ok(None);
    }
    let made = Webhooks::new(calls(loaded)?).map_err(|error| {
        loaded.wrong("notifications.webhooks", format!("cannot be used: {error}"), "set notifications.webhooks = false")
    })?;
    Ok(Some(Arc::new(made)))
}

/// What sends alerts and calls heartbeats; `None` if the settings forbid every kind. Mails leave through the outbox.
pub(super) fn alerts(loaded: &Loaded) -> Outcome<Option<Arc<dyn AlertSender>>> {
    let allowed = &loaded.settings.notifications;
    let kinds = [
        allowed.telegram.then_some(AlertKind::Telegram),
        allowed.discord.then_some(AlertKind::Discord),
        allowed.webhooks.then_some(AlertKind::Webhook),
        allowed.heartbeat.then_some(AlertKind::Heartbeat),
    ];
    let kinds: Vec<AlertKind> = kinds.into_iter().flatten().collect();
    if kinds.is_empty() {
        return Ok(None);
    }
    let made = Alerts::new(AlertSettings { kinds, calls: calls(loaded)? }).map_err(|error| {
        let advice = "set telegram, discord, webhooks and heartbeat of [notifications] to false";
        loaded.wrong("notifications", format!("cannot be used: {error}"), advice)
    })?;
    Ok(Some(Arc::new(made)))
}

/// The services that may be called.
pub(crate) fn egress(loaded: &Loaded) -> Egress {
    let outside = &loaded.settings.outside;
    Egress::new(outside.real, outside.hosts.iter().cloned())
}

/// The address of a source of real prices.
pub(crate) fn source_address(loaded: &Loaded, source: Source) -> &str {
    let addresses = &loaded.settings.outside.addresses;
    let (_, set) = address_setting(addresses, source);
    set.unwrap_or_else(|| source.address())
}

/// The setting of another address of a source, and its value.
fn address_setting(addresses: &Addresses, source: Source) -> (&'static str, Option<&str>) {
    let (name, set) = match source {
        Source::Skinport => ("outside.addresses.skinport", &addresses.skinport),
        Source::MarketCsgo => ("outside.addresses.market_csgo", &addresses.market_csgo),
        Source::Waxpeer => ("outside.addresses.waxpeer", &addresses.waxpeer),
        Source::CsFloat => ("outside.addresses.csfloat", &addresses.csfloat),
        Source::DMarket => ("outside.addresses.dmarket", &addresses.dmarket),
        Source::SteamMarket => ("outside.addresses.steam_market", &addresses.steam_market),
    };
    (name, set.as_deref())
}

/// The real prices that workspaces can have.
pub(super) fn price_feeds(loaded: &Loaded, clock: &Arc<dyn Clock>) -> Outcome<Vec<Arc<dyn PriceFeed>>> {
    let keys = operator_keys(loaded)?;
    Source::ALL.into_iter().map(|source| price_feed(loaded, source, clock, &keys)).collect()
}

fn price_feed(
    loaded: &Loaded,
    source: Source,
    clock: &Arc<dyn Clock>,
    keys: &OperatorKeys,
) -> Outcome<Arc<dyn PriceFeed>> {
    let address = checked_address(loaded, source)?;
    let feed = Feed::with_keys(source, &egress(loaded), address, clock.clone(), keys);
    Ok(Arc::new(feed.map_err(|error| wrong_address(loaded, source, &error))?))
}

/// The keys of services, as the settings have them.
fn operator_keys(loaded: &Loaded) -> Outcome<OperatorKeys> {
    let given = &loaded.settings.outside.keys;
    let dmarket = given.dmarket.as_ref().map(DMarketKey::parse).transpose().map_err(|error| {
        loaded.wrong("outside.keys.dmarket", error, "copy the private key from the settings of the account at DMarket")
    })?;
    let (csfloat, market_csgo, waxpeer) = (given.csfloat.clone(), given.market_csgo.clone(), given.waxpeer.clone());
    Ok(OperatorKeys { csfloat, dmarket, market_csgo, waxpeer })
}

/// The marketplaces whose listings are read alone.
pub(super) fn listing_feeds(loaded: &Loaded, clock: &Arc<dyn Clock>) -> Outcome<Vec<Arc<dyn ListingFeed>>> {
    let keys = operator_keys(loaded)?;
    Source::LISTED.into_iter().map(|source| listing_feed(loaded, source, clock, &keys)).collect()
}

fn listing_feed(
    loaded: &Loaded,
    source: Source,
    clock: &Arc<dyn Clock>,
    keys: &OperatorKeys,
) -> Outcome<Arc<dyn ListingFeed>> {
    let address = checked_address(loaded, source)?;
    let settings = ListingSettings { egress: &egress(loaded), address, keys, clock: clock.clone() };
    let feed = MarketListings::new(source, settings).map_err(|error| wrong_address(loaded, source, &error))?;
    Ok(Arc::new(if loaded.settings.outside.show_accounts { feed.reading_account() } else { feed }))
}

/// The address of a source, if one can be called that is written so.
fn checked_address(loaded: &Loaded, source: Source) -> Outcome<&str> {
    let address = source_address(loaded, source);
    match egress(loaded).admit(address) {
        // It is not called then, and its provider shows why.
        Ok(_) | Err(EgressError::NotReal(_) | EgressError::NotNamed(_)) => Ok(address),
        Err(error) => Err(wrong_address(loaded, source, &error)),
    }
}

fn wrong_address(loaded: &Loaded, source: Source, error: &dyn Error) -> Failure {
    let (setting, _) = address_setting(&loaded.settings.outside.addresses, source);
    let advice = "give an address such as http://127.0.0.1:8093, or remove it";
    loaded.wrong(setting, format!("cannot be used: {error}"), advice)
}

/// The addresses that users may name as receivers.
fn calls(loaded: &Loaded) -> Outcome<WebhookSettings> {
    let settings = &loaded.settings.webhooks;
    let network = |text: &String| {
        text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            let rule = format!("cannot have {text:?}: it is neither an address nor a network");
            loaded.wrong("webhooks.allowed_networks", rule, "give networks such as 192.0.2.0/24")
        })
    };
    let allowed = settings.allowed_networks.iter().map(network).collect::<Outcome<Vec<_>>>()?;
    let (reach, allow_http) = (Reach::public_and(allowed), settings.allow_http);
    Ok(WebhookSettings { reach, allow_http, ..WebhookSettings::default() })
}

fn smtp(loaded: &Loaded) -> Outcome<SmtpMailer> {
    let mail = &loaded.settings.mail;
    let missing = |key: &str| loaded.missing(key, "mail.transport");
    let login = match (&mail.smtp.username, &mail.smtp.password) {
        (Some(user), Some(password)) => Some(SmtpLogin { user: user.clone(), password: password.clone() }),
        (None, None) => None,
        (Some(_), None) => return Err(loaded.missing("mail.smtp.password", "mail.smtp.username")),
        (None, Some(_)) => return Err(loaded.missing("mail.smtp.username", "mail.smtp.password")),
    };
    let (tls, usual_port) = match mail.smtp.encryption {
        SmtpEncryption::Tls => (SmtpTls::Tls, 465),
        SmtpEncryption::Starttls => (SmtpTls::StartTls, 587),
        SmtpEncryption::None => (SmtpTls::None, 25),
    };
    let settings = SmtpSettings {
        host: mail.smtp.host.clone().ok_or_else(|| missing("mail.smtp.host"))?,
        port: mail.smtp.port.unwrap_or(usual_port),
        login,
        tls,
        from: mail.from.clone().ok_or_else(|| missing("mail.from"))?,
        timeout: SmtpSettings::TIMEOUT,
    };
    SmtpMailer::new(settings).map_err(|error| {
        let key = match &error {
            InvalidSmtpSettings::From { .. } => "mail.from",
            InvalidSmtpSettings::Tls { .. } => "mail.smtp.host",
        };
        loaded.wrong(key, format!("cannot be used: {error}"), "correct it there")
    })
}

/// The bot check, if there is one.
pub(super) fn bot_check(loaded: &Loaded) -> Outcome<Option<Arc<dyn BotCheck>>> {
    let service = match loaded.settings.bot_check.provider {
        BotCheckProvider::Off => return Ok(None),
        BotCheckProvider::Development => return Ok(Some(Arc::new(DevelopmentCheck))),
        BotCheckProvider::Turnstile => SiteVerifyService::Turnstile,
        BotCheckProvider::Hcaptcha => SiteVerifyService::HCaptcha,
    };
    let check = &loaded.settings.bot_check;
    let secret: SecretString =
        check.secret.clone().ok_or_else(|| loaded.missing("bot_check.secret", "bot_check.provider"))?;
    let settings = SiteVerifySettings {
        service,
        url: check.verify_url.clone().unwrap_or_else(|| service.url().to_owned()),
        secret,
        site_key: check.site_key.clone(),
        hostnames: check.hostnames.clone(),
        timeout: SiteVerifySettings::TIMEOUT,
    };
    let verify = SiteVerify::new(settings).map_err(|error| {
        let key = match &error {
            InvalidSiteVerifySettings::NoHostnames => {
                return loaded.missing("bot_check.hostnames", "bot_check.provider");
            }
            InvalidSiteVerifySettings::Url { .. } => "bot_check.verify_url",
            InvalidSiteVerifySettings::Client(_) => "bot_check.provider",
        };
        loaded.wrong(key, format!("cannot be used: {error}"), "correct it there, or set bot_check.provider = \"off\"")
    })?;
    Ok(Some(Arc::new(verify)))
}

/// The other platforms, if any is offered.
pub(super) fn linking(loaded: &Loaded) -> Outcome<Option<Arc<dyn Linking>>> {
    let linking = &loaded.settings.linking;
    let settings = LinkingSettings {
        discord: discord(loaded)?,
        steam: linking.steam.enabled.then(|| SteamSettings {
            openid_url: setting_or(linking.steam.openid_url.as_deref(), SteamSettings::OPENID_URL),
            identity_url: setting_or(linking.steam.identity_url.as_deref(), SteamSettings::IDENTITY_URL),
        }),
        redirect_uris: linking.redirect_uris.clone(),
        connect_timeout: LinkingSettings::CONNECT_TIMEOUT,
        timeout: LinkingSettings::TIMEOUT,
    };
    let needed_by = match (&settings.discord, &settings.steam) {
        (None, None) => return Ok(None),
        (Some(_), _) => "linking.discord.client_id",
        (None, Some(_)) => "linking.steam.enabled",
    };
    let platforms = Platforms::new(settings).map_err(|error| match &error {
        InvalidLinkingSettings::NoRedirects => loaded.missing("linking.redirect_uris", needed_by),
        InvalidLinkingSettings::Url { key, .. } => {
            loaded.wrong(&format!("linking.{key}"), format!("cannot be used: {error}"), "correct it there")
        }
        InvalidLinkingSettings::Client(_) => {
            loaded.wrong(needed_by, format!("cannot be used: {error}"), "install the computer's certificates")
        }
    })?;
    Ok(Some(Arc::new(platforms)))
}

fn discord(loaded: &Loaded) -> Outcome<Option<DiscordSettings>> {
    let discord = &loaded.settings.linking.discord;
    let Some(client_id) = discord.client_id.clone() else { return Ok(None) };
    let missing = || loaded.missing("linking.discord.client_secret", "linking.discord.client_id");
    Ok(Some(DiscordSettings {
        client_id,
        client_secret: discord.client_secret.clone().ok_or_else(missing)?,
        authorize_url: setting_or(discord.authorize_url.as_deref(), DiscordSettings::AUTHORIZE_URL),
        token_url: setting_or(discord.token_url.as_deref(), DiscordSettings::TOKEN_URL),
        user_url: setting_or(discord.user_url.as_deref(), DiscordSettings::USER_URL),
        issuer: setting_or(discord.issuer.as_deref(), DiscordSettings::ISSUER),
    }))
}

/// The setting, or else the usual value.
fn setting_or(setting: Option<&str>, usual: &str) -> String {
    setting.unwrap_or(usual).to_owned()
}

/// The domain and origins of passkeys.
pub(super) fn passkeys(loaded: &Loaded, public_url: &str, port: u16) -> (String, Vec<String>) {
    let webauthn = &loaded.settings.webauthn;
    let url = reqwest::Url::parse(public_url).ok();
    let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or("localhost").trim_matches(['[', ']']);
    if webauthn.rp_id.is_none() && host.parse::<IpAddr>().is_ok() {
        // WebAuthn knows no addresses, only domains: passkeys work on the machine itself until there is a domain.
        return ("localhost".to_owned(), vec![format!("http://localhost:{port}")]);
    }
    let domain = webauthn.rp_id.clone().unwrap_or_else(|| host.to_owned());
    let origins = if webauthn.origins.is_empty() { vec![public_url.to_owned()] } else { webauthn.origins.clone() };
    (domain, origins)
}

/// Blames the setting that was given: origins and domain follow the public address unless they are set.
pub(super) fn no_passkeys(loaded: &Loaded, error: &RelyingPartyError) -> Failure {
    let webauthn = &loaded.settings.webauthn;
    let (key, advice) = match (&webauthn.rp_id, webauthn.origins.as_slice()) {
        (_, [_, ..]) => ("webauthn.origins", "give addresses on the domain of webauthn.rp_id or server.public_url"),
        (Some(_), []) => ("webauthn.rp_id", "give the domain of server.public_url, or one above it"),
        (None, []) => ("server.public_url", "give an address such as https://trade.example.com"),
    };
    loaded.wrong(key, format!("cannot be used: {error}"), advice)
}

//! The sections and keys of the settings, with their defaults.
//!
//! A test writes the table of `docs/reference/configuration.md` from these sections. The comment at a setting is its meaning,
//! as the page shows it. A paragraph `Default: …` describes a default that is not a value. A setting with the comment
//! "See `NAME`." shares the row of that setting.

use std::net::SocketAddr;
use std::path::PathBuf;

use secrecy::SecretString;
use serde::Deserialize;

use super::database::Database;
use super::limits::Limits;
use super::outside::Outside;
use super::secret_values::secret;
use super::trading::Trading;

/// Every setting, in the order of the page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) server: Server,
    pub(crate) accounts: Accounts,
    pub(crate) ops: Ops,
    pub(crate) database: Database,
    pub(crate) backup: Backup,
    pub(crate) secret: Secret,
    pub(crate) mail: Mail,
    pub(crate) bot_check: BotCheck,
    pub(crate) linking: Linking,
    pub(crate) notifications: Notifications,
    pub(crate) webhooks: Webhooks,
    pub(crate) outside: Outside,
    pub(crate) trading: Trading,
    pub(crate) webauthn: Webauthn,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
    pub(crate) bootstrap: Bootstrap,
}

/// Where the interface is served.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Server {
    /// address and port; port 0 picks a free one. Flag `--listen`
    pub(crate) listen: SocketAddr,
    /// the address by which users reach the server, for links in mails and for passkeys; with `http://` or `https://`
    ///
    /// Default: `http://localhost:PORT`
    pub(crate) public_url: Option<String>,
    /// trust a TLS-terminating reverse proxy for client addresses. Flag `--behind-proxy`
    pub(crate) behind_proxy: bool,
    /// the networks of these proxies
    ///
    /// Default: the machine itself
    pub(crate) trusted_proxies: Vec<String>,
    /// certificate chain and private key, PEM; with them the server speaks HTTPS
    pub(crate) tls_cert: Option<PathBuf>,
    /// See `tls_cert`.
    pub(crate) tls_key: Option<PathBuf>,
    /// further [names](server-limits.md#names-of-the-server) that browsers may call the server by
    pub(crate) host_names: Vec<String>,
    /// maximum number of concurrent [connections](server-limits.md#connections)
    ///
    /// Default: by the limit of open files, at most 16,384
    pub(crate) max_connections: Option<u32>,
    /// maximum number of connections of one network, and at most half of all; `server.trusted_proxies` are exempt
    pub(crate) max_connections_per_network: u32,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            behind_proxy: false,
            trusted_proxies: Vec::new(),
            tls_cert: None,
            tls_key: None,
            host_names: Vec::new(),
            max_connections: None,
            max_connections_per_network: 1_024,
        }
    }
}

/// Who can have an account, with which password, and for how long they are signed in.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Accounts {
    /// users can sign up by themselves; otherwise `SignUp` is rejected, and only existing users can sign in
    pub(crate) sign_up: bool,
    /// a list of breached passwords, which no user can choose; [created](server-limits.md#breached-passwords) by
    /// `tradepost breached-passwords`
    pub(crate) breached_passwords: Option<PathBuf>,
    /// hours from sign-in to the end of a session, 1 to 720; a change applies to open sessions at the next start
    pub(crate) session_hours: u32,
    /// minutes without use after which a session ends, 5 to 10,080; use is recorded to the minute
    pub(crate) session_idle_minutes: u32,
}

impl Default for Accounts {
    fn default() -> Self {
        Self { sign_up: true, breached_passwords: None, session_hours: 24, session_idle_minutes: 60 }
    }
}

/// Where `/livez`, `/readyz` and `/metrics` are served.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Ops {
    /// a separate address for `/livez`, `/readyz` and `/metrics`
    ///
    /// Default: the main port
    pub(crate) listen: Option<SocketAddr>,
    /// the networks that may read `/metrics` on the main port, besides this machine. Behind a proxy the address of its
    /// client counts. On a separate address `/metrics` is open to every caller
    pub(crate) metrics_networks: Vec<String>,
}

/// Backups that the server makes of an SQLite file.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Backup {
    /// SQLite: the folder of [scheduled backups](../how-to/back-up-and-restore.md#scheduled-backups); without it none
    /// are made
    pub(crate) folder: Option<PathBuf>,
    /// the time between two backups: a number and `d`, `h` or `m`, at least `1m`
    pub(crate) every: String,
    /// how many backups are kept, at least 1
    pub(crate) keep: u32,
    /// a command of the shell that copies a backup, its `$1`, off the machine
    pub(crate) after: Option<String>,
}

impl Default for Backup {
    fn default() -> Self {
        Self { folder: None, every: "24h".to_owned(), keep: 14, after: None }
    }
}

/// The root secret, from which every other key is derived.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Secret {
    /// the file of the root secret, created at first start
    ///
    /// Default: `root-secret` next to the database
    pub(crate) root_file: Option<PathBuf>,
    /// the root secret itself, instead of a file. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) root: Option<SecretString>,
    /// the root secret that is [being replaced](../how-to/keep-the-root-secret.md#replace-the-root-secret): a file, or
    /// the secret itself. The second is a secret
    pub(crate) former_root_file: Option<PathBuf>,
    /// See `former_root_file`.
    #[serde(deserialize_with = "secret")]
    pub(crate) former_root: Option<SecretString>,
}

/// How mail leaves.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mail {
    /// `directory` writes each mail to a file, for development; `smtp` sends it, and retries for 18 h while the mail
    /// server does not accept it
    pub(crate) transport: MailTransport,
    /// the folder of the mails. It is closed to other users at each start (mode 0700); one that several users share,
    /// such as `/tmp`, is rejected
    ///
    /// Default: `mail` next to the database
    pub(crate) directory: Option<PathBuf>,
    /// the sender
    pub(crate) from: Option<String>,
    pub(crate) smtp: Smtp,
}

/// Ways of sending mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MailTransport {
    /// Each mail becomes a file: for development.
    #[default]
    Directory,
    /// A mail server.
    Smtp,
}

/// The mail server.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Smtp {
    /// the mail server
    pub(crate) host: Option<String>,
    /// See `host`.
    pub(crate) port: Option<u16>,
    /// `tls`, `starttls`, or `none` for a server on this machine
    pub(crate) encryption: SmtpEncryption,
    /// the login. The password is a secret
    pub(crate) username: Option<String>,
    /// See `username`.
    #[serde(deserialize_with = "secret")]
    pub(crate) password: Option<SecretString>,
}

impl Default for Smtp {
    fn default() -> Self {
        Self { host: None, port: None, encryption: SmtpEncryption::Starttls, username: None, password: None }
    }
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SmtpEncryption {
    /// TLS from the first byte, usually port 465.
    Tls,
    /// TLS after a greeting in clear, usually port 587; refused when the server does not offer it.
    Starttls,
    /// None: for a server on this machine.
    None,
}

/// Which notifications leave the server.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct Notifications {
    /// send [webhooks](events.md) to the endpoints and [alert channels](calls-to-others.md#alerts) that users create;
    /// without it none can be created or enabled
    pub(crate) webhooks: bool,
    /// send [alerts](calls-to-others.md#alerts) to Telegram and Discord
    pub(crate) telegram: bool,
    /// See `telegram`.
    pub(crate) discord: bool,
    /// call the URLs of [heartbeats](calls-to-others.md#alerts)
    pub(crate) heartbeat: bool,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { webhooks: true, telegram: true, discord: true, heartbeat: true }
    }
}

/// Where webhooks may go.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Webhooks {
    /// accept [addresses of webhooks](calls-to-others.md#webhooks) and heartbeats without TLS
    pub(crate) allow_http: bool,
    /// networks of receivers that are not reachable from everywhere, such as `10.1.0.0/16`
    pub(crate) allowed_networks: Vec<String>,
}

/// The bot check.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BotCheck {
    /// `off` rejects operations that need a check; `turnstile`, `hcaptcha`; `development` accepts the one token
    /// `development`
    pub(crate) provider: BotCheckProvider,
    /// the provider's secret. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) secret: Option<SecretString>,
    /// the provider's public key of the site, which `GetServerInfo` returns to pages that show the widget
    pub(crate) site_key: Option<String>,
    /// the host names that show the widget; a token of another host is rejected. Required with a provider
    pub(crate) hostnames: Vec<String>,
    /// another address of the service
    ///
    /// Default: the provider's
    pub(crate) verify_url: Option<String>,
}

/// Services that check tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BotCheckProvider {
    /// None: operations that need a check are refused.
    #[default]
    Off,
    /// The one token `development` passes: for development.
    Development,
    Turnstile,
    Hcaptcha,
}

/// Other platforms whose identities can be linked and signed in with.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Linking {
    /// the addresses to which another platform may return a browser, compared letter by letter. Required with such a
    /// platform
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) discord: Discord,
    pub(crate) steam: Steam,
}

/// Discord, or a platform of its shape. Offered where there is a client id.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Discord {
    /// enables Discord. Register every redirect address there, too. The second is a secret
    pub(crate) client_id: Option<String>,
    /// See `client_id`.
    #[serde(deserialize_with = "secret")]
    pub(crate) client_secret: Option<SecretString>,
    /// another compatible platform: OAuth 2 with PKCE, and a resource with `id`, `username` and `global_name`
    ///
    /// Default: Discord's
    pub(crate) authorize_url: Option<String>,
    /// See `authorize_url`.
    pub(crate) token_url: Option<String>,
    /// See `authorize_url`.
    pub(crate) user_url: Option<String>,
    /// See `authorize_url`.
    pub(crate) issuer: Option<String>,
}

/// Steam, or a platform of its shape.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Steam {
    /// enables Steam
    pub(crate) enabled: bool,
    /// another compatible platform: OpenID 2.0, with identities of this prefix and 17 digits
    ///
    /// Default: Steam's
    pub(crate) openid_url: Option<String>,
    /// See `openid_url`.
    pub(crate) identity_url: Option<String>,
}

/// Passkeys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Webauthn {
    /// the domain of passkeys
    ///
    /// Default: the host of `server.public_url`
    pub(crate) rp_id: Option<String>,
    /// the origins that may use them
    ///
    /// Default: `server.public_url`
    pub(crate) origins: Vec<String>,
}

/// The log.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    /// `text`, `json`, or `auto`: text on a terminal, else JSON
    pub(crate) format: LogFormat,
    /// a level, or directives such as `info,tradepost::access=warn`
    pub(crate) level: String,
    /// a file to append to
    ///
    /// Default: standard error
    pub(crate) file: Option<PathBuf>,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Auto, level: "info".to_owned(), file: None }
    }
}

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    Text,
    Json,
}

/// The first user and key, made when there are no users.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Bootstrap {
    /// the first workspace and its owner, created if there are no users
    pub(crate) workspace: String,
    /// See `workspace`.
    pub(crate) email: String,
    /// See `workspace`.
    pub(crate) display_name: String,
    /// the owner's password and the first API key. Secrets
    ///
    /// Default: generated
    #[serde(deserialize_with = "secret")]
    pub(crate) password: Option<SecretString>,
    /// See `password`.
    #[serde(deserialize_with = "secret")]
    pub(crate) key: Option<SecretString>,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self {
            workspace: "Default".to_owned(),
            email: "owner@tradepost.example".to_owned(),
            display_name: "Owner".to_owned(),
            password: None,
            key: None,
        }
    }
}

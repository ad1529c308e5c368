//! The sections and keys of the settings, with their defaults.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use serde::Deserialize;

use super::limits::Limits;
use super::outside::Outside;
use super::secret_values::secret;
use super::trading::Trading;

/// Every setting.
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
    pub(crate) webauthn: Webauthn,
    pub(crate) limits: Limits,
    pub(crate) linking: Linking,
    pub(crate) trading: Trading,
    pub(crate) notifications: Notifications,
    pub(crate) webhooks: Webhooks,
    pub(crate) outside: Outside,
    pub(crate) log: Log,
    pub(crate) bootstrap: Bootstrap,
}

/// Where the interface is served.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Server {
    /// Address and port; port 0 picks a free one.
    pub(crate) listen: SocketAddr,
    /// Where people reach the server, for links in mails and for passkeys. `http://localhost:PORT` if absent.
    pub(crate) public_url: Option<String>,
    /// Whether a proxy in front speaks TLS and passes the client's address.
    pub(crate) behind_proxy: bool,
    /// The networks of these proxies; the machine itself if empty.
    pub(crate) trusted_proxies: Vec<String>,
    /// The certificate chain, PEM. With it the server speaks HTTPS.
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its private key, PEM.
    pub(crate) tls_key: Option<PathBuf>,
    /// The names that browsers may call the server by, besides those of `server.public_url`, passkeys and loopback.
    pub(crate) host_names: Vec<String>,
    /// Most connections at once; by the limit of open files if absent.
    pub(crate) max_connections: Option<u32>,
    /// Most of them from one network.
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
    /// Whether people can sign up by themselves.
    pub(crate) sign_up: bool,
    /// The list of passwords that were stolen elsewhere.
    pub(crate) breached_passwords: Option<PathBuf>,
    /// How long after sign-in a session ends.
    pub(crate) session_hours: u32,
    /// How long without use a session lasts.
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
    /// An address of their own; the main port if absent.
    pub(crate) listen: Option<SocketAddr>,
    /// The networks that may read `/metrics` on the main port, besides this machine.
    pub(crate) metrics_networks: Vec<String>,
}

/// Where the data is.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Database {
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`, with several hosts where servers replicate each other.
    pub(crate) url: String,
    /// PostgreSQL: the address for the listener, migrations and locks, where a pooler shares connections between transactions.
    pub(crate) session_url: Option<String>,
    /// PostgreSQL: the address of a standby from which lists and reports are read.
    pub(crate) read_url: Option<String>,
    /// PostgreSQL: by how much that standby may be behind.
    pub(crate) read_lag_seconds: u32,
    /// PostgreSQL: how a pooler in front of it shares connections.
    pub(crate) pooler: Pooler,
    /// PostgreSQL: how many prepared statements a connection keeps.
    pub(crate) statement_cache: u16,
    /// PostgreSQL: for how long a call waits for a connection.
    pub(crate) acquire_timeout_seconds: u32,
    /// PostgreSQL: how long a statement may take.
    pub(crate) statement_timeout_seconds: u32,
    /// PostgreSQL: how long a statement may wait for a lock.
    pub(crate) lock_timeout_seconds: u32,
    /// Most connections: readers on SQLite, all on PostgreSQL.
    pub(crate) max_connections: Option<u32>,
    /// How sure a commit on SQLite is of outliving a power cut.
    pub(crate) synchronous: Synchronous,
    /// How many MiB must be free on the volume of an SQLite file for the server to be ready.
    pub(crate) min_free_mib: u64,
    /// Whether `serve` brings the schema up to date by itself.
    pub(crate) migrate: bool,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: "sqlite://data/tradepost.db".to_owned(),
            session_url: None,
            read_url: None,
            read_lag_seconds: 10,
            pooler: Pooler::None,
            statement_cache: 256,
            acquire_timeout_seconds: 2,
            statement_timeout_seconds: 5,
            lock_timeout_seconds: 2,
            max_connections: None,
            synchronous: Synchronous::Full,
            min_free_mib: 64,
            migrate: true,
        }
    }
}

impl Database {
    /// The file of an SQLite database.
    pub(crate) fn sqlite_file(&self) -> Option<PathBuf> {
        let path = self.url.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
    }

    /// The folder for what is stored next to the database.
    pub(crate) fn folder(&self) -> PathBuf {
        let next_to = self.sqlite_file().and_then(|file| file.parent().map(Path::to_owned));
        next_to.map_or_else(
            || PathBuf::from("data"),
            |folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder },
        )
    }
}

/// How a pooler in front of PostgreSQL shares connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pooler {
    /// There is none.
    None,
    /// A client has a connection until it disconnects.
    Session,
    /// A client has a connection for a transaction.
    Transaction,
}

/// Backups that the server makes of an SQLite file.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Backup {
    /// Where they are written; none are made if absent.
    pub(crate) folder: Option<PathBuf>,
    /// The time between two, such as `24h`.
    pub(crate) every: String,
    /// How many are kept.
    pub(crate) keep: u32,
    /// A command of the shell that copies each off the machine; the file is its `$1`.
    pub(crate) after: Option<String>,
}

impl Default for Backup {
    fn default() -> Self {
        Self { folder: None, every: "24h".to_owned(), keep: 14, after: None }
    }
}

/// What a commit on SQLite waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Synchronous {
    /// The disk: no acknowledged write is lost in a power cut.
    Full,
    /// The operating system: a power cut may lose the last writes.
    Normal,
}

/// The root secret, from which every other key is derived.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Secret {
    /// The file that holds it; made at first start. `root-secret` next to the database if absent.
    pub(crate) root_file: Option<PathBuf>,
    /// The secret itself, instead of a file.
    #[serde(deserialize_with = "secret")]
    pub(crate) root: Option<SecretString>,
    /// The file of the one that it replaces.
    pub(crate) former_root_file: Option<PathBuf>,
    /// The one that it replaces, instead of a file.
    #[serde(deserialize_with = "secret")]
    pub(crate) former_root: Option<SecretString>,
}

/// How mail leaves.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mail {
    pub(crate) transport: MailTransport,
    /// Where mails are written by the transport `directory`; `mail` next to the database if absent.
    pub(crate) directory: Option<PathBuf>,
    /// The sender.
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
    pub(crate) host: Option<String>,
    pub(crate) port: Option<u16>,
    pub(crate) encryption: SmtpEncryption,
    pub(crate) username: Option<String>,
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
    /// Whether webhooks are sent to the endpoints and alert channels that users create.
    pub(crate) webhooks: bool,
    /// Whether alerts are sent to Telegram.
    pub(crate) telegram: bool,
    /// Whether alerts are sent to Discord.
    pub(crate) discord: bool,
    /// Whether the URLs of heartbeats are called.
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
    /// Whether receivers may be called without TLS.
    pub(crate) allow_http: bool,
    /// Networks of receivers that are not reachable from everywhere.
    pub(crate) allowed_networks: Vec<String>,
}

/// The bot check.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BotCheck {
    pub(crate) provider: BotCheckProvider,
    #[serde(deserialize_with = "secret")]
    pub(crate) secret: Option<SecretString>,
    /// The public key of the site, with which a page shows the widget.
    pub(crate) site_key: Option<String>,
    /// The host names on which the widget is shown; a token made elsewhere is refused.
    pub(crate) hostnames: Vec<String>,
    /// Another address of the service, such as a mirror.
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
    /// The addresses to which a browser may be sent back.
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) discord: Discord,
    pub(crate) steam: Steam,
}

/// Discord, or a platform of its shape. Offered where there is a client id.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Discord {
    pub(crate) client_id: Option<String>,
    #[serde(deserialize_with = "secret")]
    pub(crate) client_secret: Option<SecretString>,
    pub(crate) authorize_url: Option<String>,
    pub(crate) token_url: Option<String>,
    pub(crate) user_url: Option<String>,
    pub(crate) issuer: Option<String>,
}

/// Steam, or a platform of its shape.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Steam {
    pub(crate) enabled: bool,
    pub(crate) openid_url: Option<String>,
    pub(crate) identity_url: Option<String>,
}

/// Passkeys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Webauthn {
    /// The domain that passkeys belong to; the host of `server.public_url` if absent.
    pub(crate) rp_id: Option<String>,
    /// The origins from which they may be used; `server.public_url` if empty.
    pub(crate) origins: Vec<String>,
}

/// The log.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) format: LogFormat,
    /// A level, or directives such as `info,tradepost::access=warn`.
    pub(crate) level: String,
    /// A file to append to, instead of stderr.
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
    pub(crate) workspace: String,
    pub(crate) email: String,
    pub(crate) display_name: String,
    /// The owner's password; generated if absent.
    #[serde(deserialize_with = "secret")]
    pub(crate) password: Option<SecretString>,
    /// The first API key; generated if absent.
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

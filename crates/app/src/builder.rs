//! Putting the parts together: every part has a default, every part can be replaced.

mod assembly;
mod feeds;
mod storage;

use std::path::PathBuf;
use std::sync::Arc;

use tradepost_adapters_auth::{
    BreachedPasswords, InvalidCost, PasswordCost, RelyingPartyError, Rfc6238, RootSecret, RootSecretError,
};
use tradepost_adapters_connect::TransportSettings;
use tradepost_adapters_import::ImportFiles;
use tradepost_adapters_limits::{InvalidQuota, Quotas};
use tradepost_adapters_sql::{DatabaseSettings, MigrateError};
use tradepost_domain::accounts::session::SessionLife;
use tradepost_operations::WaiterLimits;
use tradepost_ports::alerts::AlertSender;
use tradepost_ports::bot_check::BotCheck;
use tradepost_ports::clock::{Clock, Ids, RandomIds};
use tradepost_ports::envelope::{KeyEncryption, KeyEncryptionError};
use tradepost_ports::imports::ImportReader;
use tradepost_ports::limiter::{Limiter, SharedCounts};
use tradepost_ports::linking::Linking;
use tradepost_ports::mailer::Mailer;
use tradepost_ports::passwords::Passwords;
use tradepost_ports::store::{Store, StoreError};
use tradepost_ports::totp::TotpCodes;
use tradepost_ports::webhooks::WebhookSender;

pub(crate) use feeds::Feeds;

use crate::unconfigured::{NoAlerts, NoBotCheck, NoLinking, NoMailer, NoWebhooks};
use crate::{SystemClock, database};

const LOCAL_URL: &str = "http://localhost:8080";

/// Assembles a [`Tradepost`](crate::Tradepost). [`Tradepost::builder`](crate::Tradepost::builder) creates it.
///
/// A database (or a store) and a root secret are required. Every other part has a default that a program can replace:
///
/// | part | port | default | method |
/// |---|---|---|---|
/// | storage | [`Store`] | SQLite or PostgreSQL | [`store`](Self::store) |
/// | rate limits | [`Limiter`] | [`GovernorLimiter`](tradepost_adapters_limits::GovernorLimiter) with [`quotas`](Self::quotas) | [`limiter`](Self::limiter) |
/// | password hashing | [`Passwords`] | [`Argon2Passwords`](tradepost_adapters_auth::Argon2Passwords) | [`passwords`](Self::passwords) |
/// | one-time passwords | [`TotpCodes`] | [`Rfc6238`] | [`totp`](Self::totp) |
/// | key encryption | [`KeyEncryption`] | derived from the root secret | [`key_encryption`](Self::key_encryption) |
/// | mail | [`Mailer`] | none: mails are dropped | [`mailer`](Self::mailer) |
/// | webhooks | [`WebhookSender`] | none: no endpoint can be created | [`webhooks`](Self::webhooks) |
/// | imports | [`ImportReader`] | [`ImportFiles`] | [`imports`](Self::imports) |
/// | alerts | [`AlertSender`] | none: alerts leave by mail only | [`alerts`](Self::alerts) |
/// | listings that are only read | [`ListingFeed`](tradepost_ports::marketplace::ListingFeed) | none | [`listing_feed`](Self::listing_feed) |
/// | prices | [`PriceFeed`](tradepost_ports::price_source::PriceFeed) | none: an engine or a client records them | [`price_feed`](Self::price_feed) |
/// | bot check | [`BotCheck`] | none: the operations that need it fail | [`bot_check`](Self::bot_check) |
/// | identities of other platforms | [`Linking`] | none: no platform is offered | [`linking`](Self::linking) |
/// | server's clock | [`Clock`] | [`SystemClock`] | [`clock`](Self::clock) |
/// | identifiers | [`Ids`] | [`RandomIds`] | [`ids`](Self::ids) |
///
/// The marketplaces, the game platform, price sources, exchange rates and the market's clock belong to a
/// [`Desk`](tradepost_engine::Desk), not to the builder.
///
/// ```no_run
/// use std::sync::Arc;
/// use tradepost::Tradepost;
/// use tradepost::ports::limiter::Limiter;
/// use tradepost::ports::passwords::Passwords;
/// use tradepost::ports::store::Store;
/// use tradepost::ports::totp::TotpCodes;
///
/// # async fn example(
/// #     store: Arc<dyn Store>,
/// #     limiter: Arc<dyn Limiter>,
/// #     passwords: Arc<dyn Passwords>,
/// #     totp: Arc<dyn TotpCodes>,
/// # ) -> Result<(), tradepost::BuildError> {
/// let app = Tradepost::builder()
///     .store(store)
///     .limiter(limiter)
///     .passwords(passwords)
///     .totp(totp)
///     .root_secret_file("data/root-secret")
///     .build()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "call build"]
pub struct Builder {
    database: Option<DatabaseSettings>,
    is_url_unknown: bool,
    migrate: bool,
    store: Option<Arc<dyn Store>>,
    shared_counts: Option<Arc<dyn SharedCounts>>,
    root_secret: Option<RootSecret>,
    root_secret_file: Option<PathBuf>,
    former_root_secret: Option<RootSecret>,
    former_root_secret_file: Option<PathBuf>,
    key_encryption: Option<Arc<dyn KeyEncryption>>,
    public_url: String,
    sign_up: bool,
    records: Records,
    session_life: SessionLife,
    waiters: WaiterLimits,
    passkey_domain: Option<String>,
    passkey_origins: Vec<String>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    mailer: Arc<dyn Mailer>,
    webhooks: Arc<dyn WebhookSender>,
    alerts: Arc<dyn AlertSender>,
    imports: Arc<dyn ImportReader>,
    feeds: Feeds,
    bot_check: Arc<dyn BotCheck>,
    linking: Arc<dyn Linking>,
    passwords: Option<Arc<dyn Passwords>>,
    totp: Arc<dyn TotpCodes>,
    limiter: Option<Arc<dyn Limiter>>,
    password_cost: PasswordCost,
    breached_passwords: Option<BreachedPasswords>,
    quotas: Quotas,
    transport: TransportSettings,
}

/// Whose records there will be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Records {
    Own,
    Samples,
}

/// Why the parts could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No database was named.
    #[error("no database is named: call Builder::database_url or Builder::store")]
    NoDatabase,
    /// The database's address is of no known kind.
    #[error("the database address begins with neither sqlite:// nor postgres://")]
    UnknownDatabase,
    /// No root secret was given.
    #[error("no root secret is given: call Builder::root_secret_file")]
    NoRootSecret,
    /// The root secret cannot be had.
    #[error(transparent)]
    RootSecret(#[from] RootSecretError),
    /// The database was filled under another root secret.
    #[error("the database was filled under another root secret: its keys and sealed values would not open")]
    OtherRootSecret,
    /// The installation's own data key cannot be had.
    #[error("the data key of the installation does not open: {0}")]
    KeyEncryption(#[from] KeyEncryptionError),
    /// Passwords cannot be hashed at this cost.
    #[error(transparent)]
    PasswordCost(#[from] InvalidCost),
    /// Passkeys cannot be used with this domain and these origins.
    #[error(transparent)]
    Passkeys(#[from] RelyingPartyError),
    /// A rate limit cannot be kept.
    #[error(transparent)]
    Quota(#[from] InvalidQuota),
    /// The database cannot be opened.
    #[error(transparent)]
    Storage(#[from] StoreError),
    /// The schema of the database is not the one needed.
    #[error(transparent)]
    Schema(#[from] MigrateError),
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            database: None,
            is_url_unknown: false,
            migrate: true,
            store: None,
            shared_counts: None,
            root_secret: None,
            root_secret_file: None,
            former_root_secret: None,
            former_root_secret_file: None,
            key_encryption: None,
            public_url: LOCAL_URL.to_owned(),
            sign_up: true,
            records: Records::Own,
            session_life: SessionLife::default(),
            waiters: WaiterLimits::default(),
            passkey_domain: None,
            passkey_origins: Vec::new(),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds::default()),
            mailer: Arc::new(NoMailer),
            webhooks: Arc::new(NoWebhooks),
            alerts: Arc::new(NoAlerts),
            imports: Arc::new(ImportFiles::default()),
            feeds: Feeds::default(),
            bot_check: Arc::new(NoBotCheck),
            linking: Arc::new(NoLinking),
            passwords: None,
            totp: Arc::new(Rfc6238),
            limiter: None,
            password_cost: PasswordCost::default(),
            breached_passwords: None,
            quotas: Quotas::default(),
            transport: TransportSettings::default(),
        }
    }
}

impl Builder {
    /// The database: `sqlite://PATH`, whose folder must exist, or `postgres://USER:PASSWORD@HOST:PORT/NAME`. Required.
    pub fn database_url(mut self, url: &str) -> Self {
        self.database = database::settings(url);
        self.is_url_unknown = self.database.is_none();
        self
    }

    /// The database with all its settings, instead of its address alone.
    pub fn database(mut self, settings: DatabaseSettings) -> Self {
        self.database = Some(settings);
        self
    }

    /// The program's own store, instead of a database.
    ///
    /// The program opens, migrates and closes it. The suite `store_contract!` of the feature `testkit` checks what a store promises;
    /// `examples/own_store.rs` has a store that passes it.
    ///
    /// A store of this kind keeps no record of replaced root secrets. After a replacement, keep setting
    /// [`Builder::former_root_secret`]. Where several processes use the store, also call [`Builder::shared_counts`].
    ///
    /// ```no_run
    /// use std::sync::Arc;
    /// use tradepost::Tradepost;
    /// use tradepost::sql::{DatabaseSettings, SqlStore};
    ///
    /// # async fn example(settings: DatabaseSettings) -> Result<(), Box<dyn std::error::Error>> {
    /// let store = SqlStore::open(settings).await?;
    /// store.migrate().await?;
    /// let app = Tradepost::builder().store(Arc::new(store)).root_secret_file("data/root-secret").build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Counts of rate limits that several processes share. Required where several processes use one [`Builder::store`]; a database
    /// has its own.
    ///
    /// With it the processes count passwords, codes, mails and keys together. Each call also looks its caller up in the store, because
    /// nothing announces the rights that another process changed.
    pub fn shared_counts(mut self, counts: Arc<dyn SharedCounts>) -> Self {
        self.shared_counts = Some(counts);
        self
    }

    /// Whether to bring the schema up to date; true by default. Otherwise a schema that is not up to date is refused.
    pub const fn migrate(mut self, migrate: bool) -> Self {
        self.migrate = migrate;
        self
    }

    /// The file of the root secret, made with mode 0600 if there is none. This or [`Builder::root_secret`] is required.
    ///
    /// An installation without it loses every API key and sealed second factor in the database.
    pub fn root_secret_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.root_secret_file = Some(path.into());
        self
    }

    /// The root secret itself.
    pub fn root_secret(mut self, secret: RootSecret) -> Self {
        self.root_secret = Some(secret);
        self
    }

    /// The root secret that the one of [`Builder::root_secret`] or [`Builder::root_secret_file`] replaces. As long as it is given,
    /// what was made under it goes on working. With several servers on one database each needs both before the first replaces it:
    /// start them with the new one as the former first.
    pub fn former_root_secret(mut self, secret: RootSecret) -> Self {
        self.former_root_secret = Some(secret);
        self
    }

    /// The same, read from a file, which must be there.
    pub fn former_root_secret_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.former_root_secret_file = Some(path.into());
        self
    }

    /// What data keys are sealed under: a service that keeps the key-encryption key, for example. By default that is derived
    /// from the root secret. Data keys that were sealed under another one must still open; they are re-sealed after the start.
    pub fn key_encryption(mut self, key_encryption: Arc<dyn KeyEncryption>) -> Self {
        self.key_encryption = Some(key_encryption);
        self
    }

    /// Where people reach the server, for links in mails and for passkeys; `http://localhost:8080` by default.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        url.into().trim_end_matches('/').clone_into(&mut self.public_url);
        self
    }

    /// Whether people can sign up by themselves; true by default. Otherwise accounts are made by the process alone.
    pub const fn sign_up(mut self, open: bool) -> Self {
        self.sign_up = open;
        self
    }

    /// Reports to pages that the server has sample data, so that no one mistakes it for their own. The work in the background begins
    /// with [`sample_data_is_complete`](crate::Tradepost::sample_data_is_complete): before, it would
    /// change what equal seeds make.
    pub const fn sample_data(mut self) -> Self {
        self.records = Records::Samples;
        self
    }

    /// How long sessions last; by default a day after sign-in, and an hour without use.
    pub const fn session_life(mut self, life: SessionLife) -> Self {
        self.session_life = life;
        self
    }

    /// The domain that passkeys belong to, and the origins at which they work. By default those of the public address.
    pub fn passkeys(mut self, domain: impl Into<String>, origins: Vec<String>) -> Self {
        self.passkey_domain = Some(domain.into());
        self.passkey_origins = origins;
        self
    }

    /// The clock; the computer's by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// What makes identifiers; the operating system's randomness by default.
    pub fn ids(mut self, ids: Arc<dyn Ids>) -> Self {
        self.ids = ids;
        self
    }

    /// What sends mail. By default nothing does, and a mail to send is dropped with a line in the log.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Self {
        self.mailer = mailer;
        self
    }

    /// What sends webhooks, usually [`Webhooks`](tradepost_adapters_outside::Webhooks). By default nothing does, and the operations that
    /// need it fail.
    pub fn webhooks(mut self, webhooks: Arc<dyn WebhookSender>) -> Self {
        self.webhooks = webhooks;
        self
    }

    /// What sends alerts, usually [`Alerts`](tradepost_adapters_outside::Alerts). By default nothing does, and alerts leave by mail only.
    pub fn alerts(mut self, alerts: Arc<dyn AlertSender>) -> Self {
        self.alerts = alerts;
        self
    }

    /// What reads accounts that other programs keep. By default [`ImportFiles`] does.
    pub fn imports(mut self, imports: Arc<dyn ImportReader>) -> Self {
        self.imports = imports;
        self
    }

    /// The bot check. By default there is none, and operations that need the check fail.
    pub fn bot_check(mut self, bot_check: Arc<dyn BotCheck>) -> Self {
        self.bot_check = bot_check;
        self
    }

    /// What asks other platforms for a user's identity. By default nothing does, and no platform is offered.
    pub fn linking(mut self, linking: Arc<dyn Linking>) -> Self {
        self.linking = linking;
        self
    }

    /// What hashes and scores passwords; by default [`Argon2Passwords`](tradepost_adapters_auth::Argon2Passwords), which
    /// [`Builder::password_cost`] and [`Builder::breached_passwords`] set up. Those two have no effect on other implementations.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tradepost::Tradepost;
    /// use tradepost::auth::{Argon2Passwords, PasswordCost};
    ///
    /// # fn example() -> Result<(), tradepost::auth::InvalidCost> {
    /// let passwords = Argon2Passwords::new(PasswordCost::default())?;
    /// let builder = Tradepost::builder().passwords(Arc::new(passwords));
    /// # Ok(())
    /// # }
    /// ```
    pub fn passwords(mut self, passwords: Arc<dyn Passwords>) -> Self {
        self.passwords = Some(passwords);
        self
    }

    /// The algorithm of one-time passwords; by default RFC 6238 with SHA-1, 6 digits and 30 s.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tradepost::Tradepost;
    /// use tradepost::auth::Rfc6238;
    ///
    /// let builder = Tradepost::builder().totp(Arc::new(Rfc6238));
    /// ```
    pub fn totp(mut self, totp: Arc<dyn TotpCodes>) -> Self {
        self.totp = totp;
        self
    }

    /// What counts calls; by default a [`GovernorLimiter`](tradepost_adapters_limits::GovernorLimiter) with the quotas of
    /// [`Builder::quotas`], which have no effect on other implementations.
    ///
    /// A limiter of the program's own counts over several processes itself.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
    /// use tradepost::{Tradepost, async_trait};
    /// use tradepost::ports::limiter::{Limiter, Quota, RateClass, Verdict};
    /// use tradepost::ports::store::StoreResult;
    ///
    /// /// For a private network: nothing is limited.
    /// struct Unlimited;
    ///
    /// #[async_trait]
    /// impl Limiter for Unlimited {
    ///     async fn charge_several(&self, class: RateClass, _partition: &[u8], _calls: u32) -> Verdict {
    ///         let quota = self.quota(class);
    ///         Verdict { allowed: true, quota, remaining: quota.burst, wait: Duration::ZERO }
    ///     }
    ///
    ///     async fn refund(&self, _class: RateClass, _partition: &[u8]) {}
    ///
    ///     fn quota(&self, _class: RateClass) -> Quota {
    ///         Quota { calls: u32::MAX, window: Duration::from_secs(1), burst: u32::MAX }
    ///     }
    ///
    ///     async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
    ///         Ok(self.charge(class, partition).await)
    ///     }
    ///
    ///     async fn refund_exactly(&self, _class: RateClass, _partition: &[u8]) -> StoreResult<()> {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let builder = Tradepost::builder().limiter(Arc::new(Unlimited));
    /// ```
    pub fn limiter(mut self, limiter: Arc<dyn Limiter>) -> Self {
        self.limiter = Some(limiter);
        self
    }

    /// What hashing a password costs; 64 MiB and two passes by default.
    pub const fn password_cost(mut self, cost: PasswordCost) -> Self {
        self.password_cost = cost;
        self
    }

    /// Passwords that were stolen elsewhere, which no user can choose. By default none are known.
    pub fn breached_passwords(mut self, list: BreachedPasswords) -> Self {
        self.breached_passwords = Some(list);
        self
    }

    /// The rate limits. On PostgreSQL those of passwords, codes, mails and keys are counted over all processes on the
    /// database, and each process gives out its share of the others.
    pub fn quotas(mut self, quotas: Quotas) -> Self {
        self.quotas = quotas;
        self
    }

    /// How many calls may wait for the next change at one moment; by default 4,096, 256 of them of one workspace and 16 of one
    /// caller.
    pub const fn waiters(mut self, limits: WaiterLimits) -> Self {
        self.waiters = limits;
        self
    }

    /// Limits and deadlines of the transport.
    pub fn transport(mut self, settings: TransportSettings) -> Self {
        self.transport = settings;
        self
    }
}

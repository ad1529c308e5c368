//! Putting the chosen parts together: the defaults of the others, in the order in which each needs the ones before.

use std::sync::Arc;

use tradepost_adapters_auth::{AesEnvelopes, Argon2Passwords, RelyingParty, RelyingPartyError, RootSecret};
use tradepost_adapters_limits::{GovernorLimiter, SharedLimiter};
use tradepost_operations::Ports;
use tradepost_ports::limiter::{Limiter, SharedCounts};
use tradepost_ports::passwords::Passwords;

use super::storage::Storage;
use super::{BuildError, Builder, Records};
use crate::root_secrets::RootSecrets;
use crate::system_key::SystemKey;
use crate::tradepost::{Parts, Tradepost};

impl Builder {
    /// Opens the database and puts everything together. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`BuildError`] says which part is missing or cannot be had.
    pub async fn build(mut self) -> Result<Tradepost, BuildError> {
        let (newest, former) = (self.root()?, self.former_root()?);
        let passkeys = self.relying_party()?;
        self.answer_to_own_names();
        let hashing = self.hashing()?;
        let limits = self.limits()?;
        let storage = self.open().await?;
        let roots = RootSecrets::in_order(newest, former, storage.database.as_deref()).await?;
        let envelopes = Arc::new(AesEnvelopes);
        let key_encryption = self.key_encryption.take().unwrap_or_else(|| Arc::new(roots.key_encryption()));
        let system_key = SystemKey {
            store: storage.store.as_ref(),
            envelopes: envelopes.as_ref(),
            key_encryption: key_encryption.as_ref(),
            clock: self.clock.as_ref(),
        };
        let (number, key) = system_key.open_or_make().await?;
        let vault = roots.vault(storage.database.as_deref(), number, key).await?;
        let ports = Ports {
            store: storage.store,
            clock: self.clock,
            ids: self.ids,
            secrets: Arc::new(vault),
            envelopes,
            key_encryption,
            passwords: hashing.port,
            totp: self.totp,
            passkeys: Arc::new(passkeys),
            linking: self.linking,
            mailer: self.mailer,
            webhooks: self.webhooks,
            alerts: self.alerts,
            imports: self.imports,
            bot_check: self.bot_check,
            limiter: limits.shared_by(storage.counts.as_ref()),
        };
        Ok(Tradepost::of(Parts {
            ports,
            database: storage.database,
            passwords: hashing.default,
            limiter: limits.default,
            counts: storage.counts,
            feeds: self.feeds,
            rights: storage.rights,
            public_url: self.public_url,
            sign_up: self.sign_up,
            sample_data: self.records == Records::Samples,
            session_life: self.session_life,
            waiters: self.waiters,
            transport: self.transport,
        }))
    }

    fn hashing(&mut self) -> Result<Hashing, BuildError> {
        if let Some(port) = self.passwords.take() {
            return Ok(Hashing { port, default: None });
        }
        let passwords = Argon2Passwords::new(self.password_cost)?.with_breached(self.breached_passwords.take());
        let passwords = Arc::new(passwords);
        Ok(Hashing { port: passwords.clone(), default: Some(passwords) })
    }

    fn limits(&mut self) -> Result<Limits, BuildError> {
        if let Some(port) = self.limiter.take() {
            return Ok(Limits { port, default: None });
        }
        let limiter = Arc::new(GovernorLimiter::new(self.quotas.clone())?);
        Ok(Limits { port: limiter.clone(), default: Some(limiter) })
    }

    fn root(&mut self) -> Result<RootSecret, BuildError> {
        match (self.root_secret.take(), &self.root_secret_file) {
            (Some(secret), _) => Ok(secret),
            (None, Some(path)) => Ok(RootSecret::load_or_create(path)?),
            (None, None) => Err(BuildError::NoRootSecret),
        }
    }

    fn former_root(&mut self) -> Result<Option<RootSecret>, BuildError> {
        match (self.former_root_secret.take(), &self.former_root_secret_file) {
            (Some(secret), _) => Ok(Some(secret)),
            (None, Some(path)) => Ok(Some(RootSecret::load(path)?)),
            (None, None) => Ok(None),
        }
    }

    async fn open(&mut self) -> Result<Storage, BuildError> {
        if let Some(store) = self.store.take() {
            return Ok(Storage::own(store, self.shared_counts.take()));
        }
        match self.database.take() {
            Some(settings) => Storage::database(settings, self.migrate).await,
            None if self.is_url_unknown => Err(BuildError::UnknownDatabase),
            None => Err(BuildError::NoDatabase),
        }
    }

    /// Browsers reach the server under its public address, and where its passkeys work.
    fn answer_to_own_names(&mut self) {
        let addresses: Vec<String> = std::iter::once(&self.public_url).chain(&self.passkey_origins).cloned().collect();
        self.transport.host_names.extend(addresses.iter().filter_map(|address| host_of(address)).map(str::to_owned));
        self.transport.page_origins.extend(addresses);
    }

    /// The domain of passkeys is the host of the public address, unless it is set.
    fn relying_party(&self) -> Result<RelyingParty, RelyingPartyError> {
        let host = || self.public_url.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next());
        let domain = self.passkey_domain.as_deref().or_else(host).unwrap_or("localhost");
        let origin = std::slice::from_ref(&self.public_url);
        RelyingParty::new(domain, if self.passkey_origins.is_empty() { origin } else { &self.passkey_origins })
    }
}

/// The port of password hashing, and the default adapter where nothing replaces it.
struct Hashing {
    port: Arc<dyn Passwords>,
    default: Option<Arc<Argon2Passwords>>,
}

/// The port of rate limits, and the default adapter where nothing replaces it.
struct Limits {
    port: Arc<dyn Limiter>,
    default: Option<Arc<GovernorLimiter>>,
}

impl Limits {
    /// The limiter, which counts together with the other processes where there are some.
    fn shared_by(&self, counts: Option<&Arc<dyn SharedCounts>>) -> Arc<dyn Limiter> {
        match (&self.default, counts) {
            (Some(limiter), Some(counts)) => Arc::new(SharedLimiter::new(limiter.clone(), counts.clone())),
            (Some(_), None) | (None, _) => self.port.clone(),
        }
    }
}

/// The host of an address, with its port.
fn host_of(address: &str) -> Option<&str> {
    address.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next())
}

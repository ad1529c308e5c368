//! The world and what the facades know of their callers, shared by all of them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use time::{Duration, OffsetDateTime};
use tradepost_adapters_simulator::{Settings, Simulator, Variant, World};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;

use crate::callers::Callers;
use crate::dmarket;
use crate::facts::{FactError, Facts};
use crate::fault::{Armed, Fault, FaultRule};
use crate::ledger::LedgerEntry;
use crate::skinport::SkinportLists;
use crate::steam_api::{SignIns, SteamKey};
use crate::steam_community::IdentitySecrets;

/// The facades of a world. Its copies share everything.
#[derive(Debug, Clone)]
pub struct Fakes(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    simulator: Simulator,
    facts: Facts,
    armed: Mutex<Armed>,
    ledger: Mutex<Vec<LedgerEntry>>,
    callers: Mutex<Callers>,
    skinport_lists: Mutex<SkinportLists>,
    steam_sign_ins: Mutex<SignIns>,
    identity_secrets: Mutex<IdentitySecrets>,
    /// Made for the first sign-in, because that takes a while; `None` where it could not be made.
    steam_key: OnceLock<Option<SteamKey>>,
}

/// How exactly the time of a world follows that of the computer.
const TICK: std::time::Duration = std::time::Duration::from_millis(100);

/// The time of the computer.
#[expect(clippy::disallowed_methods, reason = "a world can follow the clock of the computer")]
fn now() -> Timestamp {
    OffsetDateTime::now_utc().into()
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fakes {
    /// Facades over a world.
    ///
    /// # Errors
    /// [`FactError`] when a card cannot be read.
    pub fn new(simulator: Simulator) -> Result<Self, FactError> {
        Ok(Self(Arc::new(Shared {
            simulator,
            facts: Facts::load()?,
            armed: Mutex::default(),
            ledger: Mutex::default(),
            callers: Mutex::default(),
            skinport_lists: Mutex::default(),
            steam_sign_ins: Mutex::default(),
            identity_secrets: Mutex::default(),
            steam_key: OnceLock::new(),
        })))
    }

    /// The same over a new world, with kinds of items that share a name.
    ///
    /// # Errors
    /// The same.
    pub fn of_seed(seed: u64) -> Result<Self, FactError> {
        let mut settings = Settings::default();
        settings.variants.extend(Variant::of_phases());
        Self::new(Simulator::new(World::new(seed, settings)))
    }

    /// The same over a world that begins now. [`Fakes::keep_time`] lets its time pass.
    ///
    /// # Errors
    /// The same.
    pub fn of_now(seed: u64) -> Result<Self, FactError> {
        let settings = Settings { start: now(), ..Settings::default() };
        Self::new(Simulator::new(World::new(seed, settings)))
    }

    /// Lets the time of the world pass as that of the computer does, until it is dropped.
    pub async fn keep_time(&self) {
        let mut ticks = tokio::time::interval(TICK);
        loop {
            ticks.tick().await;
            let behind = now().since(self.now());
            if behind.is_positive() {
                self.advance(behind);
            }
        }
    }

    /// The world.
    pub fn simulator(&self) -> &Simulator {
        &self.0.simulator
    }

    /// The cards.
    pub fn facts(&self) -> &Facts {
        &self.0.facts
    }

    /// The time of the world. Only [`Fakes::advance`] moves it.
    pub fn now(&self) -> Timestamp {
        self.0.simulator.world(|world| world.now())
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        self.0.simulator.advance(by);
    }

    /// Replaces the faults that are to happen.
    pub fn arm(&self, rules: Vec<FaultRule>) {
        locked(&self.0.armed).set(rules);
    }

    /// Returns the requests so far, the oldest first.
    pub fn ledger(&self) -> Vec<LedgerEntry> {
        locked(&self.0.ledger).clone()
    }

    /// Takes the requests so far, the oldest first. A run of days makes more of them than are kept.
    pub fn take_ledger(&self) -> Vec<LedgerEntry> {
        std::mem::take(&mut *locked(&self.0.ledger))
    }

    pub(crate) fn fault_of(&self, route: &str) -> Option<Fault> {
        locked(&self.0.armed).at_call(route)
    }

    pub(crate) fn record(&self, entry: LedgerEntry) {
        locked(&self.0.ledger).push(entry);
    }

    /// Returns the private key of the account that the facade of `DMarket` knows.
    pub fn dmarket_key() -> String {
        dmarket::key()
    }

    /// Returns the number of different keys that the facades of `CSFloat`, Waxpeer and market.csgo.com have seen. They keep none of them.
    pub fn shown_keys(&self) -> usize {
        self.callers().keys()
    }

    /// Gives the authenticator of an account this secret in base 64, with which its owner signs the calls about confirmations. A text that
    /// is not base 64 leaves the account without one.
    pub fn set_identity_secret(&self, user: PlatformUserId, base64: &str) {
        self.identity_secrets().set(user, base64);
    }

    pub(crate) fn identity_secrets(&self) -> MutexGuard<'_, IdentitySecrets> {
        locked(&self.0.identity_secrets)
    }

    pub(crate) fn callers(&self) -> MutexGuard<'_, Callers> {
        locked(&self.0.callers)
    }

    pub(crate) fn skinport_lists(&self) -> MutexGuard<'_, SkinportLists> {
        locked(&self.0.skinport_lists)
    }

    /// The sign-ins that were begun at the facade of Steam.
    pub(crate) fn sign_ins(&self) -> MutexGuard<'_, SignIns> {
        locked(&self.0.steam_sign_ins)
    }

    /// The key by which clients of the facade of Steam encrypt passwords.
    pub(crate) fn steam_key(&self) -> Option<&SteamKey> {
        self.0.steam_key.get_or_init(SteamKey::generated).as_ref()
    }
}

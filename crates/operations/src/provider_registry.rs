//! The drivers of this process, and the components that can test providers. They register while it runs.

use std::sync::{Arc, PoisonError, RwLock};

use tradepost_domain::markets::provider::{Driver, Provider, ProviderCheck};
use tradepost_domain::text::Name;
use tradepost_ports::provider_probe::ProviderProbe;

use crate::{OpError, OpResult, Operations, Reason};

/// The registered drivers and probes, the latest last.
#[derive(Default)]
pub(crate) struct ProviderRegistry {
    drivers: RwLock<Vec<Driver>>,
    probes: RwLock<Vec<Arc<dyn ProviderProbe>>>,
}

impl Operations {
    /// Registers a driver, for which providers can be created from now on; one of the same name is replaced.
    pub fn offer_driver(&self, driver: Driver) {
        let mut drivers = self.probes.drivers.write().unwrap_or_else(PoisonError::into_inner);
        drivers.retain(|known| known.name != driver.name);
        drivers.push(driver);
        drivers.sort_by(|one, other| one.name.cmp(&other.name));
    }

    /// Registers a probe for the providers that it reaches; of several for the same one, the latest is used.
    pub fn offer_probe(&self, probe: Arc<dyn ProviderProbe>) {
        self.probes.probes.write().unwrap_or_else(PoisonError::into_inner).push(probe);
    }

    /// Removes a probe that was registered.
    pub fn withdraw_probe(&self, probe: &Arc<dyn ProviderProbe>) {
        self.probes.probes.write().unwrap_or_else(PoisonError::into_inner).retain(|known| !Arc::ptr_eq(known, probe));
    }

    /// Returns the drivers, by name.
    pub(crate) fn drivers(&self) -> Vec<Driver> {
        self.probes.drivers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the driver of this name, if there is one.
    pub(crate) fn driver(&self, name: &Name) -> Option<Driver> {
        let drivers = self.probes.drivers.read().unwrap_or_else(PoisonError::into_inner);
        drivers.iter().find(|driver| driver.name == *name).cloned()
    }

    /// Returns the driver of this name.
    ///
    /// # Errors
    /// `failed_precondition` with `UNKNOWN_DRIVER`.
    pub(crate) fn offered_driver(&self, name: &Name) -> OpResult<Driver> {
        self.driver(name).ok_or_else(|| {
            let message = format!("this server has no driver named {name}: ListProviderDrivers names those it has");
            OpError::failed_precondition(Reason::UnknownDriver, message)
        })
    }

    /// Asks a provider whether it works.
    ///
    /// # Errors
    /// `failed_precondition` with `PROVIDER_NOT_CONNECTED`.
    pub(crate) async fn probe(&self, provider: &Provider) -> OpResult<Vec<ProviderCheck>> {
        let known = self.probes.probes.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (workspace, kind, name) = (provider.workspace_id, provider.kind, &provider.name);
        let reaches = |probe: &Arc<dyn ProviderProbe>| probe.reaches(workspace, kind, name);
        let Some(probe) = known.into_iter().rfind(reaches) else {
            let message = format!(
                "no engine on this server works with {name}: start the engine that trades there; the log of the server says what keeps it from trading"
            );
            return Err(OpError::failed_precondition(Reason::ProviderNotConnected, message));
        };
        Ok(probe.probe(kind, name).await)
    }
}

//! Every port at once, without a database, a network or a clock that runs.

use std::sync::Arc;

use tradepost_ports::Ports;

use super::{
    FakeAlertSender, FakeBotCheck, FakeEnvelopes, FakeImportReader, FakeKeyEncryption, FakeLinking, FakePasskeys,
    FakePasswords, FakeReceiver, FakeSecrets, FakeTotp, FixedClock, RecordingMailer, SequentialIds, UnlimitedLimiter,
};
use crate::memory::MemoryStore;

/// The fakes that a test looks at or controls. All other ports have fakes without state of interest.
///
/// ```
/// use tradepost_ports::clock::Clock as _;
/// use tradepost_testkit::fakes::FakePorts;
///
/// let fakes = FakePorts::default();
/// let ports = fakes.ports();
/// assert_eq!(ports.clock.now(), fakes.clock.now());
/// ```
#[derive(Debug, Clone, Default)]
pub struct FakePorts {
    /// The in-memory store.
    pub store: Arc<MemoryStore>,
    /// A clock that a test sets.
    pub clock: Arc<FixedClock>,
    /// A mailer that keeps every mail.
    pub mailer: Arc<RecordingMailer>,
    /// A receiver of webhooks that keeps every message.
    pub receiver: Arc<FakeReceiver>,
    /// A receiver of alerts that keeps every one.
    pub alerts: Arc<FakeAlertSender>,
    /// A reader of imports that gives what a test has put there.
    pub imports: Arc<FakeImportReader>,
}

impl FakePorts {
    /// Returns all ports over these fakes. A test replaces a port by setting its field.
    pub fn ports(&self) -> Ports {
        Ports {
            store: self.store.clone(),
            clock: self.clock.clone(),
            ids: Arc::new(SequentialIds::default()),
            secrets: Arc::new(FakeSecrets::default()),
            envelopes: Arc::new(FakeEnvelopes::default()),
            key_encryption: Arc::new(FakeKeyEncryption::default()),
            passwords: Arc::new(FakePasswords),
            totp: Arc::new(FakeTotp::default()),
            passkeys: Arc::new(FakePasskeys::default()),
            linking: Arc::new(FakeLinking::default()),
            mailer: self.mailer.clone(),
            webhooks: self.receiver.clone(),
            alerts: self.alerts.clone(),
            imports: self.imports.clone(),
            bot_check: Arc::new(FakeBotCheck),
            limiter: Arc::new(UnlimitedLimiter),
        }
    }
}

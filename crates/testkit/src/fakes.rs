//! Fakes of every port but storage: cheap, deterministic, and they record the calls that they receive.

mod alerts;
mod bot_check;
mod envelope;
mod imports;
mod limiter;
mod linking;
mod lookup;
mod mailer;
mod passkeys;
mod passwords;
mod ports;
mod provider;
mod secrets;
mod time_and_ids;
mod totp;
mod webhooks;

pub use alerts::{FakeAlertSender, ReceivedAlert};
pub use bot_check::FakeBotCheck;
pub use envelope::{FakeEnvelopes, FakeKeyEncryption};
pub use imports::FakeImportReader;
pub use limiter::{ScriptedLimiter, UnlimitedLimiter};
pub use linking::FakeLinking;
pub use lookup::FakeLookup;
pub use mailer::RecordingMailer;
pub use passkeys::FakePasskeys;
pub use passwords::FakePasswords;
pub use ports::FakePorts;
pub use provider::{FakeProbe, example_driver};
pub use secrets::FakeSecrets;
pub use time_and_ids::{FixedClock, SequentialIds, ServerIn};
pub use totp::FakeTotp;
pub use webhooks::{FakeReceiver, ReceivedWebhook};

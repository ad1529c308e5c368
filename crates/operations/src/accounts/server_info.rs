//! `GetServerInfo`: what a page has to know before anyone has signed in.

use std::time::Duration;

use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::time::Timestamp;
use tradepost_ports::bot_check::Widget;

use crate::Operations;

/// The version of the packages of the interface.
const API_VERSION: &str = "v1";
/// The version of this program. The crates of the workspace share it.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Bytes of a mark: enough to distinguish the servers of one machine.
const MARK_BYTES: usize = 4;

/// What the server reports about itself to any caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// The version of the program.
    pub version: &'static str,
    /// The version of the interface.
    pub api_version: &'static str,
    /// The server's time.
    pub now: Timestamp,
    /// Whether it serves sample data.
    pub is_demo: bool,
    /// The address at which users reach it.
    pub public_url: String,
    /// Whether users can sign up by themselves.
    pub sign_up_open: bool,
    /// The bot check, if one is set up.
    pub bot_check: Option<Widget>,
    /// The platforms with whose identities users can sign in.
    pub linked_platforms: Vec<Provider>,
    /// The origins of pages on which passkeys work.
    pub passkey_origins: Vec<String>,
}

/// The marks by which the names of cookies of several servers on one host differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallationMarks {
    /// The mark.
    pub current: String,
    /// The mark under the former root secret, while that is available.
    pub former: Option<String>,
}

impl Operations {
    /// Returns what a page has to know before a user signs in.
    pub fn get_server_info(&self) -> ServerInfo {
        let bot_check = &self.ports.bot_check;
        ServerInfo {
            version: VERSION,
            api_version: API_VERSION,
            now: self.now(),
            is_demo: self.is_demo,
            public_url: self.public_url.clone(),
            sign_up_open: self.takes_sign_ups && self.ports.mailer.is_set_up() && bot_check.is_set_up(),
            bot_check: bot_check.is_set_up().then(|| bot_check.widget()),
            linked_platforms: self.ports.linking.offered(),
            passkey_origins: self.ports.passkeys.origins(),
        }
    }

    /// Returns the time that is left until then, by the server's clock.
    pub fn time_left(&self, until: Timestamp) -> Duration {
        let micros = until.as_micros().saturating_sub(self.now().as_micros());
        Duration::from_micros(micros.max(0).unsigned_abs())
    }

    /// Returns the marks of this installation. All processes on one database have the same.
    pub fn installation_marks(&self) -> InstallationMarks {
        const ABOUT: &[&[u8]] = &[b"names of cookies"];
        let secrets = &self.ports.secrets;
        InstallationMarks {
            current: mark(&secrets.fingerprint(ABOUT)),
            former: secrets.former_fingerprint(ABOUT).map(|fingerprint| mark(&fingerprint)),
        }
    }
}

fn mark(fingerprint: &[u8; 32]) -> String {
    fingerprint.iter().take(MARK_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

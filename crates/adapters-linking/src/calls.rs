//! Calls to platforms: one attempt each, by the guarded client.

use tradepost_adapters_outside::{ClientLimits, OutsideClient, Reach, Target};
use tradepost_ports::linking::LinkingError;

use crate::settings::{InvalidLinkingSettings, LinkingSettings};

/// Answers have a few hundred bytes. What is longer is cut, and senseless then.
const LONGEST_ANSWER: usize = 64 * 1_024;

/// The client for a platform.
pub(crate) fn client(settings: &LinkingSettings) -> Result<OutsideClient, InvalidLinkingSettings> {
    let limits = ClientLimits {
        connect: settings.connect_timeout,
        whole: settings.timeout,
        answer_bytes: LONGEST_ANSWER,
        ..ClientLimits::default()
    };
    OutsideClient::new(&Reach::everywhere(), limits).map_err(|error| InvalidLinkingSettings::Client(error.to_string()))
}

/// The address of a setting that the server calls.
pub(crate) fn target(key: &'static str, url: &str) -> Result<Target, InvalidLinkingSettings> {
    Target::of_operator(url).map_err(|rule| InvalidLinkingSettings::Url {
        key,
        url: url.to_owned(),
        rule: rule.to_string(),
    })
}

/// The platform answered something that it never should.
pub(crate) fn senseless(to: &str, status: u16) -> LinkingError {
    LinkingError::Unavailable(format!("senseless answer to {to}, status {status}"))
}

//! Calls to platforms: one attempt each, within a time, without redirects, and never a body without an end.

use std::error::Error;

use reqwest::{Client, Response, redirect};

use crate::settings::{InvalidLinkingSettings, LinkingSettings};

/// Answers have a few hundred bytes.
const LONGEST_ANSWER: usize = 64 * 1_024;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// It failed on the way.
    #[error("{0}")]
    OnTheWay(String),
    /// More came than any sensible answer has.
    #[error("the answer has no end")]
    Endless,
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        // Without the address, whose query may hold secrets; with the cause, which reqwest leaves out.
        let error = error.without_url();
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        Self::OnTheWay(format!("{error}{cause}"))
    }
}

/// The client for all platforms.
pub(crate) fn client(settings: &LinkingSettings) -> Result<Client, InvalidLinkingSettings> {
    // A redirection would carry codes and secrets to wherever it points.
    let client = Client::builder().redirect(redirect::Policy::none());
    let client = client.connect_timeout(settings.connect_timeout).timeout(settings.timeout).build();
    client.map_err(|error| InvalidLinkingSettings::Client(error.to_string()))
}

/// The body of an answer.
pub(crate) async fn body(mut response: Response) -> Result<Vec<u8>, CallError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST_ANSWER {
            return Err(CallError::Endless);
        }
    }
    Ok(body)
}

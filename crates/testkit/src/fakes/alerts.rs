//! A receiver of alerts of every kind that keeps what it gets.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::alerts::{AlertError, AlertKind, AlertSender, AlertTarget, AlertText, UnusableTarget};

/// An alert as it was received.
#[derive(Debug, Clone)]
pub struct ReceivedAlert {
    /// Where it went.
    pub target: AlertTarget,
    /// What it says.
    pub text: AlertText,
}

/// Keeps alerts in the order in which they were sent, and accepts each unless a test has set other answers.
#[derive(Debug, Default)]
pub struct FakeAlertSender {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    received: Vec<ReceivedAlert>,
    beats: Vec<String>,
    answers: VecDeque<AlertError>,
}

impl FakeAlertSender {
    /// Returns every alert, the oldest first.
    pub fn received(&self) -> Vec<ReceivedAlert> {
        self.inner().received.clone()
    }

    /// Returns the URLs of heartbeats that were called, the oldest first.
    pub fn beats(&self) -> Vec<String> {
        self.inner().beats.clone()
    }

    /// Rejects the next alert or call that has no answer yet.
    pub fn reject_next(&self, error: AlertError) {
        self.inner().answers.push_back(error);
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self) -> Result<(), AlertError> {
        self.inner().answers.pop_front().map_or(Ok(()), Err)
    }
}

#[async_trait]
impl AlertSender for FakeAlertSender {
    fn is_set_up(&self, _kind: AlertKind) -> bool {
        true
    }

    fn check(&self, target: &AlertTarget) -> Result<(), UnusableTarget> {
        let url = match target {
            AlertTarget::Mail { .. } | AlertTarget::Telegram { .. } => return Ok(()),
            AlertTarget::Discord { url } | AlertTarget::Heartbeat { url } => url.expose_secret(),
            AlertTarget::Webhook { url, .. } => url,
        };
        if url.starts_with("https://") { Ok(()) } else { Err(UnusableTarget("must begin with https://".to_owned())) }
    }

    async fn send(&self, target: &AlertTarget, text: &AlertText) -> Result<(), AlertError> {
        self.inner().received.push(ReceivedAlert { target: target.clone(), text: text.clone() });
        self.answer()
    }

    async fn beat(&self, url: &SecretString) -> Result<(), AlertError> {
        self.inner().beats.push(url.expose_secret().to_owned());
        self.answer()
    }
}

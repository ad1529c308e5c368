//! A reply of a facade, and the card that it is held to.

use serde_json::Value;

use crate::facts::Facts;

/// The header in which Steam numbers the outcome of a call, whatever the status.
const X_ERESULT: &str = "x-eresult";
const REDIRECTED: u16 = 302;

/// A reply.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The card; none where a fault took its place.
    pub(crate) card: Option<String>,
    pub(crate) body: Value,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// A reply that is held to a card.
    pub(crate) fn of(card: &str, status: u16, body: Value) -> Self {
        Self { status, card: Some(card.to_owned()), body, headers: Vec::new() }
    }

    pub(crate) const fn of_no_card(status: u16, body: Value) -> Self {
        Self { status, card: None, body, headers: Vec::new() }
    }

    /// A sample of a card; an empty reply where there is none.
    pub(crate) fn sample(facts: &Facts, card: &str, number: usize) -> Self {
        let Ok(card) = facts.card(card) else { return Self::of_no_card(404, Value::Null) };
        let sample = card.samples.get(number);
        let body = sample.and_then(|sample| serde_json::from_str(sample).ok()).unwrap_or(Value::Null);
        let mut reply = Self::of(&card.id, card.status, body);
        if card.status == REDIRECTED {
            reply = reply.with("location", "/login".to_owned());
        }
        if let Some(eresult) = card.eresult_of(number) {
            reply = reply.numbered(eresult);
        }
        reply
    }

    pub(crate) fn with(mut self, header: &'static str, value: String) -> Self {
        self.headers.push((header, value));
        self
    }

    /// The reply with this number of its outcome, in place of any other.
    pub(crate) fn numbered(mut self, eresult: u32) -> Self {
        self.headers.retain(|(name, _)| *name != X_ERESULT);
        self.with(X_ERESULT, eresult.to_string())
    }

    pub(crate) fn retried_after(self, seconds: u64) -> Self {
        Self { card: None, ..self.with("retry-after", seconds.to_string()) }
    }

    /// The reply with another content, which no card describes. Errors stay as they are.
    pub(crate) fn changed(mut self, change: impl Fn(&mut Value)) -> Self {
        if self.status == 200 {
            change(&mut self.body);
        }
        Self { card: None, ..self }
    }

    /// The number of its outcome.
    #[cfg(test)]
    pub(crate) fn eresult(&self) -> Option<u32> {
        let (_, number) = self.headers.iter().find(|(name, _)| *name == X_ERESULT)?;
        number.parse().ok()
    }
}

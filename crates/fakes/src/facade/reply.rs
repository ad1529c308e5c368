//! A reply of a facade, and the card that it is held to.

use serde_json::Value;

use crate::facts::Facts;

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
        let found = facts.card(card).ok();
        let sample = found.and_then(|card| card.samples.get(number));
        let body = sample.and_then(|sample| serde_json::from_str(sample).ok()).unwrap_or(Value::Null);
        let id = found.map(|card| card.id.clone());
        Self { status: found.map_or(404, |card| card.status), card: id, body, headers: Vec::new() }
    }

    pub(crate) fn with(mut self, header: &'static str, value: String) -> Self {
        self.headers.push((header, value));
        self
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
}

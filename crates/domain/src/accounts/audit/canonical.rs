//! What is hashed and authenticated: one way to write a thing down, so that no two things are written the same.
//!
//! Every part has its length before it, and what may be absent says whether it is. The first part names the form: an event's
//! bytes are never a head's.

use super::{AuditEvent, AuditHead};
use crate::transition::Actor;

impl AuditEvent {
    /// Its canonical bytes.
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = Canonical::of("tradepost audit event 1");
        bytes.part(&self.id.to_bytes());
        bytes.part(&self.home.code().to_be_bytes());
        bytes.part(&self.home.log_id().to_bytes());
        bytes.part(self.kind.as_str().as_bytes());
        bytes.actor(self.actor);
        bytes.some(self.subject.map(|subject| subject.kind.code().to_be_bytes()));
        bytes.some(self.subject.map(|subject| subject.id));
        bytes.some(self.client.map(|client| client.to_string()));
        bytes.part(&(self.details.len() as u64).to_be_bytes());
        for (fact, value) in &self.details {
            bytes.part(fact.as_str().as_bytes());
            bytes.part(value.as_bytes());
        }
        bytes.part(&self.at.as_micros().to_be_bytes());
        bytes.0
    }
}

impl AuditHead {
    /// Its canonical bytes, without the authenticator. A log that knows one root secret is written as it was before there could
    /// be another.
    pub fn canonical(&self) -> Vec<u8> {
        let has_former = self.former_until != 0;
        let mut bytes = Canonical::of(if has_former { "tradepost audit head 2" } else { "tradepost audit head 1" });
        bytes.part(&self.log_id.to_bytes());
        bytes.part(&self.sequence.to_be_bytes());
        bytes.part(&self.hash);
        if has_former {
            bytes.part(&self.former_until.to_be_bytes());
        }
        bytes.0
    }
}

struct Canonical(Vec<u8>);

impl Canonical {
    fn of(form: &str) -> Self {
        let mut bytes = Self(Vec::with_capacity(256));
        bytes.part(form.as_bytes());
        bytes
    }

    fn part(&mut self, part: &[u8]) {
        self.0.extend_from_slice(&(part.len() as u64).to_be_bytes());
        self.0.extend_from_slice(part);
    }

    fn some(&mut self, part: Option<impl AsRef<[u8]>>) {
        match part {
            None => self.part(&[0]),
            Some(part) => {
                self.part(&[1]);
                self.part(part.as_ref());
            }
        }
    }

    fn actor(&mut self, actor: Option<Actor>) {
        match actor {
            None => self.part(b"nobody"),
            Some(Actor::System) => self.part(b"system"),
            Some(Actor::User(user)) => {
                self.part(b"user");
                self.part(&user.to_bytes());
            }
            Some(Actor::ApiKey { key, user }) => {
                self.part(b"key");
                self.part(&key.to_bytes());
                self.part(&user.to_bytes());
            }
        }
    }
}

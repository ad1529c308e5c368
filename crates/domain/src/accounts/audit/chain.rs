//! The chain over a log: each event's hash covers the hash before it, and the head vouches for the last one.

use sha2::{Digest as _, Sha256};

use super::SealedEvent;
use crate::id::{AuditEventId, AuditLogId};

/// The hash before the first event of a log.
pub const GENESIS: [u8; 32] = [0; 32];

/// The place of an event in the chain of its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditLink {
    /// The log.
    pub log_id: AuditLogId,
    /// 1 for the first event that was chained, then one more for each.
    pub sequence: i64,
    /// The event.
    pub event_id: AuditEventId,
    /// The hash of the link before, [`GENESIS`] for the first.
    pub prev_hash: [u8; 32],
    /// SHA-256 over the event's canonical bytes and the hash before.
    pub hash: [u8; 32],
}

/// A link with its event; `None` where the event is missing or unreadable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLink {
    /// The link.
    pub link: AuditLink,
    /// The event.
    pub event: Option<SealedEvent>,
}

/// An event that is committed and not chained yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingEvent {
    /// The log it waits to be chained in.
    pub log_id: AuditLogId,
    /// Its id.
    pub event_id: AuditEventId,
    /// The event; `None` where it is missing or unreadable.
    pub event: Option<SealedEvent>,
}

/// Where the chain of a log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditHead {
    /// The log.
    pub log_id: AuditLogId,
    /// How many events are chained.
    pub sequence: i64,
    /// The hash of the last.
    pub hash: [u8; 32],
    /// Up to which sequence events may carry authenticators of former root secrets; 0 where there was only one.
    pub former_until: i64,
    /// An authenticator of all this, under a key that no database holds.
    pub mac: [u8; 32],
}

impl AuditHead {
    /// The head of a log of which nothing is chained.
    pub const fn empty(log_id: AuditLogId) -> Self {
        Self { log_id, sequence: 0, hash: GENESIS, former_until: 0, mac: [0; 32] }
    }

    /// Puts events at the end, in this order. The head that comes of it is still to be authenticated.
    #[must_use]
    pub fn chain(self, events: &[WaitingEvent]) -> (Self, Vec<AuditLink>) {
        let mut head = self;
        let mut links = Vec::with_capacity(events.len());
        for waiting in events {
            let link = AuditLink {
                log_id: head.log_id,
                sequence: head.sequence.saturating_add(1),
                event_id: waiting.event_id,
                prev_hash: head.hash,
                hash: hash(waiting.event.as_ref(), &head.hash),
            };
            (head.sequence, head.hash) = (link.sequence, link.hash);
            links.push(link);
        }
        (head, links)
    }
}

/// A walk along a stored chain, from its first link on, up to the first that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditWalk {
    log_id: AuditLogId,
    checked: i64,
    hash: [u8; 32],
    stopped: bool,
}

impl AuditWalk {
    /// A walk that has not begun.
    pub const fn along(log_id: AuditLogId) -> Self {
        Self { log_id, checked: 0, hash: GENESIS, stopped: false }
    }

    /// How many links hold.
    pub const fn checked(&self) -> i64 {
        self.checked
    }

    /// Whether a link did not hold.
    pub const fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Takes the next link; `is_ours` says whether this installation wrote an event.
    pub fn step(&mut self, stored: &StoredLink, is_ours: impl FnOnce(&SealedEvent) -> bool) {
        if self.stopped {
            return;
        }
        let StoredLink { link, event } = stored;
        let holds = link.log_id == self.log_id
            && link.sequence == self.checked.saturating_add(1)
            && link.prev_hash == self.hash
            && link.hash == hash(event.as_ref(), &self.hash)
            && event.as_ref().is_some_and(|sealed| {
                sealed.event.id == link.event_id && sealed.event.home.log_id() == self.log_id && is_ours(sealed)
            });
        if holds {
            (self.checked, self.hash) = (link.sequence, link.hash);
        } else {
            self.stopped = true;
        }
    }

    /// Whether the chain ends where its head says. Whether the head is the installation's is for the caller to know.
    pub fn ends_at(&self, head: &AuditHead) -> bool {
        !self.stopped && (head.log_id, head.sequence, head.hash) == (self.log_id, self.checked, self.hash)
    }
}

/// What cannot be read is chained, too, so that it does not wait for ever; it never holds.
fn hash(event: Option<&SealedEvent>, before: &[u8; 32]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    if let Some(sealed) = event {
        hasher.update(sealed.event.canonical());
    }
    hasher.update(before);
    hasher.finalize().into()
}

#[cfg(test)]
mod tests;

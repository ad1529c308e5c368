//! The chain over the audit log: made behind the commits, so that no mutation waits for another one of its workspace.

use std::collections::BTreeMap;

use tradepost_domain::audit::{AuditHead, SealedEvent, WaitingEvent};
use tradepost_domain::id::AuditLogId;
use tradepost_ports::changes::{Caller, Changes, Entry};
use tradepost_ports::store::{StoreError, Unique};

use crate::{OpError, OpResult, Operations};

/// How many events are read at once.
const AT_ONCE: u32 = 500;
/// What stands where the installation vouches for nothing.
const NO_MAC: [u8; 32] = [0; 32];

impl Operations {
    /// Chains the events that were committed since; tells how many. Any number of processes may do this at once: a log grows by
    /// one of them at a time, and whoever was slower leaves the events to the next round. What was chained stays so when the
    /// process ends at any point.
    ///
    /// # Errors
    /// `internal` when storage fails; the logs that were extended by then stay extended.
    pub async fn chain_audit_events(&self) -> OpResult<usize> {
        let (mut chained, mut after) = (0, None);
        loop {
            let waiting = self.ports.store.list_waiting_audit_events(after, AT_ONCE).await?;
            let Some(last) = waiting.last() else { return Ok(chained) };
            // A log that cannot be extended must not keep the others waiting: each round goes on behind the one before.
            after = Some(last.event_id);
            let mut logs: BTreeMap<AuditLogId, Vec<WaitingEvent>> = BTreeMap::new();
            for event in waiting {
                logs.entry(event.log_id).or_default().push(event);
            }
            for (log, events) in logs {
                chained += self.extend_log(log, &events).await?;
            }
        }
    }

    /// Puts events at the end of a log, in one commit with its new head; how many it were.
    async fn extend_log(&self, log: AuditLogId, events: &[WaitingEvent]) -> OpResult<usize> {
        let chainer = Caller::system();
        let mut changes = Changes::by(&chainer);
        let links = match self.ports.store.find_audit_head(log).await? {
            None => {
                let (head, links) = AuditHead::empty(log).chain(events);
                changes.insert(self.signed(head));
                links
            }
            Some(seen) => {
                let mut added = Vec::new();
                changes.revise(seen, |head| {
                    let (next, links) = head.chain(events);
                    added = links;
                    // A head that somebody else wrote is gone on from, so that nothing waits for ever, but never vouched for.
                    let is_ours = self.vouches_for(&head);
                    Ok::<_, OpError>(if is_ours { self.signed(next) } else { AuditHead { mac: NO_MAC, ..next } })
                })?;
                added
            }
        };
        let many = links.len();
        for link in links {
            changes.append(Entry::AuditLink(link));
        }
        match self.commit(&chainer, changes).await {
            Ok(_) => Ok(many),
            Err(error) if is_lost_race(&error) => Ok(0),
            Err(error) => Err(error),
        }
    }

    fn signed(&self, head: AuditHead) -> AuditHead {
        AuditHead { mac: self.ports.secrets.audit_mac(&head.canonical()), ..head }
    }

    /// Whether this installation wrote the head.
    pub(crate) fn vouches_for(&self, head: &AuditHead) -> bool {
        self.ports.secrets.same(&head.mac, &self.ports.secrets.audit_mac(&head.canonical()))
    }

    /// Whether this installation wrote the event.
    pub(crate) fn wrote(&self, sealed: &SealedEvent) -> bool {
        self.ports.secrets.same(&sealed.mac, &self.ports.secrets.audit_mac(&sealed.event.canonical()))
    }
}

/// Whether another process extended the log at the same moment.
fn is_lost_race(error: &OpError) -> bool {
    let taken = matches!(error.source, Some(StoreError::Duplicate(Unique::ChainedEvent | Unique::Address)));
    taken || error.is_conflict()
}

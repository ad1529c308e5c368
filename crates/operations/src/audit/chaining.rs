//! The chain over the audit log: made behind the commits, so that no mutation waits for another one of its workspace.

use std::collections::BTreeMap;

use tradepost_domain::accounts::audit::{AuditHead, AuditLink, SealedEvent, WaitingEvent};
use tradepost_domain::id::AuditLogId;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::secrets::AuditKeySource;
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::turns::Turns;
use crate::{OpError, OpResult, Operations};

/// The number of events that are read at once.
const AT_ONCE: u32 = 500;
/// The signature of a head for which the installation does not vouch.
const NO_MAC: [u8; 32] = [0; 32];

impl Operations {
    /// Chains the events that were committed since the last call; returns their number.
    ///
    /// Any number of processes may do this at once: a log grows by one of them at a time, and a slower one leaves the events to the next
    /// round. Chained events stay chained when the process ends at any point.
    ///
    /// # Errors
    /// `internal` when storage fails; the first error of a log, after all others had their turn. The logs that were extended stay extended.
    pub async fn chain_audit_events(&self) -> OpResult<usize> {
        let (mut chained, mut after, mut turns) = (0, None, Turns::default());
        loop {
            let waiting = self.ports.store.audit_logs().list_waiting_events(after, AT_ONCE).await?;
            let Some(last) = waiting.last() else { return turns.end().map(|_| chained) };
            // A log that cannot be extended must not keep the others waiting: each round goes on behind the one before.
            after = Some(last.event_id);
            let mut logs: BTreeMap<AuditLogId, Vec<WaitingEvent>> = BTreeMap::new();
            for event in waiting {
                logs.entry(event.log_id).or_default().push(event);
            }
            for (log, events) in logs {
                let extended = self.extend_log(log, &events).await;
                turns.take(extended.map(|many| chained += many))?;
            }
        }
    }

    /// Puts events at the end of a log, in one commit with its new head; returns their number.
    async fn extend_log(&self, log: AuditLogId, events: &[WaitingEvent]) -> OpResult<usize> {
        let chainer = Caller::system();
        let mut changes = Changes::by(&chainer);
        let links = match self.ports.store.audit_logs().find_head(log).await? {
            None => {
                let (head, links) = AuditHead::empty(log).chain(events);
                let former_until = self.last_by_former(&links, events).unwrap_or_default();
                changes.insert(signed(self, AuditHead { former_until, ..head }));
                links
            }
            Some(seen) => {
                let mut added = Vec::new();
                changes.revise(seen, |head| {
                    let (next, links) = head.chain(events);
                    let last_by_former = self.last_by_former(&links, events);
                    added = links;
                    // A head of another writer is continued, so that no event waits forever, but never vouched for.
                    Ok::<_, OpError>(match former_until(self, &head) {
                        Some(until) => {
                            signed(self, AuditHead { former_until: last_by_former.unwrap_or(until), ..next })
                        }
                        None => AuditHead { mac: NO_MAC, ..next },
                    })
                })?;
                added
            }
        };
        let many = links.len();
        for link in links {
            changes.append(AppendedRow::AuditLink(link));
        }
        match self.commit(&chainer, changes).await {
            Ok(_) => Ok(many),
            Err(error) if is_lost_race(&error) => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// Returns how many of the events that wait were written under the former root secret, of those that are read at once.
    pub(crate) async fn count_waiting_of_former(&self) -> OpResult<u64> {
        let waiting = self.ports.store.audit_logs().list_waiting_events(None, AT_ONCE).await?;
        let is_by_former = |sealed: &SealedEvent| self.author_of(sealed) == Some(AuditKeySource::Former);
        let by_former =
            waiting.iter().filter_map(|waiting| waiting.event.as_ref()).filter(|sealed| is_by_former(sealed));
        Ok(by_former.map(|_| 1).sum())
    }

    /// Returns the last of the links whose event was written under the former root secret, while that is configured.
    fn last_by_former(&self, links: &[AuditLink], events: &[WaitingEvent]) -> Option<i64> {
        let by_former = |sealed: &SealedEvent| self.author_of(sealed) == Some(AuditKeySource::Former);
        let linked = links.iter().zip(events).rev();
        let mut by_former = linked.filter(|(_, waiting)| waiting.event.as_ref().is_some_and(by_former));
        by_former.next().map(|(link, _)| link.sequence)
    }

    fn author_of(&self, sealed: &SealedEvent) -> Option<AuditKeySource> {
        self.ports.secrets.audit_key_source(&sealed.event.canonical(), &sealed.mac)
    }
}

pub(crate) fn signed(operations: &Operations, head: AuditHead) -> AuditHead {
    AuditHead { mac: operations.ports.secrets.audit_mac(&head.canonical()), ..head }
}

/// Returns which root secret vouches for a head.
pub(crate) fn key_source_of(operations: &Operations, head: &AuditHead) -> Option<AuditKeySource> {
    operations.ports.secrets.audit_key_source(&head.canonical(), &head.mac)
}

/// Returns up to which sequence events may be written under former root secrets; `None` for a head that this installation does not
/// vouch for. A removed root secret vouches for no head because its holder could roll a log back.
pub(crate) fn former_until(operations: &Operations, head: &AuditHead) -> Option<i64> {
    match key_source_of(operations, head)? {
        AuditKeySource::Current => Some(head.former_until),
        AuditKeySource::Former => Some(head.sequence),
        AuditKeySource::Removed => None,
    }
}

/// Returns whether this installation wrote the event at its place of the chain, under a root secret that it had then.
pub(crate) fn wrote(operations: &Operations, sealed: &SealedEvent, is_of_before: bool) -> bool {
    match operations.author_of(sealed) {
        Some(AuditKeySource::Current) => true,
        Some(AuditKeySource::Former | AuditKeySource::Removed) => is_of_before,
        None => false,
    }
}

/// Returns whether another process extended the log at the same moment.
fn is_lost_race(error: &OpError) -> bool {
    let taken = matches!(error.source, Some(StoreError::Duplicate(Unique::ChainedEvent | Unique::Address)));
    taken || error.is_conflict()
}

//! The check of every audit log, of workspaces, users and the installation: that each event is one that this installation wrote, each
//! link follows from the one before, and nothing is missing or has been added.

use std::sync::LazyLock;

use sea_orm::FromQueryResult as _;
use tradepost_domain::accounts::audit::{AuditHead, AuditWalk, SealedEvent};
use tradepost_domain::id::{AuditEventId, AuditLogId, WorkspaceId};
use tradepost_ports::changes::Seen;
use tradepost_ports::secrets::{AuditKeySource, Secrets};
use tradepost_ports::store::{AuditState, StoreError, StoreResult};
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use crate::rows::accounts::audit_event;
use crate::rows::{cell, id, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

/// Links that are read by one statement.
const LINKS_AT_ONCE: u32 = 1_000;
/// Events that wait to be chained are looked at up to so many; a server chains them within seconds.
const MOST_WAITING: i64 = 10_000;
const WORKSPACES: &str = "SELECT id, created_at FROM workspaces WHERE id > $1 ORDER BY id LIMIT 500";

static WAITING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT w.event_id, {} FROM audit_waiting w JOIN audit_events e ON e.log_id = w.log_id AND e.id = w.event_id \
         WHERE w.log_id = $1 ORDER BY w.event_id LIMIT {MOST_WAITING}",
        select_list::<audit_event::Entity>("e.", "")
    )
});

/// Something that is wrong with an audit log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuditFault {
    /// The chain of a log does not hold.
    #[error("the audit log {log_id} is not as it was written from sequence {sequence} on")]
    Broken {
        /// The log: the id of the workspace or of the user, or zeros for the installation's.
        log_id: AuditLogId,
        /// The first link that was tampered with, or the one that should follow the last.
        sequence: i64,
    },
    /// An event that waits to be chained was not written by this installation.
    #[error("event {event_id} of the audit log {log_id} was not written by this installation")]
    Forged {
        /// The log.
        log_id: AuditLogId,
        /// The event.
        event_id: AuditEventId,
    },
    /// There is no event of the creation of a workspace.
    #[error("the audit log of workspace {0} is empty; it should have at least the creation of the workspace")]
    Empty(
        /// The workspace.
        WorkspaceId,
    ),
}

/// What a look at every audit log found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Logs looked at.
    pub logs: u64,
    /// Links looked at.
    pub links: u64,
    /// What is wrong, at most 100 of it.
    pub findings: Vec<AuditFault>,
}

impl SqlStore {
    /// Walks along every audit log. `secrets` recognises what this installation wrote. `progress` is called
    /// with the number of checked links.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn check_audit(
        &self,
        secrets: &dyn Secrets,
        mut progress: impl FnMut(u64) + Send,
    ) -> StoreResult<AuditReport> {
        let mut report = AuditReport::default();
        let tables = ["audit_events", "audit_chain", "audit_heads"];
        // The installation's own log has the least id there is.
        let mut log = Some(Uuid::nil());
        while let Some(at) = log {
            self.check_log(secrets, id(at), &mut report, &mut progress).await?;
            log = self.next_home(&tables, "log_id", at).await?;
        }
        self.check_empty_logs(&mut report).await?;
        Ok(report)
    }

    async fn check_log(
        &self,
        secrets: &dyn Secrets,
        log_id: AuditLogId,
        report: &mut AuditReport,
        progress: &mut (impl FnMut(u64) + Send),
    ) -> StoreResult<()> {
        report.logs = report.logs.saturating_add(1);
        let state = match self.audit_state(log_id).await {
            Ok(state) => state,
            Err(StoreError::Corrupt(_)) => {
                report.add(AuditFault::Broken { log_id, sequence: 1 });
                return Ok(());
            }
            Err(failed) => return Err(failed),
        };
        let head = state.head.as_ref().map(Seen::peek).copied();
        let mut walk = AuditWalk::along(log_id);
        let vouched = head.and_then(|head| former_until(secrets, &head));
        let up_to = head.map_or(0, |head| head.sequence);
        while walk.checked() < up_to && !walk.has_stopped() {
            let links = self.audit_links(log_id, walk.checked(), LINKS_AT_ONCE).await?;
            if links.is_empty() {
                break;
            }
            for stored in &links {
                if walk.checked() < up_to {
                    let is_of_before = stored.link.sequence <= vouched.unwrap_or(up_to);
                    walk.step(stored, |sealed| wrote(secrets, sealed, is_of_before));
                }
            }
            report.links = report.links.saturating_add(u64::try_from(links.len()).unwrap_or(0));
            progress(report.links);
        }
        let holds = match head {
            Some(head) => walk.ends_at(&head) && vouched.is_some() && is_complete(&state, head.sequence),
            None => is_complete(&state, 0),
        };
        if !holds {
            report.add(AuditFault::Broken { log_id, sequence: walk.checked().saturating_add(1) });
        }
        self.check_waiting(secrets, log_id, report).await
    }

    async fn check_waiting(
        &self,
        secrets: &dyn Secrets,
        log_id: AuditLogId,
        report: &mut AuditReport,
    ) -> StoreResult<()> {
        for row in self.patiently(&WAITING, vec![uuid(log_id).into()]).await? {
            let event = audit_event::Model::from_query_result(&row, "").ok();
            let sealed = event.and_then(|event| audit_event::to_domain(&event).ok());
            let is_ours = |sealed: &SealedEvent| key_source(secrets, sealed).is_some();
            if !sealed.as_ref().is_some_and(is_ours) {
                report.add(AuditFault::Forged { log_id, event_id: id(cell(&row, 0)?) });
            }
        }
        Ok(())
    }

    /// Looks for workspaces that were made since anything is audited and have no log.
    async fn check_empty_logs(&self, report: &mut AuditReport) -> StoreResult<()> {
        let mut after = Uuid::nil();
        loop {
            let rows = self.patiently(WORKSPACES, vec![after.into()]).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = cell(last, 0)?;
            for row in &rows {
                let (workspace, created_at): (Uuid, i64) = (cell(row, 0)?, cell(row, 1)?);
                let text = "SELECT (SELECT min(at) FROM audit_began) FROM workspaces w WHERE w.id = $1 \
                    AND NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.log_id = w.id)";
                let began: Option<Option<i64>> =
                    self.patiently(text, vec![workspace.into()]).await?.first().map(|row| cell(row, 0)).transpose()?;
                if began.is_some_and(|began| created_at >= began.unwrap_or(0)) {
                    report.add(AuditFault::Empty(id(workspace)));
                }
            }
        }
    }
}

fn key_source(secrets: &dyn Secrets, sealed: &SealedEvent) -> Option<AuditKeySource> {
    secrets.audit_key_source(&sealed.event.canonical(), &sealed.mac)
}

/// Up to which sequence events may be written under root secrets of before; `None` for a head without a valid code.
fn former_until(secrets: &dyn Secrets, head: &AuditHead) -> Option<i64> {
    match secrets.audit_key_source(&head.canonical(), &head.mac)? {
        AuditKeySource::Current => Some(head.former_until),
        AuditKeySource::Former => Some(head.sequence),
        AuditKeySource::Removed => None,
    }
}

/// Whether this installation wrote the event at a place of the chain, and that under a root secret that it had then.
fn wrote(secrets: &dyn Secrets, sealed: &SealedEvent, is_of_before: bool) -> bool {
    match key_source(secrets, sealed) {
        Some(AuditKeySource::Current) => true,
        Some(AuditKeySource::Former | AuditKeySource::Removed) => is_of_before,
        None => false,
    }
}

/// Whether every event is in the chain or waits for it, and nothing else is there.
const fn is_complete(state: &AuditState, chained: i64) -> bool {
    state.links == chained && state.events == state.links + state.waiting
}

impl AuditReport {
    fn add(&mut self, finding: AuditFault) {
        if self.findings.len() < MAX_REPORTED {
            self.findings.push(finding);
        }
    }
}

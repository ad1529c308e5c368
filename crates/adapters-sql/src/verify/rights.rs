//! The check of rights: that role, policies and status of every membership, and policies and networks of every key, are what the
//! audit log recorded last. Whether the log itself is as it was written is another check.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use sea_orm::FromQueryResult as _;

use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::audit::{AuditEvent, AuditKind, Fact};
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::slice::Slice;
use crate::rows::accounts::{api_key, audit_event, membership};
use crate::rows::{Stored, cell, decode, id, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

/// How much the clocks of several servers may differ. Their events are in the order of their ids.
const SKEW_MICROS: i64 = 120_000_000;

static EVENTS: LazyLock<String> = LazyLock::new(|| {
    let kinds: Vec<String> =
        AuditKind::ALL.iter().filter(|kind| is_about_rights(**kind)).map(|kind| format!("'{kind}'")).collect();
    format!(
        "SELECT {} FROM audit_events WHERE log_id = $1 AND kind IN ({}) ORDER BY id",
        select_list::<audit_event::Entity>("", ""),
        kinds.join(", ")
    )
});
static MEMBERSHIPS: LazyLock<String> = LazyLock::new(|| of_workspace::<membership::Entity>("memberships"));
static KEYS: LazyLock<String> = LazyLock::new(|| of_workspace::<api_key::Entity>("api_keys"));
const BEGAN: &str = "SELECT coalesce(min(at), 0) FROM audit_began";

fn of_workspace<E: sea_orm::EntityTrait>(table: &str) -> String {
    format!("SELECT {} FROM {table} WHERE workspace_id = $1 ORDER BY id", select_list::<E>("", ""))
}

fn is_about_rights(kind: AuditKind) -> bool {
    let name = kind.as_str();
    name.starts_with("membership.") || name.starts_with("api_key.") || kind == AuditKind::WorkspaceOwnershipTransferred
}

/// A membership or a key that differs from its last audited state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RightsFault {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What it is: `membership` or `API key`.
    pub record: &'static str,
    /// Its id.
    pub id: Uuid,
    /// What differs.
    pub what: &'static str,
    /// What is stored.
    pub stored: String,
    /// What was audited last.
    pub audited: String,
}

/// What a look at all rights found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RightsReport {
    /// Memberships and keys looked at.
    pub records: u64,
    /// What is not as it was audited, at most 100 of it.
    pub findings: Vec<RightsFault>,
}

impl SqlStore {
    /// Compares every membership and every key with the audit log. `progress` is called with the number of checked records. Records
    /// that have not changed since auditing began are unknown to the log, and skipped.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn check_rights(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<RightsReport> {
        let (mut report, mut after) = (RightsReport::default(), Uuid::nil());
        while let Some(workspace) = self.next_home(&["memberships", "api_keys"], "workspace_id", after).await? {
            let slice = self.slice().await?;
            report.look_at(&slice, workspace).await?;
            slice.end().await?;
            progress(report.records);
            after = workspace;
        }
        Ok(report)
    }
}

/// The state of a record in an event.
#[derive(Debug, Clone)]
struct Audited {
    kind: AuditKind,
    at: i64,
    role: Option<String>,
    policies: Option<String>,
    networks: Option<String>,
}

/// A record that is compared.
#[derive(Debug, Clone, Copy)]
struct Subject {
    record: &'static str,
    workspace_id: WorkspaceId,
    id: Uuid,
}

/// The audited states of a workspace, by record.
#[derive(Default)]
struct Log {
    states: BTreeMap<Uuid, Vec<Audited>>,
    /// The membership that owned the workspace last, unless it is the founder's still.
    owner: Option<Uuid>,
    /// Memberships whose owner handed the workspace over after the last event of their own.
    handed_over: BTreeMap<Uuid, bool>,
    founder_handed_over: bool,
}

impl Log {
    fn take(&mut self, event: &AuditEvent) {
        let Some(subject) = event.subject.map(|subject| Uuid::from_bytes(subject.id)) else { return };
        let fact =
            |wanted: Fact| event.details.iter().find(|(fact, _)| *fact == wanted).map(|(_, value)| value.clone());
        if event.kind == AuditKind::WorkspaceOwnershipTransferred {
            match self.owner.replace(subject) {
                Some(former) => drop(self.handed_over.insert(former, true)),
                None => self.founder_handed_over = true,
            }
        }
        self.handed_over.insert(subject, false);
        self.states.entry(subject).or_default().push(Audited {
            kind: event.kind,
            at: event.at.as_micros(),
            role: fact(Fact::Role),
            policies: fact(Fact::Policies),
            networks: fact(Fact::Networks),
        });
    }

    /// Returns the last state of a record, and the states shortly before it that may have been last as well.
    fn last_of(&self, record: Uuid) -> Option<(&Audited, impl Iterator<Item = &Audited>)> {
        let audited = self.states.get(&record)?;
        let last = audited.last()?;
        let since = last.at.saturating_sub(SKEW_MICROS);
        Some((last, audited.iter().filter(move |audited| audited.at >= since)))
    }
}

impl RightsReport {
    async fn look_at(&mut self, slice: &Slice, workspace: Uuid) -> StoreResult<()> {
        let mut log = Log::default();
        for row in slice.rows(&EVENTS, vec![workspace.into()]).await? {
            let event = audit_event::Model::from_query_result(&row, "").ok();
            if let Some(sealed) = event.and_then(|event| audit_event::to_domain(&event).ok()) {
                log.take(&sealed.event);
            }
        }
        let began: i64 = slice.row(BEGAN, Vec::new()).await?.map_or(Ok(0), |row| cell(&row, 0))?;
        let mut founders = 0;
        for row in slice.rows(&MEMBERSHIPS, vec![workspace.into()]).await? {
            if let Some(membership) = self.read::<Membership>(&row, workspace)? {
                let is_older = membership.created_at.as_micros() < began;
                founders += u32::from(self.look_at_membership(&membership, &log, founders == 0, is_older));
            }
        }
        for row in slice.rows(&KEYS, vec![workspace.into()]).await? {
            if let Some(key) = self.read::<ApiKey>(&row, workspace)? {
                let is_older = key.created_at.as_micros() < began;
                self.look_at_key(&key, &log, is_older);
            }
        }
        Ok(())
    }

    /// Returns whether the membership is the founder's, which needs no event.
    fn look_at_membership(&mut self, membership: &Membership, log: &Log, may_be_founder: bool, is_older: bool) -> bool {
        let subject = Subject { record: "membership", workspace_id: membership.workspace_id, id: uuid(membership.id) };
        let (role, policies) = (membership.role, names_of(membership.policies));
        let Some((last, recent)) = log.last_of(subject.id) else {
            let expected = if log.founder_handed_over { Role::Admin } else { Role::Owner };
            let is_founder = may_be_founder && membership.invitee.is_none();
            if is_founder && !is_older {
                self.hold(subject, "role", role.as_str(), expected.as_str());
                self.hold(subject, "policies", &policies, &names_of(PolicySet::OPERATIONAL));
            } else if !is_older {
                self.hold(subject, "events", "a record", "nothing");
            }
            return is_founder;
        };
        let recent: Vec<&Audited> = recent.collect();
        if log.handed_over.get(&subject.id) == Some(&true) {
            self.hold(subject, "role", role.as_str(), Role::Admin.as_str());
        } else if !recent.iter().any(|audited| audited.role.as_deref() == Some(role.as_str())) {
            self.hold(subject, "role", role.as_str(), last.role.as_deref().unwrap_or(role.as_str()));
        }
        if !recent.iter().any(|audited| audited.policies.as_ref() == Some(&policies)) {
            self.hold(subject, "policies", &policies, last.policies.as_ref().unwrap_or(&policies));
        }
        let is_in = membership.status() == Status::Accepted;
        if is_in && recent.iter().all(|audited| is_out(audited.kind)) {
            self.hold(subject, "status", membership.status().as_str(), last.kind.as_str());
        }
        false
    }

    fn look_at_key(&mut self, key: &ApiKey, log: &Log, is_older: bool) {
        let subject = Subject { record: "API key", workspace_id: key.workspace_id, id: uuid(key.id) };
        let Some((last, recent)) = log.last_of(subject.id) else {
            if !is_older {
                self.hold(subject, "events", "a record", "nothing");
            }
            return;
        };
        let recent: Vec<&Audited> = recent.collect();
        let (policies, networks) = (names_of(key.policies), key.networks.to_string());
        if !recent.iter().any(|audited| audited.policies.as_ref() == Some(&policies)) {
            self.hold(subject, "policies", &policies, last.policies.as_ref().unwrap_or(&policies));
        }
        // Networks are audited since a later version than the rest.
        if !recent.iter().any(|audited| audited.networks.as_ref().is_none_or(|known| *known == networks)) {
            self.hold(subject, "networks", &networks, last.networks.as_ref().unwrap_or(&networks));
        }
        if key.revoked_at.is_none() && recent.iter().any(|audited| audited.kind == AuditKind::ApiKeyRevoked) {
            self.hold(subject, "status", "live", last.kind.as_str());
        }
    }

    /// Records a finding where the stored value differs from the audited one.
    fn hold(&mut self, subject: Subject, what: &'static str, stored: &str, audited: &str) {
        if stored != audited && self.findings.len() < MAX_REPORTED {
            let (stored, audited) = (stored.to_owned(), audited.to_owned());
            let Subject { record, workspace_id, id } = subject;
            self.findings.push(RightsFault { workspace_id, record, id, what, stored, audited });
        }
    }

    fn read<R: Stored>(&mut self, row: &sea_orm::QueryResult, workspace: Uuid) -> StoreResult<Option<R>> {
        self.records = self.records.saturating_add(1);
        match decode::<R>(row, "") {
            Ok(seen) => Ok(Some(seen.into_display().0)),
            Err(StoreError::Corrupt(found)) => {
                let key = row.try_get("", "id").unwrap_or_default();
                let subject = Subject { record: "record", workspace_id: id(workspace), id: key };
                self.hold(subject, "rule", &found, "kept");
                Ok(None)
            }
            Err(failed) => Err(failed),
        }
    }
}

/// Returns whether the event ends a membership.
const fn is_out(kind: AuditKind) -> bool {
    matches!(
        kind,
        AuditKind::MembershipInvited
            | AuditKind::MembershipInvitationResent
            | AuditKind::MembershipDeclined
            | AuditKind::MembershipDissolved
            | AuditKind::MembershipExpired
            | AuditKind::MembershipLeft
            | AuditKind::MembershipRemoved
            | AuditKind::MembershipRevoked
            | AuditKind::MembershipSuspended
    )
}

fn names_of(policies: PolicySet) -> String {
    policies.iter().map(Policy::name).collect::<Vec<_>>().join(",")
}

impl fmt::Display for RightsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workspace_id, record, id, what, stored, audited } = self;
        write!(f, "{record} {id} of workspace {workspace_id}: {what} are {stored:?}, and {audited:?} was audited last")
    }
}

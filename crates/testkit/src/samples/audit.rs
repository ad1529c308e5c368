//! Events of the audit log.

use std::net::{IpAddr, Ipv4Addr};

use tradepost_domain::accounts::audit::{AuditEvent, AuditHome, AuditKind, Fact, SealedEvent};
use tradepost_domain::id::{ApiKeyId, UserId, WorkspaceId};
use tradepost_domain::transition::Actor;

use super::{Samples, start};

impl Samples {
    /// Returns an event in the log of a workspace, with every optional field.
    pub fn audited(&self, workspace_id: WorkspaceId) -> SealedEvent {
        self.audited_in(AuditHome::Workspace(workspace_id))
    }

    /// Returns the same in any log.
    pub fn audited_in(&self, home: AuditHome) -> SealedEvent {
        let key: ApiKeyId = self.id();
        let event = AuditEvent {
            id: self.id(),
            home,
            kind: AuditKind::ApiKeyCreated,
            actor: Some(Actor::ApiKey { key, user: self.id() }),
            subject: Some(key.into()),
            client: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7))),
            details: vec![
                (Fact::KeyPrefix, "tpk_sample00".to_owned()),
                (Fact::Policies, "analytics, \"x\"".to_owned()),
            ],
            at: start(),
        };
        SealedEvent { event, mac: [7; 32] }
    }

    /// Returns an event in a user's own log, without any optional field.
    pub fn audited_of(&self, user: UserId) -> SealedEvent {
        let sealed = self.audited_in(AuditHome::User(user));
        let event = AuditEvent { actor: None, subject: None, client: None, details: Vec::new(), ..sealed.event };
        SealedEvent { event, ..sealed }
    }
}

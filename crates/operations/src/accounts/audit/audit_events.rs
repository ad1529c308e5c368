//! `ListAuditEvents` and `ListMyAuditEvents`: the recorded actions and their actors.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ApiKeyId, Id, UserId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{AuditActor, AuditFilter, AuditPage, ListedEvent};

use crate::paging::ListKey;
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf, fields};

/// The events of a workspace to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAuditEvents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only actions of this user, in person or through any of their keys, or of this key.
    pub actor_id: Option<Id<()>>,
    /// Only events of this type, such as `api_key.created`.
    pub kind: Option<String>,
    /// Only actions at this time or later.
    pub from: Option<Timestamp>,
    /// Only actions before this time.
    pub to: Option<Timestamp>,
    /// The maximum of events on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// The page of the caller's own events to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListMyAuditEvents {
    /// The maximum of events on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Lists the actions in a workspace, the newest first. An event appears at once, and its place in the chain a little later.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an unknown type, for a time that does not come before the other, a negative
    /// limit or a cursor that this list did not give out.
    pub async fn list_audit_events(&self, caller: &Caller, command: ListAuditEvents) -> OpResult<PageOf<ListedEvent>> {
        let scope = rules::LIST_AUDIT_EVENTS.enter(&caller.principal, command.workspace_id)?;
        let kind = command.kind.as_deref().map(str::parse::<AuditKind>).transpose();
        let kind = kind.map_err(|_| OpError::invalid_field("type", "is not a type of audit event"))?;
        fields::span(command.from, command.to)?;
        let key = ListKey::of("audit events", scope)
            .and_id(command.actor_id)
            .and_code(kind.map(AuditKind::code))
            .and_time(command.from)
            .and_time(command.to);
        let request = self.page_request(&key, command.limit, &command.cursor)?;
        let actor = match command.actor_id {
            Some(id) => Some(self.audited_actor(scope, id).await?),
            None => None,
        };
        let filter = AuditFilter { actor, kind, from: command.from, to: command.to };
        Ok(self.audit_page(&key, self.to_show(caller, scope).audit_logs().list_events(scope, filter, request).await?))
    }

    /// Lists the log of the caller's user and the user's actions in every other log, the newest first.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`; `invalid_argument` for a negative limit or a cursor that this list did
    /// not give out.
    pub async fn list_my_audit_events(
        &self,
        caller: &Caller,
        command: ListMyAuditEvents,
    ) -> OpResult<PageOf<ListedEvent>> {
        let user_id = caller.principal.act_as_user()?;
        let key = ListKey::of_user("own audit events", user_id);
        let request = self.page_request(&key, command.limit, &command.cursor)?;
        Ok(self.audit_page(&key, self.ports.store.audit_logs().list_own_events(user_id, request).await?))
    }

    /// Returns the key of the workspace that has this id, or else the user.
    async fn audited_actor(&self, scope: WorkspaceScope, id: Id<()>) -> OpResult<AuditActor> {
        let key = ApiKeyId::from_bytes(id.to_bytes());
        let is_key = self.ports.store.api_keys().find(scope, key).await?.is_some();
        Ok(if is_key { AuditActor::ApiKey(key) } else { AuditActor::User(UserId::from_bytes(id.to_bytes())) })
    }

    fn audit_page(&self, key: &ListKey, page: AuditPage) -> PageOf<ListedEvent> {
        let last = page.events.last().filter(|_| page.more);
        let next_cursor = last.map(|listed| self.write_cursor(key, listed.sealed.event.id.to_bytes()));
        PageOf { entries: page.events, next_cursor: next_cursor.unwrap_or_default() }
    }
}

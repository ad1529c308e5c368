//! Reads of the audit log.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{AuditEvent, AuditHead, AuditHome, SealedEvent, StoredLink, WaitingEvent};
use tradepost_domain::id::{AuditEventId, AuditLogId, OfAuditEvent, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::ONLY;
use tradepost_ports::store::{
    AuditActor, AuditFilter, AuditLogs, AuditPage, AuditScope, AuditState, ListedEvent, PageRequest, StoreResult,
};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl AuditLogs for MemoryStore {
    async fn list_waiting_events(&self, after: Option<AuditEventId>, limit: u32) -> StoreResult<Vec<WaitingEvent>> {
        let state = self.state();
        let waits = |(log, id)| state.place_of(log, id).is_none() && after.is_none_or(|after| id > after);
        let mut waiting: Vec<_> = state.audited.iter().filter(|(key, _)| waits(**key)).collect();
        waiting.sort_by_key(|((_, event_id), _)| *event_id);
        waiting.truncate(limit as usize);
        let listed = |(&(log_id, event_id), sealed): (&_, &SealedEvent)| WaitingEvent {
            log_id,
            event_id,
            event: Some(sealed.clone()),
        };
        Ok(waiting.into_iter().map(listed).collect())
    }
    async fn find_head(&self, log: AuditLogId) -> StoreResult<Option<Seen<AuditHead>>> {
        Ok(self.state().find(log.to_bytes(), ONLY))
    }
    async fn list_heads(&self, after: Option<AuditLogId>, limit: u32) -> StoreResult<Vec<Seen<AuditHead>>> {
        let mut heads = self.state().all(|head: &AuditHead| after.is_none_or(|after| head.log_id > after));
        heads.sort_by_key(|head| head.peek().log_id);
        heads.truncate(limit as usize);
        Ok(heads)
    }
    async fn find_state(&self, scope: AuditScope) -> StoreResult<AuditState> {
        let (state, log) = (self.state(), scope.log_id());
        let events = state.audited.keys().filter(|(of, _)| *of == log).map(|_| 1).sum();
        let links = state.chained.keys().filter(|(of, _)| *of == log).map(|_| 1).sum();
        Ok(AuditState {
            head: state.find(log.to_bytes(), ONLY),
            events,
            links,
            waiting: events - links,
            began: Timestamp::MIN,
        })
    }
    async fn list_links(&self, scope: AuditScope, after: i64, limit: u32) -> StoreResult<Vec<StoredLink>> {
        let (state, log) = (self.state(), scope.log_id());
        let links = state.chained.range((log, after + 1)..=(log, i64::MAX)).take(limit as usize);
        let stored =
            links.map(|(_, link)| StoredLink { link: *link, event: state.audited.get(&(log, link.event_id)).cloned() });
        Ok(stored.collect())
    }
    async fn list_events(
        &self,
        scope: WorkspaceScope,
        filter: AuditFilter,
        page: PageRequest<OfAuditEvent>,
    ) -> StoreResult<AuditPage> {
        let home = AuditHome::Workspace(scope.workspace_id());
        Ok(self.state().audit_page(&page, |event| event.home == home && is_wanted(event, &filter)))
    }
    async fn list_own_events(&self, user: UserId, page: PageRequest<OfAuditEvent>) -> StoreResult<AuditPage> {
        let done = AuditActor::User(user);
        Ok(self.state().audit_page(&page, |event| event.home == AuditHome::User(user) || is_by(event, done)))
    }
}

fn is_wanted(event: &AuditEvent, filter: &AuditFilter) -> bool {
    let millis = |at: Timestamp| at.as_micros().div_euclid(1_000);
    filter.kind.is_none_or(|kind| kind == event.kind)
        && filter.actor.is_none_or(|actor| is_by(event, actor))
        && filter.from.is_none_or(|from| millis(from) <= millis(event.at))
        && filter.to.is_none_or(|to| millis(event.at) < millis(to))
}

fn is_by(event: &AuditEvent, actor: AuditActor) -> bool {
    match (event.actor, actor) {
        (Some(Actor::User(user) | Actor::ApiKey { user, .. }), AuditActor::User(wanted)) => user == wanted,
        (Some(Actor::ApiKey { key, .. }), AuditActor::ApiKey(wanted)) => key == wanted,
        (Some(Actor::User(_)), AuditActor::ApiKey(_)) | (Some(Actor::System) | None, _) => false,
    }
}

impl State {
    fn place_of(&self, log: AuditLogId, event: AuditEventId) -> Option<(i64, [u8; 32])> {
        let link = self.chained.values().find(|link| (link.log_id, link.event_id) == (log, event))?;
        Some((link.sequence, link.hash))
    }

    fn audit_page(&self, page: &PageRequest<OfAuditEvent>, wanted: impl Fn(&AuditEvent) -> bool) -> AuditPage {
        let mut found: Vec<_> = self.audited.iter().filter(|(_, sealed)| wanted(&sealed.event)).collect();
        found.retain(|((_, id), _)| page.before.is_none_or(|before| *id < before));
        found.sort_by_key(|((_, id), _)| std::cmp::Reverse(*id));
        let limit = page.limit as usize;
        let more = found.len() > limit;
        let listed = found
            .into_iter()
            .take(limit)
            .map(|((log, event), sealed)| ListedEvent { sealed: sealed.clone(), chained: self.place_of(*log, *event) });
        AuditPage { more, events: listed.collect() }
    }
}

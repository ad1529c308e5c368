//! Promises about the audit log and the chain over it.

use std::slice;

use tradepost_domain::accounts::audit::{
    AuditEvent, AuditHead, AuditHome, AuditKind, SealedEvent, StoredLink, WaitingEvent,
};
use tradepost_domain::id::{Id, OfAuditEvent};
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::{AppendedRow, Committed};
use tradepost_ports::store::{
    AuditActor, AuditFilter, AuditPage, AuditScope, PageRequest, Store, StoreError, StoreResult, Unique,
};

use crate::samples::{Samples, Scene, minute};
use crate::store_contract::{insert, system, values};

const ALL: PageRequest<OfAuditEvent> = PageRequest { before: None, limit: 200 };

async fn write(store: &dyn Store, sealed: &[SealedEvent]) -> StoreResult<Committed> {
    let mut changes = system();
    for sealed in sealed {
        changes.append(AppendedRow::Audit(sealed.clone()));
    }
    store.commit(changes).await
}

/// Chains all waiting events of a log.
async fn chain(store: &dyn Store, home: AuditHome) -> StoreResult<Committed> {
    let waiting = store.audit_logs().list_waiting_events(None, 100).await?;
    let waiting: Vec<WaitingEvent> = waiting.into_iter().filter(|event| event.log_id == home.log_id()).collect();
    let mut changes = system();
    let links = if let Some(head) = store.audit_logs().find_head(home.log_id()).await? {
        let mut links = Vec::new();
        let extend = |head: AuditHead| {
            let (head, chained) = head.chain(&waiting);
            links = chained;
            Ok::<_, std::convert::Infallible>(head)
        };
        changes.revise(head, extend).unwrap();
        links
    } else {
        let (head, links) = AuditHead::empty(home.log_id()).chain(&waiting);
        changes.insert(head);
        links
    };
    for link in links {
        changes.append(AppendedRow::AuditLink(link));
    }
    store.commit(changes).await
}

fn events(page: &AuditPage) -> Vec<AuditEvent> {
    page.events.iter().map(|listed| listed.sealed.event.clone()).collect()
}

fn of_type(sealed: SealedEvent, kind: AuditKind) -> SealedEvent {
    SealedEvent { event: AuditEvent { kind, ..sealed.event }, ..sealed }
}

pub async fn an_audit_event_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let sealed = scene.samples.audited(scene.id());
    write(store, std::slice::from_ref(&sealed)).await.unwrap();
    let page = store.audit_logs().list_events(scene.scope(), AuditFilter::default(), ALL).await.unwrap();
    assert_eq!(page.events.iter().map(|listed| &listed.sealed).collect::<Vec<_>>(), [&sealed]);
    assert_eq!((page.events[0].chained, page.more), (None, false));
}

pub async fn an_audit_event_of_nobody_is_read_back_whole(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.id();
    let sealed = samples.audited_of(user);
    write(store, std::slice::from_ref(&sealed)).await.unwrap();
    let page = store.audit_logs().list_own_events(user, ALL).await.unwrap();
    assert_eq!(events(&page), [sealed.event]);
}

pub async fn an_audit_event_is_never_written_over(store: &dyn Store) {
    let sealed = Samples::seeded(1).audited_in(AuditHome::Installation);
    write(store, std::slice::from_ref(&sealed)).await.unwrap();
    assert_eq!(write(store, &[sealed]).await, Err(StoreError::Duplicate(Unique::Address)));
}

pub async fn what_is_not_chained_waits_the_oldest_first(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [first, second] = [(); 2].map(|()| samples.audited_in(AuditHome::Installation));
    write(store, &[second.clone(), first.clone()]).await.unwrap();
    let waits = |sealed: &SealedEvent| WaitingEvent {
        log_id: AuditHome::Installation.log_id(),
        event_id: sealed.event.id,
        event: Some(sealed.clone()),
    };
    assert_eq!(store.audit_logs().list_waiting_events(None, 1).await.unwrap(), [waits(&first)]);
    let after = Some(first.event.id);
    assert_eq!(store.audit_logs().list_waiting_events(after, 10).await.unwrap(), [waits(&second)]);
}

pub async fn what_is_chained_waits_no_more(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [first, second] = [(); 2].map(|()| scene.samples.audited(scene.id()));
    write(store, &[first.clone(), second.clone()]).await.unwrap();
    chain(store, first.event.home).await.unwrap();
    assert_eq!(store.audit_logs().list_waiting_events(None, 10).await.unwrap(), []);
    let links = store.audit_logs().list_links(AuditScope::Workspace(scene.scope()), 0, 10).await.unwrap();
    let found: Vec<_> = links.iter().map(|StoredLink { link, event }| (link.sequence, event.clone())).collect();
    assert_eq!(found, [(1, Some(first)), (2, Some(second))]);
    let page = store.audit_logs().list_events(scene.scope(), AuditFilter::default(), ALL).await.unwrap();
    let places: Vec<_> = page.events.iter().map(|listed| listed.chained).collect();
    assert_eq!(places, [Some((2, links[1].link.hash)), Some((1, links[0].link.hash))]);
}

pub async fn a_chain_goes_on_from_its_head(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let scope = AuditScope::Workspace(scene.scope());
    for _ in 0..3 {
        let sealed = scene.samples.audited(scene.id());
        write(store, std::slice::from_ref(&sealed)).await.unwrap();
        chain(store, sealed.event.home).await.unwrap();
    }
    let links = store.audit_logs().list_links(scope, 1, 10).await.unwrap();
    assert_eq!(links.iter().map(|stored| stored.link.sequence).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(links[1].link.prev_hash, links[0].link.hash);
    let head = store.audit_logs().find_head(scope.log_id()).await.unwrap().unwrap();
    assert_eq!((head.peek().sequence, head.peek().hash), (3, links[1].link.hash));
}

pub async fn an_event_is_chained_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let sealed = scene.samples.audited(scene.id());
    write(store, std::slice::from_ref(&sealed)).await.unwrap();
    chain(store, sealed.event.home).await.unwrap();
    let head = store.audit_logs().find_head(sealed.event.home.log_id()).await.unwrap().unwrap();
    let again = WaitingEvent { log_id: head.peek().log_id, event_id: sealed.event.id, event: Some(sealed) };
    let (_, links) = head.peek().chain(&[again]);
    let mut changes = system();
    changes.append(AppendedRow::AuditLink(links[0]));
    assert_eq!(store.commit(changes).await, Err(StoreError::Duplicate(Unique::ChainedEvent)));
}

pub async fn an_audit_log_reports_its_state(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let scope = AuditScope::Workspace(scene.scope());
    let state = store.audit_logs().find_state(scope).await.unwrap();
    assert!(state.head.is_none());
    assert_eq!((state.events, state.links, state.waiting), (0, 0, 0));
    let sealed = [(); 2].map(|()| scene.samples.audited(scene.id()));
    write(store, &sealed[..1]).await.unwrap();
    chain(store, sealed[0].event.home).await.unwrap();
    write(store, &sealed[1..]).await.unwrap();
    let state = store.audit_logs().find_state(scope).await.unwrap();
    assert_eq!(state.head.map(|head| head.peek().sequence), Some(1));
    assert_eq!((state.events, state.links, state.waiting), (2, 1, 1));
}

pub async fn logs_are_apart(store: &dyn Store) {
    let (scene, other) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [sealed, foreign] = [&scene, &other].map(|scene| scene.samples.audited(scene.id()));
    write(store, &[sealed.clone(), foreign.clone()]).await.unwrap();
    chain(store, foreign.event.home).await.unwrap();
    let page = store.audit_logs().list_events(scene.scope(), AuditFilter::default(), ALL).await.unwrap();
    assert_eq!(events(&page), [sealed.event]);
    assert_eq!(store.audit_logs().list_links(AuditScope::Workspace(scene.scope()), 0, 10).await.unwrap(), []);
    assert_eq!(store.audit_logs().list_links(AuditScope::Workspace(other.scope()), 0, 10).await.unwrap().len(), 1);
}

pub async fn the_ends_of_all_logs_are_listed_some_at_a_time(store: &dyn Store) {
    let homes = [AuditHome::Installation, AuditHome::User(Scene::founded(store, 1).await.user.id)];
    let heads = homes.map(|home| AuditHead { former_until: 7, ..AuditHead::empty(home.log_id()) });
    insert(store, heads.map(Into::into)).await.unwrap();
    let list = async |after, limit| values(store.audit_logs().list_heads(after, limit).await.unwrap());
    assert_eq!(list(None, 10).await, heads);
    assert_eq!(list(None, 1).await, heads[..1]);
    assert_eq!(list(Some(heads[0].log_id), 10).await, heads[1..]);
}

pub async fn audit_events_are_listed_newest_first_by_page(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [first, second, third] = [(); 3].map(|()| scene.samples.audited(scene.id()));
    write(store, &[first.clone(), second.clone(), third.clone()]).await.unwrap();
    let list = async |before: Option<Id<OfAuditEvent>>| {
        let page = PageRequest { before, limit: 2 };
        store.audit_logs().list_events(scene.scope(), AuditFilter::default(), page).await.unwrap()
    };
    let page = list(None).await;
    assert_eq!((events(&page), page.more), (vec![third.event, second.event.clone()], true));
    let page = list(Some(second.event.id)).await;
    assert_eq!((events(&page), page.more), (vec![first.event], false));
}

pub async fn audit_events_are_listed_by_type_actor_and_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let created = scene.samples.audited(scene.id());
    let revoked = of_type(scene.samples.audited(scene.id()), AuditKind::ApiKeyRevoked);
    write(store, &[created.clone(), revoked.clone()]).await.unwrap();
    let Some(Actor::ApiKey { key, user }) = created.event.actor else { panic!("the sample is of a key") };
    let list =
        async |filter: AuditFilter| events(&store.audit_logs().list_events(scene.scope(), filter, ALL).await.unwrap());
    let all = AuditFilter::default();
    let (created, revoked) = (created.event, revoked.event);
    assert_eq!(list(AuditFilter { kind: Some(AuditKind::ApiKeyRevoked), ..all }).await, slice::from_ref(&revoked));
    assert_eq!(list(AuditFilter { actor: Some(AuditActor::User(user)), ..all }).await, slice::from_ref(&created));
    assert_eq!(list(AuditFilter { actor: Some(AuditActor::ApiKey(key)), ..all }).await, slice::from_ref(&created));
    let both = AuditFilter { actor: Some(AuditActor::User(user)), kind: Some(AuditKind::ApiKeyRevoked), ..all };
    assert_eq!(list(both).await, []);
    let (here, later) = (Some(created.at), Some(minute(1)));
    assert_eq!(list(AuditFilter { from: here, to: later, ..all }).await, [revoked, created]);
    assert_eq!(list(AuditFilter { to: here, ..all }).await, []);
    assert_eq!(list(AuditFilter { from: later, ..all }).await, []);
}

pub async fn a_user_sees_their_own_log_and_what_they_did(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let by_a_key = scene.samples.audited(scene.id()).event;
    let Some(Actor::ApiKey { user, .. }) = by_a_key.actor else { panic!("the sample is of a key") };
    let theirs = scene.samples.audited_of(user);
    let by_another = scene.samples.audited(scene.id());
    write(store, &[SealedEvent { event: by_a_key.clone(), mac: [7; 32] }, theirs.clone(), by_another]).await.unwrap();
    let page = store.audit_logs().list_own_events(user, ALL).await.unwrap();
    assert_eq!((events(&page), page.more), (vec![theirs.event.clone(), by_a_key.clone()], false));
    let page = store.audit_logs().list_own_events(user, PageRequest { before: None, limit: 1 }).await.unwrap();
    assert_eq!((events(&page), page.more), (vec![theirs.event.clone()], true));
    let page = store
        .audit_logs()
        .list_own_events(user, PageRequest { before: Some(theirs.event.id), limit: 1 })
        .await
        .unwrap();
    assert_eq!((events(&page), page.more), (vec![by_a_key], false));
}

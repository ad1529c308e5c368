//! The laws of the chain, and of what it is made of.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::accounts::audit::{AuditEvent, AuditHome, AuditKind, Fact};
use crate::id::{ApiKeyId, UserId, WorkspaceId};
use crate::time::Timestamp;
use crate::transition::Actor;

const MAC: [u8; 32] = [9; 32];

fn home() -> AuditHome {
    AuditHome::Workspace(WorkspaceId::from_bytes([1; 16]))
}

fn event(number: u8) -> AuditEvent {
    AuditEvent {
        id: AuditEventId::from_bytes([number; 16]),
        home: home(),
        kind: AuditKind::ApiKeyCreated,
        actor: Some(Actor::User(UserId::from_bytes([2; 16]))),
        subject: Some(ApiKeyId::from_bytes([3; 16]).into()),
        client: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
        details: vec![(Fact::KeyPrefix, "tpk_abcd".to_owned())],
        at: Timestamp::from_micros(5).unwrap(),
    }
}

fn stored(numbers: &[u8]) -> (AuditHead, Vec<StoredLink>) {
    let waiting: Vec<WaitingEvent> = numbers.iter().map(|number| waiting(event(*number))).collect();
    let (head, links) = AuditHead::empty(home().log_id()).chain(&waiting);
    let stored = links.into_iter().zip(waiting).map(|(link, waiting)| StoredLink { link, event: waiting.event });
    (head, stored.collect())
}

fn waiting(event: AuditEvent) -> WaitingEvent {
    WaitingEvent { log_id: home().log_id(), event_id: event.id, event: Some(SealedEvent { event, mac: MAC }) }
}

fn walk(links: &[StoredLink]) -> AuditWalk {
    let mut walk = AuditWalk::along(home().log_id());
    for link in links {
        walk.step(link, |sealed| sealed.mac == MAC);
    }
    walk
}

#[test]
fn a_chain_that_nobody_touched_holds_to_its_head() {
    let (head, links) = stored(&[1, 2, 3]);
    let walk = walk(&links);
    assert_eq!((walk.checked(), walk.has_stopped(), walk.ends_at(&head)), (3, false, true));
}

#[test]
fn a_chain_continues_from_its_head() {
    let (head, mut links) = stored(&[1, 2]);
    let more = waiting(event(3));
    let (head, appended) = head.chain(std::slice::from_ref(&more));
    links.extend(appended.into_iter().map(|link| StoredLink { link, event: more.event.clone() }));
    assert!(walk(&links).ends_at(&head));
}

#[test]
fn an_edited_event_stops_the_walk_at_its_sequence() {
    let (_, mut links) = stored(&[1, 2, 3]);
    links[1].event.as_mut().unwrap().event.kind = AuditKind::ApiKeyRevoked;
    assert_eq!((walk(&links).checked(), walk(&links).has_stopped()), (1, true));
}

#[test]
fn an_event_of_somebody_else_stops_the_walk() {
    let (_, mut links) = stored(&[1, 2, 3]);
    links[2].event.as_mut().unwrap().mac = [0; 32];
    assert_eq!((walk(&links).checked(), walk(&links).has_stopped()), (2, true));
}

#[test]
fn a_missing_event_stops_the_walk_even_if_it_was_chained_so() {
    let lost = WaitingEvent { event: None, ..waiting(event(1)) };
    let (_, links) = AuditHead::empty(home().log_id()).chain(&[lost]);
    let links: Vec<_> = links.into_iter().map(|link| StoredLink { link, event: None }).collect();
    assert_eq!((walk(&links).checked(), walk(&links).has_stopped()), (0, true));
}

#[test]
fn a_missing_link_stops_the_walk() {
    let (_, mut links) = stored(&[1, 2, 3]);
    links.remove(1);
    assert_eq!((walk(&links).checked(), walk(&links).has_stopped()), (1, true));
}

#[test]
fn swapped_events_stop_the_walk() {
    let (_, mut links) = stored(&[1, 2, 3]);
    let first = links[0].event.take();
    links[0].event = links[1].event.take();
    links[1].event = first;
    assert_eq!((walk(&links).checked(), walk(&links).has_stopped()), (0, true));
}

#[test]
fn a_chain_that_was_cut_does_not_reach_its_head() {
    let (head, mut links) = stored(&[1, 2, 3]);
    links.pop();
    assert!(!walk(&links).has_stopped());
    assert!(!walk(&links).ends_at(&head));
}

#[test]
fn no_two_events_have_the_same_bytes() {
    let base = event(1);
    let others = [
        AuditEvent { id: AuditEventId::from_bytes([8; 16]), ..base.clone() },
        AuditEvent { home: AuditHome::User(UserId::from_bytes([1; 16])), ..base.clone() },
        AuditEvent { home: AuditHome::Installation, ..base.clone() },
        AuditEvent { kind: AuditKind::ApiKeyRevoked, ..base.clone() },
        AuditEvent { actor: None, ..base.clone() },
        AuditEvent { actor: Some(Actor::System), ..base.clone() },
        AuditEvent { subject: None, ..base.clone() },
        AuditEvent { subject: Some(UserId::from_bytes([3; 16]).into()), ..base.clone() },
        AuditEvent { client: None, ..base.clone() },
        AuditEvent { details: Vec::new(), ..base.clone() },
        AuditEvent { details: vec![(Fact::Policies, "tpk_abcd".to_owned())], ..base.clone() },
        AuditEvent { details: vec![(Fact::KeyPrefix, "tpk_abc".to_owned())], ..base.clone() },
        AuditEvent { at: Timestamp::from_micros(6).unwrap(), ..base.clone() },
    ];
    let bytes: BTreeSet<Vec<u8>> = others.iter().chain([&base]).map(AuditEvent::canonical).collect();
    assert_eq!(bytes.len(), others.len() + 1);
}

/// Written down so that a change of the form, after which no stored chain would hold, does not go unnoticed.
#[test]
fn the_hash_of_an_event_stays_what_it_is() {
    let (head, _) = stored(&[1]);
    let hash: String = head.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "44fd1fb2648550e9e20bdf87c936ba6132a9cc3f2e71e203f1a8a30a2f37f2db");
}

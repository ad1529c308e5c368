//! The list of an account's friends. Steam shows it whole, without names, and without the time since which they are friends.

use std::num::NonZeroU64;

use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::trading::friend::{FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::PlatformResult;

use crate::reading::{Entry, FLAG, MAYBE_ARRAY, NUMBER, OBJECT, known, needed, response, unavailable};
use crate::routes::FRIENDS;
use crate::signed_in::SignedIn;

const SHAPE: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.response", OBJECT),
    needed("$.response.friendslist", OBJECT),
    known("$.response.friendslist.bincremental", FLAG),
    known("$.response.friendslist.friends", MAYBE_ARRAY),
    known("$.response.friendslist.friends[]", OBJECT),
    needed("$.response.friendslist.friends[].ulfriendid", NUMBER),
    needed("$.response.friendslist.friends[].efriendrelationship", NUMBER),
];

/// Reads every account to which this one is related.
pub(super) async fn friends(account: &SignedIn<'_>) -> PlatformResult<Vec<ShownFriend>> {
    read_friends(&account.read(FRIENDS, &[]).await?)
}

/// Reads the relation to another account.
pub(super) async fn relation(account: &SignedIn<'_>, user: PlatformUserId) -> PlatformResult<FriendRelation> {
    let found = friends(account).await?.into_iter().find(|shown| shown.user == user);
    Ok(found.map_or(FriendRelation::None, |shown| shown.relation))
}

fn read_friends(answer: &ServiceAnswer) -> PlatformResult<Vec<ShownFriend>> {
    // An answer without a list would end every friendship on record.
    let whole = response(answer, &[SHAPE])?.ok_or_else(|| unavailable("no list of friends"))?;
    let list = Entry::of(&whole).object("response")?.object("friendslist")?;
    if list.maybe_flag("bincremental")? == Some(true) {
        return Err(unavailable("what changed of the list of friends, and not the list"));
    }
    let shown = list.list("friends").into_iter().map(|entry| friend(&entry));
    shown.filter_map(Result::transpose).collect()
}

/// Returns the friend of an entry; nothing for a group, which is of another kind, and for a relation for which the port has no word.
fn friend(entry: &Entry<'_>) -> PlatformResult<Option<ShownFriend>> {
    let number: NonZeroU64 = entry.id("ulfriendid")?;
    let user = PlatformUserId::new(number);
    let relation = relation_of(entry.number("efriendrelationship")?).filter(|_| user.is_individual());
    Ok(relation.map(|relation| ShownFriend { user, relation, name: None, friend_since: None }))
}

/// Returns the relation of a number; nothing where the accounts are not related, and for a number that is not known.
///
/// Valve's names mislead: what it calls blocked is a request that was ignored, and what it calls ignored is an account that is blocked from
/// comments and chat (`EFriendRelationship` in `isteamfriends.h`).
const fn relation_of(number: u64) -> Option<FriendRelation> {
    match number {
        1 => Some(FriendRelation::Ignored),
        2 => Some(FriendRelation::TheyAsked),
        3 => Some(FriendRelation::Friend),
        4 => Some(FriendRelation::WeAsked),
        // The second one is a friend who is blocked.
        5 | 6 => Some(FriendRelation::Blocked),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::reading::tests::{answer, answer_of, swapped, unknown_text};

    const FIRST: u64 = 76_561_198_046_968_201;

    fn entry(number: u64, relation: u64) -> Value {
        json!({ "ulfriendid": number.to_string(), "efriendrelationship": relation })
    }

    fn list(entries: &[Value]) -> Value {
        json!({ "friendslist": { "bincremental": false, "friends": entries } })
    }

    fn shown(number: u64, relation: FriendRelation) -> ShownFriend {
        let user = PlatformUserId::new(NonZeroU64::new(number).unwrap());
        ShownFriend { user, relation, name: None, friend_since: None }
    }

    #[test]
    fn every_relation_that_the_port_knows_is_read_and_numbers_may_be_text() {
        let entries: Vec<Value> = (1..=6).map(|relation| entry(FIRST + relation, relation)).collect();
        let expected = vec![
            shown(FIRST + 1, FriendRelation::Ignored),
            shown(FIRST + 2, FriendRelation::TheyAsked),
            shown(FIRST + 3, FriendRelation::Friend),
            shown(FIRST + 4, FriendRelation::WeAsked),
            shown(FIRST + 5, FriendRelation::Blocked),
            shown(FIRST + 6, FriendRelation::Blocked),
        ];
        let content = list(&entries);
        assert_eq!(read_friends(&answer(&content)), Ok(expected.clone()));
        assert_eq!(read_friends(&answer(&swapped(&content))), Ok(expected));
    }

    #[test]
    fn accounts_that_are_not_related_unknown_relations_and_groups_are_left_out() {
        let group = 103_582_791_429_521_408;
        let entries = [entry(FIRST, 0), entry(FIRST, 7), entry(FIRST, 4_242), entry(group, 3), entry(FIRST, 3)];
        assert_eq!(read_friends(&answer(&list(&entries))), Ok(vec![shown(FIRST, FriendRelation::Friend)]));
    }

    #[test]
    fn an_account_without_friends_has_an_empty_list() {
        for content in [list(&[]), json!({ "friendslist": {} }), json!({ "friendslist": { "bincremental": false } })] {
            assert_eq!(read_friends(&answer(&content)), Ok(Vec::new()));
        }
    }

    #[test]
    fn an_answer_without_a_list_or_with_a_part_of_one_proves_nothing() {
        unknown_text(read_friends(&answer(&json!({}))));
        unknown_text(read_friends(&answer(&json!({ "friendslist": { "bincremental": true } }))));
        unknown_text(read_friends(&answer_of(None, r#"{"response":{}}"#)));
        unknown_text(read_friends(&answer_of(Some("2"), r#"{"success":false}"#)));
    }

    #[test]
    fn an_entry_that_cannot_be_read_makes_the_whole_list_unknown() {
        let without_relation = json!({ "ulfriendid": "7" });
        for wrong in [entry(0, 3), without_relation, json!({ "ulfriendid": true, "efriendrelationship": 3 })] {
            let text = unknown_text(read_friends(&answer(&list(&[entry(FIRST, 3), wrong]))));
            assert!(text.starts_with("SHAPE_DRIFT: $.response.friendslist.friends[]."), "{text}");
        }
    }
}

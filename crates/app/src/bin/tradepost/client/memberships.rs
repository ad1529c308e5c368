//! Memberships by what people know of them: the name of a member, and the address of an invitation.

use serde_json::Value;

use super::names::{ambiguous, unknown};
use super::records::{USERS, members::MEMBERSHIPS};
use super::{Client, ids, view};
use crate::failure::Outcome;

/// The statuses that have not ended. A membership that has ended has an id alone.
const LIVE: [&str; 3] = ["MEMBERSHIP_STATUS_INVITED", "MEMBERSHIP_STATUS_ACCEPTED", "MEMBERSHIP_STATUS_SUSPENDED"];

impl Client {
    /// The id of a membership that is given by it, by the name of its member, or by the address of an invitation.
    pub(super) async fn membership_of(&self, given: &str) -> Outcome<String> {
        if let Some(id) = ids::to_wire(given) {
            return Ok(id);
        }
        let members = self.all(&MEMBERSHIPS).await?;
        let users = self.users_of(&members).await?;
        match meant(&members, &users, given).as_slice() {
            [one] => Ok(view::plain(&one["id"])),
            [] => Err(unknown(&USERS, given, members.iter().filter_map(|member| known_as(member, &users)))),
            several => Err(ambiguous(&USERS, given, several)),
        }
    }
}

/// The memberships that a name or an address means; capital letters matter only between two that differ by them alone.
fn meant<'a>(members: &'a [Value], users: &[Value], given: &str) -> Vec<&'a Value> {
    let named = |accepts: &dyn Fn(&str) -> bool| -> Vec<&'a Value> {
        members.iter().filter(|member| known_as(member, users).is_some_and(accepts)).collect()
    };
    let exact = named(&|name| name == given);
    if exact.is_empty() { named(&|name| name.eq_ignore_ascii_case(given)) } else { exact }
}

/// What people call a membership.
fn known_as<'a>(member: &'a Value, users: &'a [Value]) -> Option<&'a str> {
    if !LIVE.contains(&member["status"].as_str()?) {
        return None;
    }
    // The interface shows the address of an invitation, and of a member the name.
    let invited = member["invitation"]["email"].as_str().filter(|address| !address.is_empty());
    let user = || users.iter().find(|user| user["id"].is_string() && user["id"] == member["userId"]);
    invited.or_else(|| user()?["displayName"].as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meant_by(given: &str) -> Vec<i64> {
        let invitation = json!({ "email": "ada@example.com" });
        let member = |id: u32, status: &str, user: &str| json!({ "id": id, "status": status, "userId": user });
        let members = [
            json!({ "id": 1, "status": "MEMBERSHIP_STATUS_INVITED", "userId": "", "invitation": invitation }),
            member(2, "MEMBERSHIP_STATUS_REMOVED", "b"),
            member(3, "MEMBERSHIP_STATUS_ACCEPTED", "b"),
            member(4, "MEMBERSHIP_STATUS_ACCEPTED", "c"),
            member(5, "MEMBERSHIP_STATUS_ACCEPTED", "d"),
            member(6, "MEMBERSHIP_STATUS_SUSPENDED", "e"),
        ];
        let user = |id: &str, name: &str| json!({ "id": id, "displayName": name });
        let users = [user("b", "Bob"), user("c", "Carol"), user("d", "carol")];
        meant(&members, &users, given).iter().filter_map(|member| member["id"].as_i64()).collect()
    }

    #[test]
    fn a_member_is_meant_by_name_and_an_invitation_by_its_address() {
        assert_eq!(meant_by("Bob"), [3]);
        assert_eq!(meant_by("bob"), [3]);
        assert_eq!(meant_by("Ada@example.com"), [1]);
        assert_eq!(meant_by("Eve"), Vec::<i64>::new());
    }

    #[test]
    fn names_that_differ_by_capital_letters_alone_mean_different_members() {
        assert_eq!((meant_by("Carol"), meant_by("carol"), meant_by("CAROL")), (vec![4], vec![5], vec![4, 5]));
    }
}

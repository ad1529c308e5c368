//! Friends, as an operator meets them: the released program trades, partners of its trades ask for friendship, and the platform decides.

use serde_json::{Value, json};

use super::live_demo::LiveDemo;

impl LiveDemo {
    /// The first friend in a relation, once there is one. Only of one account if it is given.
    pub(super) async fn friend(&self, relation: &str, account: Option<&Value>) -> Value {
        let mut request = json!({ "relation": format!("FRIEND_RELATION_{relation}") });
        if let Some(account) = account {
            request["accountId"] = account.clone();
        }
        let is_there = |answer: &Value| answer["friendIds"].as_array().is_some_and(|ids| !ids.is_empty());
        let listed = self.until("ListFriends", request, is_there).await;
        let batch = self.call("GetFriends", json!({ "friendIds": [listed["friendIds"][0]] })).await;
        batch["friends"][0].clone()
    }

    /// Asks for something, and waits until the platform shows the relation that it leads to.
    async fn reach(&self, method: &str, friend: &Value, relation: &str) {
        let id = json!({ "friendId": friend["id"] });
        self.call(method, id.clone()).await;
        let is_reached = |answer: &Value| {
            answer["friend"]["relation"] == format!("FRIEND_RELATION_{relation}").as_str()
                && answer["friend"]["actionState"] == "FRIEND_ACTION_STATE_DONE"
        };
        self.until("GetFriend", id, is_reached).await;
    }
}

#[tokio::test]
async fn a_partner_who_asks_for_friendship_is_accepted_blocked_and_unblocked_by_the_engine() {
    let demo = LiveDemo::start().await;
    let asking = demo.friend("THEY_ASKED", None).await;
    demo.reach("AcceptFriend", &asking, "FRIEND").await;
    let again = json!({ "friendId": asking["id"] });
    demo.refuse("AcceptFriend", again.clone(), "failed_precondition", "ILLEGAL_STEP").await;
    demo.reach("BlockFriend", &asking, "BLOCKED").await;
    demo.reach("UnblockFriend", &asking, "NONE").await;
    let refreshed = demo.call("RefreshFriends", json!({ "accountId": asking["accountId"] })).await;
    assert!(refreshed["requestedAt"].is_string(), "{refreshed}");
    let counted = demo.call("CountFriends", json!({})).await;
    assert_eq!(counted["counts"].as_array().map(Vec::len), Some(6), "{counted}");
    let shown = demo.tradepost(&["friends", "list", "--relation", "none"]).await;
    assert!(shown.contains("RELATION") && shown.lines().count() > 1, "{shown}");
}

//! Chats, as an operator meets them: two accounts of the released program become friends, and one of them writes to the other.

use serde_json::{Value, json};

use super::live_demo::LiveDemo;

const TEXT: &str = "[b]!sell[/b] everything for 0.01, see https://example.com/deal";
/// Markup is removed, and the rest is text.
const SHOWN: &str = "!sell everything for 0.01, see https://example.com/deal";

impl LiveDemo {
    /// Sends a message until the platform shows it: on a machine that stalls, a call can be lost, and it is not sent again by itself.
    async fn deliver(&self, message: &Value) {
        loop {
            let written = self.call("SendMessage", message.clone()).await;
            let ids = json!({ "messageIds": [written["message"]["id"]] });
            let is_settled = |answer: &Value| {
                let status = &answer["messages"][0]["status"];
                status == "CHAT_MESSAGE_STATUS_SENT" || status == "CHAT_MESSAGE_STATUS_FAILED"
            };
            let settled = self.until("GetMessages", ids, is_settled).await;
            if settled["messages"][0]["status"] == "CHAT_MESSAGE_STATUS_SENT" {
                return;
            }
            assert_eq!(settled["messages"][0]["failure"], "NOT_SHOWN", "{settled}");
        }
    }

    async fn first_message(&self, account: &Value, status: &str) -> [Value; 2] {
        let of = json!({ "accountId": account["id"] });
        let is_there = |answer: &Value| answer["conversationIds"].as_array().is_some_and(|ids| !ids.is_empty());
        let listed = self.until("ListConversations", of, is_there).await;
        let conversation = json!({ "conversationId": listed["conversationIds"][0] });
        let messages = self.until("ListMessages", conversation.clone(), |answer| answer["messageIds"].is_array()).await;
        let ids = json!({ "messageIds": messages["messageIds"] });
        let is_so =
            |answer: &Value| answer["messages"][0]["status"] == format!("CHAT_MESSAGE_STATUS_{status}").as_str();
        let shown = self.until("GetMessages", ids, is_so).await;
        [conversation, shown["messages"][0].clone()]
    }
}

#[tokio::test]
async fn a_message_is_sent_once_and_read_as_plain_text_by_its_partner() {
    let demo = LiveDemo::start().await;
    let [ours, theirs] = demo.pair().await;
    let write = json!({ "accountId": ours["id"], "partner": theirs["platformUserId"], "text": TEXT });
    demo.refuse("SendMessage", write.clone(), "failed_precondition", "CHAT_DISABLED").await;
    demo.call("AddFriend", json!({ "accountId": ours["id"], "platformUserId": theirs["platformUserId"] })).await;
    let asking = demo.friend("THEY_ASKED", Some(&theirs["id"])).await;
    demo.call("AcceptFriend", json!({ "friendId": asking["id"] })).await;
    demo.friend("FRIEND", Some(&ours["id"])).await;
    for account in [&ours, &theirs] {
        demo.tradepost(&["accounts", "edit", account["name"].as_str().unwrap(), "--chat"]).await;
    }
    demo.deliver(&write).await;
    let [at_partner, received] = demo.first_message(&theirs, "RECEIVED").await;
    assert_eq!((&received["text"], &received["fromUs"]), (&json!(SHOWN), &json!(false)));
    let [_, sent] = demo.first_message(&ours, "SENT").await;
    assert_eq!((&sent["text"], &sent["fromUs"]), (&json!(SHOWN), &json!(true)));
    let listed = demo.call("ListMessages", at_partner.clone()).await;
    assert_eq!(listed["messageIds"].as_array().map(Vec::len), Some(1), "it is sent once: {listed}");
    demo.call("MarkConversationRead", at_partner.clone()).await;
    let read = demo.call("GetConversation", at_partner).await;
    assert_eq!(read["conversation"]["unread"], 0, "{read}");
    let shown = demo.tradepost(&["chat", "list"]).await;
    assert!(shown.lines().count() > 2, "{shown}");
    assert!(!shown.contains(SHOWN), "a list of conversations has no text: {shown}");
}

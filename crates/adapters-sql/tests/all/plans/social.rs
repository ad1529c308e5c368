//! The lists of friends, conversations and messages, each with each of its filters.

use tradepost_domain::trading::friend::FriendRelation;
use tradepost_ports::store::{ConversationFilter, FriendFilter, PageRequest, Store};
use tradepost_testkit::samples::Scene;

/// How many there are.
pub(super) const LISTS: usize = 9;

pub(super) async fn list(store: &dyn Store, scene: &Scene) {
    let scope = scene.scope();
    for account_id in [None, Some(scene.samples.id())] {
        for relation in [None, Some(FriendRelation::Friend)] {
            let filter = FriendFilter { account_id, relation };
            store.friends().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
        for unread_only in [false, true] {
            let filter = ConversationFilter { account_id, unread_only };
            store.chats().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
    }
    let conversation = scene.samples.id();
    store.chats().list_messages(scope, conversation, PageRequest { before: None, limit: 50 }).await.unwrap();
}

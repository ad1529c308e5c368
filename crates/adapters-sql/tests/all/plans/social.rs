//! The lists of friends, conversations, messages and confirmations, each with each of its filters.

use tradepost_domain::trading::confirmation::{ConfirmationKind, ConfirmationStatus};
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_ports::store::{ConfirmationFilter, ConversationFilter, FriendFilter, PageRequest, Store};
use tradepost_testkit::samples::{Scene, text};

/// How many there are.
pub(super) const LISTS: usize = 17;

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
    let name = text("trader-1");
    for account_name in [None, Some(&name)] {
        for status in [None, Some(ConfirmationStatus::Seen)] {
            for kind in [None, Some(ConfirmationKind::TradeOffer)] {
                let filter = ConfirmationFilter { account_name, status, kind };
                store.confirmations().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
            }
        }
    }
    let conversation = scene.samples.id();
    store.chats().list_messages(scope, conversation, PageRequest { before: None, limit: 50 }).await.unwrap();
}

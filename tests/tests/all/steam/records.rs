//! What is on record of trade offers, and what people ask for about them.

use std::collections::BTreeSet;

use tradepost_domain::asset::AssetId;
use tradepost_domain::id::{AccountId, TradeOfferId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_domain::trading::trade_offer::{OfferOrigin, TradeOffer};
use tradepost_operations::trading::{AssetToTrade, GetTradeOffers, ListTradeOffers, SendTradeOffer};
use tradepost_operations::{Caller, Operations, Versioned};
use tradepost_ports::game_platform::Offer;

/// The newest offers of a workspace.
pub(super) async fn newest_offers(operations: &Operations, workspace_id: WorkspaceId) -> Vec<Versioned<TradeOffer>> {
    page_of_offers(operations, workspace_id, String::new()).await.0
}

/// A page of the offers of a workspace, the newest first, and where the next one begins.
async fn page_of_offers(
    operations: &Operations,
    workspace_id: WorkspaceId,
    cursor: String,
) -> (Vec<Versioned<TradeOffer>>, String) {
    let list = ListTradeOffers {
        workspace_id,
        limit: 200,
        cursor,
        account_id: None,
        direction: None,
        status: None,
        purchase_id: None,
        inventory_item_id: None,
    };
    let page = operations.list_trade_offers(&Caller::system(), list).await.unwrap();
    if page.entries.is_empty() {
        return (Vec::new(), page.next_cursor);
    }
    let get = GetTradeOffers { workspace_id, trade_offer_ids: page.entries };
    (operations.get_trade_offers(&Caller::system(), get).await.unwrap().found, page.next_cursor)
}

/// The offers that people have asked for, by the platform's ids.
async fn asked_for(operations: &Operations, workspace_id: WorkspaceId) -> BTreeSet<ExternalId> {
    let (mut asked, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let (offers, next) = page_of_offers(operations, workspace_id, cursor).await;
        let of_people = offers.into_iter().filter(|offer| offer.value.origin == OfferOrigin::Person);
        asked.extend(of_people.filter_map(|offer| offer.value.offer_id.clone()));
        if next.is_empty() {
            return asked;
        }
        cursor = next;
    }
}

/// Asserts that of these offers, as the platform shows them to us, those that give something were confirmed on request alone, and that none gives
/// what another one gives.
pub(super) async fn assert_given_on_request_alone(operations: &Operations, workspace_id: WorkspaceId, shown: &[Offer]) {
    let (asked, mut given) = (asked_for(operations, workspace_id).await, BTreeSet::new());
    for offer in shown.iter().filter(|offer| offer.is_ours && !offer.give.is_empty()) {
        use OfferStatus as Is;
        let is_confirmed = matches!(offer.status, Is::Active | Is::Accepted | Is::InEscrow | Is::Declined);
        assert!(!is_confirmed || asked.contains(&offer.id), "no one has asked for it: {offer:?}");
        for asset in &offer.give {
            assert!(given.insert(asset.asset_id.clone()), "sent twice: {offer:?}");
        }
    }
}

/// An item that is given away.
pub(super) struct Gift<'a> {
    pub(super) account_id: AccountId,
    pub(super) to: &'a TradeAddress,
    pub(super) item: AssetId,
}

/// A person has an item sent.
pub(super) async fn ask_to_send(operations: &Operations, workspace_id: WorkspaceId, gift: Gift<'_>) -> TradeOfferId {
    let command = SendTradeOffer {
        workspace_id,
        account_id: gift.account_id,
        partner: gift.to.user.to_string(),
        token: gift.to.token.to_string(),
        gives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: gift.item.to_string() }],
        receives: Vec::new(),
        message: String::new(),
        intent_id: None,
        accept_hold: false,
    };
    operations.send_trade_offer(&Caller::system(), command).await.unwrap().value.id
}

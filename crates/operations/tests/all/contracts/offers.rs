//! Trade offers: what is seen of them, and what the steps of purchases and items say.

use time::Duration;
use tradepost_domain::contracts::inventory_item::{AssetEvidence, ItemEvent, Proceeds};
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::id::{Id, InventoryItemId, TradeOfferId};
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferDraft, OfferOwner, OfferReport, OfferTrade, OfferedAsset, TradeOffer, TradeOfferStatus,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    CountTradeOffers, DraftTradeOffer, FindUnsentTradeOffer, GetTrade, GetTradeOffer, ListTradeOffers, LoseTradeOffer,
    RecordTradeOffer,
};
use tradepost_operations::{Code, OpResult, Versioned};
use tradepost_testkit::samples::{Samples, text};

use super::items::asset;
use super::{Desk, cents, on_sale_at};

impl Desk {
    pub(super) async fn see(&self, report: OfferReport, owner: OfferOwner) -> Versioned<TradeOffer> {
        let account_name = text("trader-1");
        let command = RecordTradeOffer { workspace_id: self.workspace_id(), account_name, report, owner: Some(owner) };
        self.operations().record_trade_offer(&self.trader, command).await.unwrap()
    }

    async fn trade_offer(&self, trade_offer_id: TradeOfferId) -> TradeOffer {
        let command = GetTradeOffer { workspace_id: self.workspace_id(), trade_offer_id };
        self.operations().get_trade_offer(&self.trader, command).await.unwrap().value
    }

    async fn trade(&self, trade_id: &str) -> OpResult<OfferTrade> {
        let command = GetTrade { workspace_id: self.workspace_id(), trade_id: trade_id.to_owned() };
        Ok(self.operations().get_trade(&self.trader, command).await?.value.trade.clone().unwrap())
    }

    fn offers(&self) -> ListTradeOffers {
        ListTradeOffers {
            workspace_id: self.workspace_id(),
            limit: 0,
            cursor: String::new(),
            account_id: None,
            direction: None,
            status: None,
            purchase_id: None,
            inventory_item_id: None,
        }
    }

    async fn offers_listed(&self, command: ListTradeOffers) -> Vec<TradeOfferId> {
        self.operations().list_trade_offers(&self.trader, command).await.unwrap().entries
    }

    /// An item that was sold, and waits to be sent.
    pub(super) async fn to_be_sent(&self) -> InventoryItemId {
        let item = self.item(1).await;
        let asset_id = self.owned(item).await.value.current_asset_id().clone();
        let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
        for event in [
            ItemEvent::ListingStarted {
                place: on_sale_at(None),
                price: cents(1_500),
                takes_locked: true,
                exchange_rate: None,
            },
            ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset_id.clone() },
            ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds },
            ItemEvent::DeliveryStarted { asset_id },
        ] {
            self.advance_item(item, event).await.unwrap();
        }
        item
    }

    async fn draft(&self, item: InventoryItemId) -> TradeOffer {
        let report = report(OfferStatus::Active, "x");
        let draft =
            OfferDraft { partner: report.partner, gives: vec![offered("20001")], owner: OfferOwner::Item(item) };
        let (workspace_id, account_name) = (self.workspace_id(), text("trader-1"));
        let command = DraftTradeOffer { workspace_id, account_name, draft };
        self.operations().draft_trade_offer(&self.trader, command).await.unwrap().value
    }

    /// The steps of an offer by their names, and where each led.
    async fn steps(&self, offer: TradeOfferId) -> Vec<(&'static str, &'static str)> {
        let log = self.log(Subject::TradeOffer(offer)).await;
        log.iter().map(|step| (step.trigger, step.to)).collect()
    }
}

fn offered(asset_id: &str) -> OfferedAsset {
    OfferedAsset { asset_id: asset(asset_id), ..Samples::default().offered_asset(1) }
}

/// An offer of what listing 1 was.
pub(super) fn report(status: OfferStatus, offer_id: &str) -> OfferReport {
    let report = Samples::default().offer_report(status);
    OfferReport { offer_id: text(offer_id), receives: vec![offered("10001")], ..report }
}

/// Our offer of the item that was bought as number 1.
pub(super) fn ours(status: OfferStatus) -> OfferReport {
    let (direction, gives, receives) = (OfferDirection::Sent, vec![offered("20001")], Vec::new());
    OfferReport { direction, gives, receives, ..report(status, "offer-out") }
}

#[tokio::test]
async fn the_offer_of_a_purchase_moves_in_the_commits_of_its_steps() {
    let desk = Desk::open().await;
    let purchase = desk.pay(1).await;
    let owner = OfferOwner::Purchase(purchase);
    let impostor = desk.see(report(OfferStatus::Active, "offer-9"), owner).await.value.id;
    let seen = desk.see(report(OfferStatus::Active, "offer-1"), owner).await.value;
    assert_eq!((seen.status, seen.owner), (TradeOfferStatus::Active, Some(owner)));
    let event = PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: false };
    desk.advance(purchase, event).await.unwrap();
    desk.refused(desk.trade("trade-1"), Code::NotFound, "NOT_FOUND").await;
    let arrival = desk.arrival(purchase, 1);
    let received = desk.operations().receive_item(&desk.trader, arrival).await.unwrap();
    let trade = desk.trade("trade-1").await.unwrap();
    assert_eq!(trade.status, Some(TradeStatus::Complete));
    let [moved] = trade.assets.as_slice() else { panic!("{trade:?}") };
    let chain = desk.chain(received.item.value.id).await;
    assert_eq!((&moved.asset.asset_id, moved.moved_to.as_ref()), (&chain[0].asset_id, Some(&chain[1].asset_id)));
    desk.advance(purchase, PurchaseEvent::TradeReversed { rollback_trade_id: text("back-1") }).await.unwrap();
    let trade = desk.trade("trade-1").await.unwrap();
    assert_eq!(trade.rollback_trade_id, Some(text("back-1")));
    assert_eq!(trade.status, Some(TradeStatus::ProtectionRollback));
    let steps = [("opened", "ACTIVE"), ("completed", "COMPLETED"), ("reverted", "REVERTED")];
    assert_eq!(desk.steps(seen.id).await, steps);
    assert_eq!(desk.trade_offer(impostor).await.status, TradeOfferStatus::Active);
}

#[tokio::test]
async fn an_offer_is_held_and_rolled_back_with_its_purchase() {
    let desk = Desk::open().await;
    let purchase = desk.pay(1).await;
    let offer = desk.see(report(OfferStatus::Active, "offer-1"), OfferOwner::Purchase(purchase)).await.value.id;
    let held_until = Samples::default().offer_report(OfferStatus::Active).expires_at;
    let held = PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until };
    desk.advance(purchase, held).await.unwrap();
    let trade = desk.trade("trade-1").await.unwrap();
    assert_eq!((trade.status, trade.held_until), (Some(TradeStatus::InEscrow), Some(held_until)));
    desk.advance(purchase, PurchaseEvent::HoldRolledBack).await.unwrap();
    let steps = [("opened", "ACTIVE"), ("held", "IN_ESCROW"), ("rolled_back", "ROLLED_BACK")];
    assert_eq!(desk.steps(offer).await, steps);
    assert_eq!(desk.trade("trade-1").await.unwrap().status, Some(TradeStatus::EscrowRollback));
}

#[tokio::test]
async fn what_is_seen_again_or_late_changes_nothing() {
    let desk = Desk::open().await;
    let owner = OfferOwner::Purchase(desk.pay(1).await);
    let first = desk.see(report(OfferStatus::Active, "offer-1"), owner).await;
    assert_eq!(desk.see(report(OfferStatus::Active, "offer-1"), owner).await, first);
    let unknown = desk.see(report(OfferStatus::Unknown(99), "offer-1"), owner).await;
    assert_eq!((unknown.value.status, unknown.version), (TradeOfferStatus::Active, 2));
    assert_eq!(unknown.value.shown, Some(OfferStatus::Unknown(99)));
    let glitched = OfferReport { receives: Vec::new(), ..report(OfferStatus::Active, "offer-1") };
    let glitched = desk.see(glitched, owner).await.value;
    assert_eq!((glitched.is_glitched, glitched.receives.len()), (true, 1));
    let declined = desk.see(report(OfferStatus::Declined, "offer-1"), owner).await.value;
    assert_eq!(declined.status, TradeOfferStatus::Declined);
    let late = desk.see(report(OfferStatus::Active, "offer-1"), owner).await.value;
    assert_eq!((late.status, late.shown), (TradeOfferStatus::Declined, Some(OfferStatus::Active)));
    assert_eq!(desk.steps(first.value.id).await, [("opened", "ACTIVE"), ("declined", "DECLINED")]);
}

#[tokio::test]
async fn an_offer_is_written_down_before_it_is_sent_and_found_after_a_lost_answer() {
    let desk = Desk::open().await;
    let item = desk.to_be_sent().await;
    let draft = desk.draft(item).await;
    assert_eq!((draft.status, draft.offer_id.clone()), (TradeOfferStatus::Draft, None));
    assert_eq!(desk.draft(item).await, draft);
    desk.advance_clock(Duration::minutes(2));
    let again = desk.draft(item).await;
    assert_eq!((again.id, again.updated_at), (draft.id, draft.updated_at.plus(Duration::minutes(2))));
    let unsent = FindUnsentTradeOffer { workspace_id: desk.workspace_id(), owner: OfferOwner::Item(item) };
    let found = desk.operations().find_unsent_trade_offer(&desk.trader, unsent).await.unwrap();
    assert_eq!(found.unwrap().value, again);
    let lose = LoseTradeOffer { workspace_id: desk.workspace_id(), trade_offer_id: draft.id };
    desk.operations().lose_trade_offer(&desk.trader, lose).await.unwrap();
    let other = OfferReport { gives: vec![offered("77777")], ..ours(OfferStatus::Active) };
    let other = desk.see(OfferReport { offer_id: text("offer-other"), ..other }, OfferOwner::Item(item)).await;
    assert_ne!(other.value.id, draft.id);
    let sent = desk.see(ours(OfferStatus::NeedsConfirmation), OfferOwner::Item(item)).await.value;
    assert_eq!((sent.id, sent.offer_id.clone()), (draft.id, Some(text("offer-out"))));
    assert_eq!(desk.operations().find_unsent_trade_offer(&desk.trader, unsent).await.unwrap(), None);
    desk.see(ours(OfferStatus::Active), OfferOwner::Item(item)).await;
    desk.see(ours(OfferStatus::Accepted), OfferOwner::Item(item)).await;
    let given = ItemEvent::Given { trade_id: text("trade-out"), asset_id: asset("39999") };
    desk.advance_item(item, given).await.unwrap();
    let trade = desk.trade("trade-out").await.unwrap();
    assert_eq!(trade.assets[0].moved_to, Some(asset("39999")));
    assert!(trade.assets[0].is_given);
    let (rollback_trade_id, asset_id) = (text("back-out"), asset("20001"));
    desk.advance_item(item, ItemEvent::SaleReversed { rollback_trade_id, asset_id }).await.unwrap();
    let steps = desk.steps(draft.id).await.into_iter().map(|(step, _)| step).collect::<Vec<_>>();
    assert_eq!(steps, ["drafted", "send_lost", "sent", "opened", "accepted", "completed", "reverted"]);
}

#[tokio::test]
async fn what_was_not_sent_is_withdrawn_when_the_sale_falls_through() {
    let desk = Desk::open().await;
    let item = desk.to_be_sent().await;
    let draft = desk.draft(item).await.id;
    let seen = AssetEvidence { asset_id: asset("20001"), source_id: text("sale-1") };
    desk.advance_item(item, ItemEvent::SaleFellThrough { still_listed: false, seen }).await.unwrap();
    assert_eq!(desk.trade_offer(draft).await.status, TradeOfferStatus::Cancelled);
    assert_eq!(desk.steps(draft).await, [("drafted", "DRAFT"), ("cancelled", "CANCELLED")]);
}

#[tokio::test]
async fn trade_offers_are_listed_and_counted_by_what_they_are() {
    let desk = Desk::open().await;
    let (one, other) = (desk.pay(1).await, desk.pay(2).await);
    let mut ids = Vec::new();
    for (purchase, offer) in [(one, "offer-1"), (other, "offer-2"), (one, "offer-3")] {
        ids.push(desk.see(report(OfferStatus::Active, offer), OfferOwner::Purchase(purchase)).await.value.id);
    }
    assert_eq!(desk.offers_listed(desk.offers()).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(desk.offers_listed(ListTradeOffers { purchase_id: Some(one), ..desk.offers() }).await, [ids[2], ids[0]]);
    let sent = ListTradeOffers { direction: Some(OfferDirection::Sent), ..desk.offers() };
    assert_eq!(desk.offers_listed(sent).await, []);
    let counted = CountTradeOffers { workspace_id: desk.workspace_id() };
    let counted = desk.operations().count_trade_offers(&desk.trader, counted).await.unwrap();
    let some: Vec<_> = counted.iter().filter(|counted| counted.count > 0).map(|one| (one.status, one.count)).collect();
    assert_eq!((counted.len(), some), (TradeOfferStatus::ALL.len(), vec![(TradeOfferStatus::Active, 3)]));
    let unknown = Id::from_bytes([9; 16]);
    let both = ListTradeOffers { purchase_id: Some(one), inventory_item_id: Some(unknown), ..desk.offers() };
    let both = desk.operations().list_trade_offers(&desk.trader, both);
    desk.refused(both, Code::InvalidArgument, "INVALID_FIELD").await;
    let of_unknown = ListTradeOffers { account_id: Some(Id::from_bytes([9; 16])), ..desk.offers() };
    desk.refused(desk.operations().list_trade_offers(&desk.trader, of_unknown), Code::NotFound, "NOT_FOUND").await;
    let unknown = GetTradeOffer { workspace_id: desk.workspace_id(), trade_offer_id: Id::from_bytes([9; 16]) };
    desk.refused(desk.operations().get_trade_offer(&desk.trader, unknown), Code::NotFound, "NOT_FOUND").await;
    desk.refused(desk.trade(""), Code::InvalidArgument, "INVALID_FIELD").await;
}

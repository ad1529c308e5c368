//! Moves items between accounts of the desk: has the offer of a transfer accepted by the account that receives the item, and records that
//! the item has arrived. The offer itself is sent, confirmed and looked up as one that a person asks for.

use tradepost_domain::asset::{AssetId, ContextId};
use tradepost_domain::contracts::intent::{Intent, ItemTarget};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent};
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_domain::trading::trade_offer::{OfferTrade, TradeOffer, TradeOfferStatus, TradedAsset};
use tradepost_operations::Versioned;
use tradepost_operations::contracts::IntentOutcome;
use tradepost_operations::trading::{AcceptTransfer, CancelTradeOffer, FindSeenTradeOffer, GetTradeOffers};

use crate::context::Context;
use crate::context::own_trades::has_moved;
use crate::desk::TradingAccount;
use crate::error::EngineResult;
use crate::orders::intent_decisions::{IntentProgress, NOT_SERVED, failure_outcome};
use crate::orders::intent_steps::finish_intent;

/// Continues a transfer, by its offer.
pub(crate) async fn continue_transfer(
    context: &Context,
    intent: &Versioned<Intent>,
    target: &ItemTarget,
    item: &Versioned<InventoryItem>,
) -> EngineResult<IntentProgress> {
    let fail = |why| finish_intent(context, intent, failure_outcome(&intent.value, why));
    let (Some(receiver), Some(offer)) = (&target.to_account, offer_of(context, intent.value.trade_offer_id()).await?)
    else {
        fail("OFFER_INVALID").await?;
        return Ok(IntentProgress::Advanced);
    };
    if item.value.account_name == *receiver {
        // The process before ended between the two commits.
        finish_intent(context, intent, Some(IntentOutcome::Succeeded(None))).await?;
        return Ok(IntentProgress::Advanced);
    }
    let is_movable = item.value.status.is_movable(item.value.missing_from);
    match TransferStep::of(&offer, &item.value, receiver) {
        TransferStep::Wait => {}
        TransferStep::Follow(offer_id) => {
            let accounts = (context.desk().account(&item.value.account_name), context.desk().account(receiver));
            let (Some(from), Some(to)) = accounts else { return Ok(IntentProgress::WaitsFor(NOT_SERVED)) };
            follow(context, from, to, &offer, &offer_id).await?;
        }
        TransferStep::Move(_) if !is_movable => fail("ITEM_ELSEWHERE").await?,
        TransferStep::Return { why, .. } if !is_movable => fail(why).await?,
        TransferStep::Move(event) => {
            context.apply_transfer(item, event).await?;
            finish_intent(context, intent, Some(IntentOutcome::Succeeded(None))).await?;
        }
        TransferStep::Return { asset_id, trade_id, why } => {
            context.link_as_seen(&item.value, asset_id.as_str(), trade_id.as_str()).await?;
            fail(why).await?;
        }
        TransferStep::Fail(why) => fail(why).await?,
    }
    Ok(IntentProgress::Advanced)
}

async fn offer_of(context: &Context, id: Option<TradeOfferId>) -> EngineResult<Option<TradeOffer>> {
    let Some(id) = id else { return Ok(None) };
    let get = GetTradeOffers { workspace_id: context.desk().workspace_id, trade_offer_ids: vec![id] };
    let found = context.operations().get_trade_offers(context.caller(), get).await?.found;
    Ok(found.into_iter().next().map(|offer| offer.value))
}

/// Has the receiver accept the offer, once; and then reads what came of it.
async fn follow(
    context: &Context,
    from: &TradingAccount,
    to: &TradingAccount,
    sent: &TradeOffer,
    offer_id: &ExternalId,
) -> EngineResult {
    let (operations, caller, workspace_id) = (context.operations(), context.caller(), context.desk().workspace_id);
    let (account_name, seen_as) = (to.name.clone(), offer_id.clone());
    let find = FindSeenTradeOffer { workspace_id, account_name, offer_id: seen_as };
    let received = match operations.find_seen_trade_offer(caller, find).await? {
        Some(received) => Some(received),
        None => context.track_session(&to.name, read(context, to, offer_id)).await?,
    };
    match received.map(|received| Receipt::of(&received.value)) {
        Some(Receipt::Open(trade_offer_id)) => {
            let accept = AcceptTransfer { workspace_id, trade_offer_id, sent_offer_id: sent.id };
            operations.accept_transfer(caller, accept).await?;
        }
        Some(Receipt::NotAccepted) if sent.status == TradeOfferStatus::Active => {
            let cancel = CancelTradeOffer { workspace_id, trade_offer_id: sent.id, expected_version: None };
            operations.cancel_trade_offer(caller, cancel).await?;
        }
        Some(Receipt::NotAccepted | Receipt::Ended) => {
            context.track_session(&from.name, read(context, from, offer_id)).await?;
        }
        Some(Receipt::BeingAccepted) | None => {}
    }
    Ok(())
}

async fn read(
    context: &Context,
    account: &TradingAccount,
    offer_id: &ExternalId,
) -> EngineResult<Option<Versioned<TradeOffer>>> {
    let shown = context.desk().platform.offer(account.address.user, offer_id).await?;
    context.record_shown(account, &shown, None).await
}

/// What is on record of the offer at the account that receives the item.
#[derive(Debug, PartialEq, Eq)]
enum Receipt {
    /// It can be accepted.
    Open(TradeOfferId),
    BeingAccepted,
    /// It was to be accepted and was not.
    NotAccepted,
    /// It was accepted, or ended otherwise.
    Ended,
}

impl Receipt {
    fn of(received: &TradeOffer) -> Self {
        match received.request {
            Some(_) => Self::BeingAccepted,
            None if received.status != TradeOfferStatus::Active => Self::Ended,
            None if received.request_failure.is_some() => Self::NotAccepted,
            None => Self::Open(received.id),
        }
    }
}

/// The next step of a transfer.
#[derive(Debug, PartialEq, Eq)]
enum TransferStep {
    /// The offer is being sent, or its trade is held.
    Wait,
    /// The offer is with the receiver, under this id.
    Follow(ExternalId),
    Move(ItemEvent),
    /// The trade has given the item back, under this asset id.
    Return {
        asset_id: AssetId,
        trade_id: ExternalId,
        why: &'static str,
    },
    /// Nothing was moved, for this reason.
    Fail(&'static str),
}

impl TransferStep {
    fn of(offer: &TradeOffer, item: &InventoryItem, to: &AccountName) -> Self {
        use TradeOfferStatus as Is;
        let given = GivenItem::of(offer, item);
        if given.is_some_and(|given| given.trade.status.is_some_and(TradeStatus::is_stuck)) {
            return Self::Fail("TRADE_STUCK");
        }
        match offer.status {
            // It was looked up in vain. Only the offer of a live transfer is accepted, should it appear.
            Is::SendUncertain if offer.request.is_none() => Self::Fail("OFFER_UNCERTAIN"),
            Is::Draft | Is::SendUncertain | Is::NeedsConfirmation | Is::Unknown | Is::InEscrow => Self::Wait,
            // A person, or a receiver that could not accept, has it cancelled.
            Is::Active if offer.request.is_some() => Self::Wait,
            Is::Active | Is::Accepted => offer.offer_id.clone().map_or(Self::Wait, Self::Follow),
            Is::Completed | Is::Final => {
                given.map_or(Self::Fail("ITEM_ELSEWHERE"), |given| given.moved(to, "ITEM_ELSEWHERE"))
            }
            Is::Reverted => given.map_or(Self::Fail("REVERTED"), |given| given.moved_or_returned(to, "REVERTED")),
            Is::RolledBack => given.map_or(Self::Fail("ROLLED_BACK"), |given| given.returned("ROLLED_BACK")),
            Is::Declined | Is::Countered => Self::Fail("OFFER_DECLINED"),
            Is::Expired => Self::Fail("OFFER_EXPIRED"),
            Is::Cancelled | Is::CancelledBySecondFactor => Self::Fail("OFFER_CANCELLED"),
            Is::InvalidItems | Is::Invalid => Self::Fail("OFFER_INVALID"),
        }
    }
}

/// The item in the trade that came of its offer.
#[derive(Clone, Copy)]
struct GivenItem<'o> {
    trade: &'o OfferTrade,
    asset: &'o TradedAsset,
}

impl<'o> GivenItem<'o> {
    fn of(offer: &'o TradeOffer, item: &InventoryItem) -> Option<Self> {
        let is_it = |moved: &&TradedAsset| {
            moved.is_given && moved.asset.app_id == item.app_id && moved.asset.asset_id == *item.current_asset_id()
        };
        let trade = offer.trade.as_ref()?;
        trade.assets.iter().find(is_it).map(|asset| Self { trade, asset })
    }

    fn moved(self, to: &AccountName, why: &'static str) -> TransferStep {
        let Some(asset_id) = self.asset.moved_to.clone() else { return TransferStep::Fail(why) };
        TransferStep::Move(ItemEvent::Transferred {
            trade_id: self.trade.id.clone(),
            to: to.clone(),
            context_id: self.asset.context_id.unwrap_or(ContextId::ORDINARY),
            asset_id,
            protected_until: self.trade.protected_until,
        })
    }

    fn returned(self, why: &'static str) -> TransferStep {
        let (trade_id, returned) = (self.trade.id.clone(), self.asset.returned_as.clone());
        returned.map_or(TransferStep::Fail(why), |asset_id| TransferStep::Return { asset_id, trade_id, why })
    }

    fn moved_or_returned(self, to: &AccountName, why: &'static str) -> TransferStep {
        let is_moved = self.trade.status.is_some_and(|status| has_moved(status, self.asset.returned_as.is_some()));
        if is_moved { self.moved(to, why) } else { self.returned(why) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::contracts::chain::ChainHead;
    use tradepost_domain::contracts::inventory_item::{ItemParts, ItemStatus};
    use tradepost_domain::trading::trade_offer::{OfferStep, OfferedAsset};
    use tradepost_testkit::samples::{Samples, start, text};

    use crate::samples::{asset_id, item};

    /// The offer that transfers the item of the samples, in a status, with a trade in a status.
    fn offer(status: TradeOfferStatus, trade: TradeStatus, returned_as: Option<AssetId>) -> TradeOffer {
        let samples = Samples::seeded(14);
        let mut parts = (*samples.requested_offer(samples.id(), &[1], &[])).clone();
        (parts.status, parts.request, parts.offer_id) = (status, None, Some(text("offer-1")));
        let item = item(ItemStatus::InInventory).value;
        let asset = OfferedAsset {
            app_id: item.app_id,
            asset_id: item.current_asset_id().clone(),
            market_hash_name: item.market_hash_name.clone(),
        };
        let moved_to = Some(asset_id("9"));
        let asset = TradedAsset { asset, is_given: true, moved_to, context_id: None, returned_as };
        parts.trade = Some(OfferTrade { status: Some(trade), assets: vec![asset], ..samples.whole_trade() });
        TradeOffer::restore(parts).unwrap()
    }

    fn step(offer: &TradeOffer) -> TransferStep {
        TransferStep::of(offer, &item(ItemStatus::InInventory).value, &text("trader-2"))
    }

    fn step_in(status: TradeOfferStatus) -> TransferStep {
        step(&offer(status, TradeStatus::Complete, None))
    }

    fn returned(why: &'static str) -> TransferStep {
        let trade_id = offer(TradeOfferStatus::RolledBack, TradeStatus::Failed, None).trade.clone().unwrap().id;
        TransferStep::Return { asset_id: asset_id("77"), trade_id, why }
    }

    #[test]
    fn an_offer_that_is_being_sent_is_waited_for_and_one_that_was_lost_ends_the_transfer() {
        let samples = Samples::seeded(15);
        let asked = samples.requested_offer(samples.id(), &[1], &[]);
        assert_eq!(asked.request.map(|request| request.step), Some(OfferStep::Send));
        assert_eq!(step(&asked), TransferStep::Wait);
        let lost = asked.begun(start()).send_lost(start());
        assert_eq!(step(&lost), TransferStep::Wait);
        let given_up = lost.request_failed(text("not shown"), false, start());
        assert_eq!(step(&given_up), TransferStep::Fail("OFFER_UNCERTAIN"));
    }

    #[test]
    fn an_offer_that_is_out_is_followed_and_a_complete_trade_moves_the_item() {
        use TradeOfferStatus as Is;
        for status in [Is::Active, Is::Accepted] {
            assert_eq!(step_in(status), TransferStep::Follow(text("offer-1")));
        }
        for status in [Is::Completed, Is::Final] {
            assert!(matches!(step_in(status), TransferStep::Move(_)), "{status}");
        }
        assert_eq!(step_in(Is::InEscrow), TransferStep::Wait);
    }

    #[test]
    fn an_item_that_a_trade_gave_back_has_the_id_under_which_it_is_there() {
        use TradeOfferStatus as Is;
        let back = || Some(asset_id("77"));
        assert_eq!(step(&offer(Is::RolledBack, TradeStatus::Failed, back())), returned("ROLLED_BACK"));
        assert_eq!(step(&offer(Is::Reverted, TradeStatus::FullSupportRollback, back())), returned("REVERTED"));
        // The trade that reverses it moves the item back.
        let reversed = step(&offer(Is::Reverted, TradeStatus::ProtectionRollback, back()));
        assert!(matches!(reversed, TransferStep::Move(_)), "{reversed:?}");
    }

    #[test]
    fn an_offer_that_ended_without_a_trade_or_with_one_that_is_stuck_says_why() {
        use TradeOfferStatus as Is;
        for (status, why) in [
            (Is::Declined, "OFFER_DECLINED"),
            (Is::Expired, "OFFER_EXPIRED"),
            (Is::CancelledBySecondFactor, "OFFER_CANCELLED"),
            (Is::InvalidItems, "OFFER_INVALID"),
        ] {
            assert_eq!(step_in(status), TransferStep::Fail(why), "{status}");
        }
        let stuck = offer(Is::Accepted, TradeStatus::RollbackFailed, None);
        assert_eq!(step(&stuck), TransferStep::Fail("TRADE_STUCK"));
    }

    #[test]
    fn a_trade_that_does_not_have_the_item_ends_the_transfer() {
        let other = item(ItemStatus::InInventory).value.into_parts();
        let head = ChainHead { asset_id: asset_id("8"), ..other.head.clone() };
        let other = InventoryItem::restore(ItemParts { head, ..other });
        let complete = offer(TradeOfferStatus::Completed, TradeStatus::Complete, None);
        let step = TransferStep::of(&complete, &other.unwrap(), &text("trader-2"));
        assert_eq!(step, TransferStep::Fail("ITEM_ELSEWHERE"));
    }
}

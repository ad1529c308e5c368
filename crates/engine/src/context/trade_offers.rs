//! Keeping what is seen of trade offers, and what is about to be sent. What an offer leads to is decided elsewhere.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{InventoryItemId, TradeOfferId};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeStatus};
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferDraft, OfferOwner, OfferReport, OfferTrade, OfferedAsset, TradeOffer, TradeOfferStatus,
    TradedAsset,
};
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    DraftTradeOffer, FindUnsentTradeOffer, GetTradeOffers, ListTradeOffers, LoseTradeOffer, RecordTradeOffer,
};
use tradepost_ports::game_platform::{Asset, MovedAsset, NewOffer, Offer, Trade};

use crate::context::Context;
use crate::context::recent::Recent;
use crate::context::steps::Step;
use crate::desk::TradingAccount;
use crate::error::{EngineError, EngineResult};

/// What of an offer can be new.
type OfferState = (OfferStatus, bool, Option<ExternalId>, Option<TradeStatus>);

/// An offer as the platform shows it, with its trade if that was read.
#[derive(Clone, Copy)]
pub(crate) struct SeenOffer<'a> {
    offer: &'a Offer,
    trade: Option<&'a Trade>,
}

impl<'a> SeenOffer<'a> {
    pub(crate) const fn new(offer: &'a Offer, trade: Option<&'a Trade>) -> Self {
        Self { offer, trade }
    }

    pub(crate) fn needs_our_confirmation(self) -> bool {
        self.offer.status == OfferStatus::NeedsConfirmation
    }

    fn state(self) -> OfferState {
        let Self { offer, trade } = self;
        let is_glitched = offer.give.is_empty() && offer.receive.is_empty();
        (offer.status, is_glitched, offer.trade_id.clone(), trade.map(|trade| trade.status))
    }
}

/// An offer, by the account that sees it.
type OfferKey = (AccountName, ExternalId);

/// Offers that were recorded lately, with their records, so that an unchanged offer is not recorded twice. A forgotten one is recorded
/// once more, which changes nothing.
pub(crate) type RecordedOffers = Recent<OfferKey, (OfferState, TradeOfferId)>;

/// The accounts whose items a trade has moved since their last snapshot.
#[derive(Debug, Default)]
pub(crate) struct TradedAccounts(Mutex<BTreeSet<AccountName>>);

impl TradedAccounts {
    fn accounts(&self) -> MutexGuard<'_, BTreeSet<AccountName>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether a trade has moved items, so that an inventory is not as it was.
fn has_moved_items(trade: &Trade) -> bool {
    let has_moved = |asset: &MovedAsset| asset.moved_to.is_some() || asset.returned_as.is_some();
    trade.given.iter().chain(&trade.received).any(has_moved)
}

impl Context {
    /// Returns the next account whose items a trade has moved, once.
    pub(crate) fn take_traded_account(&self) -> Option<AccountName> {
        self.state.platform.traded.accounts().pop_first()
    }

    /// Notes that the inventory of an account is not as it was, if a trade has moved items.
    pub(crate) fn note_trade(&self, account: &AccountName, trade: &Trade) {
        if has_moved_items(trade) {
            self.state.platform.traded.accounts().insert(account.clone());
        }
    }

    /// Keeps an offer as it is seen, with its trade if that was looked at, where it is not on record so. Gives its record.
    pub(crate) async fn record_offer(
        &self,
        account: &TradingAccount,
        seen: SeenOffer<'_>,
        owner: OfferOwner,
    ) -> EngineResult<TradeOfferId> {
        let SeenOffer { offer, trade } = seen;
        let shown = seen.state();
        let key = (account.name.clone(), offer.id.clone());
        let recorded = self.state.platform.recorded_offers.get(&key);
        if let Some((_, id)) = recorded.filter(|(known, _)| *known == shown) {
            return Ok(id);
        }
        let command = RecordTradeOffer {
            workspace_id: self.desk.workspace_id,
            account_name: account.name.clone(),
            report: offer_report(offer, trade),
            owner: Some(owner),
        };
        let id = self.operations.record_trade_offer(&self.caller, command).await?.value.id;
        self.state.platform.recorded_offers.insert(key, (shown, id));
        if let Some(trade) = trade {
            self.note_trade(&account.name, trade);
        }
        Ok(id)
    }

    /// Returns whether an offer for an item may have been sent that is not visible yet: the call had no answer, or its process was
    /// stopped.
    pub(crate) async fn may_be_in_flight(&self, item: InventoryItemId) -> EngineResult<bool> {
        let command = FindUnsentTradeOffer { workspace_id: self.desk.workspace_id, owner: OfferOwner::Item(item) };
        let unsent = self.operations.find_unsent_trade_offer(&self.caller, command).await?;
        let Some(unsent) = unsent else { return Ok(false) };
        let step = Step::new(unsent.value.id, unsent.value.updated_at);
        Ok(self.waited_for(step) < self.timings.offer_timeout)
    }

    /// Returns whether an offer for an item was sent within the last minute and is cancelled: another may meet the same refusal.
    pub(crate) async fn was_just_cancelled(&self, item: InventoryItemId) -> EngineResult<bool> {
        let (now, offers) = (self.now(), self.offers_of(item).await?);
        Ok(offers.iter().any(|offer| was_cancelled_within(&offer.value, now, self.timings.offer_timeout)))
    }

    /// When the oldest of the offers for an item was written down of which something can still come.
    pub(crate) async fn first_offered_at(&self, item: InventoryItemId) -> EngineResult<Option<Timestamp>> {
        let offers = self.offers_of(item).await?;
        Ok(first_open(offers.iter().map(|offer| &offer.value)))
    }

    /// Returns the offers for an item that are on record, up to 200.
    async fn offers_of(&self, item: InventoryItemId) -> EngineResult<Vec<Versioned<TradeOffer>>> {
        let workspace_id = self.desk.workspace_id;
        let list = ListTradeOffers {
            workspace_id,
            limit: 200,
            cursor: String::new(),
            account_id: None,
            direction: None,
            status: None,
            purchase_id: None,
            inventory_item_id: Some(item),
        };
        let trade_offer_ids = self.operations.list_trade_offers(&self.caller, list).await?.entries;
        if trade_offer_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetTradeOffers { workspace_id, trade_offer_ids };
        Ok(self.operations.get_trade_offers(&self.caller, get).await?.found)
    }

    /// Sends an offer that gives an item to its buyer. It is written down before, and whether the call had an answer after it.
    pub(crate) async fn send_offer(
        &self,
        account: &TradingAccount,
        item: &InventoryItem,
        to: PlatformUserId,
        offer: &NewOffer,
    ) -> EngineResult<Offer> {
        let given = OfferedAsset {
            app_id: item.app_id,
            asset_id: item.current_asset_id().clone(),
            market_hash_name: item.market_hash_name.clone(),
        };
        let owner = OfferOwner::Item(item.id);
        let (workspace_id, account_name) = (self.desk.workspace_id, account.name.clone());
        let draft = OfferDraft { partner: to, gives: vec![given], owner };
        let command = DraftTradeOffer { workspace_id, account_name, draft };
        let begun = Instant::now();
        let trade_offer_id = self.operations.draft_trade_offer(&self.caller, command).await?.value.id;
        if begun.elapsed() >= self.timings.sent_within {
            return Err(EngineError::SubmitTooLate);
        }
        match self.desk.platform.send(account.address.user, offer).await {
            Ok(sent) => {
                self.record_offer(account, SeenOffer { offer: &sent, trade: None }, owner).await?;
                Ok(sent)
            }
            Err(error) => {
                if !error.did_nothing() {
                    let command = LoseTradeOffer { workspace_id, trade_offer_id };
                    self.operations.lose_trade_offer(&self.caller, command).await?;
                }
                Err(error.into())
            }
        }
    }
}

fn was_cancelled_within(offer: &TradeOffer, now: Timestamp, timeout: Duration) -> bool {
    let age = now.since(offer.created_at);
    offer.status == TradeOfferStatus::Cancelled && !age.is_negative() && age < timeout
}

/// Returns the creation of the oldest offer that has not ended.
fn first_open<'a>(offers: impl Iterator<Item = &'a TradeOffer>) -> Option<Timestamp> {
    offers.filter(|offer| !offer.status.is_terminal()).map(|offer| offer.created_at).min()
}

/// Returns what the platform shows of an offer, with its trade if that was read.
pub(crate) fn offer_report(offer: &Offer, trade: Option<&Trade>) -> OfferReport {
    let held = trade.and_then(|trade| Some(trade.held_until?.since(trade.started_at).whole_seconds()));
    let assets = |assets: &[Asset]| assets.iter().map(offered_asset).collect();
    let begun = offer.trade_id.clone().map(|id| OfferTrade {
        id,
        status: None,
        assets: Vec::new(),
        held_until: None,
        protected_until: None,
        rollback_trade_id: None,
    });
    OfferReport {
        offer_id: offer.id.clone(),
        partner: offer.partner,
        direction: if offer.is_ours { OfferDirection::Sent } else { OfferDirection::Received },
        status: offer.status,
        gives: assets(&offer.give),
        receives: assets(&offer.receive),
        trade: trade.map(offer_trade).or(begun),
        hold_seconds: held.and_then(|seconds| u32::try_from(seconds).ok()),
        created_at: offer.created_at,
        expires_at: offer.expires_at,
    }
}

fn offered_asset(asset: &Asset) -> OfferedAsset {
    OfferedAsset {
        app_id: asset.app_id,
        asset_id: asset.asset_id.clone(),
        market_hash_name: asset.market_hash_name.clone(),
    }
}

fn offer_trade(trade: &Trade) -> OfferTrade {
    let traded = |is_given: bool| move |moved: &MovedAsset| traded_asset(moved, is_given);
    OfferTrade {
        id: trade.id.clone(),
        status: Some(trade.status),
        assets: trade.given.iter().map(traded(true)).chain(trade.received.iter().map(traded(false))).collect(),
        held_until: trade.held_until,
        protected_until: trade.protected_until,
        rollback_trade_id: None,
    }
}

fn traded_asset(moved: &MovedAsset, is_given: bool) -> TradedAsset {
    let asset = OfferedAsset {
        app_id: moved.app_id,
        asset_id: moved.asset_id.clone(),
        market_hash_name: moved.market_hash_name.clone(),
    };
    TradedAsset {
        asset,
        is_given,
        moved_to: moved.moved_to.as_ref().map(|(_, asset_id)| asset_id.clone()),
        context_id: moved.moved_to.as_ref().map(|(context_id, _)| *context_id),
        returned_as: moved.returned_as.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{Samples, minute, start};

    use crate::samples::{asset, offer, trade};

    /// An offer for an item, made at the start of the samples.
    fn recorded(status: TradeOfferStatus) -> TradeOffer {
        let samples = Samples::seeded(10);
        samples.trade_offer_in(samples.id(), status, OfferOwner::Item(samples.id()))
    }

    #[test]
    fn only_an_offer_that_was_cancelled_lately_holds_another_back() {
        let was_just = |status, at| was_cancelled_within(&recorded(status), at, Duration::MINUTE);
        assert!(was_just(TradeOfferStatus::Cancelled, start().plus(Duration::seconds(59))));
        assert!(!was_just(TradeOfferStatus::Cancelled, start().plus(Duration::MINUTE)));
        assert!(!was_just(TradeOfferStatus::Cancelled, minute(-1)), "the clock was set back");
        assert!(!was_just(TradeOfferStatus::Declined, start()));
    }

    #[test]
    fn the_first_open_offer_is_the_oldest_that_has_not_ended() {
        let [ended, open] = [TradeOfferStatus::Declined, TradeOfferStatus::Active].map(recorded);
        assert_eq!(first_open([&ended, &open].into_iter()), Some(open.created_at));
        assert_eq!(first_open(std::iter::once(&ended)), None);
    }

    #[test]
    fn an_offer_is_new_with_another_status_trade_or_visibility() {
        let state = |offer: &Offer, trade: Option<&Trade>| SeenOffer { offer, trade }.state();
        let active = offer(OfferStatus::Active);
        let known = state(&active, None);
        assert_eq!(
            state(&Offer { receive: vec![asset("9")], ..active.clone() }, None),
            known,
            "its items never change"
        );
        let begun = trade(TradeStatus::InEscrow);
        for other in [
            state(&offer(OfferStatus::Accepted), None),
            state(&active, Some(&begun)),
            state(&Offer { receive: Vec::new(), ..active.clone() }, None),
        ] {
            assert_ne!(other, known);
        }
    }
}

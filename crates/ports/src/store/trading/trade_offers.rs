//! Reads of trade offers.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfTradeOffer, TradeOfferId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::giving::GivenLately;
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOwner, TradeOffer, TradeOfferStatus};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The trade offers to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TradeOfferFilter<'a> {
    /// Only of this account of ours.
    pub account_name: Option<&'a AccountName>,
    /// Only those that were sent, or received.
    pub direction: Option<OfferDirection>,
    /// Only in this status.
    pub status: Option<TradeOfferStatus>,
    /// Only for this purchase or item.
    pub owner: Option<OfferOwner>,
}

/// A question for what an account gave lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenQuery<'a> {
    /// The account of ours.
    pub account_name: &'a AccountName,
    /// The time up to which the windows last.
    pub at: Timestamp,
    /// An offer that does not count.
    pub except: Option<TradeOfferId>,
    /// Up to which value an offer counts that waits for its confirmation: one of a higher value waits for a person. `None` for any.
    pub waiting_up_to: Option<Cents>,
}

/// Trade offers.
#[async_trait]
pub trait TradeOffers: Send + Sync {
    /// Returns a trade offer.
    async fn find(&self, scope: WorkspaceScope, id: TradeOfferId) -> StoreResult<Option<Seen<TradeOffer>>>;
    /// Returns several trade offers, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[TradeOfferId]) -> StoreResult<Vec<Seen<TradeOffer>>>;
    /// Returns the trade offer that an account of ours sees under this id of the platform.
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        offer_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>>;
    /// Returns the first trade offer that led to this trade.
    async fn find_of_trade(
        &self,
        scope: WorkspaceScope,
        trade_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>>;
    /// Returns trade offers of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TradeOfferFilter<'_>,
        page: PageRequest<OfTradeOffer>,
    ) -> StoreResult<Page<OfTradeOffer>>;
    /// Returns the trade offers for a purchase or an item that may still have an effect, in no order.
    async fn list_open_of(&self, scope: WorkspaceScope, owner: OfferOwner) -> StoreResult<Vec<Seen<TradeOffer>>>;
    /// Returns the offers of an account that were not seen since they were drafted, in the order of their ids.
    async fn list_unsent(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>>;
    /// Returns the offers of an account that are for no purchase and no item and may still have an effect, in the order of their ids.
    async fn list_unowned(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>>;
    /// Returns offers whose request is not finished, the oldest request first.
    async fn list_requested(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradeOffer>>>;
    /// Returns the value of what the offers of an account gave within the last hour and the last 24 h, and of what they are about to give.
    /// Those that have ended without giving anything do not count, and an unknown value counts nothing.
    /// [`GivenQuery`] excludes further ones.
    async fn sum_given(&self, scope: WorkspaceScope, query: GivenQuery<'_>) -> StoreResult<GivenLately>;
    /// Returns when the offers of these accounts were last read, in no order; accounts without a record are left out.
    async fn find_readings(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<OfferReading>>>;
}

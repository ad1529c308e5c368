//! Reads of trade offers.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfTradeOffer, TradeOfferId};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::giving::{Given, GivenLately};
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOffer, TradeOfferStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{GivenQuery, Page, PageRequest, StoreResult, TradeOfferFilter, TradeOffers};

use crate::memory::MemoryStore;

#[async_trait]
impl TradeOffers for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: TradeOfferId) -> StoreResult<Option<Seen<TradeOffer>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[TradeOfferId]) -> StoreResult<Vec<Seen<TradeOffer>>> {
        Ok(self.state().several(scope.workspace_id(), |offer: &TradeOffer| ids.contains(&offer.id)))
    }
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        offer_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>> {
        let is_wanted =
            |offer: &TradeOffer| offer.account_name == *account_name && offer.offer_id.as_ref() == Some(offer_id);
        Ok(self.state().several(scope.workspace_id(), is_wanted).into_iter().next())
    }
    async fn find_of_trade(
        &self,
        scope: WorkspaceScope,
        trade_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>> {
        let is_wanted = |offer: &TradeOffer| offer.trade.as_ref().is_some_and(|trade| trade.id == *trade_id);
        Ok(self.state().several(scope.workspace_id(), is_wanted).into_iter().min_by_key(|seen| seen.peek().id))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TradeOfferFilter<'_>,
        page: PageRequest<OfTradeOffer>,
    ) -> StoreResult<Page<OfTradeOffer>> {
        Ok(self.state().page(scope.workspace_id(), &page, |offer: &TradeOffer| {
            filter.account_name.is_none_or(|wanted| offer.account_name == *wanted)
                && filter.direction.is_none_or(|wanted| offer.direction == wanted)
                && filter.status.is_none_or(|wanted| offer.status == wanted)
                && filter.owner.is_none_or(|wanted| offer.owner == Some(wanted))
        }))
    }
    async fn list_open_of(&self, scope: WorkspaceScope, owner: OfferOwner) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let is_wanted = |offer: &TradeOffer| offer.is_open() && offer.owner == Some(owner);
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn list_unsent(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let is_wanted = |offer: &TradeOffer| {
            let is_unsent = matches!(offer.status, TradeOfferStatus::Draft | TradeOfferStatus::SendUncertain);
            is_unsent && offer.account_name == *account_name
        };
        let mut found = self.state().several(scope.workspace_id(), is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        Ok(found)
    }
    async fn list_unowned(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let is_wanted =
            |offer: &TradeOffer| offer.is_open() && offer.is_unowned() && offer.account_name == *account_name;
        let mut found = self.state().several(scope.workspace_id(), is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        Ok(found)
    }
    async fn list_requested(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let mut found = self.state().several(scope.workspace_id(), |offer: &TradeOffer| offer.request.is_some());
        found.sort_by_key(|seen| (seen.peek().request.map(|request| request.requested_at), seen.peek().id));
        found.truncate(most as usize);
        Ok(found)
    }
    async fn sum_given(&self, scope: WorkspaceScope, query: GivenQuery<'_>) -> StoreResult<GivenLately> {
        let is_wanted =
            |offer: &TradeOffer| offer.account_name == *query.account_name && Some(offer.id) != query.except;
        let found = self.state().several(scope.workspace_id(), is_wanted);
        let counts =
            |given: &Given| given.is_allowed || query.waiting_up_to.is_none_or(|most| given.value <= Some(most));
        let given = found.iter().filter_map(|seen| seen.peek().counted_giving()).filter(counts);
        Ok(given.fold(GivenLately::default(), |sums, given| sums.with(&given, query.at)))
    }
    async fn find_readings(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<OfferReading>>> {
        Ok(self.state().several(scope.workspace_id(), |reading: &OfferReading| accounts.contains(&reading.account_id)))
    }
}

//! Reads of trade offers.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfTradeOffer, TradeOfferId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::giving::{GivenLately, GivenSums, GivingWindow};
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOffer, TradeOfferStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{GivenQuery, Page, PageRequest, StoreError, StoreResult, TradeOfferFilter, TradeOffers};
use uuid::Uuid;

use crate::rows::trading::trade_offer::{self, owner_to_columns};
use crate::rows::{cell, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static OFFERS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<trade_offer::Entity>("", "");
    format!("SELECT {columns} FROM trade_offers{{by}} WHERE workspace_id = $1")
});
static OPEN_OF: LazyLock<String> = LazyLock::new(|| {
    let open = TradeOfferStatus::ALL.iter().filter(|status| !status.is_terminal());
    let open: Vec<String> = open.map(|status| status.code().to_string()).collect();
    format!("{} AND owner_id = $2 AND owner_kind = $3 AND status IN ({})", *OFFERS, open.join(", "))
});
static UNSENT: LazyLock<String> =
    LazyLock::new(|| format!("{} AND account_name = $2 AND status IN (1, 2) ORDER BY id", *OFFERS));
/// In the words of the index, so that the database knows that the index holds the rows.
static UNOWNED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} AND account_name = $2 AND owner_id IS NULL AND status IN (1, 2, 3, 4, 5, 12, 14, 18) ORDER BY id",
        *OFFERS
    )
});
static REQUESTED: LazyLock<String> =
    LazyLock::new(|| format!("{} AND requested_at IS NOT NULL ORDER BY requested_at, id LIMIT $2", *OFFERS));

/// What an account gave, and is about to give by offers up to a value, within a time and within a part of it. Offers that ended without giving
/// anything are left out.
static GIVEN: LazyLock<String> = LazyLock::new(|| {
    let sum = |of: &str| format!("CAST(coalesce(sum(CASE WHEN {of} THEN given_cents ELSE 0 END), 0) AS bigint)");
    let nothing = TradeOfferStatus::ALL.iter().filter(|status| status.gave_nothing());
    let nothing: Vec<String> = nothing.map(|status| status.code().to_string()).collect();
    format!(
        "SELECT {}, {}, {}, {} FROM trade_offers{{by}} WHERE workspace_id = $1 AND account_name = $2 AND given_at > $3 \
         AND id <> $5 AND status NOT IN ({})",
        sum("given_allowed = 1 AND given_at > $4"),
        sum("given_allowed = 1"),
        sum("given_allowed = 0 AND given_cents <= $6 AND given_at > $4"),
        sum("given_allowed = 0 AND given_cents <= $6"),
        nothing.join(", ")
    )
});

#[async_trait]
impl TradeOffers for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: TradeOfferId) -> StoreResult<Option<Seen<TradeOffer>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[TradeOfferId]) -> StoreResult<Vec<Seen<TradeOffer>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        offer_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>> {
        let text = self.by_index(&format!("{} AND account_name = $2 AND offer_id = $3", *OFFERS), "trade_offers_seen");
        let workspace = uuid(scope.workspace_id()).into();
        self.one(&text, vec![workspace, account_name.as_str().into(), offer_id.as_str().into()]).await
    }
    async fn find_of_trade(
        &self,
        scope: WorkspaceScope,
        trade_id: &ExternalId,
    ) -> StoreResult<Option<Seen<TradeOffer>>> {
        let text = self.by_index(&format!("{} AND trade_id = $2 ORDER BY id LIMIT 1", *OFFERS), "trade_offers_trade");
        self.one(&text, vec![uuid(scope.workspace_id()).into(), trade_id.as_str().into()]).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TradeOfferFilter<'_>,
        page: PageRequest<OfTradeOffer>,
    ) -> StoreResult<Page<OfTradeOffer>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        if let Some((kind, owner)) = filter.owner.map(owner_to_columns) {
            equal.extend([("owner_id", owner.into()), ("owner_kind", kind.into())]);
        }
        equal.extend(filter.account_name.map(|wanted| ("account_name", wanted.as_str().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        equal.extend(filter.direction.map(|wanted| ("direction", wanted.code().into())));
        self.page("trade_offers", equal, page).await
    }
    async fn list_open_of(&self, scope: WorkspaceScope, owner: OfferOwner) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let (kind, id) = owner_to_columns(owner);
        let text = self.by_index(&OPEN_OF, "trade_offers_owner");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), id.into(), kind.into()]).await
    }
    async fn list_unsent(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let text = self.by_index(&UNSENT, "trade_offers_account_status");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), account_name.as_str().into()]).await
    }
    async fn list_unowned(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let text = self.by_index(&UNOWNED, "trade_offers_unowned");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), account_name.as_str().into()]).await
    }
    async fn list_requested(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradeOffer>>> {
        let text = self.by_index(&REQUESTED, "trade_offers_requested");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn sum_given(&self, scope: WorkspaceScope, query: GivenQuery<'_>) -> StoreResult<GivenLately> {
        let [day, hour] = [GivingWindow::Day, GivingWindow::Hour].map(|window| window.since(query.at).as_micros());
        let (workspace, except) = (uuid(scope.workspace_id()), query.except.map_or(Uuid::nil(), uuid));
        let (account, most) = (query.account_name.as_str(), query.waiting_up_to.unwrap_or(Cents::MAX).get());
        let values = vec![workspace.into(), account.into(), day.into(), hour.into(), except.into(), most.into()];
        let row = self.row(&self.by_index(&GIVEN, "trade_offers_given"), values).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?;
        Ok(GivenLately {
            allowed: GivenSums { hour: cell(&row, 0)?, day: cell(&row, 1)? },
            waiting: GivenSums { hour: cell(&row, 2)?, day: cell(&row, 3)? },
        })
    }
    async fn find_readings(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<OfferReading>>> {
        self.find_several(uuid(scope.workspace_id()), accounts).await
    }
}

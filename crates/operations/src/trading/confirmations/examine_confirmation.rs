//! [`ExamineConfirmation`]: makes the thirteen checks of a confirmation by what an engine has read and by what is on record. Not an operation of
//! the interface.

use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{ConfirmationId, InventoryItemId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{
    Confirmation, Consequence, Examination, GivenItem, Halts, Purpose, Reading, SalePurpose, examine,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trade_offer::{AssetKey, OfferOwner, OfferReport, OfferStep, TradeOffer};
use tradepost_ports::changes::Caller;

use super::confirmation_moves::{confirmation_as_seen, keep_confirmation};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trade_offers::request_steps::item_with_asset;
use crate::trading::trade_offers::transfers::transferred_item;
use crate::{OpError, OpResult, Operations, Versioned};

/// The most requests that are compared with an offer.
const MOST_REQUESTED: u32 = 200;

/// What an engine has read for the examination of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExamineConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// The offer as the platform showed it after the list.
    pub report: Option<OfferReport>,
    /// Whether this node has held the lease of the work since before the list was read.
    pub holds_lease: bool,
    /// How long ago the list was read. These spans are of the engine's own time: the market may be a simulated one that goes faster.
    pub list_age: Duration,
    /// How long ago the offer was read.
    pub offer_age: Duration,
    /// The sale that the offer delivers, as its marketplace shows it.
    pub sale: Option<SaleReading>,
}

/// A sale that an engine has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleReading {
    /// How long ago.
    pub age: Duration,
    /// Whether the sale is open there.
    pub is_open: bool,
    /// Until when it has to be delivered.
    pub deliver_by: Option<Timestamp>,
    /// Who the marketplace says receives it.
    pub deliver_to: Option<PlatformUserId>,
    /// Whether the marketplace wants to know of the offer before it is confirmed, and then whether it does.
    pub is_announced: Option<bool>,
}

impl SaleReading {
    fn purpose(self, at: Timestamp) -> Purpose {
        let Self { age, is_open, deliver_by, deliver_to, is_announced } = self;
        Purpose::Sale(SalePurpose { read_at: at.plus(-age), is_open, deliver_by, deliver_to, is_announced })
    }
}

/// A confirmation after an examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExaminedConfirmation {
    /// The confirmation, with its checks.
    pub confirmation: Versioned<Confirmation>,
    /// What follows if the engine must not allow it.
    pub refusal: Option<Consequence>,
}

/// What is on record of an offer.
struct OnRecord {
    offer: Option<TradeOffer>,
    halts: Halts,
    purpose: Option<Purpose>,
    items: Vec<GivenItem>,
}

impl Operations {
    /// Makes every check, and records them. A confirmation for which all hold is `MATCHED`. One that waits for nothing but the limits of its
    /// account opens the problem of the account.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn examine_confirmation(
        &self,
        caller: &Caller,
        command: &ExamineConfirmation,
    ) -> OpResult<ExaminedConfirmation> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, None).await?;
            let known = self.on_record(scope, seen.peek(), command.sale.map(|sale| sale.purpose(at))).await?;
            let budget = self.budget_of_confirmation(scope, known.offer.as_ref()).await?;
            let verdict = examine(&Examination {
                confirmation: seen.peek(),
                offer: known.offer.as_ref(),
                report: command.report.as_ref(),
                reading: Reading {
                    list_at: at.plus(-command.list_age),
                    offer_at: at.plus(-command.offer_age),
                    holds_lease: command.holds_lease,
                },
                halts: known.halts,
                purpose: known.purpose,
                items: &known.items,
                budget,
                now: at,
            });
            let refusal = verdict.refusal;
            let over_limit = budget.check().err().filter(|_| verdict.waits_for_budget());
            let next = seen.peek().clone().examined(verdict, at);
            let confirmation = keep_confirmation(self, By { caller, at }, scope, seen, next).await?;
            if let Some(over_limit) = over_limit {
                let accounts = self.ports.store.trading_accounts();
                if let Some(account) = accounts.find_named(scope, &confirmation.value.account_name).await? {
                    self.report_giving_limit(By { caller, at }, scope, account.peek().id, over_limit).await?;
                }
            }
            Ok(ExaminedConfirmation { confirmation, refusal })
        })
        .await
    }

    async fn on_record(
        &self,
        scope: WorkspaceScope,
        confirmation: &Confirmation,
        sale: Option<Purpose>,
    ) -> OpResult<OnRecord> {
        let mut halts = self.halts_of(scope, confirmation).await?;
        let found = match confirmation.trade_offer_id {
            Some(id) => self.ports.store.trade_offers().find(scope, id).await?,
            None => None,
        };
        let Some(offer) = found.map(|seen| seen.into_display().0) else {
            return Ok(OnRecord { offer: None, halts, purpose: None, items: Vec::new() });
        };
        let (purpose, items) = match offer.owner {
            Some(OfferOwner::Item(id)) => {
                // A halt stops buying. What was sold is delivered, also at a marketplace that an operator has disabled since then.
                halts.workspace = false;
                let item = self.item_to_give(scope, id).await?;
                halts.marketplace = self.is_marketplace_down(scope, &item).await?;
                let given = self.given_item(scope, &item).await?;
                (sale, vec![given])
            }
            Some(OfferOwner::Purchase(_)) => (None, Vec::new()),
            None => {
                // Of an offer that a person wants cancelled by now, nothing is confirmed.
                let is_requested =
                    offer.request.is_some_and(|open| matches!(open.step, OfferStep::Send | OfferStep::Accept));
                let purpose = Purpose::Person { is_requested };
                halts.account = halts.account || self.may_give_only_since(scope, &offer).await?;
                let transferred = transferred_item(self, scope, &offer).await?;
                (Some(purpose), self.items_of_person(scope, &offer, transferred.as_ref()).await?)
            }
        };
        Ok(OnRecord { offer: Some(offer), halts, purpose, items })
    }

    async fn halts_of(&self, scope: WorkspaceScope, confirmation: &Confirmation) -> OpResult<Halts> {
        let store = &self.ports.store;
        let workspace = store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        let open = store.confirmations().list_open_of(scope, &confirmation.account_name).await?;
        let stopped = open.iter().any(|open| open.peek().stops_giving());
        let account = stopped || self.may_not_give(scope, &confirmation.account_name).await?;
        Ok(Halts { workspace: workspace.peek().trading_halt.is_some(), account, marketplace: false })
    }

    /// Whether the account of an offer gives items by a permission that a person gave after the request was begun. What was begun by an earlier
    /// one is not confirmed by a later one.
    async fn may_give_only_since(&self, scope: WorkspaceScope, offer: &TradeOffer) -> OpResult<bool> {
        let Some(begun_at) = offer.request.and_then(|open| open.begun_at) else { return Ok(false) };
        match self.ports.store.trading_accounts().find_named(scope, &offer.account_name).await? {
            Some(account) => {
                let is_later = account.peek().giving_enabled_at.is_some_and(|enabled_at| enabled_at > begun_at);
                Ok(is_later && self.asks_before_giving(scope, account.peek()).await?)
            }
            None => Ok(false),
        }
    }

    /// Whether the marketplace that has sold an item does not answer, as far as it is on record. Nothing shows then that the sale is paid.
    async fn is_marketplace_down(&self, scope: WorkspaceScope, item: &InventoryItem) -> OpResult<bool> {
        let (providers, at) = (self.ports.store.providers(), self.market_now(scope.workspace_id()));
        let Some(place) = &item.sale_place else { return Ok(false) };
        match providers.find_named(scope, ProviderKind::Marketplace, &place.marketplace).await? {
            Some(provider) => {
                let healths = providers.find_healths(scope, &[provider.peek().id]).await?;
                Ok(healths.iter().any(|health| health.peek().report.is_down(at)))
            }
            None => Ok(false),
        }
    }

    async fn item_to_give(&self, scope: WorkspaceScope, id: InventoryItemId) -> OpResult<InventoryItem> {
        let found = self.ports.store.items().find(scope, id).await?;
        found.map(|seen| seen.into_display().0).ok_or_else(|| OpError::not_found("inventory item"))
    }

    /// An item that is delivered to its buyer: no request of a person gives it, too.
    async fn given_item(&self, scope: WorkspaceScope, item: &InventoryItem) -> OpResult<GivenItem> {
        let asset = AssetKey { app_id: item.app_id, asset_id: item.current_asset_id().clone() };
        let requested = self.ports.store.trade_offers().list_requested(scope, MOST_REQUESTED).await?;
        let is_wanted = requested.iter().any(|offer| offer.peek().given_assets().contains(&asset));
        let is_held_for_it = item.status == ItemStatus::Delivering && !is_wanted;
        let at = self.market_now(scope.workspace_id());
        Ok(GivenItem { asset, is_held_for_it, is_free: item.check_unlocked(at).is_ok() })
    }

    /// The items that a person gives: none of them is one of the ledger, but for the one that the offer transfers. The platform rejects an
    /// offer of one that cannot be traded.
    async fn items_of_person(
        &self,
        scope: WorkspaceScope,
        offer: &TradeOffer,
        transferred: Option<&InventoryItem>,
    ) -> OpResult<Vec<GivenItem>> {
        let at = self.market_now(scope.workspace_id());
        let is_free = transferred.is_none_or(|item| item.check_unlocked(at).is_ok());
        let mut items = Vec::new();
        for asset in offer.given_assets() {
            let item = item_with_asset(self, scope, &asset).await?;
            let is_transferred =
                |item: &InventoryItem| transferred.is_some_and(|transferred| transferred.id == item.id);
            let is_held_for_it = item.is_none_or(|item| item.status.is_terminal() || is_transferred(&item));
            items.push(GivenItem { asset, is_held_for_it, is_free });
        }
        Ok(items)
    }
}

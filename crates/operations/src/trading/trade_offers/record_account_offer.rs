//! [`RecordAccountOffer`] and [`UnownedTradeOffers`]: what a reading of an account's offers shows, also of offers that no record explains.
//! Not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::id::{RecordKey, TradeOfferId, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferOwner, OfferReport, SeenOffer, Strangeness, TradeOffer,
};
use tradepost_ports::changes::{Caller, Changes, Revised, Seen};

use super::carry_out_requests::report_strange;
use super::record_trade_offer::{commit_trade_offer, log_trade_offer};
use super::request_steps::item_with_asset;
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations, Versioned};

/// A report of an offer that a reading of an account's offers shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAccountOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account of ours that sees it.
    pub account_name: AccountName,
    /// The report.
    pub report: OfferReport,
    /// The draft whose call gave this report.
    pub answers: Option<TradeOfferId>,
    /// The time from which on the account's offers are read: older ones that have ended are history.
    pub watched_since: Option<Timestamp>,
}

/// A query for the open offers of an account that are for no purchase and no item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnownedTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_name: AccountName,
}

impl Operations {
    /// Records what a reading shows of an offer. The steps of purchases and items record theirs. An offer that gives our items and that
    /// was not drafted here is reported as strange.
    /// Returns `None` for an unknown offer of which nothing can come, and for one that the step of a sale judges.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn record_account_offer(
        &self,
        caller: &Caller,
        command: RecordAccountOffer,
    ) -> OpResult<Option<Versioned<TradeOffer>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            if let Some(seen) = self.drafted_or_seen(scope, &command).await? {
                if !seen.peek().is_unowned() {
                    return Ok(Some(seen.into()));
                }
                let shown = seen.peek().clone().see(command.report.clone(), at);
                return self.keep_trade_offer(By { caller, at }, scope, seen, shown).await.map(Some);
            }
            if !is_worth_recording(&command) {
                return Ok(None);
            }
            let is_strange = gives_ours(&command.report);
            if is_strange && self.is_of_sale(scope, &command.report).await? {
                return Ok(None);
            }
            let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
            let (account_name, report) = (command.account_name.clone(), command.report.clone());
            let mut offer = TradeOffer::first_seen(key, SeenOffer { account_name, report, owner: None }, at);
            let mut changes = Changes::by(caller);
            if is_strange {
                offer = offer.strange(Strangeness::NotSentHere, at);
                report_strange(self, &mut changes, By { caller, at }, scope, &offer).await?;
            }
            changes.insert(offer.clone());
            let added = Revised { value: offer, version: 1 };
            log_trade_offer(self, &mut changes, By { caller, at }, None, &added);
            commit_trade_offer(self, caller, changes).await?;
            Ok(Some(added.into()))
        })
        .await
    }

    /// Returns the open offers of an account that are for no purchase and no item.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn unowned_trade_offers(
        &self,
        caller: &Caller,
        command: UnownedTradeOffers,
    ) -> OpResult<Vec<Versioned<TradeOffer>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.trade_offers().list_unowned(scope, &command.account_name).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Returns the record of an offer: a draft that it may be, or the one under its id. The drafts are read first: an offer that is recorded as
    /// sent in between is found under its id.
    async fn drafted_or_seen(
        &self,
        scope: WorkspaceScope,
        command: &RecordAccountOffer,
    ) -> OpResult<Option<Seen<TradeOffer>>> {
        let (offers, report) = (self.ports.store.trade_offers(), &command.report);
        let unsent = offers.list_unsent(scope, &command.account_name).await?;
        if let Some(seen) = offers.find_seen(scope, &command.account_name, &report.offer_id).await? {
            return Ok(Some(seen));
        }
        let is_it = |offer: &TradeOffer| match command.answers {
            Some(id) => offer.id == id,
            None => offer.is_shown_by(report),
        };
        Ok(unsent.into_iter().find(|seen| is_it(seen.peek())))
    }

    /// Whether every item that an offer gives is being given to this partner: the step of the sale finds such offers by their content, and
    /// judges them.
    async fn is_of_sale(&self, scope: WorkspaceScope, report: &OfferReport) -> OpResult<bool> {
        for given in &report.gives {
            let item = item_with_asset(self, scope, &given.into()).await?;
            let Some(item) = item.filter(|item| item.status == ItemStatus::Delivering) else { return Ok(false) };
            let open = self.ports.store.trade_offers().list_open_of(scope, OfferOwner::Item(item.id)).await?;
            if !open.iter().any(|seen| seen.peek().partner == report.partner) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether an offer gives items of ours, and was sent by us.
fn gives_ours(report: &OfferReport) -> bool {
    report.direction == OfferDirection::Sent && !report.gives.is_empty()
}

/// Whether something can still come of an unknown offer, or came of it since the account is watched. Without its items nothing is concluded.
fn is_worth_recording(command: &RecordAccountOffer) -> bool {
    let report = &command.report;
    if report.gives.is_empty() && report.receives.is_empty() {
        return false;
    }
    let is_new = command.watched_since.is_some_and(|since| report.created_at >= since);
    match report.status {
        OfferStatus::NeedsConfirmation | OfferStatus::Active | OfferStatus::InEscrow => true,
        OfferStatus::Accepted => is_new,
        OfferStatus::Invalid
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor
        | OfferStatus::Unknown(_) => false,
    }
}

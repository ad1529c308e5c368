//! [`RequestedTradeOffers`], [`BeginOfferRequest`], [`PostponeOfferRequest`] and [`FailOfferRequest`]: an engine carries out what people ask for.
//! Not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind};
use tradepost_domain::id::{TradeOfferId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_domain::trading::trade_offer::{OfferStep, Strangeness, TradeOffer};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};

use super::record_trade_offer::{commit_trade_offer, move_trade_offer};
use super::request_steps::trade_offer_as_seen;
use super::transfers::require_givable;
use crate::commit::By;
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The most requests that are read at once.
const MOST_REQUESTED: u32 = 200;

/// A query for the offers whose request is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestedTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// An announcement of an engine that it is about to call the platform for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginOfferRequest {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The offer.
    pub trade_offer_id: TradeOfferId,
    /// The version that the engine decided on.
    pub expected_version: i64,
}

/// A report of an engine that the call did nothing and can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostponeOfferRequest {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The offer.
    pub trade_offer_id: TradeOfferId,
}

/// A report of an engine that a request was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailOfferRequest {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The offer.
    pub trade_offer_id: TradeOfferId,
    /// Why, in up to 200 characters.
    pub why: String,
    /// Whether the call certainly had no effect.
    pub is_certain: bool,
    /// What is strange about the offer, if anything is.
    pub strangeness: Option<Strangeness>,
}

impl Operations {
    /// Returns offers whose request is not finished, the oldest request first.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn requested_trade_offers(
        &self,
        caller: &Caller,
        command: RequestedTradeOffers,
    ) -> OpResult<Vec<Versioned<TradeOffer>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let requested = self.ports.store.trade_offers().list_requested(scope, MOST_REQUESTED).await?;
        Ok(requested.into_iter().map(Versioned::from).collect())
    }

    /// Records that the platform is called for a request from now on. The items that it gives are still not of the ledger, but for the one that
    /// it transfers.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` without a request that waits,
    /// `ITEM_ON_RECORD`, `ITEM_LOCKED` of an item that it transfers, `GIVING_LIMIT_REACHED`.
    pub async fn begin_offer_request(
        &self,
        caller: &Caller,
        command: BeginOfferRequest,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let (by, expected_version) = (By { caller, at }, Some(command.expected_version));
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let seen = trade_offer_as_seen(self, scope, command.trade_offer_id, expected_version).await?;
            let Some(request) = seen.peek().request.filter(|request| request.begun_at.is_none()) else {
                return Err(OpError::failed_precondition(Reason::IllegalStep, "no request of this offer waits"));
            };
            let mut next = seen.peek().clone();
            // What ends an offer gives nothing.
            if matches!(request.step, OfferStep::Send | OfferStep::Accept) {
                require_givable(self, scope, seen.peek(), at).await?;
                next = self.begin_giving(&mut changes, by, scope, next).await?;
            }
            let moved = move_trade_offer(self, &mut changes, by, seen, next.begun(at))?;
            commit_trade_offer(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Records that the call for a request did nothing: it is made again in a later pass.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn postpone_offer_request(
        &self,
        caller: &Caller,
        command: PostponeOfferRequest,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = trade_offer_as_seen(self, scope, command.trade_offer_id, None).await?;
            let next = seen.peek().clone().not_begun(at);
            let mut changes = Changes::by(caller);
            let moved = move_trade_offer(self, &mut changes, By { caller, at }, seen, next)?;
            commit_trade_offer(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Records that a request was not carried out, and reports what is strange about its offer.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn fail_offer_request(
        &self,
        caller: &Caller,
        command: FailOfferRequest,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let why: Option<ReasonText> = fields::shortened(&command.why);
        self.retrying(|| async {
            let seen = trade_offer_as_seen(self, scope, command.trade_offer_id, None).await?;
            let mut next = seen.peek().clone();
            if let Some(why) = why.clone() {
                next = next.request_failed(why, command.is_certain, at);
            }
            let mut changes = Changes::by(caller);
            if let Some(strangeness) = command.strangeness {
                next = next.strange(strangeness, at);
                report_strange(self, &mut changes, By { caller, at }, scope, &next).await?;
            }
            let moved = move_trade_offer(self, &mut changes, By { caller, at }, seen, next)?;
            commit_trade_offer(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}

/// Adds the problem of a strange offer.
pub(super) async fn report_strange(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    scope: WorkspaceScope,
    offer: &TradeOffer,
) -> OpResult<()> {
    let evidence = Evidence { shown_by: offer.offer_id.clone(), ..Evidence::default() };
    let finding = Finding { kind: RemediationKind::StrangeOffer, evidence };
    let problems = Problems { scope, of: Subject::TradeOffer(offer.id), found: vec![finding], resolved: None };
    follow_problems(operations, changes, by, None, problems).await.map(drop)
}

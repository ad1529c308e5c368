//! [`CancelTradeOffer`]: a person has the engine cancel an offer that an account sent.

use tradepost_domain::id::{TradeOfferId, WorkspaceId};
use tradepost_domain::trading::trade_offer::{OfferStep, TradeOffer};
use tradepost_ports::changes::{Caller, Changes};

use super::request_steps::{Ask, request_step, trade_offer_as_seen};
use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Asks the engine to cancel a trade offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offer.
    pub trade_offer_id: TradeOfferId,
    /// The version that the caller saw, from 1; rejected when the offer has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Records that the engine is to cancel an offer. One that was certainly not sent, or that the platform has not shown, is cancelled at
    /// once; if the platform shows it later, it counts as strange.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`: `VERSION_MISMATCH`,
    /// `GIVING_NOT_ENABLED`, `OFFER_REQUEST_OPEN`, `ILLEGAL_STEP` unless
    /// it was sent and is not accepted.
    pub async fn cancel_trade_offer(
        &self,
        caller: &Caller,
        command: CancelTradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = rules::CANCEL_TRADE_OFFER.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = trade_offer_as_seen(self, scope, command.trade_offer_id, command.expected_version).await?;
            if !seen.peek().is_unsent() {
                self.require_giving_to_end_offer(scope, &seen.peek().account_name).await?;
            }
            request_step(self, By { caller, at }, Changes::by(caller), seen, Ask::of(OfferStep::Cancel)).await
        })
        .await
    }
}

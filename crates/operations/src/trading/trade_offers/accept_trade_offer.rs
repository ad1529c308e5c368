//! [`AcceptTradeOffer`]: a person has the engine accept an offer that an account received.

use tradepost_domain::id::{TradeOfferId, WorkspaceId};
use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_ports::changes::{Caller, Changes};

use super::request_steps::{Ask, request_step, require_off_record, trade_offer_as_seen};
use crate::commit::By;
use crate::rules;
use crate::trading::trading_accounts::account_moves::require_acknowledged;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Asks the engine to accept a trade offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offer.
    pub trade_offer_id: TradeOfferId,
    /// The version that the caller saw, from 1; rejected when the offer has another one.
    pub expected_version: Option<i64>,
    /// Whether it is accepted though the platform would hold the items.
    pub accept_hold: bool,
}

impl Operations {
    /// Records that the engine is to accept an offer. It compares the items with those that the caller saw, and confirms the acceptance.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` without an expected version, `not_found`, `failed_precondition`: `VERSION_MISMATCH`,
    /// `TRADES_NOT_ACKNOWLEDGED`, `GIVING_NOT_ENABLED`, `STEP_UP_REQUIRED` if it gives items, `ITEM_ON_RECORD` for an item that the ledger has, `OFFER_REQUEST_OPEN`, `ILLEGAL_STEP` unless
    /// it was received and is active, `GIVING_LIMIT_REACHED`.
    pub async fn accept_trade_offer(
        &self,
        caller: &Caller,
        command: AcceptTradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = rules::ACCEPT_TRADE_OFFER.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        if command.expected_version.is_none() {
            return Err(OpError::invalid_field("expectedVersion", "is required"));
        }
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let seen = trade_offer_as_seen(self, scope, command.trade_offer_id, command.expected_version).await?;
            require_acknowledged(self, scope, &seen.peek().account_name).await?;
            self.require_giving_of(scope, &seen.peek().account_name).await?;
            let given = seen.peek().given_assets();
            if !given.is_empty() {
                self.require_step_up_in(caller, scope, rules::ACCEPT_TRADE_OFFER, &mut changes).await?;
                require_off_record(self, scope, &given).await?;
                self.require_within_limits(By { caller, at }, scope, seen.peek().clone()).await?;
            }
            request_step(self, By { caller, at }, changes, seen, Ask::to_accept(command.accept_hold)).await
        })
        .await
    }
}

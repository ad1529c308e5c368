//! [`RefreshTradeOffers`], [`OfferReadings`] and [`RecordOfferReading`]: a person asks for a reading of an account's offers, which the engine
//! takes. The last two are not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::account_moves::{account_as_seen, account_to_list};
use crate::{OpError, OpResult, Operations};

/// Asks the engine to read the offers of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A query for the last readings of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferReadings {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts.
    pub account_ids: Vec<AccountId>,
}

/// A report of an engine that it has read and recorded the offers of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordOfferReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// When the reading began.
    pub began_at: Timestamp,
}

impl Operations {
    /// Asks for a reading of an account's offers, which the engine takes in one of its next passes. A request that waits already stays. An
    /// engine that does not trade with the account ends it after 2 min.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn refresh_trade_offers(&self, caller: &Caller, command: RefreshTradeOffers) -> OpResult<OfferReading> {
        let scope = rules::REFRESH_TRADE_OFFERS.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            let mut changes = Changes::by(caller);
            let account = account_to_list(&mut changes, account, at)?;
            changes.audit(AuditKind::TradeOfferRefreshRequested, &account);
            let fresh = OfferReading::new(scope.workspace_id(), command.account_id);
            let known = self.reading_of(scope, command.account_id).await?;
            let asked = keep(&mut changes, known, fresh, |reading| reading.requested(at))?;
            self.commit(caller, changes).await?;
            Ok(asked)
        })
        .await
    }

    /// Returns when the offers of accounts were last read; accounts whose offers were never read or asked for are left out.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn offer_readings(&self, caller: &Caller, command: OfferReadings) -> OpResult<Vec<OfferReading>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.trade_offers().find_readings(scope, &command.account_ids).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }

    /// Records that the offers of an account were read. A request that came after the beginning waits for the next reading.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn record_offer_reading(&self, caller: &Caller, command: RecordOfferReading) -> OpResult<OfferReading> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let fresh = OfferReading::new(scope.workspace_id(), command.account_id);
            let known = self.reading_of(scope, command.account_id).await?;
            let read = keep(&mut changes, known, fresh, |reading| reading.read(command.began_at))?;
            self.commit(caller, changes).await?;
            Ok(read)
        })
        .await
    }

    async fn reading_of(&self, scope: WorkspaceScope, account_id: AccountId) -> OpResult<Option<Seen<OfferReading>>> {
        Ok(self.ports.store.trade_offers().find_readings(scope, &[account_id]).await?.into_iter().next())
    }
}

/// Adds the record of an account, which is `fresh` if there is none yet, with its change.
fn keep(
    changes: &mut Changes,
    known: Option<Seen<OfferReading>>,
    fresh: OfferReading,
    change: impl FnOnce(OfferReading) -> OfferReading,
) -> OpResult<OfferReading> {
    let Some(known) = known else {
        let reading = change(fresh);
        changes.insert(reading);
        return Ok(reading);
    };
    Ok(changes.revise(known, |reading| Ok::<_, OpError>(change(reading)))?.value)
}

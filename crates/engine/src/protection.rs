//! While a trade can be reversed: taken back by the other side, or final once the time is over.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use time::Duration;
use tradepost_domain::purchase::{PROTECTION_MARGIN, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::TradeStatus;
use tradepost_operations::Versioned;

use crate::Engine;
use crate::pass::Pass;
use crate::reads::beside;
use crate::trouble::Tried;

/// How far back trades are looked at: longer than any protection lasts.
pub(crate) const WATCHED: Duration = Duration::days(9);

/// How far the platform is known to date a trade back.
const BACKDATED: Duration = Duration::minutes(30);

/// The trades that took another back, by the one that they took back, as far as they can matter still.
#[derive(Debug, Default)]
pub(crate) struct Reversals {
    known: BTreeMap<ExternalId, (ExternalId, Timestamp)>,
    read_at: Option<Timestamp>,
}

impl Engine {
    pub(crate) async fn watch_protections(&mut self, pass: &mut Pass) -> Tried {
        let protected = self.purchases(PurchaseStatus::Traded).await?;
        if protected.is_empty() {
            return Ok(());
        }
        self.read_reversals().await?;
        let steps = protected.into_iter().map(|purchase| self.watch_protection(purchase).boxed()).collect();
        pass.note_all(beside(steps).await);
        Ok(())
    }

    async fn watch_protection(&self, purchase: Versioned<Purchase>) -> Tried {
        let progress = &purchase.value.progress;
        let Some((trade_id, until)) = progress.trade_id.as_ref().zip(progress.protected_until) else { return Ok(()) };
        if let Some((rollback_trade_id, _)) = self.reversals.known.get(trade_id).cloned() {
            if !self.let_go_of_item(&purchase.value).await? {
                return Ok(());
            }
            return self.tell(&purchase, PurchaseEvent::TradeReversed { rollback_trade_id }).await.map(drop);
        }
        if self.now() < until.plus(PROTECTION_MARGIN) {
            return Ok(());
        }
        // Asked once more before it counts as final: the offer goes on saying that all is well.
        let account = self.account(&purchase.value.terms.account_name)?;
        let trade = self.desk.platform.trade(account.address.user, trade_id).await?;
        if trade.status == TradeStatus::Complete {
            self.tell(&purchase, PurchaseEvent::ProtectionEnded).await?;
        }
        Ok(())
    }

    /// Reads what was reversed since the last time. A reversal is a trade of its own that names the one it took back; nothing
    /// else shows it.
    async fn read_reversals(&mut self) -> Tried {
        let now = self.now();
        let since = self.reversals.read_at.map_or_else(|| now.plus(-WATCHED), |read_at| read_at.plus(-BACKDATED));
        for account in &self.desk.accounts {
            let trades = self.desk.platform.trades(account.address.user, since).await?;
            let reversals = trades.into_iter().filter_map(|trade| Some((trade.rollback_of?, (trade.id, now))));
            self.reversals.known.extend(reversals);
        }
        self.reversals.known.retain(|_, (_, read_at)| now.since(*read_at) < WATCHED);
        self.reversals.read_at = Some(now);
        Ok(())
    }
}

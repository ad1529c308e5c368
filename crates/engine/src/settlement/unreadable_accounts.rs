//! Accounts whose session the platform rejects: the marketplaces are asked instead whether their purchases were reversed and refunded, a
//! few purchases at a time.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contracts::purchase::{PROTECTION_MARGIN, Purchase};
use tradepost_domain::contracts::remediation::Evidence;
use tradepost_domain::id::PurchaseId;
use tradepost_domain::text::AccountName;
use tradepost_operations::Versioned;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::OrderStatus;

use crate::context::Context;
use crate::error::{EngineError, EngineResult, known_deal};
use crate::mark::Mark;
use crate::pass::Pass;
use crate::settlement::Settlement;
use crate::settlement::trade_protection::reversal_problem;

/// Accounts that cannot be read, and what marketplaces say of their purchases.
#[derive(Debug, Default)]
pub(crate) struct UnreadableAccounts {
    since: BTreeMap<AccountName, Mark>,
    /// When the marketplace last said that no money has come back.
    paid: BTreeMap<PurchaseId, Mark>,
}

impl UnreadableAccounts {
    /// Notes whether an account could be read; whether it could not for so long that marketplaces are asked of its purchases.
    pub(crate) fn record_read(
        &mut self,
        account: &AccountName,
        read: &EngineResult,
        now: Mark,
        patience: Duration,
    ) -> bool {
        if !matches!(read, Err(EngineError::Platform(ExternalError::AuthLost { .. }))) {
            self.since.remove(account);
            return false;
        }
        let since = *self.since.entry(account.clone()).or_insert(now);
        now.since(since) >= patience
    }
}

impl Settlement {
    /// Asks the marketplaces of purchases whose trades cannot be looked at. As long as one of them has not said lately that no money has
    /// come back, something may have come in there that is not booked.
    pub(crate) async fn check_at_marketplaces(
        &mut self,
        context: &Context,
        purchases: Vec<Versioned<Purchase>>,
        pass: &mut Pass,
    ) {
        let (now, mut left) = (context.mark(), context.timings.concurrency);
        self.unreadable.paid.retain(|_, said_at| now.since(*said_at) < context.timings.refund_answer_valid_for);
        for purchase in purchases.into_iter().map(|purchase| purchase.value) {
            let (id, place) = (purchase.terms.id, &purchase.terms.marketplace);
            if self.unreadable.paid.contains_key(&id) {
                continue;
            }
            if left == 0 {
                pass.mark_unbooked(place);
                continue;
            }
            left = left.saturating_sub(1);
            let said = is_unrefunded(context, &purchase).await;
            if matches!(said, Ok(true)) {
                self.unreadable.paid.insert(id, now);
            } else {
                pass.mark_unbooked(place);
            }
            pass.record_error(said.map(drop));
        }
    }
}

/// Returns whether the marketplace reports no refund for a purchase, made or in transit. Records any other answer, and reports
/// a purchase that would be final by now if its trade could be read.
async fn is_unrefunded(context: &Context, purchase: &Purchase) -> EngineResult<bool> {
    let (terms, progress) = (&purchase.terms, &purchase.progress);
    let Some(bought) = &progress.order else { return Ok(true) };
    let order = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate).order(&bought.id).await?;
    known_deal(&order.id, order.status)?;
    let is_back = matches!(order.status, OrderStatus::Reverted | OrderStatus::Refunded);
    let final_at = progress
        .protected_until
        .map(|until| until.plus(PROTECTION_MARGIN).plus(context.timings.protection_overdue_after));
    let is_overdue = final_at.is_some_and(|final_at| context.now() > final_at);
    let shown_by = if is_back { Some(order.id) } else { progress.trade_id.clone().filter(|_| is_overdue) };
    if shown_by.is_some() {
        let shown = Some(Evidence { shown_by, ..Evidence::default() });
        context.report_problem(reversal_problem(purchase), Duration::ZERO, shown).await?;
    }
    Ok(!is_back)
}

//! Accounts whose session the platform rejects: the marketplaces are asked instead whether their purchases were reversed and refunded, a
//! few purchases at a time.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contracts::purchase::{PROTECTION_MARGIN, Purchase};
use tradepost_domain::contracts::remediation::Evidence;
use tradepost_domain::id::PurchaseId;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_operations::Versioned;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::OrderStatus;

use crate::context::Context;
use crate::desk::currency::OurOrder;
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
        self.since.entry(account.clone()).or_insert(now);
        self.is_lasting(account, now, patience)
    }

    /// Whether an account could not be read for so long when it was last tried.
    pub(crate) fn is_lasting(&self, account: &AccountName, now: Mark, patience: Duration) -> bool {
        self.since.get(account).is_some_and(|since| now.since(*since) >= patience)
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
        let (now, mut left) = (context.mark(), context.timings().concurrency);
        self.unreadable.paid.retain(|_, said_at| now.since(*said_at) < context.timings().refund_answer_valid_for);
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
    let terms = &purchase.terms;
    let Some(bought) = &purchase.progress.order else { return Ok(true) };
    let order = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate).order(&bought.id).await?;
    known_deal(&order.id, order.status)?;
    let shown_by = refund_evidence(purchase, &order, context.now(), context.timings().protection_overdue_after);
    if shown_by.is_some() {
        let shown = Some(Evidence { shown_by, ..Evidence::default() });
        context.report_problem(reversal_problem(purchase), Duration::ZERO, shown).await?;
    }
    Ok(!is_paid_back(order.status))
}

const fn is_paid_back(status: OrderStatus) -> bool {
    matches!(status, OrderStatus::Reverted | OrderStatus::Refunded)
}

/// Returns the order that shows that a purchase was reversed, or the trade that would be final by now if it could be read.
fn refund_evidence(purchase: &Purchase, order: &OurOrder, now: Timestamp, patience: Duration) -> Option<ExternalId> {
    if is_paid_back(order.status) {
        return Some(order.id.clone());
    }
    let final_at = purchase.progress.protected_until.map(|until| until.plus(PROTECTION_MARGIN).plus(patience));
    purchase.progress.trade_id.clone().filter(|_| final_at.is_some_and(|final_at| now > final_at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::contracts::purchase::PurchaseStatus;
    use tradepost_ports::external::Effect;
    use tradepost_testkit::samples::{minute, text};

    use crate::samples::{order, purchase};

    fn lost() -> EngineResult {
        Err(EngineError::Platform(ExternalError::AuthLost { effect: Effect::Nothing }))
    }

    fn after(minutes: i64) -> Mark {
        Mark::START.plus(Duration::minutes(minutes))
    }

    #[test]
    fn the_marketplaces_are_asked_once_the_platform_has_rejected_a_session_for_long() {
        let (mut accounts, name) = (UnreadableAccounts::default(), text("trader-1"));
        let mut is_lasting = |read: EngineResult, at| accounts.record_read(&name, &read, after(at), Duration::hours(1));
        assert_eq!([0, 59, 60].map(|at| is_lasting(lost(), at)), [false, false, true]);
    }

    #[test]
    fn an_account_that_could_be_read_or_did_not_answer_begins_again() {
        let (mut accounts, name) = (UnreadableAccounts::default(), text("trader-1"));
        let mut is_lasting = |read: EngineResult, at| accounts.record_read(&name, &read, after(at), Duration::hours(1));
        assert!(!is_lasting(lost(), 0));
        assert!(!is_lasting(Ok(()), 1));
        assert!(!is_lasting(lost(), 60));
        assert!(!is_lasting(Err(EngineError::Platform(ExternalError::Unknown("timeout".to_owned()))), 61));
        assert!(!is_lasting(lost(), 120));
    }

    #[test]
    fn an_order_that_was_paid_back_shows_the_reversal() {
        let traded = purchase(PurchaseStatus::Traded);
        for status in [OrderStatus::Reverted, OrderStatus::Refunded] {
            let shown = refund_evidence(&traded, &order(status), minute(0), Duration::hours(1));
            assert_eq!(shown, Some(text("order-1")));
        }
    }

    #[test]
    fn a_trade_that_would_be_final_by_now_shows_an_overdue_purchase() {
        let traded = purchase(PurchaseStatus::Traded);
        let final_at = traded.progress.protected_until.unwrap().plus(PROTECTION_MARGIN).plus(Duration::hours(1));
        let shown = |at| refund_evidence(&traded, &order(OrderStatus::Delivered), at, Duration::hours(1));
        assert_eq!(shown(final_at), None);
        assert_eq!(shown(final_at.plus(Duration::SECOND)), traded.progress.trade_id.clone());
    }
}

//! Deliveries that the platform would hold. Each waits until the hold is over, a person has it made all the same, or the sale ends.

use time::Duration;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::transition::Subject;
use tradepost_ports::external::ExternalError;

use crate::context::Context;
use crate::context::problems::{Problem, ProblemSource, held_delivery};
use crate::context::trade_holds::Giving;
use crate::desk::currency::OurSale;
use crate::error::EngineResult;

/// Returns whether a delivery waits because the platform would hold it, or does not show whether it would. That is reported, and a person who
/// dismisses the report has the item delivered all the same.
pub(crate) async fn is_to_wait(context: &Context, item: &InventoryItem, sale: &OurSale) -> EngineResult<bool> {
    let Some(to) = &sale.deliver_to else { return Ok(false) };
    let (problem, source): (Problem, _) =
        ((RemediationKind::ListingMismatch, Subject::InventoryItem(item.id)), ProblemSource::Hold);
    if context.is_dismissed(problem, source, &sale.id) {
        return Ok(false);
    }
    let account = context.account(&item.account_name)?;
    let why = match context.delivery_hold(account.address.user, to).await {
        Ok(hold) => Giving::OURS.held_for(hold).map(|held| format!("held for {held}")),
        Err(ExternalError::Rejected(refusal)) => Some(format!("not known: {refusal}")),
        Err(error) => {
            let shown = held_delivery(&sale.id, &format!("not known: {error}"));
            let lasting = context.timings().listing_mismatch_grace;
            context.report_problem_from(problem, source, lasting, Some(shown)).await?;
            return Err(error.into());
        }
    };
    let shown = why.as_ref().map(|why| held_delivery(&sale.id, why));
    context.report_problem_from(problem, source, Duration::ZERO, shown).await?;
    Ok(why.is_some())
}

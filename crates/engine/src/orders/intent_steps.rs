//! The steps of an intent that an engine executes: it claims it, and says what came of it.

use tradepost_domain::contracts::intent::Intent;
use tradepost_domain::markets::fees::Charges;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{ClaimIntent, FinishIntent, IntentOutcome};

use crate::context::Context;
use crate::error::EngineResult;

pub(crate) async fn claim_intent(
    context: &Context,
    intent: &Versioned<Intent>,
    fees: Option<Charges>,
) -> EngineResult<Versioned<Intent>> {
    let command = ClaimIntent {
        workspace_id: context.desk().workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        fees,
    };
    Ok(context.operations().claim_intent(context.caller(), command).await?)
}

/// Ends an intent, if it is known what came of it.
pub(crate) async fn finish_intent(
    context: &Context,
    intent: &Versioned<Intent>,
    outcome: Option<IntentOutcome>,
) -> EngineResult {
    let Some(outcome) = outcome else { return Ok(()) };
    let command = FinishIntent {
        workspace_id: context.desk().workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        outcome,
    };
    context.operations().finish_intent(context.caller(), command).await?;
    Ok(())
}

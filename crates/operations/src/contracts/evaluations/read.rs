//! Evaluations that are kept: [`ListEvaluations`], [`GetEvaluation`] and [`GetEvaluations`], and [`KeepEvaluations`], which the
//! interface does not offer.

use tradepost_domain::contracts::evaluation::{Decision, EvaluationRecord};
use tradepost_domain::id::{ContractId, EvaluationId, OfEvaluation, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::{EvaluationFilter, Worlds};

use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules::{self, WRITE_TRADING};
use crate::upkeep::clearing::{Step, until_done};
use crate::{OpError, OpResult, Operations, PageOf, fields};

/// A request for a page of evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListEvaluations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only evaluations of this contract.
    pub contract_id: Option<ContractId>,
    /// Only those that decided so.
    pub decision: Option<Decision>,
    /// Only those of the listing that its marketplace names so, 1 to 128 characters; empty for all.
    pub listing_id: String,
}

/// A request for one evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetEvaluation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The evaluation.
    pub evaluation_id: EvaluationId,
}

/// A request for several evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetEvaluations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The evaluations, 1 to 200.
    pub evaluation_ids: Vec<EvaluationId>,
}

/// Evaluations of a batch get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEvaluations {
    /// The found evaluations, in the requested order.
    pub found: Vec<EvaluationRecord>,
    /// The ids of which there is none.
    pub missing: Vec<EvaluationId>,
}

/// The decisions to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeepEvaluations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The evaluations, all of the workspace.
    pub evaluations: Vec<EvaluationRecord>,
}

impl Operations {
    /// Returns a page of evaluations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit, an invalid listing id, or a cursor that this list did not
    /// give out.
    pub async fn list_evaluations(&self, caller: &Caller, command: ListEvaluations) -> OpResult<PageOf<EvaluationId>> {
        let scope = rules::LIST_EVALUATIONS.enter(&caller.principal, command.workspace_id)?;
        let ListEvaluations { contract_id, decision, listing_id, .. } = &command;
        let (contract_id, decision) = (*contract_id, *decision);
        let listing_id = Some(listing_id.as_str()).filter(|given| !given.is_empty());
        let listing_id: Option<ExternalId> = fields::optional(listing_id, fields::text, "listingId")?;
        let key = ListKey::of("evaluations", scope).and_id(contract_id).and_code(decision.map(Decision::code));
        let key = key.and(listing_id.as_ref().map(|id| id.as_str().as_bytes()));
        let request = self.page_request::<OfEvaluation>(&key, command.limit, &command.cursor)?;
        let filter = EvaluationFilter { contract_id, decision, listing_id: listing_id.as_ref() };
        let page = self.to_show(caller, scope).evaluations().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Returns one evaluation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, also once it is forgotten.
    pub async fn get_evaluation(&self, caller: &Caller, command: GetEvaluation) -> OpResult<EvaluationRecord> {
        let scope = rules::GET_EVALUATION.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.evaluations().find_many(scope, &[command.evaluation_id]).await?;
        found.into_iter().next().ok_or_else(|| OpError::not_found("evaluation"))
    }

    /// Returns several evaluations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_evaluations(&self, caller: &Caller, command: GetEvaluations) -> OpResult<FoundEvaluations> {
        let scope = rules::GET_EVALUATIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("evaluationIds", &command.evaluation_ids)?;
        let found = self.ports.store.evaluations().find_many(scope, &ids).await?;
        let (found, missing) = in_order(ids, found, |evaluation| evaluation.id);
        Ok(FoundEvaluations { found, missing })
    }

    /// Returns an id for a new evaluation, which is stored or bought under it.
    pub fn evaluation_id(&self) -> EvaluationId {
        self.mint()
    }

    /// Keeps evaluations in one commit: those that led to something, and a sample of the others; how many were kept.
    ///
    /// # Errors
    /// `permission_denied`, `internal` for one of another workspace.
    pub async fn keep_evaluations(&self, caller: &Caller, command: KeepEvaluations) -> OpResult<usize> {
        caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let mut changes = Changes::by(caller);
        let mut kept = 0_usize;
        for evaluation in command.evaluations.into_iter().filter(EvaluationRecord::is_kept) {
            if evaluation.workspace_id != command.workspace_id {
                return Err(OpError::internal("an evaluation of another workspace"));
            }
            changes.append(AppendedRow::Evaluation(evaluation));
            kept = kept.saturating_add(1);
        }
        if kept > 0 {
            self.commit(caller, changes).await?;
        }
        Ok(kept)
    }

    /// Forgets a bounded part of the evaluations that are not kept any longer; returns their number.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn forget_old_evaluations(&self) -> OpResult<u64> {
        let mut forgotten = 0_u64;
        for (worlds, now) in self.worlds() {
            for decision in Decision::ALL.iter().copied() {
                forgotten = forgotten.saturating_add(self.forget_decided(worlds, decision, now).await?);
            }
        }
        Ok(forgotten)
    }

    async fn forget_decided(&self, worlds: Worlds, decision: Decision, now: Timestamp) -> OpResult<u64> {
        let (store, before) = (&self.ports.store, now.plus(-decision.kept_for()));
        until_done(|most| async move {
            Ok(Step::of(store.evaluations().forget(worlds, decision, before, most).await?, most))
        })
        .await
    }
}

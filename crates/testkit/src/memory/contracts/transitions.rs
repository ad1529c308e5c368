//! The log of status changes: reads, and the deletion of positions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfTransition, TransitionId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind, Transition};
use tradepost_ports::store::{
    MOST_LOOKED_AT, Page, PageRequest, StatusCounts, StoreResult, TransitionFilter, TransitionLog,
};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl TransitionLog for MemoryStore {
    async fn list_of(&self, scope: WorkspaceScope, subject: Subject, limit: u32) -> StoreResult<Vec<Transition>> {
        let state = self.state();
        let mut steps: Vec<Transition> =
            state.steps(scope, &[subject.kind()]).filter(|step| step.subject == subject).cloned().collect();
        steps.sort_by_key(|step| (step.version, step.id));
        steps.truncate(limit as usize);
        Ok(steps)
    }
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        ids: &[TransitionId],
    ) -> StoreResult<Vec<Transition>> {
        Ok(self.state().steps(scope, kinds).filter(|step| ids.contains(&step.id)).cloned().collect())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TransitionFilter<'_>,
        page: PageRequest<OfTransition>,
    ) -> StoreResult<Page<OfTransition>> {
        let state = self.state();
        let wanted = state.steps(scope, filter.kinds).filter(|step| is_wanted(step, &filter));
        let mut ids: Vec<TransitionId> = wanted.map(|step| step.id).collect();
        ids.retain(|id| page.before.is_none_or(|before| *id < before));
        ids.sort_unstable_by(|one, other| other.cmp(one));
        Ok(Page::of(ids, page.limit))
    }
    async fn count(&self, scope: WorkspaceScope, filter: TransitionFilter<'_>) -> StoreResult<StatusCounts> {
        let state = self.state();
        let mut steps: Vec<&Transition> =
            state.steps(scope, filter.kinds).filter(|step| is_wanted(step, &filter)).collect();
        steps.sort_unstable_by_key(|step| Reverse(step.id));
        let truncated = steps.len() > MOST_LOOKED_AT as usize;
        let mut counts: BTreeMap<i16, i64> = BTreeMap::new();
        for step in steps.into_iter().take(MOST_LOOKED_AT as usize) {
            *counts.entry(step.subject.kind().code()).or_default() += 1;
        }
        Ok(StatusCounts { counts: counts.into_iter().collect(), truncated })
    }
    async fn find_place(&self, scope: WorkspaceScope, id: TransitionId) -> StoreResult<Option<i64>> {
        let state = self.state();
        let is_of_it = state.steps(scope, SubjectKind::ALL).any(|step| step.id == id);
        Ok(state.placed().find(|(_, placed)| is_of_it && *placed == id).map(|(position, _)| position))
    }
    async fn list_after(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        position: i64,
        limit: u32,
    ) -> StoreResult<Vec<Transition>> {
        let state = self.state();
        let behind = state.placed().filter(|(place, _)| *place > position);
        let steps = behind.filter_map(|(_, id)| state.steps(scope, kinds).find(|step| step.id == id));
        Ok(steps.take(limit as usize).cloned().collect())
    }
    async fn list_since(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Transition>> {
        let state = self.state();
        let steps = state.placed().filter_map(|(_, id)| state.steps(scope, kinds).find(|step| step.id == id));
        let later = steps.filter(|step| since <= step.logged_at);
        Ok(later.take(limit as usize).cloned().collect())
    }
    async fn find_last(&self, scope: WorkspaceScope, kinds: &[SubjectKind]) -> StoreResult<Option<TransitionId>> {
        let state = self.state();
        Ok(state.placed().map(|(_, id)| id).filter(|id| state.steps(scope, kinds).any(|step| step.id == *id)).last())
    }
    async fn place(&self) -> StoreResult<i64> {
        Ok(self.state().placed().last().map_or(0, |(position, _)| position))
    }
    async fn forget_places(&self, after: i64, before: Timestamp, most: u32) -> StoreResult<(i64, u64)> {
        let mut state = self.state();
        let placed: Vec<(i64, &Transition)> =
            state.placed().filter_map(|(position, id)| Some((position, state.transitions.get(&id)?))).collect();
        let of = |step: &Transition| (step.workspace_id, step.subject.kind().code());
        let next = placed.iter().filter(|(position, _)| *position > after).take(most as usize);
        let (mut up_to, mut newest) = (after, BTreeMap::new());
        for (position, step) in next.take_while(|(_, step)| step.logged_at < before) {
            up_to = *position;
            newest.insert(of(step), *position);
        }
        let is_over = |position: i64, step: &Transition| newest.get(&of(step)).is_some_and(|last| position < *last);
        let over = placed.into_iter().filter(|(position, step)| is_over(*position, step));
        let over: Vec<i64> = over.map(|(position, _)| position).collect();
        for position in &over {
            state.places.remove(position);
        }
        Ok((up_to, over.len() as u64))
    }
}

fn millis(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(1_000)
}

fn is_wanted(step: &Transition, filter: &TransitionFilter<'_>) -> bool {
    filter.subject_id.is_none_or(|wanted| step.subject.id_bytes() == wanted)
        && filter.from.is_none_or(|from| millis(from) <= millis(step.at))
        && filter.to.is_none_or(|to| millis(step.at) < millis(to))
}

impl State {
    fn steps(&self, scope: WorkspaceScope, kinds: &[SubjectKind]) -> impl Iterator<Item = &Transition> {
        let workspace = scope.workspace_id();
        self.transitions
            .values()
            .filter(move |step| step.workspace_id == workspace && kinds.contains(&step.subject.kind()))
    }

    /// Returns the assigned positions with their transitions.
    fn placed(&self) -> impl Iterator<Item = (i64, TransitionId)> {
        self.places.iter().map(|(position, id)| (*position, *id))
    }
}

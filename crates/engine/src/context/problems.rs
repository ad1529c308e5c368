//! Problems that only external systems show: each is reported once, and resolved when it is no longer seen.
//!
//! The open ones are read every minute, so that a node continues with what another has reported.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{OpenRemediation, ResolveRemediation};

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::Mark;

/// A problem of a record.
pub(crate) type Problem = (RemediationKind, Subject);

/// What shows a problem. Several sights can show the same kind of one record: that one is over says nothing of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ProblemSource {
    /// The record itself, or what is outside for it.
    Record,
    /// A sale of an item that is not on sale for it.
    Sale,
    /// A listing of an item that is not on sale by it.
    Listing,
    /// The marketplace of a sale, which rejects every trade offer that is announced for it.
    Announcement,
    /// The platform, which would hold the delivery of a sale.
    Hold,
}

/// What the evidence of a rejected announcement expects.
const ACCEPTED: &str = "trade offer accepted";
/// What the evidence of a delivery that would be held expects.
const NOT_HELD: &str = "delivery without a trade hold";
/// What it has found, where the reason is too long for it.
const NOT_KNOWN: &str = "not known";

/// Returns the evidence that a marketplace rejects the trade offers for a sale.
pub(crate) fn rejected_announcement(sale: &ExternalId, offer: &ExternalId) -> Evidence {
    let expected = ExternalId::new(ACCEPTED).ok();
    let found = ExternalId::new(&format!("offer {offer} rejected")).ok();
    Evidence { shown_by: Some(sale.clone()), expected, found }
}

/// Returns the evidence that the platform would hold the delivery of a sale, or does not show whether it would.
pub(crate) fn held_delivery(sale: &ExternalId, why: &str) -> Evidence {
    let expected = ExternalId::new(NOT_HELD).ok();
    let found = ExternalId::new(why).or_else(|_| ExternalId::new(NOT_KNOWN)).ok();
    Evidence { shown_by: Some(sale.clone()), expected, found }
}

impl ProblemSource {
    /// Returns the source of an open problem, by its evidence.
    fn of(kind: RemediationKind, evidence: &Evidence) -> Self {
        let is_expected = |text: &str| evidence.expected.as_ref().is_some_and(|expected| expected.as_str() == text);
        if kind != RemediationKind::ListingMismatch {
            Self::Record
        } else if is_expected(ACCEPTED) {
            Self::Announcement
        } else if is_expected(NOT_HELD) {
            Self::Hold
        } else if evidence.expected.is_some() {
            Self::Record
        } else if evidence.found.is_some() {
            Self::Listing
        } else {
            Self::Sale
        }
    }
}

/// What has shown a problem that is open, and by which id outside.
#[derive(Debug, Clone)]
pub(crate) struct ProblemEvidence {
    source: ProblemSource,
    by: Option<ExternalId>,
}

impl ProblemEvidence {
    pub(crate) const fn source(&self) -> ProblemSource {
        self.source
    }

    pub(crate) const fn by(&self) -> Option<&ExternalId> {
        self.by.as_ref()
    }

    /// What has shown an open problem, by its evidence.
    pub(crate) fn of(kind: RemediationKind, evidence: &Evidence) -> Self {
        Self { source: ProblemSource::of(kind, evidence), by: evidence.shown_by.clone() }
    }
}

/// What a person dismissed: of a record as it was, or of one sight of it by its id outside.
pub(crate) type Dismissal = (Problem, ProblemSource, Option<ExternalId>);

/// What is known of the problems of records.
#[derive(Debug, Default)]
pub(crate) struct Problems(Mutex<ProblemCache>);

#[derive(Debug, Default)]
struct ProblemCache {
    open: HashMap<Problem, ProblemEvidence>,
    /// Those that a person has dismissed, and when last.
    dismissed: HashMap<Dismissal, Timestamp>,
    /// First time that a problem was seen without a break, reported or not.
    seen_since: HashMap<Sight, Mark>,
}

/// A problem, as one source shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    problem: Problem,
    source: ProblemSource,
}

/// Next step for a problem that a source shows, or no longer shows.
#[derive(Debug, PartialEq, Eq)]
enum ProblemStep {
    Open,
    Resolve,
    Nothing,
}

impl Problems {
    fn cache(&self) -> MutexGuard<'_, ProblemCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProblemCache {
    fn step(&mut self, sight: Sight, shown: Option<&Evidence>, lasting: Duration, now: Mark) -> ProblemStep {
        let Sight { problem, source } = sight;
        let Some(shown) = shown else {
            self.seen_since.remove(&sight);
            // A problem that another source has shown ends with that source.
            let is_open = self.open.get(&problem).is_some_and(|shown| shown.source == source);
            return if is_open && self.open.remove(&problem).is_some() {
                ProblemStep::Resolve
            } else {
                ProblemStep::Nothing
            };
        };
        let since = *self.seen_since.entry(sight).or_insert(now);
        let dismissal = dismissal(problem, source, shown.shown_by.clone());
        let is_known = self.open.contains_key(&problem) || self.dismissed.contains_key(&dismissal);
        if is_known || now.since(since) < lasting { ProblemStep::Nothing } else { ProblemStep::Open }
    }
}

/// What a dismissal of this sight is of. A record is one whatever shows its problem.
pub(crate) fn dismissal(problem: Problem, sight: ProblemSource, shown_by: Option<ExternalId>) -> Dismissal {
    (problem, sight, shown_by.filter(|_| sight != ProblemSource::Record))
}

impl Context {
    /// When a person last dismissed a problem.
    pub(crate) fn dismissed_at(&self, problem: Problem) -> Option<Timestamp> {
        self.problems.cache().dismissed.get(&(problem, ProblemSource::Record, None)).copied()
    }

    /// What was dismissed was another problem than the one that is seen now.
    pub(crate) fn forget_dismissed(&self, problem: Problem) {
        self.problems.cache().dismissed.remove(&(problem, ProblemSource::Record, None));
    }

    /// Whether a person has dismissed what this sight showed by an id outside.
    pub(crate) fn is_dismissed(&self, problem: Problem, source: ProblemSource, shown_by: &ExternalId) -> bool {
        self.problems.cache().dismissed.contains_key(&dismissal(problem, source, Some(shown_by.clone())))
    }

    /// Whether a problem is open that this sight has shown.
    pub(crate) fn is_problem_reported(&self, problem: Problem, source: ProblemSource) -> bool {
        self.problems.cache().open.get(&problem).is_some_and(|shown| shown.source == source)
    }

    /// Takes in the problems that are on record.
    pub(crate) fn replace_problems(
        &self,
        open: HashMap<Problem, ProblemEvidence>,
        dismissed: HashMap<Dismissal, Timestamp>,
    ) {
        let mut known = self.problems.cache();
        (known.open, known.dismissed) = (open, dismissed);
    }

    /// Reports a problem once it has lasted this long, and resolves it once it is no longer seen.
    pub(crate) async fn report_problem(
        &self,
        problem: Problem,
        lasting: Duration,
        shown: Option<Evidence>,
    ) -> EngineResult {
        self.report_problem_from(problem, ProblemSource::Record, lasting, shown).await
    }

    /// The same of a problem that several sights can show, by one of them.
    pub(crate) async fn report_problem_from(
        &self,
        problem: Problem,
        source: ProblemSource,
        lasting: Duration,
        shown: Option<Evidence>,
    ) -> EngineResult {
        let sight = Sight { problem, source };
        let step = self.problems.cache().step(sight, shown.as_ref(), lasting, self.mark());
        let (workspace_id, (kind, subject)) = (self.desk.workspace_id, problem);
        match step {
            ProblemStep::Nothing => {}
            ProblemStep::Open => {
                let evidence = shown.unwrap_or_default();
                let shown = ProblemEvidence { source, by: evidence.shown_by.clone() };
                let command = OpenRemediation { workspace_id, kind, subject, evidence };
                self.operations.open_remediation(&self.caller, command).await?;
                self.problems.cache().open.insert(problem, shown);
            }
            ProblemStep::Resolve => {
                let command = ResolveRemediation { workspace_id, kind, subject };
                self.operations.resolve_remediation(&self.caller, command).await?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::id::InventoryItemId;
    use tradepost_testkit::samples::{start, text};

    fn problem() -> Problem {
        (RemediationKind::ListingMismatch, Subject::InventoryItem(InventoryItemId::from_bytes([1; 16])))
    }

    /// Steps of a problem that has to last a minute.
    #[derive(Default)]
    struct Steps(ProblemCache);

    impl Steps {
        /// The step when a source shows the problem after so many seconds; it is open from then on.
        fn shown(&mut self, source: ProblemSource, seconds: i64) -> ProblemStep {
            let (at, shown) = (Mark::START.plus(Duration::seconds(seconds)), Evidence::default());
            let step = self.0.step(Sight { problem: problem(), source }, Some(&shown), Duration::MINUTE, at);
            if step == ProblemStep::Open {
                self.0.open.insert(problem(), ProblemEvidence { source, by: None });
            }
            step
        }

        fn over(&mut self, source: ProblemSource) -> ProblemStep {
            self.0.step(Sight { problem: problem(), source }, None, Duration::ZERO, Mark::START)
        }
    }

    #[test]
    fn a_problem_is_opened_once_after_it_has_lasted() {
        let mut steps = Steps::default();
        let seen = [0, 59, 60, 61].map(|at| steps.shown(ProblemSource::Record, at));
        assert_eq!(seen, [ProblemStep::Nothing, ProblemStep::Nothing, ProblemStep::Open, ProblemStep::Nothing]);
    }

    #[test]
    fn a_problem_that_was_over_in_between_has_to_last_again() {
        let mut steps = Steps::default();
        assert_eq!(steps.shown(ProblemSource::Record, 0), ProblemStep::Nothing);
        assert_eq!(steps.over(ProblemSource::Record), ProblemStep::Nothing);
        assert_eq!(steps.shown(ProblemSource::Record, 60), ProblemStep::Nothing);
    }

    #[test]
    fn a_problem_is_resolved_once_and_only_by_the_source_that_showed_it() {
        let mut steps = Steps::default();
        assert_eq!([0, 60].map(|at| steps.shown(ProblemSource::Sale, at)), [ProblemStep::Nothing, ProblemStep::Open]);
        assert_eq!(steps.over(ProblemSource::Record), ProblemStep::Nothing);
        assert_eq!(steps.over(ProblemSource::Sale), ProblemStep::Resolve);
        assert_eq!(steps.over(ProblemSource::Sale), ProblemStep::Nothing);
    }

    #[test]
    fn a_dismissed_problem_is_not_opened_again() {
        let mut steps = Steps::default();
        steps.0.dismissed.insert(dismissal(problem(), ProblemSource::Record, None), start());
        assert_eq!(
            [0, 60].map(|at| steps.shown(ProblemSource::Record, at)),
            [ProblemStep::Nothing, ProblemStep::Nothing]
        );
        assert_eq!([0, 60].map(|at| steps.shown(ProblemSource::Sale, at)), [ProblemStep::Nothing, ProblemStep::Open]);
    }

    #[test]
    fn a_dismissal_is_of_a_record_or_of_one_sight_by_its_id() {
        let of = |source| dismissal(problem(), source, Some(text("sale-1")));
        assert_eq!(of(ProblemSource::Record), (problem(), ProblemSource::Record, None));
        assert_eq!(of(ProblemSource::Sale), (problem(), ProblemSource::Sale, Some(text("sale-1"))));
    }

    #[test]
    fn the_evidence_of_a_mismatch_shows_its_source() {
        let (by, other) = (Some(text("sale-1")), Some(text("1900")));
        let evidence = |expected, found| Evidence { shown_by: by.clone(), expected, found };
        let source = |evidence: &Evidence| ProblemSource::of(RemediationKind::ListingMismatch, evidence);
        assert_eq!(source(&evidence(None, None)), ProblemSource::Sale);
        assert_eq!(source(&evidence(None, other.clone())), ProblemSource::Listing);
        assert_eq!(source(&evidence(other.clone(), other)), ProblemSource::Record);
        assert_eq!(source(&rejected_announcement(&text("sale-1"), &text("offer-1"))), ProblemSource::Announcement);
        let held = held_delivery(&text("sale-1"), "held for 360 h because of the account");
        assert_eq!((source(&held), &held.shown_by), (ProblemSource::Hold, &Some(text("sale-1"))));
        let too_long = held_delivery(&text("sale-1"), &"a reason ".repeat(20));
        assert_eq!((source(&too_long), too_long.found), (ProblemSource::Hold, Some(text("not known"))));
        assert_eq!(ProblemSource::of(RemediationKind::MissingItem, &evidence(None, None)), ProblemSource::Record);
    }
}

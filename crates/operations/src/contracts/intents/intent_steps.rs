//! The steps of an intent: an existing one takes one, a new one may take several in the commit that creates it.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{Intent, IntentError, IntentEvent, IntentStatus, Moment};
use tradepost_domain::id::IntentId;
use tradepost_domain::text::Description;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Committed, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason};

fn log_intent(operations: &Operations, changes: &mut Changes, by: By<'_>, intent: &Intent, taken: Taken) {
    let step = Step {
        subject: Subject::Intent(intent.terms.id),
        from: taken.from.map(IntentStatus::as_str),
        to: taken.to.as_str(),
        version: taken.version,
        trigger: taken.trigger,
    };
    let logged = operations.transition(by.caller, intent.terms.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { reason: taken.said, ..logged }));
}

/// Returns an intent for a caller that changes it, at the version that the caller saw, if it names one.
pub(crate) async fn intent_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: IntentId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Intent>> {
    let found = operations.ports.store.intents().find(scope, id).await?;
    let intent = found.ok_or_else(|| OpError::not_found("intent"))?;
    require_version(&intent, expected_version)?;
    Ok(intent)
}

/// This time at the market, and that of the server: people decide by theirs.
pub(crate) fn moment(operations: &Operations, market: Timestamp) -> Moment {
    Moment { market, server: operations.now() }
}

/// Moves an intent by an event.
pub(crate) fn move_intent(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Intent>,
    event: IntentEvent,
) -> Result<Revised<Intent>, IntentError> {
    let (from, trigger, said) = (seen.peek().status, event.name(), said(&event));
    let moved = changes.revise(seen, |intent| intent.apply(event, moment(operations, by.at)))?;
    let to = moved.value.status;
    // An expired intent records the reason for which it waited.
    let why = moved.value.failed_check.as_ref().filter(|_| to == IntentStatus::Expired);
    let said = said.or_else(|| why.and_then(|why| Description::new(why.as_str()).ok()));
    let taken = Taken { version: moved.version, from: Some(from), to, trigger, said };
    log_intent(operations, changes, by, &moved.value, taken);
    Ok(moved)
}

/// Adds an intent that takes these steps at once, each of which is a version of it.
pub(crate) fn begin_intent(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    mut intent: Intent,
    events: impl IntoIterator<Item = IntentEvent>,
) -> Result<Revised<Intent>, IntentError> {
    let mut version = 1;
    let mut taken = vec![Taken { version, from: None, to: intent.status, trigger: "proposed", said: None }];
    for (event, next) in events.into_iter().zip(2..) {
        let (from, trigger, said) = (intent.status, event.name(), said(&event));
        intent = intent.apply(event, moment(operations, by.at))?;
        version = next;
        taken.push(Taken { version, from: Some(from), to: intent.status, trigger, said });
    }
    for taken in taken {
        log_intent(operations, changes, by, &intent, taken);
    }
    Ok(changes.insert_at(intent, version))
}

/// Commits the beginning of an intent, or its effect.
pub(crate) async fn commit_intent(operations: &Operations, caller: &Caller, changes: Changes) -> OpResult<Committed> {
    name_taken(operations.commit(caller, changes).await)
}

/// Returns the outcome of a commit. If another purchase or intent has the listing or the item already, the error names it.
pub(crate) fn name_taken<T>(committed: OpResult<T>) -> OpResult<T> {
    let taken = |reason, message| Err(OpError::already_exists(reason, message));
    match committed {
        Err(OpError { source: Some(StoreError::Duplicate(Unique::LiveListing)), .. }) => {
            taken(Reason::ListingTaken, "a live purchase of this listing exists already")
        }
        Err(OpError { source: Some(StoreError::Duplicate(Unique::LiveBuy)), .. }) => {
            taken(Reason::IntentExists, "a live intent to buy this listing exists already")
        }
        Err(OpError { source: Some(StoreError::Duplicate(Unique::LiveSale)), .. }) => {
            taken(Reason::IntentExists, "a live intent to sell or transfer this item exists already")
        }
        outcome => outcome,
    }
}

/// A step that an intent took.
struct Taken {
    version: i64,
    from: Option<IntentStatus>,
    to: IntentStatus,
    trigger: &'static str,
    said: Option<Description>,
}

fn said(event: &IntentEvent) -> Option<Description> {
    event.said().and_then(|said| Description::new(said).ok())
}

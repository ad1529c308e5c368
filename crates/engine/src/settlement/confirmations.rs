//! Reads the confirmations of accounts when something waits: one that is open, one that a person answered, or a reading that a person asked for.
//!
//! The steps of sales and requests allow the confirmations of their own offers. Here those are answered that a person has answered, and what
//! came of every one is read from its offer.

use time::Duration;
use tradepost_domain::id::AccountId;
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{
    Confirmation, ConfirmationKind, ConfirmationOutcome, ConfirmationStatus,
};
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    BeginConfirmation, ConfirmationLists, OpenConfirmations, PostponeConfirmation, RecordConfirmationReading,
    RefuseConfirmationReading,
};

use crate::context::Context;
use crate::context::confirming::Answering;
use crate::desk::TradingAccount;
use crate::error::{EngineError, EngineResult};
use crate::mark::is_due;
use crate::pass::Pass;
use crate::settlement::Settlement;
use crate::turns::Turns;

/// Shortest time between two readings of an account: the platform limits how often it is asked.
const SPACING: Duration = Duration::seconds(10);
/// Time from one reading to the next of an account of which only what a person decides is open.
const STRANGE_EVERY: Duration = Duration::minutes(5);

/// When the confirmations of accounts were read.
#[derive(Debug, Default)]
pub(super) struct ConfirmationWatch(Turns<AccountName>);

/// An account with what waits for a reading.
struct Waiting {
    account: TradingAccount,
    account_id: Option<AccountId>,
    every: Duration,
}

impl Settlement {
    /// Reads and follows the confirmations of the accounts for which something waits.
    pub(crate) async fn follow_confirmations(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        if !context.holds_inventory() {
            return Ok(());
        }
        let (now, turns) = (context.mark(), &mut self.confirmations.0);
        let mut due = waiting_accounts(context).await?;
        due.retain(|waiting| is_due(turns.last(&waiting.account.name), now, waiting.every));
        for waiting in turns.in_turn(due, |waiting| &waiting.account.name, context.time_slice()) {
            let name = waiting.account.name.clone();
            turns.note(name.clone(), context.mark());
            let followed = context.track_session(&name, follow_account(context, &waiting)).await;
            pass.record_error(followed);
        }
        Ok(())
    }
}

async fn waiting_accounts(context: &Context) -> EngineResult<Vec<Waiting>> {
    let workspace_id = context.desk().workspace_id;
    let open = context.operations().open_confirmations(context.caller(), OpenConfirmations { workspace_id }).await?;
    let recorded: Vec<(TradingAccount, AccountId)> =
        context.recorded_accounts_of_desk().map(|(account, id)| (account.clone(), id)).collect();
    let account_ids = recorded.iter().map(|(_, id)| *id).collect();
    let ask = ConfirmationLists { workspace_id, account_ids };
    let lists = context.operations().confirmation_lists(context.caller(), ask).await?;
    let id_of = |account: &TradingAccount| {
        recorded.iter().find(|(recorded, _)| recorded.name == account.name).map(|(_, id)| *id)
    };
    let waiting = |account: &TradingAccount| {
        let account_id = id_of(account);
        let every = reading_interval(&account.name, &open, account_id.and_then(|id| list_of(&lists, id)))?;
        Some(Waiting { account: account.clone(), account_id, every })
    };
    Ok(context.desk().accounts.iter().filter_map(waiting).collect())
}

fn list_of(lists: &[ConfirmationList], id: AccountId) -> Option<ConfirmationList> {
    lists.iter().find(|list| list.account_id == id).copied()
}

/// How often an account is read; nothing where nothing waits.
fn reading_interval(
    name: &AccountName,
    open: &[Versioned<Confirmation>],
    list: Option<ConfirmationList>,
) -> Option<Duration> {
    if list.is_some_and(|list| list.requested_at.is_some()) {
        return Some(SPACING);
    }
    let mut of_account = open.iter().filter(|open| open.value.account_name == *name).peekable();
    of_account.peek()?;
    let is_strange = |open: &Versioned<Confirmation>| open.value.status == ConfirmationStatus::Strange;
    Some(if of_account.all(is_strange) { STRANGE_EVERY } else { SPACING })
}

async fn follow_account(context: &Context, waiting: &Waiting) -> EngineResult {
    let (account, began_at) = (&waiting.account, context.now());
    let read = match context.read_confirmations(account).await {
        Err(error) if error.is_not_done() => return refuse_reading(context, waiting, &error).await,
        read => read?,
    };
    for recorded in &read.open {
        let answering = Answering { listed: read.listed(&recorded.value), recorded };
        follow(context, account, answering).await?;
    }
    if let Some(account_id) = waiting.account_id {
        let workspace_id = context.desk().workspace_id;
        let read = RecordConfirmationReading { workspace_id, account_id, began_at };
        context.operations().record_confirmation_reading(context.caller(), read).await?;
    }
    Ok(())
}

/// Ends the reading that a person asked for: the driver makes no call, and would make none the next time.
async fn refuse_reading(context: &Context, waiting: &Waiting, why: &EngineError) -> EngineResult {
    tracing::warn!(account = %waiting.account.name, %why, "confirmations are not read");
    if let Some(account_id) = waiting.account_id {
        let command = RefuseConfirmationReading { workspace_id: context.desk().workspace_id, account_id };
        context.operations().refuse_confirmation_reading(context.caller(), command).await?;
    }
    Ok(())
}

/// What is done about a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfirmationTask {
    /// Nothing here.
    Nothing,
    /// Give the answer that a person asked for.
    Give,
    /// Drop an answer that came too late.
    Drop,
    /// Read what came of an answer.
    Follow,
    /// End one that is not listed, as far as its offer has ended.
    End,
    /// Count an answer to what is listed no longer.
    Count,
}

impl ConfirmationTask {
    fn of(recorded: &Confirmation, is_listed: bool, now: Timestamp) -> Self {
        let is_missing = !is_listed && recorded.is_missing(now);
        match recorded.answer {
            Some(answer) if answer.begun_at.is_some() => Self::Follow,
            Some(_) if recorded.is_answer_late(now) => Self::Drop,
            Some(_) if is_listed => Self::Give,
            Some(_) if is_missing => Self::Count,
            None if is_missing && !recorded.kind().changes_account() => Self::End,
            Some(_) | None => Self::Nothing,
        }
    }
}

async fn follow(context: &Context, account: &TradingAccount, answering: Answering<'_>) -> EngineResult {
    let recorded = &answering.recorded.value;
    let (workspace_id, confirmation_id) = (context.desk().workspace_id, recorded.id);
    match ConfirmationTask::of(recorded, answering.listed.is_some(), context.now()) {
        ConfirmationTask::Nothing => Ok(()),
        ConfirmationTask::Give => context.give_answer(account, answering).await,
        ConfirmationTask::Follow => context.follow_answer(account, answering).await.map(drop),
        ConfirmationTask::Drop => {
            let command = PostponeConfirmation { workspace_id, confirmation_id };
            context.operations().postpone_confirmation(context.caller(), command).await?;
            Ok(())
        }
        ConfirmationTask::Count => {
            let expected_version = answering.recorded.version;
            let command = BeginConfirmation { workspace_id, confirmation_id, expected_version };
            let begun = context.operations().begin_confirmation(context.caller(), command).await?;
            end(context, account, &begun.value).await
        }
        ConfirmationTask::End => end(context, account, recorded).await,
    }
}

/// Ends a confirmation that is missing. One of an offer that still waits for it stays.
async fn end(context: &Context, account: &TradingAccount, recorded: &Confirmation) -> EngineResult {
    let outcome = if recorded.kind() == ConfirmationKind::TradeOffer {
        context.outcome_of_offer(account, recorded, None).await?
    } else {
        Some(ConfirmationOutcome::Gone)
    };
    match outcome {
        Some(outcome) => context.record_outcome(recorded, outcome).await.map(drop),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::confirmation::{ANSWER_LASTS, ConfirmationStep};
    use tradepost_testkit::samples::{Samples, minute, text};

    fn seen(platform_kind: u32) -> Confirmation {
        let samples = Samples::seeded(10);
        samples.confirmation(samples.id(), text("trader-1"), platform_kind)
    }

    #[test]
    fn an_account_is_read_while_something_waits() {
        let of = |confirmation: Confirmation| vec![Versioned { value: confirmation, version: 1 }];
        let strange = Samples::seeded(10).confirmation_in(Samples::seeded(11).id(), ConfirmationStatus::Strange);
        let interval = |open: &[Versioned<Confirmation>], list| reading_interval(&text("trader-1"), open, list);
        assert_eq!(interval(&[], None), None);
        assert_eq!(interval(&of(seen(2)), None), Some(SPACING));
        assert_eq!(interval(&of(strange), None), Some(STRANGE_EVERY));
        let other = Confirmation { account_name: text("trader-2"), ..seen(2) };
        assert_eq!(interval(&of(other), None), None);
        let list = ConfirmationList::unread(Samples::seeded(1).id(), Samples::seeded(2).id());
        assert_eq!(interval(&[], Some(list.requested(minute(1)))), Some(SPACING));
        assert_eq!(interval(&[], Some(list.read(minute(1)))), None);
    }

    #[test]
    fn the_answer_of_a_person_is_given_while_the_platform_lists_the_confirmation() {
        use ConfirmationTask as Do;
        let asked = seen(2).answering(ConfirmationStep::AllowByPerson, minute(1)).unwrap();
        assert_eq!(ConfirmationTask::of(&asked, true, minute(2)), Do::Give);
        assert_eq!(ConfirmationTask::of(&asked, false, minute(2)), Do::Nothing);
        assert_eq!(ConfirmationTask::of(&asked.clone().missing(minute(1)), false, minute(2)), Do::Count);
        assert_eq!(ConfirmationTask::of(&asked, true, minute(1).plus(ANSWER_LASTS)), Do::Drop);
        assert_eq!(ConfirmationTask::of(&asked.begun(minute(2)), true, minute(30)), Do::Follow);
    }

    #[test]
    fn a_missing_confirmation_ends_unless_it_changes_the_account() {
        use ConfirmationTask as Do;
        let task = |kind, missing| ConfirmationTask::of(&seen(kind).missing(minute(1)), false, missing);
        assert_eq!([minute(1), minute(2)].map(|at| task(2, at)), [Do::Nothing, Do::End]);
        assert_eq!(task(9, minute(2)), Do::Nothing);
        assert_eq!(ConfirmationTask::of(&seen(2), true, minute(2)), Do::Nothing);
    }
}

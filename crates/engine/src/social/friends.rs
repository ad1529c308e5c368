//! Friends: sends the actions that people asked for, each recorded first, and reads the lists that are due.

use tokio::time::Instant;
use tradepost_domain::id::AccountId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::friend::{ActionState, Friend, FriendAction, FriendFailure, SETTLES_WITHIN, SendResult};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    BeginFriendAction, FriendReadings, OpenFriendActions, RecordFriendAnswer, RecordFriendList,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use crate::context::account_health::SocialAccount;
use crate::desk::backoff::social::Does;
use crate::error::{EngineError, EngineResult};
use crate::pass::Pass;
use crate::social::{Rests, SocialDesk};
use crate::turns::Turns;

/// When the list of each account was last read or tried.
#[derive(Debug, Default)]
pub(crate) struct Friends {
    lists: Turns<AccountId>,
}

impl Friends {
    /// Sends what people asked for, and reads the lists that are due.
    pub(super) async fn step(&mut self, desk: SocialDesk<'_>, rests: &mut Rests, pass: &mut Pass) {
        let open = match open_actions(desk).await {
            Ok(open) => open,
            Err(error) => return pass.record_error(Err(error)),
        };
        let requested: Vec<_> = open.iter().filter(|friend| is_requested(&friend.value)).collect();
        for friend in desk.context.time_slice().of(requested) {
            let account = desk.account(friend.value.account_id);
            let is_resting = |account: &SocialAccount| rests.is_resting(desk.context, *account, Does::Befriend);
            let Some(account) = account.filter(|account| !is_resting(account)) else { continue };
            let sent = send_action(desk, account, friend).await;
            rests.observe(desk.context, (account.id, Does::Befriend), &sent);
            pass.record_error(sent);
        }
        let read = self.read_due_lists(desk, &open, rests, pass).await;
        pass.record_error(read);
    }

    async fn read_due_lists(
        &mut self,
        desk: SocialDesk<'_>,
        open: &[Versioned<Friend>],
        rests: &mut Rests,
        pass: &mut Pass,
    ) -> EngineResult {
        let context = desk.context;
        let ask = FriendReadings { workspace_id: context.desk().workspace_id };
        let readings = context.operations().friend_readings(context.caller(), ask).await?;
        let now = context.now();
        let is_due = |account: &&SocialAccount| {
            let reading = readings.iter().find(|reading| reading.account_id == account.id);
            let is_wanted = is_list_due(reading, now) || is_settling(open, **account, reading, now);
            is_wanted && !rests.is_resting(context, **account, Does::Read)
        };
        let due: Vec<SocialAccount> = desk.accounts.iter().filter(is_due).copied().collect();
        for account in self.lists.in_turn(due, |account| &account.id, context.time_slice()) {
            self.lists.note(account.id, context.mark());
            let read = read_list(desk, account).await;
            rests.observe(context, (account.id, Does::Read), &read);
            pass.record_error(read);
        }
        Ok(())
    }
}

async fn open_actions(desk: SocialDesk<'_>) -> EngineResult<Vec<Versioned<Friend>>> {
    let context = desk.context;
    let (workspace_id, most) = (context.desk().workspace_id, context.timings().records_per_pass);
    let ask = OpenFriendActions { workspace_id, most };
    Ok(context.operations().open_friend_actions(context.caller(), ask).await?)
}

fn is_requested(friend: &Friend) -> bool {
    friend.request.is_some_and(|request| request.state == ActionState::Requested)
}

fn is_list_due(reading: Option<&FriendList>, now: Timestamp) -> bool {
    reading.is_none_or(|reading| reading.is_due(now))
}

/// Whether a reading now settles an action of the account that has no answer.
fn is_settling(
    open: &[Versioned<Friend>],
    account: SocialAccount,
    reading: Option<&FriendList>,
    now: Timestamp,
) -> bool {
    let read_at = reading.and_then(|reading| reading.read_at);
    open.iter().map(|friend| &friend.value).filter(|friend| friend.account_id == account.id).any(|friend| {
        friend.request.is_some_and(|request| {
            let settles_at = request.at.plus(SETTLES_WITHIN);
            let is_settled = read_at.is_some_and(|read_at| read_at >= settles_at);
            request.state == ActionState::Uncertain && settles_at <= now && !is_settled
        })
    })
}

/// Records that the action is sent, sends it, and records the answer. Without an answer it stays uncertain until the list is read.
async fn send_action(desk: SocialDesk<'_>, account: SocialAccount, friend: &Versioned<Friend>) -> EngineResult {
    let (context, friend_id) = (desk.context, friend.value.id);
    let workspace_id = context.desk().workspace_id;
    let begun_at = Instant::now();
    let command = BeginFriendAction { workspace_id, friend_id, expected_version: friend.version };
    let begun = context.operations().begin_friend_action(context.caller(), command).await?;
    let Some(request) = begun.and_then(|begun| begun.value.request) else { return Ok(()) };
    if begun_at.elapsed() >= context.timings().sent_within {
        return Err(EngineError::SubmitTooLate);
    }
    let answer = act(desk, account.user, request.action, friend.value.user).await;
    if let Some(result) = result_of(&answer, request.attempts) {
        let record = RecordFriendAnswer { workspace_id, friend_id, result };
        context.operations().record_friend_answer(context.caller(), record).await?;
    }
    match answer {
        Ok(()) => Ok(()),
        // Its kind is on record, or the list shows the outcome.
        Err(ExternalError::Rejected(refusal)) => {
            tracing::info!(friend = %friend_id, action = request.action.as_str(), %refusal, "friend action rejected");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

async fn act(
    desk: SocialDesk<'_>,
    account: PlatformUserId,
    action: FriendAction,
    user: PlatformUserId,
) -> SocialResult<()> {
    match action {
        FriendAction::Add => desk.port.add(account, user).await,
        FriendAction::Accept => desk.port.accept(account, user).await,
        FriendAction::Remove => desk.port.remove(account, user).await,
        FriendAction::Block => desk.port.block(account, user).await,
        FriendAction::Unblock => desk.port.unblock(account, user).await,
    }
}

/// Returns the result of an answered call, which was the last of so many; `None` where the action may have had its effect.
fn result_of(answer: &SocialResult<()>, attempts: u32) -> Option<SendResult> {
    match answer {
        Ok(()) => Some(SendResult::Done),
        // A relation that does not allow the action may be what an earlier call without an answer led to: the list lagged then.
        Err(ExternalError::Rejected(SocialRefusal::NotAllowed)) if attempts > 1 => None,
        Err(ExternalError::Rejected(refusal)) => Some(SendResult::Rejected(match refusal {
            SocialRefusal::NotFound => FriendFailure::NotFound,
            SocialRefusal::ListFull => FriendFailure::ListFull,
            SocialRefusal::NotAllowed | SocialRefusal::NotDone(_) | SocialRefusal::Other(_) => FriendFailure::Rejected,
        })),
        Err(error) => error.did_nothing().then_some(SendResult::NotSent),
    }
}

async fn read_list(desk: SocialDesk<'_>, account: SocialAccount) -> EngineResult {
    let (context, began_at) = (desk.context, desk.context.now());
    let shown = desk.port.friends(account.user).await?;
    let workspace_id = context.desk().workspace_id;
    let record = RecordFriendList { workspace_id, account_id: account.id, shown, began_at };
    Ok(context.operations().record_friend_list(context.caller(), &record).await?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tradepost_ports::external::Effect;

    use super::*;

    #[test]
    fn only_an_answer_settles_an_action() {
        let refused = |refusal| Err(ExternalError::Rejected(refusal));
        let limited = |effect| Err(ExternalError::RateLimited { retry_after: Duration::from_secs(9), effect });
        let cases = [
            (Ok(()), Some(SendResult::Done)),
            (refused(SocialRefusal::ListFull), Some(SendResult::Rejected(FriendFailure::ListFull))),
            (refused(SocialRefusal::NotFound), Some(SendResult::Rejected(FriendFailure::NotFound))),
            (refused(SocialRefusal::NotAllowed), Some(SendResult::Rejected(FriendFailure::Rejected))),
            (limited(Effect::Nothing), Some(SendResult::NotSent)),
            (limited(Effect::Unknown), None),
            (Err(ExternalError::Unknown("reset".to_owned())), None),
        ];
        for (answer, result) in cases {
            assert_eq!(result_of(&answer, 1), result, "{answer:?}");
        }
    }

    #[test]
    fn a_relation_that_does_not_allow_a_repeated_action_settles_nothing() {
        let refused = |refusal| Err(ExternalError::Rejected(refusal));
        assert_eq!(result_of(&refused(SocialRefusal::NotAllowed), 2), None);
        let full = result_of(&refused(SocialRefusal::ListFull), 2);
        assert_eq!(full, Some(SendResult::Rejected(FriendFailure::ListFull)));
        assert_eq!(result_of(&Ok(()), 2), Some(SendResult::Done));
    }
}

//! Friends and chats of the desk's accounts: does what people ask for, and records what the platform shows.
//!
//! Nothing here moves money or items. A text is recorded and never read as an instruction.

mod chats;
mod friends;
mod reading;

use std::collections::BTreeMap;
use std::sync::Arc;

use tradepost_domain::id::AccountId;
use tradepost_ports::game_platform::social::Social as SocialPort;

use crate::context::Context;
use crate::context::account_health::SocialAccount;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::social::chats::Chats;
use crate::social::friends::follow_friends;

/// What is remembered of friends and chats between passes. All of it can be read again.
#[derive(Debug, Default)]
pub(crate) struct Social {
    looked_at: Option<Mark>,
    rests: Rests,
    chats: Chats,
}

/// Accounts for which the platform did not answer. They rest, because each try is recorded.
#[derive(Debug, Default)]
pub(crate) struct Rests(BTreeMap<AccountId, Mark>);

impl Rests {
    pub(crate) fn is_resting(&self, context: &Context, account: AccountId) -> bool {
        !is_due(self.0.get(&account), context.mark(), context.timings().social_retry_interval)
    }

    /// Takes note of an answer.
    pub(crate) fn observe(&mut self, context: &Context, account: AccountId, answer: &EngineResult) {
        if answer.as_ref().is_err_and(EngineError::is_external) {
            self.0.insert(account, context.mark());
        }
    }
}

/// What a step of friends or chats works with.
#[derive(Clone, Copy)]
pub(crate) struct SocialDesk<'a> {
    pub(crate) context: &'a Context,
    pub(crate) port: &'a Arc<dyn SocialPort>,
    pub(crate) accounts: &'a [SocialAccount],
}

impl SocialDesk<'_> {
    pub(crate) fn account(&self, id: AccountId) -> Option<SocialAccount> {
        self.accounts.iter().find(|account| account.id == id).copied()
    }
}

impl Social {
    /// Sends what people asked for, and reads what is due. The node that holds the inventory does so for all accounts.
    pub(crate) async fn step(&mut self, context: &Context, pass: &mut Pass) {
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.looked_at.as_ref(), now, context.timings().social_interval) {
            return;
        }
        let Some(port) = context.desk().social.as_ref() else { return };
        self.looked_at = Some(now);
        let accounts = context.social_accounts();
        let desk = SocialDesk { context, port, accounts: &accounts };
        follow_friends(desk, &mut self.rests, pass).await;
        self.chats.step(desk, &mut self.rests, pass).await;
    }
}

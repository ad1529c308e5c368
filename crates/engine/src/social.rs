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
use crate::desk::backoff::social::Does;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::social::chats::Chats;
use crate::social::friends::Friends;

/// What is remembered of friends and chats between passes. All of it can be read again.
#[derive(Debug, Default)]
pub(crate) struct Social {
    looked_at: Option<Mark>,
    rests: Rests,
    friends: Friends,
    chats: Chats,
}

/// Accounts for which the platform did not answer. They rest, because each try is recorded, until the time is over or they get new tokens.
/// Each kind of call rests apart, because the platform may limit one of them alone.
#[derive(Debug, Default)]
pub(crate) struct Rests(BTreeMap<(AccountId, Does), Mark>);

impl Rests {
    pub(crate) fn is_resting(&self, context: &Context, account: SocialAccount, does: Does) -> bool {
        let last = self.0.get(&(account.id, does));
        !context.is_account_due(account.user, last, context.timings().social_retry_interval)
    }

    /// Takes note of an answer.
    pub(crate) fn observe(&mut self, context: &Context, of: (AccountId, Does), answer: &EngineResult) {
        if answer.as_ref().is_err_and(EngineError::is_external) {
            self.0.insert(of, context.mark());
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

impl<'a> SocialDesk<'a> {
    fn new(context: &'a Context, port: &'a Arc<dyn SocialPort>, accounts: &'a [SocialAccount]) -> Self {
        Self { context, port, accounts }
    }

    pub(crate) fn account(&self, id: AccountId) -> Option<SocialAccount> {
        self.accounts.iter().find(|account| account.id == id).copied()
    }
}

impl Social {
    /// Sends what people asked for, and reads what is due. The node that holds the inventory does so for all accounts.
    pub(crate) async fn step(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.looked_at.as_ref(), now, context.timings().social_interval) {
            return Ok(());
        }
        let Some(port) = context.desk().social.clone() else { return Ok(()) };
        self.looked_at = Some(now);
        let accounts = context.social_accounts();
        self.friends.step(SocialDesk::new(context, &port, &accounts), &mut self.rests, pass).await;
        context.renew_leases().await?;
        if context.holds_inventory() {
            self.chats.step(SocialDesk::new(context, &port, &accounts), &mut self.rests, pass).await;
        }
        Ok(())
    }
}

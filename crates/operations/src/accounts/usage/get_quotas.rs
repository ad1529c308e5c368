//! `GetQuotas`: which rate limits hold for the caller, and how much room is left where something can be full.

use tradepost_domain::accounts::api_key;
use tradepost_domain::accounts::membership::{MOST_MEMBERS, Status};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;
use tradepost_ports::limiter::{Quota, RateClass};
use tradepost_ports::record::Kind;

use crate::rules;
use crate::{OpResult, Operations};

/// The workspace.
#[derive(Debug, Clone, Copy)]
pub struct GetQuotas {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The limits of the calls and the records of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The permitted call rates, by class.
    pub rates: Vec<(RateClass, Quota)>,
    /// The number of live API keys, and its maximum.
    pub keys: (i64, i64),
    /// The number of members and invitations, and its maximum.
    pub members: (i64, i64),
}

impl Operations {
    /// Returns the limits of the caller and the workspace. The headers of every response report what remains of a rate.
    ///
    /// # Errors
    /// `permission_denied` for a workspace of which the caller is not a member.
    pub async fn get_quotas(&self, caller: &Caller, command: GetQuotas) -> OpResult<Bounds> {
        let scope = rules::GET_QUOTAS.enter(&caller.principal, command.workspace_id)?;
        let disclosed = RateClass::ALL.into_iter().filter(|class| class.is_disclosed());
        let counts = self.ports.store.counters().by_status(scope, Kind::Membership, None).await?;
        let is_live = |code: i16| Status::from_code(code).is_some_and(|status| !status.is_terminal());
        let members = counts.iter().filter(|(code, _)| is_live(*code)).map(|(_, count)| *count).sum();
        let keys = self.ports.store.api_keys().count_live(scope, self.now()).await?;
        Ok(Bounds {
            rates: disclosed.map(|class| (class, self.ports.limiter.quota(class))).collect(),
            keys: (keys, i64::try_from(api_key::MOST_LIVE).unwrap_or(i64::MAX)),
            members: (members, MOST_MEMBERS),
        })
    }
}

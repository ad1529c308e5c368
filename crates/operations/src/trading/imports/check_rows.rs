//! Comparing the accounts of a content with each other and with those that there are: what applying would do with each.

use std::collections::{BTreeSet, HashMap, HashSet};

use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::{AccountName, Name};
use tradepost_domain::trading::import::{ImportRow, ReasonCode, RowOutcome};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::{Caller, Seen};

use super::candidates::{Candidate, HiddenFields, Refuse as _, names, numbers};
use crate::trading::trading_accounts::account_recovery::AccountRecovery;
use crate::trading::trading_accounts::{AccountSecrets, ReadAccountSecrets};
use crate::{OpError, OpResult, Operations};

/// The platform of every imported account.
const PLATFORM: &str = "steam";
/// Said of an account of another workspace. It does not say of which.
const ELSEWHERE: &str = "another workspace of this installation has the account";

/// The accounts that there are, as far as rows concern them.
pub(crate) struct KnownAccounts {
    /// The names that accounts of the workspace have.
    names: HashMap<AccountName, AccountId>,
    /// The accounts of the workspace with numbers of the rows.
    numbered: HashMap<PlatformUserId, Seen<TradingAccount>>,
    /// The numbers that accounts of other workspaces have.
    elsewhere: HashSet<PlatformUserId>,
}

impl KnownAccounts {
    /// Reads the accounts that some rows concern.
    pub(crate) async fn read(operations: &Operations, scope: WorkspaceScope, rows: &[ImportRow]) -> OpResult<Self> {
        let (accounts, platform) = (operations.ports.store.trading_accounts(), platform()?);
        let numbers = numbers(rows);
        let namesakes = accounts.find_all_named(scope, &names(rows)).await?;
        let numbered = accounts.find_numbered(scope, &platform, &numbers).await?;
        let elsewhere = accounts.list_elsewhere(scope, &platform, &numbers).await?;
        Ok(Self {
            names: namesakes.iter().map(|account| (account.peek().name.clone(), account.peek().id)).collect(),
            numbered: numbered.into_iter().map(|account| (account.peek().platform_user_id, account)).collect(),
            elsewhere: elsewhere.into_iter().collect(),
        })
    }

    /// Takes the account of the workspace with a row's number.
    pub(crate) fn take(&mut self, row: &ImportRow) -> Option<Seen<TradingAccount>> {
        self.numbered.remove(&row.platform_user_id?)
    }

    /// Returns why a row cannot create its account, if it cannot, and keeps its name for it otherwise.
    pub(crate) fn objection(&mut self, row: &ImportRow) -> Option<(ReasonCode, &'static str)> {
        if row.platform_user_id.is_some_and(|number| self.elsewhere.contains(&number)) {
            return Some((ReasonCode::AccountElsewhere, ELSEWHERE));
        }
        let name = row.name.as_ref()?;
        if self.names.contains_key(name) {
            return Some((ReasonCode::NameTaken, "another account, or an earlier row, has the name"));
        }
        self.names.insert(name.clone(), AccountId::from_bytes([0; 16]));
        None
    }
}

/// Returns the platform of imported accounts.
pub(crate) fn platform() -> OpResult<Name> {
    Name::new(PLATFORM).map_err(|error| OpError::internal(error.to_string()))
}

/// Decides what applying does with each account of a content. `room` is how many accounts the group of new ones takes.
pub(crate) async fn check_candidates(
    operations: &Operations,
    scope: WorkspaceScope,
    candidates: &mut [Candidate],
    mut room: usize,
) -> OpResult<()> {
    let rows: Vec<ImportRow> = candidates.iter().map(|candidate| candidate.row.clone()).collect();
    let mut known = KnownAccounts::read(operations, scope, &rows).await?;
    let mut seen = BTreeSet::new();
    for candidate in candidates {
        let is_first = candidate.row.platform_user_id.is_none_or(|number| seen.insert(number));
        if !is_first {
            candidate.row.refuse(ReasonCode::NumberTwice, "an earlier row has the number");
        }
        if !candidate.is_accepted() {
            continue;
        }
        if let Some(account) = known.take(&candidate.row) {
            let account = account.into_display().0;
            compare(operations, &account, candidate).await?;
        } else if let Some((code, detail)) = known.objection(&candidate.row) {
            candidate.row.refuse(code, detail);
        } else if let Some(left) = room.checked_sub(1) {
            room = left;
        } else {
            candidate.row.refuse(ReasonCode::GroupFull, "the group has no room for the account");
        }
    }
    Ok(())
}

/// Decides whether applying changes an account that is there.
async fn compare(operations: &Operations, account: &TradingAccount, candidate: &mut Candidate) -> OpResult<()> {
    let known = hidden_fields(operations, account).await?;
    let is_same = candidate.hidden.clone().over(&known).is_same(&known);
    candidate.row.outcome = if is_same { RowOutcome::Same } else { RowOutcome::WillUpdate };
    candidate.row.name = Some(account.name.clone());
    candidate.row.account_id = Some(account.id);
    Ok(())
}

/// Returns what is kept of an account and not shown.
pub(crate) async fn hidden_fields(operations: &Operations, account: &TradingAccount) -> OpResult<HiddenFields> {
    let (workspace_id, account_id) = (account.workspace_id, account.id);
    let wanted = ReadAccountSecrets { workspace_id, account_id };
    let secrets: Option<AccountSecrets> = operations.read_account_secrets(&Caller::system(), wanted).await?;
    let recovery = AccountRecovery::read(operations, system_scope(workspace_id)?, account_id).await?;
    let trade_token = account.trade_token.as_ref().map(|token| token.as_str().into());
    Ok(HiddenFields { secrets: secrets.unwrap_or_default(), recovery, trade_token })
}

fn system_scope(workspace_id: WorkspaceId) -> OpResult<WorkspaceScope> {
    Ok(Principal::System.enter_as_member(workspace_id)?)
}

//! Read access to the log of status changes: a caller that may read trades reads the changes of trade records, and
//! one that governs members and keys reads the changes of those.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::Caller;

use crate::OpResult;
use crate::rules::{READ_ACCOUNTS, READ_MARKETS, READ_TRADING, Rule, WRITE_ACCOUNTS, WRITE_WORKSPACE};

/// Returns the workspace, entered, and the kinds of records of which the caller may read the log; there is at least one.
pub(crate) fn readable(
    caller: &Caller,
    rule: Rule,
    workspace: WorkspaceId,
) -> OpResult<(WorkspaceScope, Vec<SubjectKind>)> {
    let scope = rule.enter(&caller.principal, workspace)?;
    let reads = |kind: &SubjectKind| {
        let policies = match kind {
            SubjectKind::Membership | SubjectKind::ApiKey => WRITE_WORKSPACE,
            SubjectKind::Account
            | SubjectKind::TradeOffer
            | SubjectKind::InventoryChange
            | SubjectKind::Import
            | SubjectKind::Friend
            | SubjectKind::Confirmation
            | SubjectKind::AccountSession
            | SubjectKind::Renewal => READ_ACCOUNTS,
            // Analytics excludes chats.
            SubjectKind::ChatMessage => WRITE_ACCOUNTS,
            SubjectKind::Provider => READ_MARKETS,
            SubjectKind::Contract
            | SubjectKind::Purchase
            | SubjectKind::InventoryItem
            | SubjectKind::Pool
            | SubjectKind::Intent
            | SubjectKind::Remediation => READ_TRADING,
        };
        caller.principal.enter(workspace, policies).is_ok()
    };
    Ok((scope, SubjectKind::ALL.iter().copied().filter(reads).collect()))
}

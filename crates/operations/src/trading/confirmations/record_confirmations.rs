//! [`RecordConfirmations`]: the report of an engine of what the platform's list of an account shows. Not an operation of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ConfirmationId, RecordKey, WorkspaceId};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{CheckCode, Confirmation, ConfirmationKind, ShownConfirmation};
use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::game_platform;

use super::confirmation_moves::{add_confirmation, confirmation_as_seen, keep_confirmation};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations, Versioned, fields};

/// Lines of the text for people that are kept.
const MOST_LINES: usize = 20;

/// A report of a whole list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_name: AccountName,
    /// Everything that the platform shows.
    pub shown: Vec<game_platform::Confirmation>,
}

impl Operations {
    /// Records a list of confirmations. A new one is compared with the offers of the account; one that is of another kind than trading
    /// makes, or of no offer of ours for 60 s, is strange and reported. Returns those of which something can still come.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `CONFLICT` when others kept changing the same records. What was recorded until then
    /// stays so.
    pub async fn record_confirmations(
        &self,
        caller: &Caller,
        command: &RecordConfirmations,
    ) -> OpResult<Vec<Versioned<Confirmation>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let by = By { caller, at: self.market_now(command.workspace_id) };
        let mut open = Vec::new();
        for shown in command.shown.iter().map(shown_confirmation) {
            let recorded = self.retrying(|| self.record_shown_confirmation(by, scope, command, &shown)).await?;
            open.extend(recorded.filter(|recorded| recorded.value.is_open()));
        }
        let known = self.ports.store.confirmations().list_open_of(scope, &command.account_name).await?;
        for missing in known.into_iter().filter(|known| !is_shown(command, &known.peek().shown.platform_id)) {
            let id = missing.peek().id;
            let recorded = self.retrying(|| self.record_missing(by, scope, id)).await?;
            open.push(recorded);
        }
        Ok(open)
    }

    /// Records one confirmation as it is shown; none for one that has ended.
    async fn record_shown_confirmation(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        command: &RecordConfirmations,
        shown: &ShownConfirmation,
    ) -> OpResult<Option<Versioned<Confirmation>>> {
        let known = self.known_confirmation(scope, &command.account_name, &shown.platform_id).await?;
        if known.as_ref().is_some_and(|known| !known.peek().is_open()) {
            return Ok(None);
        }
        let offer = self.offer_confirmed_by(scope, &command.account_name, shown).await?;
        if let Some(seen) = known {
            let next = triaged(seen.peek().clone().seen_again(shown.clone(), by.at), offer.as_ref(), by.at);
            return keep_confirmation(self, by, scope, seen, next).await.map(Some);
        }
        let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
        let seen = Confirmation::seen(key, command.account_name.clone(), shown.clone(), by.at);
        add_confirmation(self, by, scope, triaged(seen, offer.as_ref(), by.at)).await.map(Some)
    }

    async fn record_missing(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        id: ConfirmationId,
    ) -> OpResult<Versioned<Confirmation>> {
        let seen = confirmation_as_seen(self, scope, id, None).await?;
        let next = seen.peek().clone().missing(by.at);
        keep_confirmation(self, by, scope, seen, next).await
    }

    async fn known_confirmation(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        platform_id: &ExternalId,
    ) -> OpResult<Option<Seen<Confirmation>>> {
        Ok(self.ports.store.confirmations().find_seen(scope, account_name, platform_id).await?)
    }

    async fn offer_confirmed_by(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        shown: &ShownConfirmation,
    ) -> OpResult<Option<TradeOffer>> {
        if shown.kind() != ConfirmationKind::TradeOffer {
            return Ok(None);
        }
        let found = self.ports.store.trade_offers().find_seen(scope, account_name, &shown.creator).await?;
        Ok(found.map(|seen| seen.into_display().0))
    }
}

fn is_shown(command: &RecordConfirmations, platform_id: &ExternalId) -> bool {
    command.shown.iter().any(|shown| shown.id == *platform_id)
}

/// What is kept of a confirmation. The texts are data: they are shortened, and control characters are replaced.
fn shown_confirmation(shown: &game_platform::Confirmation) -> ShownConfirmation {
    ShownConfirmation {
        platform_id: shown.id.clone(),
        platform_kind: shown.kind,
        kind_name: fields::shortened(&shown.kind_name),
        creator: shown.creator.clone(),
        headline: fields::shortened(&shown.headline),
        summary: shown.summary.iter().take(MOST_LINES).filter_map(|line| fields::shortened(line)).collect(),
        created_at: shown.created_at,
    }
}

/// Compares a confirmation with what it may be about.
fn triaged(confirmation: Confirmation, offer: Option<&TradeOffer>, at: Timestamp) -> Confirmation {
    let kind = confirmation.kind();
    if kind != ConfirmationKind::TradeOffer {
        return confirmation.reported(CheckCode::Kind, fields::shortened(&format!("it is about {kind}")), at);
    }
    match offer.filter(|offer| confirmation.may_be_about(offer)) {
        Some(offer) if confirmation.trade_offer_id == Some(offer.id) => confirmation,
        Some(offer) => {
            let intent = offer.wish.as_ref().and_then(|wish| wish.intent_id);
            confirmation.about(offer.id, intent, at)
        }
        None if confirmation.is_unmatched_too_long(at) => confirmation.reported(
            CheckCode::Creator,
            fields::shortened("this installation did not draft the offer"),
            at,
        ),
        None => confirmation,
    }
}

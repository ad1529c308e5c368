//! [`RecordTradeOffer`], [`DraftTradeOffer`], [`LoseTradeOffer`] and [`FindUnsentTradeOffer`]: the reports of an engine or an embedder on
//! trade offers, and the offers that it is about to send. Not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::{RecordKey, TradeOfferId, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trade_offer::{
    OfferDraft, OfferOwner, OfferReport, SeenOffer, TradeOffer, TradeOfferStatus,
};
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Versioned};

/// A report of what the platform shows of a trade offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account of ours that sees it.
    pub account_name: AccountName,
    /// The report.
    pub report: OfferReport,
    /// The purchase or item that it is for. What is on record of that stays.
    pub owner: Option<OfferOwner>,
}

/// An announcement that an offer is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account of ours that sends it.
    pub account_name: AccountName,
    /// The offer to send.
    pub draft: OfferDraft,
}

/// A report that the call that sent an offer ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoseTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The offer.
    pub trade_offer_id: TradeOfferId,
}

/// A query for the offer of a purchase or an item that may or may not have been sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindUnsentTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The owner of the offer.
    pub owner: OfferOwner,
}

impl Operations {
    /// Records what the platform shows of a trade offer. A draft counts as sent when the platform shows an offer that gives the same to
    /// the same partner. A repeated or late report changes nothing. What a trade did to an offer that is for a purchase or an item
    /// moves it in the commit of the step that these take.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn record_trade_offer(
        &self,
        caller: &Caller,
        command: RecordTradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let report = command.report.clone();
            let Some(seen) = self.trade_offer_of(scope, &command).await? else {
                let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
                let (account_name, owner) = (command.account_name.clone(), command.owner);
                let offer = TradeOffer::first_seen(key, SeenOffer { account_name, report, owner }, at);
                return self.add_trade_offer(By { caller, at }, Changes::by(caller), offer).await;
            };
            let known = seen.peek().clone();
            let known = match command.owner {
                Some(owner) => known.adopted(owner, at),
                None => known,
            };
            self.keep_trade_offer(By { caller, at }, scope, seen, known.see(report, at)).await
        })
        .await
    }

    /// Returns the offer that was recorded and not seen since: it may have been sent when it last changed.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn find_unsent_trade_offer(
        &self,
        caller: &Caller,
        command: FindUnsentTradeOffer,
    ) -> OpResult<Option<Versioned<TradeOffer>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let open = self.ports.store.trade_offers().list_open_of(scope, command.owner).await?;
        Ok(open.into_iter().find(|seen| seen.peek().is_unsent()).map(Versioned::from))
    }

    /// Writes down an offer before it is sent. An item has one at most that was not sent: it is this one from then on, as of now. That of a sale
    /// which exceeds a limit of the account by itself is written down, too, if the platform has the account confirm it: a person can allow it
    /// there.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition`: `GIVING_NOT_ENABLED` for an account that may not give items at its platform,
    /// `GIVING_LIMIT_REACHED` for one that has used its limits up.
    pub async fn draft_trade_offer(
        &self,
        caller: &Caller,
        command: DraftTradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.require_giving_of(scope, &command.account_name).await?;
        let at = self.market_now(command.workspace_id);
        let by = By { caller, at };
        self.retrying(|| async {
            let (draft, mut changes) = (command.draft.clone(), Changes::by(caller));
            let open = self.ports.store.trade_offers().list_open_of(scope, draft.owner).await?;
            let Some(seen) = open.into_iter().find(|seen| seen.peek().is_unsent()) else {
                let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
                let offer = TradeOffer::draft(key, command.account_name.clone(), draft, at);
                let offer = self.begin_giving(&mut changes, by, scope, offer).await?;
                return self.add_trade_offer(by, changes, offer).await;
            };
            let redrafted = seen.peek().clone().redrafted(draft, at);
            let redrafted = self.begin_giving(&mut changes, by, scope, redrafted).await?;
            if redrafted == *seen.peek() {
                return Ok(seen.into());
            }
            let moved = move_trade_offer(self, &mut changes, by, seen, redrafted)?;
            commit_trade_offer(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Records that the outcome of sending an offer is unknown, until the platform shows it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn lose_trade_offer(&self, caller: &Caller, command: LoseTradeOffer) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let found = self.ports.store.trade_offers().find(scope, command.trade_offer_id).await?;
            let seen = found.ok_or_else(|| OpError::not_found("trade offer"))?;
            let lost = seen.peek().clone().send_lost(at);
            self.keep_trade_offer(By { caller, at }, scope, seen, lost).await
        })
        .await
    }

    /// Returns the record of an offer that was seen.
    async fn trade_offer_of(
        &self,
        scope: WorkspaceScope,
        command: &RecordTradeOffer,
    ) -> OpResult<Option<Seen<TradeOffer>>> {
        let (account_name, report) = (&command.account_name, &command.report);
        let known = self.ports.store.trade_offers().find_seen(scope, account_name, &report.offer_id).await?;
        match (known, command.owner) {
            (None, Some(owner)) => {
                let open = self.ports.store.trade_offers().list_open_of(scope, owner).await?;
                let is_it = |seen: &Seen<TradeOffer>| {
                    let offer = seen.peek();
                    offer.is_unsent() && offer.account_name == *account_name && offer.is_shown_by(report)
                };
                Ok(open.into_iter().find(is_it))
            }
            (known, _) => Ok(known),
        }
    }

    /// Adds an offer, and commits.
    async fn add_trade_offer(
        &self,
        by: By<'_>,
        mut changes: Changes,
        offer: TradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        changes.insert(offer.clone());
        let added = Revised { value: offer, version: 1 };
        log_trade_offer(self, &mut changes, by, None, &added);
        commit_trade_offer(self, by.caller, changes).await?;
        Ok(added.into())
    }

    /// Replaces an offer that differs. A strange one that has ended is a problem no longer.
    pub(super) async fn keep_trade_offer(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        seen: Seen<TradeOffer>,
        next: TradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        if *seen.peek() == next {
            return Ok(seen.into());
        }
        let mut changes = Changes::by(by.caller);
        if next.strangeness.is_some() && !next.is_open() && seen.peek().is_open() {
            let (of, resolved) = (Subject::TradeOffer(next.id), Some(RemediationKind::StrangeOffer));
            let problems = Problems { scope, of, found: Vec::new(), resolved };
            follow_problems(self, &mut changes, by, None, problems).await?;
        }
        let moved = move_trade_offer(self, &mut changes, by, seen, next)?;
        commit_trade_offer(self, by.caller, changes).await?;
        Ok(moved.into())
    }
}

/// Adds the row of a step to the log.
pub(crate) fn log_trade_offer(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    from: Option<TradeOfferStatus>,
    after: &Revised<TradeOffer>,
) {
    let offer = &after.value;
    let step = Step {
        subject: Subject::TradeOffer(offer.id),
        from: from.map(TradeOfferStatus::as_str),
        to: offer.status.as_str(),
        version: after.version,
        trigger: offer.status.step(),
    };
    let logged = operations.transition(by.caller, offer.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { evidence: offer.offer_id.clone(), ..logged }));
}

/// Commits an offer. A duplicate is reported as a conflict, so that the caller reads the offer that was just recorded.
pub(super) async fn commit_trade_offer(operations: &Operations, caller: &Caller, changes: Changes) -> OpResult<()> {
    match commit_problems(operations, caller, changes).await {
        Err(OpError { source: Some(StoreError::Duplicate(Unique::SeenOffer | Unique::UnsentOffer)), .. }) => {
            Err(StoreError::Conflict.into())
        }
        outcome => outcome.map(drop),
    }
}

/// Replaces an offer, with the row of its step if it takes one.
pub(crate) fn move_trade_offer(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<TradeOffer>,
    next: TradeOffer,
) -> OpResult<Revised<TradeOffer>> {
    let from = seen.peek().status;
    let moved = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
    if moved.value.status != from {
        log_trade_offer(operations, changes, by, Some(from), &moved);
    }
    Ok(moved)
}

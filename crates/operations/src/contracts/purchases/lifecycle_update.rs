//! The writes of one step of a purchase or an item in one commit: the record, its row in the log of transitions, its link,
//! its ledger entries, and the step that another record has to take with it.

use crate::contracts::contracts::contract_lifecycle::log_life;
use crate::contracts::contracts::losses::losses_that_stop;
use crate::contracts::intents::intent_steps::move_intent;
use crate::contracts::intents::propose_intent::add_proposal;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use crate::contracts::ledger::ledger_postings::book_steps;
use crate::contracts::ledger::ledger_postings::note_item;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::contracts::remediations::remediation_steps::move_remediation;
use crate::contracts::trading_control::halts::rely_on_trading;
use crate::markets::providers::providers::rely_on_marketplace;
use crate::trading::inventory_changes::change_steps::{ChangeAsSeen, decide_on_change};
use crate::trading::trade_offers::record_trade_offer::move_trade_offer;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind};
use tradepost_domain::contracts::chain::{AssetIdLink, NewLink};
use tradepost_domain::contracts::contract::{Contract, ContractStatus, LOOKED_BACK, fails, is_failing};
use tradepost_domain::contracts::intent::{Intent, IntentEvent};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemError};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent};
use tradepost_domain::contracts::remediation::{Finding, Remediation, RemediationError, RemediationEvent, findings};
use tradepost_domain::id::{ContractId, InventoryItemId, OfPurchase, RemediationId};
use tradepost_domain::text::{Description, ExternalId, ReasonText};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_domain::trading::trade_offer::{OfferOwner, OwnerChange, TradeOffer};
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendLink, AppendedRow, Caller, Changes, Committed, Revised, Seen};
use tradepost_ports::record::Record;
use tradepost_ports::store::{PageRequest, PurchaseFilter, StoreError, Unique};

use crate::commit::{By, Step};
use crate::contracts::contracts::contract_lifecycle::ContractLifecycle;
use crate::contracts::intents::propose_intent::Proposal;
use crate::contracts::ledger::ledger_postings::LedgerPostings;
use crate::contracts::remediations::remediation_steps::Problems;
use crate::rules::Rule;
use crate::{OpError, OpResult, Operations, Reason};

/// Steps that are taken together.
pub(crate) struct LifecycleUpdate<'a> {
    operations: &'a Operations,
    by: By<'a>,
    changes: Changes,
    said: Option<Description>,
    shown_by: Option<ExternalId>,
    booked: Option<(WorkspaceScope, LedgerPostings)>,
    /// Whether the contract of the bookings was revised with its purchase, and checked against its losses.
    is_counted: bool,
    /// The remediation for which the steps are taken, which none of them ends.
    acting_on: Option<RemediationId>,
}

/// An item after its step, with the link that the step added.
pub(crate) struct Moved {
    pub(crate) item: Revised<InventoryItem>,
    pub(crate) link: Option<AssetIdLink>,
}

impl<'a> LifecycleUpdate<'a> {
    pub(crate) fn new(operations: &'a Operations, caller: &'a Caller, at: Timestamp) -> Self {
        Self {
            operations,
            by: By { caller, at },
            changes: Changes::by(caller),
            said: None,
            shown_by: None,
            booked: None,
            is_counted: false,
            acting_on: None,
        }
    }

    /// Returns the same with a reason for the steps.
    pub(crate) fn because(self, reason: Option<ReasonText>) -> Self {
        Self { said: reason.map(ReasonText::widened), ..self }
    }

    /// Sets the reason of the steps, in the words of the service.
    pub(crate) fn explain(&mut self, words: Description) {
        self.said = Some(words);
    }

    /// Returns the same with the evidence of steps that have none of their own.
    pub(crate) fn shown_by(self, evidence: ExternalId) -> Self {
        Self { shown_by: Some(evidence), ..self }
    }

    /// Returns the same for steps that act on a remediation.
    pub(crate) fn acting_on(self, remediation: RemediationId) -> Self {
        Self { acting_on: Some(remediation), ..self }
    }

    /// Checks that the caller has proved a second factor recently, where the operation's rule requires it.
    pub(crate) async fn require_step_up(&mut self, scope: WorkspaceScope, rule: Rule) -> OpResult<()> {
        self.operations.require_step_up_in(self.by.caller, scope, rule, &mut self.changes).await
    }

    /// Takes the steps only if this has not changed by then.
    pub(crate) fn rely_on<T: Record>(&mut self, seen: Seen<T>) {
        self.changes.rely_on(seen);
    }

    /// Returns whether the steps belong to this remediation.
    pub(crate) fn are_about(&self, remediation: RemediationId) -> bool {
        self.acting_on == Some(remediation)
    }

    /// Records the action in the audit log.
    pub(crate) fn audit(&mut self, kind: AuditKind, about: About) {
        self.changes.audit(kind, about);
    }

    /// Returns the caller that takes the steps, and the time.
    pub(crate) const fn by(&self) -> By<'a> {
        self.by
    }

    /// Returns when the steps are taken.
    pub(crate) const fn at(&self) -> Timestamp {
        self.by.at
    }

    /// Moves a purchase, and its contract's counters with it.
    pub(crate) async fn purchase(
        &mut self,
        scope: WorkspaceScope,
        seen: Seen<Purchase>,
        event: PurchaseEvent,
    ) -> OpResult<Revised<Purchase>> {
        let (at, before) = (self.by.at, seen.peek().clone());
        let (trigger, evidence, words) = (event.name(), event.evidence().cloned(), event.in_words());
        let is_submission = matches!(event, PurchaseEvent::Submitted { .. });
        let of_offer = OwnerChange::of_purchase(&event);
        let after = self.changes.revise(seen, |purchase| purchase.apply(event, at))?;
        self.bookings(scope).purchase(Some(&before), &after.value)?;
        let has_failed = fails(&before, &after.value);
        if is_submission || has_failed || before.counter_delta() != after.value.counter_delta() {
            self.follow_in_contract(scope, &before, &after.value, is_submission).await?;
        }
        if let Some(outcome) = Intent::outcome_of(&after.value).filter(|_| before.holds_reservation()) {
            self.follow_in_intent(scope, &before, outcome).await?;
        }
        let step = Step {
            subject: Subject::Purchase(before.terms.id),
            from: Some(before.status.as_str()),
            to: after.value.status.as_str(),
            version: after.version,
            trigger,
        };
        let found = findings::of_purchase(&before, &after.value, evidence.as_ref());
        let resolved = findings::resolved_with_purchase(before.status).filter(|_| after.value.status != before.status);
        self.follow_problems(Problems { scope, of: step.subject, found, resolved }).await?;
        self.log_in_words(scope, step, evidence, words);
        let named = before.progress.trade_offer_id.as_ref();
        self.offer(scope, OfferOwner::Purchase(before.terms.id), named, of_offer).await?;
        Ok(after)
    }

    /// Moves the trade offer of a purchase or an item, which may name it, by the step that these take.
    pub(crate) async fn offer(
        &mut self,
        scope: WorkspaceScope,
        owner: OfferOwner,
        named: Option<&ExternalId>,
        step: Option<OwnerChange>,
    ) -> OpResult<()> {
        let Some(step) = step else { return Ok(()) };
        let open = self.operations.ports.store.trade_offers().list_open_of(scope, owner).await?;
        let is_next = |seen: &Seen<TradeOffer>| step.concerns(seen.peek());
        let Some(seen) = open.into_iter().filter(is_next).max_by_key(|seen| step.nearness(seen.peek(), named)) else {
            return Ok(());
        };
        let next = seen.peek().clone().follow(step, self.by.at);
        if next != *seen.peek() {
            move_trade_offer(self.operations, &mut self.changes, self.by, seen, next)?;
        }
        Ok(())
    }

    /// Opens remediations for the problems that a step shows, and ends those that it settles.
    async fn follow_problems(&mut self, problems: Problems) -> OpResult<()> {
        follow_problems(self.operations, &mut self.changes, self.by, self.acting_on, problems).await.map(drop)
    }

    /// Moves the remediation for which the other steps are taken.
    pub(crate) fn remediation(
        &mut self,
        seen: Seen<Remediation>,
        event: RemediationEvent,
    ) -> Result<Revised<Remediation>, RemediationError> {
        move_remediation(self.operations, &mut self.changes, self.by, seen, event)
    }

    /// Closes the inventory change that shows the item for which the other steps are taken.
    pub(crate) async fn match_change(
        &mut self,
        scope: WorkspaceScope,
        seen: Seen<InventoryChange>,
        item: InventoryItemId,
    ) -> OpResult<Revised<InventoryChange>> {
        let by = self.by;
        let matched = |change: InventoryChange| change.matched(item, by.at);
        decide_on_change(self.operations, &mut self.changes, by, ChangeAsSeen { scope, seen }, matched).await
    }

    /// Adds an intent as it is proposed.
    pub(crate) async fn propose(&mut self, scope: WorkspaceScope, proposal: &Proposal) -> OpResult<Revised<Intent>> {
        add_proposal(self.operations, &mut self.changes, self.by.caller, scope, proposal).await
    }

    async fn follow_in_contract(
        &mut self,
        scope: WorkspaceScope,
        before: &Purchase,
        after: &Purchase,
        is_submission: bool,
    ) -> OpResult<()> {
        let at = self.by.at;
        let Some(contract_id) = before.terms.contract_id else { return Ok(()) };
        let contract = self.operations.ports.store.contracts().find(scope, contract_id).await?;
        let contract = contract.ok_or_else(|| StoreError::Corrupt("a purchase has no contract".to_owned()))?;
        let status = contract.peek().status;
        if is_submission {
            rely_on_trading(self.operations, &mut self.changes, scope).await?;
            rely_on_marketplace(self.operations, &mut self.changes, scope, &before.terms.marketplace).await?;
            if !contract.peek().may_send() {
                let message = format!("a contract that is {status} sends no purchases");
                return Err(OpError::failed_precondition(Reason::ContractNotActive, message));
            }
        }
        let mut found = self.broken_by(scope, contract.peek(), before, after).await?;
        if before.counter_delta() == after.counter_delta() && found.is_none() {
            self.changes.rely_on(contract);
            return Ok(());
        }
        let mut life = ContractLifecycle::at(at);
        let counted = self.changes.revise(contract, |contract| -> OpResult<Contract> {
            let contract = life.settle(contract.count(Some(before), after, at)?)?;
            Ok(life.stop(contract, &mut found)?)
        })?;
        self.is_counted = true;
        log_life(self.operations, &mut self.changes, self.by.caller, &counted, life);
        match found {
            Some(found) => self.report_stop(scope, contract_id, found).await,
            None => Ok(()),
        }
    }

    /// Returns the finding that the step of a purchase stops its contract: too many failures in a row, or the losses of the day.
    async fn broken_by(
        &self,
        scope: WorkspaceScope,
        contract: &Contract,
        before: &Purchase,
        after: &Purchase,
    ) -> OpResult<Option<Finding>> {
        if fails(before, after) && self.is_failing(scope, after).await? {
            return Ok(Some(findings::of_failures(after)));
        }
        let earned = self.booked.as_ref().map_or(0, |(_, bookings)| bookings.earned());
        losses_that_stop(self.operations, scope, contract, earned, self.by.at).await
    }

    /// Stops the contract that has bought what the steps lose money with, once that is too much for a day.
    async fn follow_losses(&mut self, scope: WorkspaceScope, contract: Seen<Contract>, earned: i64) -> OpResult<()> {
        let at = self.by.at;
        let mut found = losses_that_stop(self.operations, scope, contract.peek(), earned, at).await?;
        let mut life = ContractLifecycle::at(at);
        let lost = self.changes.revise(contract, |contract| life.stop(contract.lost(at), &mut found))?;
        log_life(self.operations, &mut self.changes, self.by.caller, &lost, life);
        match found {
            Some(found) => self.report_stop(scope, lost.value.id, found).await,
            None => Ok(()),
        }
    }

    /// Reports why a contract was stopped, and withdraws its proposals.
    async fn report_stop(&mut self, scope: WorkspaceScope, contract_id: ContractId, found: Finding) -> OpResult<()> {
        let problems = Problems { scope, of: Subject::Contract(contract_id), found: vec![found], resolved: None };
        self.follow_problems(problems).await?;
        withdraw_intents_of(self.operations, &mut self.changes, self.by, scope, contract_id).await
    }

    /// Returns whether a contract's latest purchases have failed one after the other, with the one that fails now.
    async fn is_failing(&self, scope: WorkspaceScope, failed: &Purchase) -> OpResult<bool> {
        let store = &self.operations.ports.store;
        let filter = PurchaseFilter { contract_id: failed.terms.contract_id, ..PurchaseFilter::default() };
        let page = PageRequest::<OfPurchase> { before: None, limit: LOOKED_BACK };
        let ids = store.purchases().list(scope, filter, page).await?.ids;
        let mut latest = store.purchases().find_many(scope, &ids).await?;
        latest.sort_unstable_by_key(|seen| std::cmp::Reverse(seen.peek().terms.id));
        let is_now = latest.iter().map(Seen::peek);
        Ok(is_failing(is_now.map(|stored| if stored.terms.id == failed.terms.id { failed } else { stored })))
    }

    /// Ends the intent that a purchase was made for. There is none for what embedders record by themselves.
    async fn follow_in_intent(
        &mut self,
        scope: WorkspaceScope,
        purchase: &Purchase,
        outcome: IntentEvent,
    ) -> OpResult<()> {
        let Some(id) = purchase.terms.intent_id else { return Ok(()) };
        let found = self.operations.ports.store.intents().find(scope, id).await?;
        if let Some(intent) = found.filter(|intent| intent.peek().purchase_id() == Some(purchase.terms.id)) {
            move_intent(self.operations, &mut self.changes, self.by, intent, outcome)?;
        }
        Ok(())
    }

    /// Moves an item as `decide` says.
    pub(crate) async fn item(
        &mut self,
        scope: WorkspaceScope,
        seen: Seen<InventoryItem>,
        trigger: &'static str,
        decide: impl FnOnce(InventoryItem) -> Result<(InventoryItem, Option<NewLink>), ItemError> + Send,
    ) -> OpResult<Moved> {
        let before = seen.peek().clone();
        let from = before.status;
        let mut added = None;
        let item = self.changes.revise(seen, |item| {
            let (item, link) = decide(item)?;
            added = link;
            Ok::<_, ItemError>(item)
        })?;
        let link = added.map(|link| link.of(item.value.chain_owner(), self.operations.mint()));
        if let Some(link) = &link {
            self.changes.append(AppendedRow::Link(link.clone()));
        }
        if item.value.status != from {
            let step = Step {
                subject: Subject::InventoryItem(item.value.id),
                from: Some(from.as_str()),
                to: item.value.status.as_str(),
                version: item.version,
                trigger,
            };
            self.log(scope, step, link.as_ref().map(|link| link.source_id.clone()));
        }
        if let Some(place) = item.value.sale_place.as_ref().filter(|_| before.sale_place.is_none()) {
            rely_on_marketplace(self.operations, &mut self.changes, scope, &place.marketplace).await?;
        }
        self.follow_in_selling_contract(scope, &before, &item.value).await?;
        let operations = self.operations;
        note_item(operations, self.bookings(scope), scope, &before, &item.value).await?;
        let found = findings::of_item(from, &item.value).into_iter().collect();
        let resolved = findings::resolved_with_item(from, item.value.status);
        self.follow_problems(Problems { scope, of: Subject::InventoryItem(before.id), found, resolved }).await?;
        Ok(Moved { item, link })
    }

    /// Books that a marketplace has paid out what the step of an item made it owe.
    pub(crate) fn pay_out(&mut self, scope: WorkspaceScope) -> OpResult<()> {
        self.bookings(scope).paid_out()
    }

    /// Books that the cost of an item that was written off is owed after all, as the step of its purchase says.
    pub(crate) fn recover(&mut self, scope: WorkspaceScope, item: &InventoryItem, purchase: &Purchase) -> OpResult<()> {
        self.bookings(scope).recovered(item, purchase)
    }

    /// Moves the counters of the contract that sells an item; its limits must allow a new sale.
    async fn follow_in_selling_contract(
        &mut self,
        scope: WorkspaceScope,
        before: &InventoryItem,
        after: &InventoryItem,
    ) -> OpResult<()> {
        let (at, begun) = (self.by.at, before.sale_place.is_none());
        let Some(place) = after.sale_place.as_ref().or(before.sale_place.as_ref()) else { return Ok(()) };
        let Some(contract_id) = place.contract_id else { return Ok(()) };
        if before.sale_counter_delta(contract_id) == after.sale_counter_delta(contract_id) {
            return Ok(());
        }
        let contract = self.operations.ports.store.contracts().find(scope, contract_id).await?;
        let contract = contract.ok_or_else(|| OpError::not_found("contract"))?;
        if begun {
            contract.peek().admit_listing(&place.marketplace, after.list_price.unwrap_or_default(), at)?;
        }
        let mut life = ContractLifecycle::at(at);
        let counted = self
            .changes
            .revise(contract, |contract| Ok::<_, OpError>(life.settle(contract.count_sale(before, after, at)?)?))?;
        log_life(self.operations, &mut self.changes, self.by.caller, &counted, life);
        Ok(())
    }

    /// Adds an item with its first links, and reports what its receipt shows to be wrong.
    pub(crate) async fn receive(
        &mut self,
        scope: WorkspaceScope,
        item: InventoryItem,
        links: [AssetIdLink; 2],
        found: Option<Finding>,
    ) -> OpResult<()> {
        let step = Step {
            subject: Subject::InventoryItem(item.id),
            from: None,
            to: item.status.as_str(),
            version: 1,
            trigger: "received",
        };
        let subject = step.subject;
        let [_, traded] = &links;
        self.log(scope, step, Some(traded.source_id.clone()));
        for link in links {
            self.changes.append(AppendedRow::Link(link));
        }
        self.changes.insert(item);
        let found = found.into_iter().collect();
        self.follow_problems(Problems { scope, of: subject, found, resolved: None }).await
    }

    /// Adds a link that leaves the item's state alone, whatever the chain's last step is by then.
    pub(crate) fn append_link(&mut self, link: AppendLink) {
        self.changes.append_link(link);
    }

    /// Commits the steps together, with what they book.
    pub(crate) async fn commit(mut self) -> OpResult<Committed> {
        if let Some((scope, bookings)) = self.booked.take() {
            let earned = bookings.earned();
            let contract = book_steps(self.operations, &mut self.changes, scope, bookings, self.by.at).await?;
            let is_held = |contract: &Contract| {
                contract.status == ContractStatus::Active && contract.loss_limit(earned).is_some()
            };
            if let Some(contract) = contract.filter(|contract| !self.is_counted && is_held(contract.peek())) {
                self.follow_losses(scope, contract, earned).await?;
            }
        }
        match commit_problems(self.operations, self.by.caller, self.changes).await {
            Err(OpError { source: Some(StoreError::Duplicate(Unique::LiveAsset)), .. }) => {
                Err(OpError::failed_precondition(
                    Reason::AssetIdOwned,
                    "another live item of the workspace has this asset id",
                ))
            }
            Err(OpError { source: Some(StoreError::Duplicate(Unique::PurchaseOrder)), .. }) => {
                Err(OpError::failed_precondition(
                    Reason::OrderOwned,
                    "another purchase of the workspace has this order of the marketplace",
                ))
            }
            outcome => outcome,
        }
    }

    fn bookings(&mut self, scope: WorkspaceScope) -> &mut LedgerPostings {
        &mut self.booked.get_or_insert_with(|| (scope, LedgerPostings::default())).1
    }

    fn log(&mut self, scope: WorkspaceScope, step: Step, evidence: Option<ExternalId>) {
        self.log_in_words(scope, step, evidence, None);
    }

    /// Logs a step with its evidence in words, unless the caller gave a reason.
    fn log_in_words(
        &mut self,
        scope: WorkspaceScope,
        step: Step,
        evidence: Option<ExternalId>,
        words: Option<Description>,
    ) {
        let logged = self.operations.transition(self.by.caller, scope.workspace_id(), step, self.by.at);
        let evidence = evidence.or_else(|| self.shown_by.clone());
        let reason = self.said.clone().or(words);
        self.changes.append(AppendedRow::Transition(Transition { reason, evidence, ..logged }));
    }
}

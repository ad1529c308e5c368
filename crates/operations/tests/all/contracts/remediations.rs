//! Problems: what opens a remediation, who handles it, what is done about it, and what ends it.

use time::Duration;
use tradepost_domain::contracts::intent::{IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::{AssetEvidence, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{
    Absence, FailureCode, ListingOutcome, Order, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::contracts::remediation::{
    Evidence, Remediation, RemediationAction, RemediationKind, RemediationStatus, UNDECIDED_AFTER,
};
use tradepost_domain::id::{InventoryItemId, PurchaseId, RemediationId};
use tradepost_domain::transition::{Actor, Subject};
use tradepost_operations::contracts::{
    ActionArgs, AdvanceRemediation, AppendAssetIDLink, AssignRemediation, CountRemediations, DismissRemediation,
    GetIntent, GetRemediation, ListIntents, ListRemediations, OpenRemediation, Progress, ReceiveItem,
    ResolveRemediation, RunRemediationAction,
};
use tradepost_operations::{Caller, Code, OpResult, PageOf, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::{Desk, accepted, cents, submitted};
use crate::harness::refusal;

impl Desk {
    /// The remediations of the workspace, the oldest first.
    pub(super) async fn problems(&self) -> Vec<Remediation> {
        let mut found = Vec::new();
        for id in self.page(self.all_problems()).await.unwrap().entries {
            found.insert(0, self.problem(id).await.value);
        }
        found
    }

    fn all_problems(&self) -> ListRemediations {
        let (workspace_id, status, kind, severity, subject) = (self.workspace_id(), None, None, None, None);
        ListRemediations { workspace_id, limit: 0, cursor: String::new(), status, kind, severity, subject }
    }

    async fn page(&self, command: ListRemediations) -> OpResult<PageOf<RemediationId>> {
        self.operations().list_remediations(&self.trader, command).await
    }

    async fn problem(&self, remediation_id: RemediationId) -> Versioned<Remediation> {
        let command = GetRemediation { workspace_id: self.workspace_id(), remediation_id };
        self.operations().get_remediation(&self.trader, command).await.unwrap()
    }

    /// The kinds of the problems, each with its status.
    pub(super) async fn problem_states(&self) -> Vec<(&'static str, &'static str)> {
        self.problems().await.iter().map(|problem| (problem.kind.as_str(), problem.status.as_str())).collect()
    }

    pub(super) async fn open_problem(&self, kind: RemediationKind, subject: Subject) -> Remediation {
        let (workspace_id, evidence) = (self.workspace_id(), Evidence::default());
        let command = OpenRemediation { workspace_id, kind, subject, evidence };
        self.operations().open_remediation(&self.trader, command).await.unwrap().value
    }

    pub(super) async fn run(
        &self,
        remediation_id: RemediationId,
        action: RemediationAction,
        args: ActionArgs,
    ) -> OpResult<Versioned<Remediation>> {
        let workspace_id = self.workspace_id();
        let command = RunRemediationAction { workspace_id, remediation_id, action, args, expected_version: None };
        self.operations().run_remediation_action(&self.trader, command).await
    }

    /// A purchase whose outcome is unknown.
    pub(super) async fn lost(&self, number: u32) -> PurchaseId {
        let purchase_id = self.buy(number).await;
        self.advance(purchase_id, submitted()).await.unwrap();
        self.advance(purchase_id, PurchaseEvent::OutcomeLost).await.unwrap();
        purchase_id
    }

    /// A purchase that is charged so much, and this fee.
    async fn charged(&self, price: i64, fee: i64) -> PurchaseId {
        let purchase_id = self.buy(1).await;
        self.advance(purchase_id, submitted()).await.unwrap();
        self.advance(purchase_id, charge(price, fee)).await.unwrap();
        purchase_id
    }

    async fn missing_item(&self, number: u32) -> InventoryItemId {
        let item = self.item(number).await;
        let first_absent_at = self.world.clock.now();
        self.advance_clock(Duration::minutes(10));
        let event = ItemEvent::WentMissing { first_absent_at, last_absent_at: self.world.clock.now() };
        self.advance_item(item, event).await.unwrap();
        item
    }
}

fn shown(evidence: &str) -> ActionArgs {
    ActionArgs { evidence: evidence.to_owned(), ..ActionArgs::default() }
}

fn charge(price: i64, fee: i64) -> PurchaseEvent {
    PurchaseEvent::Accepted(Order { id: text("order-1"), executed_price: cents(price), fee: cents(fee) })
}

#[tokio::test]
async fn a_fee_that_went_up_with_the_price_is_not_another_fee() {
    let desk = Desk::open().await;
    desk.charged(1_400, 35).await;
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn a_fee_that_stays_the_same_at_another_price_is_not_another_fee() {
    let desk = Desk::open().await;
    desk.charged(800, 30).await;
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn a_charge_beyond_the_maximum_or_with_another_fee_is_reported() {
    let desk = Desk::open().await;
    let purchase_id = desk.charged(1_490, 40).await;
    let problems = desk.problems().await;
    assert_eq!(desk.problem_states().await, [("OVERPAID", "NEEDS_OPERATOR"), ("FEE_MISMATCH", "NEEDS_OPERATOR")]);
    let evidence = |expected, found| Evidence {
        shown_by: Some(text("order-1")),
        expected: Some(text(expected)),
        found: Some(text(found)),
    };
    assert_eq!(problems[0].evidence, evidence("1500", "1530"));
    assert_eq!(problems[1].evidence, evidence("37", "40"));
    assert_eq!(problems[0].subject, Subject::Purchase(purchase_id));
    let log = desk.log(Subject::Remediation(problems[0].id)).await;
    assert_eq!((log[0].trigger, log[0].from, log[0].to), ("opened", None, "NEEDS_OPERATOR"));
}

#[tokio::test]
async fn a_record_shows_its_own_problems_alone_page_by_page() {
    let desk = Desk::open().await;
    let of_purchase = Subject::Purchase(desk.charged(1_490, 40).await);
    let of_item = Subject::InventoryItem(desk.missing_item(2).await);
    let of = |subject| ListRemediations { subject: Some(subject), ..desk.all_problems() };
    let known: Vec<RemediationId> = desk.problems().await.iter().map(|problem| problem.id).collect();
    assert_eq!(desk.page(of(of_purchase)).await.unwrap().entries, [known[1], known[0]]);
    assert_eq!(desk.page(of(of_item)).await.unwrap().entries, [known[2]]);
    let overpaid = ListRemediations { kind: Some(RemediationKind::Overpaid), ..of(of_purchase) };
    assert_eq!(desk.page(overpaid).await.unwrap().entries, [known[0]]);
    let first = desk.page(ListRemediations { limit: 1, ..of(of_purchase) }).await.unwrap();
    let next = |subject| ListRemediations { limit: 1, cursor: first.next_cursor.clone(), ..of(subject) };
    let second = desk.page(next(of_purchase)).await.unwrap();
    assert_eq!((first.entries.as_slice(), second.entries.as_slice()), (&known[1..2], &known[..1]));
    assert_eq!(second.next_cursor, "");
    desk.refused(desk.page(next(of_item)), Code::InvalidArgument, "INVALID_CURSOR").await;
}

#[tokio::test]
async fn a_problem_that_has_ended_is_not_among_those_of_its_record() {
    let desk = Desk::open().await;
    let subject = Some(Subject::InventoryItem(desk.missing_item(1).await));
    let remediation_id = desk.problems().await[0].id;
    let of_item = || ListRemediations { subject, ..desk.all_problems() };
    assert_eq!(desk.page(of_item()).await.unwrap().entries, [remediation_id]);
    let (workspace_id, reason) = (desk.workspace_id(), "sold by hand".to_owned());
    let dismiss = DismissRemediation { workspace_id, remediation_id, reason, expected_version: None };
    desk.operations().dismiss_remediation(&desk.trader, dismiss).await.unwrap();
    assert!(desk.page(of_item()).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn a_fee_that_is_a_cent_off_is_not_reported() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    let order = Order { id: text("order-1"), executed_price: cents(1_190), fee: cents(31) };
    desk.advance(purchase_id, PurchaseEvent::Accepted(order)).await.unwrap();
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn an_event_reported_again_opens_nothing_again() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    for _ in 0..2 {
        desk.advance(purchase_id, charge(1_490, 40)).await.unwrap();
    }
    assert_eq!(desk.problem_states().await.len(), 2);
}

#[tokio::test]
async fn a_reversed_trade_waits_for_its_refund_and_is_resolved_by_it() {
    let desk = Desk::open().await;
    let purchase_id = desk.receive(1).await.purchase.value.terms.id;
    desk.advance(purchase_id, PurchaseEvent::TradeReversed { rollback_trade_id: text("rollback-1") }).await.unwrap();
    assert_eq!(desk.problem_states().await, [("TRADE_REVERSED", "WAITING")]);
    desk.advance(purchase_id, PurchaseEvent::RefundBooked { amount: cents(1_220) }).await.unwrap();
    assert_eq!(desk.problem_states().await, [("TRADE_REVERSED", "RESOLVED")]);
    let log = desk.log(Subject::Remediation(desk.problems().await[0].id)).await;
    assert_eq!(log.last().unwrap().trigger, "cleared");
}

#[tokio::test]
async fn a_missing_item_that_is_found_is_resolved() {
    let desk = Desk::open().await;
    let item = desk.missing_item(1).await;
    assert_eq!(desk.problem_states().await, [("MISSING_ITEM", "OPEN")]);
    let asset_id = desk.owned(item).await.value.current_asset_id().clone();
    let seen = AssetEvidence { asset_id, source_id: text("snapshot-9") };
    desk.advance_item(item, ItemEvent::Found { seen }).await.unwrap();
    assert_eq!(desk.problem_states().await, [("MISSING_ITEM", "RESOLVED")]);
}

#[tokio::test]
async fn evidence_with_another_asset_id_is_refused_and_reported_once() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let (item, purchase_id) = (received.item.value.id, received.purchase.value.terms.id);
    let append = |asset_id: &str| AppendAssetIDLink {
        workspace_id: desk.workspace_id(),
        inventory_item_id: item,
        expected_step: None,
        asset_id: asset_id.to_owned(),
        source: "inventory".to_owned(),
        source_id: "snapshot-1".to_owned(),
    };
    desk.operations().append_asset_id_link(&desk.trader, append("31")).await.unwrap();
    for other in ["32", "33"] {
        desk.advance_clock(Duration::seconds(1));
        let refused = desk.operations().append_asset_id_link(&desk.trader, append(other)).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
    }
    let again = ReceiveItem { asset_id: "34".to_owned(), ..desk.arrival(purchase_id, 1) };
    let refused = desk.operations().receive_item(&desk.trader, again).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
    let problems = desk.problems().await;
    assert_eq!(desk.problem_states().await, [("ASSET_ID_MISMATCH", "NEEDS_OPERATOR")]);
    assert_eq!(problems[0].evidence.expected, Some(text("31")));
    assert_eq!(problems[0].evidence.found, Some(text("32")));
    assert!(problems[0].created_at < problems[0].last_seen_at);
}

#[tokio::test]
async fn an_item_that_arrives_after_its_refund_is_reported() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    desk.advance(purchase_id, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::RefundBooked { amount: cents(1_220) }).await.unwrap();
    let refused = desk.operations().receive_item(&desk.trader, desk.arrival(purchase_id, 1)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "ILLEGAL_STEP"));
    assert_eq!(desk.problem_states().await, [("LATE_DELIVERY", "NEEDS_OPERATOR")]);
    assert_eq!(desk.problems().await[0].evidence.shown_by, Some(text("trade-1")));
    assert_eq!(desk.purchase(purchase_id).await.value.status, PurchaseStatus::Refunded);
}

#[tokio::test]
async fn an_unknown_outcome_is_reported_after_15_minutes_and_resolved_once_it_is_known() {
    let desk = Desk::open().await;
    let purchase_id = desk.lost(1).await;
    desk.advance_clock(UNDECIDED_AFTER - Duration::seconds(1));
    assert_eq!(desk.operations().report_unknown_outcomes().await.unwrap(), 0);
    desk.advance_clock(Duration::seconds(1));
    assert_eq!(desk.operations().sweep().await.unwrap().remediations, 1);
    assert_eq!(desk.problem_states().await, [("OUTCOME_UNKNOWN", "OPEN")]);
    assert_eq!(desk.operations().report_unknown_outcomes().await.unwrap(), 0);
    let PurchaseEvent::Accepted(order) = accepted(1) else { panic!("it is an order") };
    desk.advance(purchase_id, PurchaseEvent::OrderFound(order)).await.unwrap();
    assert_eq!(desk.problem_states().await, [("OUTCOME_UNKNOWN", "RESOLVED")]);
}

#[tokio::test]
async fn a_problem_is_worked_on_assigned_and_dismissed_with_a_reason() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let (workspace_id, expected_version) = (desk.workspace_id(), None);
    let kind = RemediationKind::MissingItem;
    let remediation_id = desk.open_problem(kind, Subject::InventoryItem(item)).await.id;
    let on = desk.operations();
    let advance = |progress| AdvanceRemediation { workspace_id, remediation_id, progress };
    let status = async |progress| on.advance_remediation(&desk.trader, advance(progress)).await.unwrap().value.status;
    assert_eq!(status(Progress::Began).await, RemediationStatus::Working);
    assert_eq!(status(Progress::PutOff).await, RemediationStatus::Waiting);
    assert_eq!(status(Progress::HandedOver).await, RemediationStatus::NeedsOperator);
    desk.forbidden(on.advance_remediation(&desk.trader, advance(Progress::HandedOver)), "ILLEGAL_STEP").await;
    let owner = desk.trader.principal.prover().unwrap().user_id;
    let assign = AssignRemediation { workspace_id, remediation_id, user_id: owner, expected_version };
    let assigned = on.assign_remediation(&desk.trader, assign).await.unwrap();
    assert_eq!((assigned.value.assignee, assigned.version), (Some(owner), 5));
    let (stranger, _, _) = desk.world.other_workspace().await;
    let to_stranger =
        AssignRemediation { user_id: tradepost_domain::id::Id::from_bytes(stranger.to_bytes()), ..assign };
    desk.forbidden(on.assign_remediation(&desk.trader, to_stranger), "MEMBERSHIP_NOT_ACCEPTED").await;
    let reason = "sold by hand".to_owned();
    let dismiss = DismissRemediation { workspace_id, remediation_id, reason, expected_version };
    let stale = DismissRemediation { expected_version: Some(1), ..dismiss.clone() };
    desk.forbidden(on.dismiss_remediation(&desk.trader, stale), "VERSION_MISMATCH").await;
    let dismissed = on.dismiss_remediation(&desk.trader, dismiss.clone()).await.unwrap().value;
    assert_eq!(dismissed.status, RemediationStatus::Dismissed);
    assert_eq!(dismissed.allowed_actions(), []);
    desk.forbidden(on.dismiss_remediation(&desk.trader, dismiss), "ILLEGAL_STEP").await;
    desk.forbidden(on.assign_remediation(&desk.trader, assign), "ILLEGAL_STEP").await;
    let log = desk.log(Subject::Remediation(remediation_id)).await;
    assert_eq!(log.last().unwrap().reason.as_ref().unwrap().as_str(), "sold by hand");
    // Found again, it is a new problem.
    assert_ne!(desk.open_problem(kind, Subject::InventoryItem(item)).await.id, remediation_id);
}

#[tokio::test]
async fn a_problem_found_again_keeps_only_the_time_and_an_ended_one_resolves_once() {
    let desk = Desk::open().await;
    let subject = Subject::Purchase(desk.pay(1).await);
    let kind = RemediationKind::PaidNotDelivered;
    let first = desk.open_problem(kind, subject).await;
    desk.advance_clock(Duration::minutes(1));
    let again = desk.open_problem(kind, subject).await;
    assert_eq!((again.id, again.status), (first.id, first.status));
    assert_eq!(again.last_seen_at, desk.world.clock.now());
    let command = ResolveRemediation { workspace_id: desk.workspace_id(), kind, subject };
    assert!(desk.operations().resolve_remediation(&desk.trader, command).await.unwrap());
    assert!(!desk.operations().resolve_remediation(&desk.trader, command).await.unwrap());
    let counted = desk.operations();
    let counts = CountRemediations { workspace_id: desk.workspace_id() };
    let counts = counted.count_remediations(&desk.trader, counts).await.unwrap();
    assert_eq!(counts.iter().map(|counted| counted.count).collect::<Vec<_>>(), [0, 0, 0, 0, 1, 0]);
}

#[tokio::test]
async fn a_problem_is_opened_about_a_record_that_is_there_and_can_have_it() {
    let desk = Desk::open().await;
    let (workspace_id, evidence) = (desk.workspace_id(), Evidence::default());
    let item = Subject::InventoryItem(desk.item(1).await);
    let other = OpenRemediation { workspace_id, kind: RemediationKind::Overpaid, subject: item, evidence };
    desk.refused(desk.operations().open_remediation(&desk.trader, other), Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn money_moves_with_a_second_factor_and_in_the_commit_that_resolves() {
    let desk = Desk::open().await;
    let purchase_id = desk.receive(1).await.purchase.value.terms.id;
    desk.advance(purchase_id, PurchaseEvent::TradeReversed { rollback_trade_id: text("rollback-1") }).await.unwrap();
    let remediation_id = desk.problems().await[0].id;
    let refund = RemediationAction::RecordRefund;
    desk.forbidden(desk.run(remediation_id, refund, shown("case-7")), "STEP_UP_REQUIRED").await;
    desk.world.step_up(&desk.trader).await;
    let nothing = ActionArgs { amount_cents: Some(0), ..shown("case-7") };
    desk.refused(desk.run(remediation_id, refund, nothing), Code::InvalidArgument, "INVALID_FIELD").await;
    let link = ActionArgs { asset_id: "7".to_owned(), source: "inventory".to_owned(), ..shown("snapshot-1") };
    desk.forbidden(desk.run(remediation_id, RemediationAction::AppendLink, link), "ACTION_NOT_ALLOWED").await;
    let part = ActionArgs { amount_cents: Some(700), ..shown("case-7") };
    let resolved = desk.run(remediation_id, refund, part).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    let purchase = desk.purchase(purchase_id).await.value;
    assert_eq!((purchase.status, purchase.progress.refunded), (PurchaseStatus::Refunded, cents(700)));
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    assert_eq!(log.last().unwrap().evidence, Some(text("case-7")));
    desk.forbidden(desk.run(remediation_id, refund, shown("case-7")), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_reservation_is_released_on_proof_alone() {
    let desk = Desk::open().await;
    desk.world.step_up(&desk.trader).await;
    let purchase_id = desk.lost(1).await;
    let kind = RemediationKind::OutcomeUnknown;
    let remediation_id = desk.open_problem(kind, Subject::Purchase(purchase_id)).await.id;
    let release = RemediationAction::ReleaseReservation;
    let at = desk.world.clock.now();
    let absence = Absence {
        first_lookup_at: at,
        last_lookup_at: at.plus(Duration::seconds(60)),
        listing: ListingOutcome::Stated,
        charge_excluded: false,
        balances: None,
    };
    let proof = |absence| ActionArgs { absence: Some(absence), ..shown("case-7") };
    desk.forbidden(desk.run(remediation_id, release, proof(absence.clone())), "ABSENCE_NOT_PROVEN").await;
    let proven = Absence { charge_excluded: true, ..absence };
    let resolved = desk.run(remediation_id, release, proof(proven)).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    assert_eq!(desk.purchase(purchase_id).await.value.status, PurchaseStatus::Failed);
    assert_eq!(desk.counters().await.reserved, cents(0));
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    let (last, later) = (log.last().unwrap(), at.plus(Duration::seconds(60)));
    let words = format!(
        "stated: no order at {at} and {later}, listing explained, balance unchanged; not read: no provider connected"
    );
    assert_eq!((&last.reason, &last.evidence), (&Some(text(&words)), &Some(text("case-7"))));
    assert!(matches!(last.actor, Actor::ApiKey { .. }), "the log has the operator");
}

#[tokio::test]
async fn a_missing_item_is_written_off_or_found_by_a_persons_word() {
    let desk = Desk::open().await;
    let (lost, found) = (desk.missing_item(1).await, desk.missing_item(2).await);
    desk.world.step_up(&desk.trader).await;
    let problems = desk.problems().await;
    let resolved = desk.run(problems[0].id, RemediationAction::WriteOff, shown("case-7")).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    assert_eq!(desk.owned(lost).await.value.status, ItemStatus::WrittenOff);
    let link = ActionArgs { asset_id: "77".to_owned(), source: "inventory".to_owned(), ..shown("snapshot-9") };
    let resolved = desk.run(problems[1].id, RemediationAction::AppendLink, link).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    let item = desk.owned(found).await.value;
    assert_eq!((item.status, item.current_asset_id().as_str()), (ItemStatus::InInventory, "77"));
    assert_eq!(desk.problem_states().await, [("MISSING_ITEM", "RESOLVED"), ("MISSING_ITEM", "RESOLVED")]);
}

#[tokio::test]
async fn putting_an_item_on_sale_again_is_waited_for() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let problem = desk.open_problem(RemediationKind::ListingMismatch, Subject::InventoryItem(item)).await;
    let relist = RemediationAction::Relist;
    let args = ActionArgs { marketplace: "csfloat".to_owned(), price_cents: Some(1_900), ..ActionArgs::default() };
    let free = ActionArgs { price_cents: Some(0), ..args.clone() };
    desk.refused(desk.run(problem.id, relist, free), Code::InvalidArgument, "INVALID_FIELD").await;
    let with_more = ActionArgs { evidence: "case-7".to_owned(), ..args.clone() };
    desk.refused(desk.run(problem.id, relist, with_more), Code::InvalidArgument, "INVALID_FIELD").await;
    let waiting = desk.run(problem.id, relist, args.clone()).await.unwrap().value;
    assert_eq!(waiting.status, RemediationStatus::Waiting);
    let (workspace_id, limit, cursor) = (desk.workspace_id(), 0, String::new());
    let list = ListIntents { workspace_id, limit, cursor, contract_id: None, kind: None, status: None };
    assert_eq!(desk.operations().list_intents(&desk.trader, list).await.unwrap().entries.len(), 1);
    desk.refused(desk.run(problem.id, relist, args), Code::AlreadyExists, "INTENT_EXISTS").await;
}

#[tokio::test]
async fn an_item_that_is_on_sale_is_asked_for_its_price_once_more_and_elsewhere_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let (place, price) = (super::on_sale_at(None), cents(1_900));
    desk.advance_item(item, ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None })
        .await
        .unwrap();
    let asset_id = desk.owned(item).await.value.current_asset_id().clone();
    desk.advance_item(item, ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id }).await.unwrap();
    let problem = desk.open_problem(RemediationKind::ListingMismatch, Subject::InventoryItem(item)).await;
    let args = ActionArgs { marketplace: "csfloat".to_owned(), price_cents: Some(1_900), ..ActionArgs::default() };
    let elsewhere = ActionArgs { marketplace: "skinport".to_owned(), ..args.clone() };
    desk.forbidden(desk.run(problem.id, RemediationAction::Relist, elsewhere), "ILLEGAL_STEP").await;
    desk.run(problem.id, RemediationAction::Relist, args).await.unwrap();
    let (workspace_id, limit, cursor) = (desk.workspace_id(), 0, String::new());
    let list = ListIntents { workspace_id, limit, cursor, contract_id: None, kind: None, status: None };
    let intent_id = desk.operations().list_intents(&desk.trader, list).await.unwrap().entries[0];
    let get = GetIntent { workspace_id, intent_id };
    let intent = desk.operations().get_intent(&desk.trader, get).await.unwrap().value;
    assert_eq!((intent.terms.kind, intent.status), (IntentKind::Reprice, IntentStatus::Approved));
}

#[tokio::test]
async fn a_listing_that_ends_no_longer_differs_from_anything() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let (place, price) = (super::on_sale_at(None), cents(1_900));
    desk.advance_item(item, ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None })
        .await
        .unwrap();
    let asset_id = desk.owned(item).await.value.current_asset_id().clone();
    let accepted = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset_id.clone() };
    desk.advance_item(item, accepted).await.unwrap();
    desk.open_problem(RemediationKind::ListingMismatch, Subject::InventoryItem(item)).await;
    let seen = AssetEvidence { asset_id, source_id: text("sale-1") };
    desk.advance_item(item, ItemEvent::ListingEnded { seen }).await.unwrap();
    assert_eq!(desk.problem_states().await, [("LISTING_MISMATCH", "RESOLVED")]);
}

#[tokio::test]
async fn of_two_who_act_at_once_one_does() {
    let desk = Desk::open().await;
    desk.missing_item(1).await;
    desk.world.step_up(&desk.trader).await;
    let remediation_id = desk.problems().await[0].id;
    let write_off = || desk.run(remediation_id, RemediationAction::WriteOff, shown("case-7"));
    let (one, other) = tokio::join!(write_off(), write_off());
    let lost = if one.is_ok() { other } else { one };
    assert_eq!(refusal(lost), (Code::FailedPrecondition, "ILLEGAL_STEP"));
}

#[tokio::test]
async fn the_service_itself_reports_problems() {
    let desk = Desk::open().await;
    let subject = Subject::Contract(desk.contract_id);
    let (workspace_id, evidence) = (desk.workspace_id(), Evidence::default());
    let command = OpenRemediation { workspace_id, kind: RemediationKind::DuplicateSuspect, subject, evidence };
    desk.operations().open_remediation(&Caller::system(), command).await.unwrap();
    assert_eq!(desk.problem_states().await, [("DUPLICATE_SUSPECT", "NEEDS_OPERATOR")]);
}

//! What the platform shows of confirmations, what the engine records of its answers, and what people ask for.

mod false_readings;

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::AccountId;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::{
    ANSWER_LASTS, CheckCode, Confirmation, ConfirmationOutcome, ConfirmationStatus, Consequence, MOST_ATTEMPTS,
};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferReport, TradeOffer};
use tradepost_domain::trading::trading_account::AccountHealth;
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    ApproveConfirmation, AssetToTrade, BeginConfirmation, BeginOfferRequest, ConfirmationLists, CountConfirmations,
    DenyConfirmation, ExamineConfirmation, ExaminedConfirmation, GetConfirmation, GetConfirmations, ListConfirmations,
    OpenConfirmations, PostponeConfirmation, RecordAccountOffer, RecordConfirmationOutcome, RecordConfirmationReading,
    RecordConfirmations, RefreshConfirmations, RemoveAccount, SendTradeOffer, StoppedAccounts,
};
use tradepost_operations::{Caller, Code, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::{self, CONFIRMS_OFFER, ConfirmationHandle};
use tradepost_ports::store::Records as _;

use super::{Staff, refusal};

const API_KEY: u32 = 9;

fn external(id: &str) -> ExternalId {
    ExternalId::new(id).unwrap()
}

impl Staff {
    fn waiting(&self, id: &str, kind: u32) -> game_platform::Confirmation {
        game_platform::Confirmation {
            id: external(id),
            handle: ConfirmationHandle::default(),
            kind,
            kind_name: "Trade Offer".to_owned(),
            creator: external(&format!("of-{id}")),
            headline: "Partner\u{7}".to_owned(),
            summary: vec!["You will give up items".to_owned(), String::new()],
            created_at: self.world.clock.now(),
        }
    }

    /// Records what the platform lists of the first account now.
    async fn lists(&self, shown: &[game_platform::Confirmation]) -> Vec<Versioned<Confirmation>> {
        let (workspace_id, account_name) = (self.world.workspace_id, AccountName::new("trader-1").unwrap());
        let list = RecordConfirmations { workspace_id, account_name, shown: shown.to_vec() };
        self.world.operations.record_confirmations(&Caller::system(), &list).await.unwrap()
    }

    pub(super) async fn listed(&self, id: &str, kind: u32) -> Versioned<Confirmation> {
        self.lists(&[self.waiting(id, kind)]).await.remove(0)
    }

    async fn confirmation(&self, confirmation: &Confirmation) -> Versioned<Confirmation> {
        let get = GetConfirmation { workspace_id: self.world.workspace_id, confirmation_id: confirmation.id };
        self.world.operations.get_confirmation(&self.keeper, get).await.unwrap()
    }

    fn approval(&self, of: &Versioned<Confirmation>) -> ApproveConfirmation {
        let (workspace_id, expected_version) = (self.world.workspace_id, Some(of.version));
        ApproveConfirmation { workspace_id, confirmation_id: of.value.id, expected_version }
    }

    fn denial(&self, of: &Confirmation) -> DenyConfirmation {
        DenyConfirmation { workspace_id: self.world.workspace_id, confirmation_id: of.id, expected_version: None }
    }

    fn beginning(&self, of: &Versioned<Confirmation>) -> BeginConfirmation {
        let (workspace_id, expected_version) = (self.world.workspace_id, of.version);
        BeginConfirmation { workspace_id, confirmation_id: of.value.id, expected_version }
    }

    async fn begun(&self, of: &Versioned<Confirmation>) -> Versioned<Confirmation> {
        self.world.operations.begin_confirmation(&Caller::system(), self.beginning(of)).await.unwrap()
    }

    async fn shows_outcome(&self, of: &Confirmation, outcome: ConfirmationOutcome) -> Versioned<Confirmation> {
        let (workspace_id, confirmation_id) = (self.world.workspace_id, of.id);
        let record = RecordConfirmationOutcome { workspace_id, confirmation_id, outcome };
        self.world.operations.record_confirmation_outcome(&Caller::system(), record).await.unwrap()
    }

    async fn problems_of(&self, of: &Confirmation) -> Vec<RemediationStatus> {
        let subject = Subject::Confirmation(of.id);
        let found = self.world.store.remediations().list_live_of(self.scope(), subject).await.unwrap();
        let ours = found.iter().filter(|seen| seen.peek().kind == RemediationKind::UnexpectedConfirmation);
        ours.map(|seen| seen.peek().status).collect()
    }

    async fn steps_of_confirmation(&self, of: &Confirmation) -> Vec<(&'static str, &'static str)> {
        let subject = Subject::Confirmation(of.id);
        let steps = self.world.store.transitions().list_of(self.scope(), subject, 50).await.unwrap();
        steps.into_iter().map(|step| (step.trigger, step.to)).collect()
    }

    async fn stopped(&self) -> Vec<AccountName> {
        let ask = StoppedAccounts { workspace_id: self.world.workspace_id };
        self.world.operations.stopped_accounts(&Caller::system(), ask).await.unwrap()
    }

    /// An offer that a person asked for, as the platform shows it under this id: it waits for its confirmation.
    pub(super) async fn sent_offer(&self, account_id: AccountId, offer_id: &str) -> (TradeOffer, OfferReport) {
        self.sent_offer_of(account_id, offer_id, "500").await
    }

    /// The same of another item.
    pub(super) async fn sent_offer_of(
        &self,
        account_id: AccountId,
        offer_id: &str,
        asset_id: &str,
    ) -> (TradeOffer, OfferReport) {
        let (on, workspace_id, system) = (&self.world.operations, self.world.workspace_id, Caller::system());
        let send = SendTradeOffer {
            workspace_id,
            account_id,
            partner: "76561198000099999".to_owned(),
            token: "abcdefgh".to_owned(),
            gives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: asset_id.to_owned() }],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        let asked = on.send_trade_offer(&system, send).await.unwrap();
        let (trade_offer_id, expected_version) = (asked.value.id, asked.version);
        let command = BeginOfferRequest { workspace_id, trade_offer_id, expected_version };
        let begun = on.begin_offer_request(&system, command).await.unwrap().value;
        let asset = begun.given_assets().remove(0);
        let given = tradepost_domain::trading::trade_offer::OfferedAsset {
            app_id: asset.app_id,
            asset_id: asset.asset_id,
            market_hash_name: tradepost_testkit::samples::text("AK-47 | Redline (Field-Tested)"),
        };
        let report = OfferReport {
            offer_id: external(offer_id),
            partner: begun.partner,
            direction: OfferDirection::Sent,
            status: OfferStatus::NeedsConfirmation,
            gives: vec![given],
            receives: Vec::new(),
            trade: None,
            hold_seconds: None,
            created_at: self.world.clock.now(),
            expires_at: self.world.clock.now().plus(Duration::days(14)),
        };
        let account_name = begun.account_name.clone();
        let (answers, watched_since) = (Some(begun.id), None);
        let record = RecordAccountOffer { workspace_id, account_name, report: report.clone(), answers, watched_since };
        let recorded = on.record_account_offer(&system, record).await.unwrap().unwrap();
        (recorded.value, report)
    }

    fn examination(&self, of: &Confirmation, report: OfferReport) -> ExamineConfirmation {
        ExamineConfirmation {
            workspace_id: self.world.workspace_id,
            confirmation_id: of.id,
            report: Some(report),
            holds_lease: true,
            list_age: Duration::ZERO,
            offer_age: Duration::ZERO,
            sale: None,
        }
    }

    pub(super) async fn examined(&self, of: &Confirmation, report: OfferReport) -> ExaminedConfirmation {
        let command = self.examination(of, report);
        self.world.operations.examine_confirmation(&Caller::system(), &command).await.unwrap()
    }
}

#[tokio::test]
async fn a_confirmation_is_recorded_once_with_its_text_as_data() {
    let staff = Staff::open().await;
    staff.register(1).await;
    let first = staff.listed("1", CONFIRMS_OFFER).await;
    assert_eq!((first.value.status, first.version), (ConfirmationStatus::Seen, 1));
    assert_eq!(first.value.shown.headline.as_ref().map(ToString::to_string).as_deref(), Some("Partner"));
    assert_eq!(first.value.shown.summary.len(), 1, "an empty line is left out");
    let again = staff.lists(&[staff.waiting("1", CONFIRMS_OFFER)]).await;
    assert_eq!((again.len(), again[0].value.id, again[0].version), (1, first.value.id, 1));
    assert_eq!(staff.steps_of_confirmation(&first.value).await, [("seen", "SEEN")]);
}

#[tokio::test]
async fn one_of_no_offer_of_ours_is_reported_after_a_minute() {
    let staff = Staff::open().await;
    staff.register(1).await;
    let first = staff.listed("1", CONFIRMS_OFFER).await.value;
    assert_eq!(staff.problems_of(&first).await, []);
    staff.world.clock.advance(Duration::seconds(60));
    let reported = staff.listed("1", CONFIRMS_OFFER).await.value;
    assert_eq!((reported.id, reported.status), (first.id, ConfirmationStatus::Strange));
    assert_eq!(staff.problems_of(&first).await, [RemediationStatus::NeedsOperator]);
    assert_eq!(staff.stopped().await, [], "an offer does not change the account");
}

#[tokio::test]
async fn one_that_changes_the_account_is_reported_at_once_and_stops_giving_until_it_is_denied() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    for kind in [5, 6, API_KEY, 11] {
        let id = format!("{kind}");
        let strange = staff.listed(&id, kind).await;
        assert_eq!(strange.value.status, ConfirmationStatus::Strange, "{kind}");
        assert_eq!(staff.problems_of(&strange.value).await, [RemediationStatus::NeedsOperator]);
        assert_eq!(staff.stopped().await, [AccountName::new("trader-1").unwrap()]);
        staff.lists(&[]).await;
        let missing = staff.shows_outcome(&strange.value, ConfirmationOutcome::Gone).await;
        assert_eq!(missing.value.status, ConfirmationStatus::Strange, "a thief may have allowed it");
        let denied = on.deny_confirmation(&staff.keeper, staff.denial(&strange.value)).await.unwrap();
        let begun = staff.begun(&denied).await;
        let ended = staff.shows_outcome(&begun.value, ConfirmationOutcome::Gone).await;
        assert_eq!(ended.value.status, ConfirmationStatus::Denied);
        assert_eq!((staff.problems_of(&ended.value).await, staff.stopped().await), (vec![], vec![]));
    }
}

#[tokio::test]
async fn no_one_approves_here_what_changes_the_account() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    let strange = staff.listed("1", API_KEY).await;
    let refused = refusal(on.approve_confirmation(&Caller::system(), staff.approval(&strange))).await;
    assert_eq!(refused, (Code::FailedPrecondition, "CONFIRMATION_NOT_ALLOWED_HERE"));
    let listing = staff.lists(&[staff.waiting("1", API_KEY), staff.waiting("2", 3)]).await.remove(1);
    let approved = on.approve_confirmation(&Caller::system(), staff.approval(&listing)).await.unwrap();
    assert_eq!(approved.value.status, ConfirmationStatus::Allowing, "a person may allow another kind");
}

#[tokio::test]
async fn an_approval_needs_a_version_and_a_recent_second_factor() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    let seen = staff.listed("1", CONFIRMS_OFFER).await;
    let unseen = ApproveConfirmation { expected_version: None, ..staff.approval(&seen) };
    let invalid = (Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(refusal(on.approve_confirmation(&staff.keeper, unseen)).await, invalid);
    let needed = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(on.approve_confirmation(&staff.keeper, staff.approval(&seen))).await, needed);
    let other = ApproveConfirmation { expected_version: Some(9), ..staff.approval(&seen) };
    let mismatch = (Code::FailedPrecondition, "VERSION_MISMATCH");
    assert_eq!(refusal(on.approve_confirmation(&Caller::system(), other)).await, mismatch);
    let approved = on.approve_confirmation(&Caller::system(), staff.approval(&seen)).await.unwrap();
    assert_eq!((approved.value.status, approved.value.attempts), (ConfirmationStatus::Allowing, 0));
    let again = refusal(on.approve_confirmation(&Caller::system(), staff.approval(&approved))).await;
    assert_eq!(again, (Code::FailedPrecondition, "ILLEGAL_STEP"));
}

#[tokio::test]
async fn the_answer_of_a_person_is_begun_once_and_its_outcome_is_what_the_platform_shows() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    let seen = staff.listed("1", CONFIRMS_OFFER).await;
    let unasked = refusal(on.begin_confirmation(&Caller::system(), staff.beginning(&seen))).await;
    assert_eq!(unasked, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let asked = on.approve_confirmation(&Caller::system(), staff.approval(&seen)).await.unwrap();
    let begun = staff.begun(&asked).await;
    assert_eq!(begun.value.attempts, 1);
    let again = refusal(on.begin_confirmation(&Caller::system(), staff.beginning(&begun))).await;
    assert_eq!(again, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let lost = staff.shows_outcome(&begun.value, ConfirmationOutcome::Unknown).await;
    assert_eq!(lost.value.status, ConfirmationStatus::Uncertain);
    let allowed = staff.shows_outcome(&lost.value, ConfirmationOutcome::Allowed).await;
    assert_eq!(allowed.value.status, ConfirmationStatus::Allowed);
    let steps = staff.steps_of_confirmation(&seen.value).await;
    let expected = [("seen", "SEEN"), ("allowing", "ALLOWING"), ("answer_lost", "UNCERTAIN"), ("allowed", "ALLOWED")];
    assert_eq!(steps.into_iter().collect::<std::collections::BTreeSet<_>>(), expected.into_iter().collect());
}

#[tokio::test]
async fn a_call_that_did_nothing_is_made_again_and_not_after_15_min() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    let seen = staff.listed("1", CONFIRMS_OFFER).await;
    let asked = on.approve_confirmation(&Caller::system(), staff.approval(&seen)).await.unwrap();
    let begun = staff.begun(&asked).await;
    let (workspace_id, confirmation_id) = (staff.world.workspace_id, seen.value.id);
    let postpone = PostponeConfirmation { workspace_id, confirmation_id };
    let waits = on.postpone_confirmation(&Caller::system(), postpone).await.unwrap();
    assert_eq!((waits.value.status, waits.value.attempts), (ConfirmationStatus::Allowing, begun.value.attempts - 1));
    staff.world.clock.advance(ANSWER_LASTS);
    let late = on.postpone_confirmation(&Caller::system(), postpone).await.unwrap();
    assert_eq!((late.value.status, late.value.answer), (ConfirmationStatus::Seen, None));
}

#[tokio::test]
async fn a_confirmation_of_an_offer_that_a_person_sent_matches_and_each_difference_keeps_it_from_that() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let (offer, report) = staff.sent_offer(account.id, "of-1").await;
    let seen = staff.listed("1", CONFIRMS_OFFER).await;
    assert_eq!(seen.value.trade_offer_id, Some(offer.id));
    let active = OfferReport { status: OfferStatus::Active, ..report.clone() };
    assert_eq!(staff.examined(&seen.value, active).await.refusal, Some(Consequence::Wait));
    let hidden = OfferReport { gives: Vec::new(), ..report.clone() };
    assert_eq!(staff.examined(&seen.value, hidden).await.refusal, Some(Consequence::ReadAgain));
    let matched = staff.examined(&seen.value, report.clone()).await;
    assert_eq!((matched.confirmation.value.status, matched.refusal), (ConfirmationStatus::Matched, None));
    assert_eq!(matched.confirmation.value.checks.len(), CheckCode::ALL.len());
    let begun = staff.begun(&matched.confirmation).await;
    assert_eq!((begun.value.status, begun.value.attempts), (ConfirmationStatus::Allowing, 1));
    let waits = staff.shows_outcome(&begun.value, ConfirmationOutcome::StillWaits).await;
    assert_eq!(waits.value.status, ConfirmationStatus::Seen, "it is examined again");
    let other = OfferReport { partner: account.platform_user_id, ..report };
    let strange = staff.examined(&waits.value, other).await;
    assert_eq!(strange.refusal, Some(Consequence::ReportAndCancel));
    assert_eq!(strange.confirmation.value.status, ConfirmationStatus::Strange);
    let refused = refusal(on.begin_confirmation(&Caller::system(), staff.beginning(&strange.confirmation))).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    assert_eq!(staff.problems_of(&seen.value).await, [RemediationStatus::NeedsOperator]);
}

#[tokio::test]
async fn a_halted_workspace_and_a_stopped_account_allow_nothing() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let (_, report) = staff.sent_offer(account.id, "of-1").await;
    let both = [staff.waiting("1", CONFIRMS_OFFER), staff.waiting("2", API_KEY)];
    let seen = staff.lists(&both).await.remove(0).value;
    let examined = staff.examined(&seen, report).await;
    assert_eq!(examined.refusal, Some(Consequence::Wait));
    let failed = examined.confirmation.value.checks.iter().filter(|check| !check.holds);
    assert!(failed.map(|check| check.code).eq([CheckCode::Halt]));
}

#[tokio::test]
async fn nothing_is_allowed_of_an_account_whose_api_key_another_registered() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let (_, report) = staff.sent_offer(account.id, "of-1").await;
    let stolen = AccountHealth { is_api_key_ours: Some(false), ..staff.health() };
    staff.see(account.id, stolen).await.unwrap();
    let seen = staff.listed("1", CONFIRMS_OFFER).await.value;
    let examined = staff.examined(&seen, report).await;
    assert_eq!(examined.refusal, Some(Consequence::Wait));
    let failed = examined.confirmation.value.checks.iter().filter(|check| !check.holds);
    assert!(failed.map(|check| check.code).eq([CheckCode::Halt]));
}

#[tokio::test]
async fn what_is_answered_too_often_waits_for_a_person() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let (_, report) = staff.sent_offer(account.id, "of-1").await;
    let mut seen = staff.listed("1", CONFIRMS_OFFER).await.value;
    for _ in 0..MOST_ATTEMPTS {
        assert_eq!(seen.status, ConfirmationStatus::Seen);
        let matched = staff.examined(&seen, report.clone()).await.confirmation;
        let begun = staff.begun(&matched).await.value;
        seen = staff.shows_outcome(&begun, ConfirmationOutcome::StillWaits).await.value;
    }
    assert_eq!(seen.status, ConfirmationStatus::Strange);
}

#[tokio::test]
async fn confirmations_are_listed_counted_and_read() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    let both = staff.lists(&[staff.waiting("1", CONFIRMS_OFFER), staff.waiting("2", API_KEY)]).await;
    let ids = [both[1].value.id, both[0].value.id];
    let (limit, cursor, account_id) = (0, String::new(), Some(account.id));
    let list = ListConfirmations { workspace_id, limit, cursor, account_id, status: None, kind: None };
    assert_eq!(on.list_confirmations(&staff.keeper, list.clone()).await.unwrap().entries, ids);
    let strange = ListConfirmations { status: Some(ConfirmationStatus::Strange), ..list };
    assert_eq!(on.list_confirmations(&staff.keeper, strange).await.unwrap().entries, [ids[0]]);
    let get = GetConfirmations { workspace_id, confirmation_ids: ids.to_vec() };
    assert_eq!(on.get_confirmations(&staff.keeper, get).await.unwrap().found.len(), 2);
    let counted = on.count_confirmations(&staff.keeper, CountConfirmations { workspace_id }).await.unwrap();
    let counted: Vec<_> =
        counted.iter().filter(|count| count.count != 0).map(|count| (count.status, count.count)).collect();
    assert_eq!(counted, [(ConfirmationStatus::Seen, 1), (ConfirmationStatus::Strange, 1)]);
    assert_eq!(staff.confirmation(&both[0].value).await.value, both[0].value);
    let open = on.open_confirmations(&Caller::system(), OpenConfirmations { workspace_id }).await.unwrap();
    assert_eq!(open.len(), 2);
}

#[tokio::test]
async fn a_person_asks_for_a_reading_of_an_account_that_is_not_removed() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    let (refresh, account_id) = (RefreshConfirmations { workspace_id, account_id: account.id }, account.id);
    let asked = on.refresh_confirmations(&staff.keeper, refresh).await.unwrap();
    assert!(asked.requested_at.is_some() && asked.read_at.is_none());
    let read = RecordConfirmationReading { workspace_id, account_id, began_at: staff.world.clock.now() };
    let read = on.record_confirmation_reading(&Caller::system(), read).await.unwrap();
    assert!(read.requested_at.is_none() && read.read_at.is_some());
    let ask = ConfirmationLists { workspace_id, account_ids: vec![account_id] };
    assert_eq!(on.confirmation_lists(&Caller::system(), ask).await.unwrap(), [read]);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    on.remove_account(&Caller::system(), remove).await.unwrap();
    let refused = refusal(on.refresh_confirmations(&staff.keeper, refresh)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
}

#[tokio::test]
async fn only_accounts_answers_confirmations() {
    let staff = Staff::open().await;
    let (on, _) = (&staff.world.operations, staff.register(1).await);
    let seen = staff.listed("1", CONFIRMS_OFFER).await;
    let trader = staff.world.key(PolicySet::of(&[Policy::Trading])).await;
    let refused = refusal(on.deny_confirmation(&trader, staff.denial(&seen.value))).await;
    assert_eq!(refused.0, Code::PermissionDenied);
    let denied = on.deny_confirmation(&staff.keeper, staff.denial(&seen.value)).await.unwrap();
    assert_eq!(denied.value.status, ConfirmationStatus::Denying);
}

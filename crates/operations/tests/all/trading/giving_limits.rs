//! How much accounts give within an hour and a day: what counts, what is rejected, what waits, and the problem that says so.

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemParts, ItemStatus};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, InventoryItemId};
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_domain::trading::confirmation::{CheckCode, Confirmation, ConfirmationStatus, Consequence};
use tradepost_domain::trading::giving::Given;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{OfferDraft, OfferOwner, TradeOffer};
use tradepost_domain::trading::trading_account::AccountHealth;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::DismissRemediation;
use tradepost_operations::trading::{
    AccountSecrets, ApproveConfirmation, AssetToTrade, BeginConfirmation, CreateAccount, DraftTradeOffer,
    GetTradeOffer, GetTradeOffers, LimitsOfAccount, LimitsOfGiving, SendTradeOffer, SettleGivingLimits, UpdateAccount,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::CONFIRMS_OFFER;
use tradepost_ports::store::{Records as _, Store as _};
use tradepost_testkit::samples::{Samples, text};

use super::snapshots::shown;
use super::{Staff, refusal};

/// What the items of these tests are worth, in cents.
const WORTH: i64 = 500;

fn per_hour(cents: i64) -> LimitsOfGiving {
    LimitsOfGiving { max_give_cents_per_hour: Some(cents), max_give_cents_per_day: None }
}

fn refused() -> (Code, &'static str) {
    (Code::FailedPrecondition, "GIVING_LIMIT_REACHED")
}

impl Staff {
    /// An account whose last snapshot shows two items, each of which a source of prices values.
    async fn giver(&self) -> AccountId {
        let account_id = self.register(1).await.id;
        self.take(account_id, &[500, 501], true).await;
        let item = shown(500);
        let (app_id, market_hash_name, phase) = (item.app_id, item.market_hash_name, item.face.phase);
        let quote = Quote {
            source: text("example"),
            lowest_ask: Cents::new(WORTH).ok(),
            highest_bid: None,
            sales: None,
            observed_at: self.world.clock.now(),
        };
        let quotes = [(Variant { app_id, market_hash_name, phase }, quote)];
        let recorded = self.world.operations.record_quotes(&Caller::system(), self.world.workspace_id, &quotes).await;
        assert_eq!(recorded.unwrap(), 1);
        account_id
    }

    fn limiting(&self, account_id: AccountId, limits: LimitsOfGiving) -> UpdateAccount {
        UpdateAccount {
            workspace_id: self.world.workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: Some(limits),
            expected_version: None,
        }
    }

    async fn limit(&self, account_id: AccountId, limits: LimitsOfGiving) {
        self.world.operations.update_account(&Caller::system(), self.limiting(account_id, limits)).await.unwrap();
    }

    /// An account of which the platform shows that it has its mobile authenticator.
    async fn giver_with_authenticator(&self) -> AccountId {
        let account_id = self.giver().await;
        self.see(account_id, self.health()).await.unwrap();
        account_id
    }

    /// An item that is listed at a price.
    async fn listed_at(&self, cents: i64) -> InventoryItemId {
        let samples = Samples::seeded(7);
        let purchase = samples.purchase(self.world.workspace_id, samples.id(), PurchaseStatus::Traded);
        let (item, _) = samples.item_in(&purchase, ItemStatus::Listed);
        let parts = ItemParts { list_price: Cents::new(cents).ok(), ..(*item).clone() };
        let item = InventoryItem::restore(parts).unwrap();
        let (item_id, mut changes) = (item.id, Changes::by(&Caller::system()));
        changes.insert(item);
        self.world.store.commit(changes).await.unwrap();
        item_id
    }

    /// Has the engine make an offer that gives an item to a buyer, of which the ledger has no price.
    async fn draft(&self, asset_id: u64) -> OpResult<Versioned<TradeOffer>> {
        let samples = Samples::seeded(u16::try_from(asset_id).unwrap());
        self.draft_sale(samples.id(), asset_id).await
    }

    /// The same of a sold item of the ledger.
    async fn draft_sale(&self, item_id: InventoryItemId, asset_id: u64) -> OpResult<Versioned<TradeOffer>> {
        let samples = Samples::seeded(u16::try_from(asset_id).unwrap());
        let owner = OfferOwner::Item(item_id);
        let partner = samples.offer_report(OfferStatus::Active).partner;
        let draft = OfferDraft { partner, gives: vec![samples.offered_asset(asset_id)], owner };
        let (workspace_id, account_name) = (self.world.workspace_id, text("trader-1"));
        let command = DraftTradeOffer { workspace_id, account_name, draft };
        self.world.operations.draft_trade_offer(&Caller::system(), command).await
    }

    async fn ask_to_send(&self, account_id: AccountId, asset_id: u64) -> OpResult<Versioned<TradeOffer>> {
        let asset = AssetToTrade { app_id: None, context_id: None, asset_id: asset_id.to_string() };
        let send = SendTradeOffer {
            workspace_id: self.world.workspace_id,
            account_id,
            partner: "76561198000099999".to_owned(),
            token: "abcdefgh".to_owned(),
            gives: vec![asset],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        self.world.operations.send_trade_offer(&Caller::system(), send).await
    }

    /// Two confirmations of an account that matched, of an item each.
    async fn two_matched(&self, account_id: AccountId, limits: LimitsOfGiving) -> Vec<Versioned<Confirmation>> {
        let mut listed = Vec::new();
        for (number, asset_id) in [("1", "500"), ("2", "501")] {
            let (_, report) = self.sent_offer_of(account_id, &format!("of-{number}"), asset_id).await;
            listed.push((self.listed(number, CONFIRMS_OFFER).await.value, report));
        }
        self.limit(account_id, limits).await;
        let mut matched = Vec::new();
        for (listed, report) in listed {
            matched.push(self.examined(&listed, report).await.confirmation);
        }
        assert!(matched.iter().all(|one| one.value.status == ConfirmationStatus::Matched), "{matched:?}");
        matched
    }

    async fn approve(&self, caller: &Caller, of: &Versioned<Confirmation>) -> OpResult<Versioned<Confirmation>> {
        let (workspace_id, expected_version) = (self.world.workspace_id, Some(of.version));
        let command = ApproveConfirmation { workspace_id, confirmation_id: of.value.id, expected_version };
        self.world.operations.approve_confirmation(caller, command).await
    }

    /// Has the keeper confirm a second factor, and lets 3 min pass.
    async fn factor_of_3_min_ago(&self) {
        self.world.step_up(&self.keeper).await;
        self.world.clock.advance(Duration::minutes(3));
    }

    async fn begin_answer(&self, of: &Versioned<Confirmation>) -> OpResult<Versioned<Confirmation>> {
        let (workspace_id, expected_version) = (self.world.workspace_id, of.version);
        let command = BeginConfirmation { workspace_id, confirmation_id: of.value.id, expected_version };
        self.world.operations.begin_confirmation(&Caller::system(), command).await
    }

    /// What is on record that an offer gives.
    async fn given_by(&self, offer: &TradeOffer) -> Option<Given> {
        let get = GetTradeOffer { workspace_id: self.world.workspace_id, trade_offer_id: offer.id };
        self.world.operations.get_trade_offer(&self.keeper, get).await.unwrap().value.given
    }

    /// The problems of an account that has used its limits up and that have not ended.
    async fn used_up(&self, account_id: AccountId) -> Vec<Remediation> {
        let of = Subject::Account(account_id);
        let found = self.world.store.remediations().list_live_of(self.scope(), of).await.unwrap();
        let all = found.into_iter().map(|seen| seen.into_display().0);
        all.filter(|problem| problem.kind == RemediationKind::GivingLimitReached).collect()
    }

    async fn settle(&self) -> usize {
        let command = SettleGivingLimits { workspace_id: self.world.workspace_id };
        self.world.operations.settle_giving_limits(&Caller::system(), command).await.unwrap()
    }
}

#[tokio::test]
async fn limits_of_giving_are_changed_with_a_second_factor_of_the_last_2_min_alone() {
    let staff = Staff::open().await;
    let (on, account_id) = (&staff.world.operations, staff.register(1).await.id);
    let limiting = |limits| staff.limiting(account_id, limits);
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(on.update_account(&staff.keeper, limiting(per_hour(1)))).await, asked);
    staff.world.step_up(&staff.keeper).await;
    let changed = on.update_account(&staff.keeper, limiting(per_hour(700))).await.unwrap().value;
    assert_eq!((changed.giving_limits.per_hour, changed.giving_limits.per_day), (Cents::new(700).ok(), None));
    staff.world.clock.advance(Duration::minutes(3));
    assert_eq!(refusal(on.update_account(&staff.keeper, limiting(LimitsOfGiving::default()))).await, asked);
    let limits = Some(LimitsOfAccount { max_open_purchases: Some(3), ..LimitsOfAccount::default() });
    let others = UpdateAccount { limits, giving_limits: None, ..limiting(per_hour(0)) };
    let changed = on.update_account(&staff.keeper, others).await.unwrap().value;
    assert_eq!(changed.giving_limits.per_hour, Cents::new(700).ok(), "what is not named stays");
    let below = refusal(on.update_account(&Caller::system(), limiting(per_hour(-1)))).await;
    assert_eq!(below, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn an_account_is_created_with_limits_of_giving_by_a_second_factor_of_the_last_2_min_alone() {
    let staff = Staff::open().await;
    let on = &staff.world.operations;
    let limited = |number, cents| CreateAccount { giving_limits: Some(per_hour(cents)), ..staff.registration(number) };
    staff.factor_of_3_min_ago().await;
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(on.create_account(&staff.keeper, limited(1, 700))).await, asked);
    let unlimited = on.create_account(&staff.keeper, staff.registration(1)).await.unwrap().value;
    assert!(!unlimited.giving_limits.apply(), "without limits, an older factor is enough");
    staff.world.step_up(&staff.keeper).await;
    let created = on.create_account(&staff.keeper, limited(2, 700)).await.unwrap().value;
    assert_eq!((created.giving_limits.per_hour, created.giving_limits.per_day), (Cents::new(700).ok(), None));
    let below = refusal(on.create_account(&Caller::system(), limited(3, -1))).await;
    assert_eq!(below, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn an_offer_that_would_exceed_a_limit_is_not_made_and_opens_the_problem_of_its_account() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    staff.limit(account_id, per_hour(2 * WORTH - 1)).await;
    let made = staff.draft(500).await.unwrap().value;
    assert_eq!(made.given.map(|given| (given.value, given.is_allowed)), Some((Cents::new(WORTH).ok(), false)));
    assert_eq!(refusal(staff.draft(501)).await, refused());
    assert_eq!(refusal(staff.ask_to_send(account_id, 501)).await, refused());
    let [problem]: [Remediation; 1] = staff.used_up(account_id).await.try_into().unwrap();
    assert_eq!(problem.status, RemediationStatus::NeedsOperator);
    let shown = [&problem.evidence.shown_by, &problem.evidence.expected, &problem.evidence.found];
    assert_eq!(shown.map(|text| text.as_ref().map(Text::as_str)), [Some("1 h"), Some("999"), Some("1000")]);
    staff.limit(account_id, per_hour(2 * WORTH)).await;
    assert_eq!(staff.used_up(account_id).await, [], "another limit ends it");
    staff.draft(501).await.unwrap();
}

#[tokio::test]
async fn what_an_account_gave_counts_for_an_hour() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    staff.limit(account_id, per_hour(WORTH)).await;
    let (offer, report) = staff.sent_offer(account_id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await.value;
    let matched = staff.examined(&listed, report).await.confirmation;
    staff.world.clock.advance(Duration::minutes(1));
    staff.begin_answer(&matched).await.unwrap();
    let (value, at) = (Cents::new(WORTH).ok(), staff.world.clock.now());
    assert_eq!(staff.given_by(&offer).await, Some(Given { value, at, is_allowed: true }));
    staff.world.clock.advance(Duration::minutes(59));
    assert_eq!(refusal(staff.draft(501)).await, refused());
    staff.world.clock.advance(Duration::minutes(1));
    staff.draft(501).await.unwrap();
}

#[tokio::test]
async fn a_confirmation_beyond_the_limit_waits_says_why_and_is_allowed_once_the_limit_is_raised() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let (_, report) = staff.sent_offer(account_id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await.value;
    staff.limit(account_id, per_hour(WORTH - 1)).await;
    let examined = staff.examined(&listed, report.clone()).await;
    let confirmation = &examined.confirmation.value;
    assert_eq!((examined.refusal, confirmation.status), (Some(Consequence::Wait), ConfirmationStatus::Seen));
    let failed: Vec<_> = confirmation.checks.iter().filter(|check| !check.holds).collect();
    let [budget] = failed.as_slice() else { panic!("{failed:?}") };
    assert_eq!(budget.code, CheckCode::Budget);
    assert!(
        budget.detail.as_ref().is_some_and(|why| why.as_str().contains("the limit within 1 h is 4.99")),
        "{budget:?}"
    );
    assert_eq!(staff.used_up(account_id).await.len(), 1);
    let begun = refusal(staff.begin_answer(&examined.confirmation)).await;
    assert_eq!(begun, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    staff.limit(account_id, per_hour(WORTH)).await;
    let examined = staff.examined(&listed, report).await;
    assert_eq!((examined.refusal, examined.confirmation.value.status), (None, ConfirmationStatus::Matched));
    assert_eq!(staff.used_up(account_id).await, []);
}

#[tokio::test]
async fn of_two_confirmations_that_matched_one_is_allowed_if_the_limit_covers_one() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let matched = staff.two_matched(account_id, per_hour(WORTH)).await;
    staff.begin_answer(&matched[0]).await.unwrap();
    assert_eq!(refusal(staff.begin_answer(&matched[1])).await, refused());
}

#[tokio::test]
async fn a_matched_confirmation_over_a_lowered_limit_is_approved_by_a_fresh_factor() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let (_, report) = staff.sent_offer(account_id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await.value;
    let matched = staff.examined(&listed, report).await.confirmation;
    assert_eq!(matched.value.status, ConfirmationStatus::Matched);
    staff.factor_of_3_min_ago().await;
    staff.limit(account_id, per_hour(WORTH - 1)).await;
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(staff.approve(&staff.keeper, &matched)).await, asked);
    staff.limit(account_id, per_hour(WORTH)).await;
    let approved = staff.approve(&staff.keeper, &matched).await.unwrap().value;
    assert_eq!(approved.status, ConfirmationStatus::Allowing, "within the limit, an older factor is enough");
}

#[tokio::test]
async fn matched_confirmations_beyond_the_limit_together_need_a_fresh_factor() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let matched = staff.two_matched(account_id, per_hour(2 * WORTH - 1)).await;
    staff.factor_of_3_min_ago().await;
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(staff.approve(&staff.keeper, &matched[0])).await, asked);
    staff.world.step_up(&staff.keeper).await;
    staff.approve(&staff.keeper, &matched[0]).await.unwrap();
}

#[tokio::test]
async fn an_allowed_confirmation_leaves_the_problem_of_what_else_waits_open() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let (_, report) = staff.sent_offer(account_id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await.value;
    staff.limit(account_id, per_hour(WORTH)).await;
    assert_eq!(refusal(staff.draft(501)).await, refused());
    let matched = staff.examined(&listed, report).await.confirmation;
    staff.begin_answer(&matched).await.unwrap();
    assert_eq!(staff.used_up(account_id).await.len(), 1, "a sale still waits");
}

#[tokio::test]
async fn a_sale_for_a_cent_counts_with_the_last_known_value_of_its_item() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let item_id = staff.listed_at(1).await;
    staff.limit(account_id, per_hour(WORTH - 1)).await;
    assert_eq!(refusal(staff.draft_sale(item_id, 500)).await, refused());
    staff.limit(account_id, per_hour(WORTH)).await;
    let made = staff.draft_sale(item_id, 500).await.unwrap().value;
    assert_eq!(made.given.map(|given| given.value), Some(Cents::new(WORTH).ok()));
}

#[tokio::test]
async fn a_sale_beyond_a_limit_by_itself_is_made_where_its_confirmation_waits() {
    let staff = Staff::open().await;
    let account_id = staff.giver_with_authenticator().await;
    staff.limit(account_id, per_hour(WORTH - 1)).await;
    let made = staff.draft(500).await.unwrap().value;
    assert_eq!(made.given.map(|given| (given.value, given.is_allowed)), Some((Cents::new(WORTH).ok(), false)));
    assert_eq!(refusal(staff.ask_to_send(account_id, 501)).await, refused(), "a person can raise the limit instead");
    staff.world.clock.advance(Duration::minutes(1));
    let health = AccountHealth { authenticator_since: None, ..staff.health() };
    staff.see(account_id, health).await.unwrap();
    assert_eq!(refusal(staff.draft(501)).await, refused(), "without an authenticator, nothing would wait");
}

#[tokio::test]
async fn a_sale_that_waits_for_a_person_takes_nothing_from_what_others_give() {
    let staff = Staff::open().await;
    let account_id = staff.giver_with_authenticator().await;
    let item_id = staff.listed_at(WORTH + 1).await;
    staff.limit(account_id, per_hour(WORTH)).await;
    let made = staff.draft_sale(item_id, 500).await.unwrap().value;
    assert_eq!(
        made.given.map(|given| given.value),
        Some(Cents::new(WORTH + 1).ok()),
        "it is sold for more than its value"
    );
    staff.draft(501).await.unwrap();
}

#[tokio::test]
async fn an_offer_that_is_made_gives_a_limited_account_a_new_version() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let before = staff.found(account_id).await.version;
    staff.draft(500).await.unwrap();
    assert_eq!(staff.found(account_id).await.version, before, "nothing limits it");
    staff.limit(account_id, per_hour(2 * WORTH)).await;
    staff.draft(501).await.unwrap();
    assert_eq!(staff.found(account_id).await.version, before + 2, "by its limit, and by the offer");
}

#[tokio::test]
async fn the_value_of_an_offer_is_shown_to_those_who_read_what_is_traded() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let offer = staff.ask_to_send(account_id, 500).await.unwrap().value;
    let clerk = staff.world.key(PolicySet::of(&[Policy::Accounts])).await;
    let (on, workspace_id) = (&staff.world.operations, staff.world.workspace_id);
    let one = on.get_trade_offer(&clerk, GetTradeOffer { workspace_id, trade_offer_id: offer.id }).await.unwrap().value;
    let get = GetTradeOffers { workspace_id, trade_offer_ids: vec![offer.id] };
    let several = on.get_trade_offers(&clerk, get).await.unwrap().found;
    for shown in several.iter().map(|shown| &shown.value).chain([&one]) {
        assert_eq!(shown.given, offer.given.map(|given| Given { value: None, ..given }));
    }
    assert_eq!(staff.given_by(&offer).await.map(|given| given.value), Some(Cents::new(WORTH).ok()));
}

#[tokio::test]
async fn what_a_person_allows_is_not_limited_and_counts() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    let (offer, _) = staff.sent_offer(account_id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await;
    staff.limit(account_id, per_hour(WORTH - 1)).await;
    let asked = staff.approve(&Caller::system(), &listed).await.unwrap();
    staff.begin_answer(&asked).await.unwrap();
    assert!(staff.given_by(&offer).await.is_some_and(|given| given.is_allowed));
    staff.limit(account_id, per_hour(2 * WORTH - 1)).await;
    assert_eq!(refusal(staff.draft(501)).await, refused());
}

#[tokio::test]
async fn an_item_whose_value_is_not_known_is_given_only_without_a_limit() {
    let staff = Staff::open().await;
    let account_id = staff.register(1).await.id;
    let limits = LimitsOfGiving { max_give_cents_per_hour: None, max_give_cents_per_day: Some(1_000_000) };
    staff.limit(account_id, limits).await;
    assert_eq!(refusal(staff.ask_to_send(account_id, 500)).await, refused());
    assert_eq!(staff.used_up(account_id).await.len(), 1);
    staff.limit(account_id, LimitsOfGiving::default()).await;
    let sent = staff.ask_to_send(account_id, 500).await.unwrap().value;
    assert_eq!(sent.given.map(|given| given.value), Some(None));
}

#[tokio::test]
async fn a_problem_for_which_nothing_waits_ends_30_min_after_it_was_last_seen() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    staff.limit(account_id, per_hour(0)).await;
    assert_eq!(refusal(staff.draft(500)).await, refused());
    for _ in 0..2 {
        staff.world.clock.advance(Duration::minutes(20));
        assert_eq!(refusal(staff.draft(500)).await, refused());
    }
    staff.world.clock.advance(Duration::minutes(29));
    assert_eq!((staff.settle().await, staff.used_up(account_id).await.len()), (0, 1));
    staff.world.clock.advance(Duration::minutes(1));
    assert_eq!((staff.settle().await, staff.used_up(account_id).await.len()), (1, 0));
}

#[tokio::test]
async fn a_problem_that_a_person_dismissed_is_not_opened_again_for_a_day() {
    let staff = Staff::open().await;
    let account_id = staff.giver().await;
    staff.limit(account_id, per_hour(0)).await;
    assert_eq!(refusal(staff.draft(500)).await, refused());
    let (workspace_id, remediation_id) = (staff.world.workspace_id, staff.used_up(account_id).await.remove(0).id);
    let (reason, expected_version) = ("it is to give nothing".to_owned(), None);
    let dismiss = DismissRemediation { workspace_id, remediation_id, reason, expected_version };
    staff.world.operations.dismiss_remediation(&staff.keeper, dismiss).await.unwrap();
    staff.world.clock.advance(Duration::hours(23));
    assert_eq!(refusal(staff.draft(500)).await, refused());
    assert_eq!(staff.used_up(account_id).await, []);
    staff.world.clock.advance(Duration::hours(1));
    assert_eq!(refusal(staff.draft(500)).await, refused());
    assert_eq!(staff.used_up(account_id).await.len(), 1);
}

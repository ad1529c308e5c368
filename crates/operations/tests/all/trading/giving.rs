//! Whether accounts give items at a real platform: who says so, what is rejected before, and what a driver is given.

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{AccountName, ExternalId, Text};
use tradepost_domain::trading::confirmation::{CheckCode, Confirmation, ConfirmationStatus, Consequence};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{OfferDraft, OfferOwner};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::trading::{
    AccountSecrets, AccountTokens, ApproveConfirmation, AssetToTrade, BeginConfirmation, CancelTradeOffer,
    ConfirmationLists, CreateAccount, DisableGiving, DraftTradeOffer, EnableGiving, RecordConfirmations,
    RefreshConfirmations, RefreshTradeToken, RefuseConfirmation, RefuseConfirmationReading, SendTradeOffer,
};
use tradepost_operations::{Caller, Code, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::sessions::{AnswerToSign, ConfirmationTag, TokenVault as _};
use tradepost_ports::game_platform::{self, CONFIRMS_OFFER, ConfirmationAnswer, ConfirmationHandle};
use tradepost_ports::totp::TotpCodes as _;
use tradepost_testkit::fakes::{FakeTotp, example_driver};
use tradepost_testkit::samples::{Samples, text};

use super::{Staff, refusal};

const IDENTITY_SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";

impl Staff {
    /// Records the platform of the accounts as a real one.
    async fn at_a_real_platform() -> Self {
        let staff = Self::open().await;
        let capabilities = [ProviderCapability::Inventory, ProviderCapability::TradeOffers].into();
        staff.world.operations.offer_driver(Driver {
            name: text("steam"),
            serves: vec![Served { kind: ProviderKind::GamePlatform, capabilities }],
            settings: Vec::new(),
            credentials: Vec::new(),
            asks_before_giving: true,
            ..example_driver()
        });
        let create = CreateProvider {
            workspace_id: staff.world.workspace_id,
            kind: ProviderKind::GamePlatform,
            driver: "steam".to_owned(),
            name: "steam".to_owned(),
            currency: "USD".to_owned(),
            settings: Vec::new(),
            credentials: ProviderCredentials::default(),
        };
        staff.world.operations.create_provider(&Caller::system(), create).await.unwrap();
        staff
    }

    /// An account whose identity secret is stored, and whose notice is accepted.
    async fn with_identity_secret(&self) -> TradingAccount {
        let identity_secret = Some(SecretString::from(IDENTITY_SECRET));
        let secrets = AccountSecrets { identity_secret, ..AccountSecrets::default() };
        let create = CreateAccount { secrets, ..self.registration(1) };
        let id = self.world.operations.create_account(&Caller::system(), create).await.unwrap().value.id;
        self.acknowledge(id).await
    }

    fn enabling(&self, account: &TradingAccount) -> EnableGiving {
        EnableGiving { workspace_id: self.world.workspace_id, account_id: account.id, expected_version: None }
    }

    async fn let_give(&self, account: &TradingAccount) -> Versioned<TradingAccount> {
        self.world.operations.enable_giving(&Caller::system(), self.enabling(account)).await.unwrap()
    }

    async fn let_give_nothing(&self, account: &TradingAccount) -> Versioned<TradingAccount> {
        let (workspace_id, account_id) = (self.world.workspace_id, account.id);
        let command = DisableGiving { workspace_id, account_id, expected_version: None };
        self.world.operations.disable_giving(&self.keeper, command).await.unwrap()
    }

    fn offer_request(&self, account: &TradingAccount, app_id: Option<i64>) -> SendTradeOffer {
        SendTradeOffer {
            workspace_id: self.world.workspace_id,
            account_id: account.id,
            partner: "76561198000099999".to_owned(),
            token: "abcdefgh".to_owned(),
            gives: vec![AssetToTrade { app_id, context_id: None, asset_id: "500".to_owned() }],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        }
    }

    /// An offer of the engine that gives an item that was sold.
    fn draft_of(&self, account: &TradingAccount) -> DraftTradeOffer {
        let samples = Samples::seeded(9);
        let report = samples.offer_report(OfferStatus::Active);
        let owner = OfferOwner::Item(samples.id());
        let draft = OfferDraft { partner: report.partner, gives: report.receives, owner };
        DraftTradeOffer { workspace_id: self.world.workspace_id, account_name: account.name.clone(), draft }
    }

    /// Records a confirmation that the platform lists of the first account.
    async fn listed_confirmation(&self) -> Versioned<Confirmation> {
        let shown = game_platform::Confirmation {
            id: ExternalId::from(4_000),
            handle: ConfirmationHandle::default(),
            kind: CONFIRMS_OFFER,
            kind_name: "Trade Offer".to_owned(),
            creator: ExternalId::from(77),
            headline: String::new(),
            summary: Vec::new(),
            created_at: self.world.clock.now(),
        };
        let account_name = AccountName::new("trader-1").unwrap();
        let list = RecordConfirmations { workspace_id: self.world.workspace_id, account_name, shown: vec![shown] };
        self.world.operations.record_confirmations(&Caller::system(), &list).await.unwrap().remove(0)
    }

    fn approving(&self, of: &Versioned<Confirmation>) -> ApproveConfirmation {
        let (workspace_id, expected_version) = (self.world.workspace_id, Some(of.version));
        ApproveConfirmation { workspace_id, confirmation_id: of.value.id, expected_version }
    }
}

#[tokio::test]
async fn a_person_lets_an_account_give_with_a_fresh_second_factor_and_withdraws_it_without_one() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    assert!(!account.may_give());
    let on = &staff.world.operations;
    let refused = refusal(on.enable_giving(&staff.keeper, staff.enabling(&account))).await;
    assert_eq!(refused, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    staff.world.step_up(&staff.keeper).await;
    let now = staff.world.clock.now();
    let enabled = on.enable_giving(&staff.keeper, staff.enabling(&account)).await.unwrap();
    assert_eq!(enabled.value.giving_enabled_at, Some(now));
    assert_eq!(staff.let_give(&account).await, enabled, "the first time stays");
    assert!(!staff.let_give_nothing(&account).await.value.may_give());
    assert!(!staff.found(account.id).await.value.may_give());
}

#[tokio::test]
async fn at_a_real_platform_nothing_is_asked_for_before_a_person_lets_the_account_give() {
    let staff = Staff::at_a_real_platform().await;
    let (account, system) = (staff.with_identity_secret().await, Caller::system());
    let on = &staff.world.operations;
    let expected = (Code::FailedPrecondition, "GIVING_NOT_ENABLED");
    assert_eq!(refusal(on.send_trade_offer(&system, staff.offer_request(&account, None))).await, expected);
    assert_eq!(refusal(on.draft_trade_offer(&system, staff.draft_of(&account))).await, expected);
    let confirmation = staff.listed_confirmation().await;
    assert_eq!(refusal(on.approve_confirmation(&system, staff.approving(&confirmation))).await, expected);
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let renew = RefreshTradeToken { workspace_id, account_id, renew: true };
    assert_eq!(refusal(on.refresh_trade_token(&system, renew)).await, expected);
    staff.let_give(&account).await;
    let other_game = refusal(on.send_trade_offer(&system, staff.offer_request(&account, Some(440)))).await;
    assert_eq!(other_game, (Code::InvalidArgument, "INVALID_FIELD"));
    on.send_trade_offer(&system, staff.offer_request(&account, None)).await.unwrap();
    on.draft_trade_offer(&system, staff.draft_of(&account)).await.unwrap();
    on.approve_confirmation(&system, staff.approving(&confirmation)).await.unwrap();
    on.refresh_trade_token(&system, renew).await.unwrap();
}

#[tokio::test]
async fn a_simulated_platform_does_not_ask_for_the_permission() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let request = staff.offer_request(&account, Some(440));
    let sent = staff.world.operations.send_trade_offer(&Caller::system(), request).await;
    assert!(sent.is_ok(), "{sent:?}");
}

#[tokio::test]
async fn a_driver_gets_the_key_of_an_answer_that_is_on_record_as_begun_and_of_no_other() {
    let staff = Staff::at_a_real_platform().await;
    let (account, system) = (staff.with_identity_secret().await, Caller::system());
    let (on, workspace_id, at) = (&staff.world.operations, staff.world.workspace_id, staff.world.clock.now());
    let vault = AccountTokens::new(on.clone(), workspace_id, text("steam"));
    let (user, confirmation) = (account.platform_user_id, ExternalId::from(4_000));
    let key = async |answer| {
        let wanted = AnswerToSign { account: user, confirmation: confirmation.clone(), answer, at };
        vault.answer_key(&wanted).await.unwrap().map(|made| made.key.expose_secret().to_owned())
    };
    assert!(!vault.may_give(user).await.unwrap());
    staff.let_give(&account).await;
    assert!(vault.may_give(user).await.unwrap());
    let asked = on.approve_confirmation(&system, staff.approving(&staff.listed_confirmation().await)).await.unwrap();
    assert_eq!(key(ConfirmationAnswer::Allow).await, None, "the engine has not begun");
    let (confirmation_id, expected_version) = (asked.value.id, asked.version);
    let begin = BeginConfirmation { workspace_id, confirmation_id, expected_version };
    on.begin_confirmation(&system, begin).await.unwrap();
    let secret = SecretString::from(IDENTITY_SECRET);
    let expected = FakeTotp::default().confirmation_key(&secret, user, at, ConfirmationTag::Allow).unwrap();
    assert_eq!(key(ConfirmationAnswer::Allow).await.as_deref(), Some(expected.key.expose_secret()));
    assert_eq!(key(ConfirmationAnswer::Deny).await, None, "it is not denied");
    staff.let_give_nothing(&account).await;
    assert_eq!(key(ConfirmationAnswer::Allow).await, None, "the permission is withdrawn");
    assert!(!vault.may_give(user).await.unwrap());
}

#[tokio::test]
async fn an_answer_that_the_driver_does_not_give_ends_with_its_reason_and_is_examined_as_halted() {
    let staff = Staff::at_a_real_platform().await;
    let (account, system) = (staff.with_identity_secret().await, Caller::system());
    let (on, workspace_id) = (&staff.world.operations, staff.world.workspace_id);
    staff.let_give(&account).await;
    let asked = on.approve_confirmation(&system, staff.approving(&staff.listed_confirmation().await)).await.unwrap();
    let (confirmation_id, why) = (asked.value.id, "giving is not enabled".to_owned());
    let refuse = RefuseConfirmation { workspace_id, confirmation_id, why };
    let refused = on.refuse_confirmation(&system, refuse).await.unwrap().value;
    assert_eq!((refused.status, refused.answer), (ConfirmationStatus::Strange, None));
    let check = refused.checks.iter().find(|check| check.code == CheckCode::Halt).unwrap();
    assert_eq!(check.detail.as_ref().map(Text::as_str), Some("giving is not enabled"));
}

#[tokio::test]
async fn what_was_begun_by_an_earlier_permission_is_not_confirmed_by_a_later_one() {
    let staff = Staff::at_a_real_platform().await;
    let account = staff.with_identity_secret().await;
    staff.let_give(&account).await;
    let (_, report) = staff.sent_offer(account.id, "of-1").await;
    let listed = staff.listed("1", CONFIRMS_OFFER).await.value;
    assert_eq!(staff.examined(&listed, report.clone()).await.refusal, None);
    staff.world.clock.advance(Duration::SECOND);
    staff.let_give_nothing(&account).await;
    staff.let_give(&account).await;
    assert_eq!(staff.examined(&listed, report).await.refusal, Some(Consequence::Wait));
}

#[tokio::test]
async fn an_offer_that_is_out_is_not_cancelled_without_the_permission_and_the_message_says_where_it_is() {
    let staff = Staff::at_a_real_platform().await;
    let account = staff.with_identity_secret().await;
    staff.let_give(&account).await;
    let (sent, _) = staff.sent_offer(account.id, "of-1").await;
    staff.let_give_nothing(&account).await;
    let (workspace_id, trade_offer_id) = (staff.world.workspace_id, sent.id);
    let cancel = CancelTradeOffer { workspace_id, trade_offer_id, expected_version: None };
    let refused = staff.world.operations.cancel_trade_offer(&Caller::system(), cancel).await.unwrap_err();
    assert!(refused.message.contains("in the app of the platform"), "{}", refused.message);
}

#[tokio::test]
async fn confirmations_without_an_identity_secret_are_not_asked_for_at_a_real_platform() {
    let staff = Staff::at_a_real_platform().await;
    let (on, workspace_id, system) = (&staff.world.operations, staff.world.workspace_id, Caller::system());
    let without = staff.register(2).await;
    let refresh = RefreshConfirmations { workspace_id, account_id: without.id };
    let refused = refusal(on.refresh_confirmations(&system, refresh)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_WITHOUT_IDENTITY_SECRET"));
    let account_id = staff.with_identity_secret().await.id;
    on.refresh_confirmations(&system, RefreshConfirmations { workspace_id, account_id }).await.unwrap();
    let waits = async || {
        let lists = on.confirmation_lists(&system, ConfirmationLists { workspace_id, account_ids: vec![account_id] });
        lists.await.unwrap().iter().any(|list| list.requested_at.is_some())
    };
    assert!(waits().await);
    let refuse = RefuseConfirmationReading { workspace_id, account_id };
    on.refuse_confirmation_reading(&system, refuse).await.unwrap();
    assert!(!waits().await, "a request that the driver does not carry out ends");
}

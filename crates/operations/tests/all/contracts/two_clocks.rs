//! The server's clock and that of the market, which are a year apart or step: what uses which.

mod attempts;

use std::ops::Deref;
use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::id::{
    AccountId, ConfirmationId, ImportId, InventoryItemId, PoolId, ProviderId, PurchaseId, RemediationId, TradeOfferId,
};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationStatus};
use tradepost_domain::trading::import::{ImportFormat, ImportKind, ReadField};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::OfferReport;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_operations::contracts::{BuyingLimits, GetTransitions, ListLedgerEntries, ListTransitions, TransferItem};
use tradepost_operations::markets::{
    CreateProvider, GetMarketObservation, ListMarketObservations, ProviderCredentials,
};
use tradepost_operations::rules::{RULES, Rule, StepUp};
use tradepost_operations::trading::{
    AccountSecrets, ApplyImport, CreateAccount, CreateImport, DefaultsOfImport, LimitsOfAccount, ListImportRows,
    RecordTradeOffer,
};
use tradepost_operations::{Caller, Code, OpError};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::{Clock as _, MarketClock as _, RealMarket};
use tradepost_ports::imports::ReadAccount;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::{FakeImportReader, FixedClock, example_driver};
use tradepost_testkit::samples::{Samples, text, variant};

use super::pools::NO_LIMITS;
use super::{Desk, buying_limits};
use crate::harness::World;

pub(super) const YEAR: Duration = Duration::days(365);
pub(super) const HOUR: Duration = Duration::hours(1);

/// A desk, and what its imports are read as.
struct ImportingDesk {
    desk: Desk,
    imports: Arc<FakeImportReader>,
}

impl Deref for ImportingDesk {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl Desk {
    /// From now on the workspace trades in a market whose clock is so far from the server's.
    pub(super) async fn trade_apart(&self, by: Duration) -> Arc<FixedClock> {
        self.world.acknowledge_risks().await;
        let market = Arc::new(FixedClock::at(self.world.clock.now().plus(by)));
        self.operations().trade_by(self.workspace_id(), market.clone()).await.unwrap();
        market
    }

    pub(super) fn account(&self, number: u32) -> CreateAccount {
        CreateAccount {
            workspace_id: self.workspace_id(),
            name: format!("keeper-{number}"),
            platform: "steam".to_owned(),
            platform_user_id: (76_561_198_000_000_000_u64 + u64::from(number)).to_string(),
            trade_token: Some("AbCdEfGh".to_owned()),
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets {
                shared_secret: Some("zvIayp3JPvtvX/QGHqsqKBk/44s=".into()),
                ..AccountSecrets::default()
            },
        }
    }
}

impl ImportingDesk {
    async fn open() -> Self {
        let imports = Arc::new(FakeImportReader::default());
        let world = World::with(|ports| ports.imports = imports.clone()).await;
        Self { desk: Desk::in_world(world).await, imports }
    }

    fn import(&self) -> CreateImport {
        CreateImport {
            workspace_id: self.workspace_id(),
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            content: b"[]".to_vec().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: None,
        }
    }

    /// An account that was imported with its revocation code.
    async fn imported(&self, number: u32) -> AccountId {
        let (on, system, workspace_id) = (self.operations(), Caller::system(), self.workspace_id());
        self.imports.reads(Ok(vec![as_read(number)]));
        let import_id = on.create_import(&system, self.import()).await.unwrap().value.id;
        let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
        on.apply_import(&system, apply).await.unwrap();
        let list = ListImportRows { workspace_id, import_id, limit: 0, cursor: String::new(), outcome: None };
        on.list_import_rows(&system, list).await.unwrap().entries[0].account_id.unwrap()
    }

    /// An import that waits for its second call.
    async fn checked_import(&self, number: u32) -> ImportId {
        self.imports.reads(Ok(vec![as_read(number)]));
        self.operations().create_import(&Caller::system(), self.import()).await.unwrap().value.id
    }

    /// An account that can be signed in.
    fn with_password(&self, number: u32) -> CreateAccount {
        let secrets = AccountSecrets {
            login_name: Some("keeper".into()),
            password: Some("four grey herons".into()),
            ..AccountSecrets::default()
        };
        CreateAccount { secrets, ..self.account(number) }
    }

    fn wanted_provider(&self, number: u32) -> CreateProvider {
        CreateProvider {
            workspace_id: self.workspace_id(),
            kind: ProviderKind::Marketplace,
            driver: "example".to_owned(),
            name: format!("market-{number}"),
            currency: "USD".to_owned(),
            settings: vec![("customer".to_owned(), "desk".to_owned())],
            credentials: credentials(),
        }
    }

    /// What an operation can be tried on, once with success.
    async fn prepared(&self, number: u32) -> Prepared {
        let (on, system) = (self.operations(), Caller::system());
        let reversed = self.receive(number * 10).await.purchase.value.terms.id;
        let event = PurchaseEvent::TradeReversed { rollback_trade_id: text(&format!("rollback-{number}")) };
        self.advance(reversed, event).await.unwrap();
        let provider = on.create_provider(&system, self.wanted_provider(number * 10)).await.unwrap();
        Prepared {
            number,
            pool_id: self.pool(NO_LIMITS).await,
            owed: self.owed(number * 10 + 1).await,
            missing: self.missing(number * 10 + 2).await,
            transfer: self.transferable(number * 10 + 6).await,
            remediation_id: self.problem_of(reversed).await,
            account_id: on.create_account(&system, self.account(number * 10)).await.unwrap().value.id,
            imported: self.imported(number * 10 + 3).await,
            import_id: self.checked_import(number * 10 + 4).await,
            leaving: on.create_account(&system, self.account(number * 10 + 1)).await.unwrap().value.id,
            signed_out: on.create_account(&system, self.with_password(number * 10 + 5)).await.unwrap().value.id,
            trade_offer_id: self.received_offer(number).await,
            confirmation_id: self.matched_confirmation(number).await,
            provider_id: provider.provider.value.id,
        }
    }

    /// An offer of another account that asks for an item of ours.
    async fn received_offer(&self, number: u32) -> TradeOfferId {
        let samples = Samples::seeded(u16::try_from(number).unwrap());
        let gives = vec![samples.offered_asset(80_000 + u64::from(number))];
        let report = OfferReport { gives, ..samples.offer_report(OfferStatus::Active) };
        let (workspace_id, account_name) = (self.workspace_id(), text("trader-1"));
        let command = RecordTradeOffer { workspace_id, account_name, report, owner: None };
        self.operations().record_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }

    /// A confirmation for which every check holds.
    async fn matched_confirmation(&self, number: u32) -> ConfirmationId {
        let samples = Samples::seeded(u16::try_from(number).unwrap());
        let matched = samples.confirmation_in(self.workspace_id(), ConfirmationStatus::Matched);
        let account_name = text(&format!("keeper-{number}"));
        let mut changes = Changes::by(&Caller::system());
        changes.insert(Confirmation { account_name, ..matched.clone() });
        self.world.store.commit(changes).await.unwrap();
        matched.id
    }

    async fn problem_of(&self, purchase_id: PurchaseId) -> RemediationId {
        let subject = Subject::Purchase(purchase_id);
        self.problems().await.into_iter().find(|problem| problem.subject == subject).unwrap().id
    }
}

/// What each operation is tried on.
struct Prepared {
    number: u32,
    pool_id: PoolId,
    owed: PurchaseId,
    missing: InventoryItemId,
    transfer: TransferItem,
    remediation_id: RemediationId,
    account_id: AccountId,
    imported: AccountId,
    import_id: ImportId,
    leaving: AccountId,
    signed_out: AccountId,
    trade_offer_id: TradeOfferId,
    confirmation_id: ConfirmationId,
    provider_id: ProviderId,
}

fn credentials() -> ProviderCredentials {
    ProviderCredentials(vec![("apiKey".to_owned(), "the key of a marketplace".into())])
}

/// The operations about what is traded of which some ask for a second factor, by how long a proof is good for.
fn with_step_up() -> [(Duration, Vec<&'static str>); 2] {
    let is_about_trade = |service: &str| ["contracts", "markets", "trading"].iter().any(|of| service.starts_with(of));
    let asking = RULES.iter().filter(|rule| is_about_trade(rule.service) && rule.step_up != StepUp::No);
    let (fresh, others): (Vec<_>, Vec<_>) =
        asking.partition(|rule| matches!(rule.step_up, StepUp::Fresh | StepUp::IfGivesFresh));
    let methods = |rules: Vec<&'static Rule>| rules.into_iter().map(|rule| rule.method).collect();
    [(Duration::minutes(2), methods(fresh)), (Duration::minutes(10), methods(others))]
}

/// An account as another program kept it.
fn as_read(number: u32) -> ReadAccount {
    ReadAccount {
        platform_user_id: Some((76_561_198_000_000_000_u64 + u64::from(number)).to_string()),
        name: Some(format!("imported-{number}")),
        fields: vec![(ReadField::RevocationCode, format!("R{number}").into())],
        fault: None,
    }
}

async fn refused_all(desk: &ImportingDesk, on: &Prepared, methods: &[&str], why: &str) {
    for method in methods {
        let answer = desk.attempt(method, on).await;
        let refused = matches!(
            &answer,
            Err(OpError { code: Code::FailedPrecondition, reason, .. }) if reason.as_str() == "STEP_UP_REQUIRED"
        );
        assert!(refused, "{method}, {why}: {answer:?}");
    }
}

#[tokio::test]
async fn a_proof_is_good_for_its_minutes_of_the_server_in_whichever_time_the_market_lives() {
    let apart = [-YEAR, Duration::ZERO, YEAR];
    for (apart, (good_for, methods)) in apart.into_iter().flat_map(|apart| with_step_up().map(|asking| (apart, asking)))
    {
        let desk = ImportingDesk::open().await;
        desk.operations().offer_driver(example_driver());
        let (one, other) = (desk.prepared(1).await, desk.prepared(2).await);
        let market = desk.trade_apart(apart).await;
        refused_all(&desk, &one, &methods, "nothing was proved").await;
        desk.world.step_up(&desk.trader).await;
        desk.advance_clock(good_for - Duration::seconds(1));
        // However fast the market goes.
        market.advance(Duration::days(3));
        for method in &methods {
            let answer = desk.attempt(method, &one).await;
            assert!(answer.is_ok(), "{method}, the market is {apart} apart: {answer:?}");
        }
        desk.advance_clock(Duration::seconds(1));
        market.set(desk.world.clock.now().plus(apart - Duration::days(3)));
        refused_all(&desk, &other, &methods, "the proof is too old").await;
    }
}

#[tokio::test]
async fn a_budget_of_a_day_is_that_of_the_markets_day() {
    for apart in [-YEAR, Duration::ZERO, YEAR] {
        let limits = BuyingLimits { daily_budget_cents: Some(2_999), ..buying_limits() };
        let desk = Desk::limited(limits).await;
        // The process has made ids by the server's clock already.
        let market = desk.trade_apart(apart).await;
        market.set(market.now().start_of_day().plus(HOUR));
        desk.buy(1).await;
        let second = desk.operations().record_purchase(&desk.trader, desk.listing(2));
        desk.forbidden(second, "DAILY_BUDGET_TOO_LOW").await;
        // An hour back it is the same day still.
        market.advance(-HOUR);
        let again = desk.operations().record_purchase(&desk.trader, desk.listing(2));
        desk.forbidden(again, "DAILY_BUDGET_TOO_LOW").await;
        market.advance(Duration::days(1));
        desk.buy(2).await;
    }
}

#[tokio::test]
async fn lists_go_in_the_order_of_ids_and_from_and_to_by_the_time_of_the_market() {
    for apart in [-YEAR, Duration::ZERO, YEAR] {
        let (desk, _) = Desk::pooled(NO_LIMITS).await;
        let market = desk.trade_apart(apart).await;
        let noon = market.now();
        let mut bought = Vec::new();
        for (number, hours) in [(1, 0), (2, -1), (3, 2)] {
            market.set(noon.plus(HOUR * hours));
            bought.push(desk.buy(number).await);
        }
        assert!(bought.is_sorted(), "ids ascend though the clock stepped back");
        let (from, to) = (noon.plus(-HOUR), noon.plus(HOUR));
        let of = |made: &[usize]| made.iter().map(|made| bought[*made]).collect::<Vec<_>>();
        assert_eq!(desk.changed_in(from, to).await, of(&[1, 0]));
        assert_eq!(desk.changed_in(noon, noon.plus(HOUR * 3)).await, of(&[2, 0]));
        assert_eq!(desk.booked_in(from, to).await, of(&[1, 0]));
        assert_eq!(desk.booked_in(to, noon.plus(HOUR * 3)).await, of(&[2]));
    }
}

impl Desk {
    /// The purchases that were recorded in a time, the last first.
    async fn changed_in(&self, from: Timestamp, to: Timestamp) -> Vec<PurchaseId> {
        let workspace_id = self.workspace_id();
        let list = ListTransitions {
            workspace_id,
            limit: 50,
            cursor: String::new(),
            subject_kind: Some(SubjectKind::Purchase),
            subject_id: None,
            from: Some(from),
            to: Some(to),
            subject_kinds: Vec::new(),
        };
        let transition_ids = self.operations().list_transitions(&self.trader, list).await.unwrap().entries;
        let get = GetTransitions { workspace_id, transition_ids };
        let found = self.operations().get_transitions(&self.trader, get).await.unwrap().transitions;
        found.into_iter().map(|step| PurchaseId::from_bytes(step.subject.id_bytes())).collect()
    }

    /// The purchases of what was booked in a time, the last first.
    async fn booked_in(&self, from: Timestamp, to: Timestamp) -> Vec<PurchaseId> {
        let list = ListLedgerEntries { from: Some(from), to: Some(to), ..Self::entries_of(self.workspace_id()) };
        let ids = self.operations().list_ledger_entries(&self.trader, list).await.unwrap().entries;
        let ledger = self.ledger().await;
        let purchase = |id| ledger.iter().find(|entry| entry.id == id)?.trade.as_ref().map(|trade| trade.purchase_id);
        ids.into_iter().filter_map(purchase).collect()
    }
}

#[tokio::test]
async fn observations_use_the_time_of_the_market_which_stops_while_it_is_set_back() {
    for apart in [-YEAR, Duration::ZERO, YEAR] {
        let desk = Desk::open().await;
        let market = desk.trade_apart(apart).await;
        let (noon, samples) = (market.now(), Samples::seeded(7));
        let mut recorded = Vec::new();
        for (hours, at) in [(0, noon), (-1, noon), (1, noon.plus(HOUR))] {
            market.set(noon.plus(HOUR * hours));
            let seen = samples.on_offer(variant("AK-47 | Redline (Field-Tested)"), 1_000, market.now());
            let outcomes =
                desk.operations().record_listings(&desk.trader, desk.workspace_id(), vec![seen]).await.unwrap();
            recorded.push((outcomes[0].observation_id.unwrap(), at));
        }
        assert!(recorded.is_sorted());
        for (id, at) in &recorded {
            let get = GetMarketObservation { workspace_id: desk.workspace_id(), observation_id: *id };
            let found = desk.operations().get_market_observation(&desk.trader, get).await.unwrap();
            assert_eq!(found.recorded_at, *at);
        }
        let list = |since| ListMarketObservations {
            workspace_id: desk.workspace_id(),
            limit: 0,
            cursor: String::new(),
            marketplace: String::new(),
            market_hash_name: String::new(),
            since: Some(since),
        };
        let since = desk.operations().list_market_observations(&desk.trader, list(noon.plus(HOUR))).await.unwrap();
        assert_eq!(since.entries, [recorded[2].0]);
    }
}

#[tokio::test]
async fn two_workspaces_of_one_installation_live_each_in_its_own_time() {
    let desk = Desk::open().await;
    let (other, _, their_caller) = desk.world.other_workspace().await;
    let market = desk.trade_apart(-YEAR).await;
    let real = RealMarket(desk.world.clock.clone());
    assert_eq!(real.market_now(), desk.world.clock.now());
    desk.operations().trade_by(other, Arc::new(real)).await.unwrap();
    let ours = desk.purchase(desk.buy(1).await).await.value;
    assert_eq!(ours.created_at, market.now());
    desk.world.acknowledge_risks_in(other).await;
    let theirs = CreateAccount { workspace_id: other, ..desk.account(1) };
    desk.world.step_up(&their_caller).await;
    let theirs = desk.operations().create_account(&their_caller, theirs).await.unwrap().value;
    assert_eq!(theirs.created_at, desk.world.clock.now());
}

#[tokio::test]
async fn a_workspace_trades_in_the_real_market_or_in_a_simulated_one_and_never_in_both() {
    let desk = Desk::open().await;
    let (other, _, _) = desk.world.other_workspace().await;
    let (on, ours) = (desk.operations(), desk.workspace_id());
    let real = || Arc::new(RealMarket(desk.world.clock.clone()));
    let simulated = || Arc::new(FixedClock::default());
    on.trade_by(ours, simulated()).await.unwrap();
    on.trade_by(other, real()).await.unwrap();
    desk.forbidden(on.trade_by(ours, real()), "MARKET_KIND").await;
    desk.forbidden(on.trade_by(other, simulated()), "MARKET_KIND").await;
    // It stays so after a restart.
    let again = desk.world.restarted(|_| {});
    desk.forbidden(again.operations.trade_by(ours, real()), "MARKET_KIND").await;
    again.operations.trade_by(ours, simulated()).await.unwrap();
    let nowhere = tradepost_domain::id::WorkspaceId::from_bytes([9; 16]);
    desk.refused(on.trade_by(nowhere, simulated()), Code::NotFound, "NOT_FOUND").await;
}

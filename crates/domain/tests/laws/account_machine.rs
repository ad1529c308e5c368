//! Trading accounts: their life, whether they are ready, and who of them is asked first.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;

use proptest::prelude::*;
use time::Duration;
use tradepost_domain::contracts::assignment::{AccountPool, Assignee, Assignment, AssignmentTerms};
use tradepost_domain::id::{Id, RecordKey};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure, Start, TokenExpiry};
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{
    AccountChange, AccountError, AccountEvent, AccountGone, AccountGroup, AccountHealth, AccountLimits, AccountLock,
    AccountReading, AccountReport, AccountRole, AccountStatus, Check, CheckCode, GroupError, Load, LockReason,
    NewAccount, OpenAccountWork, REFRESH_WAITS, RENEWAL_LASTS, RenewalError, TradingAccount,
};

fn at(hours: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).unwrap().plus(Duration::hours(hours))
}

fn new(number: u8) -> TradingAccount {
    let new = NewAccount {
        id: Id::from_bytes([number; 16]),
        workspace_id: Id::from_bytes([1; 16]),
        name: Text::new(&format!("trader-{number}")).unwrap(),
        platform: Text::new("steam").unwrap(),
        platform_user_id: PlatformUserId::new(NonZeroU64::new(u64::from(number) + 1).unwrap()),
        trade_token: None,
        capabilities: AccountRole::ALL.iter().copied().collect(),
        limits: AccountLimits::default(),
        giving_limits: GivingLimits::default(),
        has_secrets: true,
    };
    TradingAccount::register(new, at(0))
}

/// The same, whose owner has accepted the notice of the platform.
fn account(number: u8) -> TradingAccount {
    new(number).acknowledge_trades(at(0)).unwrap()
}

fn lock(hours: i64) -> AccountLock {
    AccountLock { reason: LockReason::TradeHold, until: at(hours) }
}

fn events() -> [AccountEvent; 11] {
    [
        AccountEvent::SigningIn,
        AccountEvent::SignedIn,
        AccountEvent::Disturbed,
        AccountEvent::Recovered,
        AccountEvent::SessionLost,
        AccountEvent::Restricted(lock(30)),
        AccountEvent::RestrictionEnded,
        AccountEvent::Disabled,
        AccountEvent::Enabled,
        AccountEvent::Banned,
        AccountEvent::Removed(OpenAccountWork::default()),
    ]
}

fn after(events: &[AccountEvent]) -> TradingAccount {
    events.iter().fold(account(1), |account, event| account.apply(*event, None, at(1)).unwrap())
}

fn healthy() -> AccountHealth {
    AccountHealth {
        seen_at: at(1),
        is_signed_in: true,
        authenticator_since: Some(at(-24 * 30)),
        held_until: None,
        inventory_count: Some(10),
        is_api_key_ours: Some(true),
        balance: None,
    }
}

fn ready(number: u8) -> TradingAccount {
    let account = account(number).apply(AccountEvent::SigningIn, None, at(1)).unwrap();
    account.apply(AccountEvent::SignedIn, None, at(1)).unwrap().seen(healthy(), at(1)).unwrap()
}

proptest! {
    /// Whatever happens to an account, it keeps its rules, and who has left never comes back.
    #[test]
    fn in_whatever_order_things_happen_an_account_keeps_its_rules(
        happenings in prop::collection::vec((0_usize..11, 0_i64..60), 0..40)
    ) {
        let mut account = account(1);
        for (event, hour) in happenings {
            let (before, event) = (account.clone(), events()[event]);
            if let Ok(next) = account.clone().apply(event, None, at(hour)) {
                prop_assert!(!before.status.is_terminal(), "{} left {}", event.name(), before.status);
                account = next;
            }
            prop_assert!(TradingAccount::restore(account.clone().into_parts()).is_ok());
            prop_assert!(account.updated_at >= before.updated_at);
        }
    }
}

/// The step of each report, except from states that only a user's decision ends, or nothing.
#[test]
fn what_is_seen_of_an_account_leads_it_there_by_legal_steps_and_once() {
    let restricted = AccountReport::Restricted(lock(50));
    let led = |account: &TradingAccount, seen: AccountReport, hour: i64| {
        let steps = account.steps_to(seen, at(hour));
        steps.into_iter().fold(account.clone(), |account, step| account.apply(step, None, at(hour)).unwrap())
    };
    let reached = [
        (AccountReport::Works, AccountStatus::Ready),
        (restricted, AccountStatus::Restricted),
        (AccountReport::ShutOut, AccountStatus::Banned),
        (AccountReport::SignedOut, AccountStatus::NeedsLogin),
    ];
    let signed_in = [AccountEvent::SigningIn, AccountEvent::SignedIn];
    let [signing_in, in_work] = [after(&signed_in[..1]), after(&signed_in)];
    let disturbed = in_work.clone().apply(AccountEvent::Disturbed, None, at(1)).unwrap();
    let lost = in_work.clone().apply(AccountEvent::SessionLost, None, at(1)).unwrap();
    let held = in_work.clone().apply(AccountEvent::Restricted(lock(30)), None, at(1)).unwrap();
    for account in [account(1), signing_in, in_work.clone(), disturbed, lost] {
        for (seen, status) in reached {
            let after = led(&account, seen, 2);
            assert_eq!(after.status, status, "{seen:?} of {}", account.status);
            assert_eq!(after.steps_to(seen, at(2)), [], "{seen:?} is reported once");
        }
    }
    assert_eq!(led(&in_work, AccountReport::Limited, 2).status, AccountStatus::Degraded);
    assert_eq!(led(&held, AccountReport::Works, 29).status, AccountStatus::Restricted, "its time is not over");
    assert_eq!(led(&held, AccountReport::Works, 30).status, AccountStatus::Ready);
    assert_eq!(led(&held, restricted, 2).lock, Some(lock(50)), "it lasts longer");
    assert_eq!(led(&held, AccountReport::SignedOut, 31).status, AccountStatus::Restricted);
    let disabled = in_work.apply(AccountEvent::Disabled, None, at(1)).unwrap();
    for seen in [AccountReport::Works, restricted, AccountReport::Limited, AccountReport::SignedOut] {
        assert_eq!(disabled.steps_to(seen, at(2)), [], "a person decides");
    }
    assert_eq!(led(&disabled, AccountReport::ShutOut, 2).status, AccountStatus::Banned);
}

#[test]
fn only_who_was_signed_in_gets_work() {
    let leads_to_ready = |from: AccountStatus| {
        events()
            .into_iter()
            .filter(move |event| from.after(*event) == Some(AccountStatus::Ready))
            .map(AccountEvent::name)
    };
    let ways: Vec<_> =
        AccountStatus::ALL.iter().flat_map(|from| leads_to_ready(*from).map(|event| (*from, event))).collect();
    assert_eq!(ways, [(AccountStatus::Validating, "signed_in"), (AccountStatus::Degraded, "recovered")]);
}

#[test]
fn nothing_but_its_removal_follows_a_ban_and_nothing_a_removal() {
    let steps = |from: AccountStatus| -> Vec<_> {
        events().into_iter().filter(|event| from.after(*event).is_some()).map(AccountEvent::name).collect()
    };
    assert_eq!(steps(AccountStatus::Banned), ["removed"]);
    assert!(steps(AccountStatus::Removed).is_empty());
}

#[test]
fn a_restriction_ends_when_its_time_is_over_and_outlasts_being_disabled() {
    let restricted = after(&[AccountEvent::SigningIn, AccountEvent::Restricted(lock(30))]);
    let early = restricted.clone().apply(AccountEvent::RestrictionEnded, None, at(29));
    assert_eq!(early, Err(AccountError::TooEarly { until: at(30) }));
    let over = restricted.clone().apply(AccountEvent::RestrictionEnded, None, at(30)).unwrap();
    assert_eq!((over.status, over.lock), (AccountStatus::Validating, None));
    let disabled = restricted.apply(AccountEvent::Disabled, None, at(2)).unwrap();
    let enabled = |hour| disabled.clone().apply(AccountEvent::Enabled, None, at(hour)).unwrap();
    assert_eq!((enabled(29).status, enabled(29).lock), (AccountStatus::Restricted, Some(lock(30))));
    assert_eq!(enabled(30).status, AccountStatus::Validating);
}

#[test]
fn an_account_is_removed_once_nothing_hangs_on_it() {
    let remove = |left| account(1).apply(AccountEvent::Removed(left), None, at(1));
    for left in [
        OpenAccountWork { purchases: 1, ..OpenAccountWork::default() },
        OpenAccountWork { items: 1, ..OpenAccountWork::default() },
        OpenAccountWork { offers: 1, ..OpenAccountWork::default() },
    ] {
        assert_eq!(remove(left), Err(AccountError::HasOpenWork(left)));
    }
    let assigned = OpenAccountWork { assignments: 2, ..OpenAccountWork::default() };
    assert_eq!(remove(assigned), Err(AccountError::Assigned { assignments: 2 }));
    let removed = remove(OpenAccountWork::default()).unwrap();
    assert!(!removed.has_secrets, "nothing is kept for who has left");
    assert_eq!(removed.clone().change(AccountChange::default(), at(2)), Err(AccountGone));
    assert_eq!(removed.seen(healthy(), at(2)), Err(AccountGone));
}

#[test]
fn a_repeated_report_changes_nothing() {
    let signed_in = ready(1);
    assert!(signed_in.has_reached(AccountEvent::SignedIn) && !signed_in.has_reached(AccountEvent::SessionLost));
    let restricted = after(&[AccountEvent::SigningIn, AccountEvent::Restricted(lock(30))]);
    assert!(restricted.has_reached(AccountEvent::Restricted(lock(30))));
    assert!(!restricted.has_reached(AccountEvent::Restricted(lock(31))), "it lasts longer");
    assert!(!signed_in.is_news(&healthy()), "as old as what is known");
    assert!(signed_in.is_news(&AccountHealth { seen_at: at(2), ..healthy() }));
}

#[test]
fn every_check_is_reported_and_an_account_is_ready_if_all_hold() {
    let account = ready(1);
    let failed = |account: &TradingAccount| -> Vec<_> {
        let checks = account.readiness(at(2));
        assert_eq!(checks.len(), 9);
        checks.into_iter().filter(|check| !check.ok).map(|check| check.code).collect()
    };
    assert_eq!(failed(&account), []);
    let seen = |change: fn(&mut AccountHealth)| {
        let mut health = healthy();
        change(&mut health);
        failed(&account.clone().seen(health, at(2)).unwrap())
    };
    assert_eq!(seen(|health| health.is_signed_in = false), [CheckCode::Session]);
    assert_eq!(seen(|health| health.authenticator_since = None), [CheckCode::Authenticator]);
    assert_eq!(seen(|health| health.authenticator_since = Some(at(2 - 24 * 7 + 1))), [CheckCode::Authenticator]);
    assert_eq!(seen(|health| health.authenticator_since = Some(at(2 - 24 * 7))), []);
    assert_eq!(seen(|health| health.held_until = Some(at(3))), [CheckCode::TradeHold]);
    assert_eq!(seen(|health| health.held_until = Some(at(2))), []);
    assert_eq!(seen(|health| health.inventory_count = Some(1_000)), [CheckCode::InventoryRoom]);
    assert_eq!(seen(|health| health.inventory_count = None), [CheckCode::InventoryRoom], "it is unknown");
    assert_eq!(seen(|health| health.is_api_key_ours = Some(false)), [CheckCode::ApiKey]);
    assert_eq!(seen(|health| health.is_api_key_ours = None), [CheckCode::ApiKey], "an unknown key may be a thief's");
    let unseen = after(&[AccountEvent::SigningIn, AccountEvent::SignedIn]);
    assert_eq!(failed(&unseen).len(), 6, "of what was never seen nothing holds");
}

#[test]
fn an_account_whose_token_ends_within_three_days_or_whose_session_has_failed_is_not_ready() {
    let key = RecordKey { workspace_id: Id::from_bytes([1; 16]), id: Id::from_bytes([2; 16]) };
    let start = Start { uses_stored_code: true, is_automatic: false };
    let started = AccountSession::start(key, Id::from_bytes([3; 16]), start, at(0));
    let found = |session: &AccountSession, hours| {
        let check = Check::of_token(Some(session), at(hours));
        assert_eq!(check.code, CheckCode::Token);
        (check.ok, check.detail)
    };
    let said = |ok, detail: &str| (ok, detail.to_owned());
    assert!(Check::of_token(None, at(0)).ok, "another program signs it in");
    assert_eq!(found(&started, 0), said(false, "the account is being signed in"));
    let tokens = TokenExpiry { access: at(24), refresh: at(240) };
    let active = started.clone().apply(SessionEvent::SignedIn(tokens), at(0)).unwrap();
    assert_eq!(found(&active, 167), said(true, "the refresh token ends in 3 days"));
    assert_eq!(found(&active, 168), said(false, "the refresh token ends in 3 days"));
    assert_eq!(found(&active, 241), said(false, "the refresh token ends in 0 days"));
    let lost = active.clone().apply(SessionEvent::Lost(SessionFailure::Expired), at(1)).unwrap();
    assert_eq!(found(&lost, 2), said(false, "the platform no longer accepts the session"));
    let failed = started.apply(SessionEvent::Refused(SessionFailure::WrongPassword), at(1)).unwrap();
    assert_eq!(found(&failed, 2), said(false, "the last sign-in has failed: WRONG_PASSWORD"));
    assert!(Check::of_token(Some(&active.apply(SessionEvent::Closed, at(1)).unwrap()), at(2)).ok);
}

#[test]
fn an_account_takes_no_role_until_a_person_has_accepted_the_notice() {
    let steps = [AccountEvent::SigningIn, AccountEvent::SignedIn];
    let signed_in = steps.iter().fold(new(1), |account, step| account.apply(*step, None, at(1)).unwrap());
    let fresh = signed_in.seen(healthy(), at(1)).unwrap();
    let blocked = |account: &TradingAccount| {
        AccountRole::ALL
            .iter()
            .map(|role| account.blocked_by(*role, Load::default(), at(2)).map(|check| check.code))
            .collect::<Vec<_>>()
    };
    assert!(!fresh.may_trade());
    assert_eq!(blocked(&fresh), [Some(CheckCode::TradeNotice); 3]);
    let accepted = fresh.acknowledge_trades(at(3)).unwrap();
    assert_eq!(blocked(&accepted), [None; 3]);
    let again = accepted.acknowledge_trades(at(4)).unwrap();
    assert_eq!(again.trade_notice_acknowledged_at, Some(at(3)), "the first time stays");
    let removed = new(2).apply(AccountEvent::Removed(OpenAccountWork::default()), None, at(1)).unwrap();
    assert_eq!(removed.acknowledge_trades(at(2)), Err(AccountGone));
}

#[test]
fn an_account_gives_nothing_at_a_real_platform_until_a_person_lets_it_and_no_longer_than_that() {
    let fresh = new(1);
    assert!(!fresh.may_give());
    assert_eq!(fresh.clone().let_give(false, at(1)), Ok(fresh.clone()), "what is off stays as it is");
    let enabled = fresh.let_give(true, at(2)).unwrap();
    assert_eq!((enabled.giving_enabled_at, enabled.updated_at), (Some(at(2)), at(2)));
    assert_eq!(enabled.clone().let_give(true, at(3)), Ok(enabled.clone()), "the first time stays");
    assert!(!enabled.let_give(false, at(4)).unwrap().may_give());
    let removed = new(2).apply(AccountEvent::Removed(OpenAccountWork::default()), None, at(1)).unwrap();
    assert_eq!(removed.let_give(true, at(2)), Err(AccountGone));
}

#[test]
fn the_limits_of_what_an_account_gives_stay_until_a_person_changes_them() {
    let limits = GivingLimits { per_hour: Cents::new(500).ok(), per_day: None };
    let limited = AccountChange { giving_limits: Some(limits), ..AccountChange::default() };
    let account = new(1).change(limited, at(1)).unwrap().let_give(true, at(2)).unwrap().let_give(false, at(3)).unwrap();
    let chatting = account.change(AccountChange { chat: Some(true), ..AccountChange::default() }, at(4)).unwrap();
    assert_eq!(chatting.giving_limits, limits);
    let unlimited = AccountChange { giving_limits: Some(GivingLimits::default()), ..AccountChange::default() };
    assert!(!chatting.change(unlimited, at(5)).unwrap().giving_limits.apply());
}

fn token(text: &str) -> Option<Text<128>> {
    Text::new(text).ok()
}

#[test]
fn a_request_for_a_reading_waits_for_one_that_began_after_it() {
    let later = |seconds| at(1).plus(Duration::seconds(seconds));
    let reading = |began_at| AccountReading { began_at, trade_token: token("AbCdEfGh") };
    let asked = account(1).refreshing(later(0)).unwrap();
    assert_eq!(asked.clone().refreshing(later(90)).unwrap(), asked, "one that waits stays");
    let early = asked.clone().refreshed(reading(later(-1)), later(5)).unwrap();
    assert!(early.refresh.unwrap().is_pending());
    let read = asked.refreshed(reading(later(1)), later(5)).unwrap();
    assert!(!read.refresh.unwrap().is_pending());
    assert_eq!(read.trade_token, token("AbCdEfGh"));
    assert_eq!(read.clone().refreshing(later(59)).unwrap(), read, "within a minute it is the same request");
    assert_eq!(read.refreshing(later(60)).unwrap().refresh.unwrap().requested_at, later(60));
}

#[test]
fn a_request_that_an_engine_cannot_meet_ends_after_two_minutes_and_can_be_made_again() {
    let later = |seconds| at(1).plus(Duration::seconds(seconds));
    let asked = account(1).refreshing(later(0)).unwrap();
    assert_eq!(asked.clone().refresh_refused(later(119)), asked, "the engine may begin again with the account");
    let refused = asked.refresh_refused(later(120));
    let refresh = refused.refresh.unwrap();
    assert_eq!((refresh.is_pending(), refresh.is_refused, refresh.read_at), (false, true, None));
    assert_eq!(refused.clone().refresh_refused(later(300)), refused, "once");
    let again = refused.clone().refreshing(later(121)).unwrap().refresh.unwrap();
    assert_eq!((again.requested_at, again.is_pending(), again.is_refused), (later(121), true, false));
    let reading = AccountReading { began_at: later(130), trade_token: None };
    let read = refused.refreshed(reading, later(131)).unwrap().refresh.unwrap();
    assert_eq!((read.is_pending(), read.is_refused), (false, false), "an engine has read it after all");
}

#[test]
fn a_renewal_that_has_begun_is_not_refused_and_any_other_one_is() {
    let asked = account(1).renewing_token(at(1)).unwrap();
    let begun = asked.clone().renewal_begun(0, at(1)).unwrap();
    let late = at(1).plus(REFRESH_WAITS);
    assert_eq!(begun.clone().refresh_refused(late), begun, "the address may be another one");
    let refused = asked.refresh_refused(late);
    assert!(!refused.is_token_renewed() && refused.refresh.unwrap().is_refused, "it buys again");
}

#[test]
fn a_renewal_begins_once_without_open_purchases_and_ends_with_the_address_that_is_read() {
    let reading = |began_at, text: &str| AccountReading { began_at, trade_token: token(text) };
    assert_eq!(account(1).renewal_begun(0, at(1)), Err(RenewalError::NotRequested));
    let asked = account(1).renewing_token(at(1)).unwrap();
    assert_eq!(
        asked.blocked_by(AccountRole::Buy, Load::default(), at(1)).map(|check| check.code),
        Some(CheckCode::Status)
    );
    assert_eq!(asked.clone().renewal_begun(2, at(1)), Err(RenewalError::HasPurchases { purchases: 2 }));
    let unchanged = asked.clone().refreshed(reading(at(1), "old"), at(1)).unwrap();
    assert!(unchanged.is_token_renewed(), "what was read before the call ends nothing");
    let begun = asked.clone().renewal_begun(0, at(1)).unwrap();
    assert_eq!(begun.clone().renewal_begun(0, at(1)), Err(RenewalError::Begun));
    assert!(!begun.clone().refreshed(reading(at(2), "new"), at(2)).unwrap().is_token_renewed());
    let unread = begun.clone().refreshed(AccountReading { began_at: at(2), trade_token: None }, at(2)).unwrap();
    assert!(unread.is_token_renewed(), "the address is not known yet");
    assert_eq!(begun.renewal_postponed(at(2)), asked.clone().named(at(2)));
    let late = at(1).plus(RENEWAL_LASTS);
    assert_eq!(asked.clone().renewal_begun(0, late), Err(RenewalError::NotRequested));
    assert!(!asked.refreshed(reading(late, "old"), late).unwrap().is_token_renewed(), "a late one is dropped");
}

#[test]
fn an_account_whose_address_is_renewed_buys_nothing_and_sells_on() {
    let asked = ready(1).renewing_token(at(2)).unwrap();
    let blocked = |role| asked.blocked_by(role, Load::default(), at(2)).map(|check| check.code);
    assert_eq!(blocked(AccountRole::Buy), Some(CheckCode::TradeAddress));
    assert_eq!(blocked(AccountRole::Sell), None);
}

#[test]
fn nothing_is_asked_of_an_account_that_was_removed() {
    let removed = |account: TradingAccount| {
        account.apply(AccountEvent::Removed(OpenAccountWork::default()), None, at(3)).unwrap()
    };
    let left = removed(account(1).renewing_token(at(1)).unwrap());
    assert_eq!(left.refresh, None);
    assert_eq!(left.clone().refreshing(at(4)), Err(AccountGone));
    assert_eq!(left.renewing_token(at(4)), Err(AccountGone));
}

#[test]
fn a_balance_matters_where_a_least_one_is_asked_for_and_to_who_buys() {
    let limits = AccountLimits { min_balance: Cents::new(500).ok(), ..AccountLimits::default() };
    let change = AccountChange { limits: Some(limits), ..AccountChange::default() };
    let account = ready(1).change(change, at(1)).unwrap();
    let with =
        |cents| account.clone().seen(AccountHealth { balance: Cents::new(cents).ok(), ..healthy() }, at(1)).unwrap();
    let blocked_by =
        |account: &TradingAccount, role| account.blocked_by(role, Load::default(), at(2)).map(|check| check.code);
    assert_eq!(blocked_by(&account, AccountRole::Buy), Some(CheckCode::Balance));
    assert_eq!(blocked_by(&with(499), AccountRole::Buy), Some(CheckCode::Balance));
    assert_eq!(blocked_by(&with(500), AccountRole::Buy), None);
    assert_eq!(blocked_by(&with(499), AccountRole::Sell), None);
}

#[test]
fn a_group_takes_so_many_accounts_and_no_more() {
    let group = AccountGroup::new(
        RecordKey { workspace_id: Id::from_bytes([1; 16]), id: Id::from_bytes([2; 16]) },
        Text::new("Rifles").unwrap(),
        None,
        at(0),
    );
    let ids: Vec<_> =
        (0..=AccountGroup::MOST).map(|n| Id::from_bytes(u128::try_from(n).unwrap().to_be_bytes())).collect();
    let full = group.with(&ids[1..], at(1)).unwrap();
    assert_eq!(full.clone().with(&ids[..1], at(1)), Err(GroupError::Full { most: AccountGroup::MOST }));
    assert_eq!(full.clone().with(&ids[5..9], at(1)).unwrap(), full, "who is in it is in it once");
    assert_eq!(full.without(&ids.into_iter().collect(), at(2)).account_ids, BTreeSet::new());
}

struct Pool {
    assignments: Vec<Assignment>,
    groups: Vec<AccountGroup>,
    accounts: Vec<TradingAccount>,
    loads: BTreeMap<Text<64>, Load>,
}

impl Pool {
    fn assign(&mut self, assignee: Assignee, priority: u32, max_open_purchases: Option<u32>, max_items: Option<u32>) {
        let number = u8::try_from(self.assignments.len()).unwrap();
        self.assignments.push(Assignment {
            id: Id::from_bytes([number; 16]),
            workspace_id: Id::from_bytes([1; 16]),
            pool_id: Id::from_bytes([3; 16]),
            assignee,
            terms: AssignmentTerms { roles: [AccountRole::Buy].into(), priority, max_open_purchases, max_items },
            created_at: at(0),
            updated_at: at(0),
        });
    }

    /// The accounts in order with what keeps each.
    fn asked(&self, role: AccountRole) -> Vec<(String, Option<CheckCode>)> {
        let accounts = AccountPool {
            assignments: &self.assignments,
            groups: &self.groups,
            accounts: &self.accounts,
            loads: &self.loads,
        };
        let name = |name: &Text<64>| name.to_string();
        let candidates = accounts.candidates(role, at(2)).into_iter();
        candidates.map(|one| (name(&one.name), one.blocked_by.map(|check| check.code))).collect()
    }
}

#[test]
fn accounts_are_asked_by_priority_then_by_what_they_have_in_hand_each_once() {
    let accounts = vec![ready(1), ready(2), ready(3), account(4)];
    let group = AccountGroup::new(
        RecordKey { workspace_id: Id::from_bytes([1; 16]), id: Id::from_bytes([2; 16]) },
        Text::new("Rifles").unwrap(),
        None,
        at(0),
    );
    let group = group.with(&accounts.iter().map(|account| account.id).collect::<Vec<_>>(), at(0)).unwrap();
    let loads = [(accounts[0].name.clone(), Load { open_purchases: 2, items: 0 })].into();
    let mut pool = Pool { assignments: Vec::new(), groups: vec![group.clone()], accounts, loads };
    pool.assign(Assignee::Group(group.id), 5, None, None);
    let named = |name: &str| (name.to_owned(), None);
    let idle = ("trader-4".to_owned(), Some(CheckCode::Status));
    assert_eq!(pool.asked(AccountRole::Buy), [named("trader-2"), named("trader-3"), idle.clone(), named("trader-1")]);
    assert_eq!(pool.asked(AccountRole::Sell), [], "nobody is assigned to it");
    // The first of its assignments is at its limit, the other one is not.
    pool.assign(Assignee::Account(pool.accounts[0].id), 1, Some(2), None);
    assert_eq!(pool.asked(AccountRole::Buy).last(), Some(&named("trader-1")));
    pool.assign(Assignee::Account(pool.accounts[2].id), 1, None, Some(0));
    pool.assignments.remove(0);
    let full = |name: &str, code| (name.to_owned(), Some(code));
    assert_eq!(
        pool.asked(AccountRole::Buy),
        [full("trader-3", CheckCode::Items), full("trader-1", CheckCode::OpenPurchases)]
    );
}

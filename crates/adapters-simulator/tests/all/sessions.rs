//! Signed in accounts of a world: which calls are answered, how long tokens last, and what a lost answer leaves. The contract has the rest.

use std::sync::Arc;

use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{
    Answer, Call, Fault, PersistentSimulator, PlatformCall, Request, SessionCall, Settings, SignInImpossible,
    SimulatedGuard, SimulatedPlatform, SimulatedSessions, World, WorldCommand, WorldFolder, WorldTransport,
};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{PlatformSessions, SessionRefusal, Tokens};
use tradepost_ports::game_platform::social::Social as _;

use crate::desk::{CUSTOMER, Desk};
use crate::signing::{ClosedVault, EmptyVault, OneToken, SHARED_SECRET, by, who};
use crate::story::beginning;

const LOGIN_NAME: &str = "ada";

/// A quiet desk whose account needs a sign-in.
fn desk(guard: SimulatedGuard) -> Desk {
    let desk = Desk::quiet();
    desk.simulator.world(|world| world.require_sign_in(desk.account.user, by(LOGIN_NAME, guard))).unwrap();
    desk
}

/// Signs the account in that is asked for nothing further.
async fn sign_in(sessions: &dyn PlatformSessions) -> Tokens {
    let begun = sessions.begin(&who(LOGIN_NAME)).await.unwrap();
    sessions.poll(&begun.attempt).await.unwrap().unwrap()
}

async fn signed_in() -> (Desk, Tokens) {
    let desk = desk(SimulatedGuard::None);
    let tokens = sign_in(&desk.simulator.sessions()).await;
    (desk, tokens)
}

/// The platform, called with the access token of a session.
fn with_token<L: WorldTransport>(line: &L, tokens: &Tokens) -> SimulatedPlatform<L> {
    SimulatedPlatform::new(line.clone()).with_vault(Arc::new(OneToken(tokens.access.clone())))
}

async fn is_answered(desk: &Desk, tokens: &Tokens) -> bool {
    match with_token(&desk.simulator, tokens).account(desk.account.user).await {
        Ok(_) => true,
        Err(ExternalError::AuthLost { effect: Effect::Nothing }) => false,
        Err(other) => panic!("{other}"),
    }
}

fn signed_out<T, R>() -> Result<T, ExternalError<R>> {
    Err(ExternalError::AuthLost { effect: Effect::Nothing })
}

#[tokio::test]
async fn an_account_that_needs_no_sign_in_is_answered_with_and_without_a_token() {
    let (signed, tokens) = signed_in().await;
    let other = signed.simulator.world(|world| world.open_account(CUSTOMER)).user;
    assert!(signed.platform.account(other).await.is_ok());
    assert!(with_token(&signed.simulator, &tokens).account(other).await.is_ok());
    assert!(!signed.simulator.world(|world| world.is_signed_in(other)));
}

#[tokio::test]
async fn calls_are_refused_before_the_sign_in_and_answered_after_it() {
    let desk = desk(SimulatedGuard::None);
    let user = desk.account.user;
    assert_eq!(desk.platform.account(user).await, signed_out());
    assert_eq!(desk.platform.renew_trade_token(user).await, signed_out());
    let tokens = sign_in(&desk.simulator.sessions()).await;
    assert!(is_answered(&desk, &tokens).await);
    assert!(with_token(&desk.simulator, &tokens).renew_trade_token(user).await.is_ok());
    assert!(desk.simulator.world(|world| world.is_signed_in(user)));
}

#[tokio::test]
async fn friends_and_chats_need_the_token_as_well() {
    let (desk, tokens) = signed_in().await;
    let (social, user) = (desk.simulator.social(), desk.account.user);
    assert_eq!(social.friends(user).await, signed_out());
    assert_eq!(social.clone().with_vault(Arc::new(EmptyVault)).friends(user).await, signed_out());
    assert_eq!(social.with_vault(Arc::new(OneToken(tokens.access))).friends(user).await, Ok(Vec::new()));
}

#[tokio::test]
async fn an_access_token_ends_after_a_day_and_the_refresh_token_renews_it() {
    let (desk, tokens) = signed_in().await;
    desk.pass(Duration::DAY - Duration::microseconds(1));
    assert!(is_answered(&desk, &tokens).await);
    desk.pass(Duration::microseconds(1));
    assert!(!is_answered(&desk, &tokens).await);
    let renewed = desk.simulator.sessions().renew(&tokens, false).await.unwrap();
    assert!(is_answered(&desk, &renewed).await);
}

#[tokio::test]
async fn a_refresh_token_ends_after_200_days() {
    let (desk, tokens) = signed_in().await;
    desk.pass(Duration::days(200));
    assert_eq!(desk.simulator.sessions().renew(&tokens, true).await, signed_out());
    assert_eq!(desk.simulator.sessions().revoke(&tokens).await, signed_out());
    assert!(!desk.simulator.world(|world| world.is_signed_in(desk.account.user)));
}

#[tokio::test]
async fn a_renewed_access_token_replaces_the_former_one() {
    let (desk, tokens) = signed_in().await;
    let renewed = desk.simulator.sessions().renew(&tokens, false).await.unwrap();
    assert!(!is_answered(&desk, &tokens).await);
    assert!(is_answered(&desk, &renewed).await);
}

#[tokio::test]
async fn another_sign_in_ends_the_former_session() {
    let (desk, tokens) = signed_in().await;
    let again = sign_in(&desk.simulator.sessions()).await;
    assert!(!is_answered(&desk, &tokens).await);
    assert_eq!(desk.simulator.sessions().renew(&tokens, false).await, signed_out());
    assert!(is_answered(&desk, &again).await);
}

#[tokio::test]
async fn a_sign_in_that_was_only_begun_leaves_the_session_as_it_is() {
    let (desk, tokens) = signed_in().await;
    desk.simulator.sessions().begin(&who(LOGIN_NAME)).await.unwrap();
    assert!(is_answered(&desk, &tokens).await);
}

#[tokio::test]
async fn a_rotation_whose_answer_was_lost_leaves_the_former_tokens_dead() {
    let (desk, tokens) = signed_in().await;
    desk.inject(Fault::TimeoutAfterCommit { call: Call::Renew });
    let lost = desk.simulator.sessions().renew(&tokens, true).await;
    assert!(matches!(lost, Err(ExternalError::Unknown(_))), "{lost:?}");
    assert_eq!(desk.simulator.sessions().renew(&tokens, true).await, signed_out());
    assert!(!is_answered(&desk, &tokens).await);
}

#[tokio::test]
async fn a_rotation_that_never_arrived_leaves_the_tokens_as_they_are() {
    let (desk, tokens) = signed_in().await;
    desk.inject(Fault::TimeoutBeforeCommit { call: Call::Renew });
    let lost = desk.simulator.sessions().renew(&tokens, true).await;
    assert!(matches!(lost, Err(ExternalError::Unknown(_))), "{lost:?}");
    assert!(is_answered(&desk, &tokens).await);
    assert!(desk.simulator.sessions().renew(&tokens, true).await.is_ok());
}

#[tokio::test]
async fn a_mailed_code_is_of_one_sign_in() {
    let desk = desk(SimulatedGuard::EmailCode);
    let (sessions, user) = (desk.simulator.sessions(), desk.account.user);
    let sent = || desk.simulator.world(|world| world.sent_code(user)).unwrap();
    let first = sessions.begin(&who(LOGIN_NAME)).await.unwrap();
    let code = sent();
    let second = sessions.begin(&who(LOGIN_NAME)).await.unwrap();
    assert_ne!(sent(), code);
    let code = SecretString::from(code);
    let given = sessions.give_code(&second.attempt, Guard::EmailCode, &code).await;
    assert_eq!(given, Err(ExternalError::Rejected(SessionRefusal::WrongCode)));
    assert_eq!(sessions.give_code(&first.attempt, Guard::EmailCode, &code).await, Ok(()));
    assert_eq!(first.asked.email_domain.unwrap().as_str(), "example.com");
}

#[tokio::test]
async fn a_code_of_a_kind_that_was_not_asked_for_is_refused() {
    let desk = desk(SimulatedGuard::EmailCode);
    let sessions = desk.simulator.sessions();
    let begun = sessions.begin(&who(LOGIN_NAME)).await.unwrap();
    let code = desk.simulator.world(|world| world.sent_code(desk.account.user)).unwrap();
    let given = sessions.give_code(&begun.attempt, Guard::DeviceCode, &code.into()).await;
    assert!(matches!(given, Err(ExternalError::Rejected(SessionRefusal::Other(_)))), "{given:?}");
}

/// A world at a time, and its account with an authenticator.
fn with_authenticator(second: i64) -> (World, PlatformUserId) {
    let start = Timestamp::from_micros(second * 1_000_000).unwrap();
    let mut world = World::new(1, Settings { start, ..crate::desk::quiet() });
    let (user, shared_secret) = (world.open_account(CUSTOMER).user, SHARED_SECRET.to_owned());
    world.require_sign_in(user, by(LOGIN_NAME, SimulatedGuard::DeviceCode { shared_secret })).unwrap();
    (world, user)
}

#[test]
fn an_authenticator_shows_the_codes_that_the_real_platform_expects() {
    let (mut world, user) = with_authenticator(1_616_374_841);
    assert_eq!(world.device_code(user).as_deref(), Some("2F9J5"), "the example of steamguard-cli (src/token.rs)");
    world.advance(Duration::seconds(19));
    assert_ne!(world.device_code(user).as_deref(), Some("2F9J5"));
}

#[tokio::test]
async fn a_code_of_the_authenticator_is_accepted_30_seconds_longer_than_shown() {
    for (seconds, is_accepted) in [(18, true), (19, true), (48, true), (49, false)] {
        let (world, user) = with_authenticator(1_616_374_841);
        let code = world.device_code(user).unwrap();
        let desk = Desk::quiet().in_another(world);
        let sessions = desk.simulator.sessions();
        let begun = sessions.begin(&who(LOGIN_NAME)).await.unwrap();
        desk.pass(Duration::seconds(seconds));
        let given = sessions.give_code(&begun.attempt, Guard::DeviceCode, &code.into()).await;
        assert_eq!(given.is_ok(), is_accepted, "after {seconds} s: {given:?}");
    }
}

#[tokio::test]
async fn the_sixth_sign_in_within_ten_minutes_is_limited() {
    let desk = desk(SimulatedGuard::None);
    let sessions = desk.simulator.sessions();
    for _ in 0..5 {
        sessions.begin(&who(LOGIN_NAME)).await.unwrap();
        desk.pass(Duration::minutes(1));
    }
    let retry_after = std::time::Duration::from_mins(5);
    let limited = Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing });
    assert_eq!(sessions.begin(&who(LOGIN_NAME)).await, limited);
    desk.pass(Duration::minutes(5));
    assert!(sessions.begin(&who(LOGIN_NAME)).await.is_ok());
}

#[tokio::test]
async fn requiring_a_sign_in_again_changes_nothing() {
    let (desk, tokens) = signed_in().await;
    let another = by("another", SimulatedGuard::Approval);
    assert_eq!(desk.simulator.world(|world| world.require_sign_in(desk.account.user, another)), Ok(()));
    assert!(is_answered(&desk, &tokens).await);
    assert!(desk.simulator.sessions().begin(&who(LOGIN_NAME)).await.is_ok());
}

#[test]
fn a_sign_in_that_could_never_work_is_not_required() {
    let desk = desk(SimulatedGuard::None);
    desk.simulator.world(|world| {
        let (stranger, other) = (world.befriend(desk.account.user), world.open_account(CUSTOMER).user);
        let unknown = world.require_sign_in(stranger, by("bob", SimulatedGuard::None));
        assert_eq!(unknown, Err(SignInImpossible::UnknownAccount(stranger)));
        let taken = world.require_sign_in(other, by(LOGIN_NAME, SimulatedGuard::None));
        assert_eq!(taken, Err(SignInImpossible::TakenLoginName));
        for shared_secret in ["", "zvIayp3JPvtvX/QGHqsqKBk=", "not base 64"].map(str::to_owned) {
            let without = world.require_sign_in(other, by("bob", SimulatedGuard::DeviceCode { shared_secret }));
            assert_eq!(without, Err(SignInImpossible::SharedSecret));
        }
    });
}

#[test]
fn without_a_sign_in_that_waits_there_is_nothing_to_approve() {
    let desk = desk(SimulatedGuard::Approval);
    assert!(!desk.simulator.world(|world| world.approve_sign_in(desk.account.user, true)));
}

#[tokio::test]
async fn a_call_is_not_made_while_the_vault_is_closed() {
    let (desk, _) = signed_in().await;
    let fault = Fault::TimeoutBeforeCommit { call: Call::RenewToken };
    desk.inject(fault.clone());
    let platform = desk.simulator.platform().with_vault(Arc::new(ClosedVault));
    let retry_after = std::time::Duration::from_secs(5);
    assert_eq!(
        platform.renew_trade_token(desk.account.user).await,
        Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing })
    );
    let social = desk.simulator.social().with_vault(Arc::new(ClosedVault));
    let read = social.friends(desk.account.user).await;
    assert_eq!(read, Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }));
    assert_eq!(desk.simulator.world(|world| world.armed().to_vec()), [fault]);
}

#[tokio::test]
async fn a_signed_in_account_receives_what_it_buys_and_nothing_is_lost() {
    let (desk, tokens) = signed_in().await;
    let desk = Desk { platform: with_token(&desk.simulator, &tokens), ..desk };
    desk.receive().await;
    desk.check_books();
    desk.pass(Duration::days(8));
    desk.simulator.sessions().revoke(&tokens).await.unwrap();
    desk.check_books();
}

#[tokio::test]
async fn sign_ins_leave_the_market_as_it_is() {
    let listings = async |signs_in: bool| {
        let desk = Desk::lively(11);
        if signs_in {
            let by = by(LOGIN_NAME, SimulatedGuard::None);
            desk.simulator.world(|world| world.require_sign_in(desk.account.user, by)).unwrap();
            sign_in(&desk.simulator.sessions()).await;
        }
        desk.pass(Duration::hours(6));
        let mut prices: Vec<i64> = desk.listings().await.iter().map(|listing| listing.offered.price.get()).collect();
        prices.sort_unstable();
        prices
    };
    assert_eq!(listings(false).await, listings(true).await);
}

async fn perform(world: &PersistentSimulator, deed: WorldCommand) -> Answer {
    world.ask(Request::World(deed)).await.unwrap()
}

#[tokio::test]
async fn a_world_in_a_folder_keeps_its_sessions_across_a_restart() {
    let place = tempfile::tempdir().unwrap();
    let open = || PersistentSimulator::new(WorldFolder::open(place.path(), &beginning(7)).unwrap());
    let world = open();
    let accounts = perform(&world, WorldCommand::Accounts { customer: CUSTOMER.to_owned() }).await;
    let account = Vec::<TradeAddress>::try_from(accounts).unwrap()[0].user;
    let require = WorldCommand::RequireSignIn { account, sign_in: by(LOGIN_NAME, SimulatedGuard::None) };
    assert_eq!(perform(&world, require).await, Answer::Done);
    let tokens = sign_in(&SimulatedSessions::new(world.clone())).await;
    drop(world);

    let world = open();
    assert_eq!(SimulatedPlatform::new(world.clone()).account(account).await, signed_out());
    assert!(with_token(&world, &tokens).account(account).await.is_ok(), "by the journal");
    let renewed = SimulatedSessions::new(world.clone()).renew(&tokens, true).await.unwrap();
    world.take_snapshot().unwrap();
    drop(world);

    let world = open();
    assert!(with_token(&world, &renewed).account(account).await.is_ok(), "by the snapshot");
    assert_eq!(SimulatedSessions::new(world).renew(&tokens, true).await, signed_out());
}

#[test]
fn a_world_from_before_accounts_were_signed_in_is_opened() {
    let mut plain = serde_json::to_value(World::new(7, Settings::default())).unwrap();
    plain.as_object_mut().unwrap().remove("sessions");
    assert!(serde_json::from_value::<World>(plain).is_ok());
}

#[test]
fn a_call_without_a_token_is_written_as_it_was_before_there_were_tokens() {
    let line = r#"{"to":"platform","account":"76561197960265729","call":"account"}"#;
    let call: Request = serde_json::from_str(line).unwrap();
    assert!(matches!(call, Request::Platform { token: None, call: PlatformCall::Account, .. }), "{call:?}");
    assert_eq!(serde_json::to_string(&call).unwrap(), line);
}

#[tokio::test]
async fn requests_and_answers_of_sessions_are_read_as_they_were_written() {
    let desk = desk(SimulatedGuard::EmailCode);
    let text = str::to_owned;
    let [wrong, right] = ["wrong", crate::signing::PASSWORD].map(text);
    let login_name = || text(LOGIN_NAME);
    let calls = [
        SessionCall::Begin { login_name: login_name(), password: wrong },
        SessionCall::Begin { login_name: login_name(), password: right },
        SessionCall::GiveCode { attempt: text("none"), guard: Guard::EmailCode, code: text("2F9J5") },
        SessionCall::Poll { attempt: text("none") },
        SessionCall::Renew { refresh: text("none"), also_refresh: true },
        SessionCall::Revoke { refresh: text("none") },
    ];
    let of_sessions = calls.map(|call| Request::Sessions { call });
    let account = desk.account.user;
    let device = SimulatedGuard::DeviceCode { shared_secret: text(SHARED_SECRET) };
    let of_world = [
        WorldCommand::RequireSignIn { account, sign_in: by("bob", device) },
        WorldCommand::SentCode { account },
        WorldCommand::DeviceCode { account },
        WorldCommand::ApproveSignIn { account, approve: false },
    ];
    for request in of_sessions.into_iter().chain(of_world.map(Request::World)) {
        let again: Request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(again, request);
        let answer = desk.simulator.ask(request).await.unwrap();
        let again: Answer = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
        assert_eq!(again, answer);
    }
}

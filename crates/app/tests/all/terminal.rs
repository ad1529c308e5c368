//! The program as a person has it: on a terminal, with questions that keys answer.

mod script;

use secrecy::ExposeSecret as _;
use serde_json::json;
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::client::Demo;
use crate::command::Place;
use script::{CTRL_C, ENTER, ROWS, Terminal, plain, rows};

/// The last line of the first screen.
const END_OF_SCREEN: &str = "Stop: Ctrl-C";
/// Words of statements, and of the library that logs them.
const STATEMENTS: [&str; 6] = ["SELECT", "INSERT", "UPDATE ", "CREATE ", "PRAGMA", "sqlx"];
/// The name of the contract that is made by questions.
const NAME: &str = "Cases at night";
/// The questions for a contract that buys, each with its answer; an empty answer is the default.
const ANSWERS: [(&str, &str); 15] = [
    ("type:", ""),
    ("name:", NAME),
    ("buying.target_quantity:", "3"),
    ("buying.max_buy_price:", "15"),
    ("buying.budget:", "45"),
    ("buying.daily_budget:", ""),
    ("buying.min_discount_bps:", ""),
    ("buying.max_open_purchases:", ""),
    ("limits:", ""),
    ("filter_set:", ""),
    ("pool:", ""),
    ("approval:", ""),
    ("restricted:", ""),
    ("state:", ""),
    ("create:", ""),
];

/// The same for a pool.
const POOL_ANSWERS: [(&str, &str); 6] = [
    ("name:", "Night"),
    ("limits.budget:", "1000"),
    ("limits.max_per_purchase:", ""),
    ("limits.max_exposure_per_item:", ""),
    ("limits.daily_limit:", "50"),
    ("create:", ""),
];
/// The same for an account whose giving is limited within an hour alone; `j` is the key of the next choice.
const ACCOUNT_ANSWERS: [(&str, &str); 10] = [
    ("name:", "night-1"),
    ("platform:", "steam"),
    ("platform_user_id:", "76561198000009999"),
    ("trade_token:", ""),
    ("capabilities [buy, sell, store]:", ""),
    ("limits:", ""),
    ("giving_limits:", "j"),
    ("giving_limits.max_give_per_hour:", "50"),
    ("giving_limits.max_give_per_day:", ""),
    ("create:", ""),
];
/// The questions for the changes of an active contract, whose present values are the defaults.
const CHANGES: [(&str, &str); 14] = [
    ("buying.target_quantity [3]", ""),
    ("buying.max_buy_price [900.00]", ""),
    ("buying.budget [2700.00]", "3000"),
    ("buying.daily_budget:", ""),
    ("buying.min_discount_bps:", ""),
    ("buying.max_open_purchases:", ""),
    ("limits:", ""),
    ("filter_set:", ""),
    ("approval:", ""),
    ("restricted:", ""),
    ("marketplaces [simulator]", ""),
    ("ends_at:", ""),
    ("price_reference:", ""),
    ("change:", ""),
];

/// Answers questions in their order.
fn answer(terminal: &mut Terminal, answers: &[(&str, &str)]) {
    for (question, answer) in answers {
        terminal.until(question);
        terminal.press(&format!("{answer}{ENTER}"));
    }
}

/// Answers the question for a second factor.
fn give_code(terminal: &mut Terminal, demo: &Demo) {
    terminal.until("Code of the authenticator app, or a recovery code: ");
    let code = Rfc6238::code(demo.server.printed("totpSecret"), SystemClock.now()).unwrap();
    terminal.press(&format!("{}{ENTER}", code.expose_secret()));
}

/// What a server shows that starts for the first time, until Ctrl-C ends it.
fn first_screen() -> String {
    let place = Place::new();
    let mut terminal = Terminal::run(&place.command(&["serve", "--listen", "127.0.0.1:0"]));
    let screen = plain(&terminal.until(END_OF_SCREEN));
    terminal.press(CTRL_C);
    terminal.until_success();
    screen
}

/// A command of the demo's first user.
fn run(demo: &Demo, arguments: &[&str]) -> Terminal {
    let mut command = demo.place.command(arguments);
    command.env("TRADEPOST_URL", demo.server.url()).env("TRADEPOST_API_KEY", demo.server.printed("apiKey"));
    Terminal::run(&command)
}

#[test]
fn a_first_start_shows_one_screen_with_the_next_step() {
    let screen = first_screen();
    assert!(rows(&screen) <= ROWS, "{} rows:\n{screen}", rows(&screen));
    for part in ["export TRADEPOST_API_KEY=tpk_", "nothing trades yet: connect a marketplace"] {
        assert!(screen.contains(part), "no {part:?}:\n{screen}");
    }
}

#[test]
fn a_first_start_shows_no_statement_of_the_database() {
    let screen = first_screen();
    for word in STATEMENTS {
        assert!(!screen.contains(word), "{word}:\n{screen}");
    }
}

#[tokio::test]
async fn one_key_approves_one_intent() {
    let demo = Demo::start();
    let [first, second] = demo.proposals().await;
    let mut terminal = run(&demo, &["intents", "approve"]);
    terminal.until("1 of 2: buy");
    terminal.until("q quit: ");
    terminal.press("a");
    terminal.until("approved");
    terminal.until("2 of 2: buy");
    terminal.until("q quit: ");
    terminal.press("q");
    let rest = terminal.until_success();
    assert!(rest.contains("1 approved, 0 rejected, 1 still waiting"), "{rest}");
    for (id, status) in [(first, "INTENT_STATUS_APPROVED"), (second, "INTENT_STATUS_PROPOSED")] {
        let intent = demo.ask("contracts.v1.Contracts/GetIntent", json!({ "intentId": id })).await["intent"].clone();
        assert_eq!(intent["status"], status, "{intent}");
    }
}

#[test]
fn the_answers_to_questions_make_a_contract() {
    let demo = Demo::start();
    let mut terminal = run(&demo, &["contracts", "new"]);
    answer(&mut terminal, &ANSWERS);
    let rest = terminal.until_success();
    assert!(rest.contains("created"), "{rest}");
    let contract = demo.json(&["contracts", "show", NAME])["contract"].clone();
    assert_eq!((&contract["name"], &contract["status"]), (&json!(NAME), &json!("CONTRACT_STATUS_DRAFT")));
    assert_eq!(contract["buying"]["budgetCents"], "4500", "{contract}");
}

#[test]
fn the_answers_to_questions_make_a_pool() {
    let demo = Demo::start();
    let mut terminal = run(&demo, &["pools", "new"]);
    answer(&mut terminal, &POOL_ANSWERS);
    let rest = terminal.until_success();
    assert!(rest.contains("created"), "{rest}");
    let limits = demo.json(&["pools", "show", "Night"])["pool"]["limits"].clone();
    assert_eq!((&limits["budgetCents"], &limits["dailyLimitCents"]), (&json!("100000"), &json!("5000")));
}

#[test]
fn the_answers_to_questions_make_an_account_that_gives_a_limited_value() {
    let demo = Demo::start();
    let mut terminal = run(&demo, &["accounts", "new"]);
    answer(&mut terminal, &ACCOUNT_ANSWERS);
    give_code(&mut terminal, &demo);
    let rest = terminal.until_success();
    assert!(rest.contains("created"), "{rest}");
    let limits = demo.json(&["accounts", "show", "night-1"])["account"]["givingLimits"].clone();
    assert_eq!((&limits["maxGiveCentsPerHour"], &limits["maxGiveCentsPerDay"]), (&json!("5000"), &json!(null)));
}

#[tokio::test]
async fn a_contract_is_changed_by_answers_to_questions_with_its_terms_as_defaults() {
    let demo = Demo::start();
    demo.proposals().await;
    let mut terminal = run(&demo, &["contracts", "edit", "By hand"]);
    answer(&mut terminal, &CHANGES);
    let rest = terminal.until_success();
    assert!(rest.contains("changed"), "{rest}");
    let contract = demo.json(&["contracts", "show", "By hand"])["contract"].clone();
    let buying = ["budgetCents", "maxBuyPriceCents"].map(|field| contract["buying"][field].clone());
    assert_eq!(buying, [json!("300000"), json!("90000")], "{contract}");
    assert_eq!(contract["status"], "CONTRACT_STATUS_ACTIVE", "{contract}");
}

#[test]
fn a_command_that_needs_a_second_factor_asks_for_the_code_and_goes_on() {
    let demo = Demo::start();
    demo.run(&["pools", "create", "--name", "Evening", "--budget", "1000"]).expect_success();
    let mut terminal = run(&demo, &["pools", "fund", "Evening", "500", "--reason", "first deposit"]);
    give_code(&mut terminal, &demo);
    terminal.until_success();
    let balance = demo.json(&["pools", "balance", "Evening"]);
    assert_eq!(balance["balance"]["capitalCents"], "50000", "{balance}");
}

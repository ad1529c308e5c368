//! Records that commands take by what people call them: channels of alerts, members and invitations, accounts, the workspace.

use secrecy::ExposeSecret as _;
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::client::{Demo, uuid};

#[test]
fn an_alert_channel_is_given_by_its_name_also_an_own_one() {
    let demo = Demo::start();
    std::fs::write(demo.place.path("token"), "123456789:AAabcdefghijklmnopqrstuvwxyz_-01234\n").unwrap();
    let code = Rfc6238::code(demo.server.printed("totpSecret"), SystemClock.now()).unwrap();
    let create = |arguments: &[&str]| {
        let all = [&["alerts", "create", "--totp-code", code.expose_secret()], arguments].concat();
        demo.run(&all).expect_success();
    };
    create(&["--kind", "telegram", "--name", "desk", "--target", "-1001234567", "--secret-file", "token"]);
    create(&["--kind", "mail", "--own", "--name", "me"]);
    for name in ["desk", "me"] {
        let table = demo.table(&["alerts", "disable", name]);
        assert!(table.contains(&format!("\n{name} ")) && table.contains(" disabled"), "{table}");
    }
    let unknown = demo.run(&["alerts", "test", "dsk"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    let error =
        "error: there is no alert channel \"dsk\"\n  try: did you mean \"desk\"?\n  try: tradepost alerts channels\n";
    assert_eq!(unknown.stderr, error);
}

#[test]
fn a_trading_account_is_given_by_its_name_or_its_id() {
    let demo = Demo::start();
    let accounts = demo.json(&["accounts", "list"])["accounts"].clone();
    let one = accounts.as_array().unwrap().iter().find(|account| account["name"] == "trader-1").unwrap();
    let (name, id) = ("trader-1", uuid(one["id"].as_str().unwrap()));
    for (command, found) in [
        (&["purchases", "list", "--limit", "5"][..], "purchases"),
        (&["inventory", "list", "--limit", "5"], "inventoryItems"),
        (&["pnl"], "rows"),
    ] {
        let of = |account: &str| demo.json(&[command, &["--account", account]].concat())[found].clone();
        assert!(of(name).as_array().is_some_and(|records| !records.is_empty()), "{found}");
        assert_eq!(of(&id), of(name), "{found}");
    }
}

#[test]
fn the_workspace_is_given_by_the_name_of_that_of_the_key() {
    let demo = Demo::start();
    demo.run(&["contracts", "list", "--workspace", "demo trading"]).expect_success();
    let unknown = demo.run(&["contracts", "list", "--workspace", "Elsewhere"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    let error =
        "error: --workspace: the key works in no workspace \"Elsewhere\"\n  why: its workspace is \"Demo trading\"\n";
    assert!(unknown.stderr.starts_with(error), "{}", unknown.stderr);
}

#[test]
fn a_suspended_member_is_reinstated_by_name() {
    let demo = Demo::start();
    let suspended = demo.json(&["members", "suspend", "Trader"]);
    assert_eq!(suspended["membership"]["status"], "MEMBERSHIP_STATUS_SUSPENDED", "{suspended}");
    let code = Rfc6238::code(demo.server.printed("totpSecret"), SystemClock.now()).unwrap();
    let reinstated = demo.json(&["members", "reinstate", "Trader", "--totp-code", code.expose_secret()]);
    assert_eq!(reinstated["membership"]["status"], "MEMBERSHIP_STATUS_ACCEPTED", "{reinstated}");
}

#[test]
fn a_member_is_given_by_name_and_an_invitation_by_its_address() {
    let demo = Demo::start();
    let member = demo.table(&["members", "show", "trader"]);
    assert!(member.contains(" Trader (") && member.contains(" accepted"), "{member}");
    let invitation = demo.table(&["members", "show", "guest-1@example.com"]);
    assert!(invitation.contains(" invited"), "{invitation}");
    let unknown = demo.run(&["members", "show", "Treder"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    let error =
        "error: there is no member \"Treder\"\n  try: did you mean \"Trader\"?\n  try: tradepost members list\n";
    assert_eq!(unknown.stderr, error);
}

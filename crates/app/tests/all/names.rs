//! Records that commands take by what people call them: channels of alerts, members and invitations.

use secrecy::ExposeSecret as _;
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::client::Demo;

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

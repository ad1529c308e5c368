//! The command line as it reads: the help of every command, and a session of fifty commands, each in one file to review.
//! `INSTA_UPDATE=always` writes them.

use std::collections::HashMap;
use std::fmt::Write as _;

use insta::{Settings, assert_snapshot};
use regex::{Captures, Regex};
use secrecy::ExposeSecret as _;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::client::{Demo, uuid};
use crate::command::Place;
use crate::shell_words::words;

/// Compares a text with a file of the folder `golden`.
fn assert_golden(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}

#[test]
fn the_help_of_every_command_reads_as_written_down() {
    let place = Place::new();
    let mut helps = String::new();
    add_help(&place, &[], &mut helps);
    assert_golden("help", &helps);
}

/// Adds the help of a command and of the commands below it.
fn add_help(place: &Place, path: &[&str], helps: &mut String) {
    let help = place.run(&[path, &["--help"]].concat()).expect_success().stdout;
    let command = [&["tradepost"], path].concat().join(" ");
    writeln!(helps, "$ {command} --help\n{help}").unwrap();
    assert!(path.is_empty() || has_own_commands(&help) || help.contains("Example"), "{command} has no example");
    let mut is_list = false;
    let below = help.lines().filter(|line| {
        is_list = (is_list && !line.is_empty()) || is_heading(line);
        is_list && !is_heading(line)
    });
    // A name is indented by two spaces, and the second line of a description by more.
    let names = below.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    for name in names.filter_map(|rest| rest.split_whitespace().next()).filter(|name| *name != "help") {
        add_help(place, &[path, &[name]].concat(), helps);
    }
}

fn has_own_commands(help: &str) -> bool {
    help.lines().any(is_heading)
}

/// Whether commands follow: the first page of the help has several headings, such as `Money commands:`.
fn is_heading(line: &str) -> bool {
    line == "Commands:" || line.ends_with(" commands:")
}

/// The commands of the session; a name in braces is an id that the demo has.
const SESSION: [&str; 50] = [
    "workspace show",
    "contracts list",
    "contracts list --status active --type buying -o csv --limit 2",
    "filter-sets create --name Redlines --weapon AK-47 --name-contains Redline --exterior field_tested --float-max 0.25",
    "filter-sets edit Redlines --exterior none --price-max 30",
    "filter-sets show redlines",
    "pools create --name Evening --budget 1000 --max-per-purchase 50",
    "pools fund Evening 500 --reason 'first deposit'",
    "pools fund Evening 500 --reason 'first deposit' --totp-code {code}",
    "pools withdraw Evening 120.50 --reason 'half of it back'",
    "pools list",
    "pools balance Evening",
    "contracts create --name 'Redline below value' --filter-set Redlines --pool Evening --quantity 10 --max-price 25 --budget 200 --min-discount 8 --approval manual",
    "contracts edit 'redline below value' --budget 300 --cooldown 30m",
    "contracts edit 'Redline below value' --cooldown none --max-open 2",
    "contracts edit 'Redline below value'",
    "contracts show 'Redline below value'",
    "contracts activate 'Redline below valu'",
    "contracts activate 'Redline below value'",
    "contracts edit 'Redline below value' --max-price 0",
    "contracts pause 'Redline below value' --reason 'too expensive'",
    "contracts clone 'Redline below value' --name 'Second half'",
    "contracts delete 'Second half'",
    "contracts cancel 'Redline below value'",
    "pools archive Evening",
    "intents list --status proposed",
    "intents approve",
    "intents approve {intent}",
    "intents reject {other} --reason 'too expensive'",
    "purchases list --limit 3",
    "purchases show {purchase}",
    "purchases count",
    "inventory list --status in_inventory --limit 3",
    "inventory show {item}",
    "inventory chain {item}",
    "remediations list --limit 3",
    "remediations show {remediation}",
    "remediations assign {remediation} Trader",
    "remediations run {remediation} append_link --evidence snapshot-1",
    "remediations dismiss {remediation} --reason 'known, refunded by hand'",
    "price-overrides set 'AK-47 | Redline (Field-Tested)' 12.50 --until 2030-01-01 --reason 'the sources are wrong'",
    "prices show 'AK-47 | Redline (Field-Tested)'",
    "order-book 'AK-47 | Redline (Field-Tested)'",
    "ledger --limit 2",
    "pnl --by contract --from 2020-01-01",
    "members list",
    "keys list",
    "audit list --type price_override.set",
    "audit verify",
    "halt --reason 'prices look wrong'",
];

#[tokio::test]
async fn a_session_of_fifty_commands_reads_as_written_down() {
    let demo = Demo::start();
    let ids = ids_of(&demo).await;
    let mut session = String::new();
    for step in SESSION {
        let command = ids.iter().fold(step.to_owned(), |step, (name, id)| step.replace(&format!("{{{name}}}"), id));
        let arguments = words(&command);
        let ended = demo.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        writeln!(session, "$ tradepost {command}\n{}{}", ended.stdout, ended.stderr).unwrap();
        if ended.code != Some(0) {
            writeln!(session, "(exit code {})\n", ended.code.unwrap()).unwrap();
        }
        let is_for_people = !command.contains("-o csv");
        for line in ended.stdout.lines().filter(|_| is_for_people) {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
    assert_golden("session", &without_what_varies(&session, ids.get("code").unwrap(), demo.server.url()));
}

/// The ids that the session names.
async fn ids_of(demo: &Demo) -> HashMap<&'static str, String> {
    let [intent, other] = demo.proposals().await;
    let problems = demo.json(&["remediations", "list", "--status", "open", "--kind", "missing_item", "--limit", "1"]);
    let now = tradepost::SystemClock.now();
    HashMap::from([
        ("intent", uuid(&intent)),
        ("other", uuid(&other)),
        ("purchase", uuid(demo.server.printed("purchaseId"))),
        ("item", uuid(demo.server.printed("inventoryItemId"))),
        ("remediation", uuid(problems["remediations"][0]["id"].as_str().unwrap())),
        ("code", Rfc6238::code(demo.server.printed("totpSecret"), now).unwrap().expose_secret().to_owned()),
    ])
}

/// The session with ids, times and secrets of the same length that are the same in every run.
fn without_what_varies(session: &str, code: &str, url: &str) -> String {
    let session = session.replace(code, "123456").replace(url, "http://127.0.0.1:8080");
    let mut known: Vec<String> = Vec::new();
    let id = Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap();
    let session = id.replace_all(&session, |found: &Captures| {
        let found = found[0].to_owned();
        let at = known.iter().position(|id| *id == found).unwrap_or_else(|| {
            known.push(found);
            known.len() - 1
        });
        format!("00000000-0000-0000-0000-{:012}", at + 1)
    });
    let replaced = [
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "2026-01-01T00:00:00Z"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-01-01 00:00"),
        ("A[0-9A-Za-z+/]{21}==", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("tpk_[0-9A-Za-z]{8}", "tpk_00000000"),
        // The newest events may still wait for the chain, which is extended once a second.
        (r"intact: \d+ events", "intact: 86 events"),
    ];
    replaced.iter().fold(session.into_owned(), |session, (pattern, by)| {
        Regex::new(pattern).unwrap().replace_all(&session, *by).into_owned()
    })
}

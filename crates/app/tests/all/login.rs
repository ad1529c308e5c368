//! The key of a command: stored by a login, in a file, on standard input, or in a variable; and its workspace, which is looked up once.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::client::Demo;
use crate::command::Ended;

/// The outcome of a command with a text on standard input.
fn with_input(command: &mut Command, input: &str) -> Ended {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

/// How often a method is in the log of the server.
fn calls_of(demo: &Demo, method: &str) -> usize {
    demo.server.log().matches(&format!("\"method\":\"{method}\"")).count()
}

#[test]
fn a_login_stores_the_key_of_standard_input_until_the_logout() {
    let demo = Demo::start();
    let (url, key) = (demo.server.url(), demo.server.printed("apiKey"));
    let login = with_input(&mut demo.place.command(&["login", "--url", url]), &format!("{key}\n")).expect_success();
    assert!(login.stdout.starts_with(&format!("Logged in to \"Demo trading\" at {url}; ")), "{}", login.stdout);
    assert!(!login.stdout.contains(key) && !login.stderr.contains(key), "{}{}", login.stdout, login.stderr);
    let listed = demo.place.run(&["contracts", "list", "--limit", "1", "-o", "json"]).expect_success().json();
    assert_eq!(listed["contracts"].as_array().unwrap().len(), 1);
    let logout = demo.place.run(&["logout"]).expect_success();
    assert_eq!(logout.stdout, format!("Removed the key of {url}\n"));
    let without = demo.place.run(&["contracts", "list", "--url", url]);
    assert_eq!(without.code, Some(77), "{}", without.stderr);
    assert!(without.stderr.starts_with("error: no API key was given\n"), "{}", without.stderr);
}

#[test]
fn a_login_stores_no_key_that_is_missing_or_rejected() {
    let demo = Demo::start();
    let url = demo.server.url();
    let login = || demo.place.command(&["login", "--url", url]);
    let missing = with_input(&mut login(), "\n");
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.starts_with("error: there is no key in standard input\n"), "{}", missing.stderr);
    let rejected = with_input(&mut login(), "tpk_0000000000000000000000000000000000000000000\n");
    assert_eq!(rejected.code, Some(77), "{}", rejected.stderr);
    assert_eq!(demo.place.run(&["logout", "--url", url]).stdout, format!("There is no stored key of {url}\n"));
}

#[test]
fn a_key_is_read_from_a_file_or_from_standard_input_before_the_variable() {
    let demo = Demo::start();
    let key = demo.server.printed("apiKey");
    std::fs::write(demo.place.path("bot.key"), format!("{key}\nnot the key\n")).unwrap();
    let list = |file: &str| {
        let mut command = demo.place.command(&["contracts", "list", "--limit", "1", "--key-file", file]);
        command.env("TRADEPOST_URL", demo.server.url()).env("TRADEPOST_API_KEY", "not a key");
        command
    };
    Ended::from(list("bot.key").output().unwrap()).expect_success();
    with_input(&mut list("-"), key).expect_success();
    let missing = Ended::from(list("other.key").output().unwrap());
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.starts_with("error: cannot read other.key\n"), "{}", missing.stderr);
}

#[test]
fn the_workspace_of_a_key_is_looked_up_once() {
    let demo = Demo::start();
    for group in ["contracts", "pools"] {
        demo.run(&[group, "list"]).expect_success();
    }
    demo.server.until_logged("\"method\":\"ListPools\"");
    assert_eq!(calls_of(&demo, "ListAPIKeys"), 1);
}

//! What the binary says: help, mistakes on the command line, wrong settings, completions.

use crate::command::Place;

#[test]
fn help_and_refusals_read_as_written_down() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

#[test]
fn a_wrong_setting_ends_with_78_and_names_key_origin_and_remedy() {
    let place = Place::new();
    std::fs::write(place.path("tradepost.toml"), "[server]\nlisen = \"127.0.0.1:1\"\n").unwrap();
    let ended = place.run(&["serve"]);
    assert_eq!(ended.code, Some(78));
    assert_eq!(
        ended.stderr,
        "error: there is no setting server.lisen\n  why: it comes from the file tradepost.toml\n  \
         try: did you mean server.listen?\n"
    );
}

#[test]
fn a_wrong_variable_is_named() {
    let place = Place::new();
    let ended = place.command(&["serve"]).env("TRADEPOST_LIMITS__READ__BURST", "0").output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(78));
    assert!(stderr.contains("error: setting limits.read must have a burst of at least 1"), "{stderr}");
}

#[test]
fn a_database_of_no_known_kind_is_a_wrong_setting() {
    let ended = Place::new().run(&["migrate", "--database", "mysql://localhost/x"]);
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("its value comes from the flag --database"), "{}", ended.stderr);
}

#[test]
fn completions_are_made_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = Place::new().run(&["completions", shell]).expect_success();
        assert!(ended.stdout.contains("completions"), "{shell}");
    }
}

#[test]
fn a_server_that_is_not_there_ends_a_call_with_69() {
    let ended = Place::new().run(&["call", "--url", "http://127.0.0.1:9", "CountAPIKeys"]);
    assert_eq!(ended.code, Some(69));
    assert!(ended.stderr.starts_with("error: cannot reach http://127.0.0.1:9\n"), "{}", ended.stderr);
}

//! What the binary says: help, mistakes on the command line, wrong settings, completions.

use crate::command::{Ended, Place};

#[test]
fn refusals_read_as_written_down() {
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

/// What `tradepost` says to a variable that it cannot serve with.
fn refused(variables: &[(&str, &str)]) -> String {
    let ended = Ended::from(Place::new().command(&[]).envs(variables.iter().copied()).output().unwrap());
    assert_eq!(ended.code, Some(78), "{}", ended.stderr);
    ended.stderr
}

#[test]
fn a_setting_that_cannot_be_used_is_blamed_itself_with_the_variable_that_set_it() {
    for (variable, value, blamed) in [
        ("TRADEPOST_LIMITS__READ__BURST", "0", "limits.read must have a burst of at least 1"),
        ("TRADEPOST_SERVER__PUBLIC_URL", "trade.example.com", "server.public_url is not an address"),
        ("TRADEPOST_SERVER__PUBLIC_URL", "ftp://example.com", "server.public_url must begin with http:// or https://"),
        ("TRADEPOST_WEBAUTHN__ORIGINS", "[https://example.com]", "webauthn.origins cannot be used"),
        ("TRADEPOST_WEBAUTHN__RP_ID", "example.com", "webauthn.rp_id cannot be used"),
        ("TRADEPOST_DATABASE__MAX_CONNECTIONS", "0", "database.max_connections must be at least 1"),
        (
            "TRADEPOST_DATABASE__SESSION_URL",
            "sqlite://tp.db",
            "database.session_url is not the address of a PostgreSQL server",
        ),
        (
            "TRADEPOST_DATABASE__READ_URL",
            "sqlite://tp.db",
            "database.read_url is not the address of a PostgreSQL server",
        ),
        (
            "TRADEPOST_DATABASE__READ_URL",
            "postgres://app@localhost/tp",
            "database.read_url needs a PostgreSQL server in database.url",
        ),
        ("TRADEPOST_SECRET__ROOT", "short", "secret.root must be 64 hexadecimal digits"),
        ("TRADEPOST_SECRET__FORMER_ROOT", "short", "secret.former_root must be 64 hexadecimal digits"),
        ("TRADEPOST_TRADING__SIMULATOR", "ftp://127.0.0.1:1", "trading.simulator must begin with http://"),
        ("TRADEPOST_BOOTSTRAP__EMAIL", "owner", "bootstrap.email must have the form name@example.com"),
    ] {
        let stderr = refused(&[(variable, value)]);
        assert!(stderr.contains(&format!("error: setting {blamed}")), "{stderr}");
        assert!(stderr.contains(&format!("its value comes from the environment variable {variable}\n")), "{stderr}");
    }
}

#[test]
fn a_limit_of_the_database_is_refused_outside_of_its_range() {
    for (variable, value, blamed) in [
        ("ACQUIRE_TIMEOUT_SECONDS", "0", "acquire_timeout_seconds must be from 1 to 60"),
        ("STATEMENT_TIMEOUT_SECONDS", "301", "statement_timeout_seconds must be from 1 to 300"),
        ("LOCK_TIMEOUT_SECONDS", "61", "lock_timeout_seconds must be from 1 to 60"),
        ("READ_LAG_SECONDS", "0", "read_lag_seconds must be from 1 to 300"),
        ("STATEMENT_CACHE", "4097", "statement_cache must be from 0 to 4096"),
    ] {
        let variable = format!("TRADEPOST_DATABASE__{variable}");
        let stderr = refused(&[("DATABASE_URL", "postgres://app@localhost/tp"), (&variable, value)]);
        assert!(stderr.contains(&format!("error: setting database.{blamed}")), "{stderr}");
    }
}

#[test]
fn no_part_of_an_address_with_several_servers_is_shown_when_it_cannot_be_used() {
    for address in [
        "postgres://app:Tr0ub4dor@db1:5432,db2:port/tp",
        "postgres://app:Tr0ub4dor@db1:5432,,db2/tp",
        "postgres://app:Tr0ub4dor@db1,db2,/tp",
        "postgres://app:Tr0ub4dor,db2:5432/tp",
        "postgres://app:Tr0ub4dor/1@db1,db2/tp",
        "postgres://app:1#Tr0ub4dor@db1,db2/tp",
        "postgres://app:Tr0ub4dor@db1,db2/tp?port=1,2,3",
        "postgres://app@db1,db2/tp?target_session_attrs=Tr0ub4dor",
        "postgres:///tp?host=db1,&password=Tr0ub4dor",
        "postgres://app:Tr0ub4dor@127.0.0.1:9,127.0.0.1:9/tp",
    ] {
        let ended = Ended::from(
            Place::new().command(&["--listen", "127.0.0.1:0"]).env("DATABASE_URL", address).output().unwrap(),
        );
        assert_ne!(ended.code, Some(0), "{address}");
        assert!(!ended.stderr.contains("Tr0ub4dor") && !ended.stdout.contains("Tr0ub4dor"), "{}", ended.stderr);
        assert!(ended.stderr.contains("PostgreSQL server") || ended.stderr.contains("server 2"), "{}", ended.stderr);
    }
}

#[test]
fn a_missing_setting_names_the_one_that_needs_it() {
    for (variable, value, missing, needed_by) in [
        ("TRADEPOST_MAIL__TRANSPORT", "smtp", "mail.smtp.host", "mail.transport"),
        ("TRADEPOST_BOT_CHECK__PROVIDER", "turnstile", "bot_check.secret", "bot_check.provider"),
    ] {
        assert_eq!(
            refused(&[(variable, value)]),
            format!(
                "error: setting {missing} is missing\n  why: {needed_by} needs it; the value of that comes from the \
                 environment variable {variable}\n  try: set {missing}, or change {needed_by}\n"
            )
        );
    }
}

#[test]
fn what_the_first_start_refuses_is_said_once() {
    let listen = ("TRADEPOST_SERVER__LISTEN", "127.0.0.1:0");
    let password = refused(&[listen, ("TRADEPOST_BOOTSTRAP__PASSWORD", "short")]);
    assert!(password.contains("error: setting bootstrap.password must have at least 15 characters\n"), "{password}");
    let key = refused(&[listen, ("TRADEPOST_BOOTSTRAP__KEY", "short")]);
    assert!(key.contains("error: setting bootstrap.key is not an API key\n"), "{key}");
    assert_eq!(key.matches("tradepost key generate").count(), 1, "{key}");
}

#[test]
fn the_version_is_that_of_the_package_with_its_commit() {
    let said = Place::new().run(&["--version"]).expect_success().stdout;
    assert_eq!(said, format!("tradepost {}\n", env!("TRADEPOST_VERSION")));
    assert!(said.starts_with(concat!("tradepost ", env!("CARGO_PKG_VERSION"))), "{said}");
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

//! `serve`: the first start, the ports, the lock, and the end.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use reqwest::redirect::Policy;
use serde_json::json;

use crate::command::{Place, Server, credential};

const COUNT: &str = "accounts.v1.Accounts/CountAPIKeys";

fn first_key(place: &Place) -> String {
    credential(&place.path("data/initial-credentials"), "apiKey")
}

/// Waits until no process accepts connections.
fn until_closed(server: &Server) {
    let began = Instant::now();
    while TcpStream::connect(server.address()).is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20), "the port is still open: {}", server.log());
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn the_first_start_makes_a_key_for_everything() {
    let place = Place::new();
    let server = place.serve(&[]);
    let request = json!({ "workspaceId": server.printed("workspaceId") });
    let (status, answer) =
        server.call(&first_key(&place), "accounts.v1.Accounts/GetEffectivePermissions", request).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["policies"], json!(["analytics", "trading", "accounts", "markets", "workspace", "identity"]));
}

#[test]
fn first_credentials_are_for_their_owner_alone_and_on_no_output() {
    let place = Place::new();
    let server = place.serve(&[]);
    let key = first_key(&place);
    for file in ["data/initial-credentials", "data/root-secret"] {
        let mode = std::fs::metadata(place.path(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let mails = std::fs::metadata(place.path("data/mail")).unwrap().permissions().mode();
    assert_eq!(mails & 0o777, 0o700);
    assert!(!server.log().contains(&key) && !server.line.to_string().contains(&key));
}

#[test]
fn a_crash_leaves_no_copy_of_the_memory() {
    let place = Place::new();
    let server = place.serve(&[]);
    let limits = server.shown_by_the_system("limits");
    let of_core_files = limits.lines().find_map(|line| line.strip_prefix("Max core file size")).unwrap();
    assert_eq!(of_core_files.split_whitespace().collect::<Vec<_>>(), ["0", "0", "bytes"]);
    assert_eq!(server.shown_by_the_system("coredump_filter"), "00000000\n", "no mapping is in a dump");
}

#[tokio::test]
async fn the_link_of_the_first_start_sets_the_owners_password_and_is_on_no_output() {
    let place = Place::new();
    let server = place.serve(&[]);
    let credentials = place.path("data/initial-credentials");
    let (url, email) = (credential(&credentials, "setupUrl"), credential(&credentials, "email"));
    let (page, token) = url.split_once('#').unwrap();
    assert!(page.starts_with("http://localhost:") && page.ends_with("/setup"), "{page}");
    assert!(!server.log().contains(token) && !server.line.to_string().contains(token));
    let chosen = "nine quiet herons cross the marsh";
    let reset = json!({ "token": token, "newPassword": chosen });
    assert_eq!(server.call("", "accounts.v1.Accounts/ResetPassword", reset).await, (200, json!({})));
    let sign_in = json!({ "email": email, "password": chosen });
    assert_eq!(server.call("", "accounts.v1.Accounts/SignIn", sign_in).await.0, 200);
}

#[tokio::test]
async fn the_first_key_can_be_the_operators_own() {
    let place = Place::new();
    let key = place.run(&["key", "generate"]).expect_success().stdout;
    std::fs::write(place.path("first-key"), &key).unwrap();
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    let server = place.start(command.env("TRADEPOST_BOOTSTRAP__KEY_FILE", "first-key"));
    assert_eq!(server.call(key.trim(), COUNT, json!({})).await, (200, json!({ "count": 1 })));
}

#[tokio::test]
async fn a_second_start_keeps_what_there_is() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    server.terminate();
    server.wait();
    let server = place.serve(&[]);
    assert_eq!(server.call(&first_key(&place), COUNT, json!({})).await, (200, json!({ "count": 1 })));
    assert_eq!(server.line.get("workspaceId"), None);
}

#[test]
fn a_schema_that_is_not_up_to_date_can_be_refused_and_nothing_is_made() {
    let place = Place::new();
    let ended = place.run(&["--no-migrate", "--database", "sqlite://here/tradepost.db", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(69));
    assert!(ended.stderr.contains("error: there is no database here/tradepost.db"), "{}", ended.stderr);
    assert!(ended.stderr.contains("try: make it with: tradepost migrate"), "{}", ended.stderr);
    assert!(!place.path("here").exists());
}

#[test]
fn a_server_without_a_desk_says_that_nothing_trades() {
    let place = Place::new();
    let server = place.serve(&[]);
    server.until_logged("nothing trades yet: connect a marketplace");
}

#[test]
fn a_file_has_one_server() {
    let place = Place::new();
    let _server = place.serve(&[]);
    let second = place.run(&["--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(69));
    assert!(second.stderr.contains("error: data/tradepost.db is served already"), "{}", second.stderr);
}

#[test]
fn a_port_that_is_taken_is_reported_before_anything_is_made() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let place = Place::new();
    let ended = place.run(&["--listen", &address]);
    assert_eq!(ended.code, Some(69));
    let expected = format!("error: cannot listen on {address}: address already in use\n  why: another process holds");
    assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
    assert!(!place.path("data").exists());
}

#[test]
fn a_database_does_not_open_under_another_root_secret() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    server.terminate();
    server.wait();
    std::fs::write(place.path("data/root-secret"), [7; 32]).unwrap();
    let ended = place.run(&["--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("the root secret is not the one of this database"), "{}", ended.stderr);
}

/// As docs/reference/configuration.md describes it for one server.
#[test]
fn the_root_secret_is_replaced_and_the_former_one_taken_away() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    let key = first_key(&place);
    server.terminate();
    server.wait();
    let (root, former) = (place.path("data/root-secret"), place.path("data/root-secret.former"));
    std::fs::rename(&root, &former).unwrap();
    std::fs::copy(&former, &root).unwrap();
    std::fs::write(&root, [7; 32]).unwrap();
    std::fs::write(place.path("tradepost.toml"), "[secret]\nformer_root_file = \"data/root-secret.former\"\n").unwrap();

    let mut server = place.serve(&[]);
    server.until_logged("data keys were brought under the newest root secret");
    let needed = place.run(&["doctor"]).expect_success().stdout;
    assert!(needed.contains("former root  1 live API keys, 0 data keys"), "{needed}");
    place.run(&["call", "--url", server.url(), "--key", &key, "CountAPIKeys"]).expect_success();
    server.terminate();
    server.wait();
    let examined = place.run(&["doctor"]).expect_success().stdout;
    assert!(examined.contains("ok    former root  can go"), "{examined}");

    std::fs::remove_file(place.path("tradepost.toml")).unwrap();
    std::fs::remove_file(&former).unwrap();
    let server = place.serve(&[]);
    place.run(&["call", "--url", server.url(), "--key", &key, "CountAPIKeys"]).expect_success();
}

#[test]
fn a_lost_root_secret_is_not_made_again() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    server.terminate();
    server.wait();
    std::fs::remove_file(place.path("data/root-secret")).unwrap();
    assert_eq!(place.run(&["--listen", "127.0.0.1:0"]).code, Some(78));
    assert!(!place.path("data/root-secret").exists());
}

#[tokio::test]
async fn the_ops_pages_show_life_readiness_and_metrics() {
    let place = Place::new();
    let server = place.serve(&[]);
    assert_eq!(server.page("/livez").await, (200, "ok\n".to_owned()));
    assert_eq!(server.page("/readyz").await, (200, "ok\n".to_owned()));
    server.call(&first_key(&place), COUNT, json!({})).await;
    let (_, metrics) = server.page("/metrics").await;
    assert!(
        metrics.contains(
            r#"tradepost_rpc_requests_total{service="accounts.v1.Accounts",method="CountAPIKeys",code="ok"} 1"#
        ),
        "{metrics}"
    );
    assert!(metrics.contains("tradepost_build_info"), "{metrics}");
}

#[tokio::test]
async fn the_pages_of_mailed_links_run_only_their_own_script() {
    let place = Place::new();
    let server = place.serve(&[]);
    for path in ["/email/verify", "/email/confirm", "/email/reset", "/email/revert"] {
        let answer = reqwest::get(format!("{}{path}", server.url())).await.unwrap();
        let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(answer.text().await.unwrap().contains("location.hash"), "{path}");
    }
}

#[tokio::test]
async fn a_mailed_invitation_is_answered_in_the_console() {
    let place = Place::new();
    let server = place.serve(&[]);
    let browser = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let answer = browser.get(format!("{}/email/invitation", server.url())).send().await.unwrap();
    assert_eq!(
        (answer.status(), &answer.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/invitations".parse().unwrap())
    );
}

#[test]
fn a_call_under_way_is_answered_after_the_signal() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    let mut connection = server.begin_call(&first_key(&place), COUNT);
    server.terminate();
    until_closed(&server);
    connection.write_all(b"}").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with(r#"{"count":1}"#), "{answer}");
    assert!(server.wait().success());
}

#[tokio::test]
async fn a_log_that_cannot_be_written_stops_nothing() {
    let place = Place::new();
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" --listen 127.0.0.1:0 2>/dev/full", env!("CARGO_BIN_EXE_tradepost")]);
    let mut server = place.start(command.current_dir(place.path("")).env_clear());
    assert_eq!(server.call("no key", COUNT, json!({})).await.0, 401);
    server.terminate();
    assert!(server.wait().success());
}

#[test]
fn the_last_use_of_a_key_is_stored_at_the_end() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    let key = first_key(&place);
    place.run(&["call", "--url", server.url(), "--key", &key, "CountAPIKeys"]).expect_success();
    server.terminate();
    assert!(server.wait().success());
    assert!(!place.path("data/tradepost.db-wal").exists(), "the log is folded into the file");
    let keys = place.run(&["key", "list", "-o", "json"]).expect_success().json();
    assert!(keys["apiKeys"][0]["lastUsedAt"].is_string(), "{keys}");
}

#[test]
fn a_server_that_has_ended_in_order_says_so_last() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    server.terminate();
    assert!(server.wait().success());
    let log = server.log();
    assert!(log.lines().last().is_some_and(|line| line.contains(r#""message":"stopped""#)), "{log}");
}

//! The edge of the server as a process: silent connections, names, metrics, and what a hangup reloads.

use std::fs;
use std::io::Read as _;
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Certificate;
use serde_json::{Value, json};
use tokio::net::TcpSocket;

use crate::command::{Place, Server, credential};

const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters-connect/src/wire_tests/tls");
const COUNT: &str = "accounts.v1.Accounts/CountAPIKeys";
const PATIENCE: Duration = Duration::from_secs(20);

/// A GET with headers: the status, the reason, and the text.
async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, String, String) {
    let request = reqwest::Client::new().get(format!("{}{path}", server.url()));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = request.send().await.unwrap();
    let reason = answer.headers().get("x-error-reason").map_or("", |reason| reason.to_str().unwrap()).to_owned();
    (answer.status().as_u16(), reason, answer.text().await.unwrap())
}

/// Starts a server through a shell that sets its limits first.
fn serve_limited(place: &Place, limits: &str) -> Server {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" --listen 127.0.0.1:0"), env!("CARGO_BIN_EXE_tradepost")]);
    place.start(command.current_dir(place.path("")).env_clear())
}

#[test]
fn the_soft_limit_of_open_files_is_raised_to_the_hard_one_and_both_are_logged() {
    let place = Place::new();
    let server = serve_limited(&place, "ulimit -Sn 300 && ulimit -Hn 900");
    let log = server.log();
    assert!(log.contains(r#""before":300,"now":900"#), "{log}");
    assert!(log.contains(r#""connections":675"#), "{log}");
}

/// Connects from an address of this machine.
async fn connect_from(from: &str, to: &str) -> std::io::Result<tokio::net::TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    socket.connect(to.parse::<SocketAddr>().unwrap()).await
}

/// With the usual limit, and nothing raised for the measurement. The client has a connection, and every call opens another one.
#[tokio::test]
async fn silent_connections_shut_no_client_out_at_a_limit_of_1024_files() {
    let place = Place::new();
    let server = serve_limited(&place, "ulimit -n 1024");
    let key = credential(&place.path("data/initial-credentials"), "apiKey");
    let regular = reqwest::Client::new();
    assert_eq!(regular.get(format!("{}/livez", server.url())).send().await.unwrap().text().await.unwrap(), "ok\n");
    let mut held = Vec::new();
    for number in 0..900 {
        held.push(connect_from(&format!("127.0.1.{}", number % 6 + 1), server.address()).await.unwrap());
    }
    let mut slowest = Duration::ZERO;
    for _ in 0..100 {
        let began = Instant::now();
        assert_eq!(server.call(&key, COUNT, json!({})).await.0, 200, "{}", server.log());
        slowest = slowest.max(began.elapsed());
    }
    println!("slowest of 100 calls alongside {} silent connections: {slowest:?}", held.len());
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    assert!(server.log().contains("connections are refused: too many are open"), "{}", server.log());
}

#[tokio::test]
async fn metrics_on_the_main_port_are_for_this_machine_and_the_networks_that_are_named() {
    let place = Place::new();
    let server = place.serve(&["--behind-proxy"]);
    let strangers = ("x-forwarded-for", "198.51.100.7");
    let (status, reason, text) = get(&server, "/metrics", &[strangers]).await;
    assert_eq!((status, reason.as_str()), (403, "PERMISSION_DENIED"), "{text}");
    assert!(!text.contains("tradepost_build_info"), "{text}");
    assert_eq!(get(&server, "/livez", &[strangers]).await.0, 200);
    assert_eq!(get(&server, "/metrics", &[]).await.0, 200);
    drop(server);
    let mut command = place.command(&["--behind-proxy", "--listen", "127.0.0.1:0"]);
    let server = place.start(command.env("TRADEPOST_OPS__METRICS_NETWORKS", "[192.0.2.0/24, 198.51.100.7]"));
    assert_eq!(get(&server, "/metrics", &[strangers]).await.0, 200);
    assert_eq!(get(&server, "/metrics", &[("x-forwarded-for", "203.0.113.1")]).await.0, 403);
}

#[tokio::test]
async fn a_foreign_name_is_refused_on_every_page_and_the_public_one_is_not() {
    let place = Place::new();
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command.env("TRADEPOST_SERVER__PUBLIC_URL", "https://trade.example.com");
    let server = place.start(command.env("TRADEPOST_SERVER__HOST_NAMES", "[desk.example.com]"));
    for path in ["/livez", "/metrics", "/email/verify", "/accounts.v1.Accounts/GetWorkspace"] {
        let (status, reason, text) = get(&server, path, &[("host", "evil.example")]).await;
        assert_eq!((status, reason.as_str()), (403, "HOST_REFUSED"), "{path}: {text}");
    }
    for host in ["trade.example.com", "desk.example.com:8443", "localhost"] {
        let answer = get(&server, "/livez", &[("host", host), ("origin", "https://trade.example.com")]).await;
        assert_eq!(answer.0, 200, "{host}: {}", answer.2);
    }
}

#[tokio::test]
async fn sign_up_without_a_bot_check_says_that_it_is_not_set_up() {
    let place = Place::new();
    let server = place.serve(&[]);
    let sign_up = json!({
        "email": "new@example.com", "password": "copper lantern under seven bridges", "displayName": "New", "botCheckToken": "x"
    });
    let (status, answer) = server.call("", "accounts.v1.Accounts/SignUp", sign_up).await;
    assert_eq!((status, &answer["code"]), (400, &Value::from("failed_precondition")), "{answer}");
    assert!(answer["message"].as_str().unwrap().contains("not set up"), "{answer}");
    let reset = json!({ "email": "new@example.com", "botCheckToken": "x" });
    let (status, answer) = server.call("", "accounts.v1.Accounts/RequestPasswordReset", reset).await;
    assert_eq!((status, &answer["code"]), (400, &Value::from("failed_precondition")), "{answer}");
}

#[tokio::test]
async fn notifications_that_the_settings_forbid_cannot_be_created_and_others_can() {
    let place = Place::new();
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    let server = place.start(command.env("TRADEPOST_NOTIFICATIONS__WEBHOOKS", "false"));
    let key = credential(&place.path("data/initial-credentials"), "apiKey");
    let workspace_id = server.printed("workspaceId");
    let url = "https://hook.example.com/desk";
    let endpoint = json!({ "workspaceId": workspace_id, "url": url, "types": ["purchase.*"] });
    let kind = "ALERT_CHANNEL_KIND_WEBHOOK";
    let channel = json!({ "workspaceId": workspace_id, "kind": kind, "name": "desk", "target": url });
    let kind = "ALERT_CHANNEL_KIND_HEARTBEAT";
    let heartbeat = json!({ "workspaceId": workspace_id, "kind": kind, "name": "watchdog", "secret": url });
    for (operation, request, is_forbidden) in [
        ("events.v1.Events/CreateWebhookEndpoint", endpoint, true),
        ("alerts.v1.Alerts/CreateAlertChannel", channel, true),
        // The key has shown no second factor yet.
        ("alerts.v1.Alerts/CreateAlertChannel", heartbeat, false),
    ] {
        let (status, answer) = server.call(&key, operation, request).await;
        assert_eq!((status, &answer["code"]), (400, &Value::from("failed_precondition")), "{answer}");
        assert_eq!(answer["message"].as_str().unwrap().contains("this server sends no"), is_forbidden, "{answer}");
    }
}

/// Waits for what a hangup leads to.
async fn until(server: &Server, what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "{what} did not happen: {}", server.log());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_hangup_reloads_level_and_file_of_the_log() {
    let place = Place::new();
    let settings =
        |level: &str| fs::write(place.path("tradepost.toml"), format!("[log]\nfile = \"log\"\nlevel = \"{level}\"\n"));
    settings("error").unwrap();
    let server = place.serve(&[]);
    fs::rename(place.path("log"), place.path("log.1")).unwrap();
    settings("info").unwrap();
    server.signal("HUP");
    let log = || fs::read_to_string(place.path("log")).unwrap_or_default();
    until(&server, "reloading", async || log().contains("were reloaded")).await;
    settings("nonsense").unwrap();
    server.signal("HUP");
    until(&server, "refusing", async || log().contains("not everything was reloaded")).await;
    assert_eq!(server.page("/livez").await.0, 200);
    assert!(!fs::read_to_string(place.path("log.1")).unwrap().contains("reloaded"));
}

#[tokio::test]
async fn a_hangup_reloads_the_certificate() {
    let place = Place::new();
    let install = |name: &str, key: &str| {
        fs::copy(format!("{TLS}/{name}"), place.path("certificate.pem")).unwrap();
        fs::copy(format!("{TLS}/{key}"), place.path("key.pem")).unwrap();
    };
    install("certificate.pem", "key.pem");
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command.env("TRADEPOST_SERVER__TLS_CERT", "certificate.pem").env("TRADEPOST_SERVER__TLS_KEY", "key.pem");
    let server = place.start(&mut command);
    let page = server.url().replace("127.0.0.1", "localhost") + "/livez";
    let trusts = async |name: &str| {
        let certificate = Certificate::from_pem(&fs::read(format!("{TLS}/{name}")).unwrap()).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([certificate]).build().unwrap();
        client.get(&page).send().await.is_ok_and(|answer| answer.status() == 200)
    };
    assert!(trusts("certificate.pem").await && !trusts("other-certificate.pem").await);
    install("other-certificate.pem", "other-key.pem");
    server.signal("HUP");
    until(&server, "reloading", async || trusts("other-certificate.pem").await).await;
    assert!(!trusts("certificate.pem").await);
}

#[test]
fn a_silent_connection_to_the_program_is_closed() {
    let place = Place::new();
    let server = place.serve(&[]);
    let mut connection = TcpStream::connect(server.address()).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    assert_eq!(connection.read(&mut [0; 1]).unwrap(), 0);
}

//! Passkeys as people use them: in Chromium, on a page of a few lines that this server serves in addition to the interface.

mod driver;

use axum::response::Html;
use axum::routing::get;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::harness::{Client, Database, Key, OWNER, Setup, World};
use driver::Browser;

const PAGE: &str = include_str!("browser/page.html");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chromium_registers_a_passkey_and_signs_in_with_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // Browsers have passkeys on secure sites only, and take `localhost` for one.
    let site = format!("http://localhost:{}", listener.local_addr().unwrap().port());
    let setup = Setup { passkeys: ("localhost".to_owned(), site.clone()), ..Setup::default() };
    let world = World::made_with(Database::Sqlite, setup).await;
    let (_stop, stopped) = oneshot::channel::<()>();
    let app = world.app.clone();
    tokio::spawn(async move {
        let page = app.health_router().route("/", get(async || Html(PAGE)));
        app.serve(listener, None, page, async { drop(stopped.await) }).await.unwrap();
    });

    let browser = Browser::open().await;
    browser.visit(&site).await;
    let registered = browser.run("register", &[world.token(Key::Full), "Laptop"]).await;
    assert_eq!(registered["passkey"]["name"], "Laptop");
    let held = browser.passkeys().await;
    assert_eq!(held.len(), 1);
    assert_eq!(held[0]["isResidentCredential"], true, "{held:?}");

    let signed_in = browser.run("signIn", &[]).await;
    assert_eq!(signed_in["user"]["email"], OWNER);
    let client = Client::of(site);
    let sessions = client.call(signed_in["sessionToken"].as_str(), "ListSessions", &json!({})).await.ok();
    let current = sessions["sessions"].as_array().unwrap().iter().find(|session| session["current"] == true);
    assert_eq!(current.unwrap()["methods"], json!(["SIGN_IN_METHOD_PASSKEY"]));
    browser.close().await;
}

//! `sim serve`: a simulated world as a process of its own, killed and started again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::command::{Place, Server};

const SCENARIO: &str = r#"[
  {"call":"pay_in","customer":"desk","cents":100000000},
  {"call":"open_account","customer":"desk"},
  {"call":"schedule","after_seconds":3600,"fault":{"fault":"balance_drift","customer":"desk","cents":-100}}
]"#;

fn place() -> Place {
    let place = Place::new();
    std::fs::write(place.path("scenario.json"), SCENARIO).unwrap();
    place
}

fn serve(place: &Place, speed: &str) -> Server {
    place.serve(&["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--speed", speed])
}

/// What the world answers.
async fn ask(url: &str, request: &Value) -> Result<Value, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let answer = client.post(format!("{url}/call")).json(request).send().await?;
    answer.error_for_status()?.json().await
}

async fn of_world(server: &Server, deed: Value) -> Value {
    let mut request = deed;
    request["to"] = json!("world");
    ask(server.url(), &request).await.unwrap()
}

fn of_market(call: Value) -> Value {
    let mut request = call;
    request["to"] = json!("marketplace");
    request["customer"] = json!("desk");
    request
}

async fn time(server: &Server) -> i64 {
    let (status, told) = server.page("/time").await;
    assert_eq!(status, 200, "{told}");
    serde_json::from_str::<Value>(&told).unwrap()["now"].as_i64().unwrap()
}

/// Requests to buy what is on sale, each with a key of its own.
async fn purchases(server: &Server) -> Vec<Value> {
    let account = of_world(server, json!({ "call": "accounts", "customer": "desk" })).await["addresses"][0].clone();
    let query = json!({ "market_hash_name": null, "max_price": null, "limit": 100 });
    let page = of_market(json!({ "call": "listings", "query": query, "after": null }));
    let listings = ask(server.url(), &page).await.unwrap()["listings"]["items"].clone();
    let purchase = |listing: &Value| {
        let (id, price) = (&listing["id"], &listing["offered"]["price"]);
        let request = json!({ "key": id, "listing_id": id, "max_price": price, "deliver_to": account });
        of_market(json!({ "call": "buy", "request": request }))
    };
    listings.as_array().unwrap().iter().map(purchase).collect()
}

async fn found(server: &Server, purchase: &Value) -> Value {
    let request = &purchase["request"];
    let sought = json!({
        "key": request["key"],
        "listing_id": request["listing_id"],
        "asset_id": "1",
        "market_hash_name": "AK-47 | Redline (Field-Tested)",
        "max_price": request["max_price"],
        "deliver_to": request["deliver_to"],
        "sent_since": 0,
    });
    let find = of_market(json!({ "call": "find_order", "sought": sought }));
    ask(server.url(), &find).await.unwrap()["sought"]["found"]["order"].clone()
}

#[tokio::test]
async fn a_world_that_was_killed_goes_on_as_it_was() {
    let place = place();
    let server = serve(&place, "0");
    assert_eq!((server.line["seed"].as_u64(), server.line["speed"].as_u64()), (Some(42), Some(0)));
    let purchase = purchases(&server).await.swap_remove(0);
    let order = ask(server.url(), &purchase).await.unwrap()["order"].clone();
    assert_eq!(order["status"], json!(["awaiting_seller", null]), "{order}");
    of_world(&server, json!({ "call": "advance", "micros": 300_000_000 })).await;
    let (offered, balance) = (found(&server, &purchase).await, of_market(json!({ "call": "balance" })));
    let (told, paid) = (time(&server).await, ask(server.url(), &balance).await.unwrap());
    assert_eq!(offered["status"], json!(["offered", null]), "{offered}");
    // Dropping it sends SIGKILL.
    drop(server);

    let server = serve(&place, "0");
    assert_eq!((time(&server).await, found(&server, &purchase).await), (told, offered));
    assert_eq!(ask(server.url(), &balance).await.unwrap(), paid);
    assert_eq!(of_world(&server, json!({ "call": "check_books" })).await, json!("done"));
    // The scenario was not lived a second time, and what it has scheduled still comes.
    of_world(&server, json!({ "call": "advance", "micros": 3_600_000_000_u64 })).await;
    let after = ask(server.url(), &balance).await.unwrap()["cents"].as_i64().unwrap();
    assert_eq!(after, paid["cents"].as_i64().unwrap() - 100);
}

#[tokio::test]
async fn no_order_that_was_answered_is_lost_when_the_process_is_killed() {
    let place = place();
    let server = serve(&place, "60");
    let purchases = purchases(&server).await;
    let buying: Vec<_> = purchases
        .iter()
        .cloned()
        .map(|purchase| {
            let url = server.url().to_owned();
            tokio::spawn(async move { (ask(&url, &purchase).await, purchase) })
        })
        .collect();
    let mut bought = Vec::new();
    let mut server = Some(server);
    for (buying, number) in buying.into_iter().zip(0..) {
        let (answer, purchase) = buying.await.unwrap();
        bought.extend(answer.ok().map(|answer| (answer, purchase)));
        // In the middle of it.
        if number == 5 {
            server = None;
        }
    }
    assert!(server.is_none() && bought.len() >= 5, "{}", bought.len());
    let server = serve(&place, "0");
    for (answer, purchase) in bought.iter().filter(|(answer, _)| answer.get("order").is_some()) {
        assert_eq!(found(&server, purchase).await["id"], answer["order"]["id"], "{answer}");
    }
    assert_eq!(of_world(&server, json!({ "call": "check_books" })).await, json!("done"));
}

#[tokio::test]
async fn time_passes_as_fast_as_it_is_reported_and_never_goes_back() {
    let place = place();
    let server = serve(&place, "1000");
    let (began, first) = (Instant::now(), time(&server).await);
    let mut latest = first;
    while latest - first < 60_000_000 {
        let now = time(&server).await;
        assert!(latest <= now);
        latest = now;
        assert!(began.elapsed() < Duration::from_secs(20), "{} µs have passed", latest - first);
    }
    drop(server);
    let server = serve(&place, "0");
    assert!(time(&server).await >= latest);
}

#[test]
fn a_world_ends_in_order_and_has_one_process() {
    let place = place();
    let mut server = serve(&place, "1");
    let second = place.run(&["sim", "serve", "--data", "world", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(69));
    assert!(
        second.stderr.starts_with("error: cannot use the world in world\n  why: another process"),
        "{}",
        second.stderr
    );
    server.terminate();
    assert!(server.wait().success(), "{}", server.log());
    assert!(server.log().contains("stopped"), "{}", server.log());
    let mut kept: Vec<_> =
        std::fs::read_dir(place.path("world")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    kept.sort();
    assert_eq!(kept, ["calls-1.jsonl", "lock", "world.json"]);
    assert_eq!(std::fs::metadata(place.path("world/calls-1.jsonl")).unwrap().len(), 0);
}

#[test]
fn the_seed_of_a_world_that_is_there_is_not_another_one() {
    let place = place();
    drop(serve(&place, "0"));
    let other = place.run(&["sim", "serve", "--data", "world", "--seed", "7", "--listen", "127.0.0.1:0"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.starts_with("error: the world in world has the seed 42\n"), "{}", other.stderr);
}

#[test]
fn a_world_begins_when_it_is_reported_to() {
    let place = Place::new();
    let begin = ["sim", "serve", "--data", "world", "--speed", "0", "--start", "2026-11-22T06:00:00Z"];
    assert_eq!(place.serve(&begin).printed("now"), "2026-11-22T06:00:00Z");
    // And goes on where it was, whatever the next start says.
    let again = ["sim", "serve", "--data", "world", "--speed", "0", "--start", "now"];
    assert_eq!(place.serve(&again).printed("now"), "2026-11-22T06:00:00Z");
    let never = place.run(&["sim", "serve", "--data", "world", "--start", "never"]);
    assert_eq!(never.code, Some(2), "{}", never.stderr);
}

#[test]
fn what_is_no_scenario_makes_no_world() {
    let place = place();
    std::fs::write(place.path("scenario.json"), r#"[{"call":"pay_in","customer":"desk","cent":1}]"#).unwrap();
    let ended =
        place.run(&["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.starts_with("error: scenario.json is not a scenario\n  why: unknown field `cent`"),
        "{}",
        ended.stderr
    );
    assert!(!place.path("world").exists());
}

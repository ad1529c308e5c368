//! The control side of the fakes: who has its token lets faults happen, lets time pass, and reads what was asked and whether the world adds up.

use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tradepost_fakes::{Addresses, Fakes, serve};

const TOKEN: &str = "control-token";

async fn status(request: RequestBuilder) -> StatusCode {
    request.send().await.unwrap().status()
}

async fn answer(request: RequestBuilder) -> Value {
    let text = request.bearer_auth(TOKEN).send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn who_has_the_token_controls_faults_and_the_clock_and_reads_the_ledger() {
    let fakes = Fakes::of_seed(3).unwrap();
    let served = serve(&fakes, Addresses::default(), TOKEN).await.unwrap();
    let (client, at) = (Client::new(), |path: &str| format!("{}{path}", served.control));
    let post = |path: &str, body: Value| {
        let request = client.post(at(path)).header("content-type", "application/json");
        request.body(body.to_string())
    };
    let fault = json!([{ "route": "GET /v1/items", "nth": 1, "fault": "F05", "status": 503 }]);
    let (later, before) = (json!({ "advanceSeconds": 60 }), fakes.now());

    for (path, body) in [("/faults", &fault), ("/clock", &later)] {
        assert_eq!(status(post(path, body.clone())).await, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = post(path, body.clone()).bearer_auth("another");
        assert_eq!(status(wrong).await, StatusCode::UNAUTHORIZED, "{path}");
    }
    for path in ["/ledger", "/check"] {
        assert_eq!(status(client.get(at(path))).await, StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(fakes.now(), before);

    for (path, body) in [("/faults", fault), ("/clock", later)] {
        assert_eq!(status(post(path, body).bearer_auth(TOKEN)).await, StatusCode::NO_CONTENT, "{path}");
    }
    assert_eq!(fakes.now(), before.plus(time::Duration::MINUTE));
    let items = client.get(format!("{}/v1/items?app_id=730&currency=USD", served.skinport));
    assert_eq!(status(items).await, StatusCode::SERVICE_UNAVAILABLE);
    let ledger = answer(client.get(at("/ledger"))).await;
    assert_eq!(ledger.as_array().unwrap().len(), 1, "{ledger}");
    assert_eq!((&ledger[0]["route"], &ledger[0]["status"]), (&json!("GET /v1/items"), &json!(503)));
    assert_eq!(answer(client.get(at("/check"))).await, json!({ "addsUp": true, "problem": null }));
}

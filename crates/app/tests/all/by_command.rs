//! Operations that have a row in a table of the command line, each called by its command.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Demo, uuid};
use crate::demo::mailed;

/// The id of a listing of a case, which was recorded just before.
async fn observed(demo: &Demo) -> String {
    let listing = json!({
        "marketplace": "simulator", "listingId": "seen-1", "marketHashName": "Gallery Case", "priceCents": "1000",
    });
    let seen = demo.ask("markets.v1.Markets/RecordMarketObservations", json!({ "observations": [listing] })).await;
    seen["results"][0]["observationId"].as_str().unwrap().to_owned()
}

#[test]
fn a_workspace_is_edited_and_shows_its_settings() {
    let demo = Demo::start();
    let edit = ["workspace", "edit", "--name", "Night desk", "--time-zone", "Europe/Zurich", "--max-key-days", "90"];
    let edited = demo.json(&edit)["workspace"].clone();
    assert_eq!((&edited["name"], &edited["timeZone"]), (&json!("Night desk"), &json!("Europe/Zurich")));
    assert_eq!(demo.json(&["workspace", "settings"])["settings"]["maxApiKeyLifetimeDays"], 90);
    for shown in ["quotas", "usage", "data-keys"] {
        demo.run(&["workspace", shown]).expect_success();
    }
}

#[test]
fn a_key_is_shown_and_edited_by_its_name() {
    let demo = Demo::start();
    let edited = demo.table(&["keys", "edit", "Read only", "--name", "Reader", "--network", "127.0.0.0/8"]);
    assert!(edited.starts_with("PREFIX ") && edited.contains(" Reader "), "{edited}");
    let shown = demo.json(&["keys", "show", "Reader"])["apiKey"].clone();
    assert_eq!((&shown["name"], &shown["allowedCidrs"]), (&json!("Reader"), &json!(["127.0.0.0/8"])));
    demo.run(&["keys", "usage"]).expect_success();
}

#[test]
fn an_invitation_is_revoked_by_its_address() {
    let demo = Demo::start();
    let revoked = demo.json(&["members", "revoke", "guest-1@example.com"]);
    assert_eq!(revoked["membership"]["status"], "MEMBERSHIP_STATUS_REVOKED", "{revoked}");
    let again = demo.run(&["members", "resend", "guest-1@example.com"]);
    assert!(again.stderr.starts_with("error: there is no member \"guest-1@example.com\"\n"), "{}", again.stderr);
}

#[test]
fn an_invitation_is_mailed_again_with_another_link_by_its_address() {
    let demo = Demo::start();
    let (guest, mails) = ("guest-1@example.com", Path::new(demo.server.printed("mailDir")));
    let link = |text: &str| text.split_whitespace().find(|word| word.contains("/invitation#")).map(str::to_owned);
    let first = mailed(mails, guest, link);
    let resent = demo.json(&["members", "resend", guest])["membership"].clone();
    let shown = (&resent["invitation"]["email"], &resent["status"]);
    assert_eq!(shown, (&json!(guest), &json!("MEMBERSHIP_STATUS_INVITED")), "{resent}");
    mailed(mails, guest, |text| link(text).filter(|link| *link != first));
}

#[test]
fn the_rules_of_fair_values_are_replaced() {
    let demo = Demo::start();
    let set = ["prices", "set-rules", "--statistic", "median", "--max-price-age", "1h", "--min-confidence", "50"];
    let rules = demo.json(&set)["rules"]["priceReference"].clone();
    let fields = ["statistic", "maxAgeSeconds", "minConfidenceBps"].map(|field| rules[field].clone());
    assert_eq!(fields, [json!("PRICE_STATISTIC_MEDIAN"), json!(3600), json!(5000)]);
    assert_eq!(demo.json(&["prices", "rules"])["rules"]["priceReference"], rules);
}

#[tokio::test]
async fn a_filter_set_is_tested_on_recorded_listings() {
    let demo = Demo::start();
    let (seen, unknown) = (uuid(&observed(&demo).await), "019ba07c-2c38-7000-8000-000000005e00");
    demo.run(&["filter-sets", "create", "--name", "Cases", "--name-contains", "Gallery"]).expect_success();
    let test = ["filter-sets", "test", "cases", "--observation", &seen, "--observation", unknown];
    let tested = demo.table(&test);
    let (matches, missing) = tested.split_once("Not found\n").unwrap();
    assert!(matches.starts_with("Tested\n") && matches.contains(&seen) && matches.contains(" yes"), "{tested}");
    assert!(missing.contains(unknown), "{tested}");
    let answer = demo.json(&test);
    assert_eq!(answer["matches"][0]["matched"], true, "{answer}");
}

#[tokio::test]
async fn an_intent_is_created_for_a_contract() {
    let demo = Demo::start();
    demo.proposals().await;
    let create = ["intents", "create", "buy", "By hand", "--at", "simulator", "--listing", "by-hand-3"];
    let lacking = demo.run(&create);
    assert_eq!(lacking.code, Some(2), "{}", lacking.stderr);
    let name = "AK-47 | Redline (Field-Tested)";
    let item = ["--asset-id", "9003", "--name", name, "--price", "12.00", "--fee", "0.30"];
    let intent = demo.json(&[&create[..], &item].concat())["intent"].clone();
    assert_eq!(intent["status"], "INTENT_STATUS_PROPOSED", "{intent}");
    assert_eq!(intent["listing"]["platformFeeCents"], "30", "{intent}");
}

#[tokio::test]
async fn an_item_is_found_by_its_asset_id_and_its_chain_is_verified() {
    let demo = Demo::start();
    let item = demo.server.printed("inventoryItemId");
    let known = demo.ask("contracts.v1.Contracts/GetInventoryItem", json!({ "inventoryItemId": item })).await;
    let asset = known["inventoryItem"]["currentAssetId"].as_str().unwrap();
    assert_eq!(demo.json(&["inventory", "find", asset])["inventoryItemId"], item);
    assert_eq!(demo.table(&["inventory", "verify", item]), "The chain of asset ids keeps every law\n");
}

#[test]
fn a_sale_is_estimated_for_an_item_and_for_a_name() {
    let demo = Demo::start();
    let (sale, name) = (["--at", "simulator", "--price", "14.20"], "AK-47 | Redline (Field-Tested)");
    let item = demo.server.printed("inventoryItemId");
    for (group, what) in [("prices", name), ("inventory", item)] {
        let estimate = demo.json(&[&[group, "estimate", what][..], &sale].concat());
        let cents = ["feeCents", "netCents"].map(|field| estimate[field].as_str().unwrap().to_owned());
        assert_eq!(cents, ["71", "1349"], "{group}");
    }
    let health: Value = demo.json(&["providers", "health", "simulator"]);
    assert!(health["health"]["lastSuccessAt"].is_string(), "{health}");
}

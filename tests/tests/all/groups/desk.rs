//! What a desk decides by, and with what: contracts and their rules, pools and accounts, prices and marketplaces.

use serde_json::{Value, json};

use super::StillDemo;

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

impl StillDemo {
    /// The id of an active contract that buys up to three items, each after a person has approved it.
    async fn contract_by_hand(&self) -> Value {
        let draft = json!({
            "name": "By hand", "approvalMode": "APPROVAL_MODE_MANUAL", "marketplaces": ["simulator"],
            "buying": { "budgetCents": "270000", "maxBuyPriceCents": "90000", "targetQuantity": 3 },
        });
        let id = self.ask("CreateContract", draft).await["contract"]["id"].clone();
        self.ask("ActivateContract", json!({ "contractId": id })).await;
        id
    }

    /// The id of a pool without money.
    async fn empty_pool(&self) -> Value {
        let pool = json!({ "name": "Evening", "limits": { "budgetCents": "500000", "maxPerPurchaseCents": "20000" } });
        self.ask("CreatePool", pool).await["pool"]["id"].clone()
    }
}

mod account_groups {
    use serde_json::json;

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn accounts_are_put_into_a_group_and_taken_out_of_it() {
        let demo = StillDemo::start().await;
        let ids: Vec<_> = demo.accounts("trader-").await.iter().map(|account| account["id"].clone()).collect();
        let made = demo.ask("CreateAccountGroup", json!({ "name": "Knives", "description": "they buy knives" })).await;
        let group = &made["accountGroup"]["id"];
        demo.ask("AddAccountsToGroup", json!({ "accountGroupId": group, "accountIds": ids })).await;
        let listed = demo.ask("ListAccounts", json!({ "accountGroupId": group })).await;
        assert_eq!(entries(&listed["accountIds"]).len(), ids.len(), "{listed}");

        let out = json!({ "accountGroupId": group, "accountIds": [ids[0]] });
        demo.ask("RemoveAccountsFromGroup", out).await;
        demo.ask("UpdateAccountGroup", json!({ "accountGroupId": group, "name": "Gloves" })).await;
        let read = demo.ask("GetAccountGroup", json!({ "accountGroupId": group })).await;
        assert_eq!(read["accountGroup"]["name"], "Gloves");
        assert!(!entries(&read["accountGroup"]["accountIds"]).contains(&ids[0]), "{read}");

        demo.ask("DeleteAccountGroup", json!({ "accountGroupId": group })).await;
        demo.refuse("GetAccountGroup", json!({ "accountGroupId": group }), "not_found", "NOT_FOUND").await;
    }
}

mod assignments {
    use serde_json::json;

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn an_account_works_for_a_pool_in_the_roles_that_it_is_assigned_to() {
        let demo = StillDemo::start().await;
        let (pool, account) = (demo.empty_pool().await, demo.accounts("trader-1").await.remove(0));
        let wanted = json!({
            "poolId": pool, "accountId": account["id"], "priority": 2, "limits": { "maxItems": 500 },
            "roles": ["ASSIGNMENT_ROLE_BUY", "ASSIGNMENT_ROLE_STORE"],
        });
        let made = demo.ask("CreateAssignment", wanted).await;
        let assignment = &made["assignment"]["id"];
        let buyers = json!({ "poolId": pool, "role": "ASSIGNMENT_ROLE_BUY" });
        let resolved = demo.ask("ResolveAssignment", buyers.clone()).await;
        let first = &resolved["accounts"][0];
        assert_eq!((&first["accountId"], &first["assignmentId"]), (&account["id"], assignment), "{resolved}");

        let seller = json!({ "assignmentId": assignment, "roles": ["ASSIGNMENT_ROLE_SELL"], "limits": {} });
        demo.ask("UpdateAssignment", seller).await;
        let resolved = demo.ask("ResolveAssignment", buyers).await;
        assert!(entries(&resolved["accounts"]).is_empty(), "{resolved}");
        demo.ask("DeleteAssignment", json!({ "assignmentId": assignment })).await;
        let listed = demo.ask("ListAssignments", json!({ "poolId": pool })).await;
        assert!(entries(&listed["assignmentIds"]).is_empty(), "{listed}");
    }
}

mod filter_sets {
    use serde_json::json;

    use super::REDLINE;
    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn rules_are_tried_on_samples_and_each_version_of_them_is_kept() {
        let demo = StillDemo::start().await;
        let rules = json!({ "weapons": ["AK-47"], "nameContains": ["redline"], "floatMax": "0.25" });
        let sample = json!([
            { "id": "good", "marketHashName": REDLINE, "floatValue": "0.17", "priceCents": "1470" },
            { "id": "worn", "marketHashName": REDLINE, "floatValue": "0.31", "priceCents": "1470" },
        ]);
        let tried = demo.ask("TestFilterSet", json!({ "rules": rules, "sample": sample })).await;
        let matched: Vec<_> = entries(&tried["matches"]).iter().map(|one| one["matched"].clone()).collect();
        assert_eq!(matched, [json!(true), json!(false)], "{tried}");

        let made = demo.ask("CreateFilterSet", json!({ "name": "Redlines", "rules": rules })).await;
        let id = &made["filterSet"]["id"];
        let higher = json!({ "weapons": ["AK-47"], "priceMinCents": "1000" });
        let update = json!({ "filterSetId": id, "expectedVersion": "1", "rules": higher });
        demo.ask("UpdateFilterSet", update.clone()).await;
        demo.refuse("UpdateFilterSet", update, "failed_precondition", "VERSION_MISMATCH").await;
        let first = demo.ask("GetFilterSet", json!({ "filterSetId": id, "version": "1" })).await;
        assert_eq!(first["filterSet"]["rules"]["floatMax"], "0.25", "{first}");
        let current = demo.ask("GetFilterSet", json!({ "filterSetId": id })).await;
        assert_eq!(current["filterSet"]["rules"]["priceMinCents"], "1000", "{current}");

        demo.ask("DeleteFilterSet", json!({ "filterSetId": id })).await;
        demo.refuse("GetFilterSet", json!({ "filterSetId": id }), "not_found", "NOT_FOUND").await;
    }
}

mod contracts {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_contract_is_drafted_activated_changed_paused_copied_and_cancelled() {
        let demo = StillDemo::start().await;
        let id = demo.contract_by_hand().await;
        let of_it = || json!({ "contractId": id });
        let status = |answer: &Value| answer["contract"]["status"].clone();
        let higher = json!({ "budgetCents": "300000", "maxBuyPriceCents": "95000", "targetQuantity": 4 });
        demo.ask("UpdateContract", json!({ "contractId": id, "buying": higher })).await;
        let versions = demo.ask("ListContractVersions", of_it()).await;
        assert_eq!(entries(&versions["contractVersionIds"]).len(), 2, "{versions}");

        let paused = demo.ask("PauseContract", json!({ "contractId": id, "reason": "too expensive" })).await;
        assert_eq!(status(&paused), "CONTRACT_STATUS_PAUSED");
        assert_eq!(paused["contract"]["statusReason"], "too expensive");
        assert_eq!(status(&demo.ask("ResumeContract", of_it()).await), "CONTRACT_STATUS_ACTIVE");

        let copy = demo.ask("CloneContract", json!({ "contractId": id, "name": "Second half" })).await;
        assert_eq!(status(&copy), "CONTRACT_STATUS_DRAFT");
        assert_eq!(copy["contract"]["buying"]["targetQuantity"], 4, "{copy}");
        demo.ask("DeleteContract", json!({ "contractId": copy["contract"]["id"] })).await;
        assert_eq!(status(&demo.ask("CancelContract", of_it()).await), "CONTRACT_STATUS_CANCELLED");
        demo.refuse("ResumeContract", of_it(), "failed_precondition", "ILLEGAL_STEP").await;
    }
}

mod contract_evaluation {
    use serde_json::{Value, json};

    use super::REDLINE;
    use crate::groups::{StillDemo, entries};

    /// A listing at this price, in a market of which two sources agree.
    fn listed_at(contract: &Value, price: &str) -> Value {
        let quote = |source: &str| {
            json!({
                "source": source, "marketHashName": REDLINE, "lowestAskCents": "1700", "highestBidCents": "1600",
                "salesCount": 40, "salesAverageCents": "1650",
            })
        };
        json!({
            "contractId": contract, "marketplace": "simulator",
            "listing": { "marketHashName": REDLINE, "floatValue": "0.17", "priceCents": price },
            "market": { "quotes": [quote("one"), quote("other")], "buyFeeBps": 250, "sellFeeBps": 200 },
        })
    }

    #[tokio::test]
    async fn a_contract_says_why_it_would_buy_a_listing_or_not() {
        let demo = StillDemo::start().await;
        let contract = demo.contract_by_hand().await;
        let bought = demo.ask("EvaluateContract", listed_at(&contract, "1470")).await;
        assert_eq!(bought["evaluation"]["decision"], "EVALUATION_DECISION_BUY", "{bought}");
        let skipped = demo.ask("EvaluateContract", listed_at(&contract, "99000")).await;
        assert_eq!(skipped["evaluation"]["decision"], "EVALUATION_DECISION_SKIP", "{skipped}");
        let failed = |code: &str| {
            let reasons = entries(&skipped["evaluation"]["reasons"]);
            reasons.iter().any(|reason| reason["code"] == code && reason["passed"] == false)
        };
        assert!(failed("BUY_PRICE") && !failed("CONTRACT_ACTIVE"), "{skipped}");

        let replay = json!({ "contractId": contract, "from": "2020-01-01T00:00:00Z", "limit": 1_000 });
        let replayed = demo.ask("SimulateContract", replay).await;
        assert!(replayed["observed"].as_i64() > Some(0) && replayed["wouldBuy"].is_i64(), "{replayed}");
    }
}

mod intents {
    use serde_json::{Value, json};

    use super::REDLINE;
    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_person_approves_rejects_and_cancels_what_a_contract_proposes() {
        let demo = StillDemo::start().await;
        let contract = demo.contract_by_hand().await;
        let status = |answer: &Value| answer["intent"]["status"].clone();
        let mut ids = Vec::new();
        for number in 1..=3 {
            let listing = json!({
                "marketplace": "simulator", "listingId": format!("by-hand-{number}"), "marketHashName": REDLINE,
                "listingAssetId": format!("900{number}"), "priceCents": "1200", "platformFeeCents": "30",
            });
            let buy = json!({ "contractId": contract, "kind": "INTENT_KIND_BUY", "listing": listing });
            let proposed = demo.ask("CreateIntent", buy).await;
            assert_eq!(status(&proposed), "INTENT_STATUS_PROPOSED");
            ids.push(proposed["intent"]["id"].clone());
        }
        let approved = demo.ask("ApproveIntent", json!({ "intentId": ids[0] })).await;
        assert_eq!(status(&approved), "INTENT_STATUS_APPROVED");
        let rejected = demo.ask("RejectIntent", json!({ "intentId": ids[1], "reason": "too expensive" })).await;
        assert_eq!(status(&rejected), "INTENT_STATUS_REJECTED");
        let cancelled = demo.ask("CancelIntent", json!({ "intentId": ids[2] })).await;
        assert_eq!(status(&cancelled), "INTENT_STATUS_CANCELLED");
        demo.refuse("ApproveIntent", json!({ "intentId": ids[1] }), "failed_precondition", "ILLEGAL_STEP").await;
        let of_it = json!({ "contractId": contract, "status": "INTENT_STATUS_REJECTED" });
        let listed = demo.ask("ListIntents", of_it).await;
        assert_eq!(entries(&listed["intentIds"]), [ids[1].clone()]);
    }
}

mod pools {
    use serde_json::{Value, json};

    use crate::groups::StillDemo;

    #[tokio::test]
    async fn money_is_paid_into_a_pool_and_taken_out_of_it() {
        let demo = StillDemo::start().await;
        let id = demo.empty_pool().await;
        let status = |answer: &Value| answer["pool"]["status"].clone();
        let adjust = |cents: &str| json!({ "poolId": id, "deltaCents": cents, "reason": "a test" });
        demo.ask("AdjustPoolFunds", adjust("50000")).await;
        demo.ask("AdjustPoolFunds", adjust("-12050")).await;
        let balance = demo.ask("GetPoolBalance", json!({ "poolId": id })).await;
        let balance = &balance["balance"];
        assert_eq!((&balance["availableCents"], &balance["capitalCents"]), (&json!("37950"), &json!("37950")));
        demo.refuse("AdjustPoolFunds", adjust("-37951"), "failed_precondition", "POOL_FUNDS_TOO_LOW").await;

        let paused = demo.ask("PausePool", json!({ "poolId": id, "reason": "prices look wrong" })).await;
        assert_eq!(status(&paused), "POOL_STATUS_PAUSED");
        assert_eq!(status(&demo.ask("ResumePool", json!({ "poolId": id })).await), "POOL_STATUS_ACTIVE");
        let limits = json!({ "budgetCents": "600000", "dailyLimitCents": "100000" });
        let updated = demo.ask("UpdatePool", json!({ "poolId": id, "name": "Night", "limits": limits })).await;
        assert_eq!((&updated["pool"]["name"], &updated["pool"]["limits"]), (&json!("Night"), &limits));
        assert_eq!(status(&demo.ask("ArchivePool", json!({ "poolId": id })).await), "POOL_STATUS_ARCHIVED");
    }
}

mod pricing {
    use serde_json::{Value, json};

    use super::REDLINE;
    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_person_sets_a_price_in_place_of_the_one_of_the_sources() {
        let demo = StillDemo::start().await;
        let of_it = || json!({ "marketHashName": REDLINE });
        let value = |answer: &Value| answer["price"]["fairValueCents"].clone();
        let by_sources = demo.ask("GetPrice", of_it()).await;
        assert_eq!(by_sources["price"]["overridden"], false, "{by_sources}");
        let set = json!({
            "marketHashName": REDLINE, "priceCents": "1250", "expiresAt": "2100-01-01T00:00:00Z",
            "reason": "the sources are wrong",
        });
        let made = demo.ask("SetPriceOverride", set).await;
        assert_eq!(value(&demo.ask("GetPrice", of_it()).await), "1250");
        let listed = demo.ask("ListPriceOverrides", json!({})).await;
        assert_eq!(listed["priceOverrides"][0]["id"], made["priceOverride"]["id"], "{listed}");
        let delete = json!({ "priceOverrideId": made["priceOverride"]["id"], "expectedVersion": "1" });
        demo.ask("DeletePriceOverride", delete).await;
        assert_eq!(value(&demo.ask("GetPrice", of_it()).await), value(&by_sources));

        let history = json!({ "marketHashName": REDLINE, "bucket": "PRICE_BUCKET_DAY" });
        let history = demo.ask("ListPriceHistory", history).await;
        assert!(entries(&history["points"]).len() > 1, "{history}");
        let wanted = json!({ "marketplace": "simulator", "priceCents": "1000", "variant": of_it() });
        let sale = demo.ask("EstimateSale", wanted).await;
        assert_eq!((&sale["feeCents"], &sale["netCents"]), (&json!("50"), &json!("950")), "5 % are its fee: {sale}");
    }
}

mod market_observations {
    use serde_json::json;

    use crate::groups::{StillDemo, entries};

    const RARE: &str = "M4A4 | Howl (Field-Tested)";

    #[tokio::test]
    async fn a_listing_that_was_seen_is_recorded_once_and_is_in_the_order_book() {
        let demo = StillDemo::start().await;
        let seen = json!({
            "listingId": "seen-here", "marketHashName": RARE, "marketplace": "simulator", "priceCents": "9900",
        });
        let recorded = demo.ask("RecordMarketObservations", json!({ "observations": [seen, seen] })).await;
        assert_eq!((&recorded["accepted"], &recorded["duplicates"]), (&json!(1), &json!(1)), "{recorded}");
        let listed = demo.ask("ListMarketObservations", json!({ "marketHashName": RARE })).await;
        let ids = entries(&listed["observationIds"]);
        assert_eq!(ids.len(), 1, "{listed}");
        let read = demo.ask("GetMarketObservation", json!({ "observationId": ids[0] })).await;
        assert_eq!(read["observation"]["listing"]["priceCents"], "9900", "{read}");
        let book = demo.ask("GetOrderBook", json!({ "marketHashName": RARE })).await;
        assert_eq!(book["asks"][0]["listingId"], "seen-here", "{book}");
        let named = demo.ask("ListVariants", json!({ "prefix": "ak-47 | redline" })).await;
        let names = entries(&named["marketHashNames"]);
        assert!(!names.is_empty() && names.iter().all(|name| name.to_string().contains("AK-47 | Redline")), "{named}");
        let counted = demo.ask("CountMarketObservations", json!({})).await;
        assert!(entries(&counted["counts"]).iter().any(|count| count["marketplace"] == "simulator"), "{counted}");
    }
}

mod providers {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_marketplace_is_put_on_record_disabled_enabled_and_deleted() {
        let demo = StillDemo::start().await;
        let drivers = demo.ask("ListProviderDrivers", json!({})).await;
        assert!(entries(&drivers["drivers"]).iter().any(|driver| driver["name"] == "simulator"), "{drivers}");
        let kind = "PROVIDER_KIND_MARKETPLACE";
        let wanted = json!({ "kind": kind, "driver": "simulator", "name": "simulator-three", "currency": "USD" });
        let made = demo.ask("CreateProvider", wanted.clone()).await;
        demo.refuse("CreateProvider", wanted, "already_exists", "PROVIDER_EXISTS").await;
        let of_it = || json!({ "providerId": made["provider"]["id"] });
        let is_enabled = |answer: &Value| answer["provider"]["enabled"] == true;

        let disable = json!({ "providerId": made["provider"]["id"], "reason": "its fees went up" });
        let disabled = demo.ask("DisableProvider", disable).await;
        assert!(!is_enabled(&disabled) && disabled["provider"]["statusReason"] == "its fees went up", "{disabled}");
        assert!(is_enabled(&demo.ask("EnableProvider", of_it()).await));
        let listed = demo.ask("ListProviders", json!({ "kind": kind, "limit": 200 })).await;
        assert!(entries(&listed["providerIds"]).contains(&made["provider"]["id"]), "{listed}");
        demo.ask("DeleteProvider", of_it()).await;
        demo.refuse("GetProvider", of_it(), "not_found", "NOT_FOUND").await;
    }
}

//! What a desk has bought and sold: purchases, items and their chains, the ledger, problems, and changes of status.

mod purchases {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    impl StillDemo {
        /// The purchases in a status.
        async fn purchases_in(&self, status: &str) -> Vec<Value> {
            let listed = self.ask("ListPurchases", json!({ "status": format!("PURCHASE_STATUS_{status}") })).await;
            entries(&listed["purchaseIds"])
        }
    }

    #[tokio::test]
    async fn a_purchase_is_cancelled_looked_up_and_refunded_by_hand() {
        let demo = StillDemo::start().await;
        let status = |answer: &Value| answer["purchase"]["status"].clone();
        let pending = json!({ "purchaseId": demo.purchases_in("PENDING").await[0], "reason": "prices look wrong" });
        assert_eq!(status(&demo.ask("CancelPurchase", pending.clone()).await), "PURCHASE_STATUS_CANCELLED");
        demo.refuse("CancelPurchase", pending, "failed_precondition", "ILLEGAL_STEP").await;

        let mut found = Vec::new();
        for id in demo.purchases_in("UNCERTAIN").await {
            found.push(status(&demo.ask("ReconcilePurchase", json!({ "purchaseId": id })).await));
        }
        assert!(found.contains(&json!("PURCHASE_STATUS_PAID")), "one of them was placed: {found:?}");

        let refund = json!({
            "purchaseId": demo.purchases_in("REFUND_PENDING").await[0],
            "outcome": "PURCHASE_OUTCOME_REFUNDED", "evidence": "case-7",
        });
        assert_eq!(status(&demo.ask("RecordPurchaseOutcome", refund.clone()).await), "PURCHASE_STATUS_REFUNDED");
        let read = demo.ask("GetPurchase", json!({ "purchaseId": refund["purchaseId"] })).await;
        assert!(read["purchase"]["refundedCents"].is_string(), "{read}");
    }
}

mod inventory {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    impl StillDemo {
        /// The first item in a status.
        async fn item_in(&self, status: &str) -> Value {
            let request = json!({ "status": format!("INVENTORY_ITEM_STATUS_{status}"), "limit": 1 });
            self.ask("ListInventoryItems", request).await["inventoryItemIds"][0].clone()
        }
    }

    #[tokio::test]
    async fn the_chain_of_an_item_goes_on_and_a_missing_item_is_written_off() {
        let demo = StillDemo::start().await;
        let of_it = || json!({ "inventoryItemId": demo.text("inventoryItemId") });
        let item = demo.ask("GetInventoryItem", of_it()).await;
        let asset = json!({ "assetId": item["inventoryItem"]["currentAssetId"] });
        let found = demo.ask("FindInventoryItemByAssetID", asset).await;
        assert_eq!(found["inventoryItemId"], demo.text("inventoryItemId"));
        let links = entries(&demo.ask("ListAssetIDLinks", of_it()).await["assetIdLinks"]);
        let next = json!({
            "inventoryItemId": demo.text("inventoryItemId"), "expectedStep": links.len(),
            "assetId": "40000000001", "source": "transfer", "sourceId": "transfer-1",
        });
        demo.ask("AppendAssetIDLink", next).await;
        let moved = demo.ask("GetInventoryItem", of_it()).await;
        assert_eq!(moved["inventoryItem"]["currentAssetId"], "40000000001", "{moved}");
        assert_eq!(demo.ask("VerifyAssetIDChain", of_it()).await["valid"], true);

        let missing = json!({ "inventoryItemId": demo.item_in("MISSING").await, "reason": "not found for a month" });
        let written_off = demo.ask("WriteOffItem", missing).await;
        assert_eq!(written_off["inventoryItem"]["status"], "INVENTORY_ITEM_STATUS_WRITTEN_OFF", "{written_off}");
        let listed = demo.item_in("LISTED").await;
        let delisting = demo.ask("DelistItem", json!({ "inventoryItemId": listed })).await;
        assert_eq!(delisting["intent"]["kind"], "INTENT_KIND_DELIST", "{delisting}");
    }
}

mod profit_and_loss {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries, text};

    const FROM: &str = "2020-01-01T00:00:00Z";

    fn number(value: &Value) -> i64 {
        text(value).parse().unwrap()
    }

    /// The sums of a report: what was earned, and what is pending.
    async fn report(demo: &StillDemo, grouping: &str) -> [i64; 2] {
        let request = json!({ "from": FROM, "groupBy": format!("PROFIT_AND_LOSS_GROUPING_{grouping}") });
        let rows = entries(&demo.ask("GetProfitAndLoss", request).await["rows"]);
        ["realisedCents", "pendingCents"].map(|figure| rows.iter().map(|row| number(&row[figure])).sum())
    }

    #[tokio::test]
    async fn what_was_earned_is_the_same_by_every_grouping_and_entries_sum_to_zero() {
        let demo = StillDemo::start().await;
        let whole = report(&demo, "NONE").await;
        assert_ne!(whole[0], 0, "nothing was sold");
        for grouping in ["CONTRACT", "ACCOUNT", "BUY_MARKETPLACE", "ITEM_NAME", "POOL"] {
            assert_eq!(report(&demo, grouping).await, whole, "{grouping}");
        }
        let listed = demo.ask("ListLedgerEntries", json!({ "limit": 200 })).await;
        let read = demo.ask("GetLedgerEntries", json!({ "ledgerEntryIds": listed["ledgerEntryIds"] })).await;
        for entry in entries(&read["ledgerEntries"]) {
            let sum: i64 = entries(&entry["legs"]).iter().map(|leg| number(&leg["amountCents"])).sum();
            assert_eq!(sum, 0, "{entry}");
        }
        let now = demo.ask("GetEquitySeries", json!({})).await["now"].clone();
        let of = |figure: &str| number(&now[figure]);
        assert_eq!(of("equityCents"), of("capitalCents") + of("profitCents"), "{now}");
        let file = json!({
            "from": FROM, "groupBy": "PROFIT_AND_LOSS_GROUPING_NONE", "format": "PROFIT_AND_LOSS_FORMAT_CSV",
        });
        let file = demo.ask("ExportProfitAndLoss", file).await;
        assert!(text(&file["content"]).contains(&format!(",{},{},", whole[0], whole[1])), "{file}");
    }
}

mod remediations {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_problem_is_assigned_and_resolved_and_another_is_dismissed() {
        let demo = StillDemo::start().await;
        let status = |answer: &Value| answer["remediation"]["status"].clone();
        let missing = json!({ "kind": "REMEDIATION_KIND_MISSING_ITEM", "status": "REMEDIATION_STATUS_OPEN" });
        let open = entries(&demo.ask("ListRemediations", missing).await["remediationIds"]);
        let me = demo.call("GetCurrentUser", json!({})).await["user"]["id"].clone();
        let assign = json!({ "remediationId": open[0], "userId": me });
        let assigned = demo.ask("AssignRemediation", assign).await;
        assert_eq!(assigned["remediation"]["assigneeId"], me, "{assigned}");
        let write_off = json!({
            "remediationId": open[0], "action": "REMEDIATION_ACTION_WRITE_OFF", "args": { "evidence": "case-7" },
        });
        let resolved = demo.ask("RunRemediationAction", write_off).await;
        assert_eq!(status(&resolved), "REMEDIATION_STATUS_RESOLVED", "{resolved}");

        let dismiss = json!({ "remediationId": open[1], "reason": "the seller paid it back by hand" });
        let dismissed = demo.ask("DismissRemediation", dismiss.clone()).await;
        assert_eq!(status(&dismissed), "REMEDIATION_STATUS_DISMISSED", "{dismissed}");
        let read = demo.ask("GetRemediation", json!({ "remediationId": open[1] })).await;
        assert_eq!(read["remediation"]["reason"], dismiss["reason"]);
        let counted = entries(&demo.ask("CountRemediations", json!({})).await["counts"]);
        let dismissed = counted.iter().find(|count| count["status"] == "REMEDIATION_STATUS_DISMISSED");
        assert!(dismissed.is_some_and(|count| count["count"] != 0), "{counted:?}");
    }
}

mod transitions {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    impl StillDemo {
        /// The first change that is wanted, after a place in the log.
        async fn watched(&self, mut after: Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
            loop {
                let watch = json!({ "afterTransitionId": after, "limit": 200, "waitSeconds": 25 });
                let seen = self.ask("WatchTransitions", watch).await;
                if let Some(found) = entries(&seen["transitions"]).into_iter().find(&is_wanted) {
                    return found;
                }
                after = seen["lastTransitionId"].clone();
            }
        }
    }

    #[tokio::test]
    async fn a_change_of_status_is_listed_and_comes_to_who_waits_for_it() {
        let demo = StillDemo::start().await;
        let end = demo.ask("WatchTransitions", json!({ "fromEnd": true })).await["lastTransitionId"].clone();
        let contract = json!(demo.text("contractId"));
        demo.ask("PauseContract", json!({ "contractId": contract, "reason": "prices look wrong" })).await;
        let is_pause = |change: &Value| change["subjectId"] == contract && change["toStatus"] == "PAUSED";
        let change = demo.watched(end, is_pause).await;
        assert_eq!((&change["fromStatus"], &change["trigger"]), (&json!("ACTIVE"), &json!("paused")), "{change}");
        assert_eq!(change["actor"]["kind"], "TRANSITION_ACTOR_KIND_KEY", "{change}");

        let of_it = json!({ "subjectType": "TRANSITION_SUBJECT_TYPE_CONTRACT", "subjectId": contract, "limit": 1 });
        let listed = demo.ask("ListTransitions", of_it).await;
        assert_eq!(listed["transitionIds"][0], change["id"], "{listed}");
        let read = demo.ask("GetTransition", json!({ "transitionId": change["id"] })).await;
        assert_eq!(read["transition"]["reason"], "prices look wrong", "{read}");
    }
}

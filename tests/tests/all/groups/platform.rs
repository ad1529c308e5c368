//! What the engine does at the platform: it signs accounts in, renews their tokens, and handles trade offers.

use serde_json::{Value, json};

use super::entries;
use crate::stories::live_demo::LiveDemo;

/// Whether a list of an answer has entries.
fn has_any(answer: &Value, list: &str) -> bool {
    !entries(&answer[list]).is_empty()
}

impl LiveDemo {
    /// The session of the account that the platform asks for a password, once it works.
    async fn working_session(&self) -> Value {
        let active = json!({ "status": "ACCOUNT_SESSION_STATUS_ACTIVE" });
        let listed = self.until("ListAccountSessions", active, |answer| has_any(answer, "accountSessionIds")).await;
        let id = json!({ "accountSessionId": listed["accountSessionIds"][0] });
        self.call("GetAccountSession", id).await["accountSession"].clone()
    }
}

mod sessions {
    use serde_json::{Value, json};

    use super::LiveDemo;
    use crate::groups::entries;

    #[tokio::test]
    async fn an_account_is_signed_out_and_in_again_by_its_stored_password() {
        let demo = LiveDemo::start().await;
        demo.step_up().await;
        let first = demo.working_session().await;
        let end = json!({ "accountSessionId": first["id"], "revoke": true });
        demo.call("EndAccountSession", end).await;
        let is = |answer: &Value, status: &str| {
            answer["accountSession"]["status"] == format!("ACCOUNT_SESSION_STATUS_{status}").as_str()
        };
        let session = json!({ "accountSessionId": first["id"] });
        demo.until("GetAccountSession", session, |answer| is(answer, "REVOKED")).await;

        let account = json!({ "accountId": first["accountId"] });
        let started = demo.call("StartAccountSession", account.clone()).await;
        demo.refuse("StartAccountSession", account, "failed_precondition", "SESSION_OPEN").await;
        let session = json!({ "accountSessionId": started["accountSession"]["id"] });
        let works = demo.until("GetAccountSession", session, |answer| is(answer, "ACTIVE")).await;
        assert_eq!(works["accountSession"]["isAutomatic"], false, "{works}");
        let counted = entries(&demo.call("CountAccountSessions", json!({})).await["counts"]);
        let revoked = counted.iter().find(|count| count["status"] == "ACCOUNT_SESSION_STATUS_REVOKED");
        assert_eq!(revoked.map(|count| &count["count"]), Some(&json!(1)), "{counted:?}");
    }
}

mod renewals {
    use serde_json::{Value, json};

    use super::{LiveDemo, has_any};

    #[tokio::test]
    async fn a_person_has_a_token_renewed_and_cancels_the_next_renewal() {
        let demo = LiveDemo::start().await;
        let session = demo.working_session().await;
        let wanted = json!({ "accountId": session["accountId"], "kind": "RENEWAL_KIND_REFRESH_TOKEN" });
        let asked = demo.call("RequestRenewal", wanted.clone()).await;
        assert_eq!(asked["renewal"]["isRequested"], true, "{asked}");
        let is_done = |answer: &Value| answer["renewal"]["status"] == "RENEWAL_STATUS_SUCCEEDED";
        demo.until("GetRenewal", json!({ "renewalId": asked["renewal"]["id"] }), is_done).await;

        let mut waiting = wanted;
        waiting["status"] = json!("RENEWAL_STATUS_SCHEDULED");
        let next = demo.until("ListRenewals", waiting, |answer| has_any(answer, "renewalIds")).await;
        let next = json!({ "renewalId": next["renewalIds"][0] });
        let cancelled = demo.call("CancelRenewal", next.clone()).await;
        assert_eq!(cancelled["renewal"]["status"], "RENEWAL_STATUS_CANCELLED", "{cancelled}");
        demo.refuse("CancelRenewal", next, "failed_precondition", "ILLEGAL_STEP").await;
        let shown = demo.tradepost(&["renewals", "list", "--kind", "refresh_token"]).await;
        assert!(shown.contains("cancelled") && shown.contains("succeeded"), "{shown}");
    }
}

mod trade_offers {
    use serde_json::json;

    use super::{LiveDemo, has_any};
    use crate::groups::{StillDemo, entries, text};

    #[tokio::test]
    async fn the_offers_of_a_trade_are_shown_and_one_of_a_person_is_cancelled() {
        let demo = LiveDemo::start().await;
        let completed = json!({
            "direction": "TRADE_OFFER_DIRECTION_RECEIVED", "status": "TRADE_OFFER_STATUS_COMPLETED",
        });
        let listed = demo.until("ListTradeOffers", completed, |answer| has_any(answer, "tradeOfferIds")).await;
        let read = demo.call("GetTradeOffer", json!({ "tradeOfferId": listed["tradeOfferIds"][0] })).await;
        let offer = &read["tradeOffer"];
        assert_ne!(offer["purchaseId"], "", "it delivers a purchase: {offer}");
        let trade = demo.call("GetTrade", json!({ "tradeId": offer["tradeId"] })).await;
        let moved = entries(&trade["trade"]["assetMap"]);
        assert!(moved.iter().all(|asset| asset["given"] == false && asset["newAssetId"] != ""), "{trade}");
        assert_eq!(moved.len(), entries(&offer["receives"]).len(), "{trade}");

        // No engine sends what the accounts of a still demo are to send.
        let still = StillDemo::start().await;
        let account = still.accounts("trader-1").await.remove(0);
        let wanted = json!({
            "accountId": account["id"], "partner": "76561198000000777", "token": "abcdefgh",
            "receives": [{ "assetId": "27348563002" }],
        });
        let sent = still.ask("SendTradeOffer", wanted).await;
        assert_eq!(text(&sent["tradeOffer"]["status"]), "TRADE_OFFER_STATUS_DRAFT");
        let of_it = json!({ "tradeOfferId": sent["tradeOffer"]["id"] });
        let cancelled = still.ask("CancelTradeOffer", of_it.clone()).await;
        assert_eq!(text(&cancelled["tradeOffer"]["status"]), "TRADE_OFFER_STATUS_CANCELLED");
        still.refuse("CancelTradeOffer", of_it, "failed_precondition", "ILLEGAL_STEP").await;
        let refreshed = still.ask("RefreshTradeOffers", json!({ "accountId": account["id"] })).await;
        assert!(refreshed["requestedAt"].is_string(), "{refreshed}");
    }
}

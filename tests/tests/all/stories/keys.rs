//! From a step-up to a new key, its use and its end.

use serde_json::{Value, json};

use crate::harness::{Key, OTHER, World, on_both_databases};

async fn create(world: &World, key: Key, name: &str) -> Value {
    world.call(key, "CreateAPIKey", &json!({ "name": name, "policies": ["analytics"] })).await.ok()
}

on_both_databases! {
    async fn a_key_is_made_after_a_code_of_the_authenticator_app_and_works_until_it_is_revoked(database) {
        let world = World::new(database).await;
        let begun = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        assert_eq!(begun["allowedMethods"], json!(["TWO_FACTOR_METHOD_TOTP", "TWO_FACTOR_METHOD_RECOVERY_CODE"]));
        let answer = json!({
            "challengeId": begun["challengeId"],
            "method": "TWO_FACTOR_METHOD_TOTP",
            "code": world.totp_code(),
        });
        world.call(Key::Unproven, "CompleteStepUp", &answer).await.ok();
        let created = create(&world, Key::Unproven, "Night shift").await;
        let raw_key = created["rawKey"].as_str().unwrap();
        assert!(raw_key.starts_with(created["apiKey"]["keyPrefix"].as_str().unwrap()));

        let workspace = json!({ "workspaceId": world.desk.workspace_id.to_string() });
        world.client.call(Some(raw_key), "ListPurchases", &workspace).await.ok();
        let revoke = json!({ "apiKeyId": created["apiKey"]["id"] });
        world.call(Key::Full, "RevokeAPIKey", &revoke).await.ok();
        let refused = world.client.call(Some(raw_key), "ListPurchases", &workspace).await;
        refused.assert_refused("unauthenticated", "UNAUTHENTICATED");
    }

    async fn a_key_for_another_network_is_answered_like_one_that_does_not_exist(database) {
        let world = World::new(database).await;
        let elsewhere = json!({ "name": "Elsewhere", "allowedCidrs": ["192.0.2.0/24"] });
        let created = world.call(Key::Full, "CreateAPIKey", &elsewhere).await.ok();
        let call = async |token| world.client.call(Some(token), "ListPolicies", &json!({})).await;
        let unknown = "tpk_nonsense";
        assert_eq!(call(created["rawKey"].as_str().unwrap()).await.seen(), call(unknown).await.seen());
        let here = json!({ "apiKeyId": created["apiKey"]["id"], "allowedCidrs": ["127.0.0.1"] });
        world.call(Key::Full, "UpdateAPIKey", &here).await.ok();
        call(created["rawKey"].as_str().unwrap()).await.ok();
    }

    async fn a_rotated_key_works_until_the_overlap_is_over(database) {
        let world = World::new(database).await;
        let created = create(&world, Key::Full, "Rotated").await;
        let rotate = json!({ "apiKeyId": created["apiKey"]["id"], "overlapSeconds": 60 });
        let answer = world.call(Key::Full, "RotateAPIKey", &rotate).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let rotated = answer.ok();
        let call = async |key: &Value| world.client.call(key["rawKey"].as_str(), "ListPolicies", &json!({})).await;
        call(&created).await.ok();
        world.clock.advance(time::Duration::seconds(60));
        call(&created).await.assert_refused("unauthenticated", "UNAUTHENTICATED");
        call(&rotated).await.ok();
    }

    async fn a_leaked_key_ends_when_anybody_shows_it(database) {
        let world = World::new(database).await;
        let created = create(&world, Key::Full, "Leaked").await;
        for token in [created["rawKey"].clone(), created["rawKey"].clone(), json!("tpk_nonsense")] {
            let answer = world.client.call(None, "ReportLeakedAPIKey", &json!({ "tokens": [token] })).await;
            assert_eq!(answer.ok(), json!({}));
        }
        let refused = world.client.call(created["rawKey"].as_str(), "ListPolicies", &json!({})).await;
        refused.assert_refused("unauthenticated", "UNAUTHENTICATED");
    }

    async fn without_an_authenticator_app_the_code_comes_by_mail(database) {
        let world = World::new(database).await;
        let begun = world.call(Key::Other, "BeginStepUp", &json!({})).await.ok();
        assert_eq!(begun["allowedMethods"], json!(["TWO_FACTOR_METHOD_EMAIL"]));
        let answer = json!({
            "challengeId": begun["challengeId"],
            "method": "TWO_FACTOR_METHOD_EMAIL",
            "code": world.mailbox.code(OTHER),
        });
        world.call(Key::Other, "CompleteStepUp", &answer).await.ok();
        create(&world, Key::Other, "Mailed").await;
    }

    async fn the_secret_of_a_key_is_answered_once_and_never_again(database) {
        let world = World::new(database).await;
        let created = create(&world, Key::Full, "Once").await;
        let raw_key = created["rawKey"].as_str().unwrap();
        for (method, request) in [("ListAPIKeys", json!({})), ("GetAPIKey", json!({ "apiKeyId": created["apiKey"]["id"] }))] {
            let answer = world.call(Key::Full, method, &request).await;
            assert!(answer.body.contains(created["apiKey"]["keyPrefix"].as_str().unwrap()), "{answer:?}");
            assert!(!answer.body.contains(&raw_key[12..]), "{method} shows the secret");
        }
        let stored = format!("{:?}", world.contents().await);
        assert!(!stored.contains(&raw_key[12..]), "the database holds the secret");
    }

    async fn a_new_key_has_no_last_use_until_it_is_used(database) {
        let world = World::new(database).await;
        let created = create(&world, Key::Full, "Fresh").await;
        assert_eq!(created["apiKey"].get("lastUsedAt"), None);
        let of_it = json!({ "apiKeyId": created["apiKey"]["id"] });
        let unused = world.call(Key::Full, "GetAPIKey", &of_it).await.ok();
        assert_eq!(unused["apiKey"].get("lastUsedAt"), None);
        world.client.call(created["rawKey"].as_str(), "CountAPIKeys", &json!({})).await.ok();
        let used = world.call(Key::Full, "GetAPIKey", &of_it).await.ok();
        assert!(used["apiKey"]["lastUsedAt"].is_string(), "{used}");
    }

    async fn the_badge_counts_the_keys_that_the_list_shows(database) {
        let world = World::new(database).await;
        create(&world, Key::Full, "One more").await;
        let listed = world.call(Key::Full, "ListAPIKeys", &json!({})).await.ok();
        let counted = world.call(Key::Full, "CountAPIKeys", &json!({})).await.ok();
        assert_eq!(counted["count"], json!(listed["apiKeys"].as_array().unwrap().len()));
    }

    async fn the_list_names_the_owners_of_keys_when_it_is_asked_to(database) {
        let world = World::new(database).await;
        let created = create(&world, Key::Full, "Owned").await;
        let me = world.call(Key::Full, "GetAPIKey", &json!({ "apiKeyId": created["apiKey"]["id"] })).await.ok();
        let owner = me["apiKey"]["ownerId"].clone();
        assert_eq!(owner, json!(world.people.owner.to_string()));
        let named = async |request| {
            let listed = world.call(Key::Full, "ListAPIKeys", &request).await.ok();
            let owned = |key: &&Value| key["id"] == created["apiKey"]["id"];
            listed["apiKeys"].as_array().unwrap().iter().find(owned).unwrap().get("ownerId").cloned()
        };
        assert_eq!(named(json!({})).await, None);
        assert_eq!(named(json!({ "withOwners": true })).await, Some(owner));
    }

    async fn every_form_of_the_header_carries_the_key(database) {
        let world = World::new(database).await;
        let token = world.token(Key::Bare);
        for value in [format!("Bearer {token}"), format!("bearer {token}"), format!("ApiKey {token}"), token.to_owned()] {
            let request = reqwest::Client::new().post(world.client.url("ListPolicies")).body("{}");
            let request = request.header("content-type", "application/json").header("authorization", &value);
            assert_eq!(request.send().await.unwrap().status(), 200, "{value}");
        }
    }
}

//! Signing in and out, with and without a second factor, and a forgotten password.

use serde_json::{Value, json};

use crate::harness::{Key, MEMBER, OWNER, PASSWORD, World, on_both_databases};

const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

/// Signs in by password; gives the token.
async fn signed_in(world: &World, email: &str, password: &str) -> String {
    let answer = world.client.call(None, "SignIn", &json!({ "email": email, "password": password })).await.ok();
    let token = answer["sessionToken"].as_str().unwrap();
    assert!(token.starts_with("tps_"), "{answer}");
    token.to_owned()
}

async fn call(world: &World, token: &str, method: &str) -> crate::harness::Answer {
    world.client.call(Some(token), method, &json!({})).await
}

on_both_databases! {
    async fn every_way_of_being_wrong_at_sign_in_is_answered_alike(database) {
        let world = World::new(database).await;
        let wrong = json!({ "email": MEMBER, "password": NEW_PASSWORD });
        let unknown = json!({ "email": "nobody@example.com", "password": PASSWORD });
        let [wrong, unknown] = [
            world.client.call(None, "SignIn", &wrong).await,
            world.client.call(None, "SignIn", &unknown).await,
        ];
        wrong.assert_refused("unauthenticated", "WRONG_CREDENTIALS");
        assert_eq!(wrong.seen(), unknown.seen());
    }

    async fn an_authenticator_app_is_asked_for_at_sign_in(database) {
        let world = World::new(database).await;
        let asked = world.client.call(None, "SignIn", &json!({ "email": OWNER, "password": PASSWORD })).await.ok();
        assert_eq!((&asked["sessionToken"], asked.get("user")), (&json!(""), None));
        let methods = json!(["TWO_FACTOR_METHOD_TOTP", "TWO_FACTOR_METHOD_RECOVERY_CODE"]);
        assert_eq!(asked["allowedMethods"], methods);
        let answer = json!({
            "challengeId": asked["challengeId"],
            "method": "TWO_FACTOR_METHOD_TOTP",
            "code": world.totp_code(),
        });
        let completed = world.client.call(None, "CompleteSignIn", &answer).await;
        assert_eq!(completed.header("cache-control"), Some("no-store"));
        let token = completed.ok()["sessionToken"].as_str().unwrap().to_owned();
        assert_eq!(call(&world, &token, "GetCurrentUser").await.ok()["user"]["email"], OWNER);
        world.client.call(None, "CompleteSignIn", &answer).await.assert_refused("failed_precondition", "CHALLENGE_INVALID");
    }

    async fn a_session_works_in_the_workspaces_of_its_user_and_in_no_other(database) {
        let world = World::new(database).await;
        let own = json!({ "workspaceId": world.people.workspace_id.to_string() });
        let other = json!({ "workspaceId": world.people.other_workspace_id.to_string() });
        world.call(Key::Session, "ListPurchases", &own).await.ok();
        let denied = world.call(Key::Session, "ListPurchases", &other).await;
        denied.assert_refused("permission_denied", "PERMISSION_DENIED");
        let held = world.call(Key::Session, "GetEffectivePermissions", &own).await.ok();
        assert_eq!(held["principalType"], "PRINCIPAL_TYPE_SESSION");
        assert_eq!(held["policies"], json!(["analytics", "trading", "identity"]));
    }

    async fn a_session_chooses_by_header_the_workspace_of_requests_that_name_none(database) {
        let world = World::new(database).await;
        let missing = world.call(Key::Session, "ListAPIKeys", &json!({})).await;
        missing.assert_refused("invalid_argument", "WORKSPACE_REQUIRED");
        for (chosen, status) in [
            (world.people.workspace_id.to_string(), 200),
            (world.people.other_workspace_id.to_string(), 403),
            (crate::harness::unknown_id(), 403),
            ("nonsense".to_owned(), 400),
        ] {
            let request = reqwest::Client::new().post(world.client.url("ListAPIKeys")).body("{}");
            let request = request.header("content-type", "application/json").header("x-workspace-id", &chosen);
            let answer = request.bearer_auth(world.token(Key::Session)).send().await.unwrap();
            assert_eq!(answer.status(), status, "{chosen}");
        }
    }

    async fn a_session_that_was_revoked_or_signed_out_opens_nothing(database) {
        let world = World::new(database).await;
        let [first, second] = [signed_in(&world, MEMBER, PASSWORD).await, signed_in(&world, MEMBER, PASSWORD).await];
        let sessions = call(&world, &first, "ListSessions").await.ok()["sessions"].clone();
        let others: Vec<&Value> =
            sessions.as_array().unwrap().iter().filter(|session| session["current"] == false).collect();
        let latest = json!({ "sessionId": others[0]["id"] });
        world.client.call(Some(&first), "RevokeSession", &latest).await.ok();
        call(&world, &second, "GetCurrentUser").await.assert_refused("unauthenticated", "UNAUTHENTICATED");
        call(&world, &first, "SignOut").await.ok();
        call(&world, &first, "GetCurrentUser").await.assert_refused("unauthenticated", "UNAUTHENTICATED");
    }

    async fn a_forgotten_password_is_reset_and_every_session_ends(database) {
        let world = World::new(database).await;
        let session = signed_in(&world, MEMBER, PASSWORD).await;
        world.clock.advance(time::Duration::seconds(1));
        let mut reset = world.requested_reset(MEMBER).await;
        reset["newPassword"] = json!(NEW_PASSWORD);
        world.client.call(None, "ResetPassword", &reset).await.ok();
        call(&world, &session, "GetCurrentUser").await.assert_refused("unauthenticated", "UNAUTHENTICATED");
        signed_in(&world, MEMBER, NEW_PASSWORD).await;
        world.client.call(None, "ResetPassword", &reset).await.assert_refused("failed_precondition", "TOKEN_INVALID");
    }

    async fn a_reset_does_not_get_around_the_authenticator_app(database) {
        let world = World::new(database).await;
        let mut reset = world.requested_reset(OWNER).await;
        reset["newPassword"] = json!(NEW_PASSWORD);
        world.client.call(None, "ResetPassword", &reset).await.assert_refused("failed_precondition", "CODE_REQUIRED");
        reset["method"] = json!("TWO_FACTOR_METHOD_TOTP");
        reset["code"] = json!(world.totp_code());
        world.client.call(None, "ResetPassword", &reset).await.ok();
    }

    async fn the_secret_of_a_session_is_in_no_table(database) {
        let world = World::new(database).await;
        let token = signed_in(&world, MEMBER, PASSWORD).await;
        let stored = format!("{:?}", world.contents().await);
        assert!(stored.contains(&token[..12]) && !stored.contains(&token[12..]));
    }
}

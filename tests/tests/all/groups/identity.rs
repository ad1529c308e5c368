//! The callers and what they may do: users, their credentials and second factors, workspaces, members and keys.

/// How a second user of the demo signs in, who owns the other workspace and has no authenticator app.
const OTHER: &str = "other@example.com";
const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

mod api_keys {
    use serde_json::json;

    use crate::groups::{StillDemo, text};

    #[tokio::test]
    async fn a_key_is_created_narrowed_rotated_and_revoked() {
        let demo = StillDemo::start().await;
        let wanted = json!({ "name": "Night shift", "policies": ["trading", "analytics"] });
        let created = demo.call("CreateAPIKey", wanted).await;
        let (first, id) = (text(&created["rawKey"]), &created["apiKey"]["id"]);
        let (list, halt) = (demo.here(json!({})), demo.here(json!({ "halted": true, "reason": "a test" })));
        demo.by(Some(first), "SetTradingHalt", &halt).await.ok();

        demo.call("UpdateAPIKey", json!({ "apiKeyId": id, "policies": ["analytics"] })).await;
        let denied = demo.by(Some(first), "SetTradingHalt", &halt).await;
        denied.assert_refused("permission_denied", "PERMISSION_DENIED");

        let rotated = demo.call("RotateAPIKey", json!({ "apiKeyId": id, "overlapSeconds": 0 })).await;
        let second = text(&rotated["rawKey"]);
        demo.by(Some(second), "ListPurchases", &list).await.ok();
        let rotated_away = demo.by(Some(first), "ListPurchases", &list).await;
        rotated_away.assert_refused("unauthenticated", "UNAUTHENTICATED");

        demo.call("RevokeAPIKey", json!({ "apiKeyId": rotated["apiKey"]["id"] })).await;
        let revoked = demo.by(Some(second), "ListPurchases", &list).await;
        revoked.assert_refused("unauthenticated", "UNAUTHENTICATED");
    }
}

mod memberships {
    use serde_json::{Value, json};

    use super::OTHER;
    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn an_invited_user_accepts_is_suspended_and_reinstated_and_leaves() {
        let demo = StillDemo::start().await;
        let owner = demo.text("otherApiKey");
        demo.prove_by_mail(owner, OTHER).await;
        let invited = json!({ "membershipId": demo.text("invitedMembershipId") });
        let other = json!({ "workspaceId": demo.text("otherWorkspaceId") });
        let status = |answer: &Value| answer["membership"]["status"].clone();

        let accepted = demo.call("AcceptMembership", invited.clone()).await;
        assert_eq!(status(&accepted), "MEMBERSHIP_STATUS_ACCEPTED");
        let suspended = demo.by(Some(owner), "SuspendMembership", &invited).await.ok();
        assert_eq!(status(&suspended), "MEMBERSHIP_STATUS_SUSPENDED");
        let reinstated = demo.by(Some(owner), "ReinstateMembership", &invited).await.ok();
        assert_eq!(status(&reinstated), "MEMBERSHIP_STATUS_ACCEPTED");
        let narrowed = json!({ "membershipId": invited["membershipId"], "policies": ["analytics"] });
        let narrowed = demo.by(Some(owner), "UpdateMembership", &narrowed).await.ok();
        assert_eq!(narrowed["membership"]["policies"], json!(["analytics"]));

        let left = demo.call("LeaveWorkspace", other.clone()).await;
        assert_eq!(status(&left), "MEMBERSHIP_STATUS_LEFT");
        let counted = demo.by(Some(owner), "CountMemberships", &other).await.ok();
        let count = |status: &str| {
            let counts = entries(&counted["counts"]);
            counts.iter().find(|one| one["status"] == status).map(|one| one["count"].clone())
        };
        assert_eq!(count("MEMBERSHIP_STATUS_LEFT"), Some(json!(1)), "{counted}");
    }
}

mod permissions {
    use serde_json::json;

    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_key_can_do_what_its_permissions_say_and_nothing_else() {
        let demo = StillDemo::start().await;
        let (reader, here) = (Some(demo.text("readOnlyApiKey")), demo.here(json!({})));
        let policies = entries(&demo.by(reader, "ListPolicies", &json!({})).await.ok()["policies"]);
        assert!(policies.iter().any(|policy| policy["name"] == "trading"), "{policies:?}");
        let held = demo.by(reader, "GetEffectivePermissions", &here).await.ok();
        assert_eq!(held["policies"], json!(["analytics"]));
        let allowed = entries(&held["operations"]);
        assert!(allowed.contains(&json!("contracts.v1.Contracts.ListPurchases")), "{allowed:?}");
        assert!(!allowed.contains(&json!("accounts.v1.Accounts.SetTradingHalt")), "{allowed:?}");
        demo.by(reader, "ListPurchases", &here).await.ok();
        let halt = demo.here(json!({ "halted": true, "reason": "a test" }));
        demo.by(reader, "SetTradingHalt", &halt).await.assert_refused("permission_denied", "PERMISSION_DENIED");
    }
}

mod users {
    use serde_json::json;

    use super::NEW_PASSWORD;
    use crate::groups::StillDemo;

    const ADA: &str = "ada@example.com";

    #[tokio::test]
    async fn a_stranger_signs_up_and_deletes_the_account_in_the_end() {
        let demo = StillDemo::start().await;
        let sign_up = json!({
            "email": ADA, "password": NEW_PASSWORD, "displayName": "Ada", "botCheckToken": "development",
        });
        demo.by(None, "SignUp", &sign_up).await.ok();
        let verify = json!({ "token": demo.mailbox().token(ADA, "verify"), "password": NEW_PASSWORD });
        demo.by(None, "VerifyEmail", &verify).await.ok();

        let session = demo.sign_in(ADA, NEW_PASSWORD).await;
        let change = json!({ "displayName": "Ada L.", "timezone": "Europe/Zurich" });
        demo.by(Some(&session), "UpdateUser", &change).await.ok();
        let current = demo.by(Some(&session), "GetCurrentUser", &json!({})).await.ok();
        assert_eq!((&current["user"]["displayName"], &current["user"]["email"]), (&json!("Ada L."), &json!(ADA)));

        let other = demo.sign_in(ADA, NEW_PASSWORD).await;
        let revoked = demo.by(Some(&session), "RevokeOtherSessions", &json!({})).await.ok();
        assert_eq!(revoked, json!({ "revoked": 1 }));
        let ended = demo.by(Some(&other), "GetCurrentUser", &json!({})).await;
        ended.assert_refused("unauthenticated", "UNAUTHENTICATED");
        let session = demo.prove_by_mail(&session, ADA).await;
        demo.by(Some(&session), "DeleteUser", &json!({})).await.ok();
        let ended = demo.by(Some(&session), "GetCurrentUser", &json!({})).await;
        ended.assert_refused("unauthenticated", "UNAUTHENTICATED");
        let unknown = demo.by(None, "SignIn", &json!({ "email": ADA, "password": NEW_PASSWORD })).await;
        unknown.assert_refused("unauthenticated", "WRONG_CREDENTIALS");
    }
}

mod workspaces {
    use serde_json::json;

    use super::OTHER;
    use crate::groups::{StillDemo, entries};

    #[tokio::test]
    async fn a_workspace_is_opened_halted_deleted_and_restored() {
        let demo = StillDemo::start().await;
        let session = demo.sign_in(OTHER, demo.text("password")).await;
        let open = json!({ "name": "Second floor", "baseCurrency": "EUR" });
        let opened = demo.by(Some(&session), "CreateWorkspace", &open).await.ok();
        let id = &opened["workspace"]["id"];
        assert_eq!(opened["workspace"]["baseCurrency"], "EUR", "{opened}");
        let update = json!({ "workspaceId": id, "timeZone": "Europe/Zurich" });
        let updated = demo.by(Some(&session), "UpdateWorkspace", &update).await.ok();
        assert_eq!(updated["workspace"]["timeZone"], "Europe/Zurich", "{updated}");
        let halt = json!({ "workspaceId": id, "halted": true, "reason": "prices look wrong" });
        let halted = demo.by(Some(&session), "SetTradingHalt", &halt).await.ok();
        assert_eq!(halted["workspace"]["tradingHalt"]["reason"], "prices look wrong", "{halted}");

        let session = demo.prove_by_mail(&session, OTHER).await;
        let delete = json!({ "workspaceId": id, "confirmName": "Second floor" });
        let deleted = demo.by(Some(&session), "DeleteWorkspace", &delete).await.ok();
        assert!(deleted["restorableUntil"].is_string(), "{deleted}");
        demo.by(Some(&session), "RestoreWorkspace", &json!({ "workspaceId": id })).await.ok();
        let listed = demo.by(Some(&session), "ListWorkspaces", &json!({})).await.ok();
        let found = entries(&listed["workspaces"]).into_iter().find(|workspace| workspace["id"] == *id);
        assert_eq!(found.and_then(|workspace| workspace.get("deletedAt").cloned()), None, "{listed}");
        let read = demo.by(Some(&session), "GetWorkspace", &json!({ "workspaceId": id })).await.ok();
        assert_eq!(read["workspace"]["name"], "Second floor");
    }
}

mod workspace_keys {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    /// The key of a version, in the answer of a list.
    fn of_version(answer: &Value, version: &Value) -> Value {
        let found = entries(&answer["workspaceKeys"]).into_iter().find(|key| key["version"] == *version);
        found.unwrap_or_else(|| panic!("no key of version {version}: {answer}"))
    }

    #[tokio::test]
    async fn secrets_move_under_a_new_key_and_the_old_one_is_destroyed() {
        let demo = StillDemo::start().await;
        let before = demo.ask("ListWorkspaceKeys", json!({})).await;
        let first = entries(&before["workspaceKeys"]).remove(0);
        assert_eq!(first["status"], "WORKSPACE_KEY_STATUS_ACTIVE", "{before}");
        let rotated = demo.ask("RotateWorkspaceKey", json!({})).await;
        assert_ne!(rotated["workspaceKey"]["id"], first["id"], "{rotated}");

        let is_moved = |answer: &Value| of_version(answer, &first["version"])["recordsRemaining"] == "0";
        demo.until("ListWorkspaceKeys", json!({}), is_moved).await;
        let destroyed = demo.ask("DestroyWorkspaceKey", json!({ "workspaceKeyId": first["id"] })).await;
        assert_eq!(destroyed["workspaceKey"]["status"], "WORKSPACE_KEY_STATUS_DESTROYED", "{destroyed}");
        let active = json!({ "workspaceKeyId": rotated["workspaceKey"]["id"] });
        demo.refuse("DestroyWorkspaceKey", active, "failed_precondition", "ACTIVE").await;
    }
}

mod credentials {
    use serde_json::json;

    use super::NEW_PASSWORD;
    use crate::groups::StillDemo;

    const MOVED: &str = "moved@example.com";

    #[tokio::test]
    async fn a_user_changes_password_and_address() {
        let demo = StillDemo::start().await;
        let (email, old) = (demo.text("email"), demo.text("password"));
        demo.call("ChangePassword", json!({ "currentPassword": old, "newPassword": NEW_PASSWORD })).await;
        let wrong = demo.by(None, "SignIn", &json!({ "email": email, "password": old })).await;
        wrong.assert_refused("unauthenticated", "WRONG_CREDENTIALS");
        let right = demo.by(None, "SignIn", &json!({ "email": email, "password": NEW_PASSWORD })).await.ok();
        assert_ne!(right["challengeId"], "", "the code of the authenticator app is asked for: {right}");

        demo.call("ChangeEmail", json!({ "newEmail": MOVED, "password": NEW_PASSWORD })).await;
        let waiting = demo.call("ListCredentials", json!({})).await;
        assert_eq!((&waiting["email"], &waiting["pendingEmail"]), (&json!(email), &json!(MOVED)));
        let confirm = json!({ "token": demo.mailbox().token(MOVED, "confirm"), "password": NEW_PASSWORD });
        demo.by(None, "ConfirmEmailChange", &confirm).await.ok();
        let moved = demo.call("ListCredentials", json!({})).await;
        assert_eq!((&moved["email"], &moved["pendingEmail"]), (&json!(MOVED), &json!("")));
    }
}

mod passkeys {
    use serde_json::json;

    use crate::groups::{StillDemo, text};
    use crate::harness::Authenticator;

    #[tokio::test]
    async fn a_passkey_signs_its_user_in_until_it_is_deleted() {
        let demo = StillDemo::start().await;
        let (site, mut authenticator) = (demo.text("baseUrl"), Authenticator::default());
        let begun = demo.call("BeginPasskeyRegistration", json!({ "name": "Laptop" })).await;
        let credential = authenticator.register(site, text(&begun["options"]));
        let made = demo.call("FinishPasskeyRegistration", json!({ "credential": credential })).await;
        let id = &made["passkey"]["id"];
        demo.call("UpdatePasskey", json!({ "passkeyId": id, "name": "Old laptop" })).await;
        let listed = demo.call("ListPasskeys", json!({})).await;
        assert_eq!(listed["passkeys"][0]["name"], "Old laptop", "{listed}");

        let mut attempts = Vec::new();
        for _ in 0..2 {
            let asked = demo.by(None, "BeginPasskeySignIn", &json!({})).await.ok();
            let credential = authenticator.sign_in(site, text(&asked["options"]));
            attempts.push(json!({ "challengeId": asked["challengeId"], "credential": credential }));
        }
        let signed_in = demo.by(None, "FinishPasskeySignIn", &attempts[0]).await.ok();
        assert_eq!(signed_in["user"]["email"], demo.text("email"));
        demo.by(signed_in["sessionToken"].as_str(), "GetCurrentUser", &json!({})).await.ok();
        demo.call("DeletePasskey", json!({ "passkeyId": id })).await;
        let refused = demo.by(None, "FinishPasskeySignIn", &attempts[1]).await;
        refused.assert_refused("unauthenticated", "CREDENTIAL_REFUSED");
    }
}

mod two_factor {
    use secrecy::ExposeSecret as _;
    use serde_json::json;
    use tradepost::SystemClock;
    use tradepost::auth::Rfc6238;
    use tradepost::ports::clock::Clock as _;

    use super::OTHER;
    use crate::groups::{StillDemo, entries, text};

    #[tokio::test]
    async fn an_authenticator_app_takes_the_place_of_mailed_codes() {
        let demo = StillDemo::start().await;
        let key = Some(demo.text("otherApiKey"));
        let bare = demo.by(key, "GetTwoFactorStatus", &json!({})).await.ok();
        assert_eq!(bare["stepUpMethods"], json!(["TWO_FACTOR_METHOD_EMAIL"]));
        demo.prove_by_mail(demo.text("otherApiKey"), OTHER).await;

        let begun = demo.by(key, "BeginTOTPEnrollment", &json!({})).await.ok();
        let code = Rfc6238::code(text(&begun["secret"]), SystemClock.now()).unwrap();
        let confirm = json!({ "enrollmentId": begun["enrollmentId"], "code": code.expose_secret() });
        let confirmed = demo.by(key, "ConfirmTOTPEnrollment", &confirm).await.ok();
        let codes = entries(&confirmed["recoveryCodes"]);
        let asked = demo.by(key, "BeginStepUp", &json!({})).await.ok();
        let methods = json!(["TWO_FACTOR_METHOD_TOTP", "TWO_FACTOR_METHOD_RECOVERY_CODE"]);
        assert_eq!(asked["allowedMethods"], methods);
        let answer = json!({
            "challengeId": asked["challengeId"], "method": "TWO_FACTOR_METHOD_RECOVERY_CODE", "code": codes[0],
        });
        demo.by(key, "CompleteStepUp", &answer).await.ok();
        let enrolled = demo.by(key, "GetTwoFactorStatus", &json!({})).await.ok();
        assert_eq!((&enrolled["totpEnabled"], &enrolled["recoveryCodesLeft"]), (&json!(true), &json!(codes.len() - 1)));

        demo.by(key, "DisableTOTP", &json!({})).await.ok();
        let disabled = demo.by(key, "GetTwoFactorStatus", &json!({})).await.ok();
        assert_eq!((&disabled["totpEnabled"], &disabled["recoveryCodesLeft"]), (&json!(false), &json!(0)));
    }
}

mod account_linking {
    use serde_json::json;

    use super::NEW_PASSWORD;
    use crate::groups::StillDemo;

    const CHATTER: &str = "chatter@example.com";

    #[tokio::test]
    async fn a_user_of_another_platform_gets_an_address_and_unlinks_the_platform() {
        let demo = StillDemo::start().await;
        let key = Some(demo.text("linkedOnlyApiKey"));
        let linked = demo.by(key, "ListLinkedAccounts", &json!({})).await.ok();
        assert_eq!(linked["linkedAccounts"][0]["provider"], "LINK_PROVIDER_DISCORD", "{linked}");
        let unlink = json!({ "linkedAccountId": linked["linkedAccounts"][0]["id"] });
        let last = demo.by(key, "UnlinkAccount", &unlink).await;
        last.assert_refused("failed_precondition", "LAST_SIGN_IN_METHOD");

        let address = json!({ "email": CHATTER, "password": NEW_PASSWORD, "botCheckToken": "development" });
        demo.by(key, "AddEmailCredential", &address).await.ok();
        let verify = json!({ "token": demo.mailbox().token(CHATTER, "verify"), "password": NEW_PASSWORD });
        demo.by(None, "VerifyEmail", &verify).await.ok();
        demo.by(key, "UnlinkAccount", &unlink).await.assert_refused("failed_precondition", "STEP_UP_REQUIRED");
        demo.prove_by_mail(demo.text("linkedOnlyApiKey"), CHATTER).await;
        demo.by(key, "UnlinkAccount", &unlink).await.ok();
        assert_eq!(demo.by(key, "ListLinkedAccounts", &json!({})).await.ok(), json!({}));
        demo.sign_in(CHATTER, NEW_PASSWORD).await;
    }
}

mod usage {
    use serde_json::{Value, json};

    use crate::groups::{StillDemo, entries};

    const CALLS: usize = 7;

    #[tokio::test]
    async fn the_calls_of_a_key_are_counted() {
        let demo = StillDemo::start().await;
        let quotas = demo.ask("GetQuotas", json!({})).await;
        assert!(entries(&quotas["rates"]).iter().any(|rate| rate["name"] == "trade"), "{quotas}");
        let keys = demo.call("CountAPIKeys", json!({})).await;
        assert!(quotas["apiKeys"]["used"].as_i64() <= keys["count"].as_i64(), "{quotas}");
        for _ in 0..CALLS {
            let of_reader = Some(demo.text("readOnlyApiKey"));
            demo.by(of_reader, "CountPools", &demo.here(json!({}))).await.ok();
        }
        // Counts are stored every half minute.
        let by_operation = json!({
            "granularity": "USAGE_GRANULARITY_DAY", "groupBy": ["USAGE_GROUP_API_KEY", "USAGE_GROUP_OPERATION"],
        });
        let of_pools = |point: &&Value| {
            point["operation"] == "CountPools" && point["requests"].as_str() == Some(&CALLS.to_string())
        };
        let has_all = |answer: &Value| entries(&answer["points"]).iter().any(|point| of_pools(&point));
        let used = demo.until("GetUsage", by_operation, has_all).await;
        let points = entries(&used["points"]);
        let key = points.iter().find(of_pools).map(|point| point["apiKeyId"].clone());
        let listed = demo.ask("ListKeyUsage", json!({})).await;
        assert!(entries(&listed["keys"]).iter().any(|used| Some(&used["apiKeyId"]) == key.as_ref()), "{listed}");
    }
}

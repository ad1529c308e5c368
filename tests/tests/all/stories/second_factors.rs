//! Enrolling second factors, and what each of them opens.

use serde_json::{Value, json};
use time::Duration;

use crate::harness::{Authenticator, Key, MEMBER, ORIGIN, OWNER, World, on_both_databases};

async fn current_user(world: &World, key: Key) -> Value {
    world.call(key, "GetCurrentUser", &json!({})).await.ok()
}

on_both_databases! {
    async fn an_authenticator_app_replaces_mailed_codes_once_it_is_confirmed(database) {
        let world = World::new(database).await;
        assert_eq!(current_user(&world, Key::Member).await["totpEnabled"], false);
        world.step_up(Key::Member, Some(MEMBER)).await;
        let begun = world.call(Key::Member, "BeginTOTPEnrollment", &json!({})).await.ok();
        let secret = begun["secret"].as_str().unwrap();
        assert!(begun["otpauthUrl"].as_str().unwrap().contains(&format!("secret={secret}")));
        let confirm = json!({ "enrollmentId": begun["enrollmentId"], "code": world.code_of(secret) });
        let confirmed = world.call(Key::Member, "ConfirmTOTPEnrollment", &confirm).await.ok();
        assert_eq!(confirmed["recoveryCodes"].as_array().unwrap().len(), 10);
        assert_eq!(current_user(&world, Key::Member).await["totpEnabled"], true);

        let mails = world.mailbox.to(MEMBER).len();
        let begun = world.call(Key::Member, "BeginStepUp", &json!({})).await.ok();
        assert_eq!(begun["allowedMethods"], json!(["TWO_FACTOR_METHOD_TOTP", "TWO_FACTOR_METHOD_RECOVERY_CODE"]));
        assert_eq!(world.mailbox.to(MEMBER).len(), mails, "no code is mailed to who has an app");
        world.clock.advance(Duration::seconds(30));
        let answer =
            json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_TOTP", "code": world.code_of(secret) });
        world.call(Key::Member, "CompleteStepUp", &answer).await.ok();
    }

    async fn a_recovery_code_replaces_a_lost_app_until_it_is_removed(database) {
        let world = World::new(database).await;
        let made = world.call(Key::Full, "RegenerateRecoveryCodes", &json!({})).await;
        assert_eq!(made.header("cache-control"), Some("no-store"));
        let begun = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        let answer = json!({
            "challengeId": begun["challengeId"],
            "method": "TWO_FACTOR_METHOD_RECOVERY_CODE",
            "code": made.ok()["recoveryCodes"][7],
        });
        world.call(Key::Unproven, "CompleteStepUp", &answer).await.ok();
        assert!(world.mailbox.latest(OWNER).contains("Codes left: 9."));
        let again = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        let used = json!({ "challengeId": again["challengeId"], "method": answer["method"], "code": answer["code"] });
        world.call(Key::Unproven, "CompleteStepUp", &used).await.assert_refused("permission_denied", "CODE_MISMATCH");

        world.call(Key::Unproven, "DisableTOTP", &json!({})).await.ok();
        let status = world.call(Key::Unproven, "GetTwoFactorStatus", &json!({})).await.ok();
        assert_eq!((&status["totpEnabled"], &status["recoveryCodesLeft"]), (&json!(false), &json!(0)));
        let begun = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        assert_eq!(begun["allowedMethods"], json!(["TWO_FACTOR_METHOD_EMAIL"]));
    }

    async fn a_code_works_once(database) {
        let world = World::new(database).await;
        let first = world.step_up_answer(Key::Unproven, None).await;
        world.call(Key::Unproven, "CompleteStepUp", &first).await.ok();
        let again = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        let used = json!({ "challengeId": again["challengeId"], "method": first["method"], "code": first["code"] });
        world.call(Key::Unproven, "CompleteStepUp", &used).await.assert_refused("permission_denied", "CODE_MISMATCH");
    }

    async fn a_challenge_ends_after_five_wrong_codes(database) {
        let world = World::new(database).await;
        let answer = world.step_up_answer(Key::Unproven, None).await;
        let wrong = json!({ "challengeId": answer["challengeId"], "method": answer["method"], "code": "no code" });
        for _ in 0..5 {
            world.call(Key::Unproven, "CompleteStepUp", &wrong).await.assert_refused("permission_denied", "CODE_MISMATCH");
        }
        let right = world.call(Key::Unproven, "CompleteStepUp", &answer).await;
        right.assert_refused("failed_precondition", "CHALLENGE_EXHAUSTED");
    }

    async fn a_step_up_opens_one_key_for_ten_minutes(database) {
        let world = World::new(database).await;
        world.step_up(Key::Unproven, None).await;
        let create = json!({ "name": "A key" });
        world.clock.advance(Duration::seconds(599));
        world.call(Key::Unproven, "CreateAPIKey", &create).await.ok();
        world.call(Key::NoIdentity, "CreateAPIKey", &create).await.assert_refused("failed_precondition", "STEP_UP_REQUIRED");
        world.clock.advance(Duration::seconds(1));
        world.call(Key::Unproven, "CreateAPIKey", &create).await.assert_refused("failed_precondition", "STEP_UP_REQUIRED");
    }

    async fn a_passkey_is_registered_by_real_webauthn(database) {
        let world = World::new(database).await;
        assert_eq!(current_user(&world, Key::Full).await["hasPasskey"], false);
        let finish = world.begun_passkey(Key::Full).await;
        let finished = world.call(Key::Full, "FinishPasskeyRegistration", &finish).await.ok();
        assert_eq!(finished["passkey"]["name"], "Laptop");
        assert_eq!(current_user(&world, Key::Full).await["hasPasskey"], true);

        let again = world.call(Key::Full, "FinishPasskeyRegistration", &finish).await;
        again.assert_refused("failed_precondition", "CHALLENGE_INVALID");
        let next = world.call(Key::Full, "BeginPasskeyRegistration", &json!({ "name": "Phone" })).await.ok();
        let options: Value = serde_json::from_str(next["options"].as_str().unwrap()).unwrap();
        assert_eq!(options["publicKey"]["excludeCredentials"].as_array().unwrap().len(), 1);
    }

    async fn an_answer_from_another_site_is_refused(database) {
        let world = World::new(database).await;
        let begun = world.call(Key::Full, "BeginPasskeyRegistration", &json!({ "name": "Laptop" })).await.ok();
        let options = begun["options"].as_str().unwrap();
        let elsewhere = json!({ "credential": Authenticator::default().register("https://phish.example.com", options) });
        let refused = world.call(Key::Full, "FinishPasskeyRegistration", &elsewhere).await;
        refused.assert_refused("invalid_argument", "CREDENTIAL_REFUSED");
        let here = json!({ "credential": Authenticator::default().register(ORIGIN, options) });
        world.call(Key::Full, "FinishPasskeyRegistration", &here).await.ok();
    }

    async fn a_passkey_steps_up_once_with_each_answer(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let begun = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        let methods = ["TOTP", "PASSKEY", "RECOVERY_CODE"].map(|method| format!("TWO_FACTOR_METHOD_{method}"));
        assert_eq!(begun["allowedMethods"], json!(methods));
        let answer = world.passkey_answer(Key::Unproven, &mut authenticator).await;
        let done = world.call(Key::Unproven, "CompleteStepUp", &answer).await.ok();
        let status = world.call(Key::Unproven, "GetStepUpStatus", &json!({})).await.ok();
        assert_eq!(done["verifiedUntil"], status["verifiedUntil"]);
        let listed = world.call(Key::Unproven, "ListPasskeys", &json!({})).await.ok();
        assert!(listed["passkeys"][0]["lastUsedAt"].is_string(), "{listed}");
        let again = world.call(Key::Unproven, "CompleteStepUp", &answer).await;
        again.assert_refused("failed_precondition", "CHALLENGE_INVALID");
    }

    async fn a_copied_passkey_is_found_out_by_its_counter(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let early = world.passkey_answer(Key::Unproven, &mut authenticator).await;
        let late = world.passkey_answer(Key::Unproven, &mut authenticator).await;
        world.call(Key::Unproven, "CompleteStepUp", &late).await.ok();
        let copied = world.call(Key::Unproven, "CompleteStepUp", &early).await;
        copied.assert_refused("permission_denied", "PASSKEY_COMPROMISED");
        assert!(world.mailbox.latest(OWNER).contains("\"Laptop\""));
        let listed = world.call(Key::Unproven, "ListPasskeys", &json!({})).await.ok();
        assert!(listed["passkeys"][0]["disabledAt"].is_string(), "{listed}");
        assert_eq!(current_user(&world, Key::Full).await["hasPasskey"], false);
    }

    async fn a_passkey_is_of_no_use_on_another_site(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let challenge = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok()["challengeId"].clone();
        let begun = world.call(Key::Unproven, "BeginStepUpPasskey", &json!({ "challengeId": challenge })).await.ok();
        let credential = authenticator.prove("https://phish.example.com", begun["options"].as_str().unwrap());
        let answer = json!({ "challengeId": challenge, "method": "TWO_FACTOR_METHOD_PASSKEY", "credential": credential });
        let refused = world.call(Key::Unproven, "CompleteStepUp", &answer).await;
        refused.assert_refused("permission_denied", "CREDENTIAL_REFUSED");
    }
}

//! Signing in with a passkey, and what is made of an answer that proves nothing.

use serde_json::{Value, json};

use crate::harness::{Answer, Authenticator, Key, MEMBER, ORIGIN, OWNER, PASSWORD, World, changed, on_both_databases};

async fn finish(world: &World, answer: &Value) -> Answer {
    world.client.call(None, "FinishPasskeySignIn", answer).await
}

/// What an answer that is refused must leave as it is.
async fn state(world: &World) -> [Value; 2] {
    let mut state = [Value::Null, Value::Null];
    for (kept, method) in state.iter_mut().zip(["ListPasskeys", "ListSessions"]) {
        *kept = world.call(Key::Full, method, &json!({})).await.ok();
    }
    state
}

/// Asks for a passkey and answers with options and answer tampered with.
async fn tampered(
    world: &World,
    authenticator: &mut Authenticator,
    origin: &str,
    [options, answer]: [fn(&mut Value); 2],
) -> Value {
    let begun = world.client.call(None, "BeginPasskeySignIn", &json!({})).await.ok();
    let asked = changed(begun["options"].as_str().unwrap(), options);
    let credential = changed(&authenticator.sign_in(origin, &asked), answer);
    json!({ "challengeId": begun["challengeId"], "credential": credential })
}

async fn methods_of(world: &World, token: &Value) -> Value {
    let listed = world.client.call(token.as_str(), "ListSessions", &json!({})).await.ok();
    let mut sessions = listed["sessions"].as_array().unwrap().iter();
    sessions.find(|session| session["current"] == true).unwrap()["methods"].clone()
}

const AS_IT_IS: fn(&mut Value) = |_| ();

on_both_databases! {
    async fn a_passkey_signs_in_alone_and_each_answer_once(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let answer = world.passkey_sign_in(&mut authenticator).await;
        let signed_in = finish(&world, &answer).await;
        assert_eq!(signed_in.header("cache-control"), Some("no-store"));
        let signed_in = signed_in.ok();
        assert_eq!(signed_in["user"]["email"], OWNER);
        assert_eq!(methods_of(&world, &signed_in["sessionToken"]).await, json!(["SIGN_IN_METHOD_PASSKEY"]));
        let before = state(&world).await;
        finish(&world, &answer).await.assert_refused("failed_precondition", "CHALLENGE_INVALID");
        assert_eq!(state(&world).await, before);
    }

    async fn an_answer_that_proves_nothing_signs_nobody_in_and_changes_nothing(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let before = state(&world).await;
        let elsewhere = "https://phish.example.com";
        let domain: fn(&mut Value) = |options| options["publicKey"]["rpId"] = json!("trade.example.com");
        let unverified: fn(&mut Value) = |options| options["publicKey"]["userVerification"] = json!("discouraged");
        let challenge: fn(&mut Value) = |options| options["publicKey"]["challenge"] = json!("AAAAAAAAAAAAAAAAAAAAAA");
        let nobody: fn(&mut Value) = |answer| answer["response"]["userHandle"] = json!("CQkJCQkJCQkJCQkJCQkJCQ");
        let other: fn(&mut Value) = |answer| {
            answer["id"] = json!("CQkJCQkJCQkJCQkJCQkJCQ");
            answer["rawId"] = answer["id"].clone();
        };
        for (what, origin, change) in [
            ("another site", elsewhere, [AS_IT_IS; 2]),
            ("another domain", ORIGIN, [domain, AS_IT_IS]),
            ("an unverified person", ORIGIN, [unverified, AS_IT_IS]),
            ("another question", ORIGIN, [challenge, AS_IT_IS]),
            ("another user", ORIGIN, [AS_IT_IS, nobody]),
            ("another passkey", ORIGIN, [AS_IT_IS, other]),
        ] {
            let answer = tampered(&world, &mut authenticator, origin, change).await;
            let refused = finish(&world, &answer).await;
            assert_eq!(refused.status, 401, "{what}: {}", refused.body);
            refused.assert_refused("unauthenticated", "CREDENTIAL_REFUSED");
            assert_eq!(state(&world).await, before, "{what}");
        }
        assert!(finish(&world, &world.passkey_sign_in(&mut authenticator).await).await.status == 200);
    }

    async fn the_passkey_of_one_user_does_not_sign_in_another(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        world.step_up(Key::Member, Some(MEMBER)).await;
        let mut of_member = world.registered(Key::Member).await;
        let before = state(&world).await;
        let own = world.passkey_sign_in(&mut authenticator).await;
        let foreign: Value = serde_json::from_str(&of_member.sign_in(ORIGIN, &begun_options(&world).await)).unwrap();
        let claimed = changed(own["credential"].as_str().unwrap(), |answer| {
            answer["response"]["userHandle"] = foreign["response"]["userHandle"].clone();
        });
        let claim = json!({ "challengeId": own["challengeId"], "credential": claimed });
        finish(&world, &claim).await.assert_refused("unauthenticated", "CREDENTIAL_REFUSED");
        assert_eq!(state(&world).await, before);
    }

    async fn a_copied_passkey_no_longer_signs_in_and_its_user_is_notified(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        let early = world.passkey_sign_in(&mut authenticator).await;
        let late = world.passkey_sign_in(&mut authenticator).await;
        finish(&world, &late).await.ok();
        finish(&world, &early).await.assert_refused("unauthenticated", "PASSKEY_COMPROMISED");
        assert!(world.mailbox.latest(OWNER).contains("\"Laptop\""));
        let [passkeys, _] = state(&world).await;
        assert!(passkeys["passkeys"][0]["disabledAt"].is_string(), "{passkeys}");
        let next = world.passkey_sign_in(&mut authenticator).await;
        finish(&world, &next).await.assert_refused("unauthenticated", "CREDENTIAL_REFUSED");
    }

    async fn who_has_a_password_and_a_passkey_is_asked_for_both(database) {
        let world = World::new(database).await;
        world.step_up(Key::Member, Some(MEMBER)).await;
        let mut authenticator = world.registered(Key::Member).await;
        let request = json!({ "email": MEMBER, "password": PASSWORD });
        let asked = world.client.call(None, "SignIn", &request).await.ok();
        assert_eq!((&asked["sessionToken"], &asked["allowedMethods"]), (&json!(""), &json!(["TWO_FACTOR_METHOD_PASSKEY"])));
        let answer = json!({
            "challengeId": asked["challengeId"],
            "method": "TWO_FACTOR_METHOD_PASSKEY",
            "credential": authenticator.prove(ORIGIN, asked["passkeyOptions"].as_str().unwrap()),
        });
        let completed = world.client.call(None, "CompleteSignIn", &answer).await.ok();
        let methods = json!(["SIGN_IN_METHOD_PASSWORD", "SIGN_IN_METHOD_PASSKEY"]);
        assert_eq!(methods_of(&world, &completed["sessionToken"]).await, methods);
        let again = world.client.call(None, "CompleteSignIn", &answer).await;
        again.assert_refused("failed_precondition", "CHALLENGE_INVALID");
    }
}

async fn begun_options(world: &World) -> String {
    let begun = world.client.call(None, "BeginPasskeySignIn", &json!({})).await.ok();
    begun["options"].as_str().unwrap().to_owned()
}

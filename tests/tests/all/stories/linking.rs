//! Linking identities of other platforms and signing in with them, at a platform that keeps the protocols and at one that does
//! not: whatever it does, the answer says what happened and nothing is half done.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tradepost_ports::clock::Clock as _;

use crate::cases::merged;
use crate::harness::platform::{nonce, query_of};
use crate::harness::{Answer, Database, Key, Manner, OWNER, Platform, REDIRECT, Setup, World, on_both_databases};

const DISCORD: &str = "LINK_PROVIDER_DISCORD";
const STEAM: &str = "LINK_PROVIDER_STEAM";
const CHATTER: &str = "80351110224678999";
const PLAYER: &str = "76561198000000001";

/// A world and the platform that it asks.
struct Linked {
    world: World,
    platform: Platform,
}

impl Linked {
    async fn on(database: Database) -> Self {
        let platform = Platform::start().await;
        let setup = Setup { linking: platform.client(Duration::from_secs(5)), ..Setup::default() };
        Self { world: World::made_with(database, setup).await, platform }
    }

    /// One whose patience with the platform is short.
    async fn impatient(database: Database) -> Self {
        let platform = Platform::start().await;
        let setup = Setup { linking: platform.client(Duration::from_millis(300)), ..Setup::default() };
        Self { world: World::made_with(database, setup).await, platform }
    }

    /// Begins a link; gives what names it, and where the browser is sent.
    async fn begin(&self, method: &str, provider: &str) -> (Value, String) {
        let request = json!({ "provider": provider, "redirectUri": REDIRECT });
        let begun = self.world.call(Key::Full, method, &request).await.ok();
        let url = begun["authorizationUrl"].as_str().unwrap().to_owned();
        (json!({ "linkId": begun["linkId"] }), url)
    }

    /// Begins a link, and has the person agree; gives the request that finishes it.
    async fn agreed(&self, method: &str, provider: &str, subject: &str) -> Value {
        let (link, url) = self.begin(method, provider).await;
        let brought = match provider {
            DISCORD => self.platform.agree(&url, subject),
            _ => self.platform.assert(&url, subject, &self.nonce(link["linkId"].as_str().unwrap())),
        };
        merged(link, &brought)
    }

    fn nonce(&self, salt: &str) -> String {
        nonce(self.world.clock.now(), salt)
    }

    async fn finish(&self, method: &str, request: &Value) -> Answer {
        self.world.call(Key::Full, method, request).await
    }

    /// Calls in vain; nothing is written.
    async fn refused(&self, method: &str, request: &Value, code: &str, reason: &str) -> Answer {
        let before = self.world.contents().await;
        let answer = self.finish(method, request).await;
        answer.assert_refused(code, reason);
        assert_eq!(self.world.contents().await, before, "{reason}");
        answer
    }
}

/// The answer of OpenID with one of its fields changed, or taken out.
fn forged(request: &Value, field: &str, value: Option<&str>) -> Value {
    let brought = request["openIdParams"].as_str().unwrap();
    let mut fields: BTreeMap<String, String> = query_of(&format!("http://localhost/?{brought}"));
    fields.remove(field);
    fields.extend(value.map(|value| (field.to_owned(), value.to_owned())));
    let mut url = reqwest::Url::parse("http://localhost/").unwrap();
    url.query_pairs_mut().extend_pairs(&fields);
    merged(request.clone(), &json!({ "openIdParams": url.query().unwrap() }))
}

on_both_databases! {
    async fn an_identity_of_either_platform_is_linked_listed_and_unlinked(database) {
        let linked = Linked::on(database).await;
        for (provider, subject) in [(DISCORD, CHATTER), (STEAM, PLAYER)] {
            let request = linked.agreed("BeginAccountLink", provider, subject).await;
            let answer = linked.finish("FinishAccountLink", &request).await.ok()["linkedAccount"].clone();
            assert_eq!((&answer["provider"], &answer["subject"]), (&json!(provider), &json!(subject)));
            assert!(linked.world.mailbox.latest(OWNER).contains("was linked"), "{provider}");
            let own = linked.finish("ListLinkedAccounts", &json!({})).await.ok();
            assert_eq!(own["linkedAccounts"], json!([answer]));
            linked.finish("UnlinkAccount", &json!({ "linkedAccountId": answer["id"] })).await.ok();
            assert_eq!(linked.finish("ListLinkedAccounts", &json!({})).await.ok(), json!({}));
        }
    }

    async fn a_new_identity_signs_in_as_a_new_user_who_then_gets_an_address(database) {
        let linked = Linked::on(database).await;
        for (provider, subject, name) in [(DISCORD, CHATTER, "Ada"), (STEAM, PLAYER, "Steam user")] {
            let request = linked.agreed("BeginLinkedSignIn", provider, subject).await;
            let first = linked.finish("FinishLinkedSignIn", &request).await.ok();
            assert_eq!((&first["user"]["email"], &first["user"]["displayName"]), (&json!(""), &json!(name)));
            let request = linked.agreed("BeginLinkedSignIn", provider, subject).await;
            let second = linked.finish("FinishLinkedSignIn", &request).await.ok();
            assert_eq!(first["user"], second["user"], "the same person");
            let token = second["sessionToken"].as_str().unwrap();
            let address = format!("{subject}@example.com");
            let request = json!({
                "email": address,
                "password": "nine quiet herons cross the marsh",
                "botCheckToken": "development",
            });
            linked.world.client.call(Some(token), "AddEmailCredential", &request).await.ok();
            let verify = json!({
                "token": linked.world.mailbox.token(&address, "verify"),
                "password": "nine quiet herons cross the marsh",
            });
            linked.world.client.call(None, "VerifyEmail", &verify).await.ok();
        }
    }

    async fn an_identity_is_no_way_around_the_authenticator_app(database) {
        let linked = Linked::on(database).await;
        let request = linked.agreed("BeginAccountLink", STEAM, PLAYER).await;
        linked.finish("FinishAccountLink", &request).await.ok();
        let request = linked.agreed("BeginLinkedSignIn", STEAM, PLAYER).await;
        let asked = linked.finish("FinishLinkedSignIn", &request).await.ok();
        assert_eq!(asked["sessionToken"], "");
        let complete = json!({
            "challengeId": asked["challengeId"],
            "method": "TWO_FACTOR_METHOD_TOTP",
            "code": linked.world.totp_code(),
        });
        let signed_in = linked.world.client.call(None, "CompleteSignIn", &complete).await.ok();
        let token = signed_in["sessionToken"].as_str();
        let sessions = linked.world.client.call(token, "ListSessions", &json!({})).await.ok();
        let current = sessions["sessions"].as_array().unwrap().iter().find(|session| session["current"] == true);
        assert_eq!(
            current.unwrap()["methods"],
            json!(["SIGN_IN_METHOD_TOTP", "SIGN_IN_METHOD_LINKED_IDENTITY"])
        );
    }

    async fn a_link_is_finished_once_and_by_who_began_it(database) {
        let linked = Linked::on(database).await;
        let request = linked.agreed("BeginAccountLink", STEAM, PLAYER).await;
        let by_another = linked.world.call(Key::Unproven, "FinishAccountLink", &request).await;
        by_another.assert_refused("failed_precondition", "LINK_INVALID");
        linked.refused("FinishLinkedSignIn", &request, "failed_precondition", "LINK_INVALID").await;
        linked.finish("FinishAccountLink", &request).await.ok();
        linked.refused("FinishAccountLink", &request, "failed_precondition", "LINK_INVALID").await;
        let late = linked.agreed("BeginAccountLink", DISCORD, CHATTER).await;
        linked.world.clock.advance(time::Duration::minutes(10));
        linked.refused("FinishAccountLink", &late, "failed_precondition", "LINK_INVALID").await;
    }

    async fn an_answer_of_oauth_that_belongs_to_another_question_is_refused_unasked(database) {
        let linked = Linked::on(database).await;
        let one = linked.agreed("BeginLinkedSignIn", DISCORD, CHATTER).await;
        let other = linked.agreed("BeginLinkedSignIn", DISCORD, "80351110224678000").await;
        for wrong in [
            json!({ "state": other["state"] }),
            json!({ "linkId": other["linkId"] }),
            json!({ "iss": "https://other.example.com" }),
            json!({ "iss": "" }),
            json!({ "code": "", "openIdParams": "openid.mode=id_res" }),
        ] {
            let request = merged(one.clone(), &wrong);
            linked.refused("FinishLinkedSignIn", &request, "failed_precondition", "LINK_INVALID").await;
        }
        assert_eq!(linked.platform.calls(), 0);
    }

    async fn a_code_that_is_replayed_stolen_or_made_up_is_denied(database) {
        let linked = Linked::on(database).await;
        let used = linked.agreed("BeginLinkedSignIn", DISCORD, CHATTER).await;
        linked.finish("FinishLinkedSignIn", &used).await.ok();
        let own = linked.agreed("BeginLinkedSignIn", DISCORD, "80351110224678000").await;
        let stolen = linked.agreed("BeginLinkedSignIn", DISCORD, CHATTER).await;
        for code in [&used["code"], &stolen["code"], &json!("made up")] {
            let request = merged(own.clone(), &json!({ "code": code }));
            linked.refused("FinishLinkedSignIn", &request, "failed_precondition", "PROVIDER_DENIED").await;
        }
        linked.finish("FinishLinkedSignIn", &own).await.ok();
    }

    async fn a_forged_assertion_is_refused(database) {
        let linked = Linked::on(database).await;
        let request = linked.agreed("BeginLinkedSignIn", STEAM, PLAYER).await;
        let elsewhere = format!("https://steam.example.com/openid/id/{PLAYER}");
        let longer = format!("{}1", linked.platform.identity(PLAYER));
        let below = linked.platform.identity(&format!("x/{PLAYER}"));
        let unsigned = "op_endpoint,identity,return_to,response_nonce,assoc_handle";
        let old = nonce(linked.world.clock.now().plus(time::Duration::minutes(-10)), "");
        let early = nonce(linked.world.clock.now().plus(time::Duration::minutes(3)), "");
        for (field, value) in [
            ("openid.op_endpoint", Some("https://steam.example.com/openid/login")),
            ("openid.return_to", Some(REDIRECT)),
            ("openid.return_to", None),
            ("openid.claimed_id", Some(elsewhere.as_str())),
            ("openid.claimed_id", Some(longer.as_str())),
            ("openid.claimed_id", Some(below.as_str())),
            ("openid.identity", Some(elsewhere.as_str())),
            ("openid.signed", Some(unsigned)),
            ("openid.signed", None),
            ("openid.response_nonce", Some(old.as_str())),
            ("openid.response_nonce", Some(early.as_str())),
            ("openid.response_nonce", Some("not a time")),
            ("openid.mode", Some("checkid_setup")),
            ("openid.ns", Some("http://openid.net/signon/1.1")),
        ] {
            let request = forged(&request, field, value);
            linked.refused("FinishLinkedSignIn", &request, "failed_precondition", "LINK_INVALID").await;
        }
        let twice = format!("{}&openid.mode=id_res", request["openIdParams"].as_str().unwrap());
        let twice = merged(request.clone(), &json!({ "openIdParams": twice }));
        linked.refused("FinishLinkedSignIn", &twice, "failed_precondition", "LINK_INVALID").await;
        assert_eq!(linked.platform.calls(), 0, "nothing of this has to be asked");
        let other = linked.platform.identity("76561198000000009");
        let renamed = forged(&forged(&request, "openid.claimed_id", Some(&other)), "openid.identity", Some(&other));
        linked.refused("FinishLinkedSignIn", &renamed, "failed_precondition", "PROVIDER_DENIED").await;
        let cancelled = forged(&request, "openid.mode", Some("cancel"));
        linked.refused("FinishLinkedSignIn", &cancelled, "failed_precondition", "PROVIDER_DENIED").await;
        linked.finish("FinishLinkedSignIn", &request).await.ok();
    }

    async fn a_nonce_is_taken_once_whatever_the_platform_signs(database) {
        let linked = Linked::on(database).await;
        let nonce = linked.nonce("the same");
        let (link, url) = linked.begin("BeginLinkedSignIn", STEAM).await;
        let first = merged(link, &linked.platform.assert(&url, PLAYER, &nonce));
        linked.finish("FinishLinkedSignIn", &first).await.ok();
        let (link, url) = linked.begin("BeginLinkedSignIn", STEAM).await;
        let again = merged(link, &linked.platform.assert(&url, PLAYER, &nonce));
        linked.refused("FinishLinkedSignIn", &again, "failed_precondition", "LINK_INVALID").await;
    }

    async fn an_identity_of_somebody_else_is_not_linked(database) {
        let linked = Linked::on(database).await;
        let theirs = linked.agreed("BeginLinkedSignIn", STEAM, PLAYER).await;
        linked.finish("FinishLinkedSignIn", &theirs).await.ok();
        let request = linked.agreed("BeginAccountLink", STEAM, PLAYER).await;
        linked.refused("FinishAccountLink", &request, "already_exists", "IDENTITY_TAKEN").await;
    }

    async fn a_platform_that_refuses_is_believed_and_one_without_sense_is_an_outage(database) {
        let linked = Linked::impatient(database).await;
        for provider in [DISCORD, STEAM] {
            linked.platform.behave(Manner::Honest);
            let request = linked.agreed("BeginLinkedSignIn", provider, PLAYER).await;
            linked.platform.behave(Manner::Refusing);
            linked.refused("FinishLinkedSignIn", &request, "failed_precondition", "PROVIDER_DENIED").await;
            for manner in [Manner::Silent, Manner::Senseless, Manner::Endless, Manner::Redirecting] {
                linked.platform.behave(manner);
                let calls = linked.platform.calls();
                let answer =
                    linked.refused("FinishLinkedSignIn", &request, "internal", "PROVIDER_UNAVAILABLE").await;
                assert_eq!(answer.header("retry-after"), Some("5"), "{manner:?}");
                assert_eq!(linked.platform.calls(), calls + 1, "nobody is followed elsewhere: {manner:?}");
            }
            linked.platform.behave(Manner::Honest);
            linked.finish("FinishLinkedSignIn", &request).await.ok();
        }
    }

    async fn an_answer_that_comes_many_times_at_once_signs_in_once(database) {
        let linked = Linked::on(database).await;
        let request = linked.agreed("BeginLinkedSignIn", STEAM, PLAYER).await;
        let answers = futures::future::join_all((0..16).map(|_| linked.finish("FinishLinkedSignIn", &request))).await;
        let (good, bad): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!((good.len(), bad.len()), (1, 15));
        for answer in bad {
            answer.assert_refused("failed_precondition", "LINK_INVALID");
        }
    }

    async fn what_is_kept_of_a_question_is_sealed(database) {
        let linked = Linked::on(database).await;
        let (_, url) = linked.begin("BeginLinkedSignIn", DISCORD).await;
        let stored = format!("{:?}", linked.world.contents().await);
        assert!(stored.contains("account_links") && !stored.contains(&query_of(&url)["state"]));
    }
}

//! Refusals that one call does not meet: a limit that is reached, a state that others brought about, a service that is out. Code and
//! reason, and nothing changed.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use time::Duration;
use tradepost::limits::Quotas;
use tradepost_adapters_linking::{LinkingSettings, Platforms};
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::{Quota, RateClass};
use tradepost_testkit::fakes::{FakeBotCheck, FakeLinking};
use tradepost_testkit::samples::Samples;

use crate::cases::merged;
use crate::harness::{Answer, Key, MEMBER, OWNER, PASSWORD, Setup, World, generous, on_both_databases};

/// How long to wait for a platform that is not called.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);
const WRONG: Refusal = Refusal { code: "unauthenticated", reason: "WRONG_CREDENTIALS" };

/// The code and the reason of an answer.
#[derive(Clone, Copy)]
struct Refusal {
    code: &'static str,
    reason: &'static str,
}

impl World {
    async fn call_as(&self, token: Option<&str>, method: &str, body: &Value) -> Answer {
        self.client.call(token, method, body).await
    }

    /// Calls in vain; nothing is written.
    async fn refused(&self, token: Option<&str>, method: &str, body: &Value, refusal: Refusal) {
        let Refusal { code, reason } = refusal;
        let before = self.contents().await;
        self.call_as(token, method, body).await.assert_refused(code, reason);
        assert_eq!(self.contents().await, before, "{method} {reason}");
    }

    /// The token of a session of a new user, whom an identity of another platform made and who has no address.
    async fn newcomer(&self, identity: &str) -> String {
        let mut finish = self.begun_link(Key::Full, "BeginLinkedSignIn").await;
        finish["code"] = json!(FakeLinking::code_of(identity));
        let signed_in = self.call_as(None, "FinishLinkedSignIn", &finish).await.ok();
        signed_in["sessionToken"].as_str().unwrap().to_owned()
    }
}

fn sign_in(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password, "botCheckToken": "development" })
}

async fn sign_in_in_vain(world: &World, times: u32) {
    for _ in 0..times {
        let Refusal { code, reason } = WRONG;
        world.call_as(None, "SignIn", &sign_in(MEMBER, "wrong")).await.assert_refused(code, reason);
    }
}

const fn precondition(reason: &'static str) -> Refusal {
    Refusal { code: "failed_precondition", reason }
}

on_both_databases! {
    async fn after_five_wrong_passwords_a_person_shows_that_they_are_one(database) {
        let world = World::new(database).await;
        sign_in_in_vain(&world, 5).await;
        let right = json!({ "email": MEMBER, "password": PASSWORD });
        world.refused(None, "SignIn", &right, precondition("BOT_CHECK_REQUIRED")).await;
    }

    async fn after_a_hundred_wrong_passwords_only_known_devices_sign_in(database) {
        let world = World::new(database).await;
        let known = world.call_as(None, "SignIn", &sign_in(MEMBER, PASSWORD)).await.ok();
        sign_in_in_vain(&world, 100).await;
        let Refusal { code, reason } = WRONG;
        world.call_as(None, "SignIn", &sign_in(MEMBER, PASSWORD)).await.assert_refused(code, reason);
        let device = merged(sign_in(MEMBER, PASSWORD), &json!({ "deviceToken": known["deviceToken"] }));
        world.call_as(None, "SignIn", &device).await.ok();
        world.call_as(None, "SignIn", &sign_in(MEMBER, PASSWORD)).await.ok();
    }

    async fn an_invitation_is_not_accepted_after_seven_days(database) {
        let world = World::new(database).await;
        world.clock.advance(Duration::days(7));
        let accept = json!({ "membershipId": world.people.invitation.to_string() });
        let token = Some(world.token(Key::Full));
        world.refused(token, "AcceptMembership", &accept, precondition("INVITATION_EXPIRED")).await;
    }

    async fn after_ten_wrong_codes_of_a_key_its_right_one_is_not_checked_and_a_sessions_is(database) {
        let world = World::new(database).await;
        for _ in 0..10 {
            let wrong = merged(world.step_up_answer(Key::Unproven, None).await, &json!({ "code": "000000" }));
            let answer = world.call(Key::Unproven, "CompleteStepUp", &wrong).await;
            answer.assert_refused("permission_denied", "CODE_MISMATCH");
        }
        let right = world.step_up_answer(Key::Unproven, None).await;
        let answer = world.call(Key::Unproven, "CompleteStepUp", &right).await;
        answer.assert_refused("resource_exhausted", "RATE_LIMITED");
        // A day from the first code on; each was of a period of its own.
        assert_eq!(answer.header("retry-after"), Some(&*(86_400 - 10 * 30).to_string()));
        let right = world.step_up_answer(Key::UnprovenOwner, None).await;
        world.call(Key::UnprovenOwner, "CompleteStepUp", &right).await.ok();
    }

    async fn a_caller_that_guesses_from_one_network_has_to_wait(database) {
        let tight = Quota { calls: 1, window: std::time::Duration::from_secs(3_600), burst: 1 };
        let quotas: Quotas = generous().with(RateClass::PasswordNetwork, tight);
        let world = World::made_with(database, Setup { quotas, ..Setup::default() }).await;
        world.call_as(None, "SignIn", &sign_in(MEMBER, PASSWORD)).await.ok();
        let answer = world.call_as(None, "SignIn", &sign_in(OWNER, PASSWORD)).await;
        answer.assert_refused("resource_exhausted", "RATE_LIMITED");
        assert!(answer.header("retry-after").unwrap().parse::<u32>().unwrap() > 3_500);
    }

    async fn with_the_bot_check_out_nobody_comes_in_and_nothing_is_mailed(database) {
        let world = World::made_with(database, Setup { bot_check: Arc::new(FakeBotCheck), ..Setup::default() }).await;
        let out = Refusal { code: "internal", reason: "BOT_CHECK_UNAVAILABLE" };
        let address = json!({ "email": "ada@example.com", "botCheckToken": FakeBotCheck::OUT });
        let password = merged(address.clone(), &json!({ "password": "nine quiet herons cross the marsh" }));
        let account = merged(password.clone(), &json!({ "displayName": "Ada" }));
        world.refused(None, "SignUp", &account, out).await;
        world.refused(None, "ResendEmailVerification", &address, out).await;
        world.refused(None, "RequestPasswordReset", &address, out).await;
        world.refused(Some(world.token(Key::Chat)), "AddEmailCredential", &password, out).await;
    }

    async fn an_address_is_changed_once_a_day(database) {
        let world = World::new(database).await;
        let confirm = world.changed_email("moved@example.com", "confirm").await;
        world.call_as(None, "ConfirmEmailChange", &confirm).await.ok();
        let further = json!({ "newEmail": "further@example.com", "password": PASSWORD });
        world.refused(Some(world.token(Key::Full)), "ChangeEmail", &further, precondition("EMAIL_CHANGE_LOCKED")).await;
    }

    async fn somebody_without_an_address_makes_no_workspace(database) {
        let world = World::new(database).await;
        let token = world.newcomer("76561198000000003").await;
        let desk = json!({ "name": "A desk" });
        world.refused(Some(&token), "CreateWorkspace", &desk, precondition("EMAIL_NOT_VERIFIED")).await;
    }

    async fn somebody_without_a_factor_adds_a_way_in_only_after_a_late_sign_in(database) {
        let world = World::new(database).await;
        let token = world.newcomer("76561198000000003").await;
        world.clock.advance(Duration::minutes(10));
        let link = json!({ "provider": "LINK_PROVIDER_STEAM", "redirectUri": FakeLinking::REDIRECT });
        world.refused(Some(&token), "BeginAccountLink", &link, precondition("REAUTH_REQUIRED")).await;
    }

    async fn five_wrong_codes_end_an_enrolment(database) {
        let world = World::new(database).await;
        let right = world.begun_enrollment().await;
        let member = Some(world.token(Key::Member));
        for _ in 0..5 {
            let wrong = merged(right.clone(), &json!({ "code": "000000" }));
            let answer = world.call_as(member, "ConfirmTOTPEnrollment", &wrong).await;
            answer.assert_refused("permission_denied", "CODE_MISMATCH");
        }
        world.refused(member, "ConfirmTOTPEnrollment", &right, precondition("ENROLLMENT_EXHAUSTED")).await;
    }

    async fn the_owner_of_a_workspace_is_not_deleted(database) {
        let world = World::new(database).await;
        world.proven(Key::Owner, world.people.owner).await;
        world.refused(Some(world.token(Key::Owner)), "DeleteUser", &json!({}), precondition("OWNS_WORKSPACE")).await;
    }

    async fn a_user_has_twenty_passkeys_at_most(database) {
        let world = World::new(database).await;
        let full = Some(world.token(Key::Full));
        let mut registered = 0;
        let refused = loop {
            let finish = world.begun_passkey(Key::Full).await;
            let answer = world.call_as(full, "FinishPasskeyRegistration", &finish).await;
            if answer.status != 200 {
                break answer;
            }
            registered += 1;
            assert!(registered <= 20);
        };
        refused.assert_refused("failed_precondition", "PASSKEY_LIMIT");
    }

    async fn a_user_has_ten_identities_at_most(database) {
        let world = World::new(database).await;
        let mut finish = json!({});
        for number in 0..=10 {
            finish = world.begun_link(Key::Full, "BeginAccountLink").await;
            finish["code"] = json!(FakeLinking::code_of(&format!("7656119800000{number:04}")));
            if number < 10 {
                world.call(Key::Full, "FinishAccountLink", &finish).await.ok();
            }
        }
        world.refused(Some(world.token(Key::Full)), "FinishAccountLink", &finish, precondition("LINK_LIMIT")).await;
    }

    async fn a_key_gives_nobody_more_than_it_holds(database) {
        let world = World::new(database).await;
        let narrow = json!({ "name": "narrow", "policies": ["workspace"] });
        let raw = world.call(Key::Full, "CreateAPIKey", &narrow).await.ok()["rawKey"].as_str().unwrap().to_owned();
        let begun = world.call_as(Some(&raw), "BeginStepUp", &json!({})).await.ok();
        let answer = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_TOTP", "code": world.totp_code() });
        world.call_as(Some(&raw), "CompleteStepUp", &answer).await.ok();
        let workspace_id = world.people.workspace_id.to_string();
        let invite = |role: &str, policy: &str| {
            json!({ "workspaceId": workspace_id, "email": "ada@example.com", "role": role, "policies": [policy] })
        };
        let wider_key = json!({ "name": "wider", "policies": ["trading"] });
        let beyond = Refusal { code: "permission_denied", reason: "POLICIES_EXCEED_CALLER" };
        world.refused(Some(&raw), "CreateAPIKey", &wider_key, beyond).await;
        world.refused(Some(&raw), "InviteMember", &invite("MEMBERSHIP_ROLE_MEMBER", "trading"), beyond).await;
    }

    async fn an_admin_makes_no_admin(database) {
        let world = World::new(database).await;
        let workspace_id = world.people.workspace_id.to_string();
        let membership_id = world.people.membership.to_string();
        let role = "MEMBERSHIP_ROLE_ADMIN";
        let promote = json!({ "membershipId": membership_id, "role": role });
        world.call(Key::Full, "UpdateMembership", &promote).await.ok();
        let answer = world.step_up_answer(Key::Session, Some(MEMBER)).await;
        let proven = world.call(Key::Session, "CompleteStepUp", &answer).await.ok();
        let invite = json!({ "workspaceId": workspace_id, "email": "ada@example.com", "role": role });
        let beyond = Refusal { code: "permission_denied", reason: "ROLE_EXCEEDS_CALLER" };
        world.refused(proven["sessionToken"].as_str(), "InviteMember", &invite, beyond).await;
    }

    async fn a_platform_that_is_not_configured_is_not_offered(database) {
        let none = LinkingSettings {
            discord: None,
            steam: None,
            redirect_uris: vec![FakeLinking::REDIRECT.to_owned()],
            connect_timeout: PATIENCE,
            timeout: PATIENCE,
        };
        let linking = Arc::new(Platforms::new(none).unwrap());
        let world = World::made_with(database, Setup { linking, ..Setup::default() }).await;
        let link = json!({ "provider": "LINK_PROVIDER_STEAM", "redirectUri": FakeLinking::REDIRECT });
        let full = Some(world.token(Key::Full));
        world.refused(full, "BeginAccountLink", &link, precondition("PROVIDER_NOT_OFFERED")).await;
    }

    async fn who_has_no_identity_elsewhere_adds_no_address(database) {
        let world = World::new(database).await;
        let token = world.newcomer("76561198000000003").await;
        let newcomer = world.call_as(Some(&token), "GetCurrentUser", &json!({})).await.ok();
        let user_id = newcomer["user"]["id"].as_str().unwrap().parse().unwrap();
        let mut changes = Changes::by(&Caller::system());
        for identity in world.app.store().account_links().list_identities(user_id).await.unwrap() {
            changes.remove(identity);
        }
        world.app.store().commit(changes).await.unwrap();
        let password = "nine quiet herons cross the marsh";
        let add = json!({ "email": "ada@example.com", "password": password, "botCheckToken": "development" });
        world.refused(Some(&token), "AddEmailCredential", &add, precondition("NO_LINKED_IDENTITY")).await;
    }

    async fn a_passkey_that_somebody_has_is_not_registered_again(database) {
        let world = World::new(database).await;
        let finish = world.begun_passkey(Key::Full).await;
        let made: Value = serde_json::from_str(finish["credential"].as_str().unwrap()).unwrap();
        let credential_id = URL_SAFE_NO_PAD.decode(made["rawId"].as_str().unwrap()).unwrap();
        let mut changes = Changes::by(&Caller::system());
        changes.insert(Passkey { credential_id, ..Samples::default().passkey(world.people.other) });
        world.app.store().commit(changes).await.unwrap();
        let exists = Refusal { code: "already_exists", reason: "PASSKEY_EXISTS" };
        world.refused(Some(world.token(Key::Full)), "FinishPasskeyRegistration", &finish, exists).await;
    }

    async fn an_invitation_is_mailed_again_after_ten_minutes(database) {
        let world = World::new(database).await;
        let invite = json!({
            "workspaceId": world.people.workspace_id.to_string(),
            "email": "ada@example.com",
            "role": "MEMBERSHIP_ROLE_MEMBER",
        });
        let invited = world.call(Key::Full, "InviteMember", &invite).await.ok();
        let again = json!({ "membershipId": invited["membership"]["id"] });
        world.refused(Some(world.token(Key::Full)), "ResendInvitation", &again, precondition("RESEND_TOO_SOON")).await;
    }

    async fn a_deleted_workspace_is_not_changed(database) {
        let world = World::new(database).await;
        let change = merged(world.deleted_desk().await, &json!({ "name": "Back again" }));
        world.refused(Some(world.token(Key::Owner)), "UpdateWorkspace", &change, precondition("WORKSPACE_DELETED")).await;
    }

    async fn a_user_has_ten_workspaces_at_most(database) {
        let world = World::new(database).await;
        let (owner, desk) = (Some(world.token(Key::Owner)), json!({ "name": "Another desk" }));
        for _ in 1..10 {
            world.call_as(owner, "CreateWorkspace", &desk).await.ok();
        }
        world.refused(owner, "CreateWorkspace", &desk, precondition("WORKSPACE_LIMIT")).await;
    }

    async fn where_nobody_can_sign_up_no_identity_makes_a_user_either(database) {
        let world = World::made_with(database, Setup { sign_up: false, ..Setup::default() }).await;
        let sign_up = json!({
            "email": "ada@example.com",
            "password": "nine quiet herons cross the marsh",
            "displayName": "Ada",
            "botCheckToken": "development",
        });
        world.refused(None, "SignUp", &sign_up, precondition("SIGN_UP_CLOSED")).await;
        let mut finish = world.begun_link(Key::Full, "BeginLinkedSignIn").await;
        finish["code"] = json!(FakeLinking::code_of("76561198000000003"));
        world.refused(None, "FinishLinkedSignIn", &finish, precondition("SIGN_UP_CLOSED")).await;
    }
}

//! A workspace that asks more of its members and of their keys.

use serde_json::{Value, json};

use crate::cases::merged;
use crate::harness::{Key, MEMBER, World, on_both_databases};

async fn set(world: &World, settings: &Value) -> Value {
    let workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
    world.call(Key::Full, "UpdateWorkspace", &merged(workspace, settings)).await.ok()["settings"].clone()
}

/// The owner alone is left, who has an authenticator app.
async fn part_with_everybody_else(world: &World) {
    let workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
    let accepted = merged(workspace, &json!({ "status": "MEMBERSHIP_STATUS_ACCEPTED" }));
    let listed = world.call(Key::Full, "ListMemberships", &accepted).await.ok();
    let owner = world.people.owner_membership.to_string();
    for id in listed["membershipIds"].as_array().unwrap().iter().filter(|id| **id != owner.as_str()) {
        world.call(Key::Full, "RemoveMembership", &json!({ "membershipId": id })).await.ok();
    }
}

on_both_databases! {
    async fn a_workspace_of_people_with_two_factors_stays_one(database) {
        let world = World::new(database).await;
        part_with_everybody_else(&world).await;
        let invite = json!({
            "workspaceId": world.people.workspace_id.to_string(),
            "email": MEMBER,
            "role": "MEMBERSHIP_ROLE_MEMBER",
        });
        let invited = world.call(Key::Full, "InviteMember", &invite).await.ok();
        let settings = set(&world, &json!({ "requireTwoFactor": true })).await;
        assert_eq!(settings, json!({ "requireTwoFactor": true, "allowEmailStepUp": true }));

        let accept = json!({ "membershipId": invited["membership"]["id"] });
        let refused = world.call(Key::Session, "AcceptMembership", &accept).await;
        refused.assert_refused("failed_precondition", "TWO_FACTOR_REQUIRED");
        let refused = world.call(Key::Full, "DisableTOTP", &json!({})).await;
        refused.assert_refused("failed_precondition", "REQUIRED_BY_WORKSPACE");
        set(&world, &json!({ "requireTwoFactor": false })).await;
        world.call(Key::Session, "AcceptMembership", &accept).await.ok();
    }

    async fn keys_of_a_workspace_with_a_limit_say_when_they_end(database) {
        let world = World::new(database).await;
        let settings = set(&world, &json!({ "maxApiKeyLifetimeDays": 30 })).await;
        assert_eq!(settings["maxApiKeyLifetimeDays"], 30);
        let endless = json!({ "name": "Endless", "policies": ["trading"] });
        let refused = world.call(Key::Full, "CreateAPIKey", &endless).await;
        refused.assert_refused("failed_precondition", "EXPIRY_TOO_FAR");
        let rotate = json!({ "apiKeyId": world.people.keys.id(Key::Reader).to_string() });
        let rotated = world.call(Key::Full, "RotateAPIKey", &rotate).await.ok();
        assert!(rotated["apiKey"]["expiresAt"].is_string(), "{rotated}");
    }

    async fn a_workspace_can_refuse_codes_that_were_mailed(database) {
        let world = World::new(database).await;
        let (member, reader) = (world.people.membership.to_string(), world.people.guest.to_string());
        let rights = json!({ "membershipId": member, "policies": ["workspace"] });
        world.call(Key::Full, "UpdateMembership", &rights).await.ok();
        world.step_up(Key::Member, Some(MEMBER)).await;
        set(&world, &json!({ "allowEmailStepUp": false })).await;
        let refused = world.call(Key::Member, "RemoveMembership", &json!({ "membershipId": reader })).await;
        refused.assert_refused("failed_precondition", "EMAIL_STEP_UP_NOT_ALLOWED");
        let refused = world.call(Key::Member, "BeginStepUp", &json!({})).await;
        refused.assert_refused("failed_precondition", "NO_STEP_UP_METHOD");
    }
}

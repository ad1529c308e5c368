//! Many callers at the same time where there is room for few: no limit is passed, and the room is used to the last place.

use futures::future::join_all;
use serde_json::{Value, json};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::text::Text;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{CreatedKey, InviteMember, IssueApiKey};
use tradepost_testkit::fakes::FakeLinking;

use crate::cases::merged;
use crate::harness::{Answer, Key, OWNER, World, on_both_databases};

/// Callers at the same time.
const AT_ONCE: usize = 16;

/// A caller that lost too many races may try again; a caller that came too late gets an error that says so.
fn passed(answers: &[Answer], limit: &str) -> usize {
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        let reason = answer.header("x-error-reason").unwrap();
        assert!([limit, "CONFLICT", "CALLER_CHANGED"].contains(&reason), "{answer:?}");
    }
    answers.iter().filter(|answer| answer.status == 200).count()
}

async fn live_members(world: &World) -> usize {
    let workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
    let counted = world.call(Key::Full, "CountMemberships", &workspace).await.ok();
    let live = ["INVITED", "ACCEPTED", "SUSPENDED"].map(|status| format!("MEMBERSHIP_STATUS_{status}"));
    let of_status = |count: &&Value| live.iter().any(|status| count["status"] == status.as_str());
    let counts = counted["counts"].as_array().unwrap().iter().filter(of_status);
    counts.map(|count| usize::try_from(count["count"].as_i64().unwrap()).unwrap()).sum()
}

async fn live_keys(world: &World) -> usize {
    let listed = world.call(Key::Full, "ListAPIKeys", &json!({})).await.ok();
    let expired = world.people.keys.id(Key::Expired).to_string();
    listed["apiKeys"].as_array().unwrap().iter().filter(|key| key["id"] != expired.as_str()).count()
}

async fn links(world: &World) -> usize {
    let listed = world.call(Key::Full, "ListLinkedAccounts", &json!({})).await.ok();
    listed["linkedAccounts"].as_array().map_or(0, Vec::len)
}

fn invitation(world: &World, number: usize) -> Value {
    json!({
        "workspaceId": world.people.workspace_id.to_string(),
        "email": format!("late{number}@example.com"),
        "role": "MEMBERSHIP_ROLE_MEMBER",
    })
}

async fn issue(world: &World, number: usize) -> CreatedKey {
    let order = IssueApiKey {
        workspace_id: world.people.workspace_id,
        owner: EmailAddress::new(OWNER).unwrap(),
        name: Text::new(&format!("Early {number}")).unwrap(),
        policies: PolicySet::NONE,
        expires_at: None,
    };
    world.app.operations().issue_api_key(&Caller::system(), order).await.unwrap()
}

/// A user begins to link an identity, up to what finishes it.
async fn begun_link(world: &World, number: usize) -> Value {
    let begun = world.begun_link(Key::Full, "BeginAccountLink").await;
    merged(begun, &json!({ "code": FakeLinking::code_of(&format!("7656119800000{number:04}")) }))
}

on_both_databases! {
    async fn a_workspace_takes_no_more_members_than_it_may_from_many_at_once(database) {
        let world = World::new(database).await;
        for number in live_members(&world).await..95 {
            let early = InviteMember {
                workspace_id: world.people.workspace_id,
                email: format!("early{number}@example.com"),
                role: Role::Member,
                policies: Vec::new(),
            };
            world.app.operations().invite_member(&Caller::system(), early).await.unwrap();
        }
        let requests: Vec<Value> = (0..AT_ONCE).map(|number| invitation(&world, number)).collect();
        let answers = join_all(requests.iter().map(|request| world.call(Key::Full, "InviteMember", request))).await;
        let invited = passed(&answers, "MEMBER_LIMIT");
        assert!((1..=5).contains(&invited) && live_members(&world).await == 95 + invited, "{invited} invited");
        for number in AT_ONCE..AT_ONCE + 5 - invited {
            world.call(Key::Full, "InviteMember", &invitation(&world, number)).await.ok();
        }
        let refused = world.call(Key::Full, "InviteMember", &invitation(&world, 2 * AT_ONCE)).await;
        refused.assert_refused("failed_precondition", "MEMBER_LIMIT");
        assert_eq!(live_members(&world).await, 100);
    }

    async fn a_workspace_has_no_more_live_keys_than_it_may_however_many_are_made_and_rotated_at_once(database) {
        let world = World::new(database).await;
        let mut early = Vec::new();
        for number in live_keys(&world).await..95 {
            early.push(issue(&world, number).await.key.id);
        }
        let create = json!({ "name": "Late", "policies": ["trading"] });
        let rotations: Vec<Value> =
            early.iter().take(AT_ONCE / 2).map(|id| json!({ "apiKeyId": id.to_string() })).collect();
        let calls = rotations.iter().map(|rotate| ("RotateAPIKey", rotate));
        let calls = calls.chain((0..AT_ONCE / 2).map(|_| ("CreateAPIKey", &create)));
        let answers = join_all(calls.map(|(method, request)| world.call(Key::Full, method, request))).await;
        let made = passed(&answers, "API_KEY_LIMIT");
        assert!((1..=5).contains(&made) && live_keys(&world).await == 95 + made, "{made} made");
        for _ in made..5 {
            world.call(Key::Full, "CreateAPIKey", &create).await.ok();
        }
        let refused = world.call(Key::Full, "CreateAPIKey", &create).await;
        refused.assert_refused("failed_precondition", "API_KEY_LIMIT");
        assert_eq!(live_keys(&world).await, 100);
    }

    async fn a_user_has_no_more_identities_than_they_may_however_many_are_linked_at_once(database) {
        let world = World::new(database).await;
        let mut begun = Vec::new();
        for number in 0..AT_ONCE {
            begun.push(begun_link(&world, number).await);
        }
        let (early, late) = begun.split_at(5);
        for request in early {
            world.call(Key::Full, "FinishAccountLink", request).await.ok();
        }
        let answers = join_all(late.iter().map(|request| world.call(Key::Full, "FinishAccountLink", request))).await;
        let linked = passed(&answers, "LINK_LIMIT");
        assert!((1..=5).contains(&linked) && links(&world).await == 5 + linked, "{linked} linked");
        for number in AT_ONCE..AT_ONCE + 5 - linked {
            let request = begun_link(&world, number).await;
            world.call(Key::Full, "FinishAccountLink", &request).await.ok();
        }
        let request = begun_link(&world, 2 * AT_ONCE).await;
        let refused = world.call(Key::Full, "FinishAccountLink", &request).await;
        refused.assert_refused("failed_precondition", "LINK_LIMIT");
        assert_eq!(links(&world).await, 10);
    }
}

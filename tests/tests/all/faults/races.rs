//! Many callers on one record at the same time.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};
use tradepost_domain::accounts::workspace_key::KeyStatus;

use crate::harness::{Kept, Key, USED_KEY, World, on_both_databases};

fn link(world: &World, number: usize) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "inventoryItemId": world.desk.item.to_string(),
        "assetId": format!("90000{number:03}"),
        "source": "inventory",
        "sourceId": format!("snapshot-of-{number}"),
    })
}

async fn chain(world: &World) -> Vec<Value> {
    let mut item = json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "inventoryItemId": world.desk.item.to_string(),
    });
    let verified = world.call(Key::Reader, "VerifyAssetIDChain", &item).await.ok();
    assert_eq!(verified["valid"], true, "{verified}");
    item["limit"] = json!(200);
    world.call(Key::Reader, "ListAssetIDLinks", &item).await.ok()["assetIdLinks"].as_array().unwrap().clone()
}

on_both_databases! {
    async fn thirty_two_appenders_make_thirty_two_steps_without_a_gap(database) {
        let world = World::new(database).await;
        let before = chain(&world).await.len();
        let requests: Vec<Value> = (0..32).map(|number| link(&world, number)).collect();
        let answers = join_all(requests.iter().map(|request| world.call(Key::Trader, "AppendAssetIDLink", request))).await;
        let steps: BTreeSet<u64> =
            answers.iter().map(|answer| answer.ok()["assetIdLink"]["step"].as_u64().unwrap()).collect();
        let first = u64::try_from(before).unwrap();
        assert_eq!(steps, (first..first + 32).collect());

        let links = chain(&world).await;
        assert_eq!(links.len(), before + 32);
        for (link, next) in links.iter().zip(&links[1..]) {
            assert_eq!(next["previousAssetId"], link["assetId"]);
        }
    }

    async fn the_same_fact_reported_by_many_at_once_is_recorded_once(database) {
        let world = World::new(database).await;
        let before = chain(&world).await.len();
        let request = link(&world, 0);
        let answers = join_all((0..16).map(|_| world.call(Key::Trader, "AppendAssetIDLink", &request))).await;
        let ids: BTreeSet<String> = answers.iter().map(|answer| answer.ok()["assetIdLink"]["id"].to_string()).collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(chain(&world).await.len(), before + 1);
    }

    async fn of_many_who_expect_the_same_step_one_gets_it(database) {
        let world = World::new(database).await;
        let step = chain(&world).await.len();
        let with_step = |number| crate::cases::merged(link(&world, number), &json!({ "expectedStep": step }));
        let requests: Vec<Value> = (0..16).map(with_step).collect();
        let answers = join_all(requests.iter().map(|request| world.call(Key::Trader, "AppendAssetIDLink", request))).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(won.len(), 1);
        for answer in lost {
            answer.assert_refused("failed_precondition", "STALE_STEP");
        }
    }

    async fn of_sixty_four_transfers_of_a_workspace_at_once_one_happens(database) {
        let world = World::new(database).await;
        let heir = world.heir("heir@example.com").await;
        let workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
        let request = crate::cases::merged(workspace.clone(), &heir);
        let transfer = || world.call(Key::Owner, "TransferWorkspaceOwnership", &request);
        let answers = join_all((0..64).map(|_| transfer())).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        let listed = world.call(Key::Full, "ListMemberships", &workspace).await.ok();
        let get = crate::cases::merged(workspace, &json!({ "membershipIds": listed["membershipIds"] }));
        let members = world.call(Key::Full, "GetMemberships", &get).await.ok();
        let members = members["memberships"].as_array().unwrap();
        let owners = members.iter().filter(|member| member["role"] == "MEMBERSHIP_ROLE_OWNER").count();
        assert_eq!(owners, 1);
    }

    async fn of_sixty_four_workspaces_made_at_once_one_user_owns_ten_at_most(database) {
        let world = World::new(database).await;
        let request = json!({ "name": "One of many" });
        let answers = join_all((0..64).map(|_| world.call(Key::Owner, "CreateWorkspace", &request))).await;
        let made = answers.iter().filter(|answer| answer.status == 200).count();
        let listed = world.call(Key::Owner, "ListWorkspaces", &json!({})).await.ok();
        let owned = listed["workspaces"].as_array().unwrap().len();
        assert!(made >= 1 && owned == made + 1 && owned <= 10, "{made} made, {owned} owned");
    }

    async fn of_many_who_activate_a_draft_one_does(database) {
        let world = World::new(database).await;
        let request = json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.draft.to_string(),
        });
        let answers = join_all((0..16).map(|_| world.call(Key::Trader, "ActivateContract", &request))).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(won.len(), 1);
        for answer in lost {
            answer.assert_refused("failed_precondition", "ILLEGAL_STEP");
        }
    }

    async fn no_secret_is_lost_that_is_kept_while_keys_are_rotated_and_emptied(database) {
        const TURNS: usize = 8;
        let world = World::new(database).await;
        let (kept, operations) = (Kept::in_the_first_workspace(&world), world.app.operations());
        let keep = async |number| {
            for turn in 0..TURNS {
                kept.keep(number, &format!("{number} in turn {turn}")).await;
            }
        };
        let rotate = async {
            for _ in 0..TURNS {
                kept.rotate().await;
                operations.reseal_workspace_secrets().await.unwrap();
            }
        };
        futures::join!(join_all((0..16).map(keep)), rotate);
        operations.reseal_workspace_secrets().await.unwrap();
        for number in 0..16 {
            assert_eq!(kept.read(number).await.unwrap(), Some(format!("{number} in turn {}", TURNS - 1)));
        }
        let in_use: Vec<_> = kept.keys().await.into_iter().filter(|key| key.records > 0).collect();
        assert_eq!((in_use[0].key.status(), in_use[0].records), (KeyStatus::Active, 16));
        assert_eq!(in_use[1..].iter().map(|damaged| damaged.key.id).collect::<Vec<_>>(), [USED_KEY]);
    }

    async fn an_invitation_is_accepted_once(database) {
        let world = World::new(database).await;
        let request = json!({ "membershipId": world.people.invitation.to_string() });
        let answers = join_all((0..8).map(|_| world.call(Key::Full, "AcceptMembership", &request))).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(won.len(), 1);
        for answer in lost {
            answer.assert_refused("failed_precondition", "MEMBERSHIP_NOT_PENDING");
        }
    }

    async fn of_many_wrong_codes_at_once_five_are_looked_at_and_the_others_find_it_exhausted(database) {
        let world = World::new(database).await;
        let right = world.step_up_answer(Key::Unproven, None).await;
        let wrong = crate::cases::merged(right, &json!({ "code": "no code" }));
        let answers = join_all((0..32).map(|_| world.call(Key::Unproven, "CompleteStepUp", &wrong))).await;
        let (looked_at, others): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 403);
        assert_eq!(looked_at.len(), 5);
        for answer in others {
            answer.assert_refused("failed_precondition", "CHALLENGE_EXHAUSTED");
        }
    }
}

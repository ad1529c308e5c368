//! Workspaces of one's own, and changing what a workspace is called and what it is for.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_operations::accounts::{CreateWorkspace, GetWorkspace, UpdateWorkspace};
use tradepost_operations::{Caller, Code, OpResult, Versioned};

use crate::harness::{World, refusal, unchanged};

async fn create(world: &World, caller: &Caller, name: &str) -> OpResult<Workspace> {
    create_in(world, caller, name, "").await
}

async fn create_in(world: &World, caller: &Caller, name: &str, base_currency: &str) -> OpResult<Workspace> {
    let (name, base_currency) = (name.to_owned(), base_currency.to_owned());
    let command = CreateWorkspace { name, description: String::new(), base_currency };
    world.operations.create_workspace(caller, command).await
}

#[tokio::test]
async fn a_new_workspace_belongs_to_its_creator_and_opens_at_once() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    let made = create(&world, &world.caller(&token).await, "Second desk").await.unwrap();
    let caller = world.caller(&token).await;
    let read = world.operations.get_workspace(&caller, GetWorkspace { workspace_id: made.id }).await.unwrap();
    assert_eq!(read, made);
    let listed = world.operations.list_workspaces(&caller).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|workspace| workspace.id).collect();
    assert_eq!(ids, [made.id, world.workspace_id]);
}

#[tokio::test]
async fn a_workspace_has_one_currency_for_ever() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    for (named, kept) in [("", "USD"), ("EUR", "EUR")] {
        let made = create_in(&world, &world.caller(&token).await, "Second desk", named).await.unwrap();
        assert_eq!(made.base_currency.to_string(), kept);
    }
    for refused in ["eur", "EURO"] {
        let refused = create_in(&world, &world.caller(&token).await, "Third desk", refused).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
    }
}

#[tokio::test]
async fn no_key_makes_a_workspace_whatever_it_holds() {
    let world = World::new().await;
    let refused = create(&world, &world.full_key().await, "By a key").await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_user_owns_ten_workspaces_at_most() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    for number in 2..=10 {
        create(&world, &world.caller(&token).await, &format!("Desk {number}")).await.unwrap();
    }
    let refused = create(&world, &world.caller(&token).await, "One too many").await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_LIMIT"));
}

#[tokio::test]
async fn a_workspace_needs_a_name() {
    let world = World::new().await;
    let refused = create(&world, &world.session().await, " ").await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}

fn change(world: &World, name: Option<&str>, description: Option<&str>) -> UpdateWorkspace {
    UpdateWorkspace {
        name: name.map(str::to_owned),
        description: description.map(str::to_owned),
        ..unchanged(world.workspace_id)
    }
}

async fn update(world: &World, caller: &Caller, command: UpdateWorkspace) -> OpResult<Versioned<Workspace>> {
    world.operations.update_workspace(caller, command).await
}

#[tokio::test]
async fn what_is_not_named_stays() {
    let world = World::new().await;
    let caller = world.key(PolicySet::of(&[Policy::Workspace])).await;
    update(&world, &caller, change(&world, None, Some("Where we trade"))).await.unwrap();
    let renamed = update(&world, &caller, change(&world, Some("Floor"), None)).await.unwrap();
    let Workspace { name, description, .. } = renamed.value;
    // The caller's key was made in it, too.
    assert_eq!((name.as_str(), description.unwrap().as_str(), renamed.version), ("Floor", "Where we trade", 4));
    let emptied = update(&world, &caller, change(&world, None, Some(" "))).await.unwrap();
    assert_eq!(emptied.value.description, None);
}

fn time_zone(world: &World, name: &str) -> UpdateWorkspace {
    UpdateWorkspace { time_zone: Some(name.to_owned()), ..unchanged(world.workspace_id) }
}

#[tokio::test]
async fn days_are_of_utc_until_another_time_zone_is_named() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let named = async |command| update(&world, &caller, command).await.unwrap().value.time_zone.to_string();
    assert_eq!(named(change(&world, Some("Floor"), None)).await, "UTC");
    assert_eq!(named(time_zone(&world, " asia/shanghai ")).await, "Asia/Shanghai");
    assert_eq!(named(change(&world, Some("Desk"), None)).await, "Asia/Shanghai");
    assert_eq!(named(time_zone(&world, "")).await, "UTC");
}

#[tokio::test]
async fn a_change_needs_the_policy_workspace() {
    let world = World::new().await;
    let caller = world.key_without(Policy::Workspace).await;
    let refused = update(&world, &caller, change(&world, Some("Floor"), None)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_change_says_what_is_wrong_with_it() {
    let world = World::new().await;
    let caller = world.full_key().await;
    for command in [
        change(&world, None, None),
        change(&world, Some(" "), None),
        change(&world, None, Some(&"x".repeat(513))),
        time_zone(&world, "+02:00"),
        UpdateWorkspace { expected_version: Some(0), ..change(&world, Some("Floor"), None) },
    ] {
        assert_eq!(refusal(update(&world, &caller, command).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    let stale = UpdateWorkspace { expected_version: Some(1), ..change(&world, Some("Floor"), None) };
    assert_eq!(refusal(update(&world, &caller, stale).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
}

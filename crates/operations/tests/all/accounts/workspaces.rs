//! Workspaces of one's own.

use tradepost_operations::accounts::{CreateWorkspace, GetWorkspace};
use tradepost_operations::{Caller, Code, OpResult};

use tradepost_domain::workspace::Workspace;

use crate::harness::{World, refusal};

async fn create(world: &World, caller: &Caller, name: &str) -> OpResult<Workspace> {
    let command = CreateWorkspace { name: name.to_owned(), description: String::new() };
    world.operations.create_workspace(caller, command).await
}

#[tokio::test]
async fn a_new_workspace_belongs_to_whoever_made_it_and_opens_at_once() {
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

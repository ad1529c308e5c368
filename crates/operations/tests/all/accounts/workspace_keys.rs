//! The keys of a workspace and what is sealed under them.

use std::sync::Arc;
use tradepost_ports::store::Records;

use secrecy::{ExposeSecret as _, SecretSlice};
use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::workspace_key::{KeyStatus, SecretPlace};
use tradepost_operations::accounts::{DeleteWorkspace, DestroyWorkspaceKey, KeyWithRecords, RotateWorkspaceKey};
use tradepost_operations::secrets::resealing::Resealed;
use tradepost_operations::secrets::workspace_secrets::{FindWorkspaceSecret, KeepWorkspaceSecret};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_testkit::fakes::FakeKeyEncryption;
use tradepost_testkit::samples::text;

use crate::harness::{Fate, World, refusal};

fn place(row: u8) -> SecretPlace {
    SecretPlace { table: text("accounts"), column: text("password"), row: [row; 16] }
}

async fn keep(world: &World, row: u8, secret: &str) {
    let secret = SecretSlice::from(secret.as_bytes().to_vec());
    let command = KeepWorkspaceSecret { workspace_id: world.workspace_id, place: place(row), secret };
    world.operations.keep_workspace_secret(&Caller::system(), &command).await.unwrap();
}

async fn read(world: &World, row: u8) -> Option<String> {
    let command = FindWorkspaceSecret { workspace_id: world.workspace_id, place: place(row) };
    let secret = world.operations.read_workspace_secret(&Caller::system(), &command).await.unwrap();
    secret.map(|secret| String::from_utf8(secret.expose_secret().to_vec()).unwrap())
}

async fn rotate(world: &World, caller: &Caller) -> OpResult<KeyWithRecords> {
    let command = RotateWorkspaceKey { workspace_id: world.workspace_id };
    world.operations.rotate_workspace_key(caller, command).await
}

async fn reseal(world: &World) -> Resealed {
    world.operations.reseal_workspace_secrets().await.unwrap()
}

/// The keys, the newest first, as number, status and secrets.
async fn keys(world: &World, caller: &Caller) -> Vec<(u32, KeyStatus, u64)> {
    let keys = world.operations.list_workspace_keys(caller, world.workspace_id).await.unwrap();
    keys.iter().map(|listed| (listed.key.number, listed.key.status(), listed.records)).collect()
}

#[tokio::test]
async fn the_first_secret_makes_the_first_key_and_every_secret_is_read_back() {
    let world = World::new().await;
    let caller = world.full_key().await;
    assert_eq!(keys(&world, &caller).await, []);
    keep(&world, 1, "one").await;
    keep(&world, 2, "two").await;
    keep(&world, 1, "one again").await;
    assert_eq!(keys(&world, &caller).await, [(1, KeyStatus::Active, 2)]);
    assert_eq!(read(&world, 1).await.as_deref(), Some("one again"));
    assert_eq!(read(&world, 2).await.as_deref(), Some("two"));
    assert_eq!(read(&world, 3).await, None);
}

#[tokio::test]
async fn a_rotation_seals_everything_again_and_loses_nothing() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    for row in 0..250_u8 {
        keep(&world, row, &format!("secret {row}")).await;
    }
    rotate(&world, &caller).await.unwrap();
    assert_eq!(keys(&world, &caller).await, [(2, KeyStatus::Active, 0), (1, KeyStatus::Retired, 250)]);
    assert_eq!(reseal(&world).await, Resealed { done: 250, broken: 0 });
    assert_eq!(keys(&world, &caller).await, [(2, KeyStatus::Active, 250), (1, KeyStatus::Retired, 0)]);
    for row in 0..250_u8 {
        assert_eq!(read(&world, row).await, Some(format!("secret {row}")));
    }
}

#[tokio::test]
async fn what_is_kept_after_a_rotation_is_under_the_new_key() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    keep(&world, 1, "old").await;
    rotate(&world, &caller).await.unwrap();
    keep(&world, 2, "new").await;
    keep(&world, 1, "changed").await;
    assert_eq!(keys(&world, &caller).await, [(2, KeyStatus::Active, 2), (1, KeyStatus::Retired, 0)]);
    assert_eq!(reseal(&world).await, Resealed::default());
}

#[tokio::test]
async fn a_key_is_destroyed_once_it_is_retired_and_nothing_is_left_under_it() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    keep(&world, 1, "secret").await;
    let first = world.operations.list_workspace_keys(&caller, world.workspace_id).await.unwrap().remove(0).key;
    let destroy = DestroyWorkspaceKey { workspace_id: world.workspace_id, workspace_key_id: first.id };
    for reason in ["ACTIVE", "STILL_IN_USE"] {
        let refused = world.operations.destroy_workspace_key(&caller, destroy).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, reason));
        if reason == "ACTIVE" {
            rotate(&world, &caller).await.unwrap();
        }
    }
    reseal(&world).await;
    let destroyed = world.operations.destroy_workspace_key(&caller, destroy).await.unwrap().key;
    assert_eq!((destroyed.status(), destroyed.wrapped()), (KeyStatus::Destroyed, None));
    let again = world.operations.destroy_workspace_key(&caller, destroy).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "ALREADY_DESTROYED"));
    assert_eq!(read(&world, 1).await.as_deref(), Some("secret"));
}

#[tokio::test]
async fn rotating_needs_a_step_up_and_destroying_a_fresh_one() {
    let world = World::new().await;
    let unproven = world.full_key().await;
    assert_eq!(refusal(rotate(&world, &unproven).await), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    let caller = world.proven_key().await;
    keep(&world, 1, "secret").await;
    let first = world.operations.list_workspace_keys(&caller, world.workspace_id).await.unwrap().remove(0).key;
    world.advance(Duration::minutes(3));
    rotate(&world, &caller).await.unwrap();
    let destroy = DestroyWorkspaceKey { workspace_id: world.workspace_id, workspace_key_id: first.id };
    let refused = world.operations.destroy_workspace_key(&caller, destroy).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn keys_are_seen_and_changed_with_the_policy_of_the_workspace_only() {
    let world = World::new().await;
    let trader = world.key(PolicySet::of(&[Policy::Trading])).await;
    let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
    assert_eq!(refusal(world.operations.list_workspace_keys(&trader, world.workspace_id).await), denied);
    assert_eq!(refusal(rotate(&world, &trader).await), denied);
    let command =
        KeepWorkspaceSecret { workspace_id: world.workspace_id, place: place(1), secret: SecretSlice::from(vec![1]) };
    assert_eq!(refusal(world.operations.keep_workspace_secret(&trader, &command).await), denied);
}

#[tokio::test]
async fn of_two_rotations_at_once_both_make_a_key_and_one_is_active() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let (one, other) = tokio::join!(rotate(&world, &caller), rotate(&world, &caller));
    let mut numbers = [one.unwrap().key.number, other.unwrap().key.number];
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(keys(&world, &caller).await, [(2, KeyStatus::Active, 0), (1, KeyStatus::Retired, 0)]);
}

#[tokio::test]
async fn a_removed_secret_is_deleted_and_no_longer_counts() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    keep(&world, 1, "secret").await;
    let command = FindWorkspaceSecret { workspace_id: world.workspace_id, place: place(1) };
    let remove = async || world.operations.remove_workspace_secret(&Caller::system(), &command).await.unwrap();
    assert!(remove().await);
    assert_eq!(read(&world, 1).await, None);
    assert_eq!(keys(&world, &caller).await, [(1, KeyStatus::Active, 0)]);
    assert!(!remove().await);
}

#[tokio::test]
async fn with_a_removed_workspace_every_key_is_destroyed_and_no_secret_opens_or_is_kept() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    keep(&world, 1, "secret").await;
    rotate(&world, &caller).await.unwrap();
    keep(&world, 2, "under the second key").await;
    let delete = DeleteWorkspace { workspace_id: world.workspace_id, confirm_name: "A workspace".to_owned() };
    world.operations.delete_workspace(&world.proven_session(&world.owner).await, delete).await.unwrap();
    world.advance(Duration::days(30) + Duration::seconds(1));
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 1);
    let scope = Principal::System.enter(world.workspace_id, PolicySet::NONE).unwrap();
    let keys = world.store.workspace_keys().list(scope).await.unwrap();
    let wrapped: Vec<_> = keys.iter().map(|key| key.peek().wrapped()).collect();
    assert_eq!(wrapped, [None, None]);
    let internal = (Code::Internal, "INTERNAL");
    for row in [1, 2] {
        let command = FindWorkspaceSecret { workspace_id: world.workspace_id, place: place(row) };
        assert_eq!(refusal(world.operations.read_workspace_secret(&Caller::system(), &command).await), internal);
    }
    let secret = SecretSlice::from(vec![1]);
    let again = KeepWorkspaceSecret { workspace_id: world.workspace_id, place: place(3), secret };
    let kept = world.operations.keep_workspace_secret(&Caller::system(), &again).await;
    assert_eq!(refusal(kept), (Code::NotFound, "NOT_FOUND"));
    assert_eq!(reseal(&world).await, Resealed::default());
}

#[tokio::test]
async fn a_key_encryption_that_is_out_is_said_so_and_nothing_is_half_done() {
    let key_encryption = Arc::new(FakeKeyEncryption::default());
    let world = World::with(|ports| ports.key_encryption = key_encryption.clone()).await;
    let caller = world.proven_key().await;
    let unavailable = (Code::Internal, "KEY_ENCRYPTION_UNAVAILABLE");
    key_encryption.set_out(true);
    assert_eq!(refusal(rotate(&world, &caller).await), unavailable);
    let secret = SecretSlice::from(vec![1]);
    let command = KeepWorkspaceSecret { workspace_id: world.workspace_id, place: place(1), secret };
    let kept = world.operations.keep_workspace_secret(&Caller::system(), &command).await;
    assert_eq!(refusal(kept), unavailable);
    assert_eq!((keys(&world, &caller).await, read(&world, 1).await), (vec![], None));
    key_encryption.set_out(false);
    keep(&world, 1, "secret").await;
    assert_eq!(read(&world, 1).await.as_deref(), Some("secret"));
}

#[tokio::test]
async fn a_secret_that_cannot_be_sealed_again_keeps_no_other_from_it() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    for row in 0..3 {
        keep(&world, row, "secret").await;
    }
    rotate(&world, &caller).await.unwrap();
    // All in one commit, then one after the other.
    let process = world.scripted([Fate::broken(), Fate::broken()]);
    process.operations.reseal_workspace_secrets().await.unwrap_err();
    assert_eq!(keys(&world, &caller).await, [(2, KeyStatus::Active, 2), (1, KeyStatus::Retired, 1)]);
    assert_eq!(reseal(&process).await, Resealed { done: 1, broken: 0 });
}

//! Secrets of workspaces in a database that an attacker has changed, and what several servers seal together.

use futures::future::join_all;
use secrecy::ExposeSecret as _;
use tradepost::auth::{PasswordCost, Rfc6238, RootSecret};
use tradepost::{SystemClock, Tradepost};
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::workspace_key::{WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_operations::accounts::ConfirmTotpEnrollment;
use tradepost_operations::{Caller, Code};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::SealedSecret;

use crate::harness::{Database, Kept, Place, ROOT_SECRET, World, on_both_databases, place_of, registered};

fn enter(workspace: WorkspaceId) -> WorkspaceScope {
    Principal::System.enter_as_member(workspace).unwrap()
}

async fn find(world: &World, number: u128) -> SealedSecret {
    world
        .app
        .store()
        .workspace_secrets()
        .find(enter(world.people.workspace_id), &place_of(number))
        .await
        .unwrap()
        .unwrap()
}

on_both_databases! {
    async fn a_sealed_secret_that_is_moved_to_another_field_does_not_open(database) {
        let world = World::new(database).await;
        let kept = Kept::in_the_first_workspace(&world);
        kept.keep(1, "first").await;
        kept.keep(2, "second").await;
        let [first, second] = [find(&world, 1).await, find(&world, 2).await];
        let sealed = first.secret.peek().sealed.clone();
        let mut changes = Changes::by(&Caller::system());
        let moved = |secret| Ok::<_, std::convert::Infallible>(WorkspaceSecret { sealed, ..secret });
        let Ok(_) = changes.revise(second.secret, moved);
        world.app.store().commit(changes).await.unwrap();
        let refused = kept.read(2).await.unwrap_err();
        assert_eq!((refused.code, refused.reason.as_str()), (Code::Internal, "INTERNAL"));
        assert_eq!(kept.read(1).await.unwrap().as_deref(), Some("first"));
    }

    /// With its key, which opens wherever it is stored: the secret does not.
    async fn a_sealed_secret_that_is_moved_to_another_workspace_does_not_open(database) {
        let world = World::new(database).await;
        let kept = Kept::in_the_first_workspace(&world);
        kept.keep(1, "first").await;
        let SealedSecret { secret, key } = find(&world, 1).await;
        let (workspace_id, at) = (world.people.other_workspace_id, world.clock.now());
        let mut changes = Changes::by(&Caller::system());
        changes.insert(WorkspaceKey { workspace_id, ..key }.retire(at).unwrap());
        changes.insert(WorkspaceSecret { id: Id::from_bytes([7; 16]), workspace_id, ..secret.peek().clone() });
        world.app.store().commit(changes).await.unwrap();
        let refused = Kept { operations: world.app.operations(), workspace_id }.read(1).await.unwrap_err();
        assert_eq!((refused.code, refused.reason.as_str()), (Code::Internal, "INTERNAL"));
        assert_eq!(kept.read(1).await.unwrap().as_deref(), Some("first"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_start_together_on_an_empty_database_open_what_the_others_sealed() {
    let place = Place::new(Database::Postgres).await;
    let servers = join_all((0..4).map(|_| {
        let builder = Tradepost::builder().database(place.settings()).password_cost(PasswordCost::INSECURE);
        builder.root_secret(RootSecret::from_bytes(ROOT_SECRET)).build()
    }));
    let servers: Vec<Tradepost> = servers.await.into_iter().map(Result::unwrap).collect();
    for (number, sealing) in servers.iter().enumerate() {
        let user = registered(sealing.operations(), &format!("newcomer-{number}@example.com")).await;
        let caller = Caller::person(user);
        let offered = sealing.operations().begin_totp_enrollment(&caller).await.unwrap();
        let code = Rfc6238::code(offered.secret.expose_secret(), SystemClock.now()).unwrap();
        let confirm = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code };
        let opening = servers[(number + 1) % servers.len()].operations();
        opening.confirm_totp_enrollment(&caller, confirm).await.unwrap();
    }
}

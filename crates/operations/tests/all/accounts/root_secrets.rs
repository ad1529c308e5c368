//! What was made under a root secret goes on working when another one takes its place, as long as the former one is at hand.

use std::sync::Arc;
use tradepost_ports::store::Records;

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::accounts::step_up::Method;
use tradepost_operations::accounts::{
    CompleteStepUp, GetInvitation, InviteMember, ReportLeakedApiKey, RevokeApiKey, VerifiedChain, VerifyAuditChain,
};
use tradepost_operations::calls::idempotency::{CallAnswer, IdempotentCall, Settled};
use tradepost_operations::secrets::key_rollover::RolloverProgress;
use tradepost_operations::secrets::workspace_secrets::{FindWorkspaceSecret, KeepWorkspaceSecret};
use tradepost_operations::{Caller, Code};
use tradepost_testkit::fakes::{FakeKeyEncryption, FakeSecrets};
use tradepost_testkit::samples::text;

use crate::harness::{World, address, refusal};

/// The root secret of a new [`World`], and the one that replaces it.
const FORMER: i32 = 0;
const NEWEST: i32 = 1;

/// The world under the newest root secret, with the former one at hand.
fn replacing(world: &World) -> World {
    world.restarted(|ports| ports.secrets = Arc::new(FakeSecrets::replacing(FORMER, NEWEST)))
}

/// The world after the former root secret was taken away.
fn replaced(world: &World) -> World {
    world.restarted(|ports| ports.secrets = Arc::new(FakeSecrets::replaced(FORMER, NEWEST)))
}

async fn issued(world: &World) -> SecretString {
    world.issue(world.workspace_id, &world.owner, PolicySet::EVERY).await.raw_key
}

async fn opens(world: &World, token: &SecretString) -> bool {
    world.operations.authenticate(token.expose_secret(), None).await.is_ok()
}

#[tokio::test]
async fn a_key_that_was_used_once_no_longer_needs_the_former_root_secret() {
    let world = World::new().await;
    let [used, unused] = [issued(&world).await, issued(&world).await];
    let caller = replacing(&world).caller(&used).await;
    // The rights that were found with it still hold: the key is the same.
    replacing(&world).step_up(&caller).await;
    let world = replaced(&world);
    assert_eq!([opens(&world, &used).await, opens(&world, &unused).await], [true, false]);
}

#[tokio::test]
async fn servers_that_have_the_two_the_other_way_round_open_the_same_key_in_turns() {
    let behind = World::new().await.restarted(|ports| ports.secrets = Arc::new(FakeSecrets::replacing(NEWEST, FORMER)));
    let ahead = replacing(&behind);
    for token in [issued(&behind).await, issued(&ahead).await] {
        for world in [&ahead, &behind, &ahead] {
            assert!(opens(world, &token).await);
            world.operations.forget_callers();
        }
    }
}

#[tokio::test]
async fn a_session_opens_until_the_former_root_secret_is_taken_away() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    assert!(opens(&replacing(&world), &token).await);
    assert!(!opens(&replaced(&world), &token).await);
}

#[tokio::test]
async fn a_mailed_link_opens_until_the_former_root_secret_is_taken_away() {
    let world = World::new().await;
    let guest = address("guest@example.com");
    let (workspace_id, email) = (world.workspace_id, guest.to_string());
    let invite = InviteMember { workspace_id, email, role: Role::Member, policies: vec![] };
    world.operations.invite_member(&Caller::system(), invite).await.unwrap();
    let invitation = GetInvitation { token: world.mailed_token(&guest) };
    assert!(replacing(&world).operations.get_invitation(invitation.clone()).await.is_ok());
    let refused = replaced(&world).operations.get_invitation(invitation).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn codes_prove_a_second_factor_under_the_former_root_secret() {
    let before = World::new().await;
    let caller = before.full_key().await;
    let asked = before.operations.begin_step_up(&caller).await.unwrap();
    let mailed = (asked.challenge_id, Method::Email, before.mailed_code());
    let world = replacing(&before);
    let (challenge_id, method, code) = mailed;
    let answer = CompleteStepUp { challenge_id, method, code, credential: String::new() };
    world.operations.complete_step_up(&caller, answer).await.unwrap();
    let code = before.enrol_app(&caller).await[3].clone();
    let challenge_id = world.operations.begin_step_up(&caller).await.unwrap().challenge_id;
    let answer = CompleteStepUp { challenge_id, method: Method::RecoveryCode, code, credential: String::new() };
    world.operations.complete_step_up(&caller, answer).await.unwrap();
    assert_eq!(world.operations.get_two_factor_status(&caller).await.unwrap().recovery_codes_left, 9);
}

#[tokio::test]
async fn a_leaked_key_is_revoked_by_a_token_of_before() {
    let world = World::new().await;
    let token = issued(&world).await;
    let report = ReportLeakedApiKey { tokens: vec![token.clone()] };
    replacing(&world).operations.report_leaked_api_key(&Caller::anonymous(None), report).await.unwrap();
    assert!(!opens(&world, &token).await);
}

#[tokio::test]
async fn a_call_under_an_idempotency_key_is_answered_and_not_carried_out_again() {
    let world = World::new().await;
    let call = IdempotentCall {
        operation: "BeginStepUp",
        key: "one".to_owned(),
        request: SecretSlice::from(b"request".to_vec()),
        holder: SecretSlice::from(b"holder".to_vec()),
    };
    let mut caller = world.full_key().await;
    assert_eq!(world.operations.once(&mut caller, &call).await.unwrap(), None);
    world.operations.begin_step_up(&caller).await.unwrap();
    let answer = CallAnswer { body: b"answer", is_secret: false };
    assert_eq!(world.operations.settle(&caller, &call, answer, 1).await.unwrap(), Settled::Stored);
    let world = replacing(&world);
    assert_eq!(world.operations.once(&mut caller, &call).await.unwrap().as_deref(), Some(b"answer".as_slice()));
    let other = IdempotentCall { request: SecretSlice::from(b"another".to_vec()), ..call };
    let refused = world.operations.once(&mut caller, &other).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "IDEMPOTENCY_MISMATCH"));
}

#[tokio::test]
async fn data_keys_are_sealed_again_and_open_what_was_sealed_before() {
    let world = World::new().await;
    let place = tradepost_domain::accounts::workspace_key::SecretPlace {
        table: text("accounts"),
        column: text("password"),
        row: [1; 16],
    };
    let workspace_id = world.workspace_id;
    let secret = SecretSlice::from(b"secret".to_vec());
    let keep = KeepWorkspaceSecret { workspace_id, place: place.clone(), secret };
    world.operations.keep_workspace_secret(&Caller::system(), &keep).await.unwrap();
    let world = world.restarted(|ports| ports.key_encryption = Arc::new(FakeKeyEncryption::called("newer")));
    let rounds = [1, 0].map(|done| RolloverProgress { done, ..RolloverProgress::default() });
    for round in rounds {
        assert_eq!(world.operations.reseal_data_keys().await.unwrap(), round);
    }
    let keys = world.store.workspace_keys().list_all(None, 10).await.unwrap();
    let sealed_by = keys.iter().map(|key| key.peek().wrapped().unwrap().key_id.to_string());
    assert_eq!(sealed_by.collect::<Vec<_>>(), ["newer"]);
    let find = FindWorkspaceSecret { workspace_id, place };
    let found = world.operations.read_workspace_secret(&Caller::system(), &find).await.unwrap();
    assert_eq!(found.unwrap().expose_secret(), b"secret");
}

async fn verified(world: &World) -> VerifiedChain {
    let command = VerifyAuditChain { workspace_id: world.workspace_id };
    world.operations.verify_audit_chain(&Caller::system(), command).await.unwrap()
}

async fn chained(world: &World) -> i64 {
    world.operations.chain_audit_events().await.unwrap();
    verified(world).await.head.unwrap().sequence
}

#[tokio::test]
async fn the_audit_log_holds_while_and_after_its_root_secret_is_replaced() {
    let world = World::new().await;
    chained(&world).await;
    let during = replacing(&world);
    assert_eq!(verified(&during).await.first_bad_sequence, None);
    let key = during.issue(during.workspace_id, &during.owner, PolicySet::EVERY).await.key;
    let until = chained(&during).await;
    assert!(during.operations.reauthenticate_audit_logs().await.unwrap().done > 0);
    assert_eq!(during.operations.reauthenticate_audit_logs().await.unwrap(), RolloverProgress::default());
    let after = replaced(&world);
    assert_eq!(verified(&after).await.first_bad_sequence, None);
    let revoke = RevokeApiKey { api_key_id: key.id, workspace_id: Some(after.workspace_id), reason: None };
    after.operations.revoke_api_key(&Caller::system(), revoke).await.unwrap();
    assert_eq!(chained(&after).await, until + 1);
    assert_eq!(verified(&after).await.first_bad_sequence, None);
}

#[tokio::test]
async fn an_event_that_waits_while_its_root_secret_is_replaced_counts_as_written_under_it() {
    let world = World::new().await;
    issued(&world).await;
    replacing(&world).operations.reauthenticate_audit_logs().await.unwrap();
    let after = replaced(&world);
    chained(&after).await;
    assert_eq!(verified(&after).await.first_bad_sequence, None);
}

#[tokio::test]
async fn a_log_that_only_a_removed_root_secret_vouches_for_does_not_hold() {
    let world = World::new().await;
    let sequence = chained(&world).await;
    assert_eq!(verified(&replaced(&world)).await.first_bad_sequence, Some(sequence + 1));
}

#[tokio::test]
async fn an_event_that_is_written_under_a_root_secret_after_that_was_taken_away_is_found() {
    let world = World::new().await;
    chained(&world).await;
    replacing(&world).operations.reauthenticate_audit_logs().await.unwrap();
    let after = replaced(&world);
    issued(&after).await;
    let sequence = chained(&after).await;
    // An attacker with the former root secret and the database writes another event.
    issued(&world).await;
    assert_eq!(chained(&after).await, sequence + 1);
    assert_eq!(verified(&after).await.first_bad_sequence, Some(sequence + 1));
}

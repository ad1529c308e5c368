//! The outcomes of an invitation other than acceptance.

use secrecy::SecretString;
use time::Duration;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::text::Text;
use tradepost_operations::accounts::{
    AcceptMembership, DeclineMembership, GetInvitation, InvitationShown, InviteMember, ResendInvitation,
    RevokeInvitation,
};
use tradepost_operations::{Caller, Code, OpResult};

use crate::harness::{World, address, refusal};

const NOT_PENDING: (Code, &str) = (Code::FailedPrecondition, "MEMBERSHIP_NOT_PENDING");

async fn invite(world: &World, email: &str, role: Role) -> Membership {
    let command = InviteMember {
        workspace_id: world.workspace_id,
        email: email.to_owned(),
        role,
        policies: vec!["trading".to_owned()],
    };
    world.operations.invite_member(&Caller::system(), command).await.unwrap()
}

async fn decline(world: &World, caller: &Caller, invited: &Membership) -> OpResult<Membership> {
    world.operations.decline_membership(caller, DeclineMembership { membership_id: invited.id }).await
}

async fn revoke(world: &World, caller: &Caller, invited: &Membership) -> OpResult<Membership> {
    let command = RevokeInvitation { workspace_id: world.workspace_id, membership_id: invited.id };
    world.operations.revoke_invitation(caller, command).await
}

async fn resend(world: &World, caller: &Caller, invited: &Membership) -> OpResult<Membership> {
    let command = ResendInvitation { workspace_id: world.workspace_id, membership_id: invited.id };
    world.operations.resend_invitation(caller, command).await
}

#[tokio::test]
async fn a_declined_invitation_is_over_and_the_owner_gets_a_mail() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, other.as_str(), Role::Member).await;
    assert_eq!(decline(&world, &caller, &invited).await.unwrap().status(), Status::Declined);
    assert_eq!(refusal(decline(&world, &caller, &invited).await), NOT_PENDING);
    let accept = AcceptMembership { membership_id: invited.id };
    assert_eq!(refusal(world.operations.accept_membership(&caller, accept).await), NOT_PENDING);
    let mail = world.mailer.last_to(&world.owner).unwrap();
    assert!(mail.text.contains("other@example.com declined"), "{}", mail.text);
}

#[tokio::test]
async fn another_users_invitation_cannot_be_declined() {
    let world = World::new().await;
    let (_, _, caller) = world.other_workspace().await;
    let invited = invite(&world, "third@example.com", Role::Member).await;
    assert_eq!(refusal(decline(&world, &caller, &invited).await), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_key_without_identity_cannot_decline() {
    let world = World::new().await;
    let (workspace, other, _) = world.other_workspace().await;
    let invited = invite(&world, other.as_str(), Role::Member).await;
    let caller = world.key_of(workspace, &other, PolicySet::OPERATIONAL).await;
    assert_eq!(refusal(decline(&world, &caller, &invited).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_revoked_invitation_cannot_be_accepted_and_the_address_can_be_invited_again() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, other.as_str(), Role::Member).await;
    assert_eq!(revoke(&world, &world.full_key().await, &invited).await.unwrap().status(), Status::Revoked);
    let accept = AcceptMembership { membership_id: invited.id };
    assert_eq!(refusal(world.operations.accept_membership(&caller, accept).await), NOT_PENDING);
    assert!(world.mailer.last_to(&other).unwrap().text.contains("was revoked"));
    invite(&world, other.as_str(), Role::Member).await;
}

#[tokio::test]
async fn a_membership_is_not_ended_like_an_invitation() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    let user = Caller::person(member.membership.user_id().unwrap());
    assert_eq!(refusal(revoke(&world, &Caller::system(), &member.membership).await), NOT_PENDING);
    assert_eq!(refusal(decline(&world, &user, &member.membership).await), NOT_PENDING);
    assert_eq!(refusal(resend(&world, &Caller::system(), &member.membership).await), NOT_PENDING);
}

#[tokio::test]
async fn an_invitation_sent_again_lives_seven_days_from_then() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, other.as_str(), Role::Member).await;
    // The invitation has expired by then.
    world.advance(Duration::days(8));
    let sent = resend(&world, &world.full_key().await, &invited).await.unwrap();
    assert_eq!(sent.expires_at(), Some(invited.expires_at().unwrap().plus(Duration::days(8))));
    assert!(world.mailer.last_to(&other).unwrap().text.contains(&invited.id.to_string()));
    world.advance(Duration::days(6));
    let accept = AcceptMembership { membership_id: invited.id };
    assert!(world.operations.accept_membership(&caller, accept).await.is_ok());
}

#[tokio::test]
async fn an_invitation_is_sent_again_after_ten_minutes_at_the_earliest() {
    let world = World::new().await;
    let invited = invite(&world, "new@example.com", Role::Member).await;
    let caller = world.full_key().await;
    let too_soon = (Code::FailedPrecondition, "RESEND_TOO_SOON");
    assert_eq!(refusal(resend(&world, &caller, &invited).await), too_soon);
    world.advance(Duration::minutes(10));
    resend(&world, &caller, &invited).await.unwrap();
    assert_eq!(refusal(resend(&world, &caller, &invited).await), too_soon);
}

#[tokio::test]
async fn a_member_cannot_renew_an_offer_that_they_could_not_make() {
    let world = World::new().await;
    let (trader, admin) =
        (invite(&world, "new@example.com", Role::Member).await, invite(&world, "boss@example.com", Role::Admin).await);
    world.advance(Duration::days(1));
    let clerk = world.member("ada@example.com", Role::Member, &[Policy::Workspace]).await;
    let caller = world.key_of_member(&clerk).await;
    for (invited, reason) in [(&trader, "POLICIES_EXCEED_CALLER"), (&admin, "ROLE_EXCEEDS_CALLER")] {
        assert_eq!(refusal(resend(&world, &caller, invited).await), (Code::PermissionDenied, reason));
    }
    assert_eq!(refusal(revoke(&world, &caller, &admin).await), (Code::PermissionDenied, "ROLE_EXCEEDS_CALLER"));
    assert!(revoke(&world, &caller, &trader).await.is_ok());
}

async fn show(world: &World, token: &SecretString) -> OpResult<InvitationShown> {
    world.operations.get_invitation(GetInvitation { token: token.clone() }).await
}

#[tokio::test]
async fn the_holder_of_the_mailed_link_sees_who_invites_whom_to_what() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let command = InviteMember {
        workspace_id: world.workspace_id,
        email: "new@example.com".to_owned(),
        role: Role::Member,
        policies: Vec::new(),
    };
    let invited = world.operations.invite_member(&caller, command).await.unwrap();
    let shown = show(&world, &world.mailed_token(&address("new@example.com"))).await.unwrap();
    let names = (shown.workspace_name.as_str(), shown.inviter_name.as_ref().map(Text::as_str));
    assert_eq!(names, ("A workspace", Some("A person")));
    assert_eq!((shown.email, shown.membership_id), (address("new@example.com"), invited.id));
    assert_eq!(Some(shown.expires_at), invited.expires_at());
}

#[tokio::test]
async fn an_invitation_by_the_process_itself_names_no_inviter() {
    let world = World::new().await;
    invite(&world, "new@example.com", Role::Member).await;
    assert_eq!(show(&world, &world.mailed_token(&address("new@example.com"))).await.unwrap().inviter_name, None);
}

#[tokio::test]
async fn a_token_shows_nothing_once_the_invitation_is_over_or_was_mailed_again() {
    const INVALID: (Code, &str) = (Code::FailedPrecondition, "TOKEN_INVALID");
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, other.as_str(), Role::Member).await;
    let first = world.mailed_token(&other);
    world.advance(Duration::minutes(10));
    resend(&world, &Caller::system(), &invited).await.unwrap();
    let second = world.mailed_token(&other);
    assert_eq!(refusal(show(&world, &first).await), INVALID);
    show(&world, &second).await.unwrap();
    world.advance(Duration::days(7));
    assert_eq!(refusal(show(&world, &second).await), INVALID);
    resend(&world, &Caller::system(), &invited).await.unwrap();
    let third = world.mailed_token(&other);
    decline(&world, &caller, &invited).await.unwrap();
    assert_eq!(refusal(show(&world, &third).await), INVALID);
    for nonsense in ["tpi_nonsense", "tpe_0000000000000000000000000000000000000000000000"] {
        assert_eq!(refusal(show(&world, &nonsense.into()).await), INVALID);
    }
    assert_eq!(refusal(show(&world, &"".into()).await), (Code::InvalidArgument, "INVALID_FIELD"));
}

//! The people of a world: users, workspaces, memberships, invitations and keys, made by the operations.

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost::auth::{Rfc6238, RootSecret, Vault};
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::session::{Proof, Proofs, Session};
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::usage::Calls;
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{ApiKeyId, Id, LinkedIdentityId, MembershipId, PasskeyId, SessionId, UserId, WorkspaceId};
use tradepost_domain::money::Currency;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{
    AcceptMembership, BootstrapWorkspace, CompleteStepUp, ConfirmTotpEnrollment, InviteMember, IssueApiKey,
    RegisterUser, RevokeApiKey,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::secrets::{Secrets as _, TokenKind};
use tradepost_ports::store::UsageCount;
use tradepost_testkit::fakes::FixedClock;

use super::Key;
use super::keys::Keys;
use super::workspace_keys::leave_workspace_keys;

/// The owner of the first workspace, who has an authenticator app.
pub(crate) const OWNER: &str = "owner@example.com";
/// A member of it, who has none.
pub(crate) const MEMBER: &str = "member@example.com";
/// The owner of the other workspace, who has none either.
pub(crate) const OTHER: &str = "other@example.com";
/// The root secret of every world.
pub(crate) const ROOT_SECRET: [u8; 32] = [7; 32];
const CHAT: &str = "chat@example.com";
/// The identity by which the chat user signs in.
pub(crate) const CHAT_IDENTITY: LinkedIdentityId = LinkedIdentityId::from_bytes([9; 16]);
/// Its number at the platform.
pub(crate) const CHAT_SUBJECT: &str = "80351110224678912";

/// The password of every user.
pub(crate) const PASSWORD: &str = "copper lantern under seven bridges";

/// The other owner's passkey, of which a copy was used.
pub(crate) const COPIED_PASSKEY: PasskeyId = Id::from_bytes([8; 16]);

/// Who and what there is.
#[derive(Debug, Clone)]
pub(crate) struct People {
    pub(crate) owner: UserId,
    pub(crate) member: UserId,
    pub(crate) other: UserId,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) other_workspace_id: WorkspaceId,
    /// The owner's membership of the first workspace.
    pub(crate) owner_membership: MembershipId,
    /// The member's membership.
    pub(crate) membership: MembershipId,
    /// Another user's pending invitation into the first workspace.
    pub(crate) guest: MembershipId,
    /// The owner's pending invitation into the other workspace.
    pub(crate) invitation: MembershipId,
    /// An invitation of the owner that was not accepted in time.
    pub(crate) stale_invitation: MembershipId,
    /// The other owner's membership of their own workspace.
    pub(crate) foreign_membership: MembershipId,
    /// The other owner's session.
    pub(crate) foreign_session: SessionId,
    pub(crate) totp_secret: SecretString,
    pub(crate) keys: Keys,
}

/// Creates all users.
pub(crate) async fn arrive(app: &tradepost::Tradepost, clock: &FixedClock) -> People {
    let operations = app.operations();
    let [owner, member, other, chat] = [
        register(operations, OWNER, "Owner").await,
        register(operations, MEMBER, "Member").await,
        register(operations, OTHER, "Other owner").await,
        register(operations, CHAT, "Chat user").await,
    ];
    let (workspace_id, owner_membership) = found(operations, owner, "Desk", Some("Where the tests trade")).await;
    let (other_workspace_id, foreign_membership) = found(operations, other, "Other desk", None).await;
    let (third, _) = found(operations, other, "Third desk", None).await;
    let stale_invitation = invite(operations, third, OWNER).await;
    clock.advance(Duration::days(8));
    let totp_secret = enrol_authenticator(operations, owner, clock).await;
    let membership = join(operations, workspace_id, member, MEMBER).await;
    join(operations, workspace_id, chat, CHAT).await;
    let guest = invite(operations, workspace_id, "guest@example.com").await;
    let invitation = invite(operations, other_workspace_id, OWNER).await;
    let mut keys = issue_keys(operations, workspace_id, other_workspace_id, clock).await;
    let [own_session, foreign_session, owners, unproven] = [1, 2, 3, 4].map(|byte| SessionId::from_bytes([byte; 16]));
    for (key, user, id) in
        [(Key::Session, member, own_session), (Key::Owner, owner, owners), (Key::UnprovenOwner, owner, unproven)]
    {
        keys.insert_session(key, &session_of(app, clock, user, id).await, id);
    }
    session_of(app, clock, other, foreign_session).await;
    leave_only_the_chat_identity(app, chat, clock).await;
    leave_a_copied_passkey(app, other, clock).await;
    leave_workspace_keys(app, workspace_id, other_workspace_id, clock.now()).await;
    let people = People {
        owner,
        member,
        other,
        workspace_id,
        other_workspace_id,
        owner_membership,
        membership,
        guest,
        invitation,
        stale_invitation,
        foreign_membership,
        foreign_session,
        totp_secret,
        keys,
    };
    people.step_up(operations, clock).await;
    people.have_called(app).await;
    people
}

impl People {
    /// The code that the owner's authenticator app shows, of a period of its own: a code works once.
    pub(crate) fn totp_code(&self, clock: &FixedClock) -> SecretString {
        clock.advance(Duration::seconds(30));
        Rfc6238::code(self.totp_secret.expose_secret(), clock.now()).unwrap()
    }

    /// Lets every live key be used at the same time, so that its last use does not depend on what a test did first.
    pub(crate) async fn use_every_key(&self, operations: &Operations) {
        for token in self.keys.tokens() {
            let is_live = token != self.keys.token(Key::Expired) && token != self.keys.token(Key::Revoked);
            assert_eq!(operations.authenticate(token, None).await.is_ok(), is_live);
        }
    }

    /// What was called in the first workspace the month before.
    async fn have_called(&self, app: &tradepost::Tradepost) {
        let calls = Calls { requests: 7, errors: 2, rate_limited: 1 };
        let minute = Timestamp::from_micros(1_764_558_000_000_000).unwrap().as_micros() / 60_000_000;
        let count =
            |key_id, operation| UsageCount { workspace_id: self.workspace_id, minute, key_id, operation, calls };
        let reader = Some(self.keys.id(Key::Reader));
        let counts = [count(None, "GetPurchase"), count(reader, "GetPurchase"), count(reader, "ListPurchases")];
        app.store().usage().add(&counts).await.unwrap();
    }

    async fn step_up(&self, operations: &Operations, clock: &FixedClock) {
        let caller = operations.authenticate(self.keys.token(Key::Full), None).await.unwrap();
        let challenge_id = operations.begin_step_up(&caller).await.unwrap().challenge_id;
        let answer = CompleteStepUp {
            challenge_id,
            method: Method::Totp,
            code: self.totp_code(clock),
            credential: String::new(),
        };
        operations.complete_step_up(&caller, answer).await.unwrap();
    }
}

async fn register(operations: &Operations, email: &str, name: &str) -> UserId {
    let command = RegisterUser { email: address(email), display_name: text(name), password: PASSWORD.into() };
    operations.register_user(&Caller::system(), command).await.unwrap().id
}

/// Signs a user in by password, with a session of a known id; returns its token. By the store, so that the ids of everything else
/// do not depend on who is signed in.
pub(crate) async fn session_of(
    app: &tradepost::Tradepost,
    clock: &FixedClock,
    user_id: UserId,
    id: SessionId,
) -> String {
    let issued = Vault::new(&RootSecret::from_bytes(ROOT_SECRET)).issue(TokenKind::Session);
    let session = Session {
        id,
        user_id,
        prefix: issued.prefix,
        digest: issued.digest,
        proofs: Proofs::of(&[Proof::Password]),
        proved_at: clock.now(),
        created_at: clock.now(),
        client: Some([192, 0, 2, 7].into()),
        user_agent: Some(text("tests/1.0")),
    };
    let mut changes = Changes::by(&Caller::system());
    changes.insert(session);
    app.store().commit(changes).await.unwrap();
    issued.secret.expose_secret().to_owned()
}

async fn found(
    operations: &Operations,
    owner_id: UserId,
    name: &str,
    description: Option<&str>,
) -> (WorkspaceId, MembershipId) {
    let command = BootstrapWorkspace {
        owner_id,
        name: text(name),
        description: description.map(text),
        base_currency: Currency::USD,
    };
    let founded = operations.bootstrap_workspace(&Caller::system(), command).await.unwrap();
    (founded.workspace.id, founded.membership.id)
}

async fn invite(operations: &Operations, workspace_id: WorkspaceId, email: &str) -> MembershipId {
    invite_as(operations, workspace_id, email, Role::Member).await
}

async fn invite_as(operations: &Operations, workspace_id: WorkspaceId, email: &str, role: Role) -> MembershipId {
    let policies = vec!["trading".to_owned(), "analytics".to_owned()];
    let command = InviteMember { workspace_id, email: email.to_owned(), role, policies };
    operations.invite_member(&Caller::system(), command).await.unwrap().id
}

async fn join(operations: &Operations, workspace_id: WorkspaceId, user: UserId, email: &str) -> MembershipId {
    let membership_id = invite(operations, workspace_id, email).await;
    let accept = AcceptMembership { membership_id };
    operations.accept_membership(&Caller::person(user), accept).await.unwrap().id
}

/// A new user.
pub(crate) async fn registered(operations: &Operations, email: &str) -> UserId {
    register(operations, email, "Newcomer").await
}

/// A new user who joined a workspace in a role.
pub(crate) async fn member_of(
    operations: &Operations,
    workspace_id: WorkspaceId,
    email: &str,
    role: Role,
) -> Membership {
    let user = registered(operations, email).await;
    let membership_id = invite_as(operations, workspace_id, email, role).await;
    operations.accept_membership(&Caller::person(user), AcceptMembership { membership_id }).await.unwrap()
}

/// A new user who joined a workspace.
pub(crate) async fn newcomer(operations: &Operations, workspace_id: WorkspaceId, email: &str) -> MembershipId {
    member_of(operations, workspace_id, email, Role::Member).await.id
}

/// A new user who joined a workspace and has an authenticator app.
pub(crate) async fn newcomer_with_app(
    operations: &Operations,
    workspace_id: WorkspaceId,
    email: &str,
    clock: &FixedClock,
) -> MembershipId {
    let user = register(operations, email, "Newcomer").await;
    enrol_authenticator(operations, user, clock).await;
    join(operations, workspace_id, user, email).await
}

/// A user has an authenticator app from now on; its secret.
pub(crate) async fn enrol_authenticator(operations: &Operations, user: UserId, clock: &FixedClock) -> SecretString {
    let offered = operations.begin_totp_enrollment(&Caller::person(user)).await.unwrap();
    let code = Rfc6238::code(offered.secret.expose_secret(), clock.now()).unwrap();
    let confirm = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code };
    operations.confirm_totp_enrollment(&Caller::person(user), confirm).await.unwrap();
    offered.secret
}

async fn issue_keys(
    operations: &Operations,
    workspace_id: WorkspaceId,
    other_workspace_id: WorkspaceId,
    clock: &FixedClock,
) -> Keys {
    let but_identity =
        PolicySet::of(&Policy::ALL.map(|policy| if policy == Policy::Identity { Policy::Trading } else { policy }));
    let soon = clock.now().plus(Duration::hours(1));
    let mut keys = Keys::default();
    for (key, owner, policies, expires_at) in [
        (Key::Full, OWNER, PolicySet::EVERY, None),
        (Key::Unproven, OWNER, PolicySet::EVERY, None),
        (Key::NoIdentity, OWNER, but_identity, None),
        (Key::Reader, OWNER, PolicySet::of(&[Policy::Analytics]), None),
        (Key::Trader, OWNER, PolicySet::of(&[Policy::Trading]), None),
        (Key::Bare, OWNER, PolicySet::NONE, None),
        (Key::Member, MEMBER, PolicySet::EVERY, None),
        (Key::Chat, CHAT, PolicySet::EVERY, None),
        (Key::Expired, OWNER, PolicySet::EVERY, Some(soon)),
        (Key::Revoked, OWNER, PolicySet::EVERY, None),
        (Key::Other, OTHER, PolicySet::EVERY, None),
    ] {
        let workspace_id = if key == Key::Other { other_workspace_id } else { workspace_id };
        let order =
            IssueApiKey { workspace_id, owner: address(owner), name: text(&format!("{key:?}")), policies, expires_at };
        let created = operations.issue_api_key(&Caller::system(), order).await.unwrap();
        keys.insert(key, created.raw_key.expose_secret(), created.key.id);
    }
    let revoke = RevokeApiKey { api_key_id: keys.id(Key::Revoked), workspace_id: Some(workspace_id), reason: None };
    operations.revoke_api_key(&Caller::system(), revoke).await.unwrap();
    clock.advance(Duration::hours(2));
    keys
}

/// A further key of a member: its token and its id.
pub(crate) async fn issued(
    operations: &Operations,
    workspace_id: WorkspaceId,
    owner: &str,
    policies: PolicySet,
) -> (String, ApiKeyId) {
    let order =
        IssueApiKey { workspace_id, owner: address(owner), name: text("A further key"), policies, expires_at: None };
    let created = operations.issue_api_key(&Caller::system(), order).await.unwrap();
    (created.raw_key.expose_secret().to_owned(), created.key.id)
}

/// Takes address and password away and links an identity of another platform, which no operation does yet.
async fn leave_only_the_chat_identity(app: &tradepost::Tradepost, user_id: UserId, clock: &FixedClock) {
    let user = app.store().users().find(user_id).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes
        .revise(user, |user| {
            Ok::<_, ()>(tradepost_domain::accounts::user::User { email: None, password: None, ..user })
        })
        .unwrap();
    changes.insert(LinkedIdentity {
        id: CHAT_IDENTITY,
        user_id,
        provider: Provider::Discord,
        subject: text(CHAT_SUBJECT),
        linked_at: Timestamp::from_micros(clock.now().as_micros()).unwrap(),
    });
    app.store().commit(changes).await.unwrap();
}

/// Gives a user a passkey that was disabled, which takes two authenticators of one key to do over the wire.
async fn leave_a_copied_passkey(app: &tradepost::Tradepost, user_id: UserId, clock: &FixedClock) {
    let mut changes = Changes::by(&Caller::system());
    changes.insert(Passkey {
        id: COPIED_PASSKEY,
        user_id,
        name: text("Lost phone"),
        credential_id: vec![8; 16],
        credential: "{}".to_owned(),
        backed_up: true,
        authenticator: Aaguid::reported(0xbada_5566_a7aa_401f_bd96_4561_9a55_120d_u128.to_be_bytes()),
        created_at: clock.now(),
        last_used_at: Some(clock.now().plus(Duration::minutes(1))),
        disabled_at: Some(clock.now().plus(Duration::minutes(2))),
    });
    app.store().commit(changes).await.unwrap();
}

fn address(text: &str) -> EmailAddress {
    EmailAddress::new(text).unwrap()
}

fn text<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).unwrap()
}

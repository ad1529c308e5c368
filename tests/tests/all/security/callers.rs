//! Every kind of caller that there is, in one world: strangers, keys of each policy, sessions of each role, and those whose
//! rights are over.

use reqwest::header::HeaderMap;
use serde_json::Value;
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::step_up::{Grant, Method};
use tradepost_domain::id::{SessionId, UserId};
use tradepost_operations::Caller;
use tradepost_operations::accounts::{RemoveMembership, SuspendMembership};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;

use crate::harness::{Answer, Key, OWNER, World, issued, member_of, session_of};

/// The callers, in the order of the columns of the table.
pub(super) const CALLERS: [&str; 24] = [
    "anonymous",
    "nonsense",
    "expired_key",
    "revoked_key",
    "removed_members_key",
    "suspended_members_key",
    "other_workspaces_key",
    "key_of_no_policy",
    "key_of_analytics",
    "key_of_trading",
    "key_of_accounts",
    "key_of_markets",
    "key_of_workspace",
    "key_of_identity",
    "members_key",
    "admins_key",
    "owners_key",
    "owners_proven_key",
    "other_owners_session",
    "removed_members_session",
    "suspended_members_session",
    "members_session",
    "admins_session",
    "owners_session",
];

/// All of them in a world.
pub(super) struct Crowd {
    pub(super) world: World,
    tokens: Vec<Option<String>>,
    http: reqwest::Client,
}

impl Crowd {
    pub(super) async fn gathered(world: World) -> Self {
        let mut tokens = Vec::new();
        let newcomers = Newcomers::join(&world).await;
        for caller in CALLERS {
            tokens.push(newcomers.token(&world, caller).await);
        }
        newcomers.lose_their_places(&world).await;
        Self { world, tokens, http: reqwest::Client::new() }
    }

    /// Calls an operation of the first workspace as one of [`CALLERS`].
    pub(super) async fn call(&self, caller: usize, method: &str, body: &Value) -> Answer {
        let mut headers = HeaderMap::new();
        headers.insert("x-workspace-id", self.world.people.workspace_id.to_string().parse().unwrap());
        let request = self.http.post(self.world.client.url(method)).header("content-type", "application/json");
        let request = match &self.tokens[caller] {
            Some(token) if token.starts_with("tps_") => request.bearer_auth(token).headers(headers),
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        Answer::of(request.body(body.to_string()).send().await.unwrap()).await.unwrap()
    }
}

const ADMIN: &str = "admin@example.com";
const REMOVED: &str = "removed@example.com";
const SUSPENDED: &str = "suspended@example.com";

/// Members in addition to those that every world has.
struct Newcomers {
    admin: Membership,
    removed: Membership,
    suspended: Membership,
}

impl Newcomers {
    async fn join(world: &World) -> Self {
        let join = |email, role| member_of(world.app.operations(), world.people.workspace_id, email, role);
        Self {
            admin: join(ADMIN, Role::Admin).await,
            removed: join(REMOVED, Role::Member).await,
            suspended: join(SUSPENDED, Role::Member).await,
        }
    }

    async fn token(&self, world: &World, caller: &str) -> Option<String> {
        let known = |key| Some(world.token(key).to_owned());
        let policy = |policy| PolicySet::of(&[policy]);
        match caller {
            "anonymous" => None,
            "nonsense" => Some("tpk_nonsense".to_owned()),
            "expired_key" => known(Key::Expired),
            "revoked_key" => known(Key::Revoked),
            "removed_members_key" => issue(world, REMOVED, PolicySet::EVERY).await,
            "suspended_members_key" => issue(world, SUSPENDED, PolicySet::EVERY).await,
            "other_workspaces_key" => known(Key::Other),
            "key_of_no_policy" => known(Key::Bare),
            "key_of_analytics" => known(Key::Reader),
            "key_of_trading" => known(Key::Trader),
            "key_of_accounts" => issue(world, OWNER, policy(Policy::Accounts)).await,
            "key_of_markets" => issue(world, OWNER, policy(Policy::Markets)).await,
            "key_of_workspace" => issue(world, OWNER, policy(Policy::Workspace)).await,
            "key_of_identity" => issue(world, OWNER, policy(Policy::Identity)).await,
            "members_key" => known(Key::Member),
            "admins_key" => issue(world, ADMIN, PolicySet::EVERY).await,
            "owners_key" => known(Key::Unproven),
            "owners_proven_key" => known(Key::Full),
            "other_owners_session" => session(world, world.people.other, 11).await,
            "removed_members_session" => session(world, self.removed.user_id().unwrap(), 12).await,
            "suspended_members_session" => session(world, self.suspended.user_id().unwrap(), 13).await,
            "members_session" => known(Key::Session),
            "admins_session" => session(world, self.admin.user_id().unwrap(), 14).await,
            "owners_session" => session(world, world.people.owner, 15).await,
            other => panic!("nobody knows the caller {other}"),
        }
    }

    async fn lose_their_places(&self, world: &World) {
        let (operations, workspace_id) = (world.app.operations(), world.people.workspace_id);
        let remove = RemoveMembership { workspace_id, membership_id: self.removed.id };
        operations.remove_membership(&Caller::system(), remove).await.unwrap();
        let suspend = SuspendMembership { workspace_id, membership_id: self.suspended.id };
        operations.suspend_membership(&Caller::system(), suspend).await.unwrap();
    }
}

/// The token of an admin's key that holds every policy and has shown a second factor.
pub(super) async fn proven_admin(world: &World) -> String {
    let member = member_of(world.app.operations(), world.people.workspace_id, ADMIN, Role::Admin).await;
    let key = issued(world.app.operations(), world.people.workspace_id, ADMIN, PolicySet::EVERY).await;
    let (user_id, principal) = (member.user_id().unwrap(), PrincipalId::Key(key.1));
    let mut changes = Changes::by(&Caller::system());
    changes.put(Grant { user_id, principal, method: Method::Totp, granted_at: world.clock.now() });
    world.app.store().commit(changes).await.unwrap();
    key.0
}

async fn issue(world: &World, owner: &str, policies: PolicySet) -> Option<String> {
    Some(issued(world.app.operations(), world.people.workspace_id, owner, policies).await.0)
}

async fn session(world: &World, user: UserId, number: u8) -> Option<String> {
    Some(session_of(&world.app, &world.clock, user, SessionId::from_bytes([number; 16])).await)
}

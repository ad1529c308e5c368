//! The law of API keys, over random histories: a key never holds more than its owner's membership does at that moment.
//! A key of a former member does nothing at all.

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::accounts::api_key::Expiry;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::step_up::{Grant, Method};
use tradepost_domain::id::{ApiKeyId, MembershipId, UserId};
use tradepost_operations::accounts::{
    AcceptMembership, CreateApiKey, CreatedKey, InviteMember, ReinstateMembership, RemoveMembership, RotateApiKey,
    SuspendMembership, UpdateApiKey, UpdateMembership,
};
use tradepost_operations::{Caller, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;

use crate::harness::World;

const HISTORIES: u64 = 10_000;
const STEPS: usize = 12;
const PEOPLE: [&str; 3] = ["ada@example.com", "bob@example.com", "cy@example.com"];

/// Numbers that follow from a seed (xorshift, Marsaglia 2003), so that a history that fails can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides).unwrap()).unwrap()
    }

    fn one_of<T: Clone>(&mut self, things: &[T]) -> Option<T> {
        if things.is_empty() { None } else { Some(things[self.below(things.len())].clone()) }
    }

    fn policies(&mut self) -> Vec<String> {
        let chosen = Policy::ALL.into_iter().filter(|_| self.below(2) == 0);
        chosen.map(|policy| policy.name().to_owned()).collect()
    }

    fn role(&mut self) -> Role {
        [Role::Member, Role::Member, Role::Admin][self.below(3)]
    }
}

/// One history: who and what there is so far.
struct History {
    world: World,
    dice: Dice,
    users: Vec<UserId>,
    memberships: Vec<MembershipId>,
    keys: Vec<CreatedKey>,
    /// Callers as they were when their keys were made, whatever has become of them since.
    callers: Vec<Caller>,
}

impl History {
    async fn begin(seed: u64) -> Self {
        let world = World::new().await;
        let mut users = Vec::new();
        for email in PEOPLE {
            users.push(world.user(email).await);
        }
        let key = world.issue(world.workspace_id, &world.owner, PolicySet::EVERY).await;
        let mut history = Self {
            world,
            dice: Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            users,
            memberships: Vec::new(),
            keys: Vec::new(),
            callers: Vec::new(),
        };
        history.take(key).await;
        history
    }

    /// Takes note of a new key, whose caller has shown a second factor.
    async fn take(&mut self, key: CreatedKey) {
        let caller = self.world.operations.authenticate(key.raw_key.expose_secret(), None).await;
        if let Ok(caller) = caller {
            let (user_id, principal) = (key.key.owner_id, PrincipalId::Key(key.key.id));
            let granted_at = self.world.clock.now();
            let mut changes = Changes::by(&Caller::system());
            changes.put(Grant { user_id, principal, method: Method::Totp, granted_at });
            self.world.store.commit(changes).await.unwrap();
            self.callers.push(caller);
        }
        self.keys.push(key);
    }

    async fn membership(&self, id: MembershipId) -> Membership {
        let scope = Caller::system().principal.enter(self.world.workspace_id, PolicySet::NONE).unwrap();
        self.world.store.memberships().find(scope, id).await.unwrap().unwrap().into_display().0
    }

    /// Takes a random step by a random caller; the operation decides whether to refuse it.
    async fn step(&mut self) {
        let caller = self.dice.one_of(&self.callers).unwrap();
        let membership = self.membership(caller.principal.key().unwrap().membership_id).await;
        let done = match self.dice.below(10) {
            0 => self.invite(&caller).await,
            1 => self.accept().await,
            2 | 3 => self.govern(&caller).await,
            4 => self.update_membership(&caller).await,
            5 | 6 => self.create_key(&caller).await,
            7 | 8 => self.update_key(&caller).await,
            _ => self.rotate_key(&caller).await,
        };
        if let Some(Ok(Acted::ByCaller)) = done {
            assert_eq!(membership.status(), Status::Accepted, "the key of a non-member acted");
            assert!(membership.rights().has(Policy::Workspace), "a key did what its owner may not");
        }
    }

    async fn invite(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        let command = InviteMember {
            workspace_id: self.world.workspace_id,
            email: self.dice.one_of(&PEOPLE)?.to_owned(),
            role: self.dice.role(),
            policies: self.dice.policies(),
        };
        let invited = self.world.operations.invite_member(caller, command).await;
        Some(invited.map(|invited| {
            self.memberships.push(invited.id);
            Acted::ByCaller
        }))
    }

    async fn accept(&mut self) -> Option<OpResult<Acted>> {
        let user = Caller::person(self.dice.one_of(&self.users)?);
        let command = AcceptMembership { membership_id: self.dice.one_of(&self.memberships)? };
        Some(self.world.operations.accept_membership(&user, command).await.map(|_| Acted::ByAnotherUser))
    }

    async fn govern(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        let (workspace_id, membership_id) = (self.world.workspace_id, self.dice.one_of(&self.memberships)?);
        let operations = &self.world.operations;
        let done = match self.dice.below(3) {
            0 => operations.suspend_membership(caller, SuspendMembership { workspace_id, membership_id }).await,
            1 => operations.reinstate_membership(caller, ReinstateMembership { workspace_id, membership_id }).await,
            _ => operations.remove_membership(caller, RemoveMembership { workspace_id, membership_id }).await,
        };
        Some(done.map(|_| Acted::ByCaller))
    }

    async fn update_membership(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        let command = UpdateMembership {
            workspace_id: self.world.workspace_id,
            membership_id: self.dice.one_of(&self.memberships)?,
            role: Some(self.dice.role()),
            policies: Some(self.dice.policies()),
            expected_version: None,
        };
        Some(self.world.operations.update_membership(caller, command).await.map(|_| Acted::ByCaller))
    }

    /// A key made by a key, or one issued on the server to some member with whatever policies.
    async fn create_key(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        if self.dice.below(2) == 0 {
            let id = self.dice.one_of(&self.memberships)?;
            let membership = self.membership(id).await;
            if membership.status() != Status::Accepted {
                return None;
            }
            let policies = self.dice.policies();
            let policies = policies.iter().map(|name| Policy::from_name(name).unwrap()).collect::<Vec<_>>();
            let owner = membership.invitee.unwrap();
            let key = self.world.issue(self.world.workspace_id, &owner, PolicySet::of(&policies)).await;
            self.take(key).await;
            return None;
        }
        let command = CreateApiKey {
            name: "made".to_owned(),
            expires_at: None,
            policies: self.dice.policies(),
            allowed_cidrs: Vec::new(),
        };
        let created = self.world.operations.create_api_key(caller, command).await;
        self.took(created).await
    }

    async fn update_key(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        let command = UpdateApiKey {
            workspace_id: self.world.workspace_id,
            api_key_id: self.any_key()?,
            name: None,
            policies: Some(self.dice.policies()),
            expiry: Some(Expiry::Never),
            allowed_cidrs: None,
            expected_version: None,
        };
        Some(self.world.operations.update_api_key(caller, command).await.map(|_| Acted::ByCaller))
    }

    async fn rotate_key(&mut self, caller: &Caller) -> Option<OpResult<Acted>> {
        let overlap_seconds = if self.dice.below(2) == 0 { Some(0) } else { None };
        let workspace_id = self.world.workspace_id;
        let command = RotateApiKey { workspace_id, api_key_id: self.any_key()?, overlap_seconds };
        let created = self.world.operations.rotate_api_key(caller, command).await;
        self.took(created).await
    }

    async fn took(&mut self, created: OpResult<CreatedKey>) -> Option<OpResult<Acted>> {
        match created {
            Ok(key) => {
                self.take(key).await;
                Some(Ok(Acted::ByCaller))
            }
            Err(refused) => Some(Err(refused)),
        }
    }

    fn any_key(&mut self) -> Option<ApiKeyId> {
        let ids: Vec<ApiKeyId> = self.keys.iter().map(|key| key.key.id).collect();
        self.dice.one_of(&ids)
    }

    /// Checks every key there ever was.
    async fn check(&self) {
        for key in &self.keys {
            let membership = self.membership(key.key.membership_id).await;
            let Ok(caller) = self.world.operations.authenticate(key.raw_key.expose_secret(), None).await else {
                continue;
            };
            assert!(!membership.status().is_terminal(), "the key of a former member opens something");
            let is_member = membership.status() == Status::Accepted;
            assert_eq!(caller.principal.enter_as_member(self.world.workspace_id).is_ok(), is_member);
            let identity = if is_member { PolicySet::of(&[Policy::Identity]) } else { PolicySet::NONE };
            let held = caller.principal.key().unwrap().rights;
            assert!(held.is_subset_of(membership.rights().or(identity)), "{held:?} of {membership:?}");
        }
    }
}

/// Who did what was done.
enum Acted {
    ByCaller,
    ByAnotherUser,
}

#[tokio::test]
async fn no_key_holds_more_than_its_owner_or_acts_for_a_former_member() {
    for seed in 1..=HISTORIES {
        let mut history = History::begin(seed).await;
        for _ in 0..STEPS {
            history.step().await;
            history.check().await;
        }
    }
}

//! A workspace in memory, with the operations on it and callers of every kind.

mod mailbox;
mod scripted_store;

use std::sync::Arc;
use tradepost_ports::store::Records;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::money::Currency;
use tradepost_operations::accounts::{
    AcceptMembership, AcknowledgeRiskNotice, BeginPasskeyRegistration, BootstrapWorkspace, CompleteStepUp,
    ConfirmTotpEnrollment, CreatedKey, FinishPasskeyRegistration, InviteMember, IssueApiKey, RegisterUser, SignIn,
    SignInAnswer, UpdateWorkspace,
};
use tradepost_operations::{Caller, Code, OpError, Operations, Ports};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::{FakeAlertSender, FakePasskeys, FakePorts, FakeTotp, FixedClock};
use tradepost_testkit::memory::MemoryStore;

pub(crate) use mailbox::Mailbox;
pub(crate) use scripted_store::{Fate, Gate, ScriptedStore};

/// The password of every user of a [`World`].
pub(crate) const PASSWORD: &str = "copper lantern under seven bridges";

const URL: &str = "https://tradepost.example.com";

/// The operations over fakes, with one workspace and its owner, `owner@example.com`.
pub(crate) struct World {
    ports: Ports,
    pub(crate) operations: Arc<Operations>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) mailer: Mailbox,
    pub(crate) alerts: Arc<FakeAlertSender>,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) owner: EmailAddress,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A world in which some ports are replaced.
    pub(crate) async fn with(replace: impl FnOnce(&mut Ports)) -> Self {
        Self::made(replace, |operations| operations).await
    }

    /// A world in which sign-up is closed.
    pub(crate) async fn closed() -> Self {
        Self::made(|_| {}, Operations::without_sign_up).await
    }

    pub(crate) async fn made(replace: impl FnOnce(&mut Ports), finish: impl FnOnce(Operations) -> Operations) -> Self {
        let fakes = FakePorts::default();
        let mut ports = fakes.ports();
        replace(&mut ports);
        let operations = Arc::new(finish(Operations::new(ports.clone(), URL)));
        let mailer = Mailbox { operations: operations.clone(), mailer: fakes.mailer };
        let owner = address("owner@example.com");
        let workspace_id = found(&operations, &owner).await;
        let (store, clock, alerts) = (fakes.store, fakes.clock, fakes.alerts);
        Self { ports, operations, store, clock, mailer, alerts, workspace_id, owner }
    }

    /// The same world after a restart with some ports replaced.
    pub(crate) fn restarted(&self, replace: impl FnOnce(&mut Ports)) -> Self {
        let mut ports = self.ports.clone();
        replace(&mut ports);
        let operations = Arc::new(Operations::new(ports.clone(), URL));
        let mailer = Mailbox { operations: operations.clone(), mailer: self.mailer.mailer.clone() };
        let (store, clock, owner) = (self.store.clone(), self.clock.clone(), self.owner.clone());
        let (alerts, workspace_id) = (self.alerts.clone(), self.workspace_id);
        Self { ports, operations, store, clock, mailer, alerts, workspace_id, owner }
    }

    /// The same world in another process, to whose commits happens what the script says.
    pub(crate) fn scripted(&self, script: impl IntoIterator<Item = Fate>) -> Self {
        let store = ScriptedStore::over(self.store.clone(), script);
        self.restarted(|ports| ports.store = store)
    }

    /// Has the risk notice acknowledged, so that secrets of accounts and providers are accepted.
    pub(crate) async fn acknowledge_risks(&self) {
        self.acknowledge_risks_in(self.workspace_id).await;
    }

    /// The same for another workspace.
    pub(crate) async fn acknowledge_risks_in(&self, workspace_id: WorkspaceId) {
        let command = AcknowledgeRiskNotice { workspace_id, version: RISK_NOTICE.version.to_owned() };
        self.operations.acknowledge_risk_notice(&Caller::system(), command).await.unwrap();
    }

    /// A caller with a new key of the owner that holds these policies.
    pub(crate) async fn key(&self, policies: PolicySet) -> Caller {
        self.key_of(self.workspace_id, &self.owner, policies).await
    }

    /// A caller with a new key of the owner that holds every policy.
    pub(crate) async fn full_key(&self) -> Caller {
        self.key(PolicySet::EVERY).await
    }

    /// A caller with a new key of the owner that holds every policy but this one.
    pub(crate) async fn key_without(&self, policy: Policy) -> Caller {
        let others: Vec<Policy> = Policy::ALL.into_iter().filter(|other| *other != policy).collect();
        self.key(PolicySet::of(&others)).await
    }

    /// A caller with a new key of a member.
    pub(crate) async fn key_of(&self, workspace_id: WorkspaceId, owner: &EmailAddress, policies: PolicySet) -> Caller {
        let created = self.issue(workspace_id, owner, policies).await;
        self.operations.authenticate(created.raw_key.expose_secret(), None).await.unwrap()
    }

    /// A new key of a member.
    pub(crate) async fn issue(
        &self,
        workspace_id: WorkspaceId,
        owner: &EmailAddress,
        policies: PolicySet,
    ) -> CreatedKey {
        let order = IssueApiKey {
            workspace_id,
            owner: owner.clone(),
            name: tradepost_testkit::samples::text("a key"),
            policies,
            expires_at: None,
        };
        self.operations.issue_api_key(&Caller::system(), order).await.unwrap()
    }

    /// Another workspace with an owner of its own, and a key of that owner with every policy.
    pub(crate) async fn other_workspace(&self) -> (WorkspaceId, EmailAddress, Caller) {
        let owner = address("other@example.com");
        let workspace_id = found(&self.operations, &owner).await;
        let caller = self.key_of(workspace_id, &owner, PolicySet::EVERY).await;
        (workspace_id, owner, caller)
    }

    /// The token of a new session by password.
    pub(crate) async fn signed_in(&self, email: &EmailAddress) -> SecretString {
        match self.operations.sign_in(&Caller::anonymous(None), sign_in(email.as_str(), PASSWORD)).await.unwrap() {
            SignInAnswer::Open(signed_in) => signed_in.session_token,
            SignInAnswer::Asked { .. } => panic!("a second factor is asked for"),
        }
    }

    /// The caller that holds a token.
    pub(crate) async fn caller(&self, token: &SecretString) -> Caller {
        self.operations.authenticate(token.expose_secret(), None).await.unwrap()
    }

    /// The same caller as the next request finds them, where their user was written again.
    pub(crate) async fn again(&self, caller: &Caller) -> Caller {
        let user_id = caller.principal.prover().unwrap().user_id;
        let user = self.store.users().find(user_id).await.unwrap().unwrap().stamp();
        let guards = caller.guards.iter().map(|guard| if guard.address == user.address { user } else { *guard });
        Caller { guards: guards.collect(), ..caller.clone() }
    }

    /// A session of the owner that has chosen the workspace.
    pub(crate) async fn session(&self) -> Caller {
        let mut caller = self.caller(&self.signed_in(&self.owner).await).await;
        if let Principal::Session(session) = &mut caller.principal {
            session.chosen = Some(self.workspace_id);
        }
        caller
    }

    /// The caller's user enrols an authenticator app; gives its recovery codes.
    pub(crate) async fn enrol_app(&self, caller: &Caller) -> Vec<SecretString> {
        let offered = self.operations.begin_totp_enrollment(caller).await.unwrap();
        let confirm = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code: self.app_code() };
        self.operations.confirm_totp_enrollment(caller, confirm).await.unwrap()
    }

    /// A passkey of the owner, whose authenticator has counted nothing yet.
    pub(crate) async fn passkey(&self) -> Passkey {
        let caller = self.proven_key().await;
        let begin = BeginPasskeyRegistration { name: "laptop".to_owned() };
        let options = self.operations.begin_passkey_registration(&caller, begin).await.unwrap();
        let finish = FinishPasskeyRegistration { credential: FakePasskeys::answer(&options) };
        self.operations.finish_passkey_registration(&caller, finish).await.unwrap().value
    }

    /// The code of the first authenticator app, of a period of its own: a code works once.
    pub(crate) fn app_code(&self) -> SecretString {
        self.advance(Duration::seconds(30));
        FakeTotp::code(&[1; 20], self.clock.now()).into()
    }

    /// A new user.
    pub(crate) async fn user(&self, email: &str) -> UserId {
        register(&self.operations, &address(email)).await
    }

    /// A new user who accepted an invitation into the workspace.
    pub(crate) async fn member(&self, email: &str, role: Role, policies: &[Policy]) -> Member {
        let user_id = self.user(email).await;
        let email = address(email);
        let invitation = InviteMember {
            workspace_id: self.workspace_id,
            email: email.to_string(),
            role,
            policies: policies.iter().map(|policy| policy.name().to_owned()).collect(),
        };
        let invited = self.operations.invite_member(&Caller::system(), invitation).await.unwrap();
        let accept = AcceptMembership { membership_id: invited.id };
        let membership = self.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
        Member { membership, email }
    }

    /// A caller with a new key of a member that holds every policy.
    pub(crate) async fn key_of_member(&self, member: &Member) -> Caller {
        self.key_of(self.workspace_id, &member.email, PolicySet::EVERY).await
    }

    /// The same, with a step-up.
    pub(crate) async fn proven_key_of(&self, member: &Member) -> Caller {
        let caller = self.key_of_member(member).await;
        self.step_up(&caller).await;
        caller
    }

    /// A caller with a new key of the owner that holds every policy, with a step-up.
    pub(crate) async fn proven_key(&self) -> Caller {
        let caller = self.full_key().await;
        self.step_up(&caller).await;
        caller
    }

    /// Steps the caller up by the code that is mailed to its owner.
    pub(crate) async fn step_up(&self, caller: &Caller) {
        let asked = self.operations.begin_step_up(caller).await.unwrap();
        let code = self.mailed_code();
        let answer =
            CompleteStepUp { challenge_id: asked.challenge_id, method: Method::Email, code, credential: String::new() };
        self.operations.complete_step_up(caller, answer).await.unwrap();
    }

    /// Steps the caller up by the first authenticator app.
    pub(crate) async fn step_up_by_app(&self, caller: &Caller) {
        let asked = self.operations.begin_step_up(caller).await.unwrap();
        let (challenge_id, code) = (asked.challenge_id, self.app_code());
        let answer = CompleteStepUp { challenge_id, method: Method::Totp, code, credential: String::new() };
        self.operations.complete_step_up(caller, answer).await.unwrap();
    }

    /// A caller whose owner has an authenticator app, stepped up before it was enrolled, and the recovery codes.
    pub(crate) async fn enrolled(&self) -> (Caller, Vec<SecretString>) {
        let caller = self.proven_key().await;
        let codes = self.enrol_app(&caller).await;
        (caller, codes)
    }

    /// A session of a user without an authenticator app, with a step-up by mail.
    pub(crate) async fn proven_session(&self, email: &EmailAddress) -> Caller {
        let caller = self.caller(&self.signed_in(email).await).await;
        let asked = self.operations.begin_step_up(&caller).await.unwrap();
        let answer = CompleteStepUp {
            challenge_id: asked.challenge_id,
            method: Method::Email,
            code: self.mailed_code(),
            credential: String::new(),
        };
        let done = self.operations.complete_step_up(&caller, answer).await.unwrap();
        self.caller(&done.session_token.unwrap()).await
    }

    /// The code in the latest mail.
    pub(crate) fn mailed_code(&self) -> SecretString {
        let text = self.mailer.sent().pop().unwrap().text;
        let code = text.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 8).unwrap();
        SecretString::from(code)
    }

    /// The token of the link in the latest mail to this address.
    pub(crate) fn mailed_token(&self, to: &EmailAddress) -> SecretString {
        let text = self.mailer.last_to(to).unwrap().text;
        let token = text.split_whitespace().find_map(|word| word.split_once('#')).unwrap().1;
        SecretString::from(token)
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }
}

/// A member of the workspace.
pub(crate) struct Member {
    pub(crate) membership: Membership,
    pub(crate) email: EmailAddress,
}

async fn register(operations: &Operations, email: &EmailAddress) -> UserId {
    let user = RegisterUser {
        email: email.clone(),
        display_name: tradepost_testkit::samples::text("A person"),
        password: PASSWORD.into(),
    };
    operations.register_user(&Caller::system(), user).await.unwrap().id
}

async fn found(operations: &Operations, owner: &EmailAddress) -> WorkspaceId {
    let owner_id = register(operations, owner).await;
    let name = tradepost_testkit::samples::text("A workspace");
    let order = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    operations.bootstrap_workspace(&Caller::system(), order).await.unwrap().workspace.id
}

pub(crate) fn sign_in(email: &str, password: &str) -> SignIn {
    SignIn {
        email: email.to_owned(),
        password: password.into(),
        bot_check_token: None,
        device_token: None,
        user_agent: Some("tests/1.0".to_owned()),
    }
}

/// Asks for no change of a workspace yet.
pub(crate) const fn unchanged(workspace_id: WorkspaceId) -> UpdateWorkspace {
    UpdateWorkspace {
        workspace_id,
        name: None,
        description: None,
        time_zone: None,
        require_two_factor: None,
        max_api_key_lifetime_days: None,
        allow_email_step_up: None,
        expected_version: None,
    }
}

pub(crate) fn address(text: &str) -> EmailAddress {
    tradepost_testkit::samples::email(text)
}

/// Code and reason of a refusal.
pub(crate) fn refusal<T: std::fmt::Debug>(answer: Result<T, OpError>) -> (Code, &'static str) {
    let error = answer.unwrap_err();
    (error.code, error.reason.as_str())
}

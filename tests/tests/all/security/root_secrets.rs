//! Replacing the root secret: nothing is lost while the former one is at hand, and nothing new is sealed under it.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost::auth::{PasswordCost, Rfc6238, RootSecret};
use tradepost::{BuildError, SystemClock, Tradepost};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::text::Name;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{
    Bootstrap, CompleteStepUp, ConfirmTotpEnrollment, SignIn, SignInAnswer, VerifyAuditChain,
};
use tradepost_operations::secrets::key_rollover::RolloverProgress;
use tradepost_ports::clock::Clock as _;

use crate::harness::{Database, Kept, OWNER, PASSWORD, Place, generous, issued, on_both_databases};

/// A process under a root secret, with another one as the former.
async fn started(place: &Place, root: u8, former: Option<u8>) -> Result<Tradepost, BuildError> {
    let secret = |byte| RootSecret::from_bytes([byte; 32]);
    let builder = Tradepost::builder().database(place.settings()).password_cost(PasswordCost::INSECURE);
    let builder = builder.root_secret(secret(root)).quotas(generous());
    match former {
        Some(former) => builder.former_root_secret(secret(former)).build().await,
        None => builder.build().await,
    }
}

/// The owner of a desk, with what opens it.
struct Desk {
    owner: UserId,
    workspace_id: WorkspaceId,
    key: SecretString,
}

impl Desk {
    async fn founded(app: &Tradepost) -> Self {
        let name = |text: &str| Name::new(text).unwrap();
        let first = Bootstrap {
            email: EmailAddress::new(OWNER).unwrap(),
            display_name: name("Owner"),
            password: PASSWORD.into(),
            workspace: name("Desk"),
            key_name: name("Everything"),
            key: None,
            setup_link: false,
        };
        let first = app.operations().bootstrap(&Caller::system(), first).await.unwrap().unwrap();
        Self { owner: first.user.id, workspace_id: first.workspace.id, key: first.key.raw_key }
    }

    fn secrets<'a>(&self, app: &'a Tradepost) -> Kept<'a> {
        Kept { operations: app.operations(), workspace_id: self.workspace_id }
    }

    /// Where the audit log does not hold, once everything is chained.
    async fn bad_sequence(&self, app: &Tradepost) -> Option<i64> {
        app.operations().chain_audit_events().await.unwrap();
        let command = VerifyAuditChain { workspace_id: self.workspace_id };
        app.operations().verify_audit_chain(&Caller::system(), command).await.unwrap().first_bad_sequence
    }

    async fn recovery_codes(&self, app: &Tradepost) -> Vec<SecretString> {
        let owner = Caller::person(self.owner);
        let offered = app.operations().begin_totp_enrollment(&owner).await.unwrap();
        let code = Rfc6238::code(offered.secret.expose_secret(), SystemClock.now()).unwrap();
        let confirm = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code };
        app.operations().confirm_totp_enrollment(&owner, confirm).await.unwrap()
    }
}

async fn opens(app: &Tradepost, token: &SecretString) -> bool {
    app.operations().authenticate(token.expose_secret(), None).await.is_ok()
}

async fn signed_in(app: &Tradepost) -> SecretString {
    let sign_in = SignIn {
        email: OWNER.to_owned(),
        password: PASSWORD.into(),
        bot_check_token: None,
        device_token: None,
        user_agent: None,
    };
    match app.operations().sign_in(&Caller::anonymous(None), sign_in).await.unwrap() {
        SignInAnswer::Open(session) => session.session_token,
        SignInAnswer::Asked { .. } => panic!("a second factor is asked for"),
    }
}

async fn step_up(app: &Tradepost, key: &SecretString, code: &SecretString) {
    let caller = app.operations().authenticate(key.expose_secret(), None).await.unwrap();
    let challenge_id = app.operations().begin_step_up(&caller).await.unwrap().challenge_id;
    let (method, credential) = (Method::RecoveryCode, String::new());
    let answer = CompleteStepUp { challenge_id, method, code: code.clone(), credential };
    app.operations().complete_step_up(&caller, answer).await.unwrap();
}

/// Everything is under the newest root secret; the process itself is at it at the same time.
async fn renewed(app: &Tradepost) {
    let operations = app.operations();
    while operations.reseal_data_keys().await.unwrap() != RolloverProgress::default() {}
    while operations.reauthenticate_audit_logs().await.unwrap() != RolloverProgress::default() {}
}

on_both_databases! {
    async fn nothing_is_lost_when_the_root_secret_is_replaced(database) {
        let place = Place::new(database).await;
        let app = started(&place, 1, None).await.unwrap();
        let desk = Desk::founded(&app).await;
        let session = signed_in(&app).await;
        let codes = desk.recovery_codes(&app).await;
        desk.secrets(&app).keep(1, "secret").await;
        assert_eq!(desk.bad_sequence(&app).await, None);
        app.shutdown().await.unwrap();

        let app = started(&place, 2, Some(1)).await.unwrap();
        assert!(opens(&app, &session).await);
        step_up(&app, &desk.key, &codes[0]).await;
        assert_eq!(desk.secrets(&app).read(1).await.unwrap().as_deref(), Some("secret"));
        assert_eq!(desk.bad_sequence(&app).await, None);
        renewed(&app).await;
        app.shutdown().await.unwrap();

        let app = started(&place, 2, None).await.unwrap();
        assert_eq!([opens(&app, &desk.key).await, opens(&app, &session).await], [true, false]);
        assert_eq!(desk.secrets(&app).read(1).await.unwrap().as_deref(), Some("secret"));
        issued(app.operations(), desk.workspace_id, OWNER, PolicySet::EVERY).await;
        assert_eq!(desk.bad_sequence(&app).await, None);
        app.shutdown().await.unwrap();

        for (root, former) in [(3, None), (1, None), (3, Some(1))] {
            let refused = started(&place, root, former).await;
            assert!(matches!(refused, Err(BuildError::OtherRootSecret)), "{root} {former:?}");
        }
    }

    /// An operator starts a process late with the settings of before.
    async fn a_root_secret_that_was_replaced_does_not_come_back(database) {
        let place = Place::new(database).await;
        let app = started(&place, 1, Some(2)).await.unwrap();
        let desk = Desk::founded(&app).await;
        app.shutdown().await.unwrap();
        started(&place, 2, Some(1)).await.unwrap().shutdown().await.unwrap();
        let late = started(&place, 1, Some(2)).await.unwrap();
        assert!(opens(&late, &desk.key).await);
        desk.secrets(&late).keep(1, "secret").await;
        renewed(&late).await;
        late.shutdown().await.unwrap();
        let app = started(&place, 2, None).await.unwrap();
        assert!(opens(&app, &desk.key).await);
        assert_eq!(desk.secrets(&app).read(1).await.unwrap().as_deref(), Some("secret"));
        assert_eq!(desk.bad_sequence(&app).await, None);
        app.shutdown().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_restarted_one_after_the_other_read_what_each_makes() {
    let place = Place::new(Database::Postgres).await;
    let behind = started(&place, 1, Some(2)).await.unwrap();
    let desk = Desk::founded(&behind).await;
    let ahead = started(&place, 2, Some(1)).await.unwrap();
    desk.secrets(&behind).keep(1, "kept behind").await;
    desk.secrets(&ahead).keep(2, "kept ahead").await;
    let mut keys = vec![desk.key.clone()];
    for app in [&behind, &ahead] {
        let (token, _) = issued(app.operations(), desk.workspace_id, OWNER, PolicySet::EVERY).await;
        keys.push(token.into());
    }
    for app in [&ahead, &behind, &ahead] {
        for token in [signed_in(&behind).await, signed_in(&ahead).await].iter().chain(&keys) {
            assert!(opens(app, token).await);
        }
        assert_eq!(desk.secrets(app).read(1).await.unwrap().as_deref(), Some("kept behind"));
        assert_eq!(desk.secrets(app).read(2).await.unwrap().as_deref(), Some("kept ahead"));
        assert_eq!(desk.bad_sequence(app).await, None);
    }
    for app in [ahead, behind] {
        app.shutdown().await.unwrap();
    }
    let last = started(&place, 2, Some(1)).await.unwrap();
    for token in &keys {
        assert!(opens(&last, token).await);
    }
    renewed(&last).await;
    last.shutdown().await.unwrap();
    let alone = started(&place, 2, None).await.unwrap();
    for token in &keys {
        assert!(opens(&alone, token).await);
    }
    assert_eq!(desk.secrets(&alone).read(1).await.unwrap().as_deref(), Some("kept behind"));
    assert_eq!(desk.bad_sequence(&alone).await, None);
    alone.shutdown().await.unwrap();
}

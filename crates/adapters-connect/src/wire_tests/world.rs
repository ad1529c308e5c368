//! A served workspace: the operations over memory and fakes, behind the real transport.

use std::sync::Arc;

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Currency;
use tradepost_operations::accounts::{BootstrapWorkspace, IssueApiKey, RegisterUser};
use tradepost_operations::{Caller, Operations, Ports};
use tradepost_ports::limiter::Limiter;
use tradepost_testkit::fakes::{FakePorts, RecordingMailer, UnlimitedLimiter};
use tradepost_testkit::samples::{email, text};

use super::client::{Answer, Ask, CONNECT, Wire};
use crate::{Transport, TransportSettings};

/// A server with one workspace, and a key of its owner that holds every policy.
pub(super) struct World {
    pub(super) wire: Wire,
    pub(super) operations: Arc<Operations>,
    pub(super) mailer: Arc<RecordingMailer>,
    pub(super) workspace_id: WorkspaceId,
    pub(super) key: String,
}

impl World {
    pub(super) async fn new() -> Self {
        Self::limited_by(Arc::new(UnlimitedLimiter)).await
    }

    pub(super) async fn limited_by(limiter: Arc<dyn Limiter>) -> Self {
        let fakes = FakePorts::default();
        let ports = Ports { limiter, ..fakes.ports() };
        let operations = Arc::new(Operations::new(ports, "https://tradepost.example.com"));
        let workspace_id = found(&operations, "owner@example.com").await;
        let key = issue(&operations, workspace_id, PolicySet::EVERY).await;
        let transport = Transport::new(Arc::clone(&operations), &TransportSettings::default());
        Self { wire: Wire::serve(transport).await, operations, mailer: fakes.mailer, workspace_id, key }
    }

    /// A key of the owner that holds these policies.
    pub(super) async fn key_with(&self, policies: PolicySet) -> String {
        issue(&self.operations, self.workspace_id, policies).await
    }

    /// Another workspace, of another user.
    pub(super) async fn other_workspace(&self) -> WorkspaceId {
        found(&self.operations, "other@example.com").await
    }

    /// Calls by Connect with the full key.
    pub(super) async fn call(&self, path: &str, body: &str) -> Answer {
        self.wire.ask(CONNECT, &Ask::json(path, body).with_key(&self.key)).await
    }
}

async fn found(operations: &Operations, owner: &str) -> WorkspaceId {
    let user = RegisterUser {
        email: email(owner),
        display_name: text("An owner"),
        password: "copper lantern under seven bridges".into(),
    };
    let owner_id = operations.register_user(&Caller::system(), user).await.unwrap().id;
    let workspace =
        BootstrapWorkspace { owner_id, name: text("A workspace"), description: None, base_currency: Currency::USD };
    operations.bootstrap_workspace(&Caller::system(), workspace).await.unwrap().workspace.id
}

async fn issue(operations: &Operations, workspace_id: WorkspaceId, policies: PolicySet) -> String {
    let order = IssueApiKey {
        workspace_id,
        owner: email("owner@example.com"),
        name: text("a key"),
        policies,
        expires_at: None,
    };
    let created = operations.issue_api_key(&Caller::system(), order).await.unwrap();
    created.raw_key.expose_secret().to_owned()
}

//! The whole transport over memory, called without a socket.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::request::Builder;
use http_body_util::BodyExt as _;
use secrecy::ExposeSecret as _;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;
use tradepost_adapters_connect::{Transport, TransportSettings};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Currency;
use tradepost_operations::accounts::{BootstrapWorkspace, IssueApiKey, RegisterUser};
use tradepost_operations::rules::Rule;
use tradepost_operations::{Caller, Operations};
use tradepost_testkit::fakes::FakePorts;
use tradepost_testkit::samples::{email, text};

/// A server of one workspace.
pub(crate) struct Server {
    runtime: Runtime,
    router: Router,
    token: String,
    pub(crate) workspace_id: WorkspaceId,
}

impl Server {
    /// The one that every input is given to.
    pub(crate) fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| {
            let runtime = crate::runtime();
            let (router, token, workspace_id) = runtime.block_on(opened());
            Self { runtime, router, token, workspace_id }
        })
    }

    /// The HTTP status that a call with this body gets; 500 also where the error is told in gRPC's own way. A call has the
    /// owner's key and is JSON, unless `dressed` says otherwise.
    pub(crate) fn call(&self, method: &str, dressed: impl FnOnce(Builder) -> Builder, body: Vec<u8>) -> u16 {
        let rule = Rule::of(method).expect("the operation exists");
        let mut request = dressed(Request::post(format!("/{}/{method}", rule.service)));
        let headers = request.headers_mut().expect("the headers are well formed");
        let own_key = || format!("Bearer {}", self.token).parse().expect("a token is ASCII");
        headers.entry(AUTHORIZATION).or_insert_with(own_key);
        headers.entry(CONTENT_TYPE).or_insert(http::HeaderValue::from_static("application/json"));
        let request = request.body(Body::from(body)).expect("the request is well formed");
        self.runtime.block_on(async {
            let Ok(answer) = self.router.clone().oneshot(request).await;
            let status = answer.status().as_u16();
            let answer = answer.into_body().collect().await;
            let trailers = answer.ok().and_then(|body| body.trailers().cloned()).unwrap_or_default();
            // 13 is INTERNAL.
            if trailers.get("grpc-status").is_some_and(|status| status == "13") { 500 } else { status }
        })
    }
}

async fn opened() -> (Router, String, WorkspaceId) {
    let operations = Arc::new(Operations::new(FakePorts::default().ports(), "https://trade.example.com"));
    let password = "copper lantern under seven bridges".into();
    let user = RegisterUser { email: email("owner@example.com"), display_name: text("Owner"), password };
    let owner_id = operations.register_user(&Caller::system(), user).await.expect("a user is made").id;
    let workspace =
        BootstrapWorkspace { owner_id, name: text("Desk"), description: None, base_currency: Currency::USD };
    let founded = operations.bootstrap_workspace(&Caller::system(), workspace).await.expect("a workspace is made");
    let workspace_id = founded.workspace.id;
    let owner = email("owner@example.com");
    let order = IssueApiKey { workspace_id, owner, name: text("All"), policies: PolicySet::EVERY, expires_at: None };
    let key = operations.issue_api_key(&Caller::system(), order).await.expect("a key is made");
    let transport = Transport::new(operations, &TransportSettings::default());
    (transport.into_router().await, key.raw_key.expose_secret().to_owned(), workspace_id)
}

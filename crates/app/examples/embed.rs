//! tradepost within another program: operations called in process, and the interface mounted with pages of one's own.
//!
//! Run it with `cargo run --example embed`. It makes a database in a temporary folder, asks itself one question over HTTP,
//! and ends.

use std::error::Error;
use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use secrecy::ExposeSecret as _;
use tradepost::Tradepost;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::policy::{Policy, PolicySet};
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::operations::Caller;
use tradepost::operations::accounts::{BootstrapWorkspace, IssueApiKey, RegisterUser};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", embed().await?);
    Ok(())
}

/// Gives the answer to the one question.
pub(crate) async fn embed() -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let app = Tradepost::builder()
        .database_url(&format!("sqlite://{}", folder.path().join("tradepost.db").display()))
        .root_secret_file(folder.path().join("root-secret"))
        .build()
        .await?;

    // In process: no HTTP, no key. The caller is the process itself.
    let operations = app.operations();
    let email = EmailAddress::new("ada@example.com")?;
    let register = RegisterUser {
        email: email.clone(),
        display_name: Name::new("Ada")?,
        password: "copper lantern under seven bridges".into(),
    };
    let user = operations.register_user(&Caller::system(), register).await?;
    let (name, base_currency) = (Name::new("Embedded")?, Currency::USD);
    let found = BootstrapWorkspace { owner_id: user.id, name, description: None, base_currency };
    let workspace = operations.bootstrap_workspace(&Caller::system(), found).await?.workspace;
    let issue = IssueApiKey {
        workspace_id: workspace.id,
        owner: email,
        name: Name::new("My program")?,
        policies: PolicySet::of(&[Policy::Analytics]),
        expires_at: None,
    };
    let key = operations.issue_api_key(&Caller::system(), issue).await?.raw_key;

    // Over HTTP: the interface at the root, with a page of this program.
    let router: Router = app.router().await.merge(Router::new().route("/hello", get(async || "hello\n")));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/accounts.v1.Accounts/GetWorkspace", listener.local_addr()?);
    let serving = axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>());
    let server = tokio::spawn(serving.into_future());
    let answer = reqwest::Client::new()
        .post(url)
        .bearer_auth(key.expose_secret())
        .header("content-type", "application/json")
        .body(format!(r#"{{"workspaceId":"{}"}}"#, workspace.id))
        .send()
        .await?;
    let answer = answer.error_for_status()?.text().await?;

    server.abort();
    app.shutdown().await?;
    Ok(answer)
}

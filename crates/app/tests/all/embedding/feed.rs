//! The event hook: order, resumption, other workspaces, and the end.

use tempfile::TempDir;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::contracts::contract::ApprovalMode;
use tradepost::domain::id::{ContractId, WorkspaceId};
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::domain::transition::{Subject, Transition};
use tradepost::operations::Caller;
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost::operations::contracts::{BuyingLimits, ContractTerms, CreateContract};
use tradepost::{FeedStart, Tradepost, TransitionFeed};

use super::on_a_database;

struct Embedder {
    app: Tradepost,
    workspace_id: WorkspaceId,
    _folder: TempDir,
}

impl Embedder {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = on_a_database(&folder).build().await.unwrap();
        let workspace_id = found(&app, "ada@example.com").await;
        Self { app, workspace_id, _folder: folder }
    }

    async fn feed(&self, start: FeedStart) -> TransitionFeed {
        self.app.transitions(self.workspace_id, start).await.unwrap()
    }

    /// Creates as many contracts, each of which is one change of status.
    async fn create(&self, many: usize) -> Vec<ContractId> {
        let mut created = Vec::new();
        for _ in 0..many {
            created.push(create_contract(&self.app, self.workspace_id).await);
        }
        created
    }
}

async fn found(app: &Tradepost, email: &str) -> WorkspaceId {
    let register = RegisterUser {
        email: EmailAddress::new(email).unwrap(),
        display_name: Name::new("Ada").unwrap(),
        password: "copper lantern under seven bridges".into(),
    };
    let owner_id = app.operations().register_user(&Caller::system(), register).await.unwrap().id;
    let name = Name::new("Feeds").unwrap();
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    app.operations().bootstrap_workspace(&Caller::system(), found).await.unwrap().workspace.id
}

async fn create_contract(app: &Tradepost, workspace_id: WorkspaceId) -> ContractId {
    let draft = CreateContract {
        workspace_id,
        name: "Buy one".to_owned(),
        terms: ContractTerms::Buying(BuyingLimits {
            target_quantity: Some(1),
            max_buy_price_cents: Some(1_000),
            budget_cents: Some(10_000),
            ..BuyingLimits::default()
        }),
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: Vec::new(),
        price_reference: None,
        starts_at: None,
        ends_at: None,
    };
    app.operations().create_contract(&Caller::system(), draft).await.unwrap().value.id
}

async fn contracts(feed: &mut TransitionFeed, many: usize) -> Vec<(Transition, ContractId)> {
    let mut seen = Vec::new();
    while seen.len() < many {
        let transition = feed.next().await.unwrap().unwrap();
        if let Subject::Contract(id) = transition.subject {
            seen.push((transition, id));
        }
    }
    seen
}

fn ids(seen: &[(Transition, ContractId)]) -> Vec<ContractId> {
    seen.iter().map(|(_, id)| *id).collect()
}

#[tokio::test]
async fn a_feed_delivers_changes_in_the_order_of_their_commits() {
    let embedder = Embedder::start().await;
    let mut feed = embedder.feed(FeedStart::Now).await;
    let created = embedder.create(5).await;
    assert_eq!(ids(&contracts(&mut feed, 5).await), created);
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_feed_from_now_delivers_nothing_that_was_committed_before() {
    let embedder = Embedder::start().await;
    let earlier = embedder.create(2).await;
    let mut oldest = embedder.feed(FeedStart::Oldest).await;
    assert_eq!(ids(&contracts(&mut oldest, 2).await), earlier);
    let mut feed = embedder.feed(FeedStart::Now).await;
    let later = embedder.create(1).await;
    assert_eq!(ids(&contracts(&mut feed, 1).await), later);
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_feed_goes_on_after_the_change_that_was_handled_last() {
    let embedder = Embedder::start().await;
    let mut feed = embedder.feed(FeedStart::Now).await;
    let created = embedder.create(4).await;
    let handled = contracts(&mut feed, 2).await;
    drop(feed);
    let mut resumed = embedder.feed(FeedStart::After(handled[1].0.id)).await;
    assert_eq!(ids(&contracts(&mut resumed, 2).await), created[2..]);
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_feed_delivers_no_change_of_another_workspace() {
    let embedder = Embedder::start().await;
    let other = found(&embedder.app, "grace@example.com").await;
    let mut feed = embedder.feed(FeedStart::Now).await;
    create_contract(&embedder.app, other).await;
    let own = embedder.create(1).await;
    assert_eq!(ids(&contracts(&mut feed, 1).await), own);
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_feed_ends_with_the_shutdown() {
    let embedder = Embedder::start().await;
    let mut feed = embedder.feed(FeedStart::Now).await;
    let waiting = tokio::spawn(async move { feed.next().await });
    embedder.app.shutdown().await.unwrap();
    assert!(waiting.await.unwrap().unwrap().is_none());
}

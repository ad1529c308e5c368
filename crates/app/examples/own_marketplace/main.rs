//! tradepost trades on a marketplace of your own.
//!
//! Run it with `cargo run --example own_marketplace`. A contract buys one item at the shop of `shop.rs`; the event hook reports each
//! change of status until the purchase is paid.

#[cfg(all(test, feature = "testkit"))]
mod contract;
mod platform;
mod shop;

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::contracts::contract::ApprovalMode;
use tradepost::domain::contracts::purchase::PurchaseStatus;
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::money::Currency;
use tradepost::domain::text::{Name, Text};
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::domain::transition::{Subject, Transition};
use tradepost::engine::{Desk, TradingAccount, Venue};
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost::operations::contracts::{ActivateContract, BuyingLimits, ContractTerms, CreateContract};
use tradepost::operations::{Caller, Operations};
use tradepost::ports::clock::RealMarket;
use tradepost::{FeedStart, SystemClock, Tradepost};

use platform::QuietPlatform;
use shop::Shop;

/// What an example fails with.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    for step in trade(folder.path()).await? {
        println!("{step}");
    }
    Ok(())
}

/// Buys one item, and returns the changes of status of the purchase.
pub(crate) async fn trade(folder: &Path) -> Result<Vec<String>, Failure> {
    let app = Tradepost::builder()
        .database_url(&format!("sqlite://{}", folder.join("tradepost.db").display()))
        .root_secret_file(folder.join("root-secret"))
        .build()
        .await?;
    let workspace_id = found(app.operations()).await?;
    buy_one(app.operations(), workspace_id).await?;

    // The hook is opened first, so that it reports everything that the engine does.
    let mut feed = app.transitions(workspace_id, FeedStart::Now).await?;
    let engine = app.engine(desk(workspace_id)?).await?;
    app.trade(engine, Duration::from_millis(100), ());
    let mut steps = Vec::new();
    while let Some(transition) = feed.next().await? {
        if let Subject::Purchase(_) = transition.subject {
            steps.push(described(&transition));
            if transition.to == PurchaseStatus::Paid.as_str() {
                break;
            }
        }
    }
    app.shutdown().await?;
    Ok(steps)
}

/// The workspace's accounts, and the systems in which they trade.
fn desk(workspace_id: WorkspaceId) -> Result<Desk, Failure> {
    let address = account()?;
    let shop = Arc::new(Shop::open(address.clone())?);
    Ok(Desk {
        workspace_id,
        clock: Arc::new(RealMarket(Arc::new(SystemClock))),
        node: text("node-1")?,
        accounts: vec![TradingAccount { name: text("bot-1")?, address }],
        venues: vec![Venue { name: text("shop")?, marketplace: shop, currency: None }],
        platform: Arc::new(QuietPlatform),
        social: None,
        sessions: None,
        price_sources: Vec::new(),
        rates: None,
        drivers: BTreeMap::new(),
    })
}

pub(crate) fn account() -> Result<TradeAddress, Failure> {
    let user = NonZeroU64::new(76_561_198_000_000_001).ok_or("an account has a number")?;
    Ok(TradeAddress { user: PlatformUserId::new(user), token: text("token")? })
}

pub(crate) fn text<const MOST: usize>(text: &str) -> Result<Text<MOST>, Failure> {
    Ok(Text::new(text)?)
}

async fn found(operations: &Operations) -> Result<WorkspaceId, Failure> {
    let register = RegisterUser {
        email: EmailAddress::new("ada@example.com")?,
        display_name: Name::new("Ada")?,
        password: "copper lantern under seven bridges".into(),
    };
    let owner_id = operations.register_user(&Caller::system(), register).await?.id;
    let name = Name::new("Own marketplace")?;
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    Ok(operations.bootstrap_workspace(&Caller::system(), found).await?.workspace.id)
}

/// Activates a contract that buys one item for 13.00 USD at most.
async fn buy_one(operations: &Operations, workspace_id: WorkspaceId) -> Result<(), Failure> {
    let limits = BuyingLimits {
        target_quantity: Some(1),
        max_buy_price_cents: Some(1_300),
        budget_cents: Some(2_000),
        ..BuyingLimits::default()
    };
    let draft = CreateContract {
        workspace_id,
        name: "Buy one".to_owned(),
        terms: ContractTerms::Buying(limits),
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: Vec::new(),
        price_reference: None,
        starts_at: None,
        ends_at: None,
    };
    let contract_id = operations.create_contract(&Caller::system(), draft).await?.value.id;
    let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
    operations.activate_contract(&Caller::system(), activate).await?;
    Ok(())
}

fn described(transition: &Transition) -> String {
    format!("{} -> {} by {}", transition.from.unwrap_or("nothing"), transition.to, transition.trigger)
}

//! The product in this process, on a database: a workspace whose contracts buy.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tradepost::Tradepost;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::asset::{AppId, AssetId};
use tradepost::domain::contracts::contract::{ApprovalMode, Counters};
use tradepost::domain::contracts::intent::{DecisionBasis, ListingTarget};
use tradepost::domain::contracts::purchase::Purchase;
use tradepost::domain::id::{ContractId, PoolId, WorkspaceId};
use tradepost::domain::markets::provider::ProviderKind;
use tradepost::domain::money::{Cents, Currency};
use tradepost::domain::text::{Name, Text};
use tradepost::limits::Quotas;
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost::operations::contracts::{
    ActivateContract, AdjustPoolFunds, BuyNow, BuyingLimits, ContractTerms, CreateContract, CreatePool, GetContract,
    GetPurchases, LimitsOfPool, ListPurchases, WantedPurchases,
};
use tradepost::operations::markets::{CreateProvider, ProviderCredentials};
use tradepost::operations::{Caller, Operations};
use tradepost::ports::limiter::{Quota, RateClass};

use crate::load::{Database, Founded, ROOT_SECRET};
use crate::server::OWNER_EMAIL;

pub(crate) const ACCOUNT: &str = "bench-1";
pub(crate) const MARKETPLACE: &str = "bench";
/// As many as a list gives at once.
const PAGE: i32 = 200;

/// A workspace, with the operations on it.
pub(crate) struct Office {
    pub(crate) app: Tradepost,
    pub(crate) workspace_id: WorkspaceId,
}

impl Office {
    /// On a database that the product has founded.
    pub(crate) async fn open(database: &Database) -> anyhow::Result<Self> {
        let builder = Tradepost::builder().database(database.settings());
        let app = builder.root_secret_file(database.folder.join(ROOT_SECRET)).quotas(generous()).build().await?;
        let workspace_id = Founded::find(app.database().context("the store is not a database")?).await?.workspace;
        Ok(Self { app, workspace_id })
    }

    /// On the SQLite file in a folder, where this workspace is.
    pub(crate) async fn again(folder: &Path, workspace_id: WorkspaceId) -> anyhow::Result<Self> {
        Self::again_on(folder, &file_in(folder), workspace_id).await
    }

    /// On a database where this workspace is, with the root secret in a folder.
    pub(crate) async fn again_on(folder: &Path, url: &str, workspace_id: WorkspaceId) -> anyhow::Result<Self> {
        Ok(Self { app: app_on(folder, url).await?, workspace_id })
    }

    /// On a new SQLite file in a folder.
    pub(crate) async fn found(folder: &Path) -> anyhow::Result<Self> {
        Self::found_on(folder, &file_in(folder)).await
    }

    /// On an empty database, with the root secret in a folder.
    pub(crate) async fn found_on(folder: &Path, url: &str) -> anyhow::Result<Self> {
        let app = app_on(folder, url).await?;
        let register = RegisterUser {
            email: EmailAddress::new(OWNER_EMAIL)?,
            display_name: Name::new("Owner")?,
            password: "copper lantern under seven bridges".into(),
        };
        let owner_id = app.operations().register_user(&Caller::system(), register).await?.id;
        let (name, base_currency) = (Name::new("Measured")?, Currency::USD);
        let found = BootstrapWorkspace { owner_id, name, description: None, base_currency };
        let workspace_id = app.operations().bootstrap_workspace(&Caller::system(), found).await?.workspace.id;
        Ok(Self { app, workspace_id })
    }

    pub(crate) fn operations(&self) -> &Arc<Operations> {
        self.app.operations()
    }

    /// Puts a marketplace on record: contracts are activated only where it is, and its problems are reported of that record.
    pub(crate) async fn keep_on_record(&self, marketplace: &str) -> anyhow::Result<()> {
        self.operations().offer_driver(tradepost_adapters_simulator::driver()?);
        let command = CreateProvider {
            workspace_id: self.workspace_id,
            kind: ProviderKind::Marketplace,
            driver: "simulator".to_owned(),
            name: marketplace.to_owned(),
            currency: "USD".to_owned(),
            settings: Vec::new(),
            credentials: ProviderCredentials::default(),
        };
        match self.operations().create_provider(&Caller::system(), command).await {
            Err(error) if error.reason.as_str() != "PROVIDER_EXISTS" => Err(error.into()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// An active contract that buys at the marketplace of the measurements, from a pool if one is named.
    pub(crate) async fn contract(&self, limits: BuyingLimits, pool_id: Option<PoolId>) -> anyhow::Result<ContractId> {
        self.keep_on_record(MARKETPLACE).await?;
        let draft = CreateContract {
            workspace_id: self.workspace_id,
            name: "Measured".to_owned(),
            terms: ContractTerms::Buying(limits),
            filter_set_id: None,
            pool_id,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: vec![MARKETPLACE.to_owned()],
            price_reference: None,
            starts_at: None,
            ends_at: None,
        };
        let contract_id = self.operations().create_contract(&Caller::system(), draft).await?.value.id;
        let activate = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        self.operations().activate_contract(&Caller::system(), activate).await?;
        Ok(contract_id)
    }

    /// A pool with so much money.
    pub(crate) async fn pool(&self, cents: i64) -> anyhow::Result<PoolId> {
        let limits = LimitsOfPool {
            // Contracts have more to spend than there is, where it is to be the pool that ends it.
            budget_cents: cents * 2,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: None,
        };
        let (workspace_id, name, currency) = (self.workspace_id, "Measured".to_owned(), "USD".to_owned());
        let create = CreatePool { workspace_id, name, currency, limits };
        let pool_id = self.operations().create_pool(&Caller::system(), create).await?.value.id;
        let reason = "to trade with".to_owned();
        let adjust = AdjustPoolFunds { workspace_id, pool_id, delta_cents: cents, reason, expected_version: None };
        self.operations().adjust_pool_funds(&Caller::system(), adjust).await?;
        Ok(pool_id)
    }

    /// What a contract has bought and reserved, by its own counters.
    pub(crate) async fn counters(&self, contract_id: ContractId) -> anyhow::Result<Counters> {
        let get = GetContract { workspace_id: self.workspace_id, contract_id };
        Ok(self.operations().get_contract(&Caller::system(), get).await?.value.counters)
    }

    /// Every purchase of a contract.
    pub(crate) async fn purchases(&self, contract_id: ContractId) -> anyhow::Result<Vec<Purchase>> {
        let (workspace_id, mut all, mut cursor) = (self.workspace_id, Vec::new(), String::new());
        loop {
            let contract_id = Some(contract_id);
            let list = ListPurchases {
                workspace_id,
                limit: PAGE,
                cursor,
                contract_id,
                status: None,
                wanted: WantedPurchases::default(),
            };
            let page = self.operations().list_purchases(&Caller::system(), list).await?;
            if !page.entries.is_empty() {
                let get = GetPurchases { workspace_id, purchase_ids: page.entries };
                let found = self.operations().get_purchases(&Caller::system(), get).await?.found;
                all.extend(found.into_iter().map(|purchase| purchase.value));
            }
            if page.next_cursor.is_empty() {
                return Ok(all);
            }
            cursor = page.next_cursor;
        }
    }

    /// The command that buys the listing of this number.
    pub(crate) fn buying(&self, contract_id: ContractId, number: u32, cents: i64) -> anyhow::Result<BuyNow> {
        let price = Cents::new(cents)?;
        let listing = ListingTarget {
            marketplace: text(MARKETPLACE)?,
            listing_id: text(&format!("wanted-{number}"))?,
            listing_asset_id: AssetId::new(&(70_000_000_000 + u64::from(number)).to_string())?,
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)")?,
            phase: None,
            traits: Box::default(),
            price,
            platform_fee: Cents::ZERO,
            max_buy_price: price,
        };
        Ok(BuyNow {
            workspace_id: self.workspace_id,
            contract_id,
            listing,
            account_name: text(ACCOUNT)?,
            exchange_rate: None,
            basis: DecisionBasis::default(),
            evaluation: None,
        })
    }

    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.app.shutdown().await.context("the measured product was not closed in order")
    }
}

pub(crate) fn text<const MOST: usize>(text: &str) -> anyhow::Result<Text<MOST>> {
    Ok(Text::new(text)?)
}

fn file_in(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("tradepost.db").display())
}

async fn app_on(folder: &Path, url: &str) -> anyhow::Result<Tradepost> {
    let builder = Tradepost::builder().database_url(url);
    Ok(builder.root_secret_file(folder.join(ROOT_SECRET)).quotas(generous()).build().await?)
}

fn generous() -> Quotas {
    let quota = Quota { calls: 1_000_000, window: Duration::from_secs(1), burst: 1_000_000 };
    RateClass::ALL.into_iter().fold(Quotas::default(), |quotas, class| quotas.with(class, quota))
}

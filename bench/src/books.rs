//! Books in bulk: a workspace with as many purchases as are wanted, on any database, to see what takes how long on it. The domain makes
//! the first of them, and the database copies of those.

mod copies;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use tradepost::Tradepost;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::operations::Caller;
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost_testkit::books;

use crate::load::ROOT_SECRET;
use crate::server::OWNER_EMAIL;

/// What the domain makes; there is every story of a purchase among them.
const MADE: u32 = 4_000;
/// So many copies can be distinguished.
const MOST_COPIES: u32 = 60_000;

/// Writes consistent books: purchases in every status, with all that belongs to them
#[derive(Debug, Args)]
pub(crate) struct Books {
    /// How many purchases; beyond 4,000 a multiple of that
    #[arg(long, default_value_t = 1_000_000)]
    purchases: u32,
    /// Where to write them: an empty database; a file in the folder if absent
    #[arg(long)]
    database: Option<String>,
    /// Where the root secret goes
    #[arg(long, default_value = "target/books")]
    folder: PathBuf,
}

impl Books {
    pub(crate) async fn run(&self) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let file = || format!("sqlite://{}", self.folder.join("tradepost.db").display());
        let url = self.database.clone().unwrap_or_else(file);
        let root_secret = self.folder.join(ROOT_SECRET);
        let app = Tradepost::builder().database_url(&url).root_secret_file(root_secret.clone()).build().await?;
        let register = RegisterUser {
            email: EmailAddress::new(OWNER_EMAIL)?,
            display_name: Name::new("Owner")?,
            password: "copper lantern under seven bridges".into(),
        };
        let registered = app.operations().register_user(&Caller::system(), register).await;
        let owner_id = registered.context("the database is not empty")?.id;
        let found =
            BootstrapWorkspace { owner_id, name: Name::new("Books")?, description: None, base_currency: Currency::USD };
        let workspace_id = app.operations().bootstrap_workspace(&Caller::system(), found).await?.workspace.id;
        let began = Instant::now();
        let books = books::Books::open(app.store().as_ref(), workspace_id).await;
        books.write(self.purchases.min(MADE), |_| ()).await;
        app.operations().chain_audit_events().await?;
        app.shutdown().await?;
        let copies = (self.purchases / MADE).clamp(1, MOST_COPIES) - 1;
        if copies > 0 {
            copies::add(&url, copies).await?;
        }
        let purchases = self.purchases.min(MADE) * (copies + 1);
        println!("{purchases} purchases in {} s; look at them with:", began.elapsed().as_secs());
        println!("TRADEPOST_SECRET__ROOT_FILE={} tradepost doctor --deep --database {url}", root_secret.display());
        Ok(())
    }
}

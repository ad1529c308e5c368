//! Books in bulk: a workspace with as many purchases as are wanted, on any database, to see what takes how long on it.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use tradepost::Tradepost;
use tradepost::domain::email::EmailAddress;
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::operations::Caller;
use tradepost::operations::accounts::{FoundWorkspace, RegisterUser};
use tradepost_ports::testing::books;

use crate::load::ROOT_SECRET;
use crate::server::OWNER_EMAIL;

/// How often it is told how far it has come.
const TOLD_EVERY: u32 = 50_000;

/// Writes consistent books: purchases in every status, with all that belongs to them
#[derive(Debug, Args)]
pub(crate) struct Books {
    /// How many purchases
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
            FoundWorkspace { owner_id, name: Name::new("Books")?, description: None, base_currency: Currency::USD };
        let workspace_id = app.operations().found_workspace(&Caller::system(), found).await?.workspace.id;
        let began = Instant::now();
        let books = books::Books::open(&**app.store(), workspace_id).await;
        let mut next = TOLD_EVERY;
        let told = |written: u32| {
            if written >= next {
                eprintln!("{written} purchases in {} s", began.elapsed().as_secs());
                next += TOLD_EVERY;
            }
        };
        books.write(self.purchases, told).await;
        app.operations().chain_audit_events().await?;
        app.shutdown().await?;
        println!("{} purchases in {} s; look at them with:", self.purchases, began.elapsed().as_secs());
        println!("TRADEPOST_SECRET__ROOT_FILE={} tradepost doctor --deep --database {url}", root_secret.display());
        Ok(())
    }
}

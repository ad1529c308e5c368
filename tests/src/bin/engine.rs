//! An embedder to be killed: it serves the interface over a database that is there already, and records purchases and their
//! transitions at the same time. On stdout it says its address, and then a line for each step that was acknowledged to it.
//!
//! Usage: `engine DATABASE_URL ROOT_SECRET_FILE [WORKSPACE_ID CONTRACT_ID]`. Without a contract it only serves.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tradepost::Tradepost;
use tradepost::limits::Quotas;
use tradepost::outside::{AlertSettings, Alerts, ClientLimits, Reach, WebhookSettings, Webhooks};
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{Order, PurchaseEvent};
use tradepost_domain::id::{ContractId, PurchaseId, WorkspaceId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_operations::contracts::{AdvancePurchase, RecordPurchase};
use tradepost_operations::{Caller, OpError, Operations};
use tradepost_ports::alerts::AlertKind;
use tradepost_ports::clock::{Clock as _, Ids as _, RandomIds};
use tradepost_ports::limiter::{Quota, RateClass};

const TASKS: u32 = 8;
/// What every listing costs, in cents.
const PRICE: i64 = 100;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [database, root_secret, trading @ ..] = arguments.as_slice() else {
        return Err("engine DATABASE_URL ROOT_SECRET_FILE [WORKSPACE_ID CONTRACT_ID]".into());
    };
    let builder = Tradepost::builder().database_url(database).root_secret_file(root_secret).quotas(generous());
    let builder = builder.webhooks(Arc::new(Webhooks::new(to_loopback()?)?));
    let alerts = AlertSettings { kinds: vec![AlertKind::Webhook], calls: to_loopback()? };
    let app = builder.alerts(Arc::new(Alerts::new(alerts)?)).build().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    say(&format!("http://{}", listener.local_addr()?));
    if let [workspace_id, contract_id] = trading {
        let (workspace_id, contract_id) = (workspace_id.parse()?, contract_id.parse()?);
        let buyer = Arc::new(Buyer { operations: app.operations().clone(), workspace_id, contract_id });
        for _ in 0..TASKS {
            tokio::spawn(Arc::clone(&buyer).buy_for_ever());
        }
    }
    app.serve(listener, None, app.health_router(), std::future::pending()).await?;
    Ok(())
}

struct Buyer {
    operations: Arc<Operations>,
    workspace_id: WorkspaceId,
    contract_id: ContractId,
}

impl Buyer {
    async fn buy_for_ever(self: Arc<Self>) {
        loop {
            // A task that was too slow for the others' changes of the contract begins the next purchase.
            let Err(error) = self.buy().await else { continue };
            if error.downcast_ref::<OpError>().is_none_or(|error| error.reason.as_str() != "CONFLICT") {
                eprintln!("a purchase was refused: {error}");
                std::process::exit(1);
            }
        }
    }

    async fn buy(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let price = Cents::new(PRICE)?;
        let number = u128::from_be_bytes(RandomIds::default().next(tradepost::SystemClock.now()));
        let recorded = self.operations.record_purchase(&Caller::system(), self.listing(number)).await?;
        let purchase_id = recorded.value.terms.id;
        acknowledge(purchase_id, recorded.version);
        let order = Order { id: ExternalId::new(&format!("order-{number}"))?, executed_price: price, fee: Cents::ZERO };
        for event in [PurchaseEvent::Submitted { listing_price: price }, PurchaseEvent::Accepted(order)] {
            let command =
                AdvancePurchase { workspace_id: self.workspace_id, purchase_id, event, expected_version: None };
            let moved = self.operations.advance_purchase(&Caller::system(), command).await?;
            acknowledge(purchase_id, moved.version);
        }
        Ok(())
    }

    fn listing(&self, number: u128) -> RecordPurchase {
        RecordPurchase {
            workspace_id: self.workspace_id,
            contract_id: self.contract_id,
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
            traits: Traits::default(),
            listing_price_cents: PRICE,
            max_buy_price_cents: PRICE,
            platform_fee_cents: 0,
            listing_id: format!("listing-{number}"),
            listing_asset_id: "10000".to_owned(),
            marketplace: "simulator".to_owned(),
            account_name: "trader-1".to_owned(),
        }
    }
}

fn acknowledge(purchase: PurchaseId, version: i64) {
    say(&format!("{purchase} {version}"));
}

/// The line is with the reader, outside of this process, before the next step begins.
fn say(line: &str) {
    let mut out = stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Receivers are on this machine, and get as much as there is.
fn to_loopback() -> Result<WebhookSettings, Box<dyn Error>> {
    Ok(WebhookSettings {
        reach: Reach::public_and(vec!["127.0.0.0/8".parse()?]),
        allow_http: true,
        limits: ClientLimits { gap: Duration::ZERO, ..ClientLimits::default() },
    })
}

fn generous() -> Quotas {
    let quota = Quota { calls: 100_000, window: Duration::from_secs(1), burst: 100_000 };
    RateClass::ALL.into_iter().fold(Quotas::default(), |quotas, class| quotas.with(class, quota))
}

//! A database with one workspace that trades, on the computer's clock: for processes of their own that go on in it.

use std::path::Path;

use secrecy::ExposeSecret as _;
use tradepost::auth::PasswordCost;
use tradepost::{SystemClock, Tradepost};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::id::{ContractId, InventoryItemId, WorkspaceId};
use tradepost_domain::text::Name;
use tradepost_operations::Caller;
use tradepost_operations::accounts::Bootstrap;
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;

use super::{OWNER, PASSWORD, Place, Trading, generous};

/// What is there.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) contract_id: ContractId,
    pub(crate) items: Vec<InventoryItemId>,
    /// A key with every policy.
    pub(crate) token: String,
}

impl Settled {
    /// Makes it.
    pub(crate) async fn at(place: &Place, root_secret: &Path) -> Self {
        let app = open(place, root_secret).await;
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
        let clock = FixedClock::at(SystemClock.now());
        let trading = Trading { operations: app.operations(), clock: &clock, workspace_id: first.workspace.id };
        let desk = trading.open().await;
        let mut items = vec![desk.item];
        for number in 10..13 {
            items.push(trading.receive(desk.contract, number).await.1);
        }
        app.shutdown().await.unwrap();
        let token = first.key.raw_key.expose_secret().to_owned();
        Self { workspace_id: first.workspace.id, contract_id: desk.contract, items, token }
    }
}

/// Opens such a database in this process.
pub(crate) async fn open(place: &Place, root_secret: &Path) -> Tradepost {
    let builder = Tradepost::builder().database(place.settings()).root_secret_file(root_secret).quotas(generous());
    builder.password_cost(PasswordCost::INSECURE).build().await.unwrap()
}

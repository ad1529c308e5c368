//! A workspace that is in a store already, with its owner, a key and a contract. Most tests begin there.

use tradepost_domain::accounts::access::{Principal, PrincipalId, Prover, WorkspaceScope};
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{AppendedRow, Committed};
use tradepost_ports::store::Store;

use super::Samples;
use crate::store_contract::system;

/// A workspace in a store, and the source of all other records that the test needs.
#[derive(Debug)]
pub struct Scene {
    /// The source of further records.
    pub samples: Samples,
    /// The owner.
    pub user: User,
    /// The workspace.
    pub workspace: Workspace,
    /// The owner's membership.
    pub membership: Membership,
    /// The owner's key, with every policy.
    pub key: ApiKey,
    /// An active buying contract.
    pub contract: Contract,
}

impl Scene {
    /// Creates a workspace. Scenes of other seeds share nothing with it.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn founded(store: &dyn Store, seed: u16) -> Self {
        let samples = Samples::seeded(seed);
        let user = samples.user();
        let workspace = samples.workspace();
        let membership = samples.owner(workspace.id, user.id);
        let key = samples.key(&membership);
        let contract = samples.contract(workspace.id);
        let mut changes = system();
        changes.insert(user.clone()).insert(workspace.clone()).insert(membership.clone());
        changes.insert(key.clone()).insert(contract.clone());
        store.commit(changes).await.unwrap();
        Self { samples, user, workspace, membership, key, contract }
    }

    /// Returns the right to work in the workspace.
    ///
    /// # Panics
    /// Never: the process itself may enter.
    pub fn scope(&self) -> WorkspaceScope {
        Principal::System.enter(self.workspace.id, PolicySet::EVERY).unwrap()
    }

    /// Returns the owner, who proves a second factor for the key.
    pub fn prover(&self) -> Prover {
        Prover { user_id: self.user.id, id: PrincipalId::Key(self.key.id) }
    }

    /// Returns the workspace's id.
    pub fn id(&self) -> WorkspaceId {
        self.workspace.id
    }

    /// Returns a purchase under the scene's contract that is not in the store yet.
    pub fn new_purchase(&self, status: PurchaseStatus) -> Purchase {
        self.samples.purchase(self.workspace.id, self.contract.id, status)
    }

    /// Writes a purchase under the scene's contract.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn purchase(&self, store: &dyn Store, status: PurchaseStatus) -> Purchase {
        let purchase = self.new_purchase(status);
        let mut changes = system();
        changes.insert(purchase.clone());
        store.commit(changes).await.unwrap();
        purchase
    }

    /// Writes an item that a purchase under the scene's contract delivered, with a chain of this many links, at least 2.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn item(&self, store: &dyn Store, links: usize) -> (InventoryItem, Vec<AssetIdLink>) {
        let (item, mut chain) = self.item_in(store, ItemStatus::InInventory).await;
        while chain.len() < links {
            let mut changes = system();
            changes.append_link(self.samples.next_link(&item));
            let Committed::Applied { links } = store.commit(changes).await.unwrap() else {
                panic!("new evidence was said to be recorded already");
            };
            chain.extend(links);
        }
        let (item, _) = store.items().find(self.scope(), item.id).await.unwrap().unwrap().into_display();
        (item, chain)
    }

    /// Writes an item in a status, with its chain.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn item_in(&self, store: &dyn Store, status: ItemStatus) -> (InventoryItem, Vec<AssetIdLink>) {
        let purchase = self.purchase(store, PurchaseStatus::Traded).await;
        let (item, chain) = self.samples.item_in(&purchase, status);
        self.keep(store, &item, &chain).await;
        (item, chain)
    }

    /// Writes an item with its chain.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn keep(&self, store: &dyn Store, item: &InventoryItem, chain: &[AssetIdLink]) {
        let mut changes = system();
        changes.insert(item.clone());
        for link in chain {
            changes.append(AppendedRow::Link(link.clone()));
        }
        store.commit(changes).await.unwrap();
    }
}

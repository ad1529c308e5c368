//! What a killed process had acknowledged, kept outside of it, and the comparison with what is stored.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement};
use serde_json::json;
use tradepost::Tradepost;
use tradepost_domain::id::{ContractId, InventoryItemId, PurchaseId, WorkspaceId};
use tradepost_domain::money::Cents;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{
    CountInventoryItems, CountPurchases, GetContract, GetPurchase, ListAssetIDLinks, ListPurchases, VerifyAssetIDChain,
    WantedPurchases,
};

use crate::harness::Place;

/// The asset id of a link by item and step.
pub(super) type Links = BTreeMap<(InventoryItemId, u64), String>;

/// Everything that was acknowledged.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) links: Links,
    /// The last version of a purchase.
    pub(super) purchases: BTreeMap<PurchaseId, i64>,
}

/// Where to look.
pub(super) struct Books<'a> {
    pub(super) place: &'a Place,
    pub(super) app: &'a Tradepost,
    pub(super) workspace_id: WorkspaceId,
    pub(super) contract_id: ContractId,
    pub(super) items: &'a [InventoryItemId],
}

impl Books<'_> {
    /// Compares everything that is stored with the ledger and with itself.
    pub(super) async fn audit(&self, ledger: &Ledger) {
        let lost = self.lost(ledger).await;
        assert!(lost.is_empty(), "{} acknowledged writes are lost: {lost:?}", lost.len());
        self.audit_chains().await;
        self.audit_contract().await;
        let connection = self.place.connect().await;
        self.audit_counters(&connection).await;
        assert_versions_equal_transitions(&connection).await;
        connection.close().await.unwrap();
    }

    /// The acknowledged links and steps of purchases that are not stored.
    pub(super) async fn lost(&self, ledger: &Ledger) -> Vec<String> {
        let mut stored = BTreeMap::new();
        for &inventory_item_id in self.items {
            stored.extend(self.links(inventory_item_id).await);
        }
        let links = ledger.links.iter().filter(|(place, asset_id)| stored.get(place) != Some(asset_id));
        let mut lost: Vec<String> = links.map(|((item, step), _)| format!("link {step} of {item}")).collect();
        for (&purchase_id, &version) in &ledger.purchases {
            let get = GetPurchase { workspace_id: self.workspace_id, purchase_id };
            let kept = match self.app.operations().get_purchase(&Caller::system(), get).await {
                Ok(purchase) => purchase.version,
                Err(error) if error.reason.as_str() == "NOT_FOUND" => 0,
                Err(error) => panic!("{purchase_id} cannot be read: {error}"),
            };
            lost.extend(
                (kept < version).then(|| format!("step {version} of purchase {purchase_id}, stored up to {kept}")),
            );
        }
        lost
    }

    /// The stored asset ids of an item, by item and step.
    async fn links(&self, inventory_item_id: InventoryItemId) -> Links {
        let (mut stored, mut cursor) = (BTreeMap::new(), String::new());
        loop {
            let list = ListAssetIDLinks { workspace_id: self.workspace_id, inventory_item_id, limit: 200, cursor };
            let page = self.app.operations().list_asset_id_links(&Caller::system(), list).await.unwrap();
            let links = page.entries.iter();
            stored.extend(links.map(|link| ((inventory_item_id, u64::from(link.step)), link.asset_id.to_string())));
            if page.next_cursor.is_empty() {
                return stored;
            }
            cursor = page.next_cursor;
        }
    }

    /// Every chain of asset ids verifies.
    async fn audit_chains(&self) {
        for &inventory_item_id in self.items {
            let verify = VerifyAssetIDChain { workspace_id: self.workspace_id, inventory_item_id };
            let problems = self.app.operations().verify_asset_id_chain(&Caller::system(), verify).await.unwrap();
            assert!(problems.is_empty(), "{problems:?}");
        }
    }

    /// The contract's counters are the sum over its purchases.
    async fn audit_contract(&self) {
        let mut sum = (0, 0, Cents::ZERO, Cents::ZERO);
        let mut cursor = String::new();
        loop {
            let list = ListPurchases {
                workspace_id: self.workspace_id,
                contract_id: Some(self.contract_id),
                status: None,
                limit: 200,
                cursor,
                wanted: WantedPurchases::default(),
            };
            let page = self.app.operations().list_purchases(&Caller::system(), list).await.unwrap();
            for purchase_id in page.entries {
                let get = GetPurchase { workspace_id: self.workspace_id, purchase_id };
                let print =
                    self.app.operations().get_purchase(&Caller::system(), get).await.unwrap().value.counter_delta();
                sum.0 += print.filled_quantity;
                sum.1 += print.open_quantity;
                sum.2 = sum.2.plus(print.spent).unwrap();
                sum.3 = sum.3.plus(print.reserved).unwrap();
            }
            cursor = page.next_cursor;
            if cursor.is_empty() {
                break;
            }
        }
        let get = GetContract { workspace_id: self.workspace_id, contract_id: self.contract_id };
        let counters = self.app.operations().get_contract(&Caller::system(), get).await.unwrap().value.counters;
        assert_eq!((counters.filled_quantity, counters.open_quantity, counters.spent, counters.reserved), sum);
    }

    /// What the count operations answer is what a recount gives.
    async fn audit_counters(&self, connection: &DatabaseConnection) {
        let (workspace_id, contract_id) = (self.workspace_id, None);
        let operations = self.app.operations();
        let purchases = CountPurchases { workspace_id, contract_id, wanted: WantedPurchases::default() };
        let purchases = operations.count_purchases(&Caller::system(), purchases).await.unwrap();
        let counted = purchases.iter().map(|counted| (i64::from(counted.status.code()), counted.count));
        assert_eq!(positive(counted), recount(connection, "purchases").await);
        let items = CountInventoryItems::of(workspace_id, contract_id);
        let items = operations.count_inventory_items(&Caller::system(), items).await.unwrap();
        let counted = items.iter().map(|counted| (i64::from(counted.status.code()), counted.count));
        assert_eq!(positive(counted), recount(connection, "inventory_items").await);
    }
}

fn positive(counts: impl Iterator<Item = (i64, i64)>) -> BTreeMap<i64, i64> {
    counts.filter(|(_, count)| *count != 0).collect()
}

async fn recount(connection: &DatabaseConnection, table: &str) -> BTreeMap<i64, i64> {
    let sql = format!("SELECT CAST(status AS BIGINT) AS status, count(*) AS n FROM {table} GROUP BY status");
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| (row.try_get("", "status").unwrap(), row.try_get("", "n").unwrap())).collect()
}

/// Every step of a purchase is one version and one row in the log of transitions.
async fn assert_versions_equal_transitions(connection: &DatabaseConnection) {
    let sql = "SELECT count(*) AS n FROM purchases p WHERE version <> \
               (SELECT count(*) FROM transitions t WHERE t.workspace_id = p.workspace_id AND t.subject_id = p.id)";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    let inconsistent: i64 = row.try_get("", "n").unwrap();
    assert_eq!(
        inconsistent,
        0,
        "{}",
        json!({ "purchases whose version is not their number of transitions": inconsistent })
    );
}

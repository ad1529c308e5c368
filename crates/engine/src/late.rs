//! Items that come although the money for them is back, or was given up: nobody follows their purchases any more, so they are looked
//! for beside the passes' own work, for some days.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::id::PurchaseId;
use tradepost_domain::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::{FindInventoryItemByAssetID, ListPurchases};
use tradepost_ports::game_platform::{MovedAsset, Trade};
use tradepost_ports::outside::OutsideError;

use crate::Engine;
use crate::desk::TradingAccount;
use crate::pass::Pass;
use crate::protection::BACKDATED;
use crate::reads::PAGE;
use crate::terms::is_due;
use crate::trouble::Tried;

/// How often such items are looked for.
const LOOKS_EVERY: Duration = Duration::minutes(10);
/// For how long after the money came back, or was given up.
const LOOKED_FOR: Duration = Duration::days(2);
/// An item that no record has for this time is not one that is about to be told of.
const UNEXPLAINED: Duration = Duration::minutes(5);
/// Where purchases end whose items may come all the same.
const ENDED: [PurchaseStatus; 2] = [PurchaseStatus::Refunded, PurchaseStatus::WrittenOff];

/// When such items were last looked for.
#[derive(Debug, Default)]
pub(crate) struct Late {
    looked_at: Option<Timestamp>,
}

impl Engine {
    /// Looks for items of purchases that have ended without them, if it is time.
    pub(crate) async fn look_for_the_late(&mut self, pass: &mut Pass) -> Tried {
        let now = self.now();
        if !is_due(self.late.looked_at.as_ref(), now, LOOKS_EVERY) {
            return Ok(());
        }
        self.late.looked_at = Some(now);
        let mut ended: BTreeMap<AccountName, Vec<Purchase>> = BTreeMap::new();
        for purchase in self.ended_lately().await? {
            ended.entry(purchase.terms.account_name.clone()).or_default().push(purchase);
        }
        for (name, purchases) in ended {
            if let Some(account) = self.desk.account(&name).cloned() {
                let looked = self.for_account(&name, Box::pin(self.look_for_items_of(&account, &purchases))).await;
                pass.note_aside(looked);
            }
        }
        Ok(())
    }

    /// Purchases that have lately ended without their items, where this node works.
    async fn ended_lately(&self) -> Tried<Vec<Purchase>> {
        let (workspace_id, since, mut ended) = (self.desk.workspace_id, self.now().plus(-LOOKED_FOR), Vec::new());
        for status in ENDED {
            let mut cursor = String::new();
            loop {
                let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id: None, status: Some(status) };
                let page = self.operations.list_purchases(&self.caller, list).await?;
                let known = ended.len();
                let read = self.purchases_by_id(page.entries).await?.into_iter().map(|purchase| purchase.value);
                ended.extend(read.filter(|purchase| purchase.updated_at >= since));
                cursor = page.next_cursor;
                // The newest come first: what was made before a whole page that has ended long ago has as well.
                if cursor.is_empty() || ended.len() == known {
                    break;
                }
            }
        }
        ended.retain(|purchase| !purchase.was_traded() && self.works_at(&purchase.terms.marketplace));
        Ok(ended)
    }

    /// Tells of the items that trades have brought to an account for such purchases, and of those that went back after all.
    async fn look_for_items_of(&self, account: &TradingAccount, ended: &[Purchase]) -> Tried {
        let Some(oldest) = ended.iter().map(|purchase| purchase.created_at).min() else { return Ok(()) };
        let trades = self.desk.platform.trades(account.address.user, oldest.plus(-BACKDATED)).await?;
        let reversed: BTreeSet<&ExternalId> = trades.iter().filter_map(|trade| trade.rollback_of.as_ref()).collect();
        for trade in &trades {
            if trade.rollback_of.is_some() || !trade.given.is_empty() {
                continue;
            }
            for moved in &trade.received {
                let Some(purchase_id) = self.brought_late(ended, (trade, moved)).await? else { continue };
                let is_gone = moved.returned_as.is_some() || reversed.contains(&trade.id);
                let evidence = Evidence { shown_by: Some(trade.id.clone()), ..Evidence::default() };
                let problem = (RemediationKind::LateDelivery, Subject::Purchase(purchase_id));
                self.tell_problem(problem, UNEXPLAINED, (!is_gone).then_some(evidence)).await?;
            }
        }
        Ok(())
    }

    /// For which of these purchases an item came that no record has: the very asset that was listed, or one of its name by the same
    /// seller, since a trade that failed has given the item a new id.
    async fn brought_late(
        &self,
        ended: &[Purchase],
        (trade, moved): (&Trade, &MovedAsset),
    ) -> Tried<Option<PurchaseId>> {
        let Some((_, asset_id)) = &moved.moved_to else { return Ok(None) };
        let is_like = |purchase: &&Purchase| {
            purchase.terms.market_hash_name == moved.market_hash_name
                && purchase.created_at.plus(-BACKDATED) <= trade.started_at
        };
        let mut like: Vec<&Purchase> = ended.iter().filter(is_like).collect();
        if like.is_empty() || self.is_on_record(asset_id.to_string()).await? {
            return Ok(None);
        }
        like.sort_by_key(|purchase| purchase.terms.listing_asset_id != moved.asset_id);
        for purchase in like {
            let terms = &purchase.terms;
            if terms.listing_asset_id == moved.asset_id {
                return Ok(Some(terms.id));
            }
            let Some(bought) = &purchase.progress.order else { continue };
            let order = match self.venue(&terms.marketplace)?.marketplace.order(&bought.id).await {
                Err(OutsideError::Definite(_)) => continue,
                order => order?,
            };
            if order.seller == trade.partner {
                return Ok(Some(terms.id));
            }
        }
        Ok(None)
    }

    /// Whether an item of the workspace has this asset id, or had it.
    async fn is_on_record(&self, asset_id: String) -> Tried<bool> {
        let find = FindInventoryItemByAssetID { workspace_id: self.desk.workspace_id, asset_id };
        match self.operations.find_inventory_item_by_asset_id(&self.caller, find).await {
            Err(refusal) if refusal.code == Code::NotFound => Ok(false),
            Err(refusal) => Err(refusal.into()),
            Ok(_) => Ok(true),
        }
    }
}

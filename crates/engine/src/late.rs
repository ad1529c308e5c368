//! Items that come although the money for them is back, or was given up, and further parts of a refund: nobody follows their purchases any
//! more, so they are looked for beside the passes' own work, for some days.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_domain::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::TradeStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{FindInventoryItemByAssetID, ListPurchases};
use tradepost_operations::{Code, Versioned};
use tradepost_ports::game_platform::{MovedAsset, Trade};
use tradepost_ports::marketplace::DealStatus;
use tradepost_ports::outside::OutsideError;

use crate::Engine;
use crate::desk::TradingAccount;
use crate::mark::Mark;
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

/// When such items were last looked for, and how far each account was looked through.
#[derive(Debug, Default)]
pub(crate) struct Late {
    looked_at: Option<Mark>,
    looks: BTreeMap<AccountName, Look>,
}

/// How far the trades of an account were looked through.
#[derive(Debug, Default)]
struct Look {
    /// For which purchases, back to when each was made.
    purchases: BTreeSet<PurchaseId>,
    /// Up to when.
    until: Option<Timestamp>,
    /// Those that may bring an item yet, or have and may take it back.
    open: BTreeSet<ExternalId>,
}

impl Look {
    /// From when on trades have to be looked through, for purchases of which some may be new.
    fn since(&self, ended: &[Purchase]) -> Option<Timestamp> {
        let new = ended.iter().filter(|purchase| !self.purchases.contains(&purchase.terms.id));
        let since = new.map(|purchase| purchase.created_at).chain(self.until).min();
        since.map(|since| since.plus(-BACKDATED))
    }
}

/// Whether the marketplace has paid back a part, so that more may come.
fn has_more_to_come(purchase: &Purchase) -> bool {
    purchase.status == PurchaseStatus::Refunded && purchase.unrefunded() > Cents::ZERO
}

/// What a trade does for purchases that have ended without their items.
enum Brings {
    /// Nothing: it is of something else, has failed, or its item is in the books.
    Nothing,
    /// Maybe an item, later.
    NothingYet,
    /// The item of this one.
    ItemOf(PurchaseId),
}

impl Engine {
    /// Looks for items of purchases that have ended without them, if it is time.
    pub(crate) async fn look_for_the_late(&mut self, pass: &mut Pass) -> Tried {
        let now = self.mark();
        if !is_due(self.late.looked_at.as_ref(), now, LOOKS_EVERY) {
            return Ok(());
        }
        self.late.looked_at = Some(now);
        let mut ended: BTreeMap<AccountName, Vec<Purchase>> = BTreeMap::new();
        for purchase in self.ended_lately().await? {
            if has_more_to_come(&purchase.value) {
                pass.note_aside(Box::pin(self.follow_refund(&purchase)).await);
            }
            let purchase = purchase.value;
            if purchase.was_traded() {
                continue;
            }
            ended.entry(purchase.terms.account_name.clone()).or_default().push(purchase);
        }
        // What is not looked through to its end is looked through from the beginning the next time.
        let mut looks = std::mem::take(&mut self.late.looks);
        for (name, purchases) in ended {
            let Some(account) = self.desk.account(&name).cloned() else { continue };
            let look = looks.remove(&name).unwrap_or_default();
            let looked = Box::pin(self.look_for_items_of(&account, &purchases, look));
            match self.for_account(&name, looked).await {
                Ok(look) => drop(self.late.looks.insert(name, look)),
                Err(trouble) => pass.note_aside(Err(trouble)),
            }
        }
        Ok(())
    }

    /// Purchases that have lately ended with a refund or a loss, where this node works.
    async fn ended_lately(&self) -> Tried<Vec<Versioned<Purchase>>> {
        let (workspace_id, since, mut ended) = (self.desk.workspace_id, self.now().plus(-LOOKED_FOR), Vec::new());
        for status in ENDED {
            let mut cursor = String::new();
            loop {
                let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id: None, status: Some(status) };
                let page = self.operations.list_purchases(&self.caller, list).await?;
                let known = ended.len();
                let read = self.purchases_by_id(page.entries).await?.into_iter();
                ended.extend(read.filter(|purchase| purchase.value.updated_at >= since));
                cursor = page.next_cursor;
                // The newest come first: what was made before a whole page that has ended long ago has as well.
                if cursor.is_empty() || ended.len() == known {
                    break;
                }
            }
        }
        ended.retain(|purchase| self.works_at(&purchase.value.terms.marketplace));
        Ok(ended)
    }

    /// Books what a marketplace has paid back beyond the part of a refund that is on record.
    async fn follow_refund(&self, purchase: &Versioned<Purchase>) -> Tried {
        let terms = &purchase.value.terms;
        let Some(bought) = &purchase.value.progress.order else { return Ok(()) };
        let order = self.venue(&terms.marketplace)?.at(terms.exchange_rate).order(&bought.id).await?;
        if order.status != DealStatus::Refunded || order.refunded <= purchase.value.progress.refunded {
            return Ok(());
        }
        self.tell(purchase, PurchaseEvent::RefundAdded { total: order.refunded }).await.map(drop)
    }

    /// Tells of the items that trades have brought to an account for such purchases, and of those that went back after all.
    async fn look_for_items_of(&self, account: &TradingAccount, ended: &[Purchase], look: Look) -> Tried<Look> {
        let Some(since) = look.since(ended) else { return Ok(look) };
        let (now, user) = (self.now(), account.address.user);
        let mut trades = self.desk.platform.trades(user, since).await?;
        let read: BTreeSet<ExternalId> = trades.iter().map(|trade| trade.id.clone()).collect();
        for earlier in look.open.difference(&read) {
            match self.desk.platform.trade(user, earlier).await {
                Err(OutsideError::Definite(_)) => {}
                trade => trades.push(trade?),
            }
        }
        let reversed: BTreeSet<&ExternalId> = trades.iter().filter_map(|trade| trade.rollback_of.as_ref()).collect();
        let mut open = BTreeSet::new();
        for trade in trades.iter().filter(|trade| trade.rollback_of.is_none() && trade.given.is_empty()) {
            let is_reversed = reversed.contains(&trade.id);
            if self.tell_late(ended, trade, is_reversed).await? {
                open.insert(trade.id.clone());
            }
        }
        let purchases = ended.iter().map(|purchase| purchase.terms.id).collect();
        Ok(Look { purchases, until: Some(now), open })
    }

    /// Tells what a trade has brought for such purchases; whether it is to be looked at again.
    async fn tell_late(&self, ended: &[Purchase], trade: &Trade, is_reversed: bool) -> Tried<bool> {
        let mut is_open = false;
        for moved in &trade.received {
            let purchase_id = match self.brings(ended, (trade, moved)).await? {
                Brings::Nothing => continue,
                Brings::NothingYet => {
                    is_open = true;
                    continue;
                }
                Brings::ItemOf(purchase_id) => purchase_id,
            };
            let is_there = !is_reversed && moved.returned_as.is_none();
            let evidence = Evidence { shown_by: Some(trade.id.clone()), ..Evidence::default() };
            let problem = (RemediationKind::LateDelivery, Subject::Purchase(purchase_id));
            self.tell_problem(problem, UNEXPLAINED, is_there.then_some(evidence)).await?;
            is_open |= is_there;
        }
        Ok(is_open)
    }

    /// For which of these purchases an item came that no record has: the very asset that was listed, or one of its name by the same
    /// seller, since a trade that failed has given the item a new id.
    async fn brings(&self, ended: &[Purchase], (trade, moved): (&Trade, &MovedAsset)) -> Tried<Brings> {
        let is_like = |purchase: &&Purchase| {
            purchase.terms.market_hash_name == moved.market_hash_name
                && purchase.created_at.plus(-BACKDATED) <= trade.started_at
        };
        let mut like: Vec<&Purchase> = ended.iter().filter(is_like).collect();
        if like.is_empty() || matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) {
            return Ok(Brings::Nothing);
        }
        let Some((_, asset_id)) = &moved.moved_to else { return Ok(Brings::NothingYet) };
        if self.is_on_record(asset_id.to_string()).await? {
            return Ok(Brings::Nothing);
        }
        like.sort_by_key(|purchase| purchase.terms.listing_asset_id != moved.asset_id);
        for purchase in like {
            let terms = &purchase.terms;
            if terms.listing_asset_id == moved.asset_id {
                return Ok(Brings::ItemOf(terms.id));
            }
            let Some(bought) = &purchase.progress.order else { continue };
            let order = match self.venue(&terms.marketplace)?.marketplace.order(&bought.id).await {
                Err(OutsideError::Definite(_)) => continue,
                order => order?,
            };
            if order.seller == Some(trade.partner) {
                return Ok(Brings::ItemOf(terms.id));
            }
        }
        Ok(Brings::Nothing)
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

//! What is paid out, and what a halt of trading stops.

use time::Duration;
use tradepost_domain::contracts::contract::{ContractStatus, SuspensionCause};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting};
use tradepost_domain::id::ContractId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_operations::contracts::{
    ActivateContract, ContractTerms, GetContract, GetLedgerEntries, GetPoolBalance, ListLedgerEntries, PausePool,
    ResumePool,
};
use tradepost_ports::marketplace::Marketplace as _;

use crate::desk::{CUSTOMER, Desk};

impl Desk {
    pub(crate) async fn balances(&self) -> Balanced {
        let get = GetPoolBalance { workspace_id: self.workspace_id, pool_id: self.pool_id.unwrap() };
        self.operations.get_pool_balance(&Caller::system(), get).await.unwrap().value
    }

    /// The entries that something was paid out by.
    async fn payouts(&self) -> Vec<LedgerEntry> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let list = ListLedgerEntries {
                workspace_id: self.workspace_id,
                limit: 200,
                cursor,
                account: Some(Account::Receivable),
                pool_id: None,
                contract_id: None,
                from: None,
                to: None,
            };
            let page = self.operations.list_ledger_entries(&Caller::system(), list).await.unwrap();
            if !page.entries.is_empty() {
                let get = GetLedgerEntries { workspace_id: self.workspace_id, ledger_entry_ids: page.entries };
                all.extend(self.operations.get_ledger_entries(&Caller::system(), get).await.unwrap().entries);
            }
            if page.next_cursor.is_empty() {
                all.retain(|entry: &LedgerEntry| entry.posting == Posting::PaidOut);
                return all;
            }
            cursor = page.next_cursor;
        }
    }

    async fn halt(&self, halted: bool) {
        let halt = SetTradingHalt { workspace_id: self.workspace_id, halted, reason: "a test".to_owned() };
        self.operations.set_trading_halt(&Caller::system(), halt).await.unwrap();
    }

    pub(crate) async fn contract_status(&self, contract_id: ContractId) -> (ContractStatus, Option<SuspensionCause>) {
        let get = GetContract { workspace_id: self.workspace_id, contract_id };
        let contract = self.operations.get_contract(&Caller::system(), get).await.unwrap().value;
        (contract.status, contract.suspended_for())
    }
}

#[tokio::test]
async fn a_payout_is_booked_once_however_often_the_engine_is_replaced() {
    let desk = Desk::slow(81).await.pooled().await;
    desk.buying(3).await;
    desk.selling().await;
    let settled = |items: &[InventoryItem]| items.iter().filter(|item| is_settled(item)).count();
    while settled(&desk.items().await) < 3 {
        desk.live(&mut desk.engine(), Duration::hours(12)).await;
        let (books, balance) = (desk.balances().await, desk.simulator.marketplace(CUSTOMER).balance().await.unwrap());
        // The world pays its sellers as soon as a sale is final: nothing is owed that was not paid.
        assert_eq!(books.of(Account::Receivable).get(), 0);
        let ours = books.of(Account::Available).get() + books.of(Account::Reserved).get();
        assert_eq!(ours, balance.get(), "our ledger and the marketplace's differ");
        let net: i64 = desk.items().await.iter().filter(|item| is_settled(item)).map(net_of).sum();
        let paid_out = desk.payouts().await;
        assert_eq!(paid_out.iter().map(|entry| entry.amounts.of(Account::Available).get()).sum::<i64>(), net);
        assert!(paid_out.iter().all(|entry| entry.trade.as_ref().is_some_and(|trade| trade.sale.is_some())));
    }
    assert_eq!(desk.payouts().await.len(), 3);
    desk.assert_sound().await;
}

fn is_settled(item: &InventoryItem) -> bool {
    item.status == ItemStatus::Settled
}

fn net_of(item: &InventoryItem) -> i64 {
    let proceeds = item.proceeds.unwrap();
    proceeds.sell_price().get() - proceeds.sale_fee().get()
}

#[tokio::test]
async fn a_halt_suspends_what_buys_until_it_is_lifted_and_what_sells_goes_on() {
    let desk = Desk::lively(82).await;
    let (buys, sells) = (desk.buying(50).await, desk.selling().await);
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::minutes(30)).await;
    desk.halt(true).await;
    let bought = desk.purchases().await.len();
    assert_eq!(desk.contract_status(buys).await, (ContractStatus::Suspended, Some(SuspensionCause::TradingHalted)));
    assert_eq!(desk.contract_status(sells).await, (ContractStatus::Active, None));
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.purchases().await.len(), bought);
    desk.halt(false).await;
    assert_eq!(desk.contract_status(buys).await, (ContractStatus::Active, None));
    desk.live_until(&mut engine, |purchases, _| purchases.len() > bought).await;
}

#[tokio::test]
async fn contracts_of_a_paused_pool_are_suspended_and_an_engine_sees_to_those_that_were_left() {
    let desk = Desk::lively(83).await.pooled().await;
    let (workspace_id, pool_id, expected_version) = (desk.workspace_id, desk.pool_id.unwrap(), None);
    let buys = desk.buying(5).await;
    let pause = PausePool { workspace_id, pool_id, reason: None, expected_version };
    desk.operations.pause_pool(&Caller::system(), pause).await.unwrap();
    assert_eq!(desk.contract_status(buys).await, (ContractStatus::Suspended, Some(SuspensionCause::PoolPaused)));
    // Halted and paused: it works again when neither holds.
    desk.halt(true).await;
    let resume = ResumePool { workspace_id, pool_id, expected_version };
    desk.operations.resume_pool(&Caller::system(), resume).await.unwrap();
    assert_eq!(desk.contract_status(buys).await.0, ContractStatus::Suspended);
    let draft = desk.draft("Late", ContractTerms::Buying(Desk::limits(1))).await;
    let activate = ActivateContract { workspace_id, contract_id: draft, expected_version };
    let activated = desk.operations.activate_contract(&Caller::system(), activate).await.unwrap();
    assert_eq!(activated.value.suspended_for(), Some(SuspensionCause::TradingHalted));
    desk.halt(false).await;
    for contract_id in [buys, draft] {
        assert_eq!(desk.contract_status(contract_id).await, (ContractStatus::Active, None));
    }
}

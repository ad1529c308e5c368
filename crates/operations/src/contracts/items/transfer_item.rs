//! [`TransferItem`]: a person moves an item to another trading account of the workspace.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{
    DecisionBasis, Intent, IntentEvent, IntentKind, IntentResult, IntentTerms, ItemTarget, Target,
};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemError};
use tradepost_domain::id::{AccountId, IntentId, InventoryItemId, RecordKey, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trade_offer::{AssetReference, OfferWish, TradeOffer};
use tradepost_domain::trading::trading_account::AccountGone;
use tradepost_ports::changes::{Caller, Changes, Revised};

use crate::commit::By;
use crate::contracts::intents::intent_steps::{begin_intent, commit_intent, moment};
use crate::rules;
use crate::trading::trade_offers::record_trade_offer::log_trade_offer;
use crate::trading::trading_accounts::account_moves::{account_as_seen, not_acknowledged, require_acknowledged};
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Moves an item to another account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item, which must be in the inventory and free to be traded.
    pub inventory_item_id: InventoryItemId,
    /// The account that receives it.
    pub account_id: AccountId,
    /// Whether it is moved though the platform would hold it.
    pub accept_hold: bool,
}

/// The account that receives an item.
struct Recipient {
    name: AccountName,
    address: TradeAddress,
    /// Whether the platform may hold the item.
    accepts_hold: bool,
}

/// A transfer with the offer that it is carried out by.
struct Transfer {
    intent_id: IntentId,
    receiver: AccountName,
    offer: TradeOffer,
}

impl Operations {
    /// Has an item moved to another trading account of the workspace: the account that holds it sends a trade offer, which the other one
    /// accepts. No money moves. The offer is sent within 15 min or not at all, and not if the platform would hold the item, unless the caller
    /// accepts that. The intent is EXECUTING until the item has arrived or the offer has ended.
    ///
    /// # Errors
    /// `permission_denied`; `not_found` for the item and the account; `invalid_argument` for the account that holds the item;
    /// `already_exists` with `INTENT_EXISTS`; `failed_precondition`: `STEP_UP_REQUIRED`, `ILLEGAL_STEP` unless the item is in the inventory,
    /// `ITEM_CLOSED`, `ITEM_LOCKED` as long as it cannot be traded, `ACCOUNT_REMOVED`, `TRADES_NOT_ACKNOWLEDGED` and `GIVING_NOT_ENABLED` for one of the accounts, `ACCOUNT_NOT_READY`
    /// and `TRADE_URL_UNKNOWN` for one that receives, `GIVING_LIMIT_REACHED` for the one that gives.
    pub async fn transfer_item(&self, caller: &Caller, command: TransferItem) -> OpResult<Versioned<Intent>> {
        let scope = rules::TRANSFER_ITEM.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || self.transfer_once(By { caller, at }, scope, command)).await
    }

    async fn transfer_once(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        command: TransferItem,
    ) -> OpResult<Versioned<Intent>> {
        let mut changes = Changes::by(by.caller);
        self.require_step_up_in(by.caller, scope, rules::TRANSFER_ITEM, &mut changes).await?;
        let found = self.ports.store.items().find(scope, command.inventory_item_id).await?;
        let item = changes.rely_on(found.ok_or_else(|| OpError::not_found("inventory item"))?);
        if IntentKind::Transfer.item_status() != Some(item.status) {
            return Err(ItemError::IllegalStep { from: item.status, event: IntentKind::Transfer.done() }.into());
        }
        item.check_unlocked(by.at)?;
        require_acknowledged(self, scope, &item.account_name).await?;
        self.require_giving_of(scope, &item.account_name).await?;
        let to = self.recipient(&mut changes, scope, command, &item).await?;
        let (intent_id, receiver) = (self.mint(), to.name.clone());
        let offer = self.transfer_offer(by, &item, intent_id, to);
        let offer = self.require_within_limits(by, scope, offer).await?;
        let intent = self.add_transfer(&mut changes, by, &item, Transfer { intent_id, receiver, offer })?;
        commit_intent(self, by.caller, changes).await?;
        Ok(intent.into())
    }

    async fn recipient(
        &self,
        changes: &mut Changes,
        scope: WorkspaceScope,
        command: TransferItem,
        item: &InventoryItem,
    ) -> OpResult<Recipient> {
        let account = changes.rely_on(account_as_seen(self, scope, command.account_id, None).await?);
        if account.name == item.account_name {
            return Err(OpError::invalid_field("accountId", "must not be the account that holds the item"));
        }
        if account.status.is_terminal() {
            return Err(AccountGone.into());
        }
        if !account.may_trade() {
            return Err(not_acknowledged());
        }
        self.require_giving(scope, &account).await?;
        if !account.status.receives() {
            let message =
                format!("{} is {}: items are sent to an account that was signed in", account.name, account.status);
            return Err(OpError::failed_precondition(Reason::AccountNotReady, message));
        }
        let Some(token) = account.trade_token.clone() else {
            let message = format!(
                "the trade URL of {} is not known: refresh the account, or set its trade token by UpdateAccount",
                account.name
            );
            return Err(OpError::failed_precondition(Reason::TradeURLUnknown, message));
        };
        let address = TradeAddress { user: account.platform_user_id, token };
        Ok(Recipient { name: account.name.clone(), address, accepts_hold: command.accept_hold })
    }

    /// The offer that gives an item to another account.
    fn transfer_offer(&self, by: By<'_>, item: &InventoryItem, intent_id: IntentId, to: Recipient) -> TradeOffer {
        let given = AssetReference {
            app_id: item.app_id,
            context_id: item.context_id,
            asset_id: item.current_asset_id().clone(),
        };
        let wish = OfferWish {
            token: to.address.token,
            gives: vec![given],
            receives: Vec::new(),
            message: None,
            intent_id: Some(intent_id),
            accepts_hold: to.accepts_hold,
        };
        let key = RecordKey { workspace_id: item.workspace_id, id: self.mint() };
        TradeOffer::requested(key, item.account_name.clone(), to.address.user, wish, by.at)
    }

    /// Adds the intent and the offer that it is carried out by.
    fn add_transfer(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        item: &InventoryItem,
        transfer: Transfer,
    ) -> OpResult<Revised<Intent>> {
        let Transfer { intent_id, receiver, offer } = transfer;
        let to_account = Some(receiver);
        let target = ItemTarget { inventory_item_id: item.id, marketplace: None, price: None, to_account };
        let terms = IntentTerms {
            id: intent_id,
            workspace_id: item.workspace_id,
            contract_id: None,
            kind: IntentKind::Transfer,
            target: Target::Item(target),
            basis: DecisionBasis::default(),
            approval_mode: ApprovalMode::Manual,
        };
        let proposed = Intent::propose(terms, moment(self, by.at))?;
        let steps = [IntentEvent::Approved, IntentEvent::Claimed { result: Some(IntentResult::Offer(offer.id)) }];
        let intent = begin_intent(self, changes, by, proposed, steps)?;
        changes.audit(AuditKind::IntentCreated, &intent.value);
        changes.insert(offer.clone());
        log_trade_offer(self, changes, by, None, &Revised { value: offer, version: 1 });
        Ok(intent)
    }
}

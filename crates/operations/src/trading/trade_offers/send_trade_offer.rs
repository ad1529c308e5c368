//! [`SendTradeOffer`]: a person has the engine send an offer.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::id::{AccountId, IntentId, RecordKey, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trade_offer::{AssetReference, OfferStep, OfferWish, TradeOffer};
use tradepost_domain::trading::trading_account::AccountGone;
use tradepost_ports::changes::{Caller, Changes, Revised};

use super::partner::{Partner, partner};
use super::record_trade_offer::{commit_trade_offer, log_trade_offer};
use super::request_steps::{as_shown, require_off_record};
use crate::commit::By;
use crate::rules;
use crate::trading::trading_accounts::account_moves::{account_as_seen, not_acknowledged};
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The most items that an offer gives, and that it receives.
const MOST_ITEMS: usize = 100;

/// An item to give or to receive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetToTrade {
    /// The game; CS2 unless given.
    pub app_id: Option<i64>,
    /// The context of its inventory; the ordinary one unless given.
    pub context_id: Option<i64>,
    /// The id, in decimal digits.
    pub asset_id: String,
}

/// Asks the engine to send a trade offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account that sends it.
    pub account_id: AccountId,
    /// The recipient: a trade URL, or the platform's number.
    pub partner: String,
    /// The token of the recipient's trade URL; empty with a URL.
    pub token: String,
    /// The items to give, at most 100.
    pub gives: Vec<AssetToTrade>,
    /// The items to receive, at most 100.
    pub receives: Vec<AssetToTrade>,
    /// A message of up to 128 characters; empty for none.
    pub message: String,
    /// The intent that it belongs to.
    pub intent_id: Option<IntentId>,
    /// Whether it is sent though the platform would hold its items.
    pub accept_hold: bool,
}

impl Operations {
    /// Records an offer that the engine of the account sends within 15 min or not at all, once, and confirms if it gives items. It is not sent
    /// if the platform would hold its items, unless the caller accepts that.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad recipient, message or item, for no item, and for the account itself as the
    /// recipient; `not_found` for the account and the intent; `failed_precondition`: `STEP_UP_REQUIRED` if it gives items,
    /// `ACCOUNT_REMOVED`, `TRADES_NOT_ACKNOWLEDGED`, `GIVING_NOT_ENABLED`, `ITEM_ON_RECORD` for an item that the ledger has, `OFFER_REQUEST_OPEN` while an offer of the same items is sent,
    /// `GIVING_LIMIT_REACHED`.
    pub async fn send_trade_offer(&self, caller: &Caller, command: SendTradeOffer) -> OpResult<Versioned<TradeOffer>> {
        let scope = rules::SEND_TRADE_OFFER.enter(&caller.principal, command.workspace_id)?;
        let (to, wish) = checked(&command)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            if !wish.gives.is_empty() {
                self.require_step_up_in(caller, scope, rules::SEND_TRADE_OFFER, &mut changes).await?;
            }
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            let account = changes.rely_on(account);
            if account.status.is_terminal() {
                return Err(AccountGone.into());
            }
            if !account.may_trade() {
                return Err(not_acknowledged());
            }
            if self.asks_before_giving(scope, &account).await? {
                self.require_giving(scope, &account).await?;
                require_tradable(&wish)?;
            }
            if account.platform_user_id == to {
                return Err(OpError::invalid_field("partner", "must not be the account itself"));
            }
            if let Some(intent) = wish.intent_id {
                let found = self.ports.store.intents().find(scope, intent).await?;
                changes.rely_on(found.ok_or_else(|| OpError::not_found("intent"))?);
            }
            let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
            let offer = TradeOffer::requested(key, account.name.clone(), to, wish.clone(), at);
            require_off_record(self, scope, &offer.given_assets()).await?;
            self.require_no_twin(scope, &account.name, &offer).await?;
            let offer = self.require_within_limits(By { caller, at }, scope, offer).await?;
            self.add_requested(By { caller, at }, changes, offer).await
        })
        .await
    }

    /// Checks that no unfinished request sends one of the items, or asks the same of the same partner.
    async fn require_no_twin(&self, scope: WorkspaceScope, account: &AccountName, wanted: &TradeOffer) -> OpResult<()> {
        let (gives, receives) = (wanted.given_assets(), wanted.received_assets());
        let is_twin = |known: &TradeOffer| {
            let is_sending = known.request.is_some_and(|request| request.step == OfferStep::Send);
            let sending = known.given_assets();
            let is_same = known.partner == wanted.partner && sending == gives && known.received_assets() == receives;
            is_sending && (is_same || sending.iter().any(|asset| gives.contains(asset)))
        };
        let known = self.ports.store.trade_offers().list_unowned(scope, account).await?;
        let Some(twin) = known.iter().find(|seen| is_twin(seen.peek())) else { return Ok(()) };
        let message = format!(
            "the trade offer {} of the same items is being sent: read it until its request is over, or cancel it",
            twin.peek().id
        );
        Err(OpError::failed_precondition(Reason::OfferRequestOpen, message))
    }

    async fn add_requested(
        &self,
        by: By<'_>,
        mut changes: Changes,
        offer: TradeOffer,
    ) -> OpResult<Versioned<TradeOffer>> {
        changes.insert(offer.clone());
        let added = Revised { value: offer, version: 1 };
        log_trade_offer(self, &mut changes, by, None, &added);
        let about = About::from(&added.value).with(Fact::Count, &added.value.given_assets().len());
        changes.audit(AuditKind::TradeOfferSendRequested, about);
        commit_trade_offer(self, by.caller, changes).await?;
        Ok(as_shown(by.caller, added.into()))
    }
}

fn checked(command: &SendTradeOffer) -> OpResult<(PlatformUserId, OfferWish)> {
    let Partner { user, token } = partner(&command.partner, &command.token)?;
    let (gives, receives) = (assets("gives", &command.gives)?, assets("receives", &command.receives)?);
    if gives.is_empty() && receives.is_empty() {
        return Err(OpError::invalid_field("gives", "or `receives` must have an item"));
    }
    let message =
        (!command.message.trim().is_empty()).then(|| fields::text("message", &command.message)).transpose()?;
    let (intent_id, accepts_hold) = (command.intent_id, command.accept_hold);
    Ok((user, OfferWish { token, gives, receives, message, intent_id, accepts_hold }))
}

/// Requires items that the drivers of real platforms trade: they name an item by its id alone, which is that of one game and context.
fn require_tradable(wish: &OfferWish) -> OpResult<()> {
    for (field, assets) in [("gives", &wish.gives), ("receives", &wish.receives)] {
        let is_ordinary =
            |asset: &AssetReference| asset.app_id == AppId::CS2 && asset.context_id == ContextId::ORDINARY;
        if let Some(other) = assets.iter().find(|asset| !is_ordinary(asset)) {
            let rule = format_args!("has the asset {}, which is not an ordinary item of CS2", other.asset_id);
            return Err(OpError::invalid_field(field, rule));
        }
    }
    Ok(())
}

/// Parses the items, each of which is named once.
fn assets(field: &str, given: &[AssetToTrade]) -> OpResult<Vec<AssetReference>> {
    if given.len() > MOST_ITEMS {
        return Err(OpError::invalid_field(field, format_args!("must have at most {MOST_ITEMS} items")));
    }
    let mut all: Vec<AssetReference> = Vec::with_capacity(given.len());
    for asset in given {
        let asset = reference(field, asset)?;
        if all.iter().any(|known| known.app_id == asset.app_id && known.asset_id == asset.asset_id) {
            return Err(OpError::invalid_field(field, format_args!("names asset {} twice", asset.asset_id)));
        }
        all.push(asset);
    }
    Ok(all)
}

fn reference(field: &str, asset: &AssetToTrade) -> OpResult<AssetReference> {
    let bad = |name: &str| OpError::invalid_field(field, format_args!("has an item whose {name} is not valid"));
    let app_id = match asset.app_id {
        None => AppId::CS2,
        Some(number) => {
            u32::try_from(number).ok().and_then(|number| AppId::new(number).ok()).ok_or_else(|| bad("appId"))?
        }
    };
    let context_id = match asset.context_id {
        None => ContextId::ORDINARY,
        Some(number) => {
            u64::try_from(number).ok().and_then(|number| ContextId::new(number).ok()).ok_or_else(|| bad("contextId"))?
        }
    };
    Ok(AssetReference { app_id, context_id, asset_id: fields::asset_id(field, &asset.asset_id)? })
}

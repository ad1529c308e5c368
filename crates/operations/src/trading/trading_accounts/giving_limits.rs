//! The limits of what trading accounts give: the value of what an offer gives, what the limits leave, and the problem of an account that has
//! used them up. [`SettleGivingLimits`] ends that problem. Not an operation of the interface.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::{InventoryItem, Proceeds};
use tradepost_domain::contracts::remediation::{RemediationEvent, RemediationKind, RemediationStatus, findings};
use tradepost_domain::id::{AccountId, RemediationId, WorkspaceId};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::Confirmation;
use tradepost_domain::trading::giving::{
    GivenLately, GivenSums, GivingBudget, GivingLimits, GivingRefusal, total_value, value_when_given,
};
use tradepost_domain::trading::snapshot::SnapshotNumber;
use tradepost_domain::trading::trade_offer::{AssetKey, OfferOwner, TradeOffer};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::{GivenQuery, PageRequest, RemediationFilter};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::contracts::remediations::remediation_steps::{
    commit_problems, follow_problems, move_remediation, open_separately, remediation_as_seen,
};
use crate::contracts::{Problems, values_of};
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::snapshots::shown_at;
use crate::trading::trade_offers::request_steps::{has_asset, item_with_asset};
use crate::{OpError, OpResult, Operations, Reason};

/// The problem of an account that has used its limits up.
const KIND: RemediationKind = RemediationKind::GivingLimitReached;
/// A problem that was seen so lately is not recorded as seen again: a sale that waits is looked at in every pass.
const SEEN_LATELY: Duration = Duration::minutes(5);
/// A problem that was not seen for so long is over: nothing waits for the limits any longer.
const OVER_AFTER: Duration = Duration::minutes(30);
/// For how long a problem that a person has dismissed is not opened again.
const DISMISSED_FOR: Duration = Duration::DAY;
/// The most problems of this kind that are looked at, the latest first.
const MOST_PROBLEMS: u32 = 1_000;

/// A request to end the problems of accounts for whose limits nothing waits any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettleGivingLimits {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// An item that an offer gives, as far as it is known what it is and what it cost.
struct GivenAsset {
    asset: AssetKey,
    variant: Option<Variant>,
    cost: Option<Cents>,
}

impl Operations {
    /// Requires that an offer which a person asks for is within the limits of its account, counting what its other offers are about to give.
    /// Returns the offer with its value, which counts once the caller writes it; an acceptance counts from its begin. A refusal opens the problem of
    /// the account.
    ///
    /// # Errors
    /// `failed_precondition` with `GIVING_LIMIT_REACHED`.
    pub(crate) async fn require_within_limits(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        offer: TradeOffer,
    ) -> OpResult<TradeOffer> {
        if offer.given_assets().is_empty() {
            return Ok(offer);
        }
        let account = self.ports.store.trading_accounts().find_named(scope, &offer.account_name).await?;
        self.weigh(by, scope, offer, account.as_ref().map(Seen::peek)).await
    }

    /// The same of an offer that is about to be made or accepted, with a new version of its account: of two nodes that have it make offers at
    /// the same time, one decides again, with what the other is about to give. The platform may want no confirmation at which that would
    /// come out.
    ///
    /// # Errors
    /// `failed_precondition` with `GIVING_LIMIT_REACHED`.
    pub(crate) async fn begin_giving(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        offer: TradeOffer,
    ) -> OpResult<TradeOffer> {
        if offer.given_assets().is_empty() {
            return Ok(offer);
        }
        let account = self.ports.store.trading_accounts().find_named(scope, &offer.account_name).await?;
        let offer = self.weigh(by, scope, offer, account.as_ref().map(Seen::peek)).await?;
        if let Some(account) = account.filter(|account| account.peek().giving_limits.apply()) {
            changes.revise(account, |account| Ok::<_, OpError>(account.gave(by.at)))?;
        }
        Ok(offer)
    }

    /// Returns an offer that gives something with the value that counts from now on, if it is within the limits of its account. A sale that is
    /// beyond them by itself is made all the same: its confirmation waits, and a person can allow that. Without an authenticator, nothing
    /// would wait.
    async fn weigh(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        offer: TradeOffer,
        account: Option<&TradingAccount>,
    ) -> OpResult<TradeOffer> {
        let limits = account.map(|account| account.giving_limits).unwrap_or_default();
        let budget = self.giving_budget(scope, &offer, limits, GivenLately::total).await?;
        let Err(refusal) = budget.check() else { return Ok(offer.about_to_give(budget.value, by.at)) };
        let is_sale = matches!(offer.owner, Some(OfferOwner::Item(_)));
        if is_sale && budget.is_beyond_alone() && account.is_some_and(TradingAccount::confirms_what_it_gives) {
            return Ok(offer.about_to_give(budget.value, by.at));
        }
        if let Some(account) = account {
            self.report_giving_limit(by, scope, account.id, refusal).await?;
        }
        Err(refused(&offer.account_name, refusal))
    }

    /// Whether the engine would allow a confirmation now as far as the limits of its account go, counting what its other offers are about to
    /// give: a person who allows several at once decides about their sum.
    pub(crate) async fn is_within_limits(&self, scope: WorkspaceScope, confirmation: &Confirmation) -> OpResult<bool> {
        let limits = self.giving_limits_of(scope, &confirmation.account_name).await?;
        let Some(id) = confirmation.trade_offer_id.filter(|_| limits.apply()) else { return Ok(true) };
        let Some(offer) = self.ports.store.trade_offers().find(scope, id).await? else { return Ok(true) };
        let budget = self.giving_budget(scope, offer.peek(), limits, GivenLately::total).await?;
        Ok(budget.check().is_ok())
    }

    /// Returns what the offer of a confirmation is to give and what its account has given. Without a limit, nothing of it is read.
    pub(crate) async fn budget_of_confirmation(
        &self,
        scope: WorkspaceScope,
        offer: Option<&TradeOffer>,
    ) -> OpResult<GivingBudget> {
        let Some(offer) = offer else { return Ok(GivingBudget::default()) };
        let limits = self.giving_limits_of(scope, &offer.account_name).await?;
        if !limits.apply() {
            return Ok(GivingBudget::default());
        }
        self.giving_budget(scope, offer, limits, GivenLately::given).await
    }

    /// Adds to a confirmation that is about to be allowed that its offer gives from now on. What the engine allows is within the limits also
    /// if another node allows something of the same account at the same time: one of the two commits fails. A person's decision counts and is
    /// not limited.
    ///
    /// # Errors
    /// `failed_precondition` with `GIVING_LIMIT_REACHED`.
    pub(crate) async fn record_giving(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        confirmation: &Confirmation,
    ) -> OpResult<()> {
        let store = &self.ports.store;
        let Some(id) = confirmation.trade_offer_id else { return Ok(()) };
        let found = store.trade_offers().find(scope, id).await?;
        let Some(offer) = found.filter(|offer| !offer.peek().given_assets().is_empty()) else { return Ok(()) };
        let account = store.trading_accounts().find_named(scope, &confirmation.account_name).await?;
        let limits = account.as_ref().map(|account| account.peek().giving_limits).unwrap_or_default();
        let budget = self.giving_budget(scope, offer.peek(), limits, GivenLately::given).await?;
        let is_by_person = confirmation.answer.is_some_and(|answer| answer.is_by_person);
        if !is_by_person {
            budget.check().map_err(|refusal| refused(&confirmation.account_name, refusal))?;
        }
        changes.revise(offer, |offer| Ok::<_, OpError>(offer.giving(budget.value, by.at)))?;
        if let Some(account) = account.filter(|_| limits.apply()) {
            changes.revise(account, |account| Ok::<_, OpError>(account.gave(by.at)))?;
        }
        Ok(())
    }

    /// Ends the problem of an account that has used its limits up. A confirmation that is allowed does not end it, because others may wait.
    pub(crate) async fn settle_giving_limit(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        account_id: AccountId,
    ) -> OpResult<()> {
        let of = Subject::Account(account_id);
        let problems = Problems { scope, of, found: Vec::new(), resolved: Some(KIND) };
        follow_problems(self, changes, by, None, problems).await.map(drop)
    }

    /// Opens the problem of an account that gives nothing more for now, in a commit of its own. One that a person has dismissed within the
    /// last 24 h stays dismissed.
    pub(crate) async fn report_giving_limit(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        account_id: AccountId,
        refusal: GivingRefusal,
    ) -> OpResult<()> {
        let of = Subject::Account(account_id);
        let live = self.ports.store.remediations().list_live_of(scope, of).await?;
        let is_known = match live.iter().find(|seen| seen.peek().kind == KIND) {
            Some(seen) => by.at.since(seen.peek().last_seen_at) < SEEN_LATELY,
            None => self.was_dismissed_lately(scope, of, by.at).await?,
        };
        if is_known {
            return Ok(());
        }
        open_separately(self, by, scope, of, &findings::of_giving_limit(refusal)).await
    }

    /// Ends the problems of accounts that were not seen for 30 min: what waited for their limits was given, or ended. Returns how many.
    ///
    /// # Errors
    /// `permission_denied`; the first error of a problem, after all others had their turn.
    pub async fn settle_giving_limits(&self, caller: &Caller, command: SettleGivingLimits) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let mut turns = Turns::default();
        for (id, last_seen_at) in self.open_problems(scope).await? {
            if at.since(last_seen_at) < OVER_AFTER {
                continue;
            }
            // One that was seen again in the meantime stays open.
            turns.take(self.retrying(|| self.settle_unseen(By { caller, at }, scope, id)).await)?;
        }
        turns.end()
    }

    async fn settle_unseen(&self, by: By<'_>, scope: WorkspaceScope, id: RemediationId) -> OpResult<()> {
        let seen = remediation_as_seen(self, scope, id, None).await?;
        if !seen.peek().is_live() || by.at.since(seen.peek().last_seen_at) < OVER_AFTER {
            return Ok(());
        }
        let mut changes = Changes::by(by.caller);
        move_remediation(self, &mut changes, by, seen, RemediationEvent::Cleared)?;
        commit_problems(self, by.caller, changes).await.map(drop)
    }

    async fn was_dismissed_lately(&self, scope: WorkspaceScope, of: Subject, at: Timestamp) -> OpResult<bool> {
        let last = self.ports.store.remediations().find_last_dismissed(scope, of, KIND).await?;
        Ok(last.is_some_and(|seen| at.since(seen.peek().updated_at) < DISMISSED_FOR))
    }

    /// Returns the latest problems of this kind that wait for a person, with the times at which they were last seen.
    async fn open_problems(&self, scope: WorkspaceScope) -> OpResult<Vec<(RemediationId, Timestamp)>> {
        let remediations = self.ports.store.remediations();
        let status = Some(RemediationStatus::NeedsOperator);
        let filter = RemediationFilter { kind: Some(KIND), status, severity: None };
        let ids = remediations.list(scope, filter, PageRequest { before: None, limit: MOST_PROBLEMS }).await?.ids;
        let found = remediations.find_many(scope, &ids).await?;
        Ok(found.iter().map(|seen| (seen.peek().id, seen.peek().last_seen_at)).collect())
    }

    async fn giving_limits_of(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<GivingLimits> {
        let account = self.ports.store.trading_accounts().find_named(scope, name).await?;
        Ok(account.map(|account| account.peek().giving_limits).unwrap_or_default())
    }

    async fn giving_budget(
        &self,
        scope: WorkspaceScope,
        offer: &TradeOffer,
        limits: GivingLimits,
        counted: fn(GivenLately) -> GivenSums,
    ) -> OpResult<GivingBudget> {
        let value = self.value_given(scope, offer).await?;
        if !limits.apply() {
            return Ok(GivingBudget { value, limits, given: GivenSums::default() });
        }
        let at = self.market_now(scope.workspace_id());
        let (account_name, except) = (&offer.account_name, Some(offer.id));
        let query = GivenQuery { account_name, at, except, waiting_up_to: limits.least() };
        let given = counted(self.ports.store.trade_offers().sum_given(scope, query).await?);
        Ok(GivingBudget { value, limits, given })
    }

    /// Returns the value of what an offer gives, by our own prices: of each item what it is sold for or its last known value (its cost, if
    /// no value is known), whichever is higher. `None` where nothing of an item is known.
    async fn value_given(&self, scope: WorkspaceScope, offer: &TradeOffer) -> OpResult<Option<Cents>> {
        let sold = match offer.owner {
            Some(OfferOwner::Item(id)) => self.ports.store.items().find(scope, id).await?,
            Some(OfferOwner::Purchase(_)) | None => None,
        };
        let sold = sold.map(|seen| seen.into_display().0);
        let sold_for = sold.as_ref().and_then(|item| item.proceeds.map(Proceeds::sell_price).or(item.list_price));
        let assets = self.given_items(scope, offer, sold.as_ref()).await?;
        let variants = assets.iter().filter_map(|given| given.variant.clone()).collect();
        let values = values_of(self, scope, variants).await?;
        Ok(total_value(assets.into_iter().map(|GivenAsset { variant, cost, .. }| {
            let last_known = variant.and_then(|variant| values.get(&variant).map(|mark| mark.value));
            value_when_given(sold_for, last_known, cost)
        })))
    }

    /// Returns the items that an offer gives: those of the ledger by their records, any other as the last complete snapshot of the account
    /// shows it, else as the platform shows it in the offer. The item that the offer sells was read before.
    async fn given_items(
        &self,
        scope: WorkspaceScope,
        offer: &TradeOffer,
        sold: Option<&InventoryItem>,
    ) -> OpResult<Vec<GivenAsset>> {
        let mut given = Vec::new();
        for asset in offer.given_assets() {
            let item = match sold.filter(|item| has_asset(item, &asset)) {
                Some(item) => Some(item.clone()),
                None => item_with_asset(self, scope, &asset).await?,
            };
            let cost = item.as_ref().map(|item| item.buy_price);
            given.push(GivenAsset { asset, variant: item.as_ref().map(variant_of), cost });
        }
        if given.iter().all(|given| given.variant.is_some()) {
            return Ok(given);
        }
        let mut shown = self.shown_variants(scope, &offer.account_name).await?;
        for asset in &offer.gives {
            let (app_id, market_hash_name) = (asset.app_id, asset.market_hash_name.clone());
            shown.entry(AssetKey::from(asset)).or_insert(Variant { app_id, market_hash_name, phase: None });
        }
        for item in &mut given {
            item.variant = item.variant.take().or_else(|| shown.get(&item.asset).cloned());
        }
        Ok(given)
    }

    /// Returns what the last complete snapshot of an account shows.
    async fn shown_variants(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<BTreeMap<AssetKey, Variant>> {
        let Some(account) = self.ports.store.trading_accounts().find_named(scope, name).await? else {
            return Ok(BTreeMap::new());
        };
        let account_id = account.peek().id;
        let latest = self.ports.store.snapshots().find_complete_before(scope, account_id, SnapshotNumber::MAX).await?;
        let Some(number) = latest.and_then(|snapshot| snapshot.peek().number) else { return Ok(BTreeMap::new()) };
        let shown = shown_at(self, scope, (account_id, number)).await?;
        let variants = shown.into_iter().map(|seen| {
            let item = seen.into_display().0.item;
            let (app_id, asset_id, market_hash_name) = (item.app_id, item.place.asset_id, item.market_hash_name);
            (AssetKey { app_id, asset_id }, Variant { app_id, market_hash_name, phase: item.face.phase })
        });
        Ok(variants.collect())
    }
}

fn variant_of(item: &InventoryItem) -> Variant {
    Variant { app_id: item.app_id, market_hash_name: item.market_hash_name.clone(), phase: item.traits.phase.clone() }
}

/// Returns the error of an account that does not give something now.
fn refused(name: &AccountName, refusal: GivingRefusal) -> OpError {
    let message = format!(
        "{name} does not give this now: {refusal}; try again later, or change the limits by UpdateAccount (tradepost accounts edit {name} \
         --max-give-per-hour AMOUNT --max-give-per-day AMOUNT)"
    );
    OpError::failed_precondition(Reason::GivingLimitReached, message)
}

//! Carrying intents out: what people have approved, what contracts decide by themselves, and what was cut short.

use tokio::time::Instant;
use tradepost_domain::exchange::ExchangeRate;
use tradepost_domain::fees::Charges;
use tradepost_domain::intent::{Intent, IntentKind, IntentResult, IntentStatus, ItemTarget, LOOKS, Target};
use tradepost_domain::inventory_item::{InventoryItem, ItemEvent, ItemStatus, SalePlace};
use tradepost_domain::money::Cents;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::{Marketplace, Name};
use tradepost_operations::contracts::{
    BuyApproved, ClaimIntent, FinishIntent, IntentOutcome, IntentsToDo, PostponeIntent,
};
use tradepost_operations::{Code, Versioned};
use tradepost_ports::marketplace::SellRequest;
use tradepost_ports::outside::OutsideError;

use crate::Engine;
use crate::desk::Venue;
use crate::exchange::Counter;
use crate::pass::Pass;
use crate::trouble::{Tried, Trouble};

/// What is about a marketplace or an account that the desk does not have.
const NOT_SERVED: &str = "NOT_SERVED";
/// What waits for a marketplace that wants to be left alone.
const NOT_ASKED: &str = "MARKETPLACE_NOT_ASKED";

/// As many intents as are read at once.
const INTENTS: u32 = 100;

/// How far an intent has come by a look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    /// It has ended, was begun, or is for another node.
    On,
    /// It waits for this.
    Later(&'static str),
}

/// What is next for an intent about an item, by where the item stands.
enum Next {
    /// To do it.
    Do,
    /// To wait for what was begun.
    Wait,
    /// Nothing: it was done.
    Done,
    /// Nothing: it cannot be done, for this reason.
    Never(&'static str),
}

impl Next {
    fn of(intent: &Intent, item: &InventoryItem, may_sell: bool) -> Self {
        let is_begun = intent.status == IntentStatus::Executing;
        match (intent.terms.kind, item.status) {
            (IntentKind::List, ItemStatus::InInventory) if is_begun => Self::Never("NOT_LISTED"),
            (IntentKind::List, ItemStatus::InInventory) if !may_sell => Self::Never("ACCOUNT_NOT_READY"),
            (IntentKind::List, ItemStatus::InInventory)
            | (IntentKind::Reprice | IntentKind::Delist, ItemStatus::Listed) => Self::Do,
            (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, ItemStatus::Listing) => Self::Wait,
            (IntentKind::Delist, ItemStatus::InInventory) => Self::Done,
            (IntentKind::List, _) if is_begun && item.sale_listing_id.is_some() => Self::Done,
            (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, _) => Self::Never("ITEM_ELSEWHERE"),
            (IntentKind::Buy | IntentKind::Deliver | IntentKind::AcceptOffer | IntentKind::Transfer, _) => {
                Self::Never("NOT_CARRIED_OUT")
            }
        }
    }
}

impl Engine {
    /// Goes on with what was begun, then begins what was approved.
    pub(crate) async fn carry_out_intents(&mut self, pass: &mut Pass) -> Tried {
        let workspace_id = self.desk.workspace_id;
        for status in [IntentStatus::Executing, IntentStatus::Approved] {
            let mut after = None;
            loop {
                let ask = IntentsToDo { workspace_id, status, after, most: INTENTS };
                let found = self.operations.intents_to_do(&self.caller, ask).await?;
                let Some(last) = found.last() else { break };
                after = Some(last.value.terms.id);
                for intent in found {
                    let carried_out = Box::pin(self.carry_out(&intent, pass)).await;
                    self.after_look(&intent, carried_out, pass).await;
                }
            }
        }
        Ok(())
    }

    /// Counts a look at an approved intent that was left for later, and ends it if it waits no longer: as long as it waits, nothing
    /// else is done with what it is about.
    async fn after_look(&mut self, intent: &Versioned<Intent>, carried_out: Tried<Carried>, pass: &mut Pass) {
        let (mut is_over, mut later) = (false, None);
        match carried_out {
            Err(Trouble::Operation(refusal)) if refusal.reason == "INTENT_EXPIRED" => is_over = true,
            Err(trouble) => {
                later = waits_for(&trouble);
                pass.note_all([(place_of(&intent.value.terms.target), Err(trouble))]);
            }
            Ok(Carried::Later(check)) => later = Some(check),
            Ok(Carried::On) => {}
        }
        if let Some(check) = later.filter(|_| intent.value.status == IntentStatus::Approved) {
            let postponed = self.postpone(intent, check).await;
            pass.note_aside(postponed);
            is_over = intent.value.looks >= LOOKS;
        }
        if is_over {
            let ended = self.operations.expire_intents().await;
            pass.note_aside(ended.map(drop).map_err(Trouble::from));
        }
    }

    /// Writes down that an approved intent was looked at, as long as looks count and whenever it waits for something else.
    async fn postpone(&self, intent: &Versioned<Intent>, check: &str) -> Tried {
        let is_known = intent.value.failed_check.as_ref().is_some_and(|known| known.as_str() == check);
        let Some(check) = Name::new(check).ok().filter(|_| intent.value.looks < LOOKS || !is_known) else {
            return Ok(());
        };
        let command = PostponeIntent {
            workspace_id: self.desk.workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            check,
        };
        match self.operations.postpone_intent(&self.caller, command).await {
            // A person has ended it, or it was begun before it came to trouble.
            Err(refusal) if refusal.reason == "VERSION_MISMATCH" => Ok(()),
            postponed => Ok(postponed.map(drop)?),
        }
    }

    pub(crate) async fn carry_out(&mut self, intent: &Versioned<Intent>, pass: &mut Pass) -> Tried<Carried> {
        match (&intent.value.terms.target, intent.value.status) {
            (Target::Listing(listing), IntentStatus::Approved) => match self.holds_up(&listing.marketplace) {
                None if self.works_at(&listing.marketplace) => self.buy_approved(intent, pass).await,
                Some(check) if self.looks_for(&listing.marketplace) => Ok(Carried::Later(check)),
                // Another node looks at it.
                None | Some(_) => Ok(Carried::On),
            },
            (Target::Item(target), _) if self.works_on_inventory() => self.act_on_item(intent, target, pass).await,
            // A purchase that was recorded ends its intent; the rest is for other nodes.
            (Target::Listing(_) | Target::Offer(_) | Target::Item(_), _) => Ok(Carried::On),
        }
    }

    /// Whether this node looks at what is to be bought at a marketplace: it works there, or no node of the desk does and it works on the
    /// inventory.
    fn looks_for(&self, marketplace: &Marketplace) -> bool {
        self.works_at(marketplace) || (self.desk.venue(marketplace).is_none() && self.works_on_inventory())
    }

    /// What keeps the desk from buying at a marketplace for now.
    fn holds_up(&self, marketplace: &Marketplace) -> Option<&'static str> {
        let checks = [
            (self.desk.venue(marketplace).is_none(), NOT_SERVED),
            (self.providers.is_disabled(ProviderKind::Marketplace, marketplace), "PROVIDER_DISABLED"),
            (self.doubts.at(marketplace), "OUTCOME_UNKNOWN"),
            (self.rests.rests(marketplace), NOT_ASKED),
        ];
        checks.into_iter().find(|(holds, _)| *holds).map(|(_, check)| check)
    }

    async fn buy_approved(&mut self, intent: &Versioned<Intent>, pass: &mut Pass) -> Tried<Carried> {
        let Some(contract_id) = intent.value.terms.contract_id else { return Ok(Carried::On) };
        let Target::Listing(listing) = &intent.value.terms.target else { return Ok(Carried::On) };
        let exchange_rate = self.rate_of(self.venue(&listing.marketplace)?.currency)?;
        let account = self.buyer(contract_id).await?;
        let command = BuyApproved {
            workspace_id: self.desk.workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            account_name: account.name,
            exchange_rate,
        };
        let bought = match self.operations.buy_approved(&self.caller, command).await {
            // The intent tells it: it is DENIED.
            Err(refusal) if refusal.is_limit_of_contract() || refusal.is_limit_of_pool() => return Ok(Carried::On),
            bought => bought?,
        };
        self.market.spend(&listing.marketplace, listing.max_buy_price);
        pass.bought += 1;
        self.send(bought.purchase).await?;
        Ok(Carried::On)
    }

    async fn act_on_item(
        &mut self,
        intent: &Versioned<Intent>,
        target: &ItemTarget,
        pass: &mut Pass,
    ) -> Tried<Carried> {
        let found = self.items_by_id(vec![target.inventory_item_id]).await?;
        let Some(item) = found.into_iter().find(|item| self.desk.account(&item.value.account_name).is_some()) else {
            return Ok(Carried::Later(NOT_SERVED));
        };
        let Some(venue) = self.place_of(&item.value, target) else { return Ok(Carried::Later(NOT_SERVED)) };
        let may_sell = self.records.let_sell(&item.value.account_name, self.now());
        match Next::of(&intent.value, &item.value, may_sell) {
            Next::Wait => return Ok(Carried::Later("ITEM_ELSEWHERE")),
            Next::Done => {
                let claimed = self.claim(intent, None).await?;
                self.finish(&claimed, Some(succeeded(&item.value))).await?;
            }
            Next::Never(why) => self.finish(intent, ended(intent, why)).await?,
            Next::Do => {
                if let Some(check) = self.is_too_early(&intent.value, &venue) {
                    return Ok(Carried::Later(check));
                }
                let rate = self.rate_to_act(intent.value.terms.kind, &venue)?;
                let claimed = self.claim(intent, self.market.fees.get(&venue.name).cloned()).await?;
                if claimed.value.status != IntentStatus::Executing {
                    // A check refuses it by now, and the intent tells which.
                    return Ok(Carried::On);
                }
                let done = self.do_with_item(&item, target, (&claimed.value, &venue, rate)).await;
                let outcome = match &done {
                    Ok(item) => item.as_ref().map(|item| succeeded(&item.value)),
                    Err(trouble) => why_not(&intent.value, trouble).and_then(|why| ended(&claimed, why)),
                };
                self.finish(&claimed, outcome).await?;
                pass.listed += usize::from(done.is_ok() && intent.value.terms.kind == IntentKind::List);
                done?;
            }
        }
        Ok(Carried::On)
    }

    /// Where an item is to be on sale, or is; `None` if the desk does not trade there.
    fn place_of(&self, item: &InventoryItem, target: &ItemTarget) -> Option<Venue> {
        let named = target.marketplace.as_ref().or(item.sale_place.as_ref().map(|place| &place.marketplace));
        named.and_then(|name| self.desk.venue(name)).cloned()
    }

    /// What something waits for until it can be held against what the marketplace takes, or the marketplace lets itself be asked again.
    fn is_too_early(&self, intent: &Intent, venue: &Venue) -> Option<&'static str> {
        match intent.terms.kind {
            IntentKind::Reprice if intent.status == IntentStatus::Approved && self.rests.rests(&venue.name) => {
                Some(NOT_ASKED)
            }
            IntentKind::List | IntentKind::Reprice => {
                let is_known = intent.terms.contract_id.is_none() || self.market.fees.contains_key(&venue.name);
                (!is_known).then_some("FEES_UNKNOWN")
            }
            IntentKind::Buy
            | IntentKind::Delist
            | IntentKind::Deliver
            | IntentKind::AcceptOffer
            | IntentKind::Transfer => None,
        }
    }

    /// By which rate a price is asked. What takes an item off sale asks none.
    fn rate_to_act(&self, kind: IntentKind, venue: &Venue) -> Tried<Option<ExchangeRate>> {
        if kind == IntentKind::Delist { Ok(None) } else { self.rate_of(venue.currency) }
    }

    /// Does it; `None` while nobody knows whether it was done before.
    async fn do_with_item(
        &self,
        item: &Versioned<InventoryItem>,
        target: &ItemTarget,
        (intent, venue, exchange_rate): (&Intent, &Venue, Option<ExchangeRate>),
    ) -> Tried<Option<Versioned<InventoryItem>>> {
        let price = target.price.unwrap_or(Cents::ZERO);
        match (intent.terms.kind, &item.value.sale_listing_id) {
            (IntentKind::List, _) => {
                let contract_id = intent.terms.contract_id;
                let place = SalePlace { marketplace: venue.name.clone(), contract_id };
                let begun = ItemEvent::ListingStarted { place, price, takes_locked: false, exchange_rate };
                self.list(item, &venue.at(exchange_rate), (begun, price)).await.map(Some)
            }
            (IntentKind::Reprice, Some(listing_id)) => {
                // The same price may be asked twice: so a pass that is cut short here is simply followed by the next, and a listing
                // that asks another price than is on record is put right by asking for that once more.
                venue.at(exchange_rate).reprice(listing_id, price).await?;
                self.tell_item(item, ItemEvent::Repriced { price, exchange_rate }).await.map(Some)
            }
            (IntentKind::Delist, Some(listing_id)) => self.take_off_sale(item, (venue, listing_id)).await,
            _ => Ok(Some(item.clone())),
        }
    }

    /// Puts an item on sale. What is committed first says that the marketplace may have it.
    async fn list(
        &self,
        item: &Versioned<InventoryItem>,
        counter: &Counter,
        (begun, price): (ItemEvent, Cents),
    ) -> Tried<Versioned<InventoryItem>> {
        let account = self.account(&item.value.account_name)?;
        let request =
            SellRequest { owner: account.address.user, asset_id: item.value.current_asset_id().clone(), price };
        let asked_at = Instant::now();
        let started = self.tell_item(item, begun).await?;
        if asked_at.elapsed() >= self.timings.sent_within() {
            return Err(Trouble::StoodStill);
        }
        let event = match counter.list(request).await {
            Ok(listing) => ItemEvent::ListingAccepted { listing_id: listing.id, asset_id: listing.asset_id },
            // Looked for among our listings in the next pass.
            Err(error) if !error.did_nothing() => return Err(error.into()),
            Err(error) => {
                self.tell_item(&started, ItemEvent::ListingRefused).await?;
                return Err(error.into());
            }
        };
        self.tell_item(&started, event).await
    }

    async fn claim(&self, intent: &Versioned<Intent>, fees: Option<Charges>) -> Tried<Versioned<Intent>> {
        let command = ClaimIntent {
            workspace_id: self.desk.workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            fees,
        };
        Ok(self.operations.claim_intent(&self.caller, command).await?)
    }

    /// Ends an intent, if it is known what came of it.
    async fn finish(&self, intent: &Versioned<Intent>, outcome: Option<IntentOutcome>) -> Tried {
        let Some(outcome) = outcome else { return Ok(()) };
        let command = FinishIntent {
            workspace_id: self.desk.workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            outcome,
        };
        self.operations.finish_intent(&self.caller, command).await?;
        Ok(())
    }
}

fn succeeded(item: &InventoryItem) -> IntentOutcome {
    IntentOutcome::Succeeded(item.sale_listing_id.clone().map(IntentResult::Listing))
}

/// What was never begun is refused, what was begun has failed.
fn ended(intent: &Versioned<Intent>, why: &str) -> Option<IntentOutcome> {
    let is_begun = intent.value.status == IntentStatus::Executing;
    let outcome = if is_begun { IntentOutcome::Failed } else { IntentOutcome::Denied };
    Name::new(why).ok().map(outcome)
}

/// The marketplace that something is about.
fn place_of(target: &Target) -> Option<Marketplace> {
    match target {
        Target::Listing(listing) => Some(listing.marketplace.clone()),
        Target::Item(item) => item.marketplace.clone(),
        Target::Offer(_) => None,
    }
}

/// What an approved intent waits for that came to this trouble; nothing where somebody else was faster.
fn waits_for(trouble: &Trouble) -> Option<&'static str> {
    Some(match trouble {
        Trouble::Operation(refusal) if refusal.is_conflict() => return None,
        Trouble::Operation(refusal) => refusal.reason,
        Trouble::NoAccount | Trouble::NobodyAssigned(_) => "NO_ACCOUNT_READY",
        Trouble::Unknown { .. } => NOT_SERVED,
        Trouble::NoRate(_) | Trouble::Rates(_) => "NO_EXCHANGE_RATE",
        Trouble::Marketplace(error @ (OutsideError::RateLimited { .. } | OutsideError::AuthLost { .. }))
            if error.did_nothing() =>
        {
            NOT_ASKED
        }
        Trouble::Marketplace(OutsideError::Definite(_)) => "MARKETPLACE_REFUSED",
        Trouble::Marketplace(_)
        | Trouble::Platform(_)
        | Trouble::Unread
        | Trouble::Prices(_)
        | Trouble::StoodStill
        | Trouble::NotShown
        | Trouble::UnknownState { .. }
        | Trouble::WrongOffer(_)
        | Trouble::Money(_) => "NO_ANSWER",
    })
}

/// Why something was definitely not done; `None` if it may have been, or may be yet.
fn why_not(intent: &Intent, trouble: &Trouble) -> Option<&'static str> {
    // What was asked before may have been heard then.
    let is_first = intent.status == IntentStatus::Approved;
    match trouble {
        // A price is decided on anew, by what the item is worth then.
        Trouble::Marketplace(error @ (OutsideError::RateLimited { .. } | OutsideError::AuthLost { .. }))
            if is_first && error.did_nothing() && intent.terms.kind == IntentKind::Reprice =>
        {
            Some(NOT_ASKED)
        }
        Trouble::Operation(refusal) if refusal.is_conflict() || refusal.code != Code::FailedPrecondition => None,
        Trouble::Operation(refusal) => Some(refusal.reason),
        Trouble::Marketplace(OutsideError::Definite(_)) => Some("MARKETPLACE_REFUSED"),
        Trouble::Marketplace(_)
        | Trouble::Platform(_)
        | Trouble::Unread
        | Trouble::Prices(_)
        | Trouble::Rates(_)
        | Trouble::NoRate(_)
        | Trouble::Unknown { .. }
        | Trouble::StoodStill
        | Trouble::NotShown
        | Trouble::UnknownState { .. }
        | Trouble::WrongOffer(_)
        | Trouble::NoAccount
        | Trouble::NobodyAssigned(_)
        | Trouble::Money(_) => None,
    }
}

//! Trades: items change hands and get new asset ids, or fail, or are reversed while they are protected.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress, TradeStatus};
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::{self, Hold, MovedAsset, PlatformRefusal};
use tradepost_ports::marketplace::ListingStatus;

use super::change_index::Change;

use super::World;
use super::event_queue::{EscrowEnd, Event};
use super::ids::{AssetNumber, DealId, ItemId, OfferId, PersonId, TradeId};
use super::offers::{Named, Offer};
use crate::fault::Fault;
use crate::serde_repr;

/// In seconds.
const HOUR: u32 = 3_600;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Trade {
    /// The offer it came of; a roll-back came of that of the trade that it took back.
    offer: OfferId,
    /// Who sent the offer, and who accepted it.
    between: [PersonId; 2],
    deal: Option<DealId>,
    #[serde(with = "serde_repr")]
    pub(super) status: TradeStatus,
    pub(super) moves: Vec<Move>,
    #[serde(with = "serde_repr")]
    started_at: Timestamp,
    #[serde(with = "serde_repr")]
    held_until: Option<Timestamp>,
    #[serde(with = "serde_repr")]
    protected_until: Option<Timestamp>,
    rollback_of: Option<TradeId>,
}

/// What a trade did to one item.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Move {
    pub(super) item: ItemId,
    #[serde(with = "serde_repr")]
    variant: MarketHashName,
    pub(super) giver: PersonId,
    pub(super) receiver: PersonId,
    before: AssetNumber,
    /// The id with its new owner; nothing if it never got there.
    pub(super) after: Option<AssetNumber>,
    /// The id with its old owner, to whom it went back.
    returned: Option<AssetNumber>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Trades {
    all: BTreeMap<TradeId, Trade>,
}

impl Trades {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Trade> {
        self.all.values()
    }
}

impl World {
    /// Carries out an offer that was accepted. Nothing when its items are not where they were; the offer has ended then.
    pub(super) fn trade(&mut self, offer_id: OfferId) -> Option<TradeId> {
        let offer = self.offers.get(offer_id)?.clone();
        let Some(moves) = self.moves(&offer) else {
            self.end_offer(offer_id, OfferStatus::InvalidItems);
            return None;
        };
        let id = self.numbers.trade();
        let mut trade = Trade {
            offer: offer_id,
            between: [offer.from, offer.to],
            deal: offer.deal,
            status: TradeStatus::Init,
            moves,
            started_at: self.now,
            held_until: None,
            protected_until: None,
            rollback_of: None,
        };
        self.set_offer(offer_id, OfferStatus::Accepted);
        self.set_offer_trade(offer_id, id);
        self.withdraw(&trade);
        let escrow = self.faults.strike(|fault| {
            if let Fault::RollbackFailed { hours } = fault {
                return Some((hours.saturating_mul(HOUR), EscrowEnd::Lost));
            }
            let Fault::Escrow { hours, rolled_back } = fault else { return None };
            Some((hours.saturating_mul(HOUR), if *rolled_back { EscrowEnd::GivenBack } else { EscrowEnd::PassedOn }))
        });
        if self.faults.strike_as(&Fault::FailedTrade) {
            self.give_back(&mut trade, TradeStatus::Failed);
            self.fail(id, trade);
        } else if self.faults.strike_as(&Fault::FailedInPlace) {
            trade.status = TradeStatus::Failed;
            self.fail(id, trade);
        } else if let Some((seconds, end)) = escrow {
            self.set_offer(offer_id, OfferStatus::InEscrow);
            self.hold(id, trade, seconds, end);
        } else {
            self.complete(id, trade);
        }
        Some(id)
    }

    /// How long the platform would hold a trade with the participant at an address.
    pub(super) fn hold_with(&self, partner: &TradeAddress) -> Result<Hold, PlatformRefusal> {
        self.people.at(partner).ok_or(PlatformRefusal::PartnerRefused)?;
        Ok(self.next_hold())
    }

    /// How long the platform would hold the trade of an offer that a person has received.
    pub(super) fn hold_of(&self, person: PersonId, id: &ExternalId) -> Result<Hold, PlatformRefusal> {
        let offer = self.offer(person, id)?;
        if offer.is_ours { Err(PlatformRefusal::NotFound) } else { Ok(self.next_hold()) }
    }

    /// A hold of every trade is that of what the account gives, and one that waits for the next trade is that of either side.
    fn next_hold(&self) -> Hold {
        let of_account = self.faults.held_until(self.now).map(|until| until.since(self.now).whole_seconds());
        let of_account = of_account.map_or(0, |seconds| u32::try_from(seconds).unwrap_or(u32::MAX));
        let theirs = self.faults.next_hold().map_or(0, |hours| hours.saturating_mul(HOUR));
        let ours = of_account.max(theirs);
        Hold { ours, theirs, both: ours }
    }

    /// Delists what is given away.
    fn withdraw(&mut self, trade: &Trade) {
        for step in &trade.moves {
            if let Some(listing) = self.items.get(step.item).and_then(|item| item.listing) {
                self.end_listing(listing, ListingStatus::Withdrawn);
            }
        }
    }

    /// What the offer moves; nothing unless every item still is where it says, under the same id, and can be traded.
    fn moves(&self, offer: &Offer) -> Option<Vec<Move>> {
        let given = offer.give.iter().map(|named| (named, offer.from, offer.to));
        let wanted = offer.want.iter().map(|named| (named, offer.to, offer.from));
        let step = |((item, before), giver, receiver): (&Named, PersonId, PersonId)| {
            let there = self.items.get(*item)?;
            let can_move = there.asset == *before && there.owner == giver && there.is_free(self.now);
            let (variant, before) = (there.variant.clone(), *before);
            can_move.then_some(Move { item: *item, variant, giver, receiver, before, after: None, returned: None })
        };
        given.chain(wanted).map(step).collect()
    }

    /// The items change hands.
    fn complete(&mut self, id: TradeId, mut trade: Trade) {
        trade.status = TradeStatus::Complete;
        trade.protected_until = Some(self.now.plus(Duration::seconds(i64::from(self.settings.protection))));
        for step in &mut trade.moves {
            let asset = self.numbers.asset();
            step.after = Some(asset);
            self.items.pass(step.item, step.receiver, asset, trade.protected_until);
        }
        let sold = trade.deal.and_then(|deal| self.deals.get(deal)).map(|deal| deal.item);
        if let Some(deal) = trade.deal.filter(|_| trade.moves.iter().any(|step| Some(step.item) == sold)) {
            self.deal_delivered(deal);
        }
        let (has_stranger, [one, other]) = (self.stranger_in(&trade).is_some(), trade.between);
        self.trades.all.insert(id, trade);
        if !has_stranger {
            return;
        }
        self.partner_met(one, other);
        let reversed =
            self.faults.strike(|fault| if let Fault::Reversal { hours } = fault { Some(*hours) } else { None });
        if let Some(hours) = reversed {
            self.after(hours.saturating_mul(HOUR), Event::StrangerReverses(id));
        }
    }

    fn stranger_in(&self, trade: &Trade) -> Option<PersonId> {
        trade.between.into_iter().find(|person| self.people.customer(*person).is_none())
    }

    /// The trade fails, and the seller can try again.
    fn fail(&mut self, id: TradeId, trade: Trade) {
        if let Some(deal) = trade.deal {
            self.set_deal_offer(deal, None);
            let seller = self.deals.get(deal).map(|deal| deal.seller);
            if seller.is_some_and(|seller| self.people.customer(seller).is_none()) {
                self.seller_will_send(deal);
            }
        }
        self.trades.all.insert(id, trade);
    }

    /// Every item is with its owner again, under a new id.
    fn give_back(&mut self, trade: &mut Trade, status: TradeStatus) {
        trade.status = status;
        for step in &mut trade.moves {
            let asset = self.numbers.asset();
            step.returned = Some(asset);
            self.items.rename(step.item, asset);
        }
    }

    /// The platform holds the items: no account has them.
    fn hold(&mut self, id: TradeId, mut trade: Trade, seconds: u32, end: EscrowEnd) {
        trade.status = TradeStatus::InEscrow;
        trade.held_until = Some(self.now.plus(Duration::seconds(i64::from(seconds))));
        self.set_held(&trade, true);
        self.trades.all.insert(id, trade);
        self.after(seconds, Event::EscrowEnds(id, end));
    }

    fn set_held(&mut self, trade: &Trade, is_held: bool) {
        for step in &trade.moves {
            self.set_item_held(step.item, is_held);
        }
    }

    /// The platform passes on what it held, gives it back, or does neither. The offer reads as accepted in both cases.
    pub(super) fn escrow_ends(&mut self, id: TradeId, end: EscrowEnd) {
        let Some(mut trade) = self.trades.all.get(&id).cloned() else { return };
        let deal = trade.deal;
        self.set_held(&trade, matches!(end, EscrowEnd::Lost));
        self.set_offer(trade.offer, OfferStatus::Accepted);
        match end {
            EscrowEnd::PassedOn => self.complete(id, trade),
            EscrowEnd::GivenBack | EscrowEnd::Lost => {
                if matches!(end, EscrowEnd::GivenBack) {
                    self.give_back(&mut trade, TradeStatus::EscrowRollback);
                } else {
                    trade.status = TradeStatus::RollbackFailed;
                }
                self.trades.all.insert(id, trade);
                if let Some(deal) = deal {
                    self.fail_deal(deal, FailureCode::EscrowRolledBack);
                }
            }
        }
        // What was held may not have been what was bought, and the deadline did not count in the meantime.
        if let Some(deal) = deal.filter(|deal| self.deals.get(*deal).is_some_and(|deal| deal.deliver_by() <= self.now))
        {
            self.delivery_due(deal);
        }
    }

    /// The stranger in a trade reverses their trades.
    pub(super) fn stranger_reverses(&mut self, id: TradeId) {
        if let Some(stranger) = self.trades.all.get(&id).and_then(|trade| self.stranger_in(trade)) {
            self.reverse_trades(stranger);
        }
    }

    /// Someone reverses their trades as a person does in the platform's app: all that can still be reversed.
    pub fn reverse_trades_of(&mut self, account: PlatformUserId) {
        self.reverse_trades(account.into());
    }

    /// All of them: the platform cannot reverse a single one.
    fn reverse_trades(&mut self, person: PersonId) {
        let can_be_reversed = |trade: &Trade| {
            trade.between.contains(&person)
                && trade.status == TradeStatus::Complete
                && trade.protected_until.is_some_and(|until| until > self.now)
        };
        let all = self.trades.all.iter();
        let reversed: Vec<TradeId> = all.filter(|(_, trade)| can_be_reversed(trade)).map(|(id, _)| *id).collect();
        for id in reversed {
            self.roll_back(id);
        }
    }

    /// Every item goes back, under its old id or a new one, by a trade of its own. The offer stays accepted.
    fn roll_back(&mut self, id: TradeId) {
        let Some(mut trade) = self.trades.all.get(&id).cloned() else { return };
        let rollback_id = self.numbers.trade();
        let mut back = Vec::new();
        for step in &mut trade.moves {
            let asset = if self.chance.percent(50) { step.before } else { self.numbers.asset() };
            step.returned = Some(asset);
            back.push(Move {
                item: step.item,
                variant: step.variant.clone(),
                giver: step.receiver,
                receiver: step.giver,
                before: step.after.unwrap_or(step.before),
                after: Some(asset),
                returned: None,
            });
            self.items.pass(step.item, step.giver, asset, None);
        }
        let rollback = Trade {
            offer: trade.offer,
            between: trade.between,
            deal: None,
            status: TradeStatus::Complete,
            moves: back,
            started_at: self.now,
            held_until: None,
            protected_until: None,
            rollback_of: Some(id),
        };
        trade.status = TradeStatus::ProtectionRollback;
        if let Some(deal) = trade.deal {
            self.deal_reversed(deal);
        }
        self.trades.all.insert(id, trade);
        self.trades.all.insert(rollback_id, rollback);
    }

    /// One trade as this person sees it.
    pub(super) fn trade_of(&self, person: PersonId, id: &ExternalId) -> Result<game_platform::Trade, PlatformRefusal> {
        let id = TradeId::named(id).ok_or(PlatformRefusal::NotFound)?;
        let trade = self.trades.all.get(&id).and_then(|trade| shown(person, id, trade));
        trade.ok_or(PlatformRefusal::NotFound)
    }

    /// The trades of this person that were begun since then.
    pub(super) fn trades(
        &self,
        person: PersonId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> Result<Page<game_platform::Trade>, PlatformRefusal> {
        let after =
            after.map(|text| Change::named(text, TradeId::named).ok_or(PlatformRefusal::NotFound)).transpose()?;
        let begun = self.trades.all.iter().rev().take_while(|(_, trade)| trade.started_at >= since);
        let begun: BTreeSet<_> = begun.map(|(id, trade)| Change::new(*id, trade.started_at)).collect();
        let seen = |id| self.trades.all.get(&id).and_then(|trade| shown(person, id, trade));
        Ok(Change::page(begun.into_iter(), after, seen))
    }
}

/// A trade as one of its sides sees it; nothing for other participants.
fn shown(person: PersonId, id: TradeId, trade: &Trade) -> Option<game_platform::Trade> {
    let [sender, recipient] = trade.between;
    let partner = if person == sender { recipient } else { sender };
    if !trade.between.contains(&person) {
        return None;
    }
    let moved = |is_wanted: &dyn Fn(&&Move) -> bool| {
        let steps = trade.moves.iter().filter(is_wanted);
        steps.map(|step| shown_move(step, trade.protected_until)).collect()
    };
    Some(game_platform::Trade {
        id: id.into(),
        partner: partner.into(),
        status: trade.status,
        given: moved(&|step| step.giver == person),
        received: moved(&|step| step.receiver == person),
        started_at: trade.started_at,
        held_until: trade.held_until,
        protected_until: trade.protected_until,
        rollback_of: trade.rollback_of.map(Into::into),
    })
}

fn shown_move(step: &Move, protected_until: Option<Timestamp>) -> MovedAsset {
    let context = if protected_until.is_some() { ContextId::PROTECTED } else { ContextId::ORDINARY };
    MovedAsset {
        app_id: AppId::CS2,
        market_hash_name: step.variant.clone(),
        asset_id: step.before.into(),
        moved_to: step.after.map(|asset| (context, asset.into())),
        returned_as: step.returned.map(Into::into),
    }
}

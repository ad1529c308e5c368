//! Trade offers, and what strangers do about them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::{self, Acceptance, Asset, NewOffer, PlatformRefusal};
use tradepost_ports::marketplace::Announcement;

use super::World;
use super::change_index::{Change, ChangeIndex};
use super::event_queue::Event;
use super::ids::{AssetNumber, DealId, ItemId, OfferId, PersonId, TradeId};
use crate::fault::Fault;
use crate::serde_repr;

/// An item with the id under which the offer names it.
pub(super) type Named = (ItemId, AssetNumber);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Offer {
    pub(super) from: PersonId,
    pub(super) to: PersonId,
    /// What the sender gives.
    pub(super) give: Vec<Named>,
    /// What the sender wants.
    pub(super) want: Vec<Named>,
    #[serde(with = "serde_repr")]
    pub(super) status: OfferStatus,
    /// The deal that it is to deliver.
    pub(super) deal: Option<DealId>,
    /// Whether its sender has announced it to the marketplace.
    #[serde(default)]
    pub(super) is_announced: bool,
    pub(super) trade: Option<TradeId>,
    /// Until when the platform shows it without its items.
    #[serde(with = "serde_repr")]
    glitched_until: Option<Timestamp>,
    #[serde(with = "serde_repr")]
    created_at: Timestamp,
    #[serde(with = "serde_repr")]
    updated_at: Timestamp,
    #[serde(with = "serde_repr")]
    expires_at: Timestamp,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Offers {
    all: BTreeMap<OfferId, Offer>,
    recent: ChangeIndex<OfferId>,
}

impl Offer {
    /// Whether it can still come to a trade.
    fn is_open(&self) -> bool {
        matches!(self.status, OfferStatus::Active | OfferStatus::NeedsConfirmation)
    }

    /// Whether this person receives items by it.
    pub(super) fn receives(&self, person: PersonId) -> bool {
        if self.from == person { !self.want.is_empty() } else { !self.give.is_empty() }
    }

    /// Whether it waits for the confirmation of this person: the sender's before it is out, the recipient's after.
    pub(super) fn awaits(&self, person: PersonId) -> bool {
        let status = if self.from == person { OfferStatus::NeedsConfirmation } else { OfferStatus::Active };
        self.status == status
    }
}

impl Offers {
    pub(super) fn get(&self, id: OfferId) -> Option<&Offer> {
        self.all.get(&id)
    }

    /// The offer, if one of its sides looks.
    fn seen_by(&self, person: PersonId, id: &ExternalId) -> Result<(OfferId, &Offer), PlatformRefusal> {
        let id = OfferId::named(id).ok_or(PlatformRefusal::NotFound)?;
        let offer = self.get(id).filter(|offer| offer.from == person || offer.to == person);
        offer.map(|offer| (id, offer)).ok_or(PlatformRefusal::NotFound)
    }
}

impl World {
    /// Sends an offer from a trading account of a customer.
    pub(super) fn send(&mut self, from: PersonId, new: &NewOffer) -> Result<game_platform::Offer, PlatformRefusal> {
        let to = self.people.at(&new.to).ok_or(PlatformRefusal::PartnerRefused)?;
        if (new.give.is_empty() && new.receive.is_empty()) || to == from {
            return Err(PlatformRefusal::EmptyOffer);
        }
        let (give, want) = (self.named(from, &new.give)?, self.named(to, &new.receive)?);
        let first = give.first().and_then(|(item, _)| self.items.get(*item)).and_then(|item| item.deal);
        let deal = first.filter(|deal| self.deals.get(*deal).is_some_and(|deal| deal.buyer == to));
        let needs_confirmation = !give.is_empty();
        let id = self.make_offer(from, to, [give, want], deal);
        if needs_confirmation {
            self.set_offer(id, OfferStatus::NeedsConfirmation);
            self.ask_to_confirm(id, from);
        } else {
            self.offer_is_out(id);
        }
        self.offer(from, &id.into())
    }

    /// The items of a person under these ids, which can all be traded, each once.
    fn named(&self, owner: PersonId, assets: &[AssetId]) -> Result<Vec<Named>, PlatformRefusal> {
        let mut named: Vec<Named> = Vec::with_capacity(assets.len());
        for asset in assets {
            let item = self.items.tradable(owner, asset, self.now).zip(AssetNumber::of(asset));
            let new = item.filter(|item| !named.contains(item));
            named.push(new.ok_or_else(|| PlatformRefusal::AssetUnavailable(asset.clone()))?);
        }
        Ok(named)
    }

    fn make_offer(
        &mut self,
        from: PersonId,
        to: PersonId,
        [give, want]: [Vec<Named>; 2],
        deal: Option<DealId>,
    ) -> OfferId {
        let id = self.numbers.offer();
        let life = self.settings.offer_life;
        let offer = Offer {
            from,
            to,
            give,
            want,
            status: OfferStatus::Active,
            deal,
            is_announced: false,
            trade: None,
            glitched_until: None,
            created_at: self.now,
            updated_at: self.now,
            expires_at: self.now.plus(Duration::seconds(i64::from(life))),
        };
        self.offers.all.insert(id, offer);
        self.offers.recent.add(id, self.now);
        self.after(life, Event::OfferExpires(id));
        id
    }

    /// A stranger who sold something sends the item, unless something is wrong with it.
    pub(super) fn seller_sends(&mut self, id: DealId) {
        let Some(deal) = self.deals.get(id) else { return };
        let (item, seller, buyer) = (deal.item, deal.seller, deal.buyer);
        if deal.is_open() {
            let late = self
                .faults
                .strike(|fault| if let Fault::LateDelivery { seconds } = fault { Some(*seconds) } else { None });
            if let Some(seconds) = late {
                let at = deal.deliver_by().plus(Duration::seconds(i64::from(seconds)));
                return self.agenda.add(at, Event::SellerSends(id));
            }
        }
        let swapped = self.faults.strike_as(&Fault::ItemSwapped);
        let decoy = if swapped { self.cheapest_kind().and_then(|kind| self.mint(seller, kind)) } else { None };
        let item = decoy.map_or(item, |(decoy, _)| decoy);
        let Some(asset) = self.items.get(item).filter(|item| item.owner == seller).map(|item| item.asset) else {
            return;
        };
        let offer = self.make_offer(seller, buyer, [vec![(item, asset)], Vec::new()], Some(id));
        self.set_deal_offer(id, Some(offer));
        self.spoil(offer);
    }

    /// What may be wrong with an offer of a stranger once it is out.
    fn spoil(&mut self, id: OfferId) {
        let glitched = self
            .faults
            .strike(|fault| if let Fault::GlitchedOffer { seconds } = fault { Some(*seconds) } else { None });
        let vanishes = self
            .faults
            .strike(|fault| if let Fault::OfferVanishes { seconds } = fault { Some(*seconds) } else { None });
        if let (Some(seconds), Some(offer)) = (glitched, self.offers.all.get_mut(&id)) {
            offer.glitched_until = Some(self.now.plus(Duration::seconds(i64::from(seconds))));
        }
        if let Some(seconds) = vanishes {
            self.after(seconds, Event::OfferVanishes(id));
        }
    }

    /// The offer disappears as if it had never been, unless its recipient has acted on it.
    pub(super) fn offer_vanishes(&mut self, id: OfferId) {
        let Some(offer) = self.offers.get(id).filter(|offer| offer.status == OfferStatus::Active) else { return };
        let deal = offer.deal;
        self.offers.recent.remove(id, offer.updated_at);
        self.offers.all.remove(&id);
        if let Some(deal) = deal {
            self.set_deal_offer(deal, None);
            self.seller_will_send(deal);
        }
    }

    /// The offer has reached its recipient.
    pub(super) fn offer_is_out(&mut self, id: OfferId) {
        self.set_offer(id, OfferStatus::Active);
        let wants_announcement = self.settings.traits.announcement != Announcement::Never;
        if self.offers.get(id).is_some_and(|offer| offer.deal.is_none() || offer.is_announced || !wants_announcement) {
            self.buyer_learns_of(id);
        }
    }

    pub(super) fn set_announced(&mut self, id: OfferId) {
        if let Some(offer) = self.offers.all.get_mut(&id) {
            offer.is_announced = true;
        }
    }

    /// The marketplace takes an offer for the delivery of its deal, and a stranger who gets it answers.
    pub(super) fn buyer_learns_of(&mut self, id: OfferId) {
        let Some(offer) = self.offers.get(id) else { return };
        let (deal, to_stranger) = (offer.deal, self.people.customer(offer.to).is_none());
        if let Some(deal) = deal {
            self.set_deal_offer(deal, Some(id));
        }
        if to_stranger {
            let delay = self.chance.within(self.settings.stranger_answers);
            self.after(delay, Event::StrangerAnswers(id));
        }
    }

    /// A stranger accepts what was bought and nothing else.
    pub(super) fn stranger_answers(&mut self, id: OfferId) {
        let Some(offer) = self.offers.get(id).filter(|offer| offer.status == OfferStatus::Active) else { return };
        let deal = offer.deal.and_then(|deal| self.deals.get(deal)).filter(|deal| deal.is_open());
        let items: Vec<ItemId> = offer.give.iter().map(|(item, _)| *item).collect();
        let Some(deal) = deal.filter(|deal| offer.want.is_empty() && items == [deal.item]) else {
            return self.end_offer(id, OfferStatus::Declined);
        };
        let deadline = deal.deliver_by();
        let late =
            self.faults.strike(|fault| if let Fault::LateBuyer { seconds } = fault { Some(*seconds) } else { None });
        match late {
            Some(seconds) => {
                let at = deadline.plus(Duration::seconds(i64::from(seconds)));
                self.agenda.add(at, Event::StrangerTakes(id));
            }
            None => _ = self.trade(id),
        }
    }

    /// A stranger accepts an offer that is still out, whatever has become of the deal.
    pub(super) fn stranger_takes(&mut self, id: OfferId) {
        if self.offers.get(id).is_some_and(|offer| offer.status == OfferStatus::Active) {
            self.trade(id);
        }
    }

    /// Accepts an offer as its recipient.
    pub(super) fn accept(&mut self, person: PersonId, id: &ExternalId) -> Result<Acceptance, PlatformRefusal> {
        let (id, offer) = self.received(person, id)?;
        if !offer.want.is_empty() {
            self.ask_to_confirm(id, person);
            return Ok(Acceptance::NeedsConfirmation);
        }
        match self.trade(id) {
            Some(trade) => Ok(Acceptance::Begun { trade_id: trade.into() }),
            None => Err(PlatformRefusal::OfferEnded(OfferStatus::InvalidItems)),
        }
    }

    /// Declines an offer as its recipient.
    pub(super) fn decline(&mut self, person: PersonId, id: &ExternalId) -> Result<(), PlatformRefusal> {
        let (id, _) = self.received(person, id)?;
        self.end_offer(id, OfferStatus::Declined);
        Ok(())
    }

    /// Answers an offer with another one, as its recipient: it wants the same items and gives nothing. Returns the other offer's id, or `None`
    /// if the recipient has no such open offer.
    pub fn counter(&mut self, recipient: PlatformUserId, id: &ExternalId) -> Option<ExternalId> {
        let person = PersonId::from(recipient);
        let (id, offer) = self.received(person, id).ok()?;
        let (sender, wanted) = (offer.from, offer.give.clone());
        self.end_offer(id, OfferStatus::Countered);
        Some(self.make_offer(person, sender, [Vec::new(), wanted], None).into())
    }

    fn received(&self, person: PersonId, id: &ExternalId) -> Result<(OfferId, &Offer), PlatformRefusal> {
        let (id, offer) = self.offers.seen_by(person, id)?;
        if offer.to != person {
            Err(PlatformRefusal::NotFound)
        } else if offer.status == OfferStatus::Active {
            Ok((id, offer))
        } else {
            Err(PlatformRefusal::OfferEnded(offer.status))
        }
    }

    /// Takes an offer back as its sender.
    pub(super) fn cancel(&mut self, person: PersonId, id: &ExternalId) -> Result<(), PlatformRefusal> {
        let (id, offer) = self.offers.seen_by(person, id)?;
        if offer.from != person {
            return Err(PlatformRefusal::NotFound);
        }
        if !offer.is_open() {
            return Err(PlatformRefusal::OfferEnded(offer.status));
        }
        self.end_offer(id, OfferStatus::Cancelled);
        Ok(())
    }

    /// Takes an offer back for a deal that has ended.
    pub(super) fn take_back(&mut self, id: OfferId) {
        if self.offers.get(id).is_some_and(|offer| offer.status == OfferStatus::Active) {
            self.set_offer(id, OfferStatus::Cancelled);
        }
    }

    pub(super) fn offer_expires(&mut self, id: OfferId) {
        if self.offers.get(id).is_some_and(Offer::is_open) {
            self.end_offer(id, OfferStatus::Expired);
        }
    }

    /// Ends an offer without a trade. A buyer who does not want what was bought ends the deal; a seller can send again.
    pub(super) fn end_offer(&mut self, id: OfferId, status: OfferStatus) {
        self.set_offer(id, status);
        let Some(deal_id) = self.offers.get(id).and_then(|offer| offer.deal) else { return };
        let Some(deal) = self.deals.get(deal_id).filter(|deal| deal.offer.is_none_or(|offer| offer == id)) else {
            return;
        };
        if self.people.customer(deal.seller).is_some() {
            self.set_deal_offer(deal_id, None);
        } else {
            self.fail_deal(deal_id, FailureCode::OfferEnded);
        }
    }

    pub(super) fn set_offer(&mut self, id: OfferId, status: OfferStatus) {
        if let Some(offer) = self.offers.all.get_mut(&id) {
            self.offers.recent.remove(id, offer.updated_at);
            self.offers.recent.add(id, self.now);
            offer.status = status;
            offer.updated_at = self.now;
            if !offer.is_open() {
                self.confirmations.forget(id);
            }
        }
    }

    pub(super) fn set_offer_trade(&mut self, id: OfferId, trade: TradeId) {
        if let Some(offer) = self.offers.all.get_mut(&id) {
            offer.trade = Some(trade);
        }
    }

    /// One offer as this person sees it.
    pub(super) fn offer(&self, person: PersonId, id: &ExternalId) -> Result<game_platform::Offer, PlatformRefusal> {
        let (id, offer) = self.offers.seen_by(person, id)?;
        Ok(self.shown_offer(person, id, offer))
    }

    /// The offers of this person that changed since then.
    pub(super) fn offers(
        &self,
        person: PersonId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> Result<Page<game_platform::Offer>, PlatformRefusal> {
        let seen = |id| self.offers.get(id).filter(|offer| offer.from == person || offer.to == person);
        let shown = |id| seen(id).map(|offer| self.shown_offer(person, id, offer));
        let after =
            after.map(|text| Change::named(text, OfferId::named).ok_or(PlatformRefusal::NotFound)).transpose()?;
        Ok(Change::page(self.offers.recent.since(since), after, shown))
    }

    fn shown_offer(&self, person: PersonId, id: OfferId, offer: &Offer) -> game_platform::Offer {
        let is_glitched = offer.glitched_until.is_some_and(|until| until > self.now);
        let shown = |named: &[Named]| -> Vec<Asset> {
            let items = named.iter().filter(|_| !is_glitched);
            items.filter_map(|(item, asset)| Some(self.items.get(*item)?.shown(*asset, self.now))).collect()
        };
        let is_ours = offer.from == person;
        let (give, receive) = if is_ours { (&offer.give, &offer.want) } else { (&offer.want, &offer.give) };
        game_platform::Offer {
            id: id.into(),
            partner: if is_ours { offer.to } else { offer.from }.into(),
            is_ours,
            status: offer.status,
            give: shown(give),
            receive: shown(receive),
            trade_id: offer.trade.map(Into::into),
            created_at: offer.created_at,
            updated_at: offer.updated_at,
            expires_at: offer.expires_at,
        }
    }
}

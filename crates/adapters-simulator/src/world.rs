//! The world: all of its parts, its clock, and what happens as time passes. Each part has a file of its own.

mod accounting;
mod calls;
mod change_index;
mod confirmations;
mod consistency;
mod event_queue;
mod ids;
mod items;
mod market;
mod offers;
mod orders;
mod participants;
mod rates;
mod rng;
mod sessions;
mod shapes;
mod social;
mod trades;

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::VenueCents;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingStatus, MarketTraits};

use crate::fault::{Call, Fault, Faults, Side};
use crate::serde_repr;
use crate::settings::Settings;

use accounting::{Accounting, MoneyAccount};
use confirmations::Confirmations;
use event_queue::{Event, EventQueue};
use ids::IdAllocator;
use items::Items;
use market::Market;
use offers::Offers;
use orders::SimOrders;
use participants::Participants;
use rng::SeededRng;
use sessions::Sessions;
use social::SocialLife;
use trades::Trades;

pub use consistency::Imbalance;
pub use participants::TakenNumber;
pub use sessions::SignInImpossible;

/// A marketplace and a game platform with all traders.
///
/// It can be written down and taken up again at any moment; what follows is the same as if it had not been.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct World {
    /// By which currencies drift. A world that was written down before they did has none.
    #[serde(default)]
    seed: u64,
    settings: Settings,
    #[serde(with = "serde_repr")]
    now: Timestamp,
    chance: SeededRng,
    numbers: IdAllocator,
    agenda: EventQueue,
    faults: Faults,
    books: Accounting,
    people: Participants,
    items: Items,
    market: Market,
    deals: SimOrders,
    offers: Offers,
    confirmations: Confirmations,
    trades: Trades,
    /// A world that was written down before there were friends has none.
    #[serde(default)]
    social: SocialLife,
    /// A world that was written down before accounts were signed in has no account that needs it.
    #[serde(default)]
    sessions: Sessions,
}

impl World {
    /// The world of this seed, in which strangers have already put items on sale.
    pub fn new(seed: u64, settings: Settings) -> Self {
        let mut world = Self {
            seed,
            now: settings.start,
            chance: SeededRng::of(seed),
            numbers: IdAllocator::default(),
            agenda: EventQueue::default(),
            faults: Faults::default(),
            books: Accounting::default(),
            people: Participants::default(),
            items: Items::default(),
            market: Market::of(&settings),
            deals: SimOrders::default(),
            offers: Offers::default(),
            confirmations: Confirmations::default(),
            trades: Trades::default(),
            social: SocialLife::of(seed),
            sessions: Sessions::of(seed),
            settings,
        };
        for _ in 0..world.settings.first_listings {
            world.stranger_lists();
        }
        let (next_listing, settings) = (world.chance.within(world.settings.next_listing), &world.settings);
        let recurring = [
            (next_listing, Event::StrangerLists),
            (settings.price_interval, Event::PricesMove),
            (settings.buyer_interval, Event::StrangersBuy),
        ];
        for (seconds, event) in recurring {
            world.recur(seconds, event);
        }
        world
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Lets time pass, and everything happen that is due until then.
    pub fn advance(&mut self, by: Duration) {
        let until = self.now.plus(by.max(Duration::ZERO));
        while let Some((at, event)) = self.agenda.due(until) {
            self.now = at;
            self.happen(event);
        }
        self.now = until;
    }

    /// Opens a customer's account at the marketplace, or pays into it.
    pub fn pay_in(&mut self, customer: &str, amount: VenueCents) {
        self.books.pay(MoneyAccount::Outside, MoneyAccount::Customer(customer), amount);
    }

    /// Opens a trading account of a customer on the game platform.
    pub fn open_account(&mut self, customer: &str) -> TradeAddress {
        let account = self.people.arrive(&mut self.numbers, Some(customer));
        self.people.address(account)
    }

    /// Opens a trading account of a customer under a number of the customer's choice. Returns its address, that of today if it is open already.
    ///
    /// # Errors
    /// [`TakenNumber`] when another participant has the number.
    pub fn open_account_at(&mut self, customer: &str, address: &TradeAddress) -> Result<TradeAddress, TakenNumber> {
        self.people.settle(customer, address)
    }

    /// What a customer can spend.
    pub fn balance_of(&self, customer: &str) -> VenueCents {
        self.books.balance(customer)
    }

    /// How the marketplace works.
    pub fn traits(&self) -> MarketTraits {
        self.settings.traits
    }

    /// Changes how the marketplace works, before any customer trades there.
    pub fn set_traits(&mut self, traits: MarketTraits) {
        self.settings.traits = traits;
    }

    /// What the marketplace takes.
    fn fee_schedule(&self) -> FeeSchedule {
        self.settings.fees.schedule()
    }

    /// Injects a fault: it strikes at once, or on the next occasion.
    pub fn inject(&mut self, fault: Fault) {
        if let Fault::BalanceDrift { customer, cents } = &fault {
            self.books.drift(customer, *cents);
        } else if let Fault::ItemWithheld { seconds } = fault {
            self.withhold_item(seconds);
        } else if let Fault::FakeAsk { percent, seconds } = fault {
            self.fake_asks(percent, seconds);
        } else if let Fault::WashSales { percent, count } = fault {
            self.wash_sales(percent, count);
        } else if let Fault::StrangeConfirmation { number } = fault {
            self.confirmations_appear(number);
        } else {
            self.faults.arm(fault, self.now);
        }
    }

    /// Injects a fault later.
    pub fn schedule(&mut self, after: Duration, fault: Fault) {
        self.agenda.add(self.now.plus(after), Event::Strikes(fault));
    }

    /// What was injected and waits for its occasion.
    pub fn armed(&self) -> &[Fault] {
        self.faults.armed()
    }

    /// Carries out a call, or fails as a fault demands. `call` is nothing for a call that only reads.
    fn called<T, R>(
        &mut self,
        side: Side,
        call: Option<Call>,
        act: impl FnOnce(&mut Self) -> Result<T, R>,
    ) -> Result<T, ExternalError<R>> {
        self.carried_out(side, call, |world| act(world).map_err(ExternalError::Rejected))
    }

    /// The same for a call that can fail in another way than by a refusal.
    fn carried_out<T, R>(
        &mut self,
        side: Side,
        call: Option<Call>,
        act: impl FnOnce(&mut Self) -> Result<T, ExternalError<R>>,
    ) -> Result<T, ExternalError<R>> {
        if let Some(outage) = self.faults.outage(side, self.now) {
            return Err(outage);
        }
        if call.is_some_and(|call| self.faults.strike_as(&Fault::TimeoutBeforeCommit { call })) {
            return Err(ExternalError::Unknown("no answer came in time".to_owned()));
        }
        let done = act(self)?;
        if call.is_some_and(|call| self.faults.strike_as(&Fault::TimeoutAfterCommit { call })) {
            return Err(ExternalError::Unknown("no answer came in time".to_owned()));
        }
        Ok(done)
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::StrangerLists => {
                self.stranger_lists();
                let next = self.chance.within(self.settings.next_listing);
                self.recur(next, event);
            }
            Event::PricesMove => {
                self.move_prices();
                self.recur(self.settings.price_interval, event);
            }
            Event::StrangersBuy => {
                self.strangers_buy();
                self.recur(self.settings.buyer_interval, event);
            }
            Event::StrangerReprices(listing) => self.stranger_reprices(listing),
            Event::SoldElsewhere(listing) => self.sold_elsewhere(listing),
            Event::ListingForgotten(listing) => self.forget_listing(listing),
            Event::ListingVanishes(listing) => self.listing_vanishes(listing),
            Event::AskWithdrawn(listing) => self.end_listing(listing, ListingStatus::Withdrawn),
            Event::SellerCommits(deal) => self.seller_commits(deal),
            Event::SellerSends(deal) => self.seller_sends(deal),
            Event::DeliveryDue(deal) => self.delivery_due(deal),
            Event::RefundDue(deal) => self.refund(deal),
            Event::DealSettles(deal) => self.settle(deal),
            Event::ConfirmationAppears(offer, person) => self.confirmation_appears(offer, person),
            Event::StrangerAnswers(offer) => self.stranger_answers(offer),
            Event::StrangerTakes(offer) => self.stranger_takes(offer),
            Event::OfferVanishes(offer) => self.offer_vanishes(offer),
            Event::OfferExpires(offer) => self.offer_expires(offer),
            Event::EscrowEnds(trade, end) => self.escrow_ends(trade, end),
            Event::StrangerReverses(trade) => self.stranger_reverses(trade),
            Event::PartnerAsks(partner, account) => self.partner_asks(partner, account),
            Event::PartnerAnswers(partner, account) => self.partner_answers(partner, account),
            Event::PartnerWrites(partner, account) => self.partner_writes(partner, account),
            Event::ItemIsBack(item) => self.set_item_held(item, false),
            Event::Strikes(fault) => self.inject(fault),
            // The caller no longer waits for the answer.
            Event::Executes(request) => drop(self.answer(&request)),
        }
    }

    /// Puts an event on the agenda, some seconds from now.
    fn after(&mut self, seconds: u32, event: Event) {
        self.agenda.add(self.now.plus(Duration::seconds(i64::from(seconds))), event);
    }

    /// The same for an event that comes again and again, so that time never stops.
    fn recur(&mut self, seconds: u32, event: Event) {
        self.after(seconds.max(1), event);
    }
}

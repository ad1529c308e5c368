//! A customer's dealings as a list of requests, each decided by the answers before, for whatever can answer them.

use proptest::prelude::*;
use tradepost_adapters_simulator::{
    Answer, Beginning, Call, Fault, MarketplaceCall, PlatformCall, Request, Settings, Side, WorldCommand,
};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::game_platform::{ConfirmationAnswer, NewOffer};
use tradepost_ports::marketplace::{BuyRequest, ListingQuery, SellRequest, Sought, SoughtOrder};

use crate::desk::{CUSTOMER, cents, external};

/// A small world with a customer who has an account and some money.
pub(crate) fn beginning(seed: u64) -> Beginning {
    let settings = Settings { first_listings: 5, ..Settings::default() };
    let customer = CUSTOMER.to_owned();
    let deeds = vec![
        WorldCommand::PayIn { customer: customer.clone(), cents: cents(1_000_000) },
        WorldCommand::OpenAccount { customer },
    ];
    Beginning { seed, settings, deeds }
}

/// What the customer does next.
#[derive(Debug, Clone)]
pub(crate) enum Chapter {
    Buy,
    AcceptAll,
    Sell,
    Deliver,
    Look,
    Wait { minutes: u32 },
    Trouble(Fault),
}

pub(crate) fn chapters(most: usize) -> impl Strategy<Value = Vec<Chapter>> {
    let fault = prop_oneof![
        Just(Fault::SoldAlready),
        Just(Fault::PartialInventory),
        Just(Fault::FailedTrade),
        Just(Fault::ItemSwapped),
        Just(Fault::TimeoutAfterCommit { call: Call::Buy }),
        Just(Fault::TimeoutBeforeCommit { call: Call::Accept }),
        Just(Fault::RateLimitStorm { side: Side::Marketplace, seconds: 90 }),
        Just(Fault::SessionLost { side: Side::Platform, seconds: 90 }),
        (0..48_u32).prop_map(|hours| Fault::Reversal { hours }),
        any::<bool>().prop_map(|rolled_back| Fault::Escrow { hours: 2, rolled_back }),
    ];
    let chapter = prop_oneof![
        4 => Just(Chapter::Buy),
        3 => Just(Chapter::AcceptAll),
        2 => Just(Chapter::Sell),
        2 => Just(Chapter::Deliver),
        2 => Just(Chapter::Look),
        4 => prop_oneof![2 => 1..15_u32, 1 => 60..300_u32].prop_map(|minutes| Chapter::Wait { minutes }),
        3 => fault.prop_map(Chapter::Trouble),
    ];
    prop::collection::vec(chapter, 1..most)
}

/// One that has a bit of everything.
pub(crate) fn plain() -> Vec<Chapter> {
    use Chapter::{AcceptAll, Buy, Deliver, Look, Sell, Trouble, Wait};
    let lost = Trouble(Fault::TimeoutAfterCommit { call: Call::Buy });
    vec![Buy, lost, Buy, Wait { minutes: 6 }, AcceptAll, Look, Trouble(Fault::PartialInventory), Sell, Deliver, Look]
}

/// The caller and the request.
pub(crate) struct Story<'a> {
    ask: &'a mut dyn FnMut(Request) -> Answer,
    account: TradeAddress,
    keys: u64,
}

impl<'a> Story<'a> {
    pub(crate) fn of(ask: &'a mut dyn FnMut(Request) -> Answer) -> Self {
        let accounts = ask(Request::World(WorldCommand::Accounts { customer: CUSTOMER.to_owned() }));
        let accounts: Vec<TradeAddress> = accounts.try_into().unwrap();
        Self { ask, account: accounts[0].clone(), keys: 0 }
    }

    pub(crate) fn live(&mut self, chapters: &[Chapter]) {
        for chapter in chapters {
            self.take(chapter);
        }
    }

    fn world(&mut self, deed: WorldCommand) -> Answer {
        (self.ask)(Request::World(deed))
    }

    fn market(&mut self, call: MarketplaceCall) -> Answer {
        (self.ask)(Request::Marketplace { customer: CUSTOMER.to_owned(), call })
    }

    fn platform(&mut self, call: PlatformCall) -> Answer {
        (self.ask)(Request::Platform { account: self.account.user, token: None, call })
    }

    fn wait(&mut self, minutes: u32) {
        self.world(WorldCommand::Advance { micros: u64::from(minutes) * 60_000_000 });
    }

    fn take(&mut self, chapter: &Chapter) {
        match chapter {
            Chapter::Buy => self.buy(),
            Chapter::AcceptAll => self.accept_all(),
            Chapter::Sell => self.sell(),
            Chapter::Deliver => self.deliver(),
            Chapter::Look => self.look(),
            Chapter::Wait { minutes } => self.wait(*minutes),
            Chapter::Trouble(fault) => {
                self.world(WorldCommand::Inject { fault: fault.clone() });
                self.world(WorldCommand::Schedule { after_seconds: 600, fault: fault.clone() });
            }
        }
    }

    fn buy(&mut self) {
        let query = ListingQuery { market_hash_name: None, max_price: Some(cents(100_000)), limit: 3 };
        let Answer::Listings(page) = self.market(MarketplaceCall::Listings { query, after: None }) else { return };
        self.keys += 1;
        if let Some(listing) = page.items.first() {
            self.market(MarketplaceCall::Listing { id: listing.id.clone() });
            let key = ExternalId::from(self.keys);
            let request = BuyRequest {
                key,
                listing_id: listing.id.clone(),
                max_price: listing.offered.price,
                deliver_to: self.account.clone(),
            };
            let sought = SoughtOrder::of(&request, listing, Timestamp::MIN);
            self.market(MarketplaceCall::Buy { request });
            self.market(MarketplaceCall::WhoBought { sought: sought.clone() });
            if let Answer::Sought(Sought::Found(order)) = self.market(MarketplaceCall::FindOrder { sought }) {
                self.market(MarketplaceCall::Order { id: order.id });
            }
        }
    }

    fn offers(&mut self) -> Vec<ExternalId> {
        let offers = self.platform(PlatformCall::Offers { since: Timestamp::MIN, after: None });
        if let Answer::Offers(offers) = offers {
            offers.items.into_iter().map(|offer| offer.id).collect()
        } else {
            Vec::new()
        }
    }

    fn accept_all(&mut self) {
        for id in self.offers() {
            self.platform(PlatformCall::Offer { id: id.clone() });
            self.platform(PlatformCall::Accept { id });
        }
    }

    fn sell(&mut self) {
        let owner: PlatformUserId = self.account.user;
        let Answer::MaybeAsset(Some(asset_id)) = self.world(WorldCommand::GiveItem { account: owner }) else { return };
        let request = SellRequest { owner, asset_id, price: cents(5_000) };
        let Answer::Listing(listing) = self.market(MarketplaceCall::List { request }) else { return };
        self.market(MarketplaceCall::Reprice { id: listing.id.clone(), price: cents(4_000) });
        self.market(MarketplaceCall::OwnListings { after: None });
        self.world(WorldCommand::SellToStranger { listing: listing.id.clone() });
        self.market(MarketplaceCall::Delist { id: listing.id });
    }

    fn deliver(&mut self) {
        let Answer::Sales(sales) = self.market(MarketplaceCall::Sales { since: Timestamp::MIN, after: None }) else {
            return;
        };
        for sale in sales.items {
            let (to, give) = (sale.deliver_to.unwrap(), vec![sale.asset_id]);
            let offer = NewOffer { to, give, receive: Vec::new(), message: None };
            self.platform(PlatformCall::Send { offer });
        }
        self.wait(1);
        let Answer::Confirmations(waiting) = self.platform(PlatformCall::Confirmations) else { return };
        for confirmation in waiting {
            self.platform(PlatformCall::Answer { id: confirmation.id, answer: ConfirmationAnswer::Allow });
        }
        for id in self.offers() {
            self.platform(PlatformCall::Decline { id: id.clone() });
            self.platform(PlatformCall::Cancel { id });
        }
    }

    fn look(&mut self) {
        for context_id in [ContextId::ORDINARY, ContextId::PROTECTED] {
            self.platform(PlatformCall::Inventory { app_id: AppId::CS2, context_id });
        }
        if let Answer::Trades(trades) = self.platform(PlatformCall::Trades { since: Timestamp::MIN, after: None }) {
            for trade in trades.items {
                self.platform(PlatformCall::Trade { id: trade.id });
            }
        }
        self.platform(PlatformCall::Trade { id: external("nothing") });
        self.market(MarketplaceCall::Balance);
        self.market(MarketplaceCall::FeeSchedule);
        (self.ask)(Request::PlatformTime);
        (self.ask)(Request::Prices { index: Marketplace::new("index").unwrap() });
        (self.ask)(Request::Rate { of: Currency::new("EUR").unwrap(), against: Currency::USD });
        self.world(WorldCommand::CheckBooks);
    }
}

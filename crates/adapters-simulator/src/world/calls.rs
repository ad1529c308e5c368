//! How a world answers: one place where every request becomes a method of the part that it is for.

use time::Duration;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::SessionResult;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult};

use super::World;
use super::event_queue::Event;
use super::ids::PersonId;
use crate::call::{Answer, MarketplaceCall, PlatformCall, Request, SessionCall, SocialCall, WorldCommand};
use crate::fault::{Call, Fault, Side};

impl World {
    /// Carries out a request, and returns its answer.
    pub fn answer(&mut self, request: &Request) -> Answer {
        match request {
            Request::Marketplace { customer, call } => {
                let answer = if let Some(seconds) = self.delays(call) {
                    self.after(seconds, Event::Executes(Box::new(request.clone())));
                    Err(ExternalError::Unknown("no answer came in time".to_owned()))
                } else {
                    self.ask_marketplace(customer, call)
                };
                answer.unwrap_or_else(Answer::MarketplaceFailed)
            }
            Request::Platform { account, token, call } => {
                self.ask_platform(*account, token.as_deref(), call).unwrap_or_else(Answer::PlatformFailed)
            }
            Request::Social { account, token, call } => {
                self.ask_social(*account, token.as_deref(), call).unwrap_or_else(Answer::SocialFailed)
            }
            Request::Sessions { call } => self.ask_sessions(call).unwrap_or_else(Answer::SessionFailed),
            Request::PlatformTime => {
                let time = self.called(Side::Platform, None, |world| Ok(world.now));
                time.map_or_else(Answer::PlatformFailed, Answer::Time)
            }
            Request::Prices { index } => Answer::Prices(self.market_prices(index)),
            Request::Rate { of, against } => self.rate(*of, *against).map_or_else(Answer::RateFailed, Answer::Rate),
            Request::World(deed) => self.perform(deed),
        }
    }

    /// Whether the world may be another one after this. What only reads can still use up a fault that strikes readers.
    pub(crate) fn is_changed_by(&self, request: &Request) -> bool {
        match request {
            Request::Marketplace { call, .. } => call.kind().is_some(),
            Request::Platform { call: PlatformCall::Inventory { .. }, .. } => {
                self.armed().contains(&Fault::PartialInventory)
            }
            Request::Platform { call, .. } => call.kind().is_some(),
            Request::Social { call, .. } => call.kind().is_some(),
            Request::PlatformTime
            | Request::Prices { .. }
            | Request::Rate { .. }
            | Request::World(
                WorldCommand::Accounts { .. }
                | WorldCommand::SentCode { .. }
                | WorldCommand::DeviceCode { .. }
                | WorldCommand::Traits
                | WorldCommand::CheckBooks,
            ) => false,
            Request::Sessions { .. } | Request::World(_) => true,
        }
    }

    /// By how much a call is delayed that is executed without an answer.
    fn delays(&mut self, call: &MarketplaceCall) -> Option<u32> {
        let is_heard = self.faults.outage::<MarketplaceRefusal>(Side::Marketplace, self.now).is_none();
        if !is_heard || call.kind() != Some(Call::Buy) {
            return None;
        }
        self.faults.strike(|fault| if let Fault::DelayedPurchase { seconds } = fault { Some(*seconds) } else { None })
    }

    /// A customer who was never heard of is not let in.
    fn ask_marketplace(&mut self, customer: &str, call: &MarketplaceCall) -> MarketplaceResult<Answer> {
        if !self.books.has(customer) {
            return Err(ExternalError::AuthLost { effect: Effect::Nothing });
        }
        self.called(Side::Marketplace, call.kind(), |world| world.at_marketplace(customer, call))
    }

    fn at_marketplace(&mut self, customer: &str, call: &MarketplaceCall) -> Result<Answer, MarketplaceRefusal> {
        Ok(match call {
            MarketplaceCall::Listings { query, after } => Answer::Listings(self.listings(query, after.as_ref())?),
            MarketplaceCall::Listing { id } => Answer::MaybeListing(self.listing(id)),
            MarketplaceCall::Buy { request } => Answer::Order(self.buy(customer, request)?),
            MarketplaceCall::FindOrder { sought } => Answer::Sought(self.find_order(customer, sought)),
            MarketplaceCall::WhoBought { sought } => Answer::Buyer(self.who_bought(customer, sought)),
            MarketplaceCall::Order { id } => Answer::Order(self.order(customer, id)?),
            MarketplaceCall::List { request } => Answer::Listing(self.list(customer, request)?),
            MarketplaceCall::Reprice { id, price } => Answer::Listing(self.reprice(customer, id, *price)?),
            MarketplaceCall::Delist { id } => self.delist(customer, id).map(|()| Answer::Done)?,
            MarketplaceCall::OwnListings { after } => Answer::Listings(self.own_listings(customer, after.as_ref())?),
            MarketplaceCall::Sales { since, after } => Answer::Sales(self.sales(customer, *since, after.as_ref())?),
            MarketplaceCall::CommitSale { id } => Answer::Sale(self.commit_sale(customer, id)?),
            MarketplaceCall::AnnounceOffer { offer } => self.announce_offer(customer, offer).map(|()| Answer::Done)?,
            MarketplaceCall::Withdraw { request } => self.withdraw_bought(customer, request).map(|()| Answer::Done)?,
            MarketplaceCall::Balance => Answer::Cents(self.balance_of(customer)),
            MarketplaceCall::FeeSchedule => Answer::FeeSchedule(self.fee_schedule()),
        })
    }

    /// Only trading accounts of customers are signed in, and some of them by a token.
    fn lets_in(&self, person: PersonId, token: Option<&str>) -> bool {
        self.people.customer(person).is_some() && self.sessions.accept(person, token, self.now)
    }

    fn ask_platform(
        &mut self,
        account: PlatformUserId,
        token: Option<&str>,
        call: &PlatformCall,
    ) -> PlatformResult<Answer> {
        let person = PersonId::from(account);
        if !self.lets_in(person, token) {
            return Err(ExternalError::AuthLost { effect: Effect::Nothing });
        }
        self.called(Side::Platform, call.kind(), |world| world.at_platform(person, call))
    }

    fn at_platform(&mut self, person: PersonId, call: &PlatformCall) -> Result<Answer, PlatformRefusal> {
        Ok(match call {
            PlatformCall::Account => Answer::Account(self.account_state(person)),
            PlatformCall::Inventory { app_id, context_id } => {
                Answer::Inventory(self.inventory(person, *app_id, *context_id))
            }
            PlatformCall::Offers { since, after } => Answer::Offers(self.offers(person, *since, after.as_ref())?),
            PlatformCall::Offer { id } => Answer::Offer(self.offer(person, id)?),
            PlatformCall::Accept { id } => Answer::Acceptance(self.accept(person, id)?),
            PlatformCall::Decline { id } => self.decline(person, id).map(|()| Answer::Done)?,
            PlatformCall::Cancel { id } => self.cancel(person, id).map(|()| Answer::Done)?,
            PlatformCall::Send { offer } => Answer::Offer(self.send(person, offer)?),
            PlatformCall::Confirmations => Answer::Confirmations(self.confirmations(person)),
            PlatformCall::Answer { id, answer } => {
                self.answer_confirmation(person, id, *answer).map(|()| Answer::Done)?
            }
            PlatformCall::Trade { id } => Answer::Trade(self.trade_of(person, id)?),
            PlatformCall::Trades { since, after } => Answer::Trades(self.trades(person, *since, after.as_ref())?),
            PlatformCall::HoldWith { partner } => Answer::Hold(self.hold_with(partner)?),
            PlatformCall::HoldOf { id } => Answer::Hold(self.hold_of(person, id)?),
            PlatformCall::TradeToken => Answer::Token(self.people.address(person).token),
            PlatformCall::RenewTradeToken => Answer::Token(self.people.renew_token(person).token),
        })
    }

    fn ask_social(&mut self, account: PlatformUserId, token: Option<&str>, call: &SocialCall) -> SocialResult<Answer> {
        let person = PersonId::from(account);
        if !self.lets_in(person, token) {
            return Err(ExternalError::AuthLost { effect: Effect::Nothing });
        }
        self.called(Side::Platform, call.kind(), |world| world.at_social(person, call))
    }

    fn at_social(&mut self, person: PersonId, call: &SocialCall) -> Result<Answer, SocialRefusal> {
        Ok(match call {
            SocialCall::Friends => Answer::Friends(self.friends_of(person)),
            SocialCall::Act { action, user } => {
                self.act_on_friend(person, *action, (*user).into()).map(|()| Answer::Done)?
            }
            SocialCall::Conversations => Answer::Conversations(self.conversations_of(person)),
            SocialCall::Messages { partner, before } => {
                Answer::Messages(self.messages_between(person, (*partner).into(), *before))
            }
            SocialCall::Say { partner, text } => Answer::Place(self.say(person, (*partner).into(), text)?),
            SocialCall::MarkRead { partner, until } => {
                self.mark_read(person, (*partner).into(), *until);
                Answer::Done
            }
        })
    }

    fn ask_sessions(&mut self, call: &SessionCall) -> SessionResult<Answer> {
        self.carried_out(Side::Platform, Some(call.kind()), |world| world.at_sessions(call))
    }

    fn at_sessions(&mut self, call: &SessionCall) -> SessionResult<Answer> {
        let (now, sessions) = (self.now, &mut self.sessions);
        Ok(match call {
            SessionCall::Begin { login_name, password } => Answer::SignIn(sessions.begin(login_name, password, now)?),
            SessionCall::GiveCode { attempt, guard, code } => {
                sessions.give_code(attempt, *guard, code, now).map(|()| Answer::Done)?
            }
            SessionCall::Poll { attempt } => Answer::MaybeTokens(sessions.poll(attempt, now)?),
            SessionCall::Renew { refresh, also_refresh } => {
                Answer::Tokens(sessions.renew(refresh, *also_refresh, now)?)
            }
            SessionCall::Revoke { refresh } => sessions.revoke(refresh, now).map(|()| Answer::Done)?,
        })
    }

    fn perform(&mut self, deed: &WorldCommand) -> Answer {
        match deed {
            WorldCommand::Advance { micros } => {
                self.advance(Duration::microseconds(i64::try_from(*micros).unwrap_or(i64::MAX)));
                Answer::Done
            }
            WorldCommand::PayIn { customer, cents } => {
                self.pay_in(customer, *cents);
                Answer::Done
            }
            WorldCommand::OpenAccount { customer } => Answer::Address(self.open_account(customer)),
            WorldCommand::OpenAccountAt { customer, address } => self
                .open_account_at(customer, address)
                .map_or_else(|taken| Answer::Refused(taken.to_string()), Answer::Address),
            WorldCommand::Accounts { customer } => Answer::Addresses(self.people.accounts_of(customer)),
            WorldCommand::Inject { fault } => {
                self.inject(fault.clone());
                Answer::Done
            }
            WorldCommand::Schedule { after_seconds, fault } => {
                self.schedule(Duration::seconds(i64::from(*after_seconds)), fault.clone());
                Answer::Done
            }
            WorldCommand::SellToStranger { listing } => Answer::Whether(self.sell_to_stranger(listing)),
            WorldCommand::GiveItem { account } => Answer::MaybeAsset(self.give_item(*account)),
            WorldCommand::RequireSignIn { account, sign_in } => self
                .require_sign_in(*account, sign_in.clone())
                .map_or_else(|why| Answer::Refused(why.to_string()), |()| Answer::Done),
            WorldCommand::SentCode { account } => Answer::MaybeCode(self.sent_code(*account)),
            WorldCommand::DeviceCode { account } => Answer::MaybeCode(self.device_code(*account)),
            WorldCommand::ApproveSignIn { account, approve } => {
                Answer::Whether(self.approve_sign_in(*account, *approve))
            }
            WorldCommand::Traits => Answer::Traits(self.traits()),
            WorldCommand::SetTraits { traits } => {
                self.set_traits(*traits);
                Answer::Done
            }
            WorldCommand::CheckBooks => {
                self.check_books().map_or_else(|error| Answer::Refused(error.to_string()), |()| Answer::Done)
            }
        }
    }
}

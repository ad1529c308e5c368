//! The port of the game platform over the world. Only trading accounts of customers are signed in there.

use async_trait::async_trait;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::PlatformUserId;
use tradepost_ports::game_platform::{
    Acceptance, Confirmation, ConfirmationAnswer, GamePlatform, Inventory, NewOffer, Offer, PlatformRefusal,
    PlatformResult, Trade,
};
use tradepost_ports::outside::OutsideError;

use crate::fault::{Call, Side};
use crate::simulator::Simulator;
use crate::world::{PersonId, World};

/// The simulated game platform.
#[derive(Debug, Clone)]
pub struct SimulatedPlatform {
    simulator: Simulator,
}

impl SimulatedPlatform {
    pub(crate) fn new(simulator: Simulator) -> Self {
        Self { simulator }
    }

    fn call<T>(
        &self,
        account: PlatformUserId,
        call: Option<Call>,
        act: impl FnOnce(&mut World, PersonId) -> Result<T, PlatformRefusal>,
    ) -> PlatformResult<T> {
        let person = PersonId::from(account);
        self.simulator.world(|world| {
            if !world.is_signed_in(person) {
                return Err(OutsideError::AuthLost);
            }
            world.called(Side::Platform, call, |world| act(world, person))
        })
    }
}

#[async_trait]
impl GamePlatform for SimulatedPlatform {
    async fn inventory(&self, account: PlatformUserId, app: AppId, context: ContextId) -> PlatformResult<Inventory> {
        self.call(account, None, |world, person| Ok(world.inventory(person, app, context)))
    }

    async fn offers(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Offer>> {
        self.call(account, None, |world, person| Ok(world.offers(person, since)))
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.call(account, None, |world, person| world.offer(person, id))
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.call(account, Some(Call::Accept), |world, person| world.accept(person, id))
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.call(account, Some(Call::Decline), |world, person| world.decline(person, id))
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.call(account, Some(Call::Cancel), |world, person| world.cancel(person, id))
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.call(account, Some(Call::Send), |world, person| world.send(person, offer))
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.call(account, None, |world, person| Ok(world.confirmations(person)))
    }

    async fn answer(&self, account: PlatformUserId, id: &ExternalId, answer: ConfirmationAnswer) -> PlatformResult<()> {
        self.call(account, Some(Call::Answer), |world, person| world.answer(person, id, answer))
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.call(account, None, |world, person| world.trade_of(person, id))
    }

    async fn trades(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Trade>> {
        self.call(account, None, |world, person| Ok(world.trades(person, since)))
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.simulator.world(|world| world.called(Side::Platform, None, |world| Ok(world.now())))
    }
}

//! Two accounts that are signed in and trade with each other, read by the driver and by the world's own platform.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Fault, SimulatedPlatform};
use tradepost_adapters_steam::{Services, SteamPlatform};
use tradepost_domain::asset::AssetId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::game_platform::{Acceptance, ConfirmationAnswer, GamePlatform as _, NewOffer, Offer};

use crate::scene::Scene;
use crate::vault::{Vault, WorldTokens};

/// The time between two steps, so that no two records changed at the same time.
const STEP: Duration = Duration::SECOND;
/// What an authenticator answers confirmations by: the example of steamguard-cli.
pub(crate) const IDENTITY_SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";
/// The time until a mobile confirmation appears.
const CONFIRMATION: Duration = Duration::seconds(5);

pub(crate) struct Traders {
    pub(crate) scene: Scene,
    pub(crate) vault: Arc<Vault>,
    pub(crate) platform: SteamPlatform,
    /// The platform of the world, in process and without Steam's wire.
    pub(crate) world: SimulatedPlatform,
}

/// An offer that was accepted, and the trade that followed.
pub(crate) struct Given {
    pub(crate) offer: ExternalId,
    pub(crate) trade: ExternalId,
}

impl Traders {
    pub(crate) async fn new() -> Self {
        let scene = Scene::new().await;
        let vault = Arc::new(Vault::default());
        let platform = SteamPlatform::new(scene.services.clone(), vault.clone());
        let world = scene.facades.fakes.simulator().platform().with_vault(Arc::new(WorldTokens(vault.clone())));
        let traders = Self { scene, vault, platform, world };
        traders.sign_in().await;
        traders
    }

    /// The same after trades and offers of every kind: enough of them for several pages of each.
    pub(crate) async fn after_trades() -> Self {
        let traders = Self::new().await;
        let (ada, bob) = (traders.ada(), traders.bob());
        for _ in 0..4 {
            traders.item_of(ada);
        }
        traders.given(ada, bob).await;
        traders.scene.pass(STEP);
        traders.scene.facades.world(|world| world.reverse_trades_of(ada.user));
        traders.scene.inject(Fault::FailedTrade);
        traders.given(ada, bob).await;
        for _ in 0..4 {
            traders.given(bob, ada).await;
        }
        traders.given(ada, bob).await;
        let declined = traders.offered(bob, ada).await;
        traders.world.decline(ada.user, &declined.id).await.unwrap();
        let cancelled = traders.sent(ada, bob).await;
        traders.world.cancel(ada.user, &cancelled.id).await.unwrap();
        traders.offered(ada, bob).await;
        traders.offered(bob, ada).await;
        traders.sent(ada, bob).await;
        traders
    }

    /// The platform by these services. It has read nothing so far: a platform remembers the state of its accounts for a while.
    pub(crate) fn platform_by(&self, services: &Services) -> SteamPlatform {
        SteamPlatform::new(services.clone(), self.vault.clone())
    }

    pub(crate) fn ada(&self) -> &TradeAddress {
        &self.scene.accounts[0].address
    }

    pub(crate) fn bob(&self) -> &TradeAddress {
        &self.scene.accounts[1].address
    }

    /// Signs both accounts in.
    pub(crate) async fn sign_in(&self) {
        for account in self.scene.accounts.iter().take(2) {
            self.vault.keep(&self.scene.sign_in(account).await);
        }
    }

    /// Stores the identity secret of an account, and has Steam expect it.
    pub(crate) fn share_identity_secret(&self, account: &TradeAddress) {
        self.scene.facades.fakes.set_identity_secret(account.user, IDENTITY_SECRET);
        self.vault.keep_identity_secret(account.user, IDENTITY_SECRET);
    }

    /// Puts a new item into an account.
    pub(crate) fn item_of(&self, account: &TradeAddress) -> AssetId {
        self.scene.facades.world(|world| world.give_item(account.user)).unwrap()
    }

    /// Sends an offer that gives a new item. It waits for its confirmation.
    pub(crate) async fn sent(&self, from: &TradeAddress, to: &TradeAddress) -> Offer {
        self.scene.pass(STEP);
        let give = vec![self.item_of(from)];
        let offer = NewOffer { to: to.clone(), give, receive: Vec::new(), message: None };
        self.world.send(from.user, &offer).await.unwrap()
    }

    /// The same, and its confirmation has appeared.
    pub(crate) async fn waiting(&self, from: &TradeAddress, to: &TradeAddress) -> Offer {
        let sent = self.sent(from, to).await;
        self.scene.pass(CONFIRMATION);
        sent
    }

    /// The same, confirmed.
    pub(crate) async fn offered(&self, from: &TradeAddress, to: &TradeAddress) -> Offer {
        let sent = self.waiting(from, to).await;
        let waiting = self.world.confirmations(from.user).await.unwrap();
        let confirmation = waiting.iter().find(|confirmation| confirmation.is_about_offer(&sent.id)).unwrap();
        self.world.answer(from.user, confirmation, ConfirmationAnswer::Allow).await.unwrap();
        sent
    }

    /// The same, accepted.
    pub(crate) async fn given(&self, from: &TradeAddress, to: &TradeAddress) -> Given {
        let offer = self.offered(from, to).await.id;
        self.scene.pass(STEP);
        let accepted = self.world.accept(to.user, &offer).await.unwrap();
        let Acceptance::Begun { trade_id } = accepted else { panic!("a gift needs no confirmation: {accepted:?}") };
        Given { offer, trade: trade_id }
    }
}

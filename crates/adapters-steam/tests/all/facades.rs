//! The facades of Steam over a world in which nothing happens by itself, and the services that call them.

use std::time::Duration;

use tradepost_adapters_outside::{Budget, Egress, ServiceLimits};
use tradepost_adapters_simulator::{AccountSignIn, Settings, Simulator, Spread, World};
use tradepost_adapters_steam::{Addresses, Limits, Services};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_fakes::{Addresses as Ports, Fakes, Fault, FaultRule, Served, serve};

/// The customer of the world whose trading accounts are signed in.
const CUSTOMER: &str = "desk";
/// The time for a whole call, and the most bytes of an answer.
pub(crate) const WHOLE: Duration = Duration::from_secs(10);
pub(crate) const MOST_BYTES: usize = 256 * 1_024;

pub(crate) struct Facades {
    pub(crate) fakes: Fakes,
    served: Served,
}

/// The limits in which only the facades count calls.
pub(crate) fn unpaced() -> Limits {
    changed(|limits| {
        let budget = Budget { calls: 10_000, gap: Duration::ZERO, ..limits.budget };
        ServiceLimits { budget, whole: WHOLE, patience: Duration::ZERO, answer_bytes: MOST_BYTES, ..limits }
    })
}

/// The usual limits, except that a call whose turn comes later is not made.
pub(crate) fn without_patience() -> Limits {
    changed(|limits| ServiceLimits { patience: Duration::ZERO, ..limits })
}

fn changed(change: fn(ServiceLimits) -> ServiceLimits) -> Limits {
    let Limits { sign_in, reads, inventories, community, offers, answers, friends, chats } = Limits::default();
    let all = [sign_in, reads, inventories, community, offers, answers, friends, chats].map(change);
    let [sign_in, reads, inventories, community, offers, answers, friends, chats] = all;
    Limits { sign_in, reads, inventories, community, offers, answers, friends, chats }
}

impl Facades {
    /// Facades over a world without strangers, so that its first account has the number that the cards have in their samples.
    pub(crate) async fn new() -> Self {
        let never = u32::MAX;
        let settings = Settings {
            first_listings: 0,
            next_listing: Spread::new(never, never),
            price_interval: never,
            buyer_interval: never,
            ..Settings::default()
        };
        let fakes = Fakes::new(Simulator::new(World::new(7, settings))).unwrap();
        let served = serve(&fakes, Ports::default(), "token").await.unwrap();
        Self { fakes, served }
    }

    /// Services that have made no call so far.
    pub(crate) fn services(&self, limits: &Limits) -> Services {
        let addresses =
            Addresses { api: self.served.steam_api.clone(), community: self.served.steam_community.clone() };
        Services::connect(&Egress::default(), &addresses, *limits).unwrap()
    }

    pub(crate) fn world<R>(&self, look: impl FnOnce(&mut World) -> R) -> R {
        self.fakes.simulator().world(look)
    }

    /// Opens a trading account that has to be signed in by this.
    pub(crate) fn open_account(&self, by: AccountSignIn) -> TradeAddress {
        self.world(|world| {
            let address = world.open_account(CUSTOMER);
            world.require_sign_in(address.user, by).unwrap();
            address
        })
    }

    /// Lets a fault happen to the next call of a route.
    pub(crate) fn arm(&self, route: &str, fault: Fault) {
        self.fakes.arm(vec![FaultRule::next(route, fault)]);
    }

    /// Returns how often a route was called.
    pub(crate) fn calls(&self, route: &str) -> usize {
        self.fakes.ledger().iter().filter(|entry| entry.route == route).count()
    }

    /// Makes a call whose answer begins and does not go on.
    pub(crate) async fn stalled<T>(&self, route: &str, call: impl Future<Output = T>) -> T {
        self.stalled_by(route, Fault::F08Stall, call).await
    }

    /// The same by a fault that says when. The client's clock moves once the request has arrived.
    pub(crate) async fn stalled_by<T>(&self, route: &str, fault: Fault, call: impl Future<Output = T>) -> T {
        self.arm(route, fault);
        let before = self.calls(route);
        let time_passes = async {
            while self.calls(route) == before {
                tokio::task::yield_now().await;
            }
            wait(WHOLE).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            made = call => made,
            () = time_passes => panic!("the call of {route} goes on after its time"),
        }
    }
}

/// Moves the clock of the client, while no call makes progress.
pub(crate) async fn wait(time: Duration) {
    let _paused = Paused::new();
    tokio::time::advance(time).await;
}

/// The clock of the client stops until this is dropped, also with a wait that is cancelled.
struct Paused;

impl Paused {
    fn new() -> Self {
        tokio::time::pause();
        Self
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

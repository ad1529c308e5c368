//! Everyone at once, at random: two nodes of a desk, strangers, a partner, a thief with our session, and answers that never come. Nothing of the
//! thief's is confirmed, nothing is given that was not asked for here, and the world's own accounts add up.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::id::AccountId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_domain::trading::trade_offer::OfferOrigin;
use tradepost_engine::Engine;
use tradepost_operations::contracts::VerifyAssetIDChain;
use tradepost_operations::trading::{AssetToTrade, GetTradeOffers, ListTradeOffers, SendTradeOffer};
use tradepost_operations::{Caller, Code};
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _, NewOffer, Offer, PlatformResult};

use crate::chance::Chance;
use crate::desk::Desk;

/// The time of the process between two passes: leases are renewed in it.
const BETWEEN_PASSES: std::time::Duration = std::time::Duration::from_secs(4);
/// How long nothing is done at a time.
const WAITS: [Duration; 4] =
    [Duration::seconds(10), Duration::seconds(40), Duration::minutes(2), Duration::minutes(10)];
const LONG_WAITS: [Duration; 3] = [Duration::hours(1), Duration::hours(9), Duration::days(2)];
/// Longer than any outage that is injected.
const CALM: Duration = Duration::minutes(15);
/// How many faults wait for their occasion at most.
const MOST_ARMED: usize = 5;
/// After so many steps the world's accounts are checked.
const CHECKED_EVERY: usize = 100;
const CALLS: [Call; 9] = [
    Call::Buy,
    Call::List,
    Call::Reprice,
    Call::Delist,
    Call::Send,
    Call::Accept,
    Call::Decline,
    Call::Cancel,
    Call::Answer,
];
const NODES: [&str; 2] = ["node-1", "node-2"];

fn faults() -> [Fault; 14] {
    [
        Fault::RateLimitStorm { side: Side::Platform, seconds: 300 },
        Fault::RateLimitStorm { side: Side::Marketplace, seconds: 300 },
        Fault::SessionLost { side: Side::Platform, seconds: 300 },
        Fault::SoldAlready,
        Fault::PriceMoved { percent: 10 },
        Fault::LateLookup { seconds: 120 },
        Fault::OfferVanishes { seconds: 60 },
        Fault::GlitchedOffer { seconds: 300 },
        Fault::FailedTrade,
        Fault::FailedInPlace,
        Fault::LostConfirmation,
        Fault::StrangeConfirmation { number: 2 },
        Fault::PartialInventory,
        Fault::Reversal { hours: 5 },
    ]
}

/// Everyone in a world.
struct Crowd {
    desk: Desk,
    account_id: AccountId,
    nodes: [Engine; 2],
    partner: TradeAddress,
    thief: TradeAddress,
    chance: Chance,
}

impl Crowd {
    async fn meet(seed: u64) -> Self {
        let desk = Desk::slow(seed).await;
        let account_id = desk.on_record().await;
        desk.buying(3).await;
        desk.selling().await;
        let [partner, thief] = ["partner", "thief"].map(|name| desk.simulator.world(|world| world.open_account(name)));
        for owner in [desk.account.user, partner.user, desk.account.user, partner.user] {
            desk.simulator.world(|world| world.give_item(owner)).unwrap();
        }
        let nodes = NODES.map(|node| desk.engine_of(node));
        Self { desk, account_id, nodes, partner, thief, chance: Chance::of(seed) }
    }

    async fn step(&mut self) {
        match self.chance.below(100) {
            0..40 => self.pass().await,
            40..67 => self.wait(&WAITS),
            67..69 => self.wait(&LONG_WAITS),
            69..77 => self.lose_an_answer(),
            77..81 => self.strike(),
            81..86 => self.partner_offers().await,
            86..90 => self.answer_as_partner().await,
            90..94 => self.thief_offers().await,
            94..96 => self.accept_all_of(&self.thief).await,
            96..98 => self.person_asks().await,
            98 => self.stranger_buys().await,
            _ => self.start_a_node_again(),
        }
    }

    async fn pass(&mut self) {
        if let Some(node) = self.any_node() {
            self.nodes[node].pass().await;
        }
        tokio::time::advance(BETWEEN_PASSES).await;
    }

    /// The process of a node ends, and another one starts under its name.
    fn start_a_node_again(&mut self) {
        if let Some(node) = self.any_node() {
            self.nodes[node] = self.desk.engine_of(NODES[node]);
        }
    }

    fn any_node(&mut self) -> Option<usize> {
        self.chance.one_of(&[0, 1]).copied()
    }

    fn wait(&mut self, times: &[Duration]) {
        if let Some(time) = self.chance.one_of(times) {
            self.desk.simulator.advance(*time);
        }
    }

    fn lose_an_answer(&mut self) {
        let is_made = self.chance.below(2) == 0;
        if let Some(call) = self.chance.one_of(&CALLS).copied() {
            let lost = if is_made { Fault::TimeoutAfterCommit { call } } else { Fault::TimeoutBeforeCommit { call } };
            self.inject(lost);
        }
    }

    fn strike(&mut self) {
        if let Some(fault) = self.chance.one_of(&faults()) {
            self.inject(fault.clone());
        }
    }

    fn inject(&self, fault: Fault) {
        self.desk.simulator.world(|world| {
            if world.armed().len() < MOST_ARMED {
                world.inject(fault);
            }
        });
    }

    /// What an account could give away, as far as the platform shows it now.
    async fn items_of(&self, of: &TradeAddress) -> Vec<AssetId> {
        let shown = self.desk.simulator.platform().inventory(of.user, AppId::CS2, ContextId::ORDINARY).await;
        shown.map(|shown| shown.assets.into_iter().map(|asset| asset.asset_id).collect()).unwrap_or_default()
    }

    /// An offer of someone, or none where the platform does not take it now.
    async fn send(&self, from: &TradeAddress, offer: &NewOffer) {
        drop(self.desk.simulator.platform().send(from.user, offer).await);
    }

    /// The partner offers an item, wants one of ours, or both.
    async fn partner_offers(&mut self) {
        let (ours, theirs) = (self.items_of(&self.desk.account).await, self.items_of(&self.partner).await);
        let (gives, wants) = (self.chance.below(2) == 0, self.chance.below(2) == 0);
        let give = self.chance.one_of(&theirs).filter(|_| gives).cloned().into_iter().collect();
        let receive = self.chance.one_of(&ours).filter(|_| wants).cloned().into_iter().collect();
        let offer = NewOffer { to: self.desk.account.clone(), give, receive, message: None };
        self.send(&self.partner, &offer).await;
    }

    /// The partner confirms what they have sent, and accepts what was sent to them.
    async fn answer_as_partner(&self) {
        let (platform, user) = (self.desk.simulator.platform(), self.partner.user);
        for waiting in platform.confirmations(user).await.unwrap_or_default() {
            drop(platform.answer(user, &waiting, ConfirmationAnswer::Allow).await);
        }
        self.accept_all_of(&self.partner).await;
    }

    /// Someone accepts all offers that can be accepted.
    async fn accept_all_of(&self, of: &TradeAddress) {
        for offer in self.offers_of(of).await.unwrap_or_default() {
            if !offer.is_ours && offer.status == OfferStatus::Active {
                drop(self.desk.simulator.platform().accept(of.user, &offer.id).await);
            }
        }
    }

    /// The thief has our session, and sends one of our items to an account of their own.
    async fn thief_offers(&mut self) {
        let ours = self.items_of(&self.desk.account).await;
        let Some(item) = self.chance.one_of(&ours).cloned() else { return };
        let (to, give) = (self.thief.clone(), vec![item]);
        self.send(&self.desk.account, &NewOffer { to, give, receive: Vec::new(), message: None }).await;
    }

    /// A person has one of our items sent to the partner.
    async fn person_asks(&mut self) {
        let ours = self.items_of(&self.desk.account).await;
        let Some(item) = self.chance.one_of(&ours) else { return };
        let command = SendTradeOffer {
            workspace_id: self.desk.workspace_id,
            account_id: self.account_id,
            partner: self.partner.user.to_string(),
            token: self.partner.token.to_string(),
            gives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: item.to_string() }],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        // An item that is on sale, or that another offer gives, is not free.
        if let Err(refused) = self.desk.operations.send_trade_offer(&Caller::system(), command).await {
            assert_eq!(refused.code, Code::FailedPrecondition, "{refused:?}");
        }
    }

    async fn stranger_buys(&mut self) {
        let items = self.desk.items().await;
        let listed = items.iter().filter(|item| item.status == ItemStatus::Listed);
        let listings: Vec<ExternalId> = listed.filter_map(|item| item.sale_listing_id.clone()).collect();
        if let Some(listing) = self.chance.one_of(&listings) {
            self.desk.simulator.world(|world| world.sell_to_stranger(listing));
        }
    }

    /// Every offer that an account ever sent or got.
    async fn offers_of(&self, of: &TradeAddress) -> PlatformResult<Vec<Offer>> {
        let start = Timestamp::from_micros(0).unwrap();
        self.desk.simulator.platform().offers(of.user, start).await
    }
}

/// Whether the sender of an offer that gives something has confirmed it.
fn is_confirmed(offer: &Offer) -> bool {
    use OfferStatus as Is;
    matches!(offer.status, Is::Active | Is::Accepted | Is::InEscrow | Is::Declined | Is::Countered)
}

impl Crowd {
    /// The offers on record that were sent for the engine or for a person, by the platform's ids.
    async fn asked_for(&self) -> BTreeSet<ExternalId> {
        let (on, workspace_id, system) = (&self.desk.operations, self.desk.workspace_id, Caller::system());
        let (mut asked, mut cursor) = (BTreeSet::new(), String::new());
        loop {
            let list = ListTradeOffers {
                workspace_id,
                limit: 200,
                cursor,
                account_id: None,
                direction: None,
                status: None,
                purchase_id: None,
                inventory_item_id: None,
            };
            let page = on.list_trade_offers(&system, list).await.unwrap();
            if !page.entries.is_empty() {
                let get = GetTradeOffers { workspace_id, trade_offer_ids: page.entries };
                let found = on.get_trade_offers(&system, get).await.unwrap().found;
                let ours = found.iter().filter(|offer| offer.value.origin != OfferOrigin::Outside);
                asked.extend(ours.filter_map(|offer| offer.value.offer_id.clone()));
            }
            if page.next_cursor.is_empty() {
                return asked;
            }
            cursor = page.next_cursor;
        }
    }

    /// The thief has nothing, and what they sent in our name waits or has ended.
    async fn assert_nothing_is_stolen(&self) {
        for context_id in [ContextId::ORDINARY, ContextId::PROTECTED] {
            let platform = self.desk.simulator.platform();
            let shown = platform.inventory(self.thief.user, AppId::CS2, context_id).await.unwrap();
            assert_eq!(shown.assets, [], "the thief has something");
        }
        let confirmed = self.offers_of(&self.thief).await.unwrap().into_iter().find(is_confirmed);
        assert_eq!(confirmed, None, "an offer of the thief was confirmed");
    }

    /// Each offer of ours that was confirmed was asked for here, no item is in two that are open, and none that wants something was accepted.
    async fn assert_given_on_request_alone(&self) {
        let (asked, mut open) = (self.asked_for().await, BTreeSet::new());
        for offer in self.offers_of(&self.desk.account).await.unwrap() {
            if offer.give.is_empty() || offer.partner == self.thief.user {
                continue;
            }
            if !offer.is_ours {
                assert_ne!(offer.status, OfferStatus::Accepted, "no one has asked for it: {offer:?}");
                continue;
            }
            assert!(!is_confirmed(&offer) || asked.contains(&offer.id), "no one has asked for it: {offer:?}");
            if matches!(offer.status, OfferStatus::Active | OfferStatus::NeedsConfirmation) {
                for asset in &offer.give {
                    assert!(open.insert(asset.asset_id.clone()), "it was sent twice: {offer:?}");
                }
            }
        }
    }

    async fn assert_records_hold(&self) {
        let purchases = self.desk.purchases().await;
        let bought = purchases.iter().filter(|purchase| purchase.progress.order.is_some());
        let listings: Vec<&ExternalId> = bought.map(|purchase| &purchase.terms.listing_id).collect();
        let different: BTreeSet<&ExternalId> = listings.iter().copied().collect();
        assert_eq!(listings.len(), different.len(), "a listing was bought twice");
        for item in self.desk.items().await {
            let verify = VerifyAssetIDChain { workspace_id: self.desk.workspace_id, inventory_item_id: item.id };
            let broken = self.desk.operations.verify_asset_id_chain(&Caller::system(), verify).await.unwrap();
            assert!(broken.is_empty(), "{broken:?}");
        }
    }

    fn assert_world_adds_up(&self) {
        self.desk.simulator.world(|world| world.check_books()).unwrap();
    }
}

/// So many steps in the world of a seed.
async fn live_through(seed: u64, steps: usize) {
    let mut crowd = Crowd::meet(seed).await;
    for number in 0..steps {
        crowd.step().await;
        if number.is_multiple_of(CHECKED_EVERY) {
            crowd.assert_world_adds_up();
        }
    }
    crowd.desk.simulator.advance(CALM);
    crowd.assert_world_adds_up();
    crowd.assert_nothing_is_stolen().await;
    crowd.assert_given_on_request_alone().await;
    crowd.assert_records_hold().await;
}

#[tokio::test(start_paused = true)]
async fn whatever_everyone_does_at_random_nothing_is_stolen_and_nothing_is_given_that_no_one_asked_for() {
    for seed in 2_301..2_305 {
        live_through(seed, 400).await;
    }
}

/// A million steps, most of an hour: `cargo xtask nightly` runs them.
mod long {
    use super::live_through;

    const WORLDS: u64 = 1_000;
    const STEPS: usize = 1_000;

    #[tokio::test(start_paused = true)]
    async fn in_a_million_random_steps_nothing_is_stolen_and_nothing_is_given_that_no_one_asked_for() {
        for seed in 0..WORLDS {
            live_through(10_000 + seed, STEPS).await;
        }
    }
}

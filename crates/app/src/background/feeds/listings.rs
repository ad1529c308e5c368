//! Reading marketplaces that are only read: new listings for every workspace with a provider of one, those again that contracts would have
//! bought, and at times the account behind the key.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_operations::contracts::{FollowedListing, WatchListings};
use tradepost_operations::markets::Subscriber;
use tradepost_operations::{Caller, OpResult, Operations};
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingFeed, ListingStatus, MarketListing, MarketplaceRefusal, SoughtListing};

use super::account::AccountCache;
use super::followed::Failure;
use super::looks;
use super::subscriptions::{Feed, MarketReading, Names, Subscriptions};
use super::turns::{FeedKey, Turns};

/// Reads a marketplace until stopped.
pub(crate) async fn read_listings(
    operations: Arc<Operations>,
    feed: Arc<dyn ListingFeed>,
    turns: Arc<Turns>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let of = Feed {
        kind: ProviderKind::Marketplace,
        driver: feed.driver().name.clone(),
        name: feed.name().clone(),
        interval: feed.interval(),
    };
    let account = AccountCache::new(clock.clone());
    let subscriptions = Subscriptions::new(operations.clone(), clock, of);
    let mut reader = Reader { operations, feed, turns, subscriptions, account, turn: 0, look_failure: None };
    let mut looks = looks();
    let reading = async {
        loop {
            looks.tick().await;
            if let Err(error) = reader.look().await {
                warn_of!(error, feed = %reader.feed.name(), "listings were not read or not recorded");
            }
        }
    };
    stop.run_until_cancelled(reading).await;
}

struct Reader {
    operations: Arc<Operations>,
    feed: Arc<dyn ListingFeed>,
    turns: Arc<Turns>,
    subscriptions: Subscriptions,
    account: AccountCache,
    /// The workspace whose listings are looked at again first.
    turn: usize,
    /// Why a listing could not be looked at again, as it was reported last.
    look_failure: Option<String>,
}

impl Reader {
    async fn look(&mut self) -> OpResult<()> {
        if !self.turns.may_read().await {
            return Ok(());
        }
        let key = FeedKey::new(ProviderKind::Marketplace, self.feed.name());
        let subscribers = self.subscriptions.read().await?;
        if subscribers.is_empty() {
            self.turns.release(&key).await;
            return Ok(());
        }
        let Some(_reading) = self.turns.begin(&key).await? else { return Ok(()) };
        if self.subscriptions.are_due(&subscribers) {
            self.serve(&subscribers).await;
        }
        Ok(())
    }

    /// Reads the new listings once, for every workspace that may have them, and then those that are to be looked at again.
    async fn serve(&mut self, all: &[Subscriber]) {
        if let Err(unavailable) = self.feed.ready() {
            let unready = Failure::unready(unavailable.to_string());
            self.subscriptions.fail(all, &unready).await;
            return;
        }
        let currency = self.feed.currency();
        let (of_currency, others): (Vec<&Subscriber>, Vec<_>) = all.iter().partition(|of| of.currency == currency);
        self.subscriptions.fail(others, &Failure::unready(format!("its prices are in {currency}"))).await;
        let admitted = self.subscriptions.admit(of_currency).await;
        if admitted.is_empty() {
            return;
        }
        if self.feed.watches() {
            let names = self.subscriptions.names(&admitted, Names::Wanted).await;
            self.feed.watch(&names);
        }
        let begun = Instant::now();
        let read = self.feed.newest().await.map_err(Failure::from);
        let took = begun.elapsed();
        match read {
            Ok(listings) => {
                for of in &admitted {
                    let done = self.record(of, &listings, took).await;
                    self.subscriptions.settle(of, done);
                }
                self.follow_up(&admitted).await;
                // The listings first. What the account has is recorded with the next of them.
                self.account.look(self.feed.as_ref()).await;
            }
            Err(failure) => self.subscriptions.fail(admitted, &failure).await,
        }
        self.subscriptions.report_shapes(self.feed.new_shapes());
    }

    async fn record(&mut self, of: &Subscriber, listings: &[MarketListing], took: Duration) -> OpResult<()> {
        // The fees first: without them, nothing would be bought.
        let reading = MarketReading { fees: Some(self.feed.fees()), standing: self.account.known() };
        self.subscriptions.answered(of, took, reading).await?;
        let (workspace_id, marketplace) = (of.workspace_id, self.feed.name().clone());
        let command = WatchListings { workspace_id, marketplace, listings: listings.to_vec() };
        let watched = self.operations.watch_listings(&Caller::system(), command).await?;
        let (new, would_buy) = (watched.new, watched.would_buy);
        tracing::debug!(feed = %self.feed.name(), workspace = %workspace_id, new, would_buy, "listings read");
        Ok(())
    }

    /// Looks at listings again that contracts would have bought, as many as the marketplace allows after each read. The workspaces take turns.
    async fn follow_up(&mut self, all: &[&Subscriber]) {
        self.turn = self.turn.wrapping_add(1);
        let first = self.turn.checked_rem(all.len()).unwrap_or_default();
        let mut left = self.feed.follow_ups();
        for of in all.iter().cycle().skip(first).take(all.len()) {
            match self.follow_up_of(of, left).await {
                Ok(looked_at) => left = left.saturating_sub(looked_at),
                Err(error) => {
                    warn_of!(error, workspace = %of.workspace_id, why = %error.message, "listings not looked at again");
                }
            }
            if left == 0 {
                return;
            }
        }
    }

    /// Looks at so many listings of a workspace at most. Returns how many calls that took; all, where the marketplace is not to be asked for more.
    async fn follow_up_of(&mut self, of: &Subscriber, most: u32) -> OpResult<u32> {
        let (caller, workspace_id, name) = (Caller::system(), of.workspace_id, self.feed.name().clone());
        self.operations.end_late_follow_ups(&caller, workspace_id, &name).await?;
        let due = self.operations.list_due_follow_ups(&caller, workspace_id, &name, most).await?;
        let calls = u32::try_from(due.len()).unwrap_or(most);
        for due in due {
            let (id, market_hash_name) = (due.listing_id.clone(), due.market_hash_name.clone());
            let sought = SoughtListing { id, market_hash_name };
            let Some(found) = self.look_again(&sought).await else { return Ok(most) };
            // The call was made and counts; the others of the workspace are looked at all the same.
            if let Err(error) = self.operations.record_follow_up(&caller, workspace_id, &due, found).await {
                warn_of!(error, workspace = %workspace_id, why = %error.message, "what a listing is by now is not recorded");
            }
        }
        Ok(calls)
    }

    /// Returns what a listing is by now; `None` where the marketplace is not to be asked for more.
    async fn look_again(&mut self, sought: &SoughtListing) -> Option<FollowedListing> {
        match self.feed.listing(sought).await {
            Ok(listing) => Some(match listing.status {
                ListingStatus::OnSale => FollowedListing::OnSale(listing.offered.price),
                ListingStatus::Sold | ListingStatus::Withdrawn => FollowedListing::OffSale,
                ListingStatus::Other(_) => FollowedListing::Unread,
            }),
            Err(ExternalError::Rejected(MarketplaceRefusal::NotFound | MarketplaceRefusal::SoldAlready)) => {
                Some(FollowedListing::OffSale)
            }
            Err(ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. }) => None,
            Err(error @ (ExternalError::Rejected(_) | ExternalError::Unknown(_))) => {
                let reason = error.to_string();
                if self.look_failure.as_ref() != Some(&reason) {
                    tracing::warn!(feed = %self.feed.name(), %reason, "a listing could not be looked at again");
                }
                self.look_failure = Some(reason);
                Some(FollowedListing::Unread)
            }
        }
    }
}

//! Follows our listings from an item to its proceeds: the listing, the buyer, the money. `fulfilment` delivers the item to its buyer, and
//! `listing_decisions` decides each step.

use futures::FutureExt as _;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, Proceeds};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ListAssetIDLinks;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketListing, OrderStatus};

use crate::context::Context;
use crate::context::delisting::listing_ended;
use crate::context::problems::Problem;
use crate::context::scan_cursors::SALE_STATUSES;
use crate::desk::currency::{OurSale, convert_sale};
use crate::error::{EngineError, EngineResult, known_deal};
use crate::market::state::MarketState;
use crate::pass::Pass;
use crate::sales::Sales;
use crate::sales::listing_decisions::{
    ProceedsStep, SaleLook, SaleStep, created_listing, has_ended, is_on_sale, listing_mismatch, looks_sold,
    may_be_sale_of, sale_reversal,
};
use crate::sales::reported_sales::is_cancelled;
use crate::timings::PAGE;

impl Sales {
    pub(crate) async fn process_sales(
        &mut self,
        context: &mut Context,
        market_state: &MarketState,
        pass: &mut Pass,
    ) -> EngineResult {
        context.begin_platform_reads();
        self.refresh_sales(context, pass).await;
        for status in SALE_STATUSES {
            let items = context.next_items_on_sale(status).await?;
            let follow = |item: Versioned<InventoryItem>| {
                let place = item.value.sale_place.as_ref().map(|place| place.marketplace.clone());
                self.process_item(context, market_state, item).map(|result| (place, result))
            };
            pass.record_results(context.run_concurrently(items.into_iter().map(follow)).await);
        }
        self.find_unexpected_sales(context, pass).await;
        self.remove_orphan_listings(context, market_state, pass).await;
        Ok(())
    }

    async fn process_item(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: Versioned<InventoryItem>,
    ) -> EngineResult {
        let account_name = item.value.account_name.clone();
        // What the marketplace has not settled is in no balance, whatever the platform would show.
        let is_unsettled = |sale: OurSale| sale.status != OrderStatus::Settled;
        let has_brought_nothing = self.reported.sale_of(&item.value).is_ok_and(|sale| sale.is_some_and(is_unsettled));
        let followed =
            context.track_session(&account_name, self.process_listed_item(context, market_state, item)).await;
        if has_brought_nothing { followed.map_err(EngineError::if_no_money_received) } else { followed }
    }

    async fn process_listed_item(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: Versioned<InventoryItem>,
    ) -> EngineResult {
        // It may have a buyer or not: the item is neither released nor sent.
        if let Some(sale) = self.reported.in_unknown_state(&item.value) {
            return known_deal(&sale.id, sale.status);
        }
        match SaleLook::of(&item.value) {
            SaleLook::CreatedListing => self.find_created_listing(context, market_state, &item).await,
            SaleLook::Listing => self.check_listing(context, market_state, &item).await,
            SaleLook::Sale => self.process_sale(context, &item).await,
            SaleLook::Nothing => Ok(()),
        }
    }
}

impl Sales {
    async fn refresh_sales(&mut self, context: &Context, pass: &mut Pass) {
        let now = context.now();
        for venue in context.desk().venues.clone() {
            if !context.holds_marketplace(&venue.name) {
                continue;
            }
            let since = self.reported.read_from(&venue.name, now, context.timings());
            match venue.marketplace.sales(since).await {
                Ok(sales) => {
                    let known = sales.iter().map(|sale| known_deal(&sale.id, sale.status));
                    pass.record_results(known.map(|known| (Some(venue.name.clone()), known)));
                    self.reported.apply(&venue.name, sales, since, now);
                }
                Err(error) => pass.record_at([&venue.name], Err(error.into())),
            }
        }
        self.reported.prune(now, context.timings().sale_lookback);
    }

    /// Looks for a listing whose call had no answer.
    async fn find_created_listing(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: &Versioned<InventoryItem>,
    ) -> EngineResult {
        let Some(venue) = context.sale_venue(&item.value) else { return Ok(()) };
        // What was read before the listing was asked for says nothing of it.
        let Some(own) = market_state.own_listings_after(&venue.name, item.value.updated_at) else { return Ok(()) };
        let (awaiting, are_sales_read) =
            (self.reported.sale_awaiting(&item.value), self.reported.covers(&venue.name, own.read_at()));
        match created_listing(&item.value, own, awaiting, are_sales_read, context.timings().listing_timeout) {
            Some(event) => context.apply_item_event(item, event).await.map(drop),
            None => Ok(()),
        }
    }

    async fn check_listing(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: &Versioned<InventoryItem>,
    ) -> EngineResult {
        let (Some(venue), Some(listing_id)) = (context.sale_venue(&item.value), item.value.sale_listing_id.clone())
        else {
            return Ok(());
        };
        let reported = self.reported.sale_of(&item.value)?.filter(|sale| may_be_sale_of(&item.value, sale));
        if let Some(sale) = reported.as_ref().filter(|sale| !is_cancelled(sale)) {
            return self.record_sale(context, item, listing_id, sale).await;
        }
        let listing = venue.marketplace.listing(&listing_id).await?;
        // What is on sale again under the id that it had before is not what was sold then.
        if let Some(sale) = reported.filter(|_| !is_on_sale(listing.as_ref())) {
            // Nor is what was sold since the sales were read.
            let are_read = self.reported.covers_sale_of(&item.value, context.now());
            return if are_read { self.record_sale(context, item, listing_id, &sale).await } else { Ok(()) };
        }
        let asked =
            item.value.list_price.map(|price| Conversion::from(item.value.sale_rate).asking_for(price)).transpose()?;
        if looks_sold(listing.as_ref()) {
            self.reported.mark_unreported(&item.value);
        }
        let mismatch = listing_mismatch(asked, &listing_id, listing.as_ref());
        let problem = (RemediationKind::ListingMismatch, Subject::InventoryItem(item.value.id));
        context.report_problem(problem, context.timings().listing_mismatch_grace, mismatch).await?;
        let is_lost = self.is_lost_by_marketplace(context, market_state, &item.value, listing.as_ref());
        if has_ended(listing.as_ref(), is_lost) {
            listing_ended(context, item, listing_id).await.map(drop)
        } else {
            Ok(())
        }
    }

    /// Whether a listing that its marketplace does not know is not on sale under another id either, was not sold, and has not been
    /// known for a while without a break.
    fn is_lost_by_marketplace(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: &InventoryItem,
        listing: Option<&MarketListing>,
    ) -> bool {
        let Some(marketplace) = item.sale_place.as_ref().map(|place| &place.marketplace) else { return false };
        let own = market_state.own_listings_after(marketplace, item.updated_at);
        let is_unknown = listing.is_none() && own.is_none_or(|own| own.of(item.current_asset_id()).is_none());
        let unknown_for = self.reported.listing_unknown_for(item, is_unknown, context.mark());
        unknown_for >= context.timings().listing_mismatch_grace
            && own.is_some_and(|own| self.reported.covers(marketplace, own.read_at()))
    }
    async fn record_sale(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        listing_id: ExternalId,
        sale: &OurSale,
    ) -> EngineResult {
        let proceeds = Proceeds::new(sale.price, sale.fee)?;
        // How long it was away after the sale before says nothing of this one.
        context.report_problem(missing_item_problem(&item.value), context.timings().return_timeout, None).await?;
        let noticed = context.apply_item_event(item, ItemEvent::SaleNoticed { listing_id, proceeds }).await?;
        self.process_sale(context, &noticed).await
    }

    async fn process_sale(&self, context: &Context, item: &Versioned<InventoryItem>) -> EngineResult {
        let Some(sale) = self.reported.sale_of(&item.value)? else {
            self.reported.mark_unreported(&item.value);
            return Ok(());
        };
        match SaleStep::of(item.value.status, &sale) {
            SaleStep::Cancel => cancel_sale(context, item, &sale).await,
            SaleStep::Commit => {
                let sale = committed(context, item, sale).await?;
                if sale.deliver_to.is_none() {
                    return Ok(());
                }
                let asset_id = item.value.current_asset_id().clone();
                let started = context.apply_item_event(item, ItemEvent::DeliveryStarted { asset_id }).await?;
                self.fulfil_sale(context, &started, &sale).await
            }
            SaleStep::Deliver => self.fulfil_sale(context, item, &sale).await,
            SaleStep::CheckHeldTrade => self.check_held_trade(context, item, &sale).await,
            SaleStep::Settle => settle_proceeds(context, item, &sale).await,
            SaleStep::CheckMissing => self.check_missing_item(context, item, &sale).await,
            SaleStep::Nothing => Ok(()),
        }
    }
}

/// The sale with its buyer: one that waits for us is accepted, now that its item is set aside for it on record. A marketplace answers
/// alike however often it is asked.
async fn committed(context: &Context, item: &Versioned<InventoryItem>, sale: OurSale) -> EngineResult<OurSale> {
    let venue = context.sale_venue(&item.value).filter(|_| sale.status == OrderStatus::AwaitingCommit);
    let Some(venue) = venue else { return Ok(sale) };
    let committed = venue.marketplace.commit_sale(&sale.id).await?;
    Ok(convert_sale(item.value.sale_rate.into(), committed)?)
}

pub(crate) async fn cancel_sale(context: &Context, item: &Versioned<InventoryItem>, sale: &OurSale) -> EngineResult {
    let seen = AssetEvidence { asset_id: item.value.current_asset_id().clone(), source_id: sale.id.clone() };
    context.apply_item_event(item, ItemEvent::SaleFellThrough { still_listed: false, seen }).await.map(drop)
}

async fn settle_proceeds(context: &Context, item: &Versioned<InventoryItem>, sale: &OurSale) -> EngineResult {
    match ProceedsStep::of(sale)? {
        ProceedsStep::Book(event) => context.apply_item_event(item, event).await.map(drop),
        ProceedsStep::FindReturn => handle_cancelled_item(context, item, sale).await,
        ProceedsStep::Wait => {
            context.report_problem(missing_item_problem(&item.value), context.timings().return_timeout, None).await
        }
        ProceedsStep::Nothing => Ok(()),
    }
}

/// Returns when the trade began that gave an item to its buyer: the trade that brought it back came later. The time of its record says
/// nothing, since it may have been given and returned unobserved.
async fn traded_at(context: &Context, item: &InventoryItem, account: PlatformUserId) -> EngineResult<Timestamp> {
    let mut ask = ListAssetIDLinks {
        workspace_id: context.desk().workspace_id,
        inventory_item_id: item.id,
        limit: PAGE,
        cursor: String::new(),
    };
    let mut given = None;
    loop {
        let page = context.operations().list_asset_id_links(context.caller(), ask.clone()).await?;
        given = page.entries.into_iter().rfind(|link| link.source == Source::SaleTrade).or(given);
        if page.next_cursor.is_empty() {
            break;
        }
        ask.cursor = page.next_cursor;
    }
    let Some(link) = given else { return Ok(item.created_at) };
    match context.desk().platform.trade(account, &link.source_id).await {
        Ok(trade) => Ok(trade.started_at),
        // The platform does not know the trade, or has deleted it.
        Err(ExternalError::Rejected(_)) => Ok(item.created_at),
        Err(error) => Err(error.into()),
    }
}

/// The buyer has the money back: the trade that brought the item back says under which id.
async fn handle_cancelled_item(context: &Context, item: &Versioned<InventoryItem>, sale: &OurSale) -> EngineResult {
    let account = context.account(&item.value.account_name)?.address.user;
    let given = item.value.current_asset_id();
    let since = traded_at(context, &item.value, account).await?.plus(-context.timings().marketplace_backdating);
    let reversal = sale_reversal(&context.trades_since(account, since).await?, given);
    let shown = if let Some(event) = reversal {
        context.apply_item_event(item, event).await?;
        None
    } else {
        let expected = ExternalId::new(given.as_str()).ok();
        Some(Evidence { shown_by: Some(sale.id.clone()), expected, found: None })
    };
    context.report_problem(missing_item_problem(&item.value), context.timings().return_timeout, shown).await
}

/// That its buyer has it, and the money.
fn missing_item_problem(item: &InventoryItem) -> Problem {
    (RemediationKind::MissingItem, Subject::InventoryItem(item.id))
}

//! Trade offers: those that are live or have changed, single ones, and what is done about them.

mod writes;

use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_ports::external::{ExternalError, Page, Pages};
use tradepost_ports::game_platform::{Asset, Offer, PlatformRefusal, PlatformResult};

use crate::described::{self, Descriptions};
use crate::reading::{
    Entry, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, NUMBER, OBJECT, individual, known, needed, numbered, response, unavailable,
    unknown, whole_seconds,
};
use crate::routes::{OFFER, OFFERS};
use crate::signed_in::SignedIn;

pub(crate) use writes::{accept, cancel, decline, send};

/// The most pages that are read. Steam limits the offers that are live.
const MOST_PAGES: usize = 20;

/// What the driver needs of offers at a path, after what it needs above them.
macro_rules! offers_at {
    ($at:literal, [$($above:expr),*]) => {
        [
            $($above,)*
            needed(concat!($at, ".tradeofferid"), NUMBER),
            known(concat!($at, ".accountid_other"), MAYBE_NUMBER),
            needed(concat!($at, ".trade_offer_state"), NUMBER),
            needed(concat!($at, ".is_our_offer"), FLAG),
            needed(concat!($at, ".time_created"), NUMBER),
            needed(concat!($at, ".time_updated"), NUMBER),
            needed(concat!($at, ".expiration_time"), NUMBER),
            known(concat!($at, ".tradeid"), MAYBE_NUMBER),
            known(concat!($at, ".items_to_give"), MAYBE_ARRAY),
            known(concat!($at, ".items_to_give[]"), OBJECT),
            needed(concat!($at, ".items_to_give[].assetid"), NUMBER),
            known(concat!($at, ".items_to_receive"), MAYBE_ARRAY),
            known(concat!($at, ".items_to_receive[]"), OBJECT),
            needed(concat!($at, ".items_to_receive[].assetid"), NUMBER),
        ]
    };
}

const RESPONSE: &[RequiredShape] =
    &[needed("$", OBJECT), needed("$.response", OBJECT), known("$.response.next_cursor", MAYBE_NUMBER)];
const SENT: &[RequiredShape] = &offers_at!(
    "$.response.trade_offers_sent[]",
    [known("$.response.trade_offers_sent", MAYBE_ARRAY), known("$.response.trade_offers_sent[]", OBJECT)]
);
const RECEIVED: &[RequiredShape] = &offers_at!(
    "$.response.trade_offers_received[]",
    [known("$.response.trade_offers_received", MAYBE_ARRAY), known("$.response.trade_offers_received[]", OBJECT)]
);
const SINGLE: &[RequiredShape] = &offers_at!("$.response.offer", [needed("$.response.offer", OBJECT)]);

/// Reads the offers whose status changed at this time or later, oldest change first.
///
/// Steam orders its pages in another way, so that all of them are read for the first one of the port.
pub(crate) async fn offers(account: &SignedIn<'_>, since: Timestamp) -> PlatformResult<Page<Offer>> {
    let cutoff = whole_seconds(since).to_string();
    let mut pages = Pages::of(|offer: &Offer| &offer.id);
    for _ in 0..MOST_PAGES {
        let cursor = pages.after().map_or("0", ExternalId::as_str);
        let query = [
            ("get_sent_offers", "1"),
            ("get_received_offers", "1"),
            ("get_descriptions", "1"),
            ("language", "english"),
            ("active_only", "1"),
            ("historical_only", "0"),
            ("time_historical_cutoff", cutoff.as_str()),
            ("cursor", cursor),
        ];
        let answer = account.read(OFFERS, &query).await?;
        pages.take(page(&answer)?)?;
        if pages.are_over() {
            return Ok(Page { items: oldest_change_first(pages.items(), since), next: None });
        }
    }
    Err(unknown(format!("its pages of offers do not end: {MOST_PAGES} were read")))
}

/// Reads one offer.
pub(crate) async fn offer(account: &SignedIn<'_>, id: &ExternalId) -> PlatformResult<Offer> {
    let number = numbered(id)?.to_string();
    let query = [("tradeofferid", number.as_str()), ("language", "english"), ("get_descriptions", "1")];
    let offer = single(&account.read(OFFER, &query).await?)?;
    if offer.id == *id { Ok(offer) } else { Err(unknown("it answered another offer".to_owned())) }
}

/// Offers that are live are shown whenever they changed.
fn oldest_change_first(mut offers: Vec<Offer>, since: Timestamp) -> Vec<Offer> {
    offers.retain(|offer| offer.updated_at >= since);
    offers.sort_by_key(|offer| offer.updated_at);
    offers
}

fn page(answer: &ServiceAnswer) -> PlatformResult<Page<Offer>> {
    let shapes = [RESPONSE, SENT, RECEIVED, described::SHAPE];
    let Some(whole) = response(answer, &shapes)? else { return Ok(Page { items: Vec::new(), next: None }) };
    let response = Entry::of(&whole).object("response")?;
    let descriptions = Descriptions::of(&response)?;
    let lists = ["trade_offers_sent", "trade_offers_received"];
    let entries = lists.into_iter().flat_map(|name| response.list(name));
    let items = entries.map(|entry| read_offer(&entry, &descriptions)).collect::<PlatformResult<Vec<Offer>>>()?;
    let next = response.maybe_id("next_cursor")?.map(|cursor| ExternalId::from(cursor.get()));
    if items.is_empty() && next.is_some() {
        return Err(unavailable("a page without offers that leads on"));
    }
    Ok(Page { items, next })
}

fn single(answer: &ServiceAnswer) -> PlatformResult<Offer> {
    let not_found = ExternalError::Rejected(PlatformRefusal::NotFound);
    let whole = response(answer, &[RESPONSE, SINGLE, described::SHAPE])?.ok_or(not_found)?;
    let response = Entry::of(&whole).object("response")?;
    read_offer(&response.object("offer")?, &Descriptions::of(&response)?)
}

fn read_offer(entry: &Entry<'_>, descriptions: &Descriptions) -> PlatformResult<Offer> {
    let status = OfferStatus::from_number(entry.number("trade_offer_state")?);
    let (give, receive) = items(entry, status, descriptions)?;
    Ok(Offer {
        id: ExternalId::from(entry.id("tradeofferid")?.get()),
        partner: partner(entry)?,
        is_ours: entry.flag("is_our_offer")?,
        status,
        give,
        receive,
        trade_id: entry.maybe_id("tradeid")?.map(|trade| ExternalId::from(trade.get())),
        created_at: entry.time("time_created")?,
        updated_at: entry.time("time_updated")?,
        expires_at: entry.time("expiration_time")?,
    })
}

/// Returns the other side. Steam leaves it out while its data are unavailable.
fn partner(entry: &Entry<'_>) -> PlatformResult<PlatformUserId> {
    let number = entry.maybe_number("accountid_other")?.unwrap_or_default();
    individual(number).ok_or_else(|| unavailable("an offer without its partner"))
}

/// Returns the items of both sides. Steam no longer describes all items of an offer that has ended, so that it is shown without items.
fn items(
    entry: &Entry<'_>,
    status: OfferStatus,
    descriptions: &Descriptions,
) -> PlatformResult<(Vec<Asset>, Vec<Asset>)> {
    let give = assets(&entry.list("items_to_give"), descriptions)?;
    let receive = assets(&entry.list("items_to_receive"), descriptions)?;
    match (give, receive) {
        (Some(give), Some(receive)) if !(is_live(status) && give.is_empty() && receive.is_empty()) => {
            Ok((give, receive))
        }
        _ if is_live(status) => Err(unavailable("a live offer without its items, or without their descriptions")),
        _ => Ok((Vec::new(), Vec::new())),
    }
}

/// Returns items; nothing if one of them is not described.
fn assets(items: &[Entry<'_>], descriptions: &Descriptions) -> PlatformResult<Option<Vec<Asset>>> {
    items.iter().map(|item| descriptions.asset(item, Traits::default())).collect()
}

/// Returns whether an offer can still move items, so that its items decide something. Numbers that are not known are shown, and decide
/// nothing.
const fn is_live(status: OfferStatus) -> bool {
    match status {
        OfferStatus::Active | OfferStatus::NeedsConfirmation => true,
        OfferStatus::Invalid
        | OfferStatus::Accepted
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor
        | OfferStatus::InEscrow
        | OfferStatus::Unknown(_) => false,
    }
}

#[cfg(test)]
mod tests;

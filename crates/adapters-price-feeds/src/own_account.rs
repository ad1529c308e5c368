//! What drivers that read the account behind a key have in common. They read alone: their routes change nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::Value;
use tradepost_adapters_outside::RequiredShape;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult, OwnAccount, OwnListing, OwnOrder};

use crate::answer::check;
use crate::listing_fields::text;
use crate::listing_market::of_marketplace;

/// The account, and the paths and types of the answers that are on no card.
#[derive(Debug)]
pub(crate) struct ReadAccount {
    pub(crate) account: OwnAccount,
    pub(crate) new_shapes: BTreeSet<String>,
}

/// An account that is connected.
#[async_trait]
pub(crate) trait AccountReader: Debug + Send + Sync {
    /// Reads the account.
    async fn read(&self) -> MarketplaceResult<ReadAccount>;
}

/// Records by their ids. One that moves to another page while pages are read counts once.
pub(crate) type ById<T> = BTreeMap<ExternalId, T>;

/// Checks the shape of an answer, and returns the paths and types that are on no card.
pub(crate) fn checked(
    answer: &Value,
    needed: &[RequiredShape],
    also_known: &[RequiredShape],
) -> MarketplaceResult<BTreeSet<String>> {
    check(answer, needed, also_known).map_err(of_marketplace)
}

/// The entries of a list. Some services write an empty one as null.
pub(crate) fn entries<'a>(answer: &'a Value, list: &str) -> &'a [Value] {
    answer.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An id.
pub(crate) fn id(value: Option<&Value>) -> Option<ExternalId> {
    ExternalId::new(&text(value)?).ok()
}

/// A name of items.
pub(crate) fn name(value: Option<&Value>) -> Option<MarketHashName> {
    MarketHashName::new(value?.as_str()?).ok()
}

/// Adds a listing. One that cannot be read would make the sum wrong, so that the account is not read then.
pub(crate) fn add_listing(to: &mut ById<OwnListing>, listing: Option<OwnListing>) -> MarketplaceResult<()> {
    let listing = listing.ok_or_else(|| unreadable("a listing"))?;
    to.insert(listing.id.clone(), listing);
    Ok(())
}

/// Adds an order. One that cannot be read would make the count wrong.
pub(crate) fn add_order(to: &mut ById<OwnOrder>, order: Option<OwnOrder>) -> MarketplaceResult<()> {
    let order = order.ok_or_else(|| unreadable("an order"))?;
    to.insert(order.id.clone(), order);
    Ok(())
}

/// The account cannot be used, because a part of it has no id, no name or no amount.
pub(crate) fn unreadable(what: &str) -> ExternalError<MarketplaceRefusal> {
    ExternalError::Unknown(format!("{what} of its account cannot be read"))
}

/// The account has more than is read.
pub(crate) fn too_many(what: &str) -> ExternalError<MarketplaceRefusal> {
    ExternalError::Unknown(format!("its account has more {what} than are read"))
}

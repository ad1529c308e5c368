//! Filters by market name and status, as lists of purchases and items share them.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{MarketHashName, Text};
use tradepost_ports::store::{AFTER_ALL_NAMES, NameFilter, NameQuery, NamedRecord, Records};

use crate::paging::ListKey;
use crate::{OpError, OpResult, fields};

/// The most names of which each is found by an index. Lists of further names look through their records.
const MOST_NAMES: u32 = 50;

/// The market names that a request accepts.
#[derive(Debug, Default)]
pub(crate) struct WantedNames {
    exact: Option<MarketHashName>,
    search: Option<NameSearch>,
    /// The names that the filters accept, if there are few enough.
    found: Option<Vec<MarketHashName>>,
}

impl WantedNames {
    /// Parses an exact name and a text of parts; each is empty where a request has none.
    pub(crate) fn read(exact: &str, contains: &str) -> OpResult<Self> {
        let search = (!contains.is_empty()).then(|| NameSearch::new(contains)).transpose();
        let search = search.map_err(|error| OpError::invalid_field("nameContains", error))?;
        Ok(Self { exact: text_filter("marketHashName", exact)?, search, found: None })
    }

    /// Returns whether every name is accepted.
    pub(crate) const fn is_any(&self) -> bool {
        self.exact.is_none() && self.search.is_none()
    }

    /// Adds the filters to the key of a list.
    pub(crate) fn add_to(&self, key: ListKey) -> ListKey {
        let parts = self.search.as_ref().map(|search| search.parts().join(" "));
        key.and_text(self.exact.as_ref().map(Text::as_str)).and_text(parts.as_deref())
    }

    /// Looks up the names that contain the parts.
    pub(crate) async fn find(mut self, on: &dyn Records, scope: WorkspaceScope, of: NamedRecord) -> OpResult<Self> {
        self.found = match (&self.exact, &self.search) {
            (Some(exact), Some(search)) if !search.finds_name(exact) => Some(Vec::new()),
            (Some(exact), _) => Some(vec![exact.clone()]),
            (None, None) => None,
            (None, Some(search)) => {
                let query = NameQuery {
                    from: "",
                    before: AFTER_ALL_NAMES,
                    begins: None,
                    search: Some(search),
                    most: MOST_NAMES,
                };
                let list = on.item_names().list_names(scope, of, query).await?;
                list.complete.then_some(list.names)
            }
        };
        Ok(self)
    }

    /// Returns the filter of the store.
    pub(crate) fn filter(&self) -> NameFilter<'_> {
        match (&self.found, &self.search) {
            (Some(names), _) => NameFilter::OneOf(names),
            (None, Some(search)) => NameFilter::Containing(search),
            (None, None) => NameFilter::Any,
        }
    }
}

/// Parses a text to filter by; an empty one filters nothing.
pub(crate) fn text_filter<const MOST: usize>(field: &str, given: &str) -> OpResult<Option<Text<MOST>>> {
    if given.is_empty() { Ok(None) } else { fields::text(field, given).map(Some) }
}

/// Returns the statuses of a filter by one and by several, each once and in the order of their stored numbers.
pub(crate) fn statuses<S: Copy>(one: Option<S>, several: &[S], code: fn(S) -> i16) -> Vec<S> {
    let mut statuses: Vec<S> = one.into_iter().chain(several.iter().copied()).collect();
    statuses.sort_unstable_by_key(|status| code(*status));
    statuses.dedup_by_key(|status| code(*status));
    statuses
}

//! [`Search`]: records that an identifier or a part of a name finds, as far as the caller may read them.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{Id, InventoryItemId, PurchaseId, WorkspaceId};
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::store::{AFTER_ALL_NAMES, NameQuery, NamedRecord, Records};

use crate::rules::{self, READ_ACCOUNTS, READ_KEYS, READ_TRADING};
use crate::{OpError, OpResult, Operations, fields};

const DEFAULT_LIMIT: u32 = 20;
const LARGEST_LIMIT: u32 = 50;
/// The fewest characters of a key's prefix that find it. The prefix has 12.
const SHORTEST_PART_OF_PREFIX: usize = 4;

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The text, 1 to 100 characters: a whole identifier, or parts of a name with spaces between.
    pub text: String,
    /// The maximum of results: 0 is 20, above 50 is 50, negative is rejected.
    pub limit: i32,
}

/// The kind of a record that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// A purchase.
    Purchase,
    /// An inventory item.
    InventoryItem,
    /// A market name.
    ItemName,
    /// A contract.
    Contract,
    /// A trading account.
    Account,
    /// A membership.
    Membership,
    /// An API key.
    ApiKey,
}

/// A record that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// Its kind.
    pub kind: SearchKind,
    /// Its id; a market name has none.
    pub id: Option<Id<()>>,
    /// Its name, or the market name of its item.
    pub title: String,
    /// What distinguishes it from others of the same title.
    pub subtitle: String,
}

impl SearchResult {
    fn new<K>(kind: SearchKind, id: Id<K>, title: &impl ToString, subtitle: &impl ToString) -> Self {
        let id = Some(Id::from_bytes(id.to_bytes()));
        Self { kind, id, title: title.to_string(), subtitle: subtitle.to_string() }
    }
}

/// A search that was checked.
struct Query<'a> {
    /// The records for it. Members and keys are searched in the newest ones.
    records: &'a dyn Records,
    scope: WorkspaceScope,
    text: String,
    /// The text as an identifier of an external system, and as parts of a name.
    external: Option<ExternalId>,
    names: NameSearch,
    most: u32,
}

impl Operations {
    /// Returns records that a whole identifier finds, then those that parts of a name find: of each kind its share, market names last. Kinds
    /// that the caller may not read are left out.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a text that is empty, too long or of too many parts, and for a negative limit.
    pub async fn search(&self, caller: &Caller, command: Search) -> OpResult<Vec<SearchResult>> {
        let scope = rules::SEARCH.enter(&caller.principal, command.workspace_id)?;
        let most = fields::limit(command.limit, DEFAULT_LIMIT, LARGEST_LIMIT)?;
        let names = NameSearch::new(&command.text).map_err(|error| OpError::invalid_field("text", error))?;
        let text = command.text.trim().to_owned();
        let (records, external) = (self.to_show(caller, scope), ExternalId::new(&text).ok());
        let query = Query { records, scope, text, external, names, most };
        let may = |policies| caller.principal.enter(command.workspace_id, policies).is_ok();
        let (mut found, mut kinds) = (Vec::new(), Vec::new());
        if may(READ_TRADING) {
            found.extend(query.search_identifiers().await?);
            kinds.push(query.search_contracts().await?);
        }
        if may(READ_ACCOUNTS) {
            kinds.push(query.search_accounts().await?);
        }
        kinds.push(self.search_members(&query).await?);
        if may(READ_KEYS) {
            kinds.push(self.search_keys(&query).await?);
        }
        if may(READ_TRADING) {
            kinds.push(query.search_item_names().await?);
        }
        found.truncate(most as usize);
        let left = (most as usize).saturating_sub(found.len());
        found.extend(shared(kinds, left));
        Ok(found)
    }

    async fn search_members(&self, query: &Query<'_>) -> OpResult<Vec<SearchResult>> {
        let found = self.ports.store.searches().search_members(query.scope, &query.names, query.most).await?;
        let result = |(id, name)| SearchResult::new(SearchKind::Membership, id, &name, &"");
        Ok(found.into_iter().map(result).collect())
    }

    /// Returns live keys by their names, by the beginning of their tokens, or by a part of their prefixes.
    async fn search_keys(&self, query: &Query<'_>) -> OpResult<Vec<SearchResult>> {
        let listed = self.ports.store.api_keys().list(query.scope, self.now()).await?;
        let keys = listed.iter().map(|listed| listed.key.peek());
        let is_part = |key: &ApiKey| query.text.len() >= SHORTEST_PART_OF_PREFIX && key.prefix.contains(&query.text);
        let is_wanted =
            |key: &&ApiKey| is_part(key) || query.text.starts_with(&key.prefix) || query.names.finds(key.name.as_str());
        let result = |key: &ApiKey| SearchResult::new(SearchKind::ApiKey, key.id, &key.name, &key.prefix);
        Ok(keys.filter(is_wanted).map(result).collect())
    }
}

impl Query<'_> {
    /// Returns the purchases and items that have an identifier: a listing, an order, a trade, or an asset id of the chain. A
    /// purchase is followed by its item.
    async fn search_identifiers(&self) -> OpResult<Vec<SearchResult>> {
        let (store, scope) = (self.records, self.scope);
        let Some(external) = &self.external else { return Ok(Vec::new()) };
        let mut items: Vec<InventoryItemId> = store.searches().search_items(scope, external, self.most).await?;
        if let Ok(asset) = AssetId::new(&self.text) {
            items.extend(store.items().find_link_of_asset(scope, &asset).await?.map(|(item, _)| item));
        }
        let mut purchases: Vec<PurchaseId> = store.searches().search_purchases(scope, external, self.most).await?;
        match store.trade_offers().find_of_trade(scope, external).await?.and_then(|offer| offer.peek().owner) {
            Some(OfferOwner::Purchase(purchase)) => purchases.push(purchase),
            Some(OfferOwner::Item(item)) => items.push(item),
            None => {}
        }
        for purchase in &purchases {
            items.extend(store.items().find_of_purchase(scope, *purchase).await?.map(|item| item.peek().id));
        }
        deduplicate(&mut purchases);
        deduplicate(&mut items);
        let mut found = Vec::new();
        let records = store.purchases().find_many(scope, &purchases).await?;
        found.extend(records.iter().map(Seen::peek).map(purchase_result));
        let records = store.items().find_many(scope, &items).await?;
        found.extend(records.iter().map(Seen::peek).map(item_result));
        Ok(found)
    }

    async fn search_contracts(&self) -> OpResult<Vec<SearchResult>> {
        let (store, scope) = (self.records, self.scope);
        let ids = store.searches().search_contracts(scope, &self.names, self.most).await?;
        let found = store.contracts().find_many(scope, &ids).await?;
        let result = |contract: &Contract| {
            SearchResult::new(SearchKind::Contract, contract.id, &contract.name, &contract.status)
        };
        Ok(found.iter().map(Seen::peek).map(result).collect())
    }

    /// Returns the market names of purchases and items, each once.
    async fn search_item_names(&self) -> OpResult<Vec<SearchResult>> {
        let mut names: Vec<MarketHashName> = Vec::new();
        for of in [NamedRecord::Purchase, NamedRecord::Item] {
            let wanted = NameQuery {
                from: "",
                before: AFTER_ALL_NAMES,
                begins: None,
                search: Some(&self.names),
                most: self.most,
            };
            names.extend(self.records.item_names().list_names(self.scope, of, wanted).await?.names);
        }
        names.sort_unstable();
        names.dedup();
        let result = |name: MarketHashName| SearchResult {
            kind: SearchKind::ItemName,
            id: None,
            title: name.to_string(),
            subtitle: String::new(),
        };
        Ok(names.into_iter().map(result).collect())
    }

    async fn search_accounts(&self) -> OpResult<Vec<SearchResult>> {
        let (store, scope) = (self.records, self.scope);
        let ids = store.searches().search_accounts(scope, &self.names, self.most).await?;
        let found = store.trading_accounts().find_many(scope, &ids).await?;
        let result = |account: &TradingAccount| {
            SearchResult::new(SearchKind::Account, account.id, &account.name, &account.platform)
        };
        Ok(found.iter().map(Seen::peek).map(result).collect())
    }
}

fn purchase_result(purchase: &Purchase) -> SearchResult {
    let terms = &purchase.terms;
    SearchResult::new(SearchKind::Purchase, terms.id, &terms.market_hash_name, &terms.marketplace)
}

fn item_result(item: &InventoryItem) -> SearchResult {
    SearchResult::new(SearchKind::InventoryItem, item.id, &item.market_hash_name, &item.account_name)
}

fn deduplicate<K>(ids: &mut Vec<Id<K>>) {
    ids.sort_unstable();
    ids.dedup();
}

/// Returns at most `most` results, in the order of their kinds. Each kind has its share of them; what one does not need is for the others.
fn shared(kinds: Vec<Vec<SearchResult>>, most: usize) -> Vec<SearchResult> {
    let mut counts = vec![0; kinds.len()];
    let mut left = most;
    while left > 0 && kinds.iter().zip(&counts).any(|(kind, count)| kind.len() > *count) {
        for (kind, count) in kinds.iter().zip(&mut counts) {
            if left > 0 && kind.len() > *count {
                *count += 1;
                left -= 1;
            }
        }
    }
    kinds.into_iter().zip(counts).flat_map(|(kind, count)| kind.into_iter().take(count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(kind: SearchKind, count: usize) -> Vec<SearchResult> {
        (0..count).map(|n| SearchResult { kind, id: None, title: n.to_string(), subtitle: String::new() }).collect()
    }

    #[test]
    fn many_market_names_leave_every_other_kind_its_share() {
        let kinds =
            vec![results(SearchKind::Account, 3), results(SearchKind::ApiKey, 8), results(SearchKind::ItemName, 40)];
        let found: Vec<SearchKind> = shared(kinds, 20).into_iter().map(|result| result.kind).collect();
        let expected = [vec![SearchKind::Account; 3], vec![SearchKind::ApiKey; 8], vec![SearchKind::ItemName; 9]];
        assert_eq!(found, expected.concat());
    }

    #[test]
    fn a_share_that_a_kind_does_not_need_is_for_the_others() {
        let kinds = || vec![results(SearchKind::Account, 1), Vec::new(), results(SearchKind::ItemName, 40)];
        assert_eq!(shared(kinds(), 20).len(), 20);
        assert_eq!(shared(kinds(), 50).len(), 41);
        assert_eq!(shared(kinds(), 0), []);
    }
}

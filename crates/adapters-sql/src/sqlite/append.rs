//! Appending links: the tips of all items concerned are read at once, the domain decides link by link, and what it decided
//! is written at once. The writer holds the file, so nothing changes between reading and writing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sea_orm::{
    ConnectionTrait as _, DatabaseTransaction, DbBackend, DbErr, FromQueryResult as _, QueryResult, Statement,
};
use serde_json::{Value as Json, json};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, ChainHead, ChainOwner, Evidence, Source};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendLink, Committed};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::bulk::{self, hex};
use crate::rows::contracts::asset_id_link;
use crate::rows::{RowLocation, id};
use crate::table::select_list;

/// The items of `[workspace, item, source, source id]`, each with the link that records this evidence already.
static TIPS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT wanted.key AS n, i.purchase_id AS item_purchase_id, i.status, i.last_step, i.current_asset_id, \
         i.last_source, i.first_source, i.chained_at, {} FROM json_each($1) wanted CROSS JOIN inventory_items i \
         LEFT JOIN asset_id_links l ON l.workspace_id = i.workspace_id AND l.inventory_item_id = i.id \
         AND l.source = wanted.value ->> 2 AND l.source_id = wanted.value ->> 3 \
         WHERE i.workspace_id = unhex(wanted.value ->> 0) AND i.id = unhex(wanted.value ->> 1)",
        select_list::<asset_id_link::Entity>("l.", "l_")
    )
});
/// Moves items to new tips: `[workspace, item, asset id, step, source, chained at, links appended, latest observation]`.
const MOVE: &str = "UPDATE inventory_items AS i SET current_asset_id = new.value ->> 2, last_step = new.value ->> 3, \
    last_source = new.value ->> 4, chained_at = new.value ->> 5, version = i.version + (new.value ->> 6), \
    updated_at = max(i.updated_at, new.value ->> 7) FROM json_each($1) new \
    WHERE i.workspace_id = unhex(new.value ->> 0) AND i.id = unhex(new.value ->> 1)";
static INSERT_LINKS: LazyLock<String> = LazyLock::new(bulk::insert_text::<asset_id_link::Entity>);

/// An item's chain as it grows.
struct Growing {
    owner: ChainOwner,
    status: ItemStatus,
    head: ChainHead,
    observed_at: Timestamp,
    appended: Vec<AssetIdLink>,
}

/// Appends what the rules allow, in order. Returns the outcome of each link.
pub(super) async fn append(
    transaction: &DatabaseTransaction,
    links: &[&AppendLink],
) -> Result<Vec<StoreResult<Committed>>, DbErr> {
    let wanted = links.iter().map(|link| {
        json!([
            hex(link.workspace_id.to_bytes()),
            hex(link.inventory_item_id.to_bytes()),
            link.source.code(),
            link.source_id.as_str()
        ])
    });
    let tips = query(transaction, &TIPS, wanted.collect()).await?;
    let mut found: BTreeMap<usize, &QueryResult> = BTreeMap::new();
    for row in &tips {
        let position: i64 = row.try_get("", "n")?;
        found.extend(usize::try_from(position).ok().map(|position| (position, row)));
    }
    let mut chains = BTreeMap::new();
    let mut answers = Vec::with_capacity(links.len());
    for (position, link) in links.iter().enumerate() {
        let answer = match found.get(&position) {
            Some(row) => decide(link, row, &mut chains)?,
            None => Err(StoreError::LinkRefused),
        };
        answers.push(answer);
    }
    write(transaction, chains.into_values().filter(|chain| !chain.appended.is_empty()).collect()).await?;
    Ok(answers)
}

fn decide(
    link: &AppendLink,
    row: &QueryResult,
    chains: &mut BTreeMap<[[u8; 16]; 2], Growing>,
) -> Result<StoreResult<Committed>, DbErr> {
    let evidence = Evidence { asset_id: link.asset_id.clone(), source: link.source, source_id: link.source_id.clone() };
    if let Some(recorded) = recorded_before(row)? {
        return Ok(recorded.and_then(|recorded| already(recorded, &evidence)));
    }
    let address = [link.workspace_id.to_bytes(), link.inventory_item_id.to_bytes()];
    let chain = match chains.entry(address) {
        std::collections::btree_map::Entry::Occupied(chain) => chain.into_mut(),
        std::collections::btree_map::Entry::Vacant(place) => match chain_of(link, row)? {
            Ok(chain) => place.insert(chain),
            Err(corrupt) => return Ok(Err(corrupt)),
        },
    };
    let same_fact = |old: &&AssetIdLink| (old.source, &old.source_id) == (evidence.source, &evidence.source_id);
    if let Some(recorded) = chain.appended.iter().find(same_fact) {
        return Ok(already(recorded.clone(), &evidence));
    }
    Ok(chain.grow(link, evidence))
}

impl Growing {
    fn grow(&mut self, link: &AppendLink, evidence: Evidence) -> StoreResult<Committed> {
        if !ItemStatus::unmoved_by(evidence.source).contains(&self.status) {
            return Err(StoreError::LinkRefused);
        }
        let new = self.head.next(evidence, link.expected_step, link.at).map_err(|_| StoreError::LinkRefused)?;
        self.head = self.head.after(&new);
        self.observed_at = self.observed_at.max(link.at);
        let new = new.of(self.owner, link.id);
        self.appended.push(new.clone());
        Ok(Committed::Applied { links: vec![new] })
    }
}

/// The same evidence was submitted twice; with another asset id it cannot be the same.
fn already(recorded: AssetIdLink, evidence: &Evidence) -> StoreResult<Committed> {
    match recorded.records(evidence) {
        Ok(_) => Ok(Committed::AlreadyRecorded(recorded)),
        Err(_) => Err(StoreError::LinkRefused),
    }
}

fn recorded_before(row: &QueryResult) -> Result<Option<StoreResult<AssetIdLink>>, DbErr> {
    if row.try_get::<Option<Uuid>>("", "l_id")?.is_none() {
        return Ok(None);
    }
    let link = asset_id_link::Model::from_query_result(row, "l_")?;
    Ok(Some(asset_id_link::to_domain(&link)))
}

fn chain_of(link: &AppendLink, row: &QueryResult) -> Result<StoreResult<Growing>, DbErr> {
    let (home, key) = (link.workspace_id.to_bytes(), link.inventory_item_id.to_bytes());
    let at = RowLocation { table: "inventory_items", home: Uuid::from_bytes(home), key: Uuid::from_bytes(key) };
    let purchase: Uuid = row.try_get("", "item_purchase_id")?;
    let (status, step): (i16, i64) = (row.try_get("", "status")?, row.try_get("", "last_step")?);
    let asset_id: String = row.try_get("", "current_asset_id")?;
    let (source, origin): (i16, i16) = (row.try_get("", "last_source")?, row.try_get("", "first_source")?);
    let chained_at: i64 = row.try_get("", "chained_at")?;
    let read = || {
        Ok(Growing {
            owner: ChainOwner {
                workspace_id: link.workspace_id,
                inventory_item_id: link.inventory_item_id,
                purchase_id: id(purchase),
            },
            status: at.code("status", status, ItemStatus::from_code)?,
            head: ChainHead {
                step: at.number("last_step", step)?,
                asset_id: at.read("current_asset_id", AssetId::new(&asset_id))?,
                source: at.code("last_source", source, Source::from_code)?,
                origin: at.code("first_source", origin, Source::from_code)?,
                at: at.time("chained_at", chained_at)?,
            },
            observed_at: link.at,
            appended: Vec::new(),
        })
    };
    Ok(read())
}

async fn write(transaction: &DatabaseTransaction, chains: Vec<Growing>) -> Result<(), DbErr> {
    if chains.is_empty() {
        return Ok(());
    }
    let moves = chains.iter().map(|chain| {
        json!([
            hex(chain.owner.workspace_id.to_bytes()),
            hex(chain.owner.inventory_item_id.to_bytes()),
            chain.head.asset_id.as_str(),
            chain.head.step,
            chain.head.source.code(),
            chain.head.at.as_micros(),
            chain.appended.len(),
            chain.observed_at.as_micros()
        ])
    });
    let moves = Json::Array(moves.collect()).to_string();
    transaction.execute_raw(Statement::from_sql_and_values(DbBackend::Sqlite, MOVE, [moves.into()])).await?;
    let links: Vec<_> = chains.iter().flat_map(|chain| chain.appended.iter().map(asset_id_link::to_row)).collect();
    insert_links(transaction, &links).await
}

/// Adds links of chains.
pub(super) async fn insert_links(
    transaction: &DatabaseTransaction,
    links: &[asset_id_link::Model],
) -> Result<(), DbErr> {
    let statement = Statement::from_sql_and_values(DbBackend::Sqlite, &*INSERT_LINKS, [bulk::rows(links)]);
    transaction.execute_raw(statement).await.map(|_| ())
}

async fn query(transaction: &DatabaseTransaction, text: &str, rows: Vec<Json>) -> Result<Vec<QueryResult>, DbErr> {
    let argument = Json::Array(rows).to_string();
    transaction.query_all_raw(Statement::from_sql_and_values(DbBackend::Sqlite, text, [argument.into()])).await
}

//! What must not depend on how much there is: the first page of a list with one filter, on all data against a tenth of it.

use anyhow::Context as _;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::data::{ACCOUNT, MARKETPLACE, NAME, NAME_PART, Of, Sizes, id, made_at};
use crate::http::{self, Client};
use crate::load::Database;
use crate::measure::Run;
use crate::measure::lists::{SAME, compare};
use crate::report::{Figure, Report, Unit};
use crate::server::{Running, Server};

const PAGE: usize = 100;
/// Users besides the owner in the smaller database.
const STRANGERS: u32 = 100;

/// A list of the interface.
struct List {
    operation: &'static str,
    /// The field of the answer that holds the ids.
    ids: &'static str,
    /// Each filter with the fields of its request.
    filters: Vec<(&'static str, String)>,
}

/// A server on one of the two databases, with a client.
struct Side {
    server: Running,
    client: Client,
    workspace: String,
    lists: [List; 2],
}

pub(super) async fn measure(run: &Run, full: &Database, report: &mut Report) -> anyhow::Result<()> {
    let tenth = Sizes { purchases: run.sizes.purchases / 10, strangers: STRANGERS };
    let small = Database::prepared(&run.places, full.backend, tenth).await?.copied(&run.places).await?;
    let (mut little, mut much) = (Side::of(run, &small)?, Side::of(run, full)?);
    for list in 0..little.lists.len() {
        for filter in 0..little.lists[list].filters.len() {
            // As many ids from both, also where little data does not fill a page.
            let there = little.found(&little.request(list, filter, PAGE), list)?;
            let requests = [little.request(list, filter, there), much.request(list, filter, there)];
            let found = much.found(&requests[1], list)?;
            let (operation, by) = (little.lists[list].operation, little.lists[list].filters[filter].0);
            anyhow::ensure!(there > 0 && found == there, "{operation} by {by}: {found} ids, and {there} of a tenth");
            let (ratio, micros) = compare(run, |which| {
                let side = if which == 0 { &mut little } else { &mut much };
                side.client.call(&requests[which]).map(drop)
            })?;
            report.add(Figure {
                what: format!("{}: {operation} by {by}, on all data against a tenth", full.backend.name()),
                target: SAME,
                value: ratio,
                unit: Unit::Ratio,
                details: format!("{there} ids in {:.0} µs; on a tenth {:.0} µs", micros[1], micros[0]),
            });
        }
    }
    little.server.stop()?;
    much.server.stop()
}

impl Side {
    fn of(run: &Run, database: &Database) -> anyhow::Result<Self> {
        let server = Server::tradepost(&run.places, database).start()?;
        let client = Client::connect(server.address)?;
        let lists = [purchases(database.sizes)?, items()];
        Ok(Self { server, client, workspace: http::wire(database.workspace), lists })
    }

    fn request(&self, list: usize, filter: usize, limit: usize) -> Vec<u8> {
        let List { operation, filters, .. } = &self.lists[list];
        let (workspace, fields) = (&self.workspace, &filters[filter].1);
        let body = format!(r#"{{"workspaceId":"{workspace}","limit":{limit},{fields}}}"#);
        http::request(&format!("contracts.v1.Contracts/{operation}"), &body)
    }

    /// How many ids the answer has.
    fn found(&mut self, request: &[u8], list: usize) -> anyhow::Result<usize> {
        let answer = self.client.json(request)?;
        let ids = answer.get(self.lists[list].ids).and_then(|ids| ids.as_array());
        Ok(ids.context("an answer without ids")?.len())
    }
}

fn purchases(sizes: Sizes) -> anyhow::Result<List> {
    // The last tenth of the purchases, and the first half.
    let (from, to) = (time_of(sizes.purchases / 10 * 9)?, time_of(sizes.purchases / 2)?);
    Ok(List {
        operation: "ListPurchases",
        ids: "purchaseIds",
        filters: vec![
            ("status", text("status", "PURCHASE_STATUS_REFUNDED")),
            ("statuses", r#""statuses":["PURCHASE_STATUS_PAID","PURCHASE_STATUS_PENDING"]"#.to_owned()),
            ("contract", contract()),
            ("name", text("marketHashName", NAME)),
            ("part of a name", text("nameContains", NAME_PART)),
            ("marketplace", text("marketplace", MARKETPLACE)),
            ("account", text("accountName", ACCOUNT)),
            ("from", text("from", &from)),
            ("to", text("to", &to)),
        ],
    })
}

fn items() -> List {
    const STATUSES: &str = r#""statuses":["INVENTORY_ITEM_STATUS_LISTED","INVENTORY_ITEM_STATUS_IN_INVENTORY"]"#;
    List {
        operation: "ListInventoryItems",
        ids: "inventoryItemIds",
        filters: vec![
            ("status", text("status", "INVENTORY_ITEM_STATUS_LISTED")),
            ("statuses", STATUSES.to_owned()),
            ("contract", contract()),
            ("name", text("marketHashName", NAME)),
            ("part of a name", text("nameContains", NAME_PART)),
            ("marketplace", text("saleMarketplace", MARKETPLACE)),
            ("account", text("accountName", ACCOUNT)),
            ("lock", r#""locked":true"#.to_owned()),
            ("no lock", r#""locked":false"#.to_owned()),
        ],
    }
}

fn contract() -> String {
    text("contractId", &http::wire(id(Of::Contract, 0)))
}

fn text(field: &str, value: &str) -> String {
    format!(r#""{field}":"{value}""#)
}

/// When a purchase was recorded, as JSON has it.
fn time_of(purchase: u32) -> anyhow::Result<String> {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(made_at(purchase)) * 1_000)?;
    Ok(at.format(&Rfc3339)?)
}

//! The commands that work through a running server, as any client of its interface could.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Subcommand};
use reqwest::Url;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::records::command::ActionOf;
use crate::client::records::contracts::ContractsTable;
use crate::client::records::intents::IntentsTable;
use crate::client::records::inventory::InventoryTable;
use crate::client::records::transitions::TransitionsTable;

use super::desk::{Apply, NewContract};

/// What the rows of profit and loss are grouped by.
fn groupings() -> [PossibleValue; 8] {
    [
        PossibleValue::new("none"),
        PossibleValue::new("contract"),
        PossibleValue::new("selling_contract"),
        PossibleValue::new("pool"),
        PossibleValue::new("account"),
        PossibleValue::new("buy_marketplace").alias(MARKETPLACE),
        PossibleValue::new("sell_marketplace"),
        PossibleValue::new("item_name").alias(ITEM),
    ]
}

/// Shorter names of two groupings, which the flags that narrow profit and loss have too.
const MARKETPLACE: &str = "marketplace";
const ITEM: &str = "item";

/// The grouping that the interface has.
fn grouping(given: String) -> String {
    let full = [(MARKETPLACE, "buy_marketplace"), (ITEM, "item_name")];
    let full = full.into_iter().find(|(short, _)| given.eq_ignore_ascii_case(short));
    full.map_or(given, |(_, full)| full.to_owned())
}

/// How much time a point of a series covers.
const BUCKETS: [&str; 3] = ["day", "week", "month"];

/// The heading of the flags that every command of a client has.
const CONNECTION: &str = "Connection";

/// Which server, and who calls.
#[derive(Debug, Args)]
pub(crate) struct Connection {
    /// Address of the server [default: that of the last login, or http://127.0.0.1:8080]
    #[arg(long, global = true, env = "TRADEPOST_URL", help_heading = CONNECTION, value_parser = address)]
    pub(crate) url: Option<String>,
    // Other users see arguments, so the help names the other ways alone.
    /// API key
    #[arg(long, global = true, env = "TRADEPOST_API_KEY", help_heading = CONNECTION, hide_env_values = true, hide = true)]
    pub(crate) key: Option<String>,
    /// File with the API key; - for standard input [default: TRADEPOST_API_KEY, or a login]
    #[arg(long, global = true, env = "TRADEPOST_API_KEY_FILE", help_heading = CONNECTION, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Code of the authenticator app, for operations that need a second factor
    #[arg(long, global = true, env = "TRADEPOST_TOTP_CODE", help_heading = CONNECTION, hide_env_values = true, value_name = "CODE")]
    pub(crate) totp_code: Option<String>,
}

pub(super) fn address(text: &str) -> Result<String, &'static str> {
    let is_address = Url::parse(text).is_ok_and(|url| url.has_host() && ["http", "https"].contains(&url.scheme()));
    if is_address { Ok(text.to_owned()) } else { Err("expected an address such as http://127.0.0.1:8080") }
}

/// Which server, who calls, and in which workspace.
#[derive(Debug, Args)]
pub(crate) struct ClientContext {
    #[command(flatten)]
    pub(crate) connection: Connection,
    /// Name or id of the workspace [default: that of the key]
    #[arg(long, global = true, env = "TRADEPOST_WORKSPACE", help_heading = CONNECTION, value_name = "NAME-OR-ID")]
    pub(crate) workspace: Option<String>,
}

/// A command of a client.
#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// List, create, edit, activate, pause and cancel contracts
    Contracts(Contracts),
    /// List, approve and reject intents (proposed trades)
    Intents(Intents),
    /// List, sell, reprice and delist items; show their asset ids
    Inventory(Inventory),
    /// Show profit and loss
    #[command(
        after_help = "Examples:\n  tradepost pnl --by contract --from 2026-01-01 --to 2026-02-01 -o csv > january.csv\n  tradepost pnl --series week --account bot-1 --time-zone UTC"
    )]
    Pnl(Pnl),
    /// Follow the log of status changes
    Transitions(Transitions),
    /// Halt or resume buying in a workspace (kill switch)
    #[command(
        after_help = "Examples:\n  tradepost halt --reason \"prices look wrong\"\n  tradepost halt --resume\n\nPurchases sent before are completed, and items are still sold."
    )]
    Halt(Halt),
    /// Store an API key for the commands of this user
    #[command(
        after_help = "Examples:\n  tradepost login\n  tradepost login --url https://trade.example.com < key\n  tradepost key create --name laptop --policy trading | tradepost login\n\nAsks for the key on a terminal, and reads standard input otherwise. The key is stored for this server alone, in a file that\nonly this user can read: tradepost/client.json in the user's folder of settings."
    )]
    Login(ClientContext),
    /// Remove the stored API key of a server
    #[command(
        after_help = "Example:\n  tradepost logout\n\nThe key remains valid: tradepost keys revoke NAME revokes it."
    )]
    Logout(Connection),
}

#[derive(Debug, Args)]
pub(crate) struct Contracts {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    #[command(subcommand)]
    pub(crate) action: ContractsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContractsAction {
    #[command(flatten)]
    Table(ActionOf<ContractsTable>),
    /// Make the workspace as a desk file describes it
    #[command(
        after_help = "Examples:\n  tradepost contracts apply -f desk.toml --dry-run\n  tradepost contracts apply -f desk.toml\n\nThe file describes pools, filter sets, providers, trading accounts, assignments, price overrides and contracts. Records\nare matched by name; nothing is deleted, and records that the file does not name stay as they are. Applying a file twice\nchanges nothing. See docs/how-to/desk-file.md; tradepost schema prints the JSON Schema of the file."
    )]
    Apply(Apply),
    /// Ask for a contract on the terminal, and create it
    #[command(
        after_help = "Examples:\n  tradepost contracts new\n  tradepost contracts new --write desk.toml\n\nEach answer is checked as it is typed. The contract is shown as TOML and created as a draft, or active if you say so."
    )]
    New(NewContract),
    /// Explain rule by rule why a contract buys or skips a listing
    #[command(
        after_help = "Example:\n  tradepost contracts explain \"Redline below value\" 019ba07c-2c38-7000-8000-000000005e00\n\nThe contract is taken as it is now, and the prices and what it had bought lately as they were when the listing was observed."
    )]
    Explain(Explain),
    /// Backtest a buying contract on recorded listings
    #[command(
        after_help = "Example:\n  tradepost contracts simulate \"Redline below value\" --from 2026-01-30 --buy-fee-bps simulated=250\n\nThe contract begins with nothing bought, and what it would buy counts against its limits from then on. Each listing is\njudged by the prices that were on record when it was observed. Observations are kept for 7 days."
    )]
    Simulate(Simulate),
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Name or id of the contract
    pub(crate) contract: String,
    /// Id of the observation
    pub(crate) observation: String,
    /// Buyer fee in basis points of the price [default: last reported]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) buy_fee_bps: Option<u16>,
    /// Seller fee [default: last reported]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) sell_fee_bps: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// Name or id of the contract
    pub(crate) contract: String,
    /// From this time on: a day of UTC such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z [default: 7 days ago]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) from: Option<String>,
    /// Before this time [default: all that was observed so far]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<String>,
    /// The most observations that are looked at, the oldest first
    #[arg(long, default_value_t = 10_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Buyer fee of a marketplace in basis points of the price; repeatable [default: last reported]
    #[arg(long, value_name = "MARKETPLACE=NUMBER", value_parser = fee_at)]
    pub(crate) buy_fee_bps: Vec<FeeAt>,
    /// What it takes of sellers
    #[arg(long, value_name = "MARKETPLACE=NUMBER", value_parser = fee_at)]
    pub(crate) sell_fee_bps: Vec<FeeAt>,
    /// Show the listings that it would have bought, the first 200
    #[arg(long)]
    pub(crate) listings: bool,
}

/// What a marketplace takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FeeAt {
    pub(crate) marketplace: String,
    pub(crate) bps: u16,
}

fn fee_at(text: &str) -> Result<FeeAt, &'static str> {
    let parts = text.rsplit_once('=').filter(|(marketplace, _)| !marketplace.is_empty());
    let fee = parts.and_then(|(marketplace, bps)| Some((marketplace, bps.parse().ok()?)));
    let (marketplace, bps) = fee.ok_or("it has the form simulated=250")?;
    Ok(FeeAt { marketplace: marketplace.to_owned(), bps })
}

/// A time as the interface writes it; of a day its beginning in UTC.
pub(crate) fn moment(text: &str) -> Result<String, &'static str> {
    let time = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    let read = OffsetDateTime::parse(&time, &Rfc3339);
    read.map(|_| time).map_err(|_| "expected a date (2026-01-31) or an RFC 3339 time (2026-01-31T12:00:00Z), in UTC")
}

/// A day, or a time as the interface writes it, as it is typed: which time zone a day is of is known later.
fn day(text: &str) -> Result<String, &'static str> {
    moment(text).map(|_| text.to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct OneRecord {
    /// Its id
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct Intents {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    #[command(subcommand)]
    pub(crate) action: IntentsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IntentsAction {
    #[command(flatten)]
    Table(ActionOf<IntentsTable>),
    /// Approve an intent; without an id decide on each that waits
    #[command(
        after_help = "Examples:\n  tradepost intents approve\n  tradepost intents approve 019ba07c-2c38-7000-8000-00000000a400\n\nWithout an id it shows one intent after the other, and takes one key for each: a approves, r rejects, s skips, q quits.\nThat needs a terminal."
    )]
    Approve {
        /// Its id
        id: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Inventory {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    #[command(subcommand)]
    pub(crate) action: InventoryAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InventoryAction {
    #[command(flatten)]
    Table(ActionOf<InventoryTable>),
    /// Show under which asset ids an item was known, step by step
    #[command(after_help = "Example:\n  tradepost inventory chain 019ba07c-0cf8-7000-8000-000000008700")]
    Chain(OneRecord),
}

#[derive(Debug, Args)]
pub(crate) struct Pnl {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    /// From this day on, such as 2026-01-01 [default: 30 days ago]
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(crate) from: Option<String>,
    /// Before this day [default: tomorrow]
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(crate) to: Option<String>,
    /// Time zone of the days, such as Asia/Shanghai [default: that of the workspace]
    #[arg(long, value_name = "ZONE", conflicts_with = "equity")]
    pub(crate) time_zone: Option<String>,
    /// Group rows by; marketplace is buy_marketplace, and item is item_name
    #[arg(long, default_value = "none", ignore_case = true, value_name = "WHAT", value_parser = PossibleValuesParser::new(groupings()).map(grouping))]
    pub(crate) by: String,
    /// Show a time series per day, week or month
    #[arg(long, ignore_case = true, value_name = "BUCKET", conflicts_with = "by", value_parser = PossibleValuesParser::new(BUCKETS))]
    pub(crate) series: Option<String>,
    /// Show what the workspace was worth at the end of each day of UTC, and now
    #[arg(long, conflicts_with_all = ["by", "series", "contract", "selling_contract", "pool", "account", "buy_marketplace", "sell_marketplace", "item"])]
    pub(crate) equity: bool,
    #[command(flatten)]
    pub(crate) of: PnlOf,
}

/// What profit and loss is narrowed to.
#[derive(Debug, Args)]
pub(crate) struct PnlOf {
    /// Only what this contract bought
    #[arg(long, value_name = "NAME-OR-ID")]
    pub(crate) contract: Option<String>,
    /// Only what this contract sells
    #[arg(long, value_name = "NAME-OR-ID")]
    pub(crate) selling_contract: Option<String>,
    /// Only money of this pool
    #[arg(long, value_name = "NAME-OR-ID")]
    pub(crate) pool: Option<String>,
    /// Only of this trading account
    #[arg(long, value_name = "NAME-OR-ID")]
    pub(crate) account: Option<String>,
    /// Only what was bought on this marketplace
    #[arg(long, visible_alias = "marketplace", value_name = "NAME")]
    pub(crate) buy_marketplace: Option<String>,
    /// Only what is or was sold on this marketplace
    #[arg(long, value_name = "NAME")]
    pub(crate) sell_marketplace: Option<String>,
    /// Only items of this market name; together with --contract alone
    #[arg(long, value_name = "NAME")]
    pub(crate) item: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Transitions {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    #[command(subcommand)]
    pub(crate) action: TransitionsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TransitionsAction {
    #[command(flatten)]
    Table(ActionOf<TransitionsTable>),
    /// Print changes of status as they happen, until Ctrl-C
    #[command(
        after_help = "Example:\n  tradepost transitions tail\n\nWith -o json every change is a line of JSON. Where the server goes away the last line on stderr says how to go on."
    )]
    Tail(Tail),
}

#[derive(Debug, Args)]
pub(crate) struct Tail {
    /// Begin with the changes of the last 31 days
    #[arg(long, conflicts_with = "after")]
    pub(crate) all: bool,
    /// Begin behind this change
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,
    /// End after so many changes
    #[arg(long, value_name = "NUMBER")]
    pub(crate) count: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Halt {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    /// Resume trading
    #[arg(long)]
    pub(crate) resume: bool,
    /// Reason, shown with the workspace
    #[arg(long, default_value = "by the command line")]
    pub(crate) reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_of_utc_and_what_is_no_time_is_refused() {
        assert_eq!(moment("2026-01-31").unwrap(), "2026-01-31T00:00:00Z");
        assert_eq!(moment("2026-01-31T12:30:00+02:00").unwrap(), "2026-01-31T12:30:00+02:00");
        for text in ["", "yesterday", "2026-02-30", "2026-01-31T12:00"] {
            assert!(moment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_grouping_has_the_name_of_the_interface() {
        let long = ["none", "Marketplace", "item", "pool"].map(|given| grouping(given.to_owned()));
        assert_eq!(long, ["none", "buy_marketplace", "item_name", "pool"]);
    }

    #[test]
    fn a_fee_names_its_marketplace() {
        assert_eq!(fee_at("a=b=250").unwrap(), FeeAt { marketplace: "a=b".to_owned(), bps: 250 });
        for text in ["250", "=250", "simulated=", "simulated=2.5 %"] {
            assert!(fee_at(text).is_err(), "{text}");
        }
    }
}

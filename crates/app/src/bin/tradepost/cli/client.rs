//! The commands that work through a running server, as any client of its interface could.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use reqwest::Url;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tradepost::domain::contracts::contract::{ContractStatus, ContractType};
use tradepost::domain::contracts::intent::IntentStatus;
use tradepost::domain::contracts::inventory_item::ItemStatus;

use super::desk::{Apply, NewContract};

/// Grouping of the rows of profit and loss.
const GROUPINGS: [&str; 8] =
    ["none", "contract", "selling_contract", "pool", "account", "buy_marketplace", "sell_marketplace", "item_name"];
/// How much time a point of a series covers.
const BUCKETS: [&str; 3] = ["day", "week", "month"];
/// Status of a remediation.
const REMEDIATION_STATUSES: [&str; 6] = ["OPEN", "WORKING", "WAITING", "NEEDS_OPERATOR", "RESOLVED", "DISMISSED"];

/// The names of an enum, in any case.
fn names<T: Copy>(all: &'static [T], name: impl Fn(T) -> &'static str) -> PossibleValuesParser {
    PossibleValuesParser::new(all.iter().map(|value| name(*value)))
}

/// Which server, and who calls.
#[derive(Debug, Args)]
pub(crate) struct Connection {
    /// Where the server is
    #[arg(long, global = true, env = "TRADEPOST_URL", default_value = "http://127.0.0.1:8080", value_parser = address)]
    pub(crate) url: String,
    /// The API key
    #[arg(long, global = true, env = "TRADEPOST_API_KEY", hide_env_values = true)]
    pub(crate) key: Option<String>,
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
    /// Workspace ID [default: the key's workspace; needs the policy analytics or workspace]
    #[arg(long, global = true, env = "TRADEPOST_WORKSPACE", value_name = "ID")]
    pub(crate) workspace: Option<String>,
}

/// A command of a client.
#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// List, show, activate, pause and resume contracts
    Contracts(Contracts),
    /// List, approve and reject intents (proposed trades)
    Intents(Intents),
    /// List items, and show the chain of asset ids of one
    Inventory(Inventory),
    /// List open incidents (remediations)
    Remediations(Remediations),
    /// Show profit and loss
    #[command(
        after_help = "Examples:\n  tradepost pnl --by contract --from 2026-01-01 --to 2026-02-01 -o csv > january.csv\n  tradepost pnl --series week --account bot-1"
    )]
    Pnl(Pnl),
    /// Follow the log of status changes
    Transitions(Transitions),
    /// Halt or resume buying in a workspace (kill switch)
    #[command(
        after_help = "Examples:\n  tradepost halt --reason \"prices look wrong\"\n  tradepost halt --resume\n\nPurchases sent before are completed, and items are still sold."
    )]
    Halt(Halt),
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
    /// List contracts, the newest first
    #[command(after_help = "Example:\n  tradepost contracts list --status active")]
    List {
        /// Only in this status
        #[arg(long, ignore_case = true, value_parser = names(ContractStatus::ALL, |name| name.as_str()))]
        status: Option<String>,
        /// Only of this type
        #[arg(long = "type", ignore_case = true, value_name = "TYPE", value_parser = names(ContractType::ALL, |name| name.as_str()))]
        kind: Option<String>,
        #[command(flatten)]
        limit: Limit,
    },
    /// Show everything about a contract
    #[command(after_help = "Example:\n  tradepost contracts show AZuge+XocACAAAAAAFsAAA==")]
    Show(OneRecord),
    /// Activate a draft contract
    #[command(after_help = "Example:\n  tradepost contracts activate AZuge+XocACAAAAAAFsAAA==")]
    Activate(OneRecord),
    /// Pause a contract; open purchases still complete
    #[command(after_help = "Example:\n  tradepost contracts pause AZuge+XocACAAAAAAFsAAA== --reason \"too expensive\"")]
    Pause {
        #[command(flatten)]
        one: OneRecord,
        /// Reason, shown with the contract
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Resume a paused contract
    #[command(after_help = "Example:\n  tradepost contracts resume AZuge+XocACAAAAAAFsAAA==")]
    Resume(OneRecord),
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
        after_help = "Example:\n  tradepost contracts explain AZuge+XocACAAAAAAFsAAA== AZugfCw4cACAAAAAAF4AAA==\n\nThe contract is taken as it is now, and the prices and what it had bought lately as they were when the listing was observed."
    )]
    Explain(Explain),
    /// Backtest a buying contract on recorded listings
    #[command(
        after_help = "Example:\n  tradepost contracts simulate AZuge+XocACAAAAAAFsAAA== --from 2026-01-30 --buy-fee-bps simulated=250\n\nThe contract begins with nothing bought, and what it would buy counts against its limits from then on. Each listing is\njudged by the prices that were on record when it was observed. Observations are kept for 7 days."
    )]
    Simulate(Simulate),
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The id of the contract
    pub(crate) contract: String,
    /// The id of the observation
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
    /// The id of the contract
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
fn moment(text: &str) -> Result<String, &'static str> {
    let time = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    let read = OffsetDateTime::parse(&time, &Rfc3339);
    read.map(|_| time).map_err(|_| "expected a date (2026-01-31) or an RFC 3339 time (2026-01-31T12:00:00Z), in UTC")
}

/// The most records that are shown.
#[derive(Debug, Args)]
pub(crate) struct Limit {
    /// The most that are shown
    #[arg(long, default_value_t = 50, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) limit: u32,
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
    /// List intents, the newest first
    #[command(after_help = "Example:\n  tradepost intents list --status proposed")]
    List {
        /// Only in this status
        #[arg(long, ignore_case = true, value_parser = names(IntentStatus::ALL, |name| name.as_str()))]
        status: Option<String>,
        /// Only for this contract
        #[arg(long, value_name = "ID")]
        contract: Option<String>,
        #[command(flatten)]
        limit: Limit,
    },
    /// Approve an intent that waits for it
    #[command(after_help = "Example:\n  tradepost intents approve AZugfCw4cACAAAAAAKQAAA==")]
    Approve(OneRecord),
    /// Reject an intent that waits for approval
    #[command(after_help = "Example:\n  tradepost intents reject AZugfCw4cACAAAAAAKQAAA== --reason \"too expensive\"")]
    Reject {
        #[command(flatten)]
        one: OneRecord,
        /// Why
        #[arg(long)]
        reason: Option<String>,
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
    /// List items, the newest first
    #[command(after_help = "Example:\n  tradepost inventory list --status in_inventory")]
    List {
        /// Only in this status
        #[arg(long, ignore_case = true, value_parser = names(ItemStatus::ALL, |name| name.as_str()))]
        status: Option<String>,
        /// Only those that this contract bought
        #[arg(long, value_name = "ID")]
        contract: Option<String>,
        /// Only those of this market name, exactly
        #[arg(long)]
        name: Option<String>,
        /// Only those that the trading account of this name holds, or held last
        #[arg(long, value_name = "NAME")]
        account: Option<String>,
        #[command(flatten)]
        limit: Limit,
    },
    /// Show under which asset ids an item was known, step by step
    #[command(after_help = "Example:\n  tradepost inventory chain AZugfAz4cACAAAAAAIcAAA==")]
    Chain(OneRecord),
}

#[derive(Debug, Args)]
pub(crate) struct Remediations {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    #[command(subcommand)]
    pub(crate) action: RemediationsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RemediationsAction {
    /// List remediations, the newest first
    #[command(after_help = "Example:\n  tradepost remediations list --status open")]
    List {
        /// Only in this status
        #[arg(long, ignore_case = true, value_parser = PossibleValuesParser::new(REMEDIATION_STATUSES))]
        status: Option<String>,
        #[command(flatten)]
        limit: Limit,
    },
    /// Count remediations by status
    #[command(after_help = "Example:\n  tradepost remediations count")]
    Count,
}

#[derive(Debug, Args)]
pub(crate) struct Pnl {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    /// From this day of UTC on, such as 2026-01-01 [default: 30 days ago]
    #[arg(long, value_name = "DAY", value_parser = moment)]
    pub(crate) from: Option<String>,
    /// Before this day [default: tomorrow]
    #[arg(long, value_name = "DAY", value_parser = moment)]
    pub(crate) to: Option<String>,
    /// Group rows by
    #[arg(long, default_value = "none", ignore_case = true, value_name = "WHAT", value_parser = PossibleValuesParser::new(GROUPINGS))]
    pub(crate) by: String,
    /// Show a time series per day, week or month
    #[arg(long, ignore_case = true, value_name = "BUCKET", conflicts_with = "by", value_parser = PossibleValuesParser::new(BUCKETS))]
    pub(crate) series: Option<String>,
    #[command(flatten)]
    pub(crate) of: PnlOf,
}

/// What profit and loss is narrowed to.
#[derive(Debug, Args)]
pub(crate) struct PnlOf {
    /// Only what this contract bought
    #[arg(long, value_name = "ID")]
    pub(crate) contract: Option<String>,
    /// Only what this contract sells
    #[arg(long, value_name = "ID")]
    pub(crate) selling_contract: Option<String>,
    /// Only money of this pool
    #[arg(long, value_name = "ID")]
    pub(crate) pool: Option<String>,
    /// Only of the trading account of this name
    #[arg(long, value_name = "NAME")]
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
    fn a_fee_names_its_marketplace() {
        assert_eq!(fee_at("a=b=250").unwrap(), FeeAt { marketplace: "a=b".to_owned(), bps: 250 });
        for text in ["250", "=250", "simulated=", "simulated=2.5 %"] {
            assert!(fee_at(text).is_err(), "{text}");
        }
    }
}

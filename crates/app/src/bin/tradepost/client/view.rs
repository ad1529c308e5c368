//! What is shown of records: as a table for people, as CSV for spreadsheets, and as JSON exactly what the interface gives.

use serde_json::Value;

use crate::cli::Output;
use crate::output_format;

/// Records of a kind: what lists them, what gives them, and what is shown of them.
pub(super) struct Records {
    pub(super) list: &'static str,
    /// The ids, in the answer that lists them and in the request that asks for what is behind them.
    pub(super) ids: &'static str,
    pub(super) get: &'static str,
    /// Where the records are in an answer with many.
    pub(super) found: &'static str,
    /// Where the record is in an answer with one.
    pub(super) one: &'static str,
    pub(super) columns: &'static [Column],
}

/// A column: its heading for people, the field with its place in the record, and how people read it. In CSV the heading is the
/// field and the value is as the interface has it.
pub(super) struct Column {
    heading: &'static str,
    field: &'static str,
    form: Form,
}

enum Form {
    Text,
    /// An amount, which the interface has in cents.
    Amount,
    /// A name of an enum, or several, without what all names of the enum begin with.
    Name(&'static str),
}

const fn text(heading: &'static str, field: &'static str) -> Column {
    Column { heading, field, form: Form::Text }
}

const fn amount(heading: &'static str, field: &'static str) -> Column {
    Column { heading, field, form: Form::Amount }
}

const fn name(heading: &'static str, field: &'static str, prefix: &'static str) -> Column {
    Column { heading, field, form: Form::Name(prefix) }
}

pub(super) const CONTRACTS: Records = Records {
    list: "contracts.v1.Contracts/ListContracts",
    ids: "contractIds",
    get: "contracts.v1.Contracts/GetContracts",
    found: "contracts",
    one: "contract",
    columns: &[
        text("ID", "id"),
        text("NAME", "name"),
        name("TYPE", "type", "CONTRACT_TYPE_"),
        name("STATUS", "status", "CONTRACT_STATUS_"),
        text("REASON", "statusReason"),
        name("APPROVAL", "approvalMode", "APPROVAL_MODE_"),
        text("FILLED", "progress.filledQuantity"),
        text("OPEN", "progress.openQuantity"),
        amount("SPENT", "progress.spentCents"),
        amount("RESERVED", "progress.reservedCents"),
    ],
};

pub(super) const INTENTS: Records = Records {
    list: "contracts.v1.Contracts/ListIntents",
    ids: "intentIds",
    get: "contracts.v1.Contracts/GetIntents",
    found: "intents",
    one: "intent",
    columns: &[
        text("ID", "id"),
        name("KIND", "kind", "INTENT_KIND_"),
        name("STATUS", "status", "INTENT_STATUS_"),
        text("ITEM", "listing.marketHashName"),
        text("MARKETPLACE", "listing.marketplace"),
        amount("PRICE", "listing.priceCents"),
        amount("AT MOST", "listing.maxBuyPriceCents"),
        amount("WORTH", "fairValueCents"),
        name("APPROVAL", "approvalMode", "APPROVAL_MODE_"),
        text("EXPIRES", "expiresAt"),
        text("WHY NOT", "failedCheck"),
        text("REASON", "reason"),
        text("ITEM OF OURS", "item.inventoryItemId"),
        amount("TO ASK", "item.priceCents"),
    ],
};

pub(super) const ITEMS: Records = Records {
    list: "contracts.v1.Contracts/ListInventoryItems",
    ids: "inventoryItemIds",
    get: "contracts.v1.Contracts/GetInventoryItems",
    found: "inventoryItems",
    one: "inventoryItem",
    columns: &[
        text("ID", "id"),
        text("ITEM", "marketHashName"),
        name("STATUS", "status", "INVENTORY_ITEM_STATUS_"),
        amount("BOUGHT FOR", "buyPriceCents"),
        text("ASSET", "currentAssetId"),
        text("UPDATED", "updatedAt"),
    ],
};

pub(super) const REMEDIATIONS: Records = Records {
    list: "contracts.v1.Contracts/ListRemediations",
    ids: "remediationIds",
    get: "contracts.v1.Contracts/GetRemediations",
    found: "remediations",
    one: "remediation",
    columns: &[
        text("ID", "id"),
        name("KIND", "kind", "REMEDIATION_KIND_"),
        name("SEVERITY", "severity", "REMEDIATION_SEVERITY_"),
        name("STATUS", "status", "REMEDIATION_STATUS_"),
        name("OF", "subjectType", "TRANSITION_SUBJECT_TYPE_"),
        text("RECORD", "subjectId"),
        text("EXPECTED", "evidence.expected"),
        text("FOUND", "evidence.found"),
        text("OPENED", "createdAt"),
        name("TO DO", "allowedActions", "REMEDIATION_ACTION_"),
    ],
};

pub(super) const REMEDIATION_COUNTS: [Column; 2] =
    [name("STATUS", "status", "REMEDIATION_STATUS_"), text("COUNT", "count")];

pub(super) static PROFIT: [Column; 13] = [
    text("KEY", "key"),
    amount("REALISED", "realisedCents"),
    amount("PENDING", "pendingCents"),
    amount("UNREALISED", "unrealisedCents"),
    amount("PROCEEDS", "proceedsCents"),
    amount("COST", "costSoldCents"),
    amount("BUY FEES", "buyFeesCents"),
    amount("SALE FEES", "saleFeesCents"),
    amount("WRITTEN OFF", "writeOffsCents"),
    text("SOLD", "soldCount"),
    text("OPEN", "openCount"),
    text("UNPRICED", "unpricedCount"),
    text("STALE", "staleCount"),
];

pub(super) static POINTS: [Column; 9] = [
    text("FROM", "at"),
    amount("REALISED", "realisedCents"),
    amount("PENDING", "pendingCents"),
    amount("PROCEEDS", "proceedsCents"),
    amount("COST", "costSoldCents"),
    amount("BUY FEES", "buyFeesCents"),
    amount("SALE FEES", "saleFeesCents"),
    amount("WRITTEN OFF", "writeOffsCents"),
    text("SOLD", "soldCount"),
];

pub(super) const CHAIN: [Column; 6] = [
    text("STEP", "step"),
    text("ASSET", "assetId"),
    text("BEFORE", "previousAssetId"),
    text("SOURCE", "source"),
    text("SOURCE ID", "sourceId"),
    text("CREATED", "createdAt"),
];

pub(super) const WORKSPACE: [Column; 3] =
    [text("WORKSPACE", "name"), text("HALTED SINCE", "tradingHalt.since"), text("REASON", "tradingHalt.reason")];

pub(super) const TRANSITION: [Column; 8] = [
    text("CREATED", "createdAt"),
    name("SUBJECT", "subjectType", "TRANSITION_SUBJECT_TYPE_"),
    text("SUBJECT ID", "subjectId"),
    text("FROM", "fromStatus"),
    text("TO", "toStatus"),
    text("TRIGGER", "trigger"),
    text("REASON", "reason"),
    text("ID", "id"),
];

pub(super) const REASONS: [Column; 4] =
    [text("RULE", "code"), text("MET", "passed"), text("FOUND", "actual"), text("LIMIT", "limit")];

/// The rules that refuse most of what a simulation looked at.
pub(super) const REFUSALS: [Column; 2] = [text("RULE", "code"), text("LISTINGS SKIPPED", "count")];

/// The rules that are about money,
const OF_MONEY: [&str; 7] = ["BUY_PRICE", "BUDGET", "DAILY_BUDGET", "FAIR_VALUE", "FLOOR_PRICE", "BALANCE", "POOL"];
/// and those about shares.
const OF_SHARES: [&str; 4] = ["SELLER_SUCCESS", "CONFIDENCE", "DISCOUNT", "EXPECTED_MARGIN"];

/// What a contract makes of a listing, in one line.
pub(super) fn verdict(evaluation: &Value) -> String {
    let field = |column: Column| row(Output::Table, &[column], evaluation).concat();
    let money = |heading: &'static str, of: &'static str| {
        let shown = field(amount("", of));
        if shown.is_empty() { String::new() } else { format!(", {heading} {shown}") }
    };
    format!(
        "{}: {} on {} for {}{}{}{}, observed at {}",
        field(name("", "decision", "EVALUATION_DECISION_")),
        field(text("", "marketHashName")),
        field(text("", "marketplace")),
        field(amount("", "priceCents")),
        money("with its fee", "allInCostCents"),
        money("worth", "fairValueCents"),
        money("would bring", "expectedNetCents"),
        field(text("", "createdAt")),
    )
}

/// What a contract decided about a listing, in one line with the rules that were not met.
pub(super) fn decided(kept: &Value) -> String {
    let decision = row(Output::Table, &[name("", "decision", "EVALUATION_DECISION_")], kept).concat();
    let unmet = many(kept, "reasons").iter().filter(|reason| reason["passed"] != true);
    let unmet: Vec<String> = unmet.map(|rule| plain(&rule["code"]) + " " + &plain(&rule["actual"])).collect();
    let why = if unmet.is_empty() { String::new() } else { format!(": {}", unmet.join(", ")) };
    format!("it decided {decision} at {}{why}", plain(&kept["createdAt"]))
}

/// Whether a workspace buys, in one line.
pub(super) fn halt(workspace: &Value) -> String {
    let (name, halt) = (plain(&workspace["name"]), &workspace["tradingHalt"]);
    if halt.is_null() {
        return format!("{name} buys again");
    }
    format!("{name} buys nothing since {}: {}", plain(&halt["since"]), plain(&halt["reason"]))
}

/// What a contract would have bought of what was observed, in one line.
pub(super) fn would_buy(answer: &Value) -> String {
    let field = |name: &str| plain(&answer[name]);
    let (observed, until) = (field("observed"), field("until"));
    if until.is_empty() {
        return "WOULD BUY nothing: nothing was observed in this time".to_owned();
    }
    let spent = Form::Amount.for_people(&answer["spendCents"]);
    let bought = if field("wouldBuy") == "0" { "nothing".to_owned() } else { field("wouldBuy") + " for " + &spent };
    let matched = field("matched");
    let more = if answer["truncated"] == true {
        format!("; what came later was not looked at: --from {until}")
    } else {
        String::new()
    };
    format!("WOULD BUY {bought}: of {observed} observations until {until} it looks for {matched}{more}")
}

/// The reasons of an evaluation; people read amounts as amounts, and other figures with their units.
pub(super) fn reasons(output: Output, evaluation: &Value) -> Vec<Value> {
    let mut reasons = many(evaluation, "reasons").to_vec();
    if output == Output::Table {
        for reason in &mut reasons {
            let code = plain(&reason["code"]);
            for field in ["actual", "limit"] {
                reason[field] = with_unit(&code, &reason[field]).into();
            }
        }
    }
    reasons
}

/// What a rule found or asks for. Text, such as why there is no value, has no unit.
fn with_unit(code: &str, figure: &Value) -> String {
    let text = plain(figure);
    let Ok(number) = text.parse() else { return text };
    match code {
        code if OF_MONEY.contains(&code) => output_format::amount(number),
        code if OF_SHARES.contains(&code) => format!("{} %", output_format::amount(number)),
        "COOLDOWN" => format!("{number} s"),
        "TRADE_LOCK" => format!("{number} days"),
        _ => text,
    }
}

/// Prints records, or the answer that they came in.
pub(super) fn print(output: Output, columns: &[Column], records: &[Value], whole: &Value) {
    let rows = records.iter().map(|record| row(output, columns, record)).collect();
    output_format::print(output, &headings(output, columns), rows, whole);
}

/// The headings of columns.
pub(super) fn headings(output: Output, columns: &[Column]) -> Vec<&'static str> {
    let heading = |column: &Column| if output == Output::Csv { column.field } else { column.heading };
    columns.iter().map(heading).collect()
}

/// A record as a row.
pub(super) fn row(output: Output, columns: &[Column], record: &Value) -> Vec<String> {
    let cell = |column: &Column| {
        let value = column.field.split('.').fold(record, |value, part| &value[part]);
        if output == Output::Csv { plain(value) } else { column.form.for_people(value) }
    };
    columns.iter().map(cell).collect()
}

/// Prints every field of one record.
pub(super) fn whole(output: Output, record: &Value, answer: &Value) {
    let mut rows = Vec::new();
    flatten(&mut rows, "", record);
    output_format::print(output, &["FIELD", "VALUE"], rows, answer);
}

/// The values of a list in an answer; an empty list is absent there.
pub(super) fn many<'a>(answer: &'a Value, field: &str) -> &'a [Value] {
    answer[field].as_array().map_or(&[], Vec::as_slice)
}

/// The links of a chain as one line, the first first.
pub(super) fn chain(links: &[Value]) -> String {
    let shown =
        |link: &Value| format!("{} ({} {})", plain(&link["assetId"]), plain(&link["source"]), plain(&link["sourceId"]));
    links.iter().map(shown).collect::<Vec<_>>().join(" -> ")
}

fn flatten(rows: &mut Vec<Vec<String>>, path: &str, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(rows, &path, value);
            }
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            rows.push(vec![path.to_owned(), plain(value)]);
        }
    }
}

impl Form {
    fn for_people(&self, value: &Value) -> String {
        let text = plain(value);
        match self {
            Self::Text => text,
            Self::Amount => text.parse().map_or(text, output_format::amount),
            Self::Name(prefix) => text.replace(prefix, ""),
        }
    }
}

/// A value without the quotes of JSON; nothing for one that is absent.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_read_amounts_and_bare_names_and_programs_what_the_interface_has() {
        let columns = [name("STATUS", "status", "CONTRACT_STATUS_"), amount("SPENT", "progress.spentCents")];
        let record = json!({ "status": "CONTRACT_STATUS_ACTIVE", "progress": { "spentCents": "-1205" } });
        assert_eq!(row(Output::Table, &columns, &record), ["ACTIVE", "-12.05"]);
        assert_eq!(row(Output::Csv, &columns, &record), ["CONTRACT_STATUS_ACTIVE", "-1205"]);
        assert_eq!(headings(Output::Csv, &columns), ["status", "progress.spentCents"]);
    }

    #[test]
    fn what_a_record_has_not_is_left_empty() {
        assert_eq!(row(Output::Table, &[amount("PRICE", "listing.priceCents")], &json!({})), [""]);
    }

    #[test]
    fn a_verdict_is_one_line_and_its_reasons_have_amounts_for_people_alone() {
        let reason = |code, actual| json!({ "code": code, "passed": true, "actual": actual, "limit": "" });
        let evaluation = json!({
            "decision": "EVALUATION_DECISION_SKIP", "marketHashName": "Gallery Case", "marketplace": "example",
            "priceCents": "1200", "allInCostCents": "1230", "createdAt": "2026-01-01T00:00:00Z",
            "reasons": [
                reason("BUY_PRICE", "1230"), reason("FAIR_VALUE", "NO_QUOTE"), reason("QUANTITY", "1230"),
                reason("DISCOUNT", "-332"), reason("COOLDOWN", "20"),
            ],
        });
        let line = "SKIP: Gallery Case on example for 12.00, with its fee 12.30, observed at 2026-01-01T00:00:00Z";
        assert_eq!(verdict(&evaluation), line);
        let found =
            |output| reasons(output, &evaluation).iter().map(|reason| plain(&reason["actual"])).collect::<Vec<_>>();
        assert_eq!(found(Output::Table), ["12.30", "NO_QUOTE", "1230", "-3.32 %", "20 s"]);
        assert_eq!(found(Output::Csv), ["1230", "NO_QUOTE", "1230", "-332", "20"]);
    }

    #[test]
    fn what_was_decided_is_one_line_with_what_was_not_met() {
        let reason = |code, passed, actual| json!({ "code": code, "passed": passed, "actual": actual });
        let at = "2026-01-01T00:00:00Z";
        let kept =
            |decision: &str, reasons: Value| json!({ "decision": decision, "createdAt": at, "reasons": reasons });
        let reasons = json!([reason("BUY_PRICE", true, "1230"), reason("POOL", false, "POOL_FUNDS_TOO_LOW")]);
        let line = "it decided SKIP at 2026-01-01T00:00:00Z: POOL POOL_FUNDS_TOO_LOW";
        assert_eq!(decided(&kept("EVALUATION_DECISION_SKIP", reasons)), line);
        let line = "it decided BUY at 2026-01-01T00:00:00Z";
        assert_eq!(decided(&kept("EVALUATION_DECISION_BUY", json!([]))), line);
    }

    #[test]
    fn a_halt_is_shown_in_one_line() {
        let halt = json!({ "since": "2026-01-01T00:00:00Z", "reason": "prices look wrong" });
        let line = "Demo trading buys nothing since 2026-01-01T00:00:00Z: prices look wrong";
        assert_eq!(super::halt(&json!({ "name": "Demo trading", "tradingHalt": halt })), line);
        assert_eq!(super::halt(&json!({ "name": "Demo trading" })), "Demo trading buys again");
    }

    #[test]
    fn what_would_be_bought_is_one_line_and_says_where_it_ends() {
        let until = "2026-01-01T00:00:00Z";
        let answer = json!({ "observed": 7, "matched": 5, "wouldBuy": 2, "spendCents": "2358", "until": until });
        let line = "WOULD BUY 2 for 23.58: of 7 observations until 2026-01-01T00:00:00Z it looks for 5";
        assert_eq!(would_buy(&answer), line);
        let cut = json!({ "observed": 7, "matched": 5, "wouldBuy": 0, "until": until, "truncated": true });
        let line = "WOULD BUY nothing: of 7 observations until 2026-01-01T00:00:00Z it looks for 5; what came later was not \
                    looked at: --from 2026-01-01T00:00:00Z";
        assert_eq!(would_buy(&cut), line);
        assert_eq!(would_buy(&json!({ "observed": 0 })), "WOULD BUY nothing: nothing was observed in this time");
    }

    #[test]
    fn a_chain_is_one_line_from_the_first_id_to_the_last() {
        let links = [
            json!({ "assetId": "1", "source": "listing", "sourceId": "listing-2" }),
            json!({ "assetId": "2", "source": "purchase_trade", "sourceId": "trade-2" }),
        ];
        assert_eq!(chain(&links), "1 (listing listing-2) -> 2 (purchase_trade trade-2)");
    }
}

//! Results that are sentences, and the rules of an evaluation with their units.

use serde_json::Value;

use super::enum_names;
use super::records::column::{Column, amount, name, text};
use super::view::{amount_of, in_seconds, many, plain, row};
use crate::cli::Output;
use crate::output_format;

/// The rules that are about money,
const OF_MONEY: [&str; 7] = ["BUY_PRICE", "BUDGET", "DAILY_BUDGET", "FAIR_VALUE", "FLOOR_PRICE", "BALANCE", "POOL"];
/// those that find a code, such as `DRAFT` or `NO_QUOTE`,
const OF_CODES: [&str; 5] = ["ACCOUNT", "CONTRACT_ACTIVE", "FAIR_VALUE", "ITEM_FREE", "POOL"];
/// and those about shares.
const OF_SHARES: [&str; 4] = ["SELLER_SUCCESS", "CONFIDENCE", "DISCOUNT", "EXPECTED_MARGIN"];

/// What a contract makes of a listing, in one line.
pub(super) fn verdict(evaluation: &Value) -> String {
    let field = |column: Column| row(Output::Table, &[column], evaluation).concat();
    let money = |heading: &'static str, of: &'static str| {
        let shown = field(amount("", of));
        if shown.is_empty() { String::new() } else { format!(", {heading} {shown}") }
    };
    in_seconds(&format!(
        "{}: {} on {} for {}{}{}{}, observed at {}",
        field(name("", "decision")).to_uppercase(),
        field(text("", "marketHashName")),
        field(text("", "marketplace")),
        field(amount("", "priceCents")),
        money("with fee", "allInCostCents"),
        money("fair value", "fairValueCents"),
        money("expected net", "expectedNetCents"),
        field(text("", "createdAt")),
    ))
}

/// What a contract decided about a listing, in one line with the rules that were not met.
pub(super) fn decided(kept: &Value) -> String {
    let decision = row(Output::Table, &[name("", "decision")], kept).concat();
    let unmet = many(kept, "reasons").iter().filter(|reason| reason["passed"] != true);
    let unmet = unmet.map(|rule| (plain(&rule["code"]), plain(&rule["actual"])));
    let unmet: Vec<String> = unmet.map(|(code, actual)| format!("{code} {}", found(&code, actual))).collect();
    let why = if unmet.is_empty() { String::new() } else { format!(": {}", unmet.join(", ")) };
    format!("it decided {} at {}{why}", decision.to_uppercase(), in_seconds(&plain(&kept["createdAt"])))
}

/// Whether a workspace buys, in one line.
pub(super) fn halt(workspace: &Value) -> String {
    let (name, halt) = (plain(&workspace["name"]), &workspace["tradingHalt"]);
    if halt.is_null() {
        return format!("Trading resumed in {name:?}");
    }
    format!("Trading halted in {name:?} since {}: {}", in_seconds(&plain(&halt["since"])), plain(&halt["reason"]))
}

/// What a contract would have bought of what was observed, in one line.
pub(super) fn would_buy(answer: &Value) -> String {
    let field = |name: &str| plain(&answer[name]);
    let (observed, until) = (field("observed"), field("until"));
    if until.is_empty() {
        return "WOULD BUY nothing: nothing was observed in this time".to_owned();
    }
    let spent = amount_of(&answer["spendCents"]).unwrap_or_default();
    let bought = if field("wouldBuy") == "0" { "nothing".to_owned() } else { field("wouldBuy") + " for " + &spent };
    let matched = field("matched");
    let more = if answer["truncated"] == true {
        format!("; what came later was not looked at: --from {until}")
    } else {
        String::new()
    };
    let end = in_seconds(&until);
    format!("WOULD BUY {bought}: of {observed} observations until {end} it looks for {matched}{more}")
}

/// The reasons of an evaluation; people read amounts as amounts, and other figures with their units.
pub(super) fn reasons(output: Output, evaluation: &Value) -> Vec<Value> {
    let mut reasons = many(evaluation, "reasons").to_vec();
    if output.is_for_people() {
        for reason in &mut reasons {
            let code = plain(&reason["code"]);
            for field in ["actual", "limit"] {
                reason[field] = with_unit(&code, &reason[field]).into();
            }
        }
    }
    reasons
}

/// What a rule found, in words where it is a code. The name of a marketplace can look like one.
fn found(code: &str, text: String) -> String {
    if OF_CODES.contains(&code) { enum_names::words(&text) } else { text }
}

/// What a rule found or asks for. Text, such as why there is no value, has no unit.
fn with_unit(code: &str, figure: &Value) -> String {
    let text = plain(figure);
    let Ok(number) = text.parse() else { return found(code, text) };
    match code {
        code if OF_MONEY.contains(&code) => output_format::amount(number),
        code if OF_SHARES.contains(&code) => format!("{} %", output_format::amount(number)),
        "COOLDOWN" => format!("{number} s"),
        "TRADE_LOCK" => format!("{number} days"),
        _ => text,
    }
}

/// The links of a chain, the first first: each in a line of words, or all in one line as the interface names them.
pub(super) fn chain(output: Output, links: &[Value]) -> String {
    let of = |link: &Value| ["assetId", "source", "sourceId"].map(|field| plain(&link[field]));
    if output == Output::Wide {
        let shown = |link| {
            let [asset, source, id] = of(link);
            format!("{asset} ({source} {id})")
        };
        return links.iter().map(shown).collect::<Vec<_>>().join(" -> ");
    }
    let shown = |link| {
        let [asset, source, id] = of(link);
        format!("{asset} ({}: {id})", source.replace('_', " "))
    };
    links.iter().map(shown).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_verdict_is_one_line_and_its_reasons_have_amounts_for_people_alone() {
        let reason = |code, actual| json!({ "code": code, "passed": true, "actual": actual, "limit": "" });
        let evaluation = json!({
            "decision": "EVALUATION_DECISION_SKIP", "marketHashName": "Gallery Case", "marketplace": "example",
            "priceCents": "1200", "allInCostCents": "1230", "createdAt": "2026-01-01T00:00:00Z",
            "reasons": [
                reason("BUY_PRICE", "1230"), reason("FAIR_VALUE", "NO_QUOTE"), reason("QUANTITY", "1230"),
                reason("DISCOUNT", "-332"), reason("COOLDOWN", "20"), reason("CONTRACT_ACTIVE", "DRAFT"),
                reason("MARKETPLACE", "BITSKINS"),
            ],
        });
        let line = "SKIP: Gallery Case on example for 12.00, with fee 12.30, observed at 2026-01-01T00:00:00Z";
        assert_eq!(verdict(&evaluation), line);
        let found =
            |output| reasons(output, &evaluation).iter().map(|reason| plain(&reason["actual"])).collect::<Vec<_>>();
        let shown = ["12.30", "no quote", "1230", "-3.32 %", "20 s", "draft", "BITSKINS"];
        assert_eq!(found(Output::Table), shown);
        assert_eq!(found(Output::Csv), ["1230", "NO_QUOTE", "1230", "-332", "20", "DRAFT", "BITSKINS"]);
    }

    #[test]
    fn what_was_decided_is_one_line_with_what_was_not_met() {
        let reason = |code, passed, actual| json!({ "code": code, "passed": passed, "actual": actual });
        let at = "2026-01-01T00:00:00Z";
        let kept =
            |decision: &str, reasons: Value| json!({ "decision": decision, "createdAt": at, "reasons": reasons });
        let reasons = json!([reason("BUY_PRICE", true, "1230"), reason("POOL", false, "POOL_FUNDS_TOO_LOW")]);
        let line = "it decided SKIP at 2026-01-01T00:00:00Z: POOL pool funds too low";
        assert_eq!(decided(&kept("EVALUATION_DECISION_SKIP", reasons)), line);
        let line = "it decided BUY at 2026-01-01T00:00:00Z";
        assert_eq!(decided(&kept("EVALUATION_DECISION_BUY", json!([]))), line);
    }

    #[test]
    fn a_halt_is_shown_in_one_line() {
        let halt = json!({ "since": "2026-01-01T00:00:00Z", "reason": "prices look wrong" });
        let line = "Trading halted in \"Demo trading\" since 2026-01-01T00:00:00Z: prices look wrong";
        assert_eq!(super::halt(&json!({ "name": "Demo trading", "tradingHalt": halt })), line);
        assert_eq!(super::halt(&json!({ "name": "Demo trading" })), "Trading resumed in \"Demo trading\"");
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
    fn a_chain_is_a_line_for_each_id_unless_it_is_wide() {
        let links = [
            json!({ "assetId": "1", "source": "listing", "sourceId": "listing-2" }),
            json!({ "assetId": "2", "source": "purchase_trade", "sourceId": "trade-2" }),
        ];
        assert_eq!(chain(Output::Table, &links), "1 (listing: listing-2)\n2 (purchase trade: trade-2)");
        assert_eq!(chain(Output::Wide, &links), "1 (listing listing-2) -> 2 (purchase_trade trade-2)");
    }
}

//! `tradepost contracts simulate`: what a contract would have bought of what was observed, and why not the rest.

use serde_json::{Map, Value, json};
use tradepost::SystemClock;
use tradepost::domain::markets::observation::KEPT_FOR;
use tradepost::ports::clock::Clock as _;

use super::records::column::{Column, amount, id, text, time};
use super::records::contracts::CONTRACTS;
use super::view::{self, REFUSALS};
use super::{Client, remedies, sentences};
use crate::cli::Output;
use crate::cli::client::{FeeAt, Simulate};
use crate::failure::Outcome;
use crate::output_format;

/// Later than anything was observed: a market's clock may be ahead of the server's.
const THE_END: &str = "9999-12-31T00:00:00Z";

/// The listings that would have been bought.
pub(super) static BOUGHT: [Column; 12] = [
    text("ITEM", "marketHashName").flexible(),
    text("PHASE", "phase").wide(),
    text("FLOAT", "floatValue").wide(),
    text("MARKETPLACE", "marketplace").flexible(),
    amount("PRICE", "priceCents"),
    amount("FEE", "platformFeeCents").wide(),
    amount("WITH FEE", "allInCostCents"),
    amount("FAIR VALUE", "fairValueCents"),
    text("LISTING", "listingId").wide(),
    id("OBSERVATION", "observationId").wide(),
    time("SEEN", "observedAt").wide(),
    time("RECORDED", "createdAt"),
];

impl Client {
    pub(super) async fn simulate(&self, simulate: &Simulate) -> Outcome {
        let from = simulate.from.clone().unwrap_or_else(|| SystemClock.now().plus(-KEPT_FOR).to_string());
        let request = json!({
            "contractId": self.id_of(&CONTRACTS, &simulate.contract).await?,
            "from": from,
            "to": simulate.until.as_deref().unwrap_or(THE_END),
            "limit": simulate.limit,
            "fees": fees(&simulate.buy_fee_bps, &simulate.sell_fee_bps),
        });
        let answer = self.ask("contracts.v1.Contracts/SimulateContract", request).await;
        let answer = answer.map_err(|failure| remedies::about(failure, &CONTRACTS, &simulate.contract))?;
        match self.output {
            Output::Table | Output::Wide => for_people(self.output, &answer, simulate.listings),
            Output::Json => output_format::line(&answer.to_string()),
            Output::Jsonl | Output::Csv if simulate.listings => {
                let listings = listings(&answer);
                view::print(self.output, &BOUGHT, listings, &json!({ "wouldHaveBought": listings }));
            }
            Output::Jsonl | Output::Csv => {
                output_format::print(self.output, &["FIELD", "VALUE"], figures(&answer), &without_listings(&answer));
            }
        }
        if simulate.listings
            && let Some(cut) = cut(&answer)
        {
            anstream::eprintln!("{cut}");
        }
        Ok(())
    }
}

/// What each marketplace takes. One that is named twice for the same is refused by the server.
fn fees(of_buyers: &[FeeAt], of_sellers: &[FeeAt]) -> Vec<Value> {
    let mut fees: Vec<Map<String, Value>> = Vec::new();
    for (field, given) in [("buyFeeBps", of_buyers), ("sellFeeBps", of_sellers)] {
        for FeeAt { marketplace, bps } in given {
            let is_it = |known: &&mut Map<String, Value>| {
                known.get("marketplace").is_some_and(|name| name == marketplace) && !known.contains_key(field)
            };
            if let Some(known) = fees.iter_mut().find(is_it) {
                known.insert(field.to_owned(), json!(bps));
            } else {
                let first = [("marketplace".to_owned(), json!(marketplace)), (field.to_owned(), json!(bps))];
                fees.push(first.into_iter().collect());
            }
        }
    }
    fees.into_iter().map(Value::Object).collect()
}

fn for_people(output: Output, answer: &Value, with_listings: bool) {
    output_format::line(&sentences::would_buy(answer));
    let refusals = view::many(answer, "topReasons");
    if !refusals.is_empty() {
        view::print(Output::Table, &REFUSALS, refusals, answer);
    }
    if with_listings && !listings(answer).is_empty() {
        output_format::line("");
        view::print(output, &BOUGHT, listings(answer), answer);
    }
}

fn listings(answer: &Value) -> &[Value] {
    view::many(answer, "wouldHaveBought")
}

/// The answer whose one list is that of the rules, which is what a line of JSON is made of.
fn without_listings(answer: &Value) -> Value {
    let fields = answer.as_object().into_iter().flatten().filter(|(field, _)| *field != "wouldHaveBought");
    fields.map(|(field, value)| (field.clone(), value.clone())).collect()
}

/// What is said of listings that are not all.
fn cut(answer: &Value) -> Option<String> {
    let shown = listings(answer).len();
    let bought = answer["wouldBuy"].as_u64().and_then(|bought| usize::try_from(bought).ok())?;
    (bought > shown).then(|| format!("These are the first {shown} of {bought} listings."))
}

/// The figures one by one, those of the rules by their codes.
fn figures(answer: &Value) -> Vec<Vec<String>> {
    let plain = answer.as_object().into_iter().flatten().filter(|(_, value)| !value.is_array());
    let of_answer = plain.map(|(field, value)| vec![field.clone(), view::plain(value)]);
    let of_rule =
        |refusal: &Value| vec![format!("topReasons.{}", view::plain(&refusal["code"])), view::plain(&refusal["count"])];
    of_answer.chain(view::many(answer, "topReasons").iter().map(of_rule)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fees_of_a_marketplace_are_merged() {
        let fee = |marketplace: &str, bps| FeeAt { marketplace: marketplace.to_owned(), bps };
        let (buyers, sellers) = ([fee("one", 250), fee("two", 100)], [fee("two", 200), fee("two", 300)]);
        let expected = json!([
            { "marketplace": "one", "buyFeeBps": 250 },
            { "marketplace": "two", "buyFeeBps": 100, "sellFeeBps": 200 },
            { "marketplace": "two", "sellFeeBps": 300 },
        ]);
        assert_eq!(json!(fees(&buyers, &sellers)), expected);
    }

    #[test]
    fn the_figures_are_the_fields_of_the_answer_and_the_rules_by_code() {
        let answer = json!({
            "observed": 7, "spendCents": "2358", "truncated": false,
            "topReasons": [{ "code": "DISCOUNT", "count": 3 }],
        });
        let expected =
            [["observed", "7"], ["spendCents", "2358"], ["truncated", "false"], ["topReasons.DISCOUNT", "3"]];
        assert_eq!(figures(&answer), expected);
    }

    #[test]
    fn a_list_of_listings_that_is_cut_is_reported() {
        let answer = |bought| json!({ "wouldBuy": bought, "wouldHaveBought": [{ "listingId": "seen-1" }] });
        assert_eq!(cut(&answer(3)).as_deref(), Some("These are the first 1 of 3 listings."));
        assert_eq!(cut(&answer(1)), None);
    }

    #[test]
    fn the_rules_remain_the_one_list_of_the_figures() {
        let answer = json!({ "wouldBuy": 1, "topReasons": [], "wouldHaveBought": [{ "listingId": "seen-1" }] });
        assert_eq!(without_listings(&answer), json!({ "wouldBuy": 1, "topReasons": [] }));
    }
}

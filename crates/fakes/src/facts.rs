//! Cards of facts: what is known of the answers of a service, from where, and how well.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// The cards of this crate.
const CARDS: [&str; 117] = [
    include_str!("../facts/csfloat.bids.toml"),
    include_str!("../facts/csfloat.buy-orders.toml"),
    include_str!("../facts/csfloat.error.toml"),
    include_str!("../facts/csfloat.limited.toml"),
    include_str!("../facts/csfloat.listing.missing.toml"),
    include_str!("../facts/csfloat.listing.toml"),
    include_str!("../facts/csfloat.listings.bare.toml"),
    include_str!("../facts/csfloat.listings.data.toml"),
    include_str!("../facts/csfloat.listings.forbidden.toml"),
    include_str!("../facts/csfloat.me.toml"),
    include_str!("../facts/csfloat.price-list.bare.toml"),
    include_str!("../facts/csfloat.price-list.data.toml"),
    include_str!("../facts/csfloat.stall.toml"),
    include_str!("../facts/dmarket.aggregated-prices.toml"),
    include_str!("../facts/dmarket.balance.toml"),
    include_str!("../facts/dmarket.error.toml"),
    include_str!("../facts/dmarket.limited.toml"),
    include_str!("../facts/dmarket.offers.toml"),
    include_str!("../facts/dmarket.unauthorized.toml"),
    include_str!("../facts/dmarket.user-offers.toml"),
    include_str!("../facts/dmarket.user-targets.toml"),
    include_str!("../facts/market-csgo.bids.toml"),
    include_str!("../facts/market-csgo.key.refused.toml"),
    include_str!("../facts/market-csgo.limited.toml"),
    include_str!("../facts/market-csgo.listing.toml"),
    include_str!("../facts/market-csgo.listings.toml"),
    include_str!("../facts/market-csgo.prices.refused.toml"),
    include_str!("../facts/market-csgo.prices.toml"),
    include_str!("../facts/skinport.error.toml"),
    include_str!("../facts/skinport.items.list.toml"),
    include_str!("../facts/skinport.limited.toml"),
    include_str!("../facts/steam-api.authenticator.refused.toml"),
    include_str!("../facts/steam-api.authenticator.toml"),
    include_str!("../facts/steam-api.bad-request.toml"),
    include_str!("../facts/steam-api.bans.toml"),
    include_str!("../facts/steam-api.begin.refused.toml"),
    include_str!("../facts/steam-api.begin.toml"),
    include_str!("../facts/steam-api.code.refused.toml"),
    include_str!("../facts/steam-api.code.toml"),
    include_str!("../facts/steam-api.conversations.refused.toml"),
    include_str!("../facts/steam-api.conversations.toml"),
    include_str!("../facts/steam-api.friends.toml"),
    include_str!("../facts/steam-api.holds.toml"),
    include_str!("../facts/steam-api.inventory.toml"),
    include_str!("../facts/steam-api.key.refused.toml"),
    include_str!("../facts/steam-api.key.toml"),
    include_str!("../facts/steam-api.limited.toml"),
    include_str!("../facts/steam-api.lost.toml"),
    include_str!("../facts/steam-api.messages.refused.toml"),
    include_str!("../facts/steam-api.messages.toml"),
    include_str!("../facts/steam-api.offer.toml"),
    include_str!("../facts/steam-api.offers.toml"),
    include_str!("../facts/steam-api.poll.refused.toml"),
    include_str!("../facts/steam-api.poll.toml"),
    include_str!("../facts/steam-api.read-mark.refused.toml"),
    include_str!("../facts/steam-api.read-mark.toml"),
    include_str!("../facts/steam-api.renewal.refused.toml"),
    include_str!("../facts/steam-api.renewal.toml"),
    include_str!("../facts/steam-api.revocation.refused.toml"),
    include_str!("../facts/steam-api.revocation.toml"),
    include_str!("../facts/steam-api.say.refused.toml"),
    include_str!("../facts/steam-api.say.toml"),
    include_str!("../facts/steam-api.time.toml"),
    include_str!("../facts/steam-api.trade-token.toml"),
    include_str!("../facts/steam-api.trade.toml"),
    include_str!("../facts/steam-api.trades.toml"),
    include_str!("../facts/steam-api.unauthorized.toml"),
    include_str!("../facts/steam-community.accept.refused.toml"),
    include_str!("../facts/steam-community.accept.signed-out.toml"),
    include_str!("../facts/steam-community.accept.toml"),
    include_str!("../facts/steam-community.answer.refused.toml"),
    include_str!("../facts/steam-community.answer.signed-out.toml"),
    include_str!("../facts/steam-community.answer.toml"),
    include_str!("../facts/steam-community.api-key.denied.toml"),
    include_str!("../facts/steam-community.api-key.none.toml"),
    include_str!("../facts/steam-community.api-key.registered.toml"),
    include_str!("../facts/steam-community.cancel.refused.toml"),
    include_str!("../facts/steam-community.cancel.toml"),
    include_str!("../facts/steam-community.confirmations.refused.toml"),
    include_str!("../facts/steam-community.confirmations.signed-out.toml"),
    include_str!("../facts/steam-community.confirmations.toml"),
    include_str!("../facts/steam-community.decline.refused.toml"),
    include_str!("../facts/steam-community.decline.toml"),
    include_str!("../facts/steam-community.friend-add.failed.toml"),
    include_str!("../facts/steam-community.friend-add.refused.toml"),
    include_str!("../facts/steam-community.friend-add.toml"),
    include_str!("../facts/steam-community.friend-block.refused.toml"),
    include_str!("../facts/steam-community.friend-block.toml"),
    include_str!("../facts/steam-community.friend-ignore.refused.toml"),
    include_str!("../facts/steam-community.friend-ignore.toml"),
    include_str!("../facts/steam-community.friend-remove.refused.toml"),
    include_str!("../facts/steam-community.friend-remove.toml"),
    include_str!("../facts/steam-community.limited.toml"),
    include_str!("../facts/steam-community.lost.toml"),
    include_str!("../facts/steam-community.offer-page.ended.toml"),
    include_str!("../facts/steam-community.offer-page.toml"),
    include_str!("../facts/steam-community.offers.signed-out.toml"),
    include_str!("../facts/steam-community.send.refused.toml"),
    include_str!("../facts/steam-community.send.toml"),
    include_str!("../facts/steam-community.signed-out.page.toml"),
    include_str!("../facts/steam-community.signed-out.toml"),
    include_str!("../facts/steam-market.limited.toml"),
    include_str!("../facts/steam-market.overview.limited.toml"),
    include_str!("../facts/steam-market.overview.toml"),
    include_str!("../facts/steam-market.search.toml"),
    include_str!("../facts/waxpeer.availability.toml"),
    include_str!("../facts/waxpeer.bids.toml"),
    include_str!("../facts/waxpeer.forbidden.toml"),
    include_str!("../facts/waxpeer.items-list.toml"),
    include_str!("../facts/waxpeer.limited.toml"),
    include_str!("../facts/waxpeer.mass-info.flat.toml"),
    include_str!("../facts/waxpeer.mass-info.nested.toml"),
    include_str!("../facts/waxpeer.own-listings.toml"),
    include_str!("../facts/waxpeer.own-orders.toml"),
    include_str!("../facts/waxpeer.prices.refused.toml"),
    include_str!("../facts/waxpeer.prices.toml"),
    include_str!("../facts/waxpeer.user.toml"),
];

/// How well a fact is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// From a document of the service, or an answer of it.
    Found,
    /// Second hand.
    Guessed,
    /// Not known: its card has the answers that are possible, and a driver copes with each.
    Unknown,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub id: String,
    /// How well it is known.
    pub grade: Grade,
    /// The route: method and path.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
    /// The numbers of the outcome in the header `x-eresult`: none, one for all samples, or one for each.
    pub eresults: Vec<u32>,
    /// Answers of this form.
    pub samples: Vec<String>,
    /// The types at each path.
    shape: BTreeMap<String, Place>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    types: BTreeSet<String>,
    is_required: bool,
}

/// Why a card, or an answer that is held to it, is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactError {
    /// The card cannot be read.
    #[error("the card cannot be read: {0}")]
    Card(String),
    /// There is no such card.
    #[error("there is no card {0}")]
    NoCard(String),
    /// An answer differs from its card.
    #[error("{path} is {found}, and the card says {expected}")]
    Answer {
        /// The path.
        path: String,
        /// What was found there.
        found: String,
        /// What the card says of it.
        expected: String,
    },
}

/// All cards.
#[derive(Debug, Clone)]
pub struct Facts(BTreeMap<String, Card>);

impl Facts {
    /// Reads the cards.
    ///
    /// # Errors
    /// [`FactError`] when a card cannot be read.
    pub fn load() -> Result<Self, FactError> {
        let cards = CARDS.iter().map(|text| Card::parse(text).map(|card| (card.id.clone(), card)));
        Ok(Self(cards.collect::<Result<_, _>>()?))
    }

    /// Returns a card.
    ///
    /// # Errors
    /// [`FactError`] when there is none of this name.
    pub fn card(&self, id: &str) -> Result<&Card, FactError> {
        self.0.get(id).ok_or_else(|| FactError::NoCard(id.to_owned()))
    }

    /// Returns all cards, by name.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        self.0.values()
    }
}

impl Card {
    fn parse(text: &str) -> Result<Self, FactError> {
        let document: DocumentMut = text.parse().map_err(|error| FactError::Card(format!("{error}")))?;
        let missing = |key: &str| FactError::Card(format!("{key} is missing"));
        let word = |key: &str| document.get(key).and_then(Item::as_str).map(str::to_owned).ok_or_else(|| missing(key));
        let status = document.get("status").and_then(Item::as_integer).and_then(|status| u16::try_from(status).ok());
        let samples = document.get("sample").and_then(Item::as_array).ok_or_else(|| missing("sample"))?;
        let eresults = document.get("eresult").and_then(Item::as_array).into_iter().flatten();
        let shape = document.get("shape").and_then(Item::as_table).ok_or_else(|| missing("shape"))?;
        Ok(Self {
            id: word("id")?,
            grade: Grade::parse(&word("grade")?)?,
            route: word("route")?,
            status: status.ok_or_else(|| missing("status"))?,
            eresults: eresults.filter_map(|number| u32::try_from(number.as_integer()?).ok()).collect(),
            samples: samples.iter().filter_map(|sample| sample.as_str().map(str::to_owned)).collect(),
            shape: shape.iter().map(|(path, types)| place(path, types)).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the number of the outcome that a sample has in its header.
    pub(crate) fn eresult_of(&self, sample: usize) -> Option<u32> {
        match self.eresults.as_slice() {
            [all] => Some(*all),
            each => each.get(sample).copied(),
        }
    }

    /// Holds an answer to the card.
    ///
    /// # Errors
    /// [`FactError::Answer`] with the first path that differs.
    pub fn check(&self, answer: &Value) -> Result<(), FactError> {
        let mut found = BTreeMap::new();
        note(&mut found, "$".to_owned(), answer, &self.shape);
        let differs = |path: &str, found: &str, expected: &str| FactError::Answer {
            path: path.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        for (path, types) in &found {
            let Some(place) = self.shape.get(path) else { return Err(differs(path, "there", "nothing of it")) };
            if let Some(other) = types.iter().find(|of| !place.types.contains(**of)) {
                let expected = place.types.iter().cloned().collect::<Vec<_>>().join("|");
                return Err(differs(path, other, &expected));
            }
        }
        for (path, place) in self.shape.iter().filter(|(_, place)| place.is_required) {
            let parent = path.rsplit_once('.').map_or("$", |(parent, _)| parent);
            if !found.contains_key(path) && found.contains_key(parent) {
                return Err(differs(path, "missing", &place.types.iter().cloned().collect::<Vec<_>>().join("|")));
            }
        }
        Ok(())
    }
}

impl Grade {
    fn parse(text: &str) -> Result<Self, FactError> {
        match text {
            "F" => Ok(Self::Found),
            "G" => Ok(Self::Guessed),
            "U" => Ok(Self::Unknown),
            other => Err(FactError::Card(format!("there is no grade {other}"))),
        }
    }
}

/// A path of a shape and its types. A path that ends with `?` may be missing.
fn place(path: &str, types: &Item) -> Result<(String, Place), FactError> {
    let types = types.as_str().ok_or_else(|| FactError::Card(format!("the types of {path} are no text")))?;
    let types = types.split('|').map(str::to_owned).collect();
    let (name, is_required) = path.strip_suffix('?').map_or((path, true), |name| (name, false));
    Ok((name.to_owned(), Place { types, is_required }))
}

/// Notes the paths and types of a value. Where the shape has `*` below an object, its keys are names of records, and not of fields.
fn note(
    found: &mut BTreeMap<String, BTreeSet<&'static str>>,
    path: String,
    value: &Value,
    shape: &BTreeMap<String, Place>,
) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(elements) => {
            for element in elements {
                note(found, format!("{path}[]"), element, shape);
            }
            "array"
        }
        Value::Object(fields) => {
            let any = format!("{path}.*");
            for (name, field) in fields {
                let below = if shape.contains_key(&any) { any.clone() } else { format!("{path}.{name}") };
                note(found, below, field, shape);
            }
            "object"
        }
    };
    found.entry(path).or_default().insert(kind);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_sample_of_a_card_has_its_shape_and_what_is_not_known_has_two() {
        for card in Facts::load().unwrap().cards() {
            for sample in &card.samples {
                assert_eq!(card.check(&serde_json::from_str(sample).unwrap()), Ok(()), "{}: {sample}", card.id);
            }
            let numbers = card.eresults.len();
            assert!(numbers < 2 || numbers == card.samples.len(), "{}", card.id);
            let least = if card.grade == Grade::Unknown { 2 } else { 1 };
            assert!(card.samples.len() >= least, "{}", card.id);
        }
    }

    #[test]
    fn every_card_in_the_folder_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/facts");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), Facts::load().unwrap().cards().count());
    }

    #[test]
    fn names_that_are_keys_are_held_to_one_shape() {
        let facts = Facts::load().unwrap();
        let card = facts.card("waxpeer.mass-info.flat").unwrap();
        let of = |listing: Value| json!({ "success": true, "data": { "Dr. Romanov": { "listings": [listing] } } });
        let whole = json!({ "item_id": "1", "name": "Dr. Romanov", "price": 1_000, "by": "a-seller" });
        assert_eq!(card.check(&of(whole)), Ok(()));
        let failed = card.check(&of(json!({ "item_id": "1", "name": "Dr. Romanov", "by": "a-seller" })));
        assert!(matches!(failed, Err(FactError::Answer { path, .. }) if path == "$.data.*.listings[].price"));
    }

    #[test]
    fn an_answer_that_differs_from_its_card_is_named_by_its_path() {
        let facts = Facts::load().unwrap();
        let card = facts.card("skinport.error").unwrap();
        for (answer, path) in [
            (json!({ "errors": [{ "message": "…" }] }), "$.errors[].id"),
            (json!({ "errors": [{ "id": 7 }] }), "$.errors[].id"),
            (json!({ "errors": [], "more": 1 }), "$.more"),
            (json!([]), "$"),
        ] {
            assert!(matches!(card.check(&answer), Err(FactError::Answer { path: at, .. }) if at == path), "{answer}");
        }
    }
}

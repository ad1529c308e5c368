//! The rules that buying and selling share: a contract that is active here and now, its filter set, and the value.

use std::borrow::Cow;

use crate::contracts::contract::{Contract, ContractStatus, ContractType, PriceReference};
use crate::markets::listing::Listing;
use crate::markets::pricing::{FairValue, Price};
use crate::money::Cents;

use super::Circumstances;
use super::reason::{Figure, Reason};
use super::rule::Rule;

/// A contract in its circumstances, with the price of the item's variant.
pub(super) struct Basis<'a> {
    pub(super) contract: &'a Contract,
    pub(super) known: &'a Circumstances<'a>,
    pub(super) price: Price<'a>,
    reference: Cow<'a, PriceReference>,
    /// Whether the contract acts on no item whose value is not known.
    needs_value: bool,
}

impl<'a> Basis<'a> {
    /// A contract that names a price reference needs a value, whatever its limits are.
    pub(super) fn of(contract: &'a Contract, known: &'a Circumstances<'a>, limits_need_value: bool) -> Self {
        let named = contract.price_reference.as_ref();
        let reference = named.map_or_else(|| Cow::Owned(PriceReference::default()), Cow::Borrowed);
        let price = Price::of(known.quotes, known.price_override, &reference, known.at);
        Self { contract, known, price, reference, needs_value: limits_need_value || named.is_some() }
    }

    pub(super) fn fair(&self) -> Option<FairValue> {
        self.price.fair_value.ok()
    }

    /// What an item of the variant is worth to a contract that buys, or to one that sells.
    pub(super) fn value(&self) -> Option<Cents> {
        self.fair().map(|fair| self.of_its_side(fair))
    }

    fn of_its_side(&self, fair: FairValue) -> Cents {
        match self.contract.terms.contract_type() {
            ContractType::Buying => fair.value,
            ContractType::Selling => fair.selling_value,
        }
    }

    pub(super) fn is_active(&self) -> Reason {
        let status = self.contract.status;
        Reason {
            rule: Rule::ContractActive,
            passed: status == ContractStatus::Active,
            actual: Some(Figure::Status(status)),
            limit: Some(Figure::Status(ContractStatus::Active)),
        }
    }

    /// Compares the time with the start until it has come, then with the end.
    pub(super) fn is_in_time(&self) -> Reason {
        let (at, starts_at, ends_at) = (self.known.at, self.contract.starts_at, self.contract.ends_at);
        let early = starts_at.filter(|starts_at| at < *starts_at);
        Reason {
            rule: Rule::ContractPeriod,
            passed: early.is_none() && ends_at.is_none_or(|ends_at| at < ends_at),
            actual: Some(Figure::Time(at)),
            limit: early.or(ends_at).map(Figure::Time),
        }
    }

    /// A contract that names a filter set is judged by no other; without it, it does nothing.
    pub(super) fn is_chosen(&self, listing: &Listing) -> Reason {
        let filter = self.known.filter.filter(|filter| self.contract.filter_set_id == Some(filter.filter_set_id));
        let failed = filter.and_then(|filter| filter.rules.judge(listing).err());
        Reason {
            rule: Rule::Filter,
            passed: failed.is_none() && filter.is_some() == self.contract.filter_set_id.is_some(),
            actual: failed.map(Figure::FilterRule),
            limit: filter.map(|filter| Figure::FilterVersion(filter.version)),
        }
    }

    pub(super) fn is_on_marketplace(&self) -> Reason {
        let (here, named) = (self.known.marketplace, &self.contract.marketplaces);
        Reason {
            rule: Rule::Marketplace,
            passed: named.is_empty() || named.contains(here),
            actual: Some(Figure::Marketplaces(vec![here.clone()])),
            limit: (!named.is_empty()).then(|| Figure::Marketplaces(named.clone())),
        }
    }

    pub(super) fn is_valued(&self) -> Reason {
        let found = self.price.fair_value.map_or_else(Figure::Unpriced, |fair| Figure::Money(self.of_its_side(fair)));
        let passed = self.price.fair_value.is_ok() || !self.needs_value;
        Reason { rule: Rule::FairValue, passed, actual: Some(found), limit: None }
    }

    pub(super) fn is_trusted(&self) -> Reason {
        let least = self.needs_value.then_some(self.reference.min_confidence);
        Reason::share_at_least(Rule::Confidence, self.fair().map(|fair| fair.confidence.into()), least)
    }
}

//! From what is on sale to purchases: who wants it, whether it is worth it, and the money reserved before anything is sent.

use tradepost_domain::evaluation::{Circumstances, Decision, Prospect, evaluate_listing};
use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::id::ContractId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_operations::Code;
use tradepost_operations::contracts::RecordPurchase;
use tradepost_ports::marketplace::MarketListing;

use crate::Engine;
use crate::activity::Activities;
use crate::pass::{Decided, Pass};
use crate::trouble::{Tried, Trouble};

/// A listing that a contract is to buy, with the most that it may cost.
struct Choice {
    contract_id: ContractId,
    most: Cents,
    fee: Cents,
}

/// What one pass of buying goes by.
struct Shopping<'a> {
    pass: &'a mut Pass,
    /// The fees of every place where an item could be sold on.
    exits: Vec<FeeSchedule>,
    activities: Activities,
}

impl Engine {
    pub(crate) async fn buy(&mut self, pass: &mut Pass) -> Tried {
        if self.desk.accounts.is_empty() {
            return Ok(());
        }
        let exits = self.market.fees.values().cloned().collect();
        let mut shopping = Shopping { pass, exits, activities: Activities::default() };
        for (marketplace, listings) in std::mem::take(&mut self.market.listings) {
            if !self.doubts.at(&marketplace) {
                self.buy_at(&marketplace, listings, &mut shopping).await?;
            }
        }
        Ok(())
    }

    async fn buy_at(
        &mut self,
        marketplace: &Marketplace,
        listings: Vec<MarketListing>,
        shopping: &mut Shopping<'_>,
    ) -> Tried {
        for listing in listings {
            let Some(choice) = self.choose(marketplace, &listing, shopping).await? else { continue };
            let (contract_id, most) = (choice.contract_id, choice.most);
            self.market.spend(marketplace, most);
            let bought = Box::pin(self.purchase(marketplace, &listing, choice, &mut shopping.activities)).await;
            shopping.pass.bought += usize::from(bought.is_ok());
            let is_silent = bought.as_ref().is_err_and(is_outside);
            shopping.pass.note(bought);
            self.follow_contract(contract_id).await?;
            if is_silent {
                break;
            }
        }
        Ok(())
    }

    /// The first of the contracts that want a listing and would buy it.
    async fn choose(
        &self,
        marketplace: &Marketplace,
        listing: &MarketListing,
        shopping: &mut Shopping<'_>,
    ) -> Tried<Option<Choice>> {
        let (offered, at) = (&listing.offered, self.now());
        let Some(fees) = self.market.fees.get(marketplace) else { return Ok(None) };
        let quotes = self.market.quotes(&offered.variant);
        for contract_id in self.catalogue.index.matching(offered) {
            let Some(standing) = self.catalogue.get(contract_id) else { continue };
            let (contract, filter) = (&standing.contract.value, standing.filter.as_ref());
            let activity = shopping.activities.of(self, contract, &offered.variant.market_hash_name).await?;
            let known = Circumstances { marketplace, fees, filter, quotes: &quotes, price_override: None, at };
            let prospect = Prospect { listing: offered, exits: &shopping.exits, activity };
            let Some(evaluation) = evaluate_listing(contract, &prospect, &known) else { continue };
            shopping.pass.decided(|| Decided::on(contract, offered, &evaluation));
            if let (Decision::Buy, Some(most)) = (evaluation.decision, evaluation.all_in_cost)
                && self.market.can_spend(marketplace, most)
            {
                let fee = fees.buying(&offered.variant.market_hash_name, at).estimate(offered.price);
                return Ok(Some(Choice { contract_id, most, fee }));
            }
        }
        Ok(None)
    }

    /// Reserves the money, then sends.
    async fn purchase(
        &mut self,
        marketplace: &Marketplace,
        listing: &MarketListing,
        choice: Choice,
        activities: &mut Activities,
    ) -> Tried {
        let Some(account) = self.desk.accounts.get(self.turn % self.desk.accounts.len().max(1)) else { return Ok(()) };
        let command = RecordPurchase {
            workspace_id: self.desk.workspace_id,
            contract_id: choice.contract_id,
            intent_id: None,
            market_hash_name: listing.offered.variant.market_hash_name.to_string(),
            listing_price_cents: listing.offered.price.get(),
            max_buy_price_cents: choice.most.get(),
            platform_fee_cents: choice.fee.get(),
            listing_id: listing.id.to_string(),
            listing_asset_id: listing.asset_id.to_string(),
            marketplace: marketplace.to_string(),
            account_name: account.name.to_string(),
        };
        let recorded = self.operations.record_purchase(&self.caller, command).await?;
        self.turn = self.turn.wrapping_add(1);
        activities.add(&recorded.value);
        self.send(recorded).await
    }
}

/// Whether it is the outside that does not answer, so that the next call would not be answered either.
fn is_outside(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Marketplace(_) | Trouble::Platform(_) | Trouble::Prices(_) => true,
        Trouble::Operation(refusal) => refusal.code == Code::Internal,
        Trouble::Unknown { .. } | Trouble::WrongOffer(_) | Trouble::Money(_) => false,
    }
}

//! What items are worth: what storage keeps of the sources and of what people gave, with what others ask at this moment.

use std::collections::BTreeSet;

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::markets::variant::Variant;
use tradepost_operations::OpError;
use tradepost_operations::markets::PriceBasis;

use crate::context::Context;
use crate::error::EngineResult;
use crate::market::Market;

/// Maximum number of variants requested at once.
const VARIANT_PAGE: usize = 200;

impl Market {
    /// Finds out what variants are valued by, in this pass.
    pub(crate) async fn load_valuations(&mut self, context: &Context, variants: BTreeSet<Variant>) -> EngineResult {
        let scope = context.caller().principal.enter(context.desk().workspace_id, PolicySet::EVERY);
        let (scope, now, set_by) = (scope.map_err(OpError::from)?, context.now(), context.set_by());
        let is_unknown = |variant: &&Variant| !self.state.valuations().contains_key(*variant);
        let unknown: Vec<Variant> = variants.iter().filter(is_unknown).cloned().collect();
        for variants in unknown.chunks(VARIANT_PAGE) {
            for (variant, basis) in context.operations().price_bases(scope, variants).await? {
                // How old a price is, is a span: it stays what it was when the clock is set.
                let quotes = basis.quotes.in_time_of(now, set_by);
                self.state.set_valuation(variant, PriceBasis { quotes, ..basis });
            }
        }
        // What others ask has come further since, also for what was valued on an earlier page.
        for variant in &variants {
            self.state.note_asks(variant, now);
        }
        Ok(())
    }
}

//! The promises of storage about its records: contracts and the records that their trading creates.

pub mod chain;
pub mod contract_versions;
pub mod counters;
pub mod equity_marks;
pub mod evaluations;
pub mod filter_sets;
pub mod filters;
pub mod intents;
pub mod open_records;
pub mod pools;
pub mod remediations;
pub mod reports;
pub mod searches;
pub mod trading;
pub mod transitions;
pub mod would_buys;

/// The promises about intents, which are a part of [`store_contract!`](macro@crate::store_contract).
#[doc(hidden)]
#[macro_export]
macro_rules! intent_promises {
    ($fixture:expr) => {
        $crate::store_promises! { $fixture;
            intents in contracts:
                an_intent_in_every_status_is_read_back_whole,
                an_intent_of_every_kind_is_read_back_whole,
                an_intent_is_found_at_home_alone,
                intents_are_listed_by_contract_kind_and_status,
                intents_in_a_status_are_read_oldest_first_some_at_a_time,
                intents_that_wait_are_found_by_contract_and_by_age,
                an_intent_waits_by_both_clocks_and_for_the_looks_of_engines,
                what_a_contract_has_proposed_is_summed,
                items_that_a_contract_has_proposed_for_sale_are_counted_once,
                intents_of_contracts_that_stopped_are_stranded,
                a_listing_has_one_live_intent_to_buy_it,
                an_item_has_one_live_intent,
                intents_are_counted_by_status_and_contract;
            would_buys in contracts:
                what_would_be_bought_is_read_back_before_and_after_its_follow_up,
                what_would_be_bought_is_listed_by_contract_at_home_alone,
                a_listing_would_be_bought_once,
                follow_ups_are_found_when_they_are_due,
                what_would_be_bought_is_summed_by_outcome;
        }
    };
}

/// The promises about the sums of the ledger, which are a part of [`store_contract!`](macro@crate::store_contract).
#[doc(hidden)]
#[macro_export]
macro_rules! report_promises {
    ($fixture:expr) => {
        $crate::store_promises! { $fixture;
            reports in contracts:
                days_come_to_what_their_entries_do,
                a_sale_elsewhere_counts_for_its_day_and_not_for_what_its_contract_earned,
                what_was_paid_and_received_at_a_marketplace_is_what_its_entries_say,
                a_report_is_filtered_and_grouped_by_every_attribute,
                a_series_begins_with_what_was_pending_before,
                a_report_is_the_same_wherever_its_days_lie_in_months,
                days_of_a_time_zone_come_to_what_their_entries_do,
                a_series_by_days_of_a_time_zone_has_what_their_entries_come_to,
                a_date_that_a_time_zone_never_had_changes_nothing_in_a_series,
                open_items_are_summed_by_variant_with_their_cost,
                items_of_unknown_cost_are_counted_and_cost_nothing,
                the_entries_of_a_purchase_are_listed_oldest_first;
        }
    };
}

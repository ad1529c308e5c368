//! The promises of storage about its records: trading accounts, their imports, trade offers, inventories, friends, chats,
//! confirmations, sessions and renewals, and leases.

pub mod account_sessions;
pub mod chats;
pub mod confirmations;
pub mod friends;
pub mod imports;
pub mod inventory_changes;
pub mod leases;
pub mod renewals;
pub mod snapshots;
pub mod trade_offers;
pub mod trading_accounts;

/// The promises about sessions and renewals, which are a part of [`store_contract!`](macro@crate::store_contract).
#[doc(hidden)]
#[macro_export]
macro_rules! account_session_promises {
    ($fixture:expr) => {
        $crate::store_promises! { $fixture;
            account_sessions in trading:
                an_account_session_in_every_status_is_read_back_whole,
                an_account_session_is_found_at_home_alone,
                account_sessions_are_listed_by_account_and_status,
                an_account_has_one_session_that_is_not_over,
                account_sessions_that_are_not_over_are_read_oldest_first_a_slice_at_a_time,
                account_sessions_are_counted_by_status;
            renewals in trading:
                a_renewal_in_every_status_and_of_every_kind_is_read_back_whole,
                a_renewal_is_found_at_home_alone,
                renewals_are_listed_by_account_kind_and_status,
                renewals_that_are_not_over_are_listed_by_the_time_before_which_they_are_due,
                an_account_has_one_renewal_of_a_kind_that_is_not_over,
                renewals_that_are_due_are_read_the_earliest_first,
                renewals_of_tokens_that_end_are_read_by_kind_the_earliest_first,
                renewals_are_counted_by_status;
        }
    };
}

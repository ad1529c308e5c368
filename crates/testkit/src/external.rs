//! The contracts of the ports to external systems: the promises of an adapter of a marketplace, a game platform, its friends and chats, its
//! sessions, a source of prices or a source of exchange rates, one function a promise.
//!
//! [`marketplace_contract!`](crate::marketplace_contract), [`game_platform_contract!`](crate::game_platform_contract),
//! [`social_contract!`](crate::social_contract), [`sessions_contract!`](crate::sessions_contract),
//! [`price_source_contract!`](crate::price_source_contract) and [`exchange_rates_contract!`](crate::exchange_rates_contract) make a test of
//! each. A promise gets an external system of its own, which the adapter's author supplies: a simulation, or a fake server that the adapter
//! calls. The real systems are never called.
#![expect(missing_docs, reason = "a promise's name is the sentence that documents it")]

pub mod exchange_rates;
pub mod game_platform;
pub mod marketplace;
pub mod price_source;
pub mod sessions;
pub mod social;

use std::time::Duration;

use async_trait::async_trait;

use tradepost_ports::external::ExternalError;

/// Faults that a test can switch on in every external system.
#[async_trait]
pub trait FaultInjection: Send + Sync {
    /// Executes the next call that buys or accepts, and loses its answer.
    async fn lose_next_answer(&self);
    /// Answers every call from now on as rate limited.
    async fn limit_rate(&self);
    /// Rejects every call from now on as not signed in.
    async fn lose_session(&self);
}

/// Returns the time after which a rate-limited call may be made again.
fn retry_after<T: std::fmt::Debug, R: std::fmt::Debug>(result: Result<T, ExternalError<R>>) -> Duration {
    match result {
        Err(ExternalError::RateLimited { retry_after, .. }) => retry_after,
        other => panic!("not limited: {other:?}"),
    }
}

/// Makes one `#[tokio::test]` of every promise of a marketplace. The expression returns a
/// [`MarketplaceFixture`](crate::external::marketplace::MarketplaceFixture) and names something that is in scope. The promises are those of
/// the marketplace's [`MarketTraits`](tradepost_ports::marketplace::MarketTraits).
#[macro_export]
macro_rules! marketplace_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; marketplace:
            every_listing_is_on_exactly_one_page,
            listings_are_those_that_were_asked_for,
            a_listing_is_read_again_as_it_was_listed,
            an_unknown_listing_is_none,
            a_purchase_costs_its_price_and_the_fee_of_the_schedule,
            one_key_buys_once,
            a_key_is_good_for_one_listing,
            what_was_bought_cannot_be_bought_again,
            what_costs_more_than_it_may_is_not_bought,
            nothing_is_bought_for_an_address_that_is_wrong,
            an_order_is_found_when_it_is_sought_and_by_its_id,
            an_order_that_was_never_made_is_absent_and_no_search_makes_it,
            the_buyer_of_a_listing_is_us_or_somebody_else,
            what_a_lost_answer_bought_is_found,
            an_item_of_ours_is_listed_repriced_and_delisted,
            an_item_is_on_sale_once,
            an_item_that_is_not_ours_is_not_listed,
            nothing_is_sold_for_nothing,
            what_others_sell_is_not_ours_to_change,
            a_sale_shows_its_buyer_and_the_fee_of_the_schedule,
            a_listing_that_was_sold_cannot_be_taken_back,
            sales_that_did_not_change_since_are_left_out,
            what_is_in_custody_is_withdrawn_once,
            a_sale_names_its_buyer_once_it_is_committed,
            an_offer_is_announced_to_its_sale_and_as_often_as_one_likes,
            what_a_marketplace_does_not_have_is_refused,
            a_charge_shows_in_the_exact_balance,
            a_charge_below_a_cent_shows_in_the_exact_balance,
            every_listing_of_ours_is_on_exactly_one_of_several_pages,
            every_sale_is_on_exactly_one_of_several_pages,
            a_listing_that_ends_between_two_pages_hides_no_other,
            a_sale_that_is_made_between_two_pages_is_read_and_hides_no_other,
            a_cursor_that_was_never_given_is_refused,
            a_call_too_many_does_nothing_and_says_when_to_come_back,
            a_lost_session_is_reported;
        }
    };
}

/// Makes one `#[tokio::test]` of every promise of a game platform. The expression returns a
/// [`PlatformFixture`](crate::external::game_platform::PlatformFixture) and names something that is in scope.
#[macro_export]
macro_rules! game_platform_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; game_platform:
            an_item_is_in_the_ordinary_context_of_its_owner,
            an_offer_that_gives_items_waits_for_its_confirmation,
            an_offer_that_only_asks_is_out_at_once,
            a_denied_confirmation_ends_the_offer,
            a_confirmation_is_answered_once,
            both_sides_see_an_offer_from_their_own,
            an_accepted_offer_moves_the_items_under_new_ids,
            a_trade_maps_old_ids_to_new_ones_for_both_sides,
            what_was_received_is_protected_and_cannot_be_sent_on,
            an_offer_is_accepted_once,
            accepting_what_asks_for_ours_waits_for_a_confirmation,
            a_declined_offer_cannot_be_accepted,
            a_cancelled_offer_cannot_be_accepted,
            only_the_recipient_accepts_and_only_the_sender_cancels,
            an_offer_whose_item_was_traded_cannot_be_accepted,
            nobody_gives_what_he_does_not_have,
            nobody_gives_an_item_twice,
            an_offer_of_nothing_is_refused,
            a_wrong_token_reaches_nobody,
            a_trade_that_would_not_be_held_has_no_hold,
            an_offer_that_would_not_be_held_has_no_hold_for_its_recipient,
            a_wrong_token_shows_no_hold,
            the_token_of_an_account_is_the_one_of_its_trade_url,
            a_renewed_trade_url_replaces_the_earlier_one,
            a_renewal_whose_answer_was_lost_is_shown_by_the_token,
            what_is_unknown_is_not_found,
            offers_and_trades_that_did_not_change_since_are_left_out,
            every_offer_is_on_exactly_one_of_several_pages,
            an_offer_that_changes_between_two_pages_is_read_and_hides_no_other,
            a_cursor_that_was_never_given_is_refused,
            an_account_shows_how_many_items_it_has,
            an_offer_shows_what_a_lost_answer_accepted,
            a_call_too_many_does_nothing_and_says_when_to_come_back,
            a_lost_session_is_reported;
        }
    };
}

/// Makes one `#[tokio::test]` of every promise of a source of prices. The expression returns a
/// [`PriceSourceFixture`](crate::external::price_source::PriceSourceFixture) and names something that is in scope.
#[macro_export]
macro_rules! price_source_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; price_source:
            a_source_quotes_a_variant_once,
            a_quote_names_the_source_that_was_asked,
            a_quote_has_a_price_above_zero,
            no_quote_is_of_a_time_to_come,
            asking_changes_nothing,
            a_later_quote_is_no_older_and_no_variant_is_missing;
        }
    };
}

/// Makes one `#[tokio::test]` of every promise of a source of exchange rates. The expression returns a
/// [`RatesFixture`](crate::external::exchange_rates::RatesFixture) and names something that is in scope.
#[macro_export]
macro_rules! exchange_rates_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; exchange_rates:
            a_rate_is_that_of_the_currency_that_was_asked_for,
            a_rate_is_fresh_and_not_of_a_time_to_come,
            there_and_back_is_about_the_same,
            a_currency_that_is_not_known_has_no_rate,
            a_call_too_many_says_when_to_come_back;
        }
    };
}

/// Makes one `#[tokio::test]` of every promise of friends and chats. The expression returns a
/// [`SocialFixture`](crate::external::social::SocialFixture) and names something that is in scope.
#[macro_export]
macro_rules! social_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; social:
            a_request_that_is_accepted_makes_friends,
            a_friend_is_shown_with_the_time_since_when,
            adding_who_asks_is_accepting,
            nothing_is_accepted_that_was_not_asked,
            removing_ends_a_friendship_and_a_request_on_both_sides,
            who_is_blocked_cannot_ask_until_unblocked,
            an_unknown_account_is_not_found,
            the_list_shows_what_a_lost_answer_did,
            a_message_is_at_its_place_for_both_sides,
            a_text_is_shown_as_it_was_sent,
            only_friends_receive_messages,
            every_message_is_on_exactly_one_of_several_pages,
            a_conversation_shows_what_is_unread_until_it_is_read,
            the_conversation_shows_what_a_lost_answer_sent,
            a_call_too_many_does_nothing_and_says_when_to_come_back,
            a_lost_session_is_reported;
        }
    };
}

/// Makes one `#[tokio::test]` of every promise of signing in. The expression returns a
/// [`SessionsFixture`](crate::external::sessions::SessionsFixture) and names something that is in scope.
#[macro_export]
macro_rules! sessions_contract {
    ($fixture:expr) => {
        $crate::external_promises! { $fixture; sessions:
            an_account_that_is_asked_for_nothing_further_is_signed_in_at_once,
            a_mailed_code_signs_an_account_in,
            a_code_of_the_authenticator_signs_an_account_in,
            another_code_can_be_given_after_a_wrong_one,
            an_account_is_signed_in_once_its_owner_approves,
            a_denied_sign_in_issues_no_tokens,
            a_wrong_password_and_an_unknown_login_name_are_refused_alike,
            tokens_are_issued_once,
            tokens_whose_answer_was_lost_are_not_issued_again,
            a_sign_in_that_takes_too_long_is_forgotten,
            an_access_token_is_accepted_until_it_expires,
            a_renewal_issues_an_access_token_and_keeps_the_refresh_token,
            a_renewed_refresh_token_replaces_the_former_one,
            a_renewal_whose_answer_was_lost_has_replaced_the_refresh_token,
            revoked_tokens_are_no_longer_accepted,
            a_repeated_revocation_leaves_a_later_session_as_it_is,
            a_token_is_accepted_for_its_own_account_alone,
            an_account_that_signs_in_too_often_is_limited_for_a_while,
            a_call_too_many_does_nothing_and_says_when_to_come_back,
            a_lost_session_is_reported;
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! external_promises {
    ($fixture:expr; $module:ident: $($promise:ident),+;) => {
        mod $module {
            use super::*;
            $(
                #[tokio::test]
                async fn $promise() {
                    $crate::external::$module::$promise(&$fixture).await;
                }
            )+
        }
    };
}

#[cfg(test)]
mod tests {
    /// A promise that a macro does not name would never be checked.
    #[test]
    fn every_promise_is_named_in_the_macros() {
        let modules = [
            include_str!("external/exchange_rates.rs"),
            include_str!("external/game_platform.rs"),
            include_str!("external/marketplace.rs"),
            include_str!("external/marketplace/pages.rs"),
            include_str!("external/price_source.rs"),
            include_str!("external/sessions.rs"),
            include_str!("external/social.rs"),
        ];
        crate::assert_promises_are_named(include_str!("external.rs"), &modules);
    }
}

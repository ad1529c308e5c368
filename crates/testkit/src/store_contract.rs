//! The contract of storage: promises of every adapter. [`store_contract!`](macro@crate::store_contract) makes a test of each on an empty store.
#![expect(missing_docs, reason = "a promise's name is the sentence that documents it")]

pub mod accounts;
pub mod changes;
pub mod contracts;
pub mod events;
pub mod expired_records;
pub mod markets;
mod paging;
mod promises;
pub mod races;
pub mod times;
pub mod trading;
pub mod uniqueness;
mod writing;

pub use paging::{
    paged_account_sessions, paged_accounts, paged_assignments, paged_confirmations, paged_contracts,
    paged_conversations, paged_filter_sets, paged_friends, paged_imports, paged_intents, paged_inventory_changes,
    paged_items, paged_memberships, paged_pools, paged_providers, paged_purchases, paged_remediations, paged_renewals,
    paged_snapshots, paged_trade_offers, paged_webhook_endpoints,
};

use tradepost_ports::store::Store;
pub(crate) use writing::system;
use writing::{insert, remove, revise, value, values};

/// The subject of a promise: a store, and anything that has to live as long, such as its directory.
pub trait Fixture {
    /// Returns the store, empty at first.
    fn store(&self) -> &dyn Store;
}

impl<T: Store> Fixture for T {
    fn store(&self) -> &dyn Store {
        self
    }
}

/// Makes one `#[tokio::test]` of every promise. The expression returns a [`Fixture`], may await, and names what is in scope.
///
/// ```
/// # mod tests {
/// use tradepost_testkit::memory::MemoryStore;
/// tradepost_testkit::store_contract!(MemoryStore::default());
/// # }
/// ```
#[macro_export]
macro_rules! store_contract {
    ($fixture:expr) => {
        $crate::store_promises! { $fixture;
            users in accounts:
                an_unknown_user_is_none,
                a_user_is_read_back_whole,
                several_users_leave_out_who_is_not_there,
                a_user_is_found_by_address_in_any_case,
                users_are_noticed_once_there_are_any,
                users_see_themselves_and_the_members_of_their_workspaces,
                linked_identities_are_counted_by_user,
                linked_identities_are_listed_by_user_oldest_first,
                an_email_link_is_found_by_its_digest_until_it_is_removed,
                an_email_link_of_every_purpose_is_read_back_whole,
                the_latest_link_to_an_address_is_found_by_purpose_in_any_case,
                a_link_is_found_by_its_user_and_purpose;
            account_links in accounts:
                an_identity_is_found_by_platform_and_subject,
                a_link_of_every_purpose_is_read_back_whole,
                an_answer_is_spent_once;
            sessions in accounts:
                a_session_is_read_back_whole,
                a_session_is_found_by_digest_with_the_live_memberships_of_its_user,
                an_unknown_session_is_none,
                sessions_are_listed_by_user_oldest_first,
                a_token_opens_one_session,
                a_session_goes_by_its_latest_token,
                a_last_sight_never_moves_back_and_changes_no_version,
                a_question_for_anybodys_passkey_is_taken_once,
                questions_for_anybodys_passkey_are_listed_by_age,
                a_sign_in_is_found_by_its_id_alone_and_listed_by_user;
            second_factors in accounts:
                a_user_without_records_has_no_factors,
                factors_follow_address_app_and_passkey,
                recovery_codes_are_a_factor_as_long_as_one_is_left,
                an_app_and_its_enrolment_are_read_back_whole,
                recovery_codes_are_read_back_whole,
                what_was_guessed_is_kept_by_user,
                wrong_codes_are_kept_by_user_and_guesser,
                passkeys_are_listed_by_user_oldest_first,
                a_passkey_belongs_to_its_user,
                a_registration_is_read_back_whole,
                a_challenge_belongs_to_its_user,
                challenges_are_listed_by_key_or_session_oldest_first,
                a_grant_belongs_to_its_key_or_session;
            expired_records:
                overdue_invitations_are_found_from_their_end_on,
                what_is_of_an_age_is_forgotten_oldest_first_and_some_at_a_time,
                each_kind_is_forgotten_by_its_own_age_alone,
                one_clears_at_a_time_until_its_turn_ends,
                only_sign_ups_that_nothing_can_confirm_are_unconfirmed,
                keys_are_found_when_their_owners_are_to_be_reminded,
                deleted_workspaces_are_found_by_when_they_were_deleted;
            workspace_keys in accounts:
                a_key_in_every_state_is_read_back_whole,
                a_workspace_has_each_number_of_a_key_once,
                a_key_is_retired_and_the_next_one_made_in_one_commit,
                a_secret_is_found_by_its_place_with_the_key_that_sealed_it,
                secrets_of_several_rows_are_found_at_home_alone,
                secrets_are_counted_by_key,
                secrets_under_a_key_are_listed_some_at_a_time,
                keys_that_are_not_destroyed_are_listed_over_all_workspaces,
                retired_keys_are_in_use_until_the_last_secret_is_under_another_one;
            memberships in accounts:
                a_workspace_is_read_back_whole,
                an_unknown_workspace_is_none,
                a_membership_in_every_state_is_read_back_whole,
                memberships_of_another_workspace_are_never_seen,
                several_memberships_leave_out_what_is_not_there,
                a_member_is_found_while_the_membership_is_live,
                members_without_app_and_passkey_are_counted_while_they_are_accepted,
                an_own_membership_is_found_in_any_workspace,
                an_invitation_is_own_by_verified_address_alone,
                an_invitation_is_found_by_its_token_until_it_is_answered,
                own_memberships_are_counted_over_all_workspaces,
                memberships_of_a_user_in_a_workspace_are_counted_the_ended_ones_too,
                live_memberships_of_a_user_are_listed_oldest_first,
                every_membership_of_a_user_is_listed_oldest_first,
                a_membership_in_a_deleted_workspace_is_read_back_whole,
                the_workspaces_of_a_user_are_those_they_are_a_member_of,
                memberships_are_listed_by_status;
            api_keys in accounts:
                a_key_is_found_by_digest_with_what_bounds_it,
                a_revoked_key_is_still_found_by_digest,
                an_unknown_digest_is_none,
                a_key_of_another_workspace_is_never_seen,
                a_listing_shows_live_and_expired_keys_newest_first,
                a_listing_shows_the_hundred_keys_that_expired_last,
                live_keys_are_counted_apart,
                the_live_keys_of_a_member_are_listed_oldest_first,
                a_key_that_was_never_used_has_no_last_use,
                a_last_use_never_moves_back,
                a_use_changes_no_version,
                a_last_use_outlives_a_revision,
                a_key_is_redigested_once_and_stays_the_same;
            executions in accounts:
                an_execution_is_read_back_whole,
                what_is_done_under_one_key_at_once_is_done_once,
                answers_are_forgotten_before_their_keys,
                keys_and_answers_are_forgotten_some_at_a_time_the_oldest_first;
            audit in accounts:
                an_audit_event_is_read_back_whole,
                an_audit_event_of_nobody_is_read_back_whole,
                an_audit_event_is_never_written_over,
                what_is_not_chained_waits_the_oldest_first,
                what_is_chained_waits_no_more,
                a_chain_goes_on_from_its_head,
                an_event_is_chained_once,
                an_audit_log_reports_its_state,
                logs_are_apart,
                the_ends_of_all_logs_are_listed_some_at_a_time,
                audit_events_are_listed_newest_first_by_page,
                audit_events_are_listed_by_type_actor_and_time,
                a_user_sees_their_own_log_and_what_they_did;
            outbox in accounts:
                a_mail_is_read_back_whole,
                mails_are_listed_once_they_are_due_the_longest_waiting_first,
                one_of_many_claims_a_mail;
            usage in accounts:
                what_is_counted_twice_is_added_up,
                usage_is_shown_by_span_key_and_operation,
                usage_of_another_workspace_is_never_seen,
                old_usage_is_forgotten_in_bounded_steps;
            observations in markets:
                an_observation_with_everything_is_read_back_whole,
                a_listing_is_recorded_once_at_its_price,
                a_listing_still_on_sale_is_recorded_again_after_a_day,
                a_listing_seen_again_at_its_price_keeps_its_variant,
                of_many_who_record_the_same_at_once_one_is_accepted,
                observations_are_listed_by_marketplace_name_and_time,
                what_is_known_of_markets_is_never_seen_from_another_workspace,
                observations_are_counted_by_marketplace_and_hour,
                offers_are_listed_cheapest_first_as_long_as_they_are_seen,
                prices_of_hours_are_kept_by_variant_and_marketplace,
                prices_of_hours_are_the_same_however_far_they_are_formed,
                old_observations_are_forgotten_in_bounded_steps_but_for_those_that_are_kept,
                a_caller_who_changed_records_nothing_of_markets,
                the_latest_quote_of_each_source_is_found,
                the_cheapest_listing_of_each_marketplace_is_found,
                an_observation_keeps_the_prices_reported_when_it_was_recorded,
                an_observation_has_the_cheapest_other_listing_that_was_recorded_with_it,
                observations_are_replayed_from_the_oldest;
            prices in markets:
                a_price_override_is_read_back_whole,
                price_overrides_are_found_and_listed_at_home_alone,
                a_variant_is_given_one_value_at_a_time,
                a_workspace_has_one_set_of_pricing_rules;
            providers in markets:
                a_provider_is_read_back_whole,
                what_was_seen_of_a_provider_is_read_back_whole,
                providers_are_found_and_listed_by_kind_at_home_alone,
                providers_of_a_driver_are_listed_over_all_workspaces,
                providers_of_a_kind_are_listed_over_all_workspaces_enabled_or_not,
                one_reads_price_sources_at_a_time,
                a_name_belongs_to_one_provider_of_a_kind,
                what_names_a_provider_is_counted_by_its_kind;
            webhooks in events:
                a_webhook_endpoint_is_read_back_whole,
                a_webhook_delivery_is_read_back_whole,
                the_progress_of_endpoints_is_read_back_whole,
                endpoints_are_found_and_listed_at_home_alone,
                deliveries_are_listed_by_endpoint_state_type_and_time,
                active_endpoints_of_every_workspace_are_listed_a_page_at_a_time,
                endpoints_with_due_deliveries_are_the_active_and_the_deleted_ones,
                due_deliveries_of_an_endpoint_come_by_how_long_they_have_waited;
            alerts in events:
                alert_channels_are_read_back_whole_and_listed_by_owner,
                the_rules_of_an_alert_channel_are_read_back_whole,
                the_progress_of_alert_channels_is_read_back_whole,
                an_alert_channel_has_one_message_of_a_problem,
                alert_messages_are_read_back_whole_and_listed_by_state_and_topic,
                active_and_due_alert_channels_of_every_workspace_are_listed,
                due_messages_of_an_alert_channel_come_by_how_long_they_have_waited;
            open_records in contracts:
                open_purchases_are_read_by_marketplace_and_status_oldest_first_a_slice_at_a_time,
                items_are_read_by_status_and_by_where_they_are_on_sale_a_slice_at_a_time,
                active_contracts_are_listed_with_their_versions_and_filter_set_versions,
                what_a_contract_did_lately_is_what_its_purchases_come_to,
                what_a_contract_did_by_a_time_leaves_out_what_it_did_later,
                what_has_failed_since_is_not_what_a_contract_bought_last;
            leases in trading:
                a_lease_is_read_back_whole_and_at_home_alone,
                a_part_of_the_work_has_one_lease,
                who_held_a_lease_at_an_earlier_version_writes_nothing;
            uniqueness:
                an_address_holds_one_record,
                a_verified_address_belongs_to_one_user,
                a_revision_cannot_take_what_another_record_holds,
                a_record_keeps_what_it_holds_through_a_revision,
                users_without_an_address_are_no_duplicates,
                an_identity_of_another_platform_belongs_to_one_user,
                a_passkey_credential_belongs_to_one_user,
                a_token_opens_one_key_even_when_it_is_revoked,
                a_token_opens_one_mailed_link,
                a_token_opens_one_invitation,
                a_user_is_a_live_member_once,
                an_address_is_invited_once_at_a_time,
                a_listing_has_one_live_purchase,
                an_order_of_a_marketplace_belongs_to_one_purchase,
                an_asset_is_one_live_item,
                a_fact_is_recorded_once_in_a_chain,
                a_step_of_a_chain_is_taken_once;
            changes:
                an_empty_set_is_applied,
                versions_count_from_one,
                a_revision_replaces_the_record,
                a_stale_revision_conflicts_and_changes_nothing,
                a_revision_of_what_is_not_there_conflicts,
                a_removed_record_is_absent_and_can_be_inserted_again,
                a_stale_removal_conflicts,
                putting_makes_or_replaces_and_raises_the_version,
                a_put_makes_what_was_seen_before_stale,
                one_refused_write_refuses_them_all,
                an_unchanged_caller_may_write,
                a_commit_of_a_changed_caller_fails,
                each_record_behind_a_caller_is_guarded,
                a_changed_caller_comes_before_a_lost_race,
                a_caller_may_revise_the_record_that_gives_the_right,
                a_caller_cannot_revise_a_record_that_changed_since_it_gave_the_right,
                what_was_relied_on_and_stayed_lets_pass,
                what_was_relied_on_and_changed_conflicts,
                what_was_relied_on_and_removed_conflicts,
                relying_changes_no_version,
                of_two_records_that_rely_on_each_other_one_is_refused;
            trading in contracts:
                a_contract_in_every_status_is_read_back_whole,
                a_contract_with_every_field_set_is_read_back_whole,
                a_purchase_in_every_status_is_read_back_whole,
                a_purchase_for_an_intent_is_read_back_whole,
                an_item_in_every_status_is_read_back_whole,
                an_item_with_every_trait_is_read_back_whole,
                an_item_is_found_by_its_purchase,
                a_purchase_is_found_by_its_order,
                an_asset_id_is_found_in_its_chain,
                an_imported_item_is_read_back_whole_and_counted_by_no_contract,
                trading_records_of_another_workspace_are_never_seen,
                unknown_trading_records_are_none,
                several_trading_records_leave_out_what_is_not_there,
                contracts_are_listed_by_type_and_status,
                purchases_are_listed_by_contract_and_status,
                items_are_listed_by_contract_and_status,
                items_are_listed_by_name_and_account;
            filters in contracts:
                purchases_are_listed_and_counted_by_every_two_filters,
                items_are_listed_and_counted_by_every_two_filters,
                names_of_records_are_read_once_each_in_their_order;
            searches in contracts:
                records_of_the_workspace_are_found_by_identifiers_and_parts_of_names,
                pools_have_together_what_each_has;
            transitions in contracts:
                transitions_are_read_back_oldest_first,
                a_transition_is_never_written_over,
                transitions_are_found_by_id_and_kind_at_home_alone,
                transitions_are_listed_by_kind_record_and_time,
                transitions_are_counted_by_kind_record_and_time,
                no_more_transitions_are_counted_than_may_be_looked_at,
                transitions_follow_each_other_as_they_were_committed,
                a_transition_that_never_was_has_no_place,
                the_last_place_grows_with_what_is_committed,
                transitions_since_a_time_follow_each_other_as_they_were_committed,
                old_places_are_forgotten_but_for_the_last_of_each_kind_of_record;
            times:
                a_budget_of_a_day_and_the_last_purchase_go_by_when_purchases_were_made,
                changes_of_a_time_are_listed_by_when_they_were,
                a_watcher_gets_changes_by_the_time_they_were_logged,
                entries_of_a_time_are_listed_and_summed_by_when_they_were,
                what_was_done_in_a_time_is_listed_by_when_it_was,
                a_workspace_trades_in_the_market_that_came_first,
                what_is_done_for_all_workspaces_is_done_world_by_world;
            filter_sets in contracts:
                a_filter_set_with_every_rule_is_read_back_whole,
                a_filter_set_is_found_at_home_alone,
                several_filter_sets_leave_out_what_is_not_there,
                versions_stay_as_they_were_written,
                a_version_is_never_written_over,
                versions_outlive_their_filter_set,
                of_a_contract_that_names_a_set_and_its_removal_one_is_refused;
            evaluations in contracts:
                an_evaluation_is_read_back_whole,
                evaluations_are_found_at_home_alone,
                an_evaluation_is_never_written_over,
                evaluations_are_listed_by_contract_and_decision,
                evaluations_are_listed_by_listing,
                old_evaluations_are_forgotten_in_bounded_steps;
            pools in contracts:
                a_pool_in_every_state_is_read_back_whole,
                a_pool_is_found_at_home_alone,
                pools_are_listed_by_status,
                contracts_that_have_not_ended_are_counted_by_their_pool,
                an_entry_of_every_kind_is_read_back_whole,
                an_entry_is_never_written_over,
                entries_are_listed_by_account_pool_contract_and_time,
                what_is_at_stake_is_the_sum_of_the_entries_by_pool_and_name,
                a_pool_and_its_entry_are_written_together_or_not_at_all;
            trading_accounts in trading:
                an_account_in_every_status_is_read_back_whole,
                an_account_with_every_field_set_is_read_back_whole,
                accounts_that_a_person_wants_to_be_read_are_listed_until_the_request_ends,
                an_account_is_found_at_home_alone,
                an_account_is_found_by_its_name_until_it_is_removed,
                a_name_and_a_number_belong_to_one_account_that_is_not_removed,
                accounts_are_listed_by_status_and_group,
                what_accounts_have_in_hand_is_counted_by_name,
                accounts_are_counted_by_status,
                a_group_is_read_back_whole_at_home_alone,
                the_groups_of_an_account_are_found,
                an_assignment_is_read_back_whole_at_home_alone,
                assignments_are_listed_and_counted_by_pool_and_assignee,
                an_account_or_group_is_assigned_to_a_pool_once;
            imports in trading:
                an_import_in_every_status_is_read_back_whole_at_home_alone,
                the_rows_of_an_import_are_read_back_whole_and_change_as_a_whole,
                imports_are_listed_and_counted_by_status,
                imports_that_did_not_end_are_overdue_once_their_time_is_over,
                accounts_are_found_by_many_names_and_numbers_at_home,
                numbers_that_accounts_of_other_workspaces_have_are_found_and_nothing_else_of_them;
            remediations in contracts:
                a_remediation_in_every_status_is_read_back_whole,
                a_remediation_of_every_kind_is_read_back_whole,
                a_remediation_is_found_at_home_alone,
                remediations_are_listed_by_status_kind_and_severity,
                a_problem_of_a_record_is_open_once,
                the_problem_of_a_record_that_was_dismissed_last_is_found,
                remediations_are_counted_by_status,
                uncertain_purchases_are_found_by_age_until_they_are_reported;
            trade_offers in trading:
                a_trade_offer_in_every_status_is_read_back_whole,
                a_trade_offer_is_found_at_home_alone,
                trade_offers_are_listed_by_account_direction_status_and_owner,
                an_account_sees_an_offer_once_and_an_item_is_sent_once,
                trade_offers_are_counted_by_status,
                an_offer_that_a_person_asked_for_is_read_back_whole,
                unsent_and_unowned_offers_are_found_by_their_account,
                requested_offers_are_listed_by_the_time_of_the_request,
                what_an_account_gave_is_added_up_by_its_time,
                the_readings_of_accounts_are_found_at_home_alone;
            snapshots in trading:
                a_snapshot_in_every_status_is_read_back_whole,
                a_snapshot_is_found_at_home_alone,
                snapshots_are_listed_by_account_and_status,
                snapshots_are_read_by_status_and_account_oldest_first_a_slice_at_a_time,
                the_complete_snapshot_before_a_number_is_found,
                an_account_has_one_snapshot_that_is_taken_and_one_of_each_number,
                items_are_read_by_the_snapshots_that_show_them,
                an_account_shows_an_asset_once_at_a_time,
                items_that_no_snapshot_shows_are_found,
                snapshots_are_counted_by_status;
            inventory_changes in trading:
                an_inventory_change_in_every_status_and_of_every_kind_is_read_back_whole,
                an_inventory_change_is_found_at_home_alone,
                inventory_changes_are_listed_by_account_kind_and_status,
                the_changes_to_a_snapshot_are_read_a_slice_at_a_time,
                orphans_are_found_by_age_until_they_are_reported,
                inventory_changes_are_counted_by_status;
            friends in trading:
                a_friend_in_every_relation_is_read_back_whole,
                what_is_asked_of_a_friend_is_read_back_whole,
                a_friend_is_found_at_home_alone,
                friends_are_listed_by_account_and_relation,
                friends_are_open_until_what_is_asked_is_settled,
                an_account_has_another_one_as_a_friend_once,
                friends_are_counted_by_relation,
                the_readings_of_an_account_are_read_back_at_home_alone;
            chats in trading:
                a_conversation_is_read_back_whole,
                a_conversation_is_found_at_home_alone,
                conversations_are_listed_by_account_and_reading_and_counted,
                an_account_has_one_conversation_with_a_partner,
                a_message_in_every_status_is_read_back_whole,
                messages_are_listed_by_conversation_at_home_alone,
                open_and_sought_messages_are_read_oldest_first,
                a_place_in_a_conversation_has_one_message;
            confirmations in trading:
                a_confirmation_in_every_status_is_read_back_whole,
                a_confirmation_is_found_at_home_alone,
                confirmations_are_listed_by_account_status_and_kind,
                an_account_has_a_confirmation_of_the_platform_once,
                confirmations_are_counted_by_status;
            contract_versions in contracts:
                a_version_of_a_contract_is_read_back_whole,
                versions_of_a_contract_are_listed_newest_first_at_home_alone;
            equity_marks in contracts:
                marks_are_read_back_in_the_order_of_days,
                a_workspace_has_one_mark_of_a_day,
                a_workspace_is_unmarked_once_it_had_money_on_the_day;
            counters in contracts:
                a_workspace_without_records_counts_nothing,
                counters_follow_inserts_and_revisions,
                counters_are_kept_for_each_contract,
                counters_of_workspaces_are_apart,
                members_and_contracts_are_counted,
                filter_sets_are_counted,
                pools_are_counted_by_status,
                items_move_between_counters,
                a_removed_record_is_not_counted,
                many_changes_of_one_set_are_counted_together,
                joined_changes_of_several_calls_are_one_commit;
            chain in contracts:
                a_link_takes_the_next_step,
                a_link_moves_the_items_tip_and_version,
                a_link_is_taken_exactly_where_the_domain_takes_it,
                a_closed_item_takes_no_link,
                a_trade_must_change_the_asset_id,
                an_asset_id_may_come_back_in_a_chain,
                an_expected_step_is_held_to,
                a_link_is_never_dated_before_its_predecessor,
                evidence_recorded_before_answers_its_link,
                evidence_recorded_with_another_asset_id_is_refused,
                the_same_evidence_counts_for_each_item,
                an_item_that_is_not_there_takes_no_link,
                an_asset_id_of_another_live_item_is_refused,
                links_to_several_items_are_appended_together,
                one_refused_link_refuses_the_set,
                a_link_that_moves_the_item_is_written_with_its_revision,
                an_append_makes_what_was_seen_before_stale,
                links_are_listed_from_a_step_on;
            races:
                thirty_two_appenders_make_thirty_two_gapless_steps,
                equal_evidence_at_once_makes_one_link,
                one_of_many_takes_an_expected_step,
                one_of_many_takes_a_unique_key,
                one_of_many_revises_what_all_have_seen,
                of_two_sets_that_rely_on_each_other_one_is_refused_at_once,
                counters_miss_nothing_of_what_is_written_at_once,
                revisions_that_are_tried_again_all_count,
                a_random_run_at_once_equals_some_serial_order;
        }
        $crate::intent_promises! { $fixture }
        $crate::report_promises! { $fixture }
        $crate::account_session_promises! { $fixture }
        $crate::paging_promises! { $fixture;
            paged_account_sessions, paged_accounts, paged_assignments, paged_confirmations, paged_contracts,
            paged_conversations, paged_filter_sets, paged_friends, paged_imports, paged_intents,
            paged_inventory_changes, paged_items, paged_memberships, paged_pools, paged_providers, paged_purchases,
            paged_remediations, paged_renewals, paged_snapshots, paged_trade_offers, paged_webhook_endpoints
        }
    };
}

#[cfg(test)]
mod tests;
